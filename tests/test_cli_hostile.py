"What people type and store who mean no good, or made a mistake: one line, exit code 2, no change."

import json, re, shutil, warnings
from contextlib import suppress
import pytest
from command import conflare_here, done, errors, jsonl, measured, pens, refused, steering
from conflare_nb.app.terminal import json_text
from conflare_nb.app.folder import DocumentFolder
from conflare_nb import Question, read_folder
from local_server import serving


@pytest.fixture
def here(tmp_path):
    pens(tmp_path)
    (tmp_path / 'docs' / 'bus.md').write_text('# Bus\nDogs need a ticket.\n')
    return tmp_path


def files(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob('*')) if path.is_file()}


@pytest.mark.parametrize(
    'args, says',
    [
        ('ask x {}', 'folder names a file or folder; got an empty text'),
        ('calibrate {d}/docs --questions {}', 'questions names a file'),
        ('update {d}/docs --store {}', 'store names a file'),
        ('calibrate {d}/docs --questions x --depth 0', '--depth counts chunks and must be at least 1; got 0'),
        ('audit {d}/docs -m 0', '-m counts labels and must be at least 1; got 0'),
        ('audit {d}/docs --seed -1', '--seed is a whole number, 0 or more; got -1'),
        ('demo --report {d}/none/report.html', 'no folder for --report'),
        ('demo --report {d}/docs', 'is a folder'),
        ('questions {d}/docs --out {d}/none/q.csv', 'no folder for --out'),
        ('ask half\udc80', r"the text contains half a character; got 'half\udc80'"),
        ('audit {d}/docs --name \ud800', 'half a character'),
        ('dance\x1b[2J', 'no command is called'),
        ('ask x --\x1b[2J\u202e', 'unrecognized arguments: -- [2J'),
        ('update {d}/\x1b[2J', 'no such folder'),
    ],
)
def test_what_cannot_be_is_refused_at_once(here, args, says):
    before = files(here)
    refused(says, *(arg.replace('{}', '').replace('{d}', str(here)) for arg in args.split(' ')))
    assert files(here) == before and not (here / 'docs' / '.conflare').exists()


def test_strict_stops_at_what_is_not_read(here):
    (here / 'docs' / 'more.pages').write_text('PK')
    calibrate = ('calibrate', here / 'docs', '--questions', here / 'q.jsonl')
    refused('1 not read: 1 .pages (more.pages)', *calibrate, '--strict')
    r = conflare_here(*calibrate)
    said = r'^warning: \S+docs: 1 not read: 1 .pages \(more.pages\)'
    assert r.returncode == 0 and re.search(said, r.stderr, re.M)
    refused('1 not read', 'ask', 'x', here / 'docs', '--strict')


def test_half_a_character_in_a_file_is_refused_before_any_work(here):
    file = jsonl(here / 'half.jsonl', [dict(question='Half \ud800', answer='a')])
    calibrate = ('calibrate', here / 'docs', '--questions', file)
    refused('half.jsonl line 1: half a character', *calibrate)
    assert not (here / 'docs' / '.conflare').exists()


def places(data, path=()):  # of every value in a JSON file
    yield path
    inside = dict(enumerate(data)) if isinstance(data, list) else data if isinstance(data, dict) else {}
    for name, value in inside.items():
        yield from places(value, (*path, name))


def test_questions_that_were_tampered_with_are_named_with_their_file(here):
    docs = here / 'docs'
    one = jsonl(here / 'one.jsonl', [dict(question='What is it?', answer='28 days')])
    done('calibrate', docs, '--questions', one)
    file = measured(docs) / 'asked.json'
    kept = json.loads(file.read_text())
    kept['questions'][0]['sections'] = json.loads(kept['questions'][0]['sections'])
    refused_here = 0
    for path in list(places(kept)):
        for other in (None, 5, 'x', [], {}, True, [['a']], -1e308, [1]):
            data = json.loads(json.dumps(dict(top=kept)))
            at = data
            for name in ('top', *path)[:-1]:
                at = at[name]
            at[('top', *path)[-1]] = other
            with suppress(TypeError, KeyError, IndexError):  # written as the file has it
                first = data['top']['questions'][0]
                first['sections'] = json.dumps(first['sections'])
            file.write_text(json.dumps(data['top']))
            try:
                found = DocumentFolder(docs).asked()
            except ValueError as error:
                refused_here += str(error).startswith(f'{file} is no list of questions: ')
                continue
            assert all(isinstance(one, Question) and hash(one) for one in found.questions)
            assert found.how.keys() == kept['how'].keys()
            assert all(type(x) is float for x in found.nearest)
    assert refused_here > 150
    file.write_text(json.dumps(dict(kept, how=[])))
    for command in ('report', 'update', 'ask x'):
        r = conflare_here(*command.split(), docs)
        assert 'unexpected' not in r.stderr and 'Traceback' not in r.stderr


def test_a_foreign_table_is_left_as_it_is(here):
    import lancedb

    store = here / 'docs' / '.conflare'
    lancedb.connect(str(store)).create_table('chunks', [dict(a=1)])
    calibrate = ('calibrate', here / 'docs', '--questions', here / 'q.jsonl')
    refused('was not made by conflare_nb', *calibrate)
    assert lancedb.connect(str(store)).open_table('chunks').to_arrow().to_pylist() == [dict(a=1)]


@pytest.fixture(scope='module')
def calibrated(tmp_path_factory):  # by a judge, and audited; to be copied
    here = pens(tmp_path_factory.mktemp('calibrated'))
    docs, q = here / 'docs', here / 'q.jsonl'
    done('calibrate', docs, '--questions', q, '--judge', 'contains')
    done('audit', docs, '-m', 9, '--gold', q)
    return here


