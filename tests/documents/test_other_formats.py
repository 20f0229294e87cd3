"What pandoc reads for us: headings and tables survive, what a file may cost is bounded, and nothing in it is run or fetched."

import re, shutil, subprocess, zipfile
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch
import pytest
from conflare_nb.documents.cutting import sentence_spans
from conflare_nb.documents.reading import LIMITS, read_document, read_folder, _pandoc
from conflare_nb.errors import TooLarge

MANUAL = '''---
title: Home battery manual
---
Read this first.

# Capacity
It holds **10 kWh**.

| Model | Range |
|-------|-------|
| HB-5  | 5.1 kWh |

# Cleaning
Wipe it dry.
'''
KINDS = 'docx', 'odt', 'rtf', 'epub', 'pptx'
INSTALL = r'pip install ".\[formats\]"'
installed = pytest.mark.skipif(find_spec('pypandoc') is None, reason='pandoc is not installed')


def made(path, text=MANUAL):
    run = [_pandoc(), '--standalone', '--output', path, '--from', 'markdown']
    subprocess.run(run, input=text.encode(), check=True)
    return path


@pytest.mark.skipif(find_spec('pypandoc') is not None, reason='says what is missing where it is')
def test_without_pandoc_the_files_are_named_with_the_command(tmp_path):
    for name in ('a.md', 'b.odt', 'c.rtf'):
        (tmp_path / name).write_text('x')
    left = r'2 not read: 1 .odt \(b.odt\); 1 .rtf \(c.rtf\). .*; to read .* run '
    with pytest.warns(UserWarning, match=left + INSTALL):
        read_folder(tmp_path)
    with pytest.raises(ValueError, match=f'to read .* run {INSTALL} in the clone; got'):
        read_document(tmp_path / 'b.odt')


@installed
@pytest.mark.parametrize('kind', KINDS)
def test_headings_and_tables_survive(tmp_path, kind):
    doc = read_document(made(tmp_path / f'm.{kind}'))
    shown = {s.heading.split(' > ')[-1]: ' '.join(s.text.split()) for s in doc.sections}
    assert 'It holds 10 kWh' in shown['Capacity'].replace(' .', '.')
    assert re.search('HB-5; (Range: )?5.1 kWh', shown['Capacity'])  # pandoc loses the head in .rtf
    assert shown['Cleaning'] == 'Wipe it dry.'
    assert doc.path == f'm.{kind}'
    assert 'Home battery manual' in ' '.join([doc.title, *shown, *shown.values()])


@pytest.mark.parametrize('separator', ',;\t')
def test_a_table_keeps_its_rows(tmp_path, separator):
    rows = 'Model,Range\nHB-5,"5.1\nor so"\n<script>x</script>,=1+1\n,alone\nHB-7,8,more\n\n'
    (tmp_path / 't.csv').write_text(rows.replace(',', separator))
    doc = read_document(tmp_path / 't.csv')
    assert doc.title == 't'
    script = 'Model: <script>x</script>; Range: =1+1'
    want = f'Model: HB-5; Range: 5.1 or so|{script}|Range: alone|Model: HB-7; Range: 8; more'
    assert doc.sections[0].text.split('\n\n') == want.split('|')


TABLES = {  # a file -> its title and its first paragraphs
    ('t.csv', 'sep=;\nModel;Range\nHB-5;5 kWh'): ('t', 'Model: HB-5; Range: 5 kWh'),
    ('t.csv', '1,Anna,28\n2,Bob,31'): ('t', '1; Anna; 28', '2; Bob; 31'),
    ('t.csv', 'Model|Price|Note\nHB-5|12|ok, so'): ('t', 'Model: HB-5; Price: 12; Note: ok, so'),
    ('t.csv', 'Model;Preise\nHB-5;1,2,3\nHB-7;2,5,7'): ('t', 'Model: HB-5; Preise: 1,2,3', 'Model: HB-7; Preise: 2,5,7'),
    ('t.csv', 'Price list;;\n;;\nModel;Price;Tax\nHB-5;12;1'): ('Price list', 'Model: HB-5; Price: 12; Tax: 1'),
    ('t.csv', 'Model,Note\nHB-5,"%s"' % ('Keep it cold. ' * 40)): ('t', 'Model: HB-5; Note:' + ' Keep it cold.' * 21, 'Model: HB-5; Note:' + ' Keep it cold.' * 19),
    ('t.tsv', 'Model\tNote\nHB-5\t"a pipe'): ('t', 'Model: HB-5; Note: "a pipe'),
    ('t.json', '[{"a": {"b": 1}, "c": [2, 3]}, {"c": null, "d": "x"}]'): ('t', 'a.b: 1; c: 2, 3', 'd: x'),
    ('t.jsonl', '{"a": 1}\n{"a": 2}\n'): ('t', 'a: 1', 'a: 2'),
}  # fmt: skip


