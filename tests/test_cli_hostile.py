"What is typed, read and printed by people who mean no good, or only made a mistake: one line, exit code 2, nothing else changed."

import json, re, shutil, warnings
import pytest
from command import conflare_here
from conflare_nb.cli import main
from conflare_nb.commands import json_text
from conflare_nb.documents.reading import read_folder
from local_server import serving

QUESTIONS = [dict(question=f'How long may pen {i} stay warm?', answer='28 days') for i in range(9)]


def written(path, *rows):
    path.write_text('\n'.join(json.dumps(row) for row in rows), encoding='utf-8')
    return path


@pytest.fixture
def here(tmp_path):  # a small folder and its questions
    docs = tmp_path / 'docs'
    docs.mkdir()
    (docs / 'pen.md').write_text('# Pen\nIt keeps 28 days. New ones go in the fridge.\n')
    (docs / 'bus.md').write_text('# Bus\nDogs need a ticket.\n')
    written(tmp_path / 'q.jsonl', *QUESTIONS)
    return tmp_path


def steering(text):
    return [c for c in text if not (c.isprintable() or c in '\n\r')]


def refused(r, says):
    lines = [line for line in r.stderr.splitlines() if not line.startswith('warning: ')]
    assert (
        r.returncode == 2
        and len(lines) == 1
        and lines[0].startswith('error: ')
        and says in lines[0]
    ), r.stderr
    assert 'unexpected' not in lines[0] and not steering(r.stderr)


def files(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob('*')) if path.is_file()}


# --- what is typed is checked before anything is done


@pytest.mark.parametrize(
    'args, says',
    [
        (
            ['calibrate', '--docs', '', '--questions', '{d}/q.jsonl'],
            '--docs names a file or folder; got an empty text',
        ),
        (['ask', 'x', '--docs', ''], '--docs names a file'),
        (['calibrate', '--docs', '{d}/docs', '--questions', ''], '--questions names a file'),
        (['label', '--docs', '{d}/docs', '--store', ''], '--store names a file'),
        (
            ['calibrate', '--docs', '{d}/docs', '--questions', '{d}/q.jsonl', '--depth', '0'],
            '--depth counts chunks and must be at least 1; got 0',
        ),
        (['label', '--docs', '{d}/docs', '--depth', '-2'], 'at least 1; got -2'),
        (
            ['audit', '--docs', '{d}/docs', '-m', '0'],
            '-m counts labels and must be at least 1; got 0',
        ),
        (
            ['audit', '--docs', '{d}/docs', '--delta', '1'],
            '--delta is a probability and must lie strictly between 0 and 1; got 1',
        ),
        (['audit', '--docs', '{d}/docs', '--delta', 'nan'], 'got nan'),
        (
            ['audit', '--docs', '{d}/docs', '--seed', '-1'],
            '--seed is a whole number, 0 or more; got -1',
        ),
        (['traq-demo', '--splits', '0'], '--splits counts splits'),
        (['demo', '--report', '{d}/none/report.html'], 'no folder for --report'),
        (['demo', '--report', '{d}/docs'], 'is a folder'),
        (['questions', '--docs', '{d}/docs', '--out', '{d}/none/q.jsonl'], 'no folder for --out'),
        (['ask', 'half \udc80'], r"what was typed holds half a character; got 'half \udc80'"),
        (['audit', '--docs', '{d}/docs', '--name', '\ud800'], 'half a character'),
        (['dance\x1b[2J'], 'invalid choice'),
        (['ask', 'x', '--\x1b[2J\u202e'], 'unrecognized arguments: -- [2J'),
        (['calibrate', '--docs', '{d}/\x1b[2J'], 'no such folder'),
    ],
)
def test_what_cannot_be_is_refused_at_once(here, args, says):
    before = files(here)
    refused(conflare_here(*(a.replace('{d}', str(here)) for a in args)), says)
    assert files(here) == before and not (here / 'docs' / '.conflare').exists()


def test_strict_stops_at_what_is_not_read(here):
    (here / 'docs' / 'more.docx').write_text('PK')
    strict = ('calibrate', '--docs', here / 'docs', '--questions', here / 'q.jsonl', '--strict')
    refused(conflare_here(*strict), '1 not read: 1 .docx (more.docx)')
    r = conflare_here(*strict[:-1])
    assert r.returncode == 0 and re.search(
        r'^warning: \S+docs: 1 not read: 1 .docx \(more.docx\)', r.stderr, re.M
    )
    refused(conflare_here('ask', 'x', '--docs', here / 'docs', '--strict'), '1 not read')


