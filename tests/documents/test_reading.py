"Files of every kind, whole, broken and hostile, become documents, and nothing that a reader of them sees is lost."

import errno, html.parser, os, random, re, tempfile, warnings
from pathlib import Path
from unittest.mock import patch
import pytest
from hypothesis import given, strategies as st
from conflare_nb.documents.reading import LIMITS, folder_files, near_copies, read_document, read_folder, read_told
from conflare_nb.errors import TooLarge
from conflare_nb.documents.cutting import chunk_document
from random_texts import name, prop, solid, text, words


def letters(text):
    "What is no mark in any way of writing, and no tag."
    return re.sub(r'\W|_', '', text.replace('<b>', ''))


PARTS, EOLS = st.lists(st.tuples(st.integers(1, 6), name, text), min_size=1, max_size=6), ['\n', '\r\n', '\r']


@prop
@given(PARTS, text, st.sampled_from(EOLS), st.booleans())
def test_markdown_keeps_every_heading_and_every_text(parts, intro, eol, titled):
    matter = '---\ntitle: "Known"\nkey: a\x0cb\u2028c: d\nempty:\n---\n' if titled else ''
    meta = dict(title='Known', key='a\x0cb\u2028c: d', empty='')
    md = matter + '\n'.join([intro, *(f'{"#" * l} {h}\n{t}' for l, h, t in parts)])
    with tempfile.TemporaryDirectory() as d:
        (Path(d) / 'd.md').write_bytes(md.replace('\n', eol).encode())
        doc = read_document(Path(d) / 'd.md')
    names = [h.replace('*both*', 'both') for _, h, _ in parts]  # where a heading is all there is, it is the text
    alone = [s for s in doc.sections if s.heading.endswith(s.text) and s.text in names]
    texts = [t for t in (letters(s.text) for s in doc.sections if s not in alone) if t]
    assert texts == [t for t in map(letters, [intro, *(t for *_, t in parts)]) if t]
    headings = [s.heading for s in doc.sections]
    assert {*names} <= {doc.title, *headings, *' > '.join(headings).split(' > ')}
    assert not titled or (doc.title, doc.meta) == ('Known', meta)


def read(tmp_path, content, name='d.md'):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(tmp_path / name)


def outline(doc):
    return doc.title, [(s.heading, s.text) for s in doc.sections]


def test_headings(tmp_path):
    md = '# Guide\nIntro\n## Notes on C# ##\n### Deep\nText\n# Alone\n```\n# code\n```\n####### seven\n#no\n## F#\n'
    deep = [('', 'Intro'), ('Notes on C# > Deep', 'Text')]
    alone = [('Alone', '```\n# code\n```\n####### seven\n#no'), ('Alone > F#', 'F#')]
    assert outline(read(tmp_path, md)) == ('Guide', deep + alone)
    assert outline(read(tmp_path, '# Only')) == ('Only', [('Only', 'Only')])
    assert outline(read(tmp_path, '')) == ('d', [])


