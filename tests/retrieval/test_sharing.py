"The reference's pickles and hostile ones, the schema against saved and broken files, and sharing through a folder and through a server that speaks the Hub's protocol."

import base64, io, json, math, os, pickle, re, struct, sys, threading, time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
import numpy as np, pytest
from importlib.resources import files
from hypothesis import given, settings, strategies as st
from conflare_nb.retrieval.calibration import Calibration
from conflare_nb.labels.labeling import Label
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance, Margin, Rank, Softmax
from conflare_nb.retrieval.sharing import (
    _NoNames,
    _plain_pickle,
    pull_calibration,
    push_calibration,
    read_reference,
    read_reference_questions,
)

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / 'shared' / 'data'
ALPHAS, inf = (0.2, 0.1, 0.05, 0.01), math.inf

# --- the reference's own files


@pytest.fixture
def shared():
    if not SHARED.is_dir():
        pytest.skip('the reference files are not part of the repository')
    return SHARED


def test_the_references_records(shared):
    cal = read_reference(shared / 'conflare_calibration_records.pkl')
    assert cal.n == len(cal.labels) == 100
    assert [round(cal.qhat(a), 4) for a in ALPHAS] == [0.4072, 0.4660, 0.5123, 0.5711]
    known = json.loads((shared / 'conflare_records.json').read_text())['records']
    assert [(l.text, l.rank - 1) for l in cal.labels] == [
        (r['question'], r['relevant_chunk_rank']) for r in known
    ]
    assert np.allclose(cal.scores, [r['cosine_distance'] for r in known], atol=1e-7)
    assert [
        l.reason.endswith(f' {r["source_chunk_rank"] + 1}') for l, r in zip(cal.labels, known)
    ] == [True] * 100


def test_the_references_questions(shared):
    asked = read_reference_questions(shared / 'conflare_generated_questions.pkl')
    assert len(asked) == 100
    assert len({q.id for q in asked}) == 100
    assert not any(q.answer or q.sections for q in asked)
    assert asked[0].text.startswith('What new data augmentation technique')
    assert not any('/' in q.document for q in asked)
    with pytest.raises(ValueError, match='does not hold the generated questions'):
        read_reference_questions(shared / 'conflare_calibration_records.pkl')
    with pytest.raises(ValueError, match='does not hold the calibration records'):
        read_reference(shared / 'conflare_generated_questions.pkl')


# --- a small one, made here


def record(i, distance=0.25, rank=0, text='How is it?'):
    chunk = dict(
        source=f'C:\\papers\\Paper {i}.pdf' if i % 2 else f'/content/Paper {i}.pdf',
        page=i,
        chunk=f'text {i}',
        chunk_index=2,
    )
    return dict(
        generated_q=[i, chunk, text],
        source_chunk_text=f'text {i}',
        source_chunk_rank=i + 300,
        relevant_chunk_text='other',
        relevant_chunk_rank=rank,
        cosine_distance=distance,
    )


@pytest.fixture
def dump(tmp_path):
    def write(x, protocol=4, name='some.pkl'):
        (tmp_path / name).write_bytes(x if isinstance(x, bytes) else pickle.dumps(x, protocol))
        return tmp_path / name

    return write


@pytest.mark.parametrize('protocol', [1, 2, 3, 4, 5])
def test_records_become_a_calibration(dump, protocol):
    rows = [
        *(record(i, (i + 1) / 20, i) for i in range(9)),
        record(9, None, None),
        record(10, inf, 5),
        record(11, 1, 70_000, 'Käse 🧀 \ud800?'),
    ]
    cal = read_reference(dump(rows, protocol))
    assert list(cal.scores) == [*((i + 1) / 20 for i in range(9)), inf, inf, 1]
    assert [l.rank for l in cal.labels] == [*range(1, 10), None, None, 70_001]
    assert cal.labels[-1].text == 'Käse 🧀 ??'
    assert (cal.labels[3].reason, cal.labels[3].question, cal.labels[3].chunk) == (
        'the chunk it was written from has rank 304',
        'reference 3',
        None,
    )
    cal.save(dump(b'', name='cal.json'))
    assert Calibration.load(cal.save(dump(b'', name='cal.json'))).labels == cal.labels
    asked = read_reference_questions(
        dump(dict(Model='m', generated_qs=[r['generated_q'] for r in rows]), protocol)
    )
    assert [q.document for q in asked] == [f'Paper {i}.pdf' for i in range(12)]
    assert asked[0].text == 'How is it?'