@pytest.fixture
def mine(calibrated, tmp_path):  # its documents, with all that was measured on them
    return shutil.copytree(calibrated, tmp_path / 'mine') / 'docs'


def test_a_damaged_audit_stops(mine):
    file, ask = measured(mine) / 'audit.json', ('ask', 'How long?', mine)
    done(*ask)
    file.write_text(file.read_text()[:-9])
    refused('audit.json is no audit: ', *ask)
    file.unlink()
    file.mkdir()
    refused('no audit at', *ask)


@pytest.mark.parametrize('content', [dict(text='x'), ['x'], 5, True])
def test_a_server_whose_reply_is_no_text_is_one_line(mine, content, monkeypatch):
    monkeypatch.delenv('HF_HUB_OFFLINE', raising=False)
    added = dict(choices=[dict(index=0, delta=dict(role='assistant', content=content))])
    reply = f'data: {json.dumps(added)}\n\ndata: [DONE]\n\n'.encode()

    def answer(handler, payload):
        handler.send(200, reply, Content_Type='text/event-stream')

    with serving(answer) as url:
        r = conflare_here('ask', 'How long?', mine, '--llm', f'{url}/v1#m')
    assert r.returncode == 2 and len(errors(r)) == 1


EVIL = '\x1b[2J\x1b]0;owned\x07\u202eevil\u2066\x9b31m\r\x08'


@pytest.fixture
def evil(tmp_path):  # documents, names and questions that steer a terminal
    docs = tmp_path / f'd{EVIL}'
    docs.mkdir()
    pen = f'# Pen{EVIL}\n## Keep{EVIL}\nIt keeps 28 days{EVIL}. New ones go in the fridge.\n'
    (docs / f'pen{EVIL}.md').write_text(pen, encoding='utf-8')
    (docs / 'bus.md').write_text(f'# Bus\nDogs{EVIL} need a ticket.\n', encoding='utf-8')
    (docs / f'bad{EVIL}.pdf').write_text(f'%PDF{EVIL}')
    (docs / f'other{EVIL}.docx').write_text('PK')
    known = [f'no such{EVIL}', *['28 days'] * 8]
    asked = [(f'How long {i}{EVIL}?', answer, f'{i}{EVIL}') for i, answer in enumerate(known)]
    rows = [dict(question=text, answer=answer, id=id, kind=EVIL) for text, answer, id in asked]
    return docs, jsonl(tmp_path / f'q{EVIL}.jsonl', rows)


def test_nothing_that_is_said_steers_the_terminal(evil, tmp_path):
    docs, questions = evil
    bad = jsonl(tmp_path / f'bad{EVIL}.jsonl', [{f'x{EVIL}': 1}])
    same = [dict(id=EVIL, question=f'q{i}', answer='a') for i in range(2)]
    twice = jsonl(tmp_path / f'twice{EVIL}.jsonl', same)
    folder = (docs, '--store', tmp_path / 'store')  # LanceDB takes no such name
    calibrate = ('calibrate', *folder, '--questions')
    cases = [  # exit code, and what is typed
        (0, *calibrate, questions),
        (2, *calibrate, questions, '--strict'),
        (2, *calibrate, bad),
        (2, *calibrate, twice),
        (0, *calibrate, questions, '--judge', 'contains', '--replace'),
        (0, 'audit', *folder, '--name', f'me{EVIL}'),
        (0, 'audit', *folder, '-m', 1, '--gold', questions),
        (2, 'audit', *folder, '--gold', bad),
        (0, 'ask', f'How{EVIL}?', *folder),
        (0, 'ask', f'How{EVIL}?', *folder, '--json'),
        (2, 'ask', 'x', *folder, '--llm', f'no-such/{EVIL}'),
        (2, 'ask', 'x', f'none{EVIL}'),
        (2, 'questions', *folder, '--out', tmp_path / 'q.csv', '--llm', f'no-such/{EVIL}'),
        (2, 'demo', '--report', f'none{EVIL}/x.html'),
        (2, 'demo', f'--{EVIL}'),
        (2, 'update', EVIL),
        (2, EVIL),
    ]
    runs = [conflare_here(*args, input='y\nn\nu\ny\nq\n') for _, *args in cases]
    assert [r.returncode for r in runs] == [code for code, *_ in cases]
    for r in runs:
        assert not steering(r.stdout + r.stderr), r.args
    said = ''.join(r.stdout + r.stderr for r in runs)
    assert '28 days' in said and 'evil' in said and 'not a readable PDF' in said
    data = json.loads(runs[9].stdout)
    assert data['question'] == f'How{EVIL}?'  # as it is, for a program


def test_a_note_of_another_library_does_not_pass_by(evil, capfd):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        read_folder(evil[0])
    assert capfd.readouterr() == ('', '')


def test_json_spells_what_steers():
    text = json_text(dict(a=f'{EVIL}\U000e0041é\u200d'))
    assert not steering(text) and json.loads(text) == dict(a=f'{EVIL}\U000e0041é\u200d')


@pytest.mark.parametrize('command, more', [('ask', ['how?']), ('calibrate', ['--questions', 'q.jsonl'])])
def test_a_store_in_a_bucket_is_refused_and_no_folder_is_made(command, more, tmp_path, monkeypatch):
    monkeypatch.chdir(pens(tmp_path))
    there = (*more, 'docs', '--store', 's3://shelf/kb')
    r = refused('lies on this machine', command, *there)
    assert 's3://shelf/kb' in r.stderr
    assert not (tmp_path / 's3:').exists()