# --- what is read


def test_half_a_character_in_a_file_is_refused_before_any_work(here):
    refused(
        conflare_here(
            'calibrate',
            '--docs',
            here / 'docs',
            '--questions',
            written(here / 'half.jsonl', dict(question='Half \ud800', answer='a')),
        ),
        'half.jsonl line 1: half a character',
    )
    assert not (here / 'docs' / '.conflare').exists()


def test_a_foreign_table_is_left_as_it_is(here):
    import lancedb

    store = here / 'docs' / '.conflare'
    lancedb.connect(str(store)).create_table('chunks', [dict(a=1)])
    refused(
        conflare_here('calibrate', '--docs', here / 'docs', '--questions', here / 'q.jsonl'),
        'was not made by conflare_nb',
    )
    assert lancedb.connect(str(store)).open_table('chunks').to_arrow().to_pylist() == [dict(a=1)]


@pytest.fixture(scope='module')
def calibrated(
    tmp_path_factory,
):  # a folder that is calibrated by a judge, and audited; to be copied
    here = tmp_path_factory.mktemp('calibrated')
    docs = here / 'docs'
    docs.mkdir()
    (docs / 'pen.md').write_text('# Pen\nIt keeps 28 days. New ones go in the fridge.\n')
    written(here / 'q.jsonl', *QUESTIONS)
    assert (
        conflare_here(
            'label', '--docs', docs, '--questions', here / 'q.jsonl', '--judge', 'contains'
        ).returncode
        == 0
    )
    assert (
        conflare_here('audit', '--docs', docs, '--gold', here / 'q.jsonl', '-m', 9).returncode == 0
    )
    return here


@pytest.fixture
def mine(calibrated, tmp_path):
    return shutil.copytree(calibrated, tmp_path / 'mine')


@pytest.mark.parametrize(
    'damage',
    [
        lambda text: text[:-9],
        lambda text: '[]',
        lambda text: text.replace('"judged": 9', '"judged": true'),
        lambda text: text.replace('audit/2', 'audit/7'),
    ],
)
def test_a_damaged_audit_stops(mine, damage):
    file = mine / 'docs' / '.conflare' / 'audit.json'
    assert conflare_here('ask', 'How long?', '--docs', mine / 'docs').returncode == 0
    file.write_text(damage(file.read_text()))
    refused(conflare_here('ask', 'How long?', '--docs', mine / 'docs'), 'audit.json is no audit: ')
    file.unlink()
    file.mkdir()
    refused(conflare_here('ask', 'How long?', '--docs', mine / 'docs'), 'no audit at')


def test_an_audit_of_other_labels_is_left_aside_with_a_note(mine):
    file = mine / 'docs' / '.conflare' / 'audit.json'
    file.write_text(json.dumps(json.loads(file.read_text()) | dict(labels='others')))
    r = conflare_here('ask', 'How long?', '--docs', mine / 'docs')
    assert r.returncode == 0 and 'note: this audit was drawn from other labels' in r.stdout


@pytest.mark.parametrize('content', [dict(text='x'), ['x'], 5, True])
def test_a_server_whose_reply_is_no_text_is_one_line(mine, content, monkeypatch):
    monkeypatch.delenv('HF_HUB_OFFLINE', raising=False)

    def answer(handler, payload):
        added = json.dumps(
            dict(choices=[dict(index=0, delta=dict(role='assistant', content=content))])
        )
        handler.send(
            200, f'data: {added}\n\ndata: [DONE]\n\n'.encode(), Content_Type='text/event-stream'
        )

    with serving(answer) as url:
        r = conflare_here('ask', 'How long?', '--docs', mine / 'docs', '--llm', f'{url}/v1#m')
    errors = [
        line
        for line in r.stderr.splitlines()
        if line.startswith(('error: ', 'Traceback', '  File'))
    ]
    assert r.returncode == 2 and len(errors) == 1 and errors[0].startswith('error: '), r.stderr


# --- what is printed

EVIL = '\x1b[2J\x1b]0;owned\x07\u202eevil\u2066\x9b31m\r\x08'