def test_it_fits_no_knowledge_base(dump):
    class Any:
        fingerprint = staticmethod(lambda: {'foreign': 'the reference CONFLARE package, some.pkl'})

    with pytest.raises(
        ValueError,
        match='measured elsewhere .the reference CONFLARE package, some.pkl. and fits no knowledge base here; calibrate again',
    ):
        read_reference(dump([record(0)])).check(Any)


WRONG = {
    'a number': 5,
    'nothing': None,
    'a text': 'abc',
    'numbers': [1, 2],
    'no question': [{**record(0), 'generated_q': [0, {}]}],
    'question of bytes': [{**record(0), 'generated_q': [0, {}, 5]}],
    'text distance': [{**record(0), 'cosine_distance': '.1'}],
    'NaN': [{**record(0), 'cosine_distance': math.nan}],
    'negative': [{**record(0), 'cosine_distance': -1.0}],
    'true': [{**record(0), 'cosine_distance': True}],
    'no rank': [{**record(0), 'relevant_chunk_rank': None}],
    'rank -1': [{**record(0), 'relevant_chunk_rank': -1}],
    'rank .5': [{**record(0), 'relevant_chunk_rank': 0.5}],
    'source rank': [{**record(0), 'source_chunk_rank': 'x'}],
    'huge': [{**record(0), 'cosine_distance': 10**400}],
    'dict': {'a': 1},
    'empty list': [],
    'empty dict': {},
}


@pytest.mark.parametrize('what', WRONG)
def test_plain_data_of_another_kind_is_refused(dump, what):
    for read in (read_reference, read_reference_questions):
        with pytest.raises(ValueError, match='some.pkl (does not hold|is not read)') as e:
            read(dump(WRONG[what]))
        assert len(str(e.value)) < 400


# --- hostile ones


class Reduce:
    def __init__(self, f, *args):
        self.made = f, args

    def __reduce__(self):
        return self.made


class Plain:
    pass


class State:
    def __init__(self):
        self.x = 1

    def __setstate__(self, s):
        raise AssertionError('run')


def bomb(width, depth):
    x = [0] * width
    for _ in range(depth):
        x = [x] * width
    return x


def nested(depth):
    return b'\x80\x04' + b']' * depth + b'a' * (depth - 1) + b'.'


def cyclic_dict():
    d = {}
    d['a'] = d
    return d


def tuple_key():  # hashing it would take 2**60 steps
    return (
        b'\x80\x04}K\x00'
        + b'\x94h\x00\x86'
        + b''.join(b'\x94h%c\x86' % i for i in range(1, 60))
        + b'K\x01s.'
    )