RST = 'Pens\n====\nSee :ref:`the guide <guide>`. Run::\n\n    x = *y*  # a. B\n\n.. _use:\n.. note:: Keep it\n   :ref:`cold <a>`.\n\nUse\n---\n.. toctree::\n\n   other\n\nTurn ``__it__``.\n'
BOOK = '{"cells": [{"cell_type": "markdown", "source": ["# Pens\\n", "*Keep* cold."]}, {"cell_type": "code", "source": "x_y = 1", "outputs": [{"text": "no"}]}]}'


@pytest.mark.parametrize(
    'file, text, found',
    [
        ('d.rst', RST, [('', 'See the guide. Run: ``` x = *y* # a. B ``` Keep it cold.'), ('Use', 'Turn __it__.')]),
        ('d.rst', 'Pens\n====\n+---+---+\n| A | B |\n+===+===+\n| x | y |\n+---+---+\n', [('', 'A: x; B: y')]),
        ('d.rst', 'Pens\n====\n== ==\nA  B\n== ==\nx  y\n== ==\n\n== ==\nz', [('', 'A: x; B: y z')]),
        ('d.1', '.SH Pens\n.SS Use\n.B Turn\n\\fIit\\fR.', [('Use', 'Turn it.')]),
        ('d.tex', '\\section{Pens}\n%no\nx\n\\subsection{Use}\ny', [('', 'x'), ('Use', 'y')]),
        (
            'd.tex',
            '\\title{Pens}\n\\begin{document}\n5\\emph{x}\n\\section{Use}\\label{u} y',
            [('', '5x'), ('Use', 'y')],
        ),
        ('d.adoc', '= Pens\n*x* 10^6^\n\n== Use\n----\n== y\n----', [('', 'x 10⁶'), ('Use', '== y')]),
        ('d.rst', '.. _a-b:\n\nPens\n====\n:ref:`c-d`, :ref:`A-b`', [('', 'c d, Pens')]),
        ('d.rst', 'Pens\n====\n10\\ :sup:`6` x', [('', '10⁶ x')]),
        ('d.rst', 'Pens\n====\n``a\n*b*\nc `d` e`` *f\ng* \\*.c, \\*.d', [('', 'a *b* c `d` e f g *.c, *.d')]),
        (
            'd.rst',
            'Pens\n====\n.. list-table:: C\n   :header-rows: 1\n\n   * - A\n     - B\n   * - x\n     - *y*',
            [('', 'C A: x; B: y')],
        ),
        ('d.rst', 'Pens\n====\n.. csv-table::\n   :header: A, B\n\n   "x, z", *y*', [('', 'A: x, z; B: y')]),
        ('d.ipynb', BOOK, [('', 'Keep cold. ``` x_y = 1 ```')]),
    ],
)
def test_relatives_of_markdown(tmp_path, file, text, found):
    (tmp_path / file).write_text(text)
    doc = read_document(tmp_path / file)
    assert doc.title == 'Pens'
    assert [(s.heading, ' '.join(s.text.split())) for s in doc.sections] == found


@pytest.mark.parametrize('file, text', TABLES)
def test_a_row_makes_sense_alone(tmp_path, file, text):
    (tmp_path / file).write_text(text)
    doc = read_document(tmp_path / file)
    assert (doc.title, *doc.text.split('\n\n')) == TABLES[file, text]


# fmt: off
LISTS = {
    'd.md': 'Take with you:\n* a pen\n* the cap\n  for it\n    1. the [red\n       one](a.md)\n* the case\n',
    'd.rst': 'Take with you:\n\n* a pen\n* the cap\n  for it\n\n  1. the red\n     one\n\n* the case\n',
    'd.html': 'Take with you:<ul><li>a pen<li>the cap\nfor it<ol><li>the red\none</ol><li>the case</ul>',
    'd.txt': 'Take with you:\n  - a pen\n  - the cap\n    for it\n    1) the red\n      one\n  - the case\n',
    'd.adoc': 'Take with you:\n\n* a pen\n* the cap\nfor it\n. the red\none\n* the case\n',
    'd.org': 'Take with you:\n- a pen\n- the cap\n  for it\n  1. the red\n  one\n- the case\n',
    'd.tex': 'Take with you:\n\\begin{itemize}\n\\item a pen\\item the cap\n  for it\n\\item the red one\n\\item the case\n\\end{itemize}\n',
}
# fmt: on