MARKDOWN = {  # text -> headings and texts under the title 'd'
    '```\n# a\n```py\n# b\n```\n## C\nx': [('', '```\n# a\n```py\n# b\n```'), ('C', 'x')],  # closes none
    '````\n```\n# a\n````\n## C\nx': [('', '````\n```\n# a\n````'), ('C', 'x')],  # a fence in a longer one
    '~~~\n# a': [('', '~~~\n# a')],  # it stays open
    '- ```\n  # a\n  ```\n## C\nx': [('', '- ```\n  # a\n  ```'), ('C', 'x')],
    'x\n\n    # a\n\t# b\n## C\ny': [('', 'x\n\n```\n# a\n# b\n```'), ('C', 'y')],  # indented code
    'x\n   ## C\ny': [('', 'x'), ('C', 'y')],
    '- a\n  # b\n\n> # c\n\n## C\nx': [('', '- a\n  # b\n\n> # c\n'), ('C', 'x')],
    '<div>\n## C\n</div>\n<!--\n## D\n-->': [('C', 'C')],
    'A\n===\nx\nB\n---\ny': [('x B', 'y')],  # underlined
    '## A ##\nx\n## B \\#\ny\n## C#\nz': [('A', 'x'), ('B #', 'y'), ('C#', 'z')],
    '!!! tip "A"\n    x\n\n    y\n\nz': [('A', 'x\n\ny'), ('', 'z')],  # a box with a title, one without
    '::: tip\nx\n:::\n<!-- b:\nz --> y': [('', 'x\n\n y')],
    '<h2 align="x">A</h2>\n<p><img alt="i">*x*</p>': [('A', 'x')],
    'see [a](b)[^1] `c`\n\n[^1]: d': [('', 'see a [1] c'), ('Notes', '[1] d')],
    '| A | B |\n|--|--|\n| *x* | y |': [('', 'A: x; B: y')],
    '#\n## \n## ##\nx': [('', '#\n## \n## ##\nx')],  # no name
    '## *A* `b` [c](d)\nx': [('A b c', 'x')],
}  # fmt: skip


@pytest.mark.parametrize('md', MARKDOWN)
def test_odd_markdown(tmp_path, md):
    found = [(h, t.strip('\n')) for h, t in outline(read(tmp_path, md))[1]]
    assert found == [(h, t.strip('\n')) for h, t in MARKDOWN[md]]


@pytest.mark.slow
def test_hostile_text_is_read_in_time(tmp_path):
    "Each of these would take minutes where the work grows with the square of the length, or its cube."
    assert read(tmp_path, f'# a{" " * 20_000}b').title == 'a b'
    marks = '?!' * 50_000, 'no. ' * 50_000, ('.' * 50 + ' ') * 2_000, '"' * 50_000
    for t in (*marks, '\n ' * 50_000 + 'x', '---\n' + 'a:b\n' * 20_000):
        chunks = chunk_document(read(tmp_path, t, 'd.txt'), words, 200, overlap=0)
        assert ''.join(solid(c.text) for c in chunks) == solid(t)
    for t in (
        '# a\n' * 5_000, '```\n' * 20_000, '> ' * 20_000 + '# a', '- ' * 5_000 + '# a',
        '[' * 19_000, '`' * 19_000, '# ' + 'a #' * 20_000, '<' * 50_000,
        '<!--\n' * 20_000, '::: a\n' * 20_000 + 'x', '!!! a "b"\n' * 20_000, '[^a]: b\n' * 20_000,
        '<h1>\n' * 20_000 + 'x', '---\na: b\n' * 10_000, 'a\n' * 40_000 + '---',
    ):  # fmt: skip
        assert read(tmp_path, t).sections
    for t in ('== ==\n' * 20_000, '== ==\nx\n' * 20_000, '+--+--+\n' * 20_000):
        assert read(tmp_path, 'x\n' + t, 'd.rst').sections
    assert read(tmp_path, '<div>x' * 5_000, 'd.html').sections[0].text.split() == ['x'] * 5_000
    for cells in ('<td>x' * 20_000, '<tr><td>x' * 10_000):
        assert read(tmp_path, f'<table>{cells}', 'd.html').sections
    assert read(tmp_path, '<h2>x' * 5_000, 'd.html').sections[0].heading.split() == ['x'] * 5_000


def test_html(tmp_path):
    page = '''<!doctype html><html><head><title>The &lt;guide&gt;</title><style>p {color: red}</style><script>var secret</script></head><body>
        <p>Before</p><h1>Pens &amp; caps</h1><p>Keep <b>co</b>ld,<br>caf&eacute; &#128138;</p><script type="text/plain">secret</script><!-- secret -->
        <h2>Doses</h2><h3>Adults</h3><table><tr><td>One</td><td>two</td></tr></table><template>secret</template><pre>a
  b</pre><h2>Alone</h2></body></html>'''
    doc = read(tmp_path, page, 'd.html')
    assert doc.title == 'The <guide>' and 'secret' not in repr(doc) and 'color' not in repr(doc)
    found = '|'.join(f'{h}: {" ".join(t.split())}' for h, t in outline(doc)[1])
    pens = 'Pens & caps: Keep cold, café 💊|Pens & caps > Doses > Adults: One; two a b|Pens & caps > Alone: Alone'
    assert found == f': Before|{pens}'