def hostile(mark):
    touch = f'open({mark!r}, "w").close()'
    with_pid = io.BytesIO()

    class P(pickle.Pickler):
        def persistent_id(self, obj):
            return 'id' if obj == 'x' else None

    P(with_pid).dump(['x'])
    return {
        'os.system': pickle.dumps(Reduce(os.system, f'touch {mark}')),
        'eval': pickle.dumps(Reduce(eval, touch)),
        'exec': pickle.dumps(Reduce(exec, touch)),
        'open': pickle.dumps(Reduce(open, mark, 'w')),
        'in a record': pickle.dumps([{**record(0), 'cosine_distance': Reduce(eval, touch)}]),
        'import': pickle.dumps(Reduce(__import__, 'antigravity')),
        'protocol 0': f'cposix\nsystem\n(Vtouch {mark}\ntR.'.encode(),
        'INST': f'(Vtouch {mark}\niposix\nsystem\n.'.encode(),
        'OBJ': f'(cposix\nsystem\nVtouch {mark}\no.'.encode(),
        'getattr chain': b"cbuiltins\ngetattr\n(cbuiltins\n__import__\n(Vos\ntRVsystem\ntR(V"
        + f'touch {mark}'.encode()
        + b'\ntR.',
        'a class only': pickle.dumps(dict),
        'codecs': pickle.dumps(b'bytes', 2),
        'copyreg': pickle.dumps(Plain(), 0),
        'extension': b'\x80\x02\x82\x01.',
        'EXT4': b'\x80\x02\x84\x01\x00\x00\x00.',
        'NEWOBJ': pickle.dumps(State()),
        'persistent id': with_pid.getvalue(),
        'PERSID': b'Pid\n.',
        'numpy scalar': pickle.dumps(np.float64(0.5)),
        'numpy array': pickle.dumps(np.arange(3)),
        'bytes': pickle.dumps(b'x', 4),
        'bytearray': pickle.dumps(bytearray(3), 5),
        'buffer': b'\x80\x05\x97.',
        'set': pickle.dumps({1}),
        'frozenset': pickle.dumps(frozenset([1])),
        'tuple': pickle.dumps((1, 2)),
        'tuple as key': tuple_key(),
        'DUP': b'\x80\x04K\x00' + b'2' * 10 + b'l.',
        'complex': pickle.dumps(1j),
        'long 4': b'\x80\x02\x8b' + struct.pack('<i', 2**31 - 1) + b'1.',
        'text of 8 GB': b'\x80\x04\x8d' + struct.pack('<Q', 2**33) + b'x.',
        'text longer than the file': b'\x80\x04X' + struct.pack('<I', 2**32 - 1) + b'x.',
        'place 2^31': b'\x80\x04]r\xff\xff\xff\x7f.',
        'frame of 2^60': b'\x80\x04\x95' + struct.pack('<Q', 2**60) + b'].',
        'unknown protocol': b'\x80\x63].',
        'laughs': pickle.dumps(bomb(10, 7)),
        'wide laughs': pickle.dumps(bomb(20_000, 3)),
        'holds itself': None,
        'dict in itself': pickle.dumps(cyclic_dict()),
        'deep': nested(100_000),
        'nine levels': pickle.dumps([[[[[[[[[1]]]]]]]]]),
        'many values': b'\x80\x04](' + b'K\x00' * 1_000_001 + b'e.',
        'memory not set': b'\x80\x04h\x05.',
        'unhashable key': b'\x80\x04}]K\x01s.',
        'nothing to stop': b'\x80\x04.',
        'append to a number': b'\x80\x04K\x01K\x01a.',
        'no mark': b'\x80\x04]e.',
        'items of a list': b'\x80\x04](K\x01u.',
        'empty': b'',
        'JSON': b'[{"a": 1}]',
        'text': b'hello',
        'noise': bytes(range(256)),
        'NUL': b'\0' * 1000,
        'not UTF-8': b'\x80\x04\x8c\x02\xff\xfe.',
        'second pickle': None,
        'zip': b'PK\x03\x04' + b'\0' * 100,
    }


NAMES = list(hostile('x'))


@pytest.mark.parametrize('what', NAMES)
def test_a_hostile_pickle_is_refused_and_nothing_runs(dump, tmp_path, what):
    mark = tmp_path / 'was-here'
    data = hostile(str(mark))[what]
    if what == 'holds itself':
        x = [1]
        x.append(x)
        data = pickle.dumps(x)
    if what == 'second pickle':
        data = pickle.dumps([record(0)])[:-1] + pickle.dumps(
            Reduce(eval, f'open({str(mark)!r}, "w").close()')
        )
    path, before = dump(data), set(sys.modules)
    start = time.process_time()
    for read in (read_reference, read_reference_questions):
        with pytest.raises(
            ValueError,
            match=r'^some\.pkl is not read: .*Only pickles of lists, dicts, texts and numbers are safe to read$',
        ) as e:
            read(path)
        assert len(str(e.value)) < 400
    assert time.process_time() - start < 20
    assert not mark.exists()
    assert 'antigravity' not in set(sys.modules) - before