@pytest.mark.parametrize('file', LISTS)
def test_an_item_of_a_list_is_a_sentence(tmp_path, file):
    (tmp_path / file).write_text(LISTS[file])
    text = read_document(tmp_path / file).text
    said = [' '.join(text[a:b].split()).strip(' -*:.)1') for a, b in sentence_spans(text)]
    assert said == ['Take with you', 'a pen', 'the cap for it', 'the red one', 'the case']


def test_tables_of_nothing_and_broken_ones(tmp_path):
    for held in ('', '\n\n', ',,\n,\n'):
        (tmp_path / 't.csv').write_text(held)
        assert read_document(tmp_path / 't.csv').sections == ()
    (tmp_path / 't.csv').write_text('only,heads\n')
    assert read_document(tmp_path / 't.csv').sections[0].text == 'only; heads'
    (tmp_path / 't.csv').write_text('a,b\n"open')
    with pytest.raises(ValueError, match='t.csv: not a readable table'):
        read_document(tmp_path / 't.csv')


@installed
@pytest.mark.parametrize('kind', KINDS)
def test_what_is_broken_is_named(tmp_path, kind):
    raw = made(tmp_path / f'm.{kind}').read_bytes()
    noise = raw[:200] + b'\x00' * 100 + raw[300:]
    for broken in (b'', b'no such file', raw[: len(raw) // 2], noise):
        (tmp_path / f'b.{kind}').write_bytes(broken)
        try:
            read_document(tmp_path / f'b.{kind}')
        except ValueError as e:
            assert str(e).startswith(f'b.{kind}: ') and '\n' not in str(e)


@installed
def test_a_file_keeps_to_its_limits(tmp_path):
    path = made(tmp_path / 'm.docx')
    with zipfile.ZipFile(path, 'a', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('word/media/big.bin', b'0' * 5_000_000)
    assert path.stat().st_size < 100_000
    limits = ('bytes', 1_000), ('bytes', 4_000_000), ('characters', 200), ('nodes', 10)
    for kind, most in limits:
        with patch.dict(LIMITS, {kind: most}), pytest.raises(TooLarge, match=kind):
            read_document(path)
    assert read_document(path).title == 'Home battery manual'


@installed
def test_no_other_file_is_opened(tmp_path):
    "A document that includes another one, by the means that its format has, gets nothing of it."
    (tmp_path / 'secret.txt').write_text('TOP SECRET')
    included = r'{\field{\*\fldinst INCLUDETEXT "secret.txt"}{\fldrslt shown}}'
    (tmp_path / 't.rtf').write_text(r'{\rtf1 ' + included + ' Keep it cold.}')
    xml = f'<!DOCTYPE d [<!ENTITY x SYSTEM "file://{tmp_path}/secret.txt">]><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Cold &x;</p><img src="{tmp_path}/secret.txt"/><object data="{tmp_path}/secret.txt"/></body></html>'
    epub = made(tmp_path / 'm.epub')
    with zipfile.ZipFile(epub) as old, zipfile.ZipFile(tmp_path / 'e.epub', 'w') as new:
        for item in old.infolist():
            new.writestr(item, xml if item.filename.endswith('ch002.xhtml') else old.read(item))
    for name in ('t.rtf', 'e.epub'):
        try:
            text = read_document(tmp_path / name).text
        except ValueError as e:
            text = str(e)
        assert 'TOP SECRET' not in text


@installed
def test_a_small_file_that_takes_too_much_is_refused_once(tmp_path, monkeypatch):
    "129 kB took two minutes and 2.2 GB, each time the folder was read."
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path / 'home'))
    path = made(tmp_path / 'm.odt')
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / 'bomb.odt', 'w', 8) as new:
        for item in old.infolist():
            text = old.read(item)
            if item.filename == 'content.xml':
                many = b'<text:p>a</text:p>' * 499_000
                text = text.replace(b'<office:text>', b'<office:text>' + many)
            new.writestr(item, text)
    assert (tmp_path / 'bomb.odt').stat().st_size < 300_000
    says = 'takes more than [0-9]+ seconds or 1.2 GB to read'
    monkeypatch.setitem(LIMITS, 'seconds', 4)
    monkeypatch.setitem(LIMITS, 'memory', 1_200_000_000)
    with pytest.raises(ValueError, match=says) as first:
        read_document(tmp_path / 'bomb.odt')
    monkeypatch.setitem(LIMITS, 'memory', 3_000_000_000)  # which would be enough
    shutil.copy(tmp_path / 'bomb.odt', tmp_path / 'same.odt')
    with pytest.raises(ValueError, match='same.odt: takes more than'):
        read_document(tmp_path / 'same.odt')
    monkeypatch.undo()
    Path(str(first.value).rpartition('remove ')[2]).unlink()
    assert read_document(path).sections