# pages as sites have them, in tests/data/sites: what must be kept, what stands around it, headings
SITES = {
    'doc-site': (
        'ten kilowatt hours|5.1 kWh|10.2 kWh|HB-5|Wipe it dry|No water jets|No solvents|E17|Valid for models|Never open the housing',
        'Shop now|Support centre|cookies|Accept all|Manuals|Popular articles|Ten tips|Newsletter|Imprint',
        'Home battery manual|Capacity|Cleaning',
    ),
    'short-faq': ('At nine|Yes|12 euros|free|Adults', '', 'Questions|When do you open?|May I bring a dog?|Fees'),
    'wiki': ('1897|500 mg|N02BA01|twelve years', 'Random article|Donate|Privacy policy', 'Aspirin|Dose|Children'),
    'word-export': ('Quiet after ten|Glass|Tuesday|Paper|Friday|Keys: 2 each', '', 'House rules|Waste'),
    'header-h1': ('first class above four hours|120 euros', 'Printed by the intranet', 'Travel policy|Trains|Hotels'),
    'app-page': (
        'stops at midnight|8812|A5|Restart twice',
        'Sign in|Related posts|Reject',
        'Release 4.2|Fixed|Known problems',
    ),
}


@pytest.mark.parametrize('page', SITES)
def test_what_stands_around_a_text_is_left_out_and_nothing_of_it_is_lost(tmp_path, page):
    kept, around, headings = (filter(None, one.split('|')) for one in SITES[page])
    doc = read(tmp_path, (Path(__file__).parents[1] / f'data/sites/{page}.html').read_bytes(), 'd.html')
    shown = ' '.join(' '.join(s.text for s in doc.sections).split())
    assert [t for t in kept if t not in shown] == [] and [t for t in around if t in shown] == []
    names = [doc.title, *(step for s in doc.sections for step in s.heading.split(' > '))]
    assert [h for h in headings if h not in names] == []


ENDS = '''\
<title>T</title><h1>H</h1><p>x | H: =x
<title>T</title><p>x<h1>H</h1><p>y | T: =x H=y
<title>T</title><h2>H</h2><p>x | T: H=x
<nav>all<h1>of it</h1>is | d: =all of it=is
<nav>menu | d: =menu
<aside><main><p>x</main></aside> | d: =x
<p class="cookie-recipe">x | d: =x
<section><footer>x</footer></section> | d: =x
<header><h2>H</h2>x</header> | d: H=x'''


@pytest.mark.parametrize('line', ENDS.splitlines())
def test_where_the_text_of_a_page_ends(tmp_path, line):
    "What holds the main heading or the main part is no frame, and a page that is all frame is taken as it is."
    markup, said = line.split(' | ')
    doc = read(tmp_path, markup, 'd.html')
    found = [f'{s.heading}={s.text.strip()}' for s in doc.sections if s.text.strip()]
    assert f'{doc.title}: {" ".join(found)}' == said


def test_hostile_html_is_plain_data(tmp_path):
    page = '''<h2 onclick="x()">H<script>bad()</script><i>ead</i></h2><img src=x onerror=bad()>&lt;script&gt;alert(1)&lt;/script&gt;<p>{{7*7}} ${x} %s <svg><style>bad</style></svg>
        </div></p></body><unknown>kept</unknown><p>unclosed'''
    doc = read(tmp_path, page, 'd.htm')
    assert [s.heading for s in doc.sections] == ['Head'] and 'bad' not in repr(doc)
    words = '<script>alert(1)</script> {{7*7}} ${x} %s kept unclosed'
    assert doc.sections[0].text.split() == words.split()