@pytest.mark.parametrize(
    'what',
    [
        'os.system',
        'eval',
        'in a record',
        'protocol 0',
        'INST',
        'OBJ',
        'getattr chain',
        'a class only',
        'NEWOBJ',
        'numpy scalar',
        'persistent id',
        'PERSID',
        'extension',
    ],
)
def test_the_unpickler_alone_would_refuse_them_too(tmp_path, what):
    mark = tmp_path / 'was-here'
    with pytest.raises(Exception) as e:
        _NoNames(io.BytesIO(hostile(str(mark))[what])).load()
    assert not mark.exists() and isinstance(e.value, (pickle.UnpicklingError, ValueError))


def test_a_pickle_cut_anywhere_is_refused(dump):
    data = pickle.dumps([record(0), record(1)])
    for i in range(len(data)):
        with pytest.raises(ValueError, match='is not read'):
            read_reference(dump(data[:i]))


@settings(derandomize=True, deadline=None, max_examples=400)
@given(st.data())
def test_changed_bytes_never_do_more_than_change_data(tmp_path_factory, data):
    raw = bytearray(pickle.dumps([record(0), record(1)]))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / 'changed.pkl'
    path.write_bytes(raw)
    try:
        cal = read_reference(path)
    except ValueError as e:
        assert len(str(e)) < 400
    else:
        assert all(
            type(l.text) is str and (l.rank is None or type(l.rank) is int) for l in cal.labels
        )


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**200), 2**200)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(), x, max_size=4),
    max_leaves=12,
)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(plain, st.sampled_from([2, 3, 4, 5]))
def test_plain_data_comes_back(tmp_path_factory, x, protocol):
    path = tmp_path_factory.getbasetemp() / 'plain.pkl'
    path.write_bytes(pickle.dumps(x, protocol))
    try:
        assert _plain_pickle(path) == x
    except ValueError as e:
        assert 'nested deeper' in str(e)


def test_large_and_absent_files(dump, tmp_path):
    with open(tmp_path / 'large.pkl', 'wb') as f:
        f.truncate(2**26 + 1)
    with pytest.raises(ValueError, match='larger than 67,108,864 bytes'):
        read_reference(tmp_path / 'large.pkl')
    with pytest.raises(FileNotFoundError, match='no such file'):
        read_reference(tmp_path / 'none.pkl')


# --- the schema

jsonschema = pytest.importorskip('jsonschema', reason='jsonschema comes with JupyterLab')
SCHEMA = json.loads(
    (files('conflare_nb') / 'data' / 'calibration.schema.json').read_text(encoding='utf-8')
)


def valid(data):
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(data)


CAL = Calibration(
    [0.1, 0.4, inf, 0.2],
    dict(chunks='c', embedding=dict(weights='w'), metric='cosine'),
    'gold answers',
    '2026-01-01T00:00:00+00:00',
    (
        Label('a', 'A?', 0.1, 1, 'd#1'),
        Label('b', 'B?', 0.4, 7, 'd#2'),
        Label('c', '<b>C</b>?', inf, None, None, 'not among the best 30'),
        Label('d', 'D?', 0.2, 2, 'd#3'),
    ),
)


def test_saved_files_are_valid(dump, tmp_path):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for cal in (
        CAL,
        replace(CAL, labels=()),
        replace(CAL, score=Hybrid()),
        replace(CAL, score=Rank(pool=3)),
        Calibration([], {}),
        read_reference(dump([record(0), record(1, None)])),
    ):
        assert valid(json.loads(cal.save(tmp_path / 'c.json').read_text(encoding='utf-8')))