@pytest.fixture
def evil(tmp_path):  # documents, names and questions that steer a terminal
    docs = tmp_path / f'd{EVIL}'
    docs.mkdir()
    (docs / f'pen{EVIL}.md').write_text(
        f'# Pen{EVIL}\n## Keep{EVIL}\nIt keeps 28 days{EVIL}. New ones go in the fridge.\n',
        encoding='utf-8',
    )
    (docs / 'bus.md').write_text(f'# Bus\nDogs{EVIL} need a ticket.\n', encoding='utf-8')
    (docs / f'bad{EVIL}.pdf').write_text(f'%PDF{EVIL}')
    (docs / f'other{EVIL}.docx').write_text('PK')
    rows = [
        dict(
            question=f'How long {i}{EVIL}?',
            answer='28 days' if i else f'no such{EVIL}',
            id=f'{i}{EVIL}',
            kind=EVIL,
        )
        for i in range(9)
    ]
    return docs, written(tmp_path / f'q{EVIL}.jsonl', *rows)


def test_nothing_that_is_said_steers_the_terminal(evil, tmp_path):
    docs, questions = evil
    bad = written(tmp_path / f'bad{EVIL}.jsonl', {f'x{EVIL}': 1})
    twice = written(
        tmp_path / f'twice{EVIL}.jsonl',
        *(dict(id=EVIL, question=f'q{i}', answer='a') for i in range(2)),
    )
    folder = ('--docs', docs, '--store', tmp_path / 'store')  # LanceDB takes no such name
    runs = [
        conflare_here(*args, input='y\nn\nu\ny\nq\n')
        for args in [
            ('calibrate', *folder, '--questions', questions),
            ('calibrate', *folder, '--questions', questions, '--strict'),
            ('calibrate', *folder, '--questions', bad),
            ('calibrate', *folder, '--questions', twice),
            ('label', *folder, '--questions', questions, '--judge', 'contains'),
            ('label', *folder),
            ('audit', *folder, '--name', f'me{EVIL}'),
            ('audit', *folder, '--gold', questions, '-m', 1),
            ('audit', *folder, '--gold', bad),
            ('ask', f'How{EVIL}?', *folder),
            ('ask', f'How{EVIL}?', *folder, '--json'),
            ('ask', 'x', *folder, '--llm', f'no-such/{EVIL}'),
            ('ask', 'x', '--docs', f'none{EVIL}'),
            ('questions', *folder, '--llm', f'no-such/{EVIL}'),
            ('questions', *folder, '--like', bad),
            ('demo', '--report', f'none{EVIL}/x.html'),
            ('demo', f'--{EVIL}'),
            ('traq-demo', EVIL),
            (EVIL,),
        ]
    ]
    assert [r.returncode for r in runs] == [0, 2, 2, 2, 0, 2, 0, 0, 2, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2]
    for r in runs:
        assert not steering(r.stdout + r.stderr), r.args
    said = ''.join(r.stdout + r.stderr for r in runs)
    assert '28 days' in said and 'evil' in said and 'not a readable PDF' in said
    data = json.loads(runs[10].stdout)
    assert data['question'] == f'How{EVIL}?'  # as it is, for a program


def test_a_note_of_another_library_does_not_pass_by(evil, capfd):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        read_folder(evil[0])
    assert capfd.readouterr() == ('', '')


def test_json_spells_what_steers():
    text = json_text(dict(a=f'{EVIL}\U000e0041é\u200d'))
    assert not steering(text) and json.loads(text) == dict(a=f'{EVIL}\U000e0041é\u200d')


@pytest.mark.parametrize('command', ['ask', 'explore', 'calibrate', 'report'])
def test_a_store_in_a_bucket_is_refused_and_no_folder_is_made(
    command, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'docs').mkdir()
    (tmp_path / 'docs' / 'a.md').write_text('# A\n\nKeep it cold.')
    (tmp_path / 'q.jsonl').write_text('{"question": "How?", "answer": "cold"}')
    more = dict(ask=['how?'], calibrate=['--questions', 'q.jsonl']).get(command, [])
    assert main([command, *more, '--docs', 'docs', '--store', 's3://shelf/kb']) == 2
    said = capsys.readouterr().err
    assert said.count('\n') == 1 and 'lies on this machine' in said and 's3://shelf/kb' in said
    assert not (tmp_path / 's3:').exists()