def test_files_that_are_not_read(tmp_path):
    with pytest.raises(ValueError, match=r"d.doc: files of type .md .* are read.*; got '.doc'"):
        read(tmp_path, 'x', 'd.doc')
    with pytest.raises(FileNotFoundError, match='no such file'):
        read_document(tmp_path / 'none.md')


def pdf(path, *pages, **kw):
    "Lines for each page, of which '# Name' and '## Name' are entries of the outline; None = a picture without text."
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.lib.utils import ImageReader
    from PIL import Image

    c = Canvas(str(path), **kw)
    for i, lines in enumerate(pages):
        if lines is None:
            c.drawImage(ImageReader(Image.new('RGB', (60, 20), 'gray')), 100, 500)
        for j, line in enumerate([lines] if isinstance(lines, str) else lines or []):
            marks, _, name = line.rpartition('# ')
            if marks or line.startswith('# '):
                c.bookmarkPage(f'{i}-{j}')
                c.addOutlineEntry(name, f'{i}-{j}', len(marks))
            c.drawString(100, 700 - 20 * j, name)
        c.showPage()
    c.save()
    return path


def test_pdf_pages_without_text_are_named(tmp_path):
    with pytest.warns(UserWarning, match=r'd.pdf: no text on page\(s\) 2, 4;'):
        doc = read_document(pdf(tmp_path / 'd.pdf', 'One', None, 'Three', None))
    assert [s.page for s in doc.sections] == [1, 3]
    with pytest.raises(ValueError, match=r'scan.pdf: no text in its 2 page\(s\), probably a scan'):
        read_document(pdf(tmp_path / 'scan.pdf', None, None))


def test_an_outline_gives_headings(tmp_path):
    battery = ['# Battery', 'Two boxes.', '## Capacity', 'It holds 10 kWh.']
    care = ['Less in winter.', '# Care', 'Wipe it.']
    doc = read_document(pdf(tmp_path / 'd.pdf', ['Foreword'], battery, care))
    found = '|'.join(f'{s.page} {s.heading}: {" ".join(s.text.split())}' for s in doc.sections)
    capacity = '2 Battery > Capacity: It holds 10 kWh.|3 Battery > Capacity: Less in winter.'
    assert found == f'1 : Foreword|2 Battery: Two boxes.|{capacity}|3 Care: Wipe it.'


def test_an_outline_that_goes_round_is_none(tmp_path):
    raw = pdf(tmp_path / 'd.pdf', ['# A', 'x'], ['# B', 'y']).read_bytes()
    raw = re.sub(rb'/Prev (\d+) 0 R', rb'/Next \1 0 R', raw)
    raw = re.sub(rb'/Next (\d+) 0 R', rb'/First \1 0 R', raw)
    (tmp_path / 'round.pdf').write_bytes(raw)
    doc = read_document(tmp_path / 'round.pdf')
    assert [(s.heading, s.text.strip()) for s in doc.sections] == [('A', 'x'), ('A > B', 'y')]
    assert {s.page for s in doc.sections} == {1, 2}