def test_what_the_schema_refuses_is_not_loaded_either(tmp_path):
    good = json.loads(CAL.save(tmp_path / 'c.json').read_text())
    label = good['labels'][0]
    bad = [{k: v for k, v in good.items() if k != gone} for gone in good]
    bad += [
        {**good, **change}
        for change in (
            dict(schema='x'),
            dict(n='4'),
            dict(scores=None),
            dict(scores=[0.1, '.4', None, 0.2]),
            dict(scores=[0.1, -0.4, None, 0.2]),
            dict(scores=[True, 0.4, None, 0.2]),
            dict(labels=[{**label, 'other': 1}]),
            dict(labels=[{k: v for k, v in label.items() if k != 'rank'}]),
            dict(labels=[{**label, 'score': 'x'}]),
        )
    ]
    scored = json.loads(replace(CAL, score=Hybrid()).save(tmp_path / 'c.json').read_text())
    bad += [{k: v for k, v in scored.items() if k != 'score'}]
    bad += [
        {**scored, 'score': score}
        for score in (None, 'hybrid', [['name', 'hybrid']], {}, {'name': 5})
    ]
    for data in bad:
        assert not valid(data)
        (tmp_path / 'bad.json').write_text(json.dumps(data))
        with pytest.raises(ValueError, match='is no calibration'):
            Calibration.load(tmp_path / 'bad.json')


# --- a folder


def same(a, b):
    return (list(a.scores), a.fingerprint, a.source, a.created, a.labels, a.score) == (
        list(b.scores),
        b.fingerprint,
        b.source,
        b.created,
        b.labels,
        b.score,
    )


def test_a_folder(tmp_path, monkeypatch):
    where = push_calibration(CAL, tmp_path / 'new' / 'shared')
    assert where == str(tmp_path / 'new' / 'shared' / 'calibration.json')
    for source in (tmp_path / 'new' / 'shared', str(tmp_path / 'new' / 'shared'), where):
        assert same(pull_calibration(source), CAL)
    for score in (Hybrid(), Softmax(T=0.1), Rank(pool=7), Distance()):
        push_calibration(replace(CAL, score=score), tmp_path / 'scored')
        assert same(pull_calibration(tmp_path / 'scored'), replace(CAL, score=score))
        assert pull_calibration(tmp_path / 'scored', score=score).score == score
    with pytest.raises(ValueError, match='measured with another score'):
        pull_calibration(tmp_path / 'scored', score=Hybrid())
    push_calibration(replace(CAL, labels=()), tmp_path / 'new' / 'shared')  # over an older one
    assert pull_calibration(where).labels == ()
    assert sorted(p.name for p in (tmp_path / 'new' / 'shared').iterdir()) == [
        'README.md',
        'calibration.json',
    ]
    monkeypatch.chdir(tmp_path)
    for folder in ('./own/er', 'plain', '../' + tmp_path.name + '/up'):
        assert same((push_calibration(CAL, folder), pull_calibration(folder))[1], CAL)
    assert same(pull_calibration('new/shared'), pull_calibration(where))  # an existing folder wins
    with pytest.raises(ValueError, match="has no revisions; got revision='main'"):
        pull_calibration('plain', 'main')
    (tmp_path / 'plain' / 'calibration.json').write_text('{}')
    with pytest.raises(ValueError, match='is no calibration'):
        pull_calibration('plain')
    for gone in ('none', tmp_path / 'own'):
        with pytest.raises(FileNotFoundError, match='no calibration at'):
            pull_calibration(gone)


def test_the_card_says_what_it_is_and_holds_no_markup_of_others(tmp_path):
    hostile = replace(
        CAL,
        source='<script>x</script> [a](javascript:b) | `c`\n# head',
        fingerprint={'chunks': '```\n<img src=x>'},
        labels=(),
    )
    push_calibration(hostile, tmp_path)
    text = (tmp_path / 'README.md').read_text()
    assert not any(s in text for s in ('<script', '<img src=x>\n', 'javascript:b)', '\n# head'))
    assert text.count('```') == 4
    assert text.startswith('---\ntags: [')
    push_calibration(CAL, tmp_path)
    text = (tmp_path / 'README.md').read_text()
    assert all(f'| {a:g} | {CAL.qhat(a):.4f} |' in text for a in ALPHAS)
    assert 'of 4 questions' in text
    assert '"weights": "w"' in text
    assert 'A?' not in text
    assert '| alpha | qhat: cosine distance at most |' in text
    assert '(cosine distance) of the first chunk that answers' in text
    assert '`inf` retrieves everything' in text


@pytest.mark.parametrize('score', [Hybrid(), Rank(), Margin(pool=9)], ids=lambda score: score.name)
def test_the_card_names_the_score_and_what_qhat_is_a_threshold_on(tmp_path, score):
    push_calibration(replace(CAL, score=score), tmp_path)
    text = (tmp_path / 'README.md').read_text()
    label = score.label.replace("'", ' ')
    assert f'| alpha | qhat: {label} at most |' in text
    assert f'({label}) of the first chunk that answers' in text
    assert f'`inf` retrieves {score.everything}' in text
    first, second = re.findall('```json\n(.*?)\n```', text, re.S)
    assert json.loads(first) == score.fingerprint()
    assert json.loads(second) == CAL.fingerprint
    assert 'distance of at most' not in text


# --- the Hub: its client, and a server that speaks its protocol


class Server(BaseHTTPRequestHandler):
    repos, denied, here = {}, set(), ''

    def log_message(self, *a):
        pass

    def say(self, code, data=b'', **headers):
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(code)
        for k, v in {'Content-Length': str(len(body)), **headers}.items():
            self.send_header(k.replace('_', '-'), v)
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers['Content-Length']))
        parts = self.path.split('?')[0].strip('/').split('/')
        if self.path == '/api/repos/create':
            asked = json.loads(raw)
            name = (
                f'{asked["organization"]}/{asked["name"]}'
                if asked.get('organization')
                else asked['name']
            )
            if name in self.denied:
                return self.say(403, {'error': 'Forbidden'})
            if name in self.repos:
                return self.say(409, {'error': 'exists', 'url': f'{self.here}/datasets/{name}'})
            self.repos[name] = dict(
                private=asked.get('private', asked.get('visibility')),
                type=asked.get('type'),
                commits=[],
            )
            return self.say(200, {'url': f'{self.here}/datasets/{name}', 'name': name})
        if self.path == '/api/validate-yaml':
            return self.say(200, {'errors': [], 'warnings': []})
        name = '/'.join(parts[2:4])
        if parts[4] == 'preupload':
            return self.say(
                200,
                {
                    'files': [
                        dict(path=f['path'], uploadMode='regular', shouldIgnore=False, oid=None)
                        for f in json.loads(raw)['files']
                    ]
                },
            )
        lines = [json.loads(l) for l in raw.splitlines()]
        commits = self.repos[name]['commits']
        commits.append(
            {
                l['value']['path']: base64.b64decode(l['value']['content'])
                for l in lines
                if l['key'] == 'file'
            }
        )
        self.say(
            200,
            dict(
                success=True,
                commitOid=f'{len(commits):040d}',
                commitUrl=f'{self.here}/datasets/{name}/commit/{len(commits):040d}',
                hookOutput='',
            ),
        )

    def do_GET(self):
        parts = self.path.split('?')[0].strip('/').split('/')
        if parts[0] != 'datasets' or '/'.join(parts[1:3]) not in self.repos:
            return self.say(
                404,
                {'error': 'Repository not found'},
                X_Error_Code='RepoNotFound',
                X_Error_Message='Repository not found',
            )
        commits, revision = self.repos['/'.join(parts[1:3])]['commits'], parts[4]
        i = len(commits) if revision == 'main' else int(revision) if revision.isdigit() else 0
        if not 1 <= i <= len(commits):
            return self.say(
                404, {}, X_Error_Code='RevisionNotFound', X_Error_Message='no such revision'
            )
        if parts[5] not in commits[i - 1]:
            return self.say(404, {}, X_Error_Code='EntryNotFound', X_Error_Message='no such file')
        self.say(200, commits[i - 1][parts[5]], ETag=f'"{i}{parts[5]}"', X_Repo_Commit=f'{i:040d}')

    do_HEAD = do_GET