@pytest.mark.filterwarnings('ignore')
def test_pdf_that_cannot_be_read_is_named(tmp_path):
    whole = pdf(tmp_path / 'd.pdf', 'Keep it cold.').read_bytes()
    pdf(tmp_path / 'locked.pdf', 'Secret', encrypt='password')
    broken = dict(empty=b'', cut=whole[: len(whole) // 3], text=b'no pdf at all')
    broken['noise'] = b'%PDF-1.4\n' + bytes(range(256))
    for file, raw in broken.items():
        (tmp_path / f'{file}.pdf').write_bytes(raw)
    for file in ('locked', *broken):
        why = 'needs a password' if file == 'locked' else 'not a readable PDF'
        with pytest.raises(ValueError, match=rf'^{file}\.pdf: {why}'):
            read_document(tmp_path / f'{file}.pdf')
    paths, said = warned(tmp_path)
    assert paths == ['d.pdf'] and len(said) == 2  # a folder names them and goes on
    with pytest.raises(ValueError, match='^cut.pdf: '):
        read_folder(tmp_path, strict=True)


def test_one_bad_page_is_lost_alone(tmp_path):
    raw = pdf(tmp_path / 'd.pdf', ['A refriger-', 'ator'], 'Two', 'Three').read_bytes()
    pages = re.findall(rb'\d+ 0 R', re.search(rb'/Kids \[ (.*?) \]', raw)[1])
    raw = raw.replace(pages[1] + b' ' + pages[2], b'999 0 R ' + pages[2])
    (tmp_path / 'd.pdf').write_bytes(raw)
    with pytest.warns(UserWarning, match=r'd.pdf: page\(s\) 2 cannot be read'):
        doc = read_document(tmp_path / 'd.pdf')
    assert [(s.page, s.text) for s in doc.sections] == [(1, 'A refrigerator'), (3, 'Three')]


def test_letters_of_a_font_that_does_not_say_which_they_are_are_named(tmp_path):
    raw = pdf(tmp_path / 'd.pdf', 'Hello').read_bytes()
    font = b'/Subtype /Type0 /Encoding /Identity-H /DescendantFonts [ << /Type /Font /Subtype /CIDFontType0 /BaseFont /M /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) >> >> ]'
    raw = re.sub(rb'/Encoding /WinAnsiEncoding', font, raw).replace(b'/Subtype /Type1', b'')
    (tmp_path / 'd.pdf').write_bytes(raw)
    with pytest.warns(UserWarning, match=r'd.pdf: page\(s\) 1 have letters of a font that does'):
        assert read_document(tmp_path / 'd.pdf').text.startswith('\ufffd\ufffd')


def test_a_drawing_without_end_is_ended(tmp_path, monkeypatch):
    raw = pdf(tmp_path / 'd.pdf', 'Hello').read_bytes()
    form = b'%d 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length %d /Resources << /XObject << /X %d 0 R >> >> >>\nstream\n%s\nendstream endobj\n'
    deep = b''.join(form % (n, 47, n + 1, b' '.join([b'/X Do'] * 8)) for n in range(90, 102))
    font = re.search(rb'/Resources <<', raw)
    raw = raw[: font.end()] + b' /XObject << /X 90 0 R >> ' + raw[font.end() :]
    raw = re.sub(rb'/Contents \d+ 0 R', b'/Contents 89 0 R', raw)
    draw = b'89 0 obj << /Length 5 >>\nstream\n/X Do\nendstream endobj\n'
    (tmp_path / 'd.pdf').write_bytes(raw.replace(b'xref', draw + deep + b'xref', 1))
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path / 'home'))
    with patch.dict(LIMITS, seconds=1), pytest.raises(ValueError, match='d.pdf: takes more than 1'):
        read_document(tmp_path / 'd.pdf')
    assert read_document(pdf(tmp_path / 'e.pdf', 'Hello')).text == 'Hello'


def test_a_folder_is_read_in_order_without_its_hidden_files(tmp_path):
    hidden = '.hidden.md', '.git/x.md', 'a/.cache/x.txt'
    for f in ('b.md', 'a/z.txt', 'a/Y.MD', 'c.png', 'ü/日本.md', *hidden):
        (tmp_path / f).parent.mkdir(exist_ok=True)
        (tmp_path / f).write_text(f'Text of {f}', encoding='utf-8')
    docs = read_folder(tmp_path)
    assert [d.path for d in docs] == ['a/Y.MD', 'a/z.txt', 'b.md', 'ü/日本.md']
    assert [d.sections[0].text for d in docs] == [f'Text of {d.path}' for d in docs]


def warned(folder, **how):
    "The documents of a folder, and what was said of the rest."
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        docs = read_folder(folder, **how)
    return [d.path for d in docs], [str(w.message) for w in said if w.category is UserWarning]


def write(folder, **texts):
    for file, content in texts.items():
        (folder / file.replace('_', '.')).write_text(content)
    return folder


def test_what_is_not_read_is_counted_by_its_kind_and_never_opened(tmp_path):
    write(tmp_path, a_md='A.', b_doc='PK', c_doc='PK', bomb_zip='PK\x03\x04', Makefile='all:')
    os.mkfifo(tmp_path / 'pipe.md')  # who opens it waits forever
    (tmp_path / '.hidden').mkdir()
    (tmp_path / '.hidden' / 'x.doc').write_text('x')
    paths, (said,) = warned(tmp_path)
    assert paths == ['a.md']
    kinds = '1 no suffix (Makefile); 2 .doc (b.doc, c.doc); 1 .zip (bomb.zip); 1 no file (pipe.md)'
    assert f'5 not read: {kinds}. Files of type .md' in said
    with pytest.raises(ValueError, match='5 not read: '):
        read_folder(tmp_path, strict=True)


def test_links_to_files_are_read_and_links_to_folders_are_named(tmp_path):
    docs, out = tmp_path / 'docs', tmp_path / 'out'
    for folder in (docs, docs / 'sub', out):
        folder.mkdir()
    write(docs / 'sub', a_md='A.')
    write(out, o_md='Outside.')
    links = dict(loop=docs, more=out, root='/', up=tmp_path)
    links |= {'in.md': docs / 'sub' / 'a.md', 'o.md': out / 'o.md'}
    links |= {'none.md': tmp_path / 'none', 'self.md': docs / 'self.md'}
    for link, to in links.items():
        (docs / link).symlink_to(to)
    paths, (said,) = warned(docs)
    assert paths == ['in.md', 'sub/a.md']
    nowhere = '2 no file (none.md, self.md)'
    assert f'4 a link to a folder (loop, more, root and 1 more); {nowhere}' in said
    assert '1 a link out of the folder (o.md)' in said
    (tmp_path / 'way').symlink_to(docs)  # the folder itself may be named by a link
    assert [d.path for d in read_folder(tmp_path / 'way')] == ['in.md', 'sub/a.md']


def test_a_folder_a_thousand_levels_deep_is_named_and_the_rest_is_read(tmp_path, monkeypatch):
    write(tmp_path, a_md='A.')
    monkeypatch.chdir(tmp_path)
    for _ in range(1_200):
        os.mkdir('d')
        os.chdir('d')
    paths, (said,) = warned(tmp_path)
    for _ in range(1_200):  # what removes a folder at once goes as deep as what is tested
        os.chdir('..')
        os.rmdir('d')
    assert paths == ['a.md']
    assert '1 a folder more than 100 levels deep (d/d/' in said


@pytest.mark.parametrize(
    'raw, says',
    [
        ('A pen keeps 28 days.'.encode('utf-16-le'), 'holds NULs'),
        ('A pen keeps 28 days.'.encode('utf-32-be'), 'holds NULs'),
        (bytes(random.Random(0).choices(range(256), k=300_000)), 'holds NULs'),
        (bytes(random.Random(0).choices(range(1, 256), k=300_000)), 'no text in an encoding'),
    ],
)
def test_what_is_no_text_becomes_no_chunk(tmp_path, raw, says):
    write(tmp_path, a_md='A.')
    (tmp_path / 'odd.txt').write_bytes(raw)
    paths, (said,) = warned(tmp_path)
    assert paths == ['a.md']
    assert 'odd.txt' in said and re.search(says, said)