@pytest.fixture
def hub(tmp_path, monkeypatch):
    from huggingface_hub import constants

    Server.repos, Server.denied = {}, {'other/closed'}
    server = ThreadingHTTPServer(('127.0.0.1', 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = Server.here = f'http://127.0.0.1:{server.server_port}'
    for name, value in dict(
        ENDPOINT=url,
        HUGGINGFACE_CO_URL_TEMPLATE=url + '/{repo_id}/resolve/{revision}/{filename}',
        HF_HUB_OFFLINE=False,
        HF_HUB_CACHE=str(tmp_path / 'cache'),
    ).items():
        monkeypatch.setattr(constants, name, value)
    monkeypatch.setenv('HF_TOKEN', 'hf_test')
    monkeypatch.chdir(tmp_path)
    yield Server
    server.shutdown()


def test_a_calibration_goes_to_the_hub_and_back(hub):
    assert push_calibration(CAL, 'me/first').endswith(f'/datasets/me/first/commit/{1:040d}')
    assert hub.repos['me/first']['private'] in (True, 'private')
    assert hub.repos['me/first']['type'] == 'dataset'
    assert set(hub.repos['me/first']['commits'][0]) == {'README.md', 'calibration.json'}
    assert same(pull_calibration('me/first'), CAL)
    bare = replace(CAL, labels=())
    push_calibration(bare, 'me/first')
    assert same(pull_calibration('me/first'), bare) and same(
        pull_calibration('me/first', f'{1:040d}'), CAL
    )  # an older commit
    hub.repos['me/first']['commits'].append({'calibration.json': b'[]', 'README.md': b''})
    with pytest.raises(ValueError, match='is no calibration'):
        pull_calibration('me/first')


def test_what_the_hub_refuses_is_one_clear_sentence(hub, monkeypatch):
    hub.repos['me/empty'] = dict(commits=[{'README.md': b''}])
    for use, name, says in (
        (lambda: pull_calibration('me/none'), 'me/none', '404'),
        (lambda: pull_calibration('me/empty'), 'me/empty', '404'),
        (lambda: pull_calibration('me/empty', 'nowhere'), 'me/empty', '404'),
        (lambda: push_calibration(CAL, 'other/closed'), 'other/closed', '403'),
        (lambda: pull_calibration('me/bad..name'), 'me/bad..name', 'bad..name'),
    ):
        with pytest.raises(RuntimeError, match='check name, revision and connection') as e:
            use()
        assert str(e.value).startswith(f'{name} could not be used') and '\n' not in str(e.value)
        assert says in str(e.value)


@pytest.mark.slow
@pytest.mark.parametrize('offline', [True, False])
def test_without_a_connection(hub, monkeypatch, offline):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, 'HF_HUB_OFFLINE', offline)
    for name in () if offline else ('ENDPOINT', 'HUGGINGFACE_CO_URL_TEMPLATE'):
        monkeypatch.setattr(
            constants, name, getattr(constants, name).replace(hub.here, 'http://127.0.0.1:9')
        )  # nobody listens
    for use in (lambda: pull_calibration('me/first'), lambda: push_calibration(CAL, 'me/first')):
        with pytest.raises(RuntimeError, match='^me/first could not be used'):
            use()