@pytest.mark.parametrize(
    'raw, first, said',
    [
        (('Die Prüfung öffnet. ' * 40).encode() + b'\xc3.', 'Die Prüfung', '1 bad byte became'),
        (b'A pen keeps 28 days. ' * 50 + b'\xe9', 'A pen', '1 bad byte became'),
        ('\ufeffPrüfung'.encode('utf-16-be'), 'Prüfung', ''),
        ('Příliš žluťoučký kůň úpěl ódy.'.encode('cp1250'), 'Příliš', 'cp1250.*: "Příliš'),
        ('ペンは使えます。'.encode('shift-jis'), 'ペンは', 'cp932'),
        (b'x\n' * 900 + 'Ручка хранится.'.encode('cp1251'), 'x', ': "Ручка'),
    ],
)
def test_the_encoding_of_a_text_is_never_guessed_in_silence(tmp_path, raw, first, said):
    (tmp_path / 'a.txt').write_bytes(raw)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        assert read_document(tmp_path / 'a.txt').text.startswith(first)
    assert len(found) == bool(said)
    assert re.search(said, ''.join(str(one.message) for one in found))


def test_folders_and_files_that_may_not_be_read_are_named(tmp_path, monkeypatch):
    "Modes would not do: nothing is closed to root."
    write(tmp_path, a_md='A.', b_md='B.')
    (tmp_path / 'closed').mkdir()

    def but_not(name, call):
        def refused(path, *args):
            if str(path).endswith(name):
                raise PermissionError(errno.EACCES, 'Permission denied', str(path))
            return call(path, *args)

        return refused

    monkeypatch.setattr(os, 'scandir', but_not('closed', os.scandir))
    monkeypatch.setattr(Path, 'open', but_not('b.md', Path.open))
    paths, (closed,) = warned(tmp_path)
    assert '1 a folder that cannot be read (Permission denied) (closed)' in closed
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path))
    told = read_told(tmp_path / 'b.md', 'b.md', LIMITS, str(tmp_path), False)  # in this process
    assert told['kind'] == 'OSError' and re.search('Permission denied.*b.md', told['says'])


def test_a_name_that_is_no_utf8_is_named(tmp_path):
    write(tmp_path, a_md='A.')
    for raw in (b'caf\xe9.md', b'caf\xe9.doc'):
        with open(os.path.join(os.fsencode(tmp_path), raw), 'wb') as f:
            f.write(b'B.')
    paths, said = warned(tmp_path)
    assert paths == ['a.md'] and '1 .doc (caf?.doc)' in said[0]
    assert said[1] == 'caf?.md: a file is known by its name, and this one is not UTF-8; rename it'


def too_large(path, says, **limits):
    write(path.parent, good_md='Good.')
    with patch.dict(LIMITS, limits):
        with pytest.raises(TooLarge, match=says):
            read_document(path)
        paths, (said,) = warned(path.parent)
    assert 'good.md' in paths and path.name not in paths and path.name in said


@pytest.mark.parametrize(
    'file, content, says, limits',
    [
        ('a.txt', 'x' * 101, '101 bytes; a file may hold 100', dict(bytes=100)),
        ('a.txt', 'é' * 61, '61 characters; a file may hold 60', dict(characters=60)),
        ('a.html', '<p>' * 21, '21 nodes', dict(nodes=20)),
        ('a.md', '# a\n' * 21, '21 nodes', dict(nodes=20)),
    ],
)
def test_a_file_keeps_to_its_limits(tmp_path, file, content, says, limits):
    (tmp_path / file).write_text(content)
    too_large(tmp_path / file, says, **limits)


def test_what_takes_too_long_is_ended_named_and_not_tried_again(tmp_path, monkeypatch):
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path / 'home'))
    docs = tmp_path / 'docs'
    docs.mkdir()
    write(docs, a_md='A.', z_md='Z.')
    read_folder(docs)  # with processes that are there already
    write(docs, slow_html='<p><b>x</b>' * 60_000)
    with patch.dict(LIMITS, seconds=0.3):
        paths, (first,) = warned(docs)
    assert paths == ['a.md', 'z.md']
    assert first.startswith('slow.html: takes more than 1 seconds or 2 GB to read. To try it')
    assert warned(docs) == (paths, [first])  # in a minute it would have been read
    assert Path(first.rpartition('remove ')[2]).is_file()


def test_a_page_that_is_named_again_counts_again(tmp_path):
    raw = pdf(tmp_path / 'd.pdf', 'Hello').read_bytes()
    kid = re.search(rb'/Kids \[ (\d+ 0 R) \]', raw)[1]
    raw = raw.replace(kid + b' ]', (kid + b' ') * 300 + b']').replace(b'/Count 1', b'/Count 300')
    (tmp_path / 'd.pdf').write_bytes(raw)
    doc = read_document(tmp_path / 'd.pdf')
    assert [s.page for s in doc.sections] == [*range(1, 301)]
    assert {s.text for s in doc.sections} == {'Hello'}
    too_large(tmp_path / 'd.pdf', '300 pages; a file may hold 299', pages=299)
    too_large(tmp_path / 'd.pdf', r'50\d characters; a file may hold 500', characters=500)


UNCLOSED = [
    '<a ', '<a b="', '<a b=', '<a b c ', '<!--', '<a "', "<a '\"", '<!-->', '<![CDATA[',
    '<![foo[ ', '<a b="x>', '</p ', '<', '<!', '<?',
]  # fmt: skip


@pytest.mark.parametrize('unit', UNCLOSED)
def test_tags_that_never_end_are_text_before_the_parser_sees_them(tmp_path, unit, monkeypatch):
    "The parser looks for the end of each: with 8,000 of them it took 21 seconds, and four times as many sixteen times as long."
    looked = []
    look = html.parser.HTMLParser.check_for_whole_start_tag

    def counted(parser, i):
        end = look(parser, i)
        looked.append((end if end > 0 else len(parser.rawdata)) - i)
        return end

    monkeypatch.setattr(html.parser.HTMLParser, 'check_for_whole_start_tag', counted)
    read(tmp_path, f'<p>{unit * 2_000}', 'd.html')
    assert sum(looked) <= 4 * len(unit) * 2_000


@pytest.mark.parametrize(
    'page, want',
    [
        ('<![foo[ bar', '<![foo[ bar'), ('<![if !x]>seen<![endif]>', 'seen'),
        ('a < b and <b>c</b> > d', 'a < b and c > d'), ('<p title="1 > 0">x', 'x'),
        ("<p don't>x", 'x'), ('<!-- a <b> -->x<!-- open', 'x<!-- open'), ('x<br', 'x<br'),
        ('&#xD800;x', '\ufffdx'), ('<![CDATA[y]]>x', 'x'),
    ],
)  # fmt: skip
def test_odd_html(tmp_path, page, want):
    assert read(tmp_path, f'<p>{page}', 'd.html').sections[0].text.strip() == want


def test_what_repeats_another_file_is_found_and_can_be_passed_over(tmp_path):
    said = ' '.join(f'word{i}' for i in range(99))
    texts = dict(zip(['a.html', 'b.md', 'c/b.md', 'c.md'], [said, said, said, said[::-1]]))
    assert near_copies(texts) == {'b.md': 'a.html', 'c/b.md': 'b.md'}
    for file in texts:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text('Text.')
    (tmp_path / '.conflareignore').write_text('\ufeffx/\n# c.md\nc/*\n', 'utf-8')
    assert [file for _, file in folder_files(tmp_path)] == ['a.html', 'b.md', 'c.md']
    for file in ('x/y', '_sources/a.rst.txt', '_sources/b.md.txt', '_sources/d.md.txt'):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text('Text.')
    named = r': 2 not read: 2 copied by Sphinx beside .* \(_sources/a.rst.txt, _sources/b.md.txt\)'
    with pytest.warns(UserWarning, match=named):
        assert [file for _, file in folder_files(tmp_path)][0] == '_sources/d.md.txt'
