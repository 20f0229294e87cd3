"The reference's pickles and hostile ones, and sharing through a folder and through the Hub's client."

import io, json, math, os, pickle, shutil, struct, sys, time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import create_autospec
import huggingface_hub, numpy as np, pytest
from huggingface_hub import errors
from hypothesis import given, settings, strategies as st
from conflare_nb import Calibration, Distance, Hybrid, Margin, Rank
from conflare_nb.labels.labeling import Label
from conflare_nb.retrieval.sharing import _card, _loaded, pull_calibration
from conflare_nb.retrieval.sharing import push_calibration, read_reference, read_reference_questions

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
    for l, r in zip(cal.labels, known, strict=True):
        assert (l.text, l.rank - 1) == (r['question'], r['relevant_chunk_rank'])
    assert np.allclose(cal.scores, [r['cosine_distance'] for r in known], atol=1e-7)


# --- a small one, made here


def record(i, distance=0.25, rank=0, text='How is it?'):
    source = f'C:\\papers\\Paper {i}.pdf' if i % 2 else f'/content/Paper {i}.pdf'
    chunk = dict(source=source, page=i, chunk=f'text {i}', chunk_index=2)
    own = dict(source_chunk_text=f'text {i}', source_chunk_rank=i + 300)
    found = dict(relevant_chunk_text='other', relevant_chunk_rank=rank, cosine_distance=distance)
    return dict(generated_q=[i, chunk, text]) | own | found


@pytest.fixture
def dump(tmp_path):
    def write(x, protocol=4, name='some.pkl'):
        (tmp_path / name).write_bytes(x if isinstance(x, bytes) else pickle.dumps(x, protocol))
        return tmp_path / name

    return write


@pytest.mark.parametrize('protocol', [1, 2, 3, 4, 5])
def test_records_become_a_calibration(dump, protocol):
    rows = [*(record(i, (i + 1) / 20, i) for i in range(9)), record(9, None, None)]
    rows += [record(10, inf, 5), record(11, 1, 70_000, 'Käse 🧀 \ud800?')]
    cal = read_reference(dump(rows, protocol))
    assert list(cal.scores) == [*((i + 1) / 20 for i in range(9)), inf, inf, 1]
    assert [l.rank for l in cal.labels] == [*range(1, 10), None, None, 70_001]
    fourth, last = cal.labels[3], cal.labels[-1]
    assert (fourth.question, fourth.chunk, last.text) == ('reference 3', None, 'Käse 🧀 ??')
    assert Calibration.load(cal.save(dump(b'', name='cal.json'))).labels == cal.labels
    made = dict(Model='m', generated_qs=[r['generated_q'] for r in rows])
    asked = read_reference_questions(dump(made, protocol))
    assert [q.document for q in asked] == [f'Paper {i}.pdf' for i in range(12)]
    assert asked[0].text == 'How is it?'
    assert cal.fingerprint == {'foreign': 'the reference CONFLARE package, some.pkl'}


NO_RECORDS = [dict(generated_q=[0, {}]), dict(generated_q=[0, {}, 5])]
NO_RECORDS += [dict(cosine_distance=bad) for bad in ('.1', math.nan, -1.0, True, 10**400)]
NO_RECORDS += [dict(relevant_chunk_rank=bad) for bad in (None, -1, 0.5)]
WRONG = [5, None, 'abc', [1, 2], {'a': 1}, [], {}, *[[record(0) | bad] for bad in NO_RECORDS]]


@pytest.mark.parametrize('what', WRONG, ids=lambda what: str(what)[-60:])
def test_plain_data_of_another_kind_is_refused(dump, what):
    for read in (read_reference, read_reference_questions):
        with pytest.raises(ValueError, match='some.pkl does not hold') as e:
            read(dump(what))
        assert len(str(e.value)) < 400


# --- hostile ones


class Reduce:
    def __init__(self, f, *args):
        self.made = f, args

    def __reduce__(self):
        return self.made


class State:
    x = 1

    def __setstate__(self, s):
        raise AssertionError('run')


def bomb(width, depth):
    x = [0] * width
    for _ in range(depth):
        x = [x] * width
    return x


def nested(depth):
    return b'\x80\x04' + b']' * depth + b'a' * (depth - 1) + b'.'


def within_itself(inside):
    inside['a' if isinstance(inside, dict) else 0] = inside
    return pickle.dumps(inside)


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
        'in a record': pickle.dumps([{**record(0), 'cosine_distance': Reduce(eval, touch)}]),
        'import': pickle.dumps(Reduce(__import__, 'antigravity')),
        'protocol 0': f'cposix\nsystem\n(Vtouch {mark}\ntR.'.encode(),
        'INST': f'(Vtouch {mark}\niposix\nsystem\n.'.encode(),
        'OBJ': f'(cposix\nsystem\nVtouch {mark}\no.'.encode(),
        'getattr chain': b"cbuiltins\ngetattr\n(cbuiltins\n__import__\n(Vos\ntRVsystem\ntR(V"
        + f'touch {mark}'.encode()
        + b'\ntR.',
        'codecs': pickle.dumps(b'bytes', 2),
        'extension': b'\x80\x02\x82\x01.',
        'NEWOBJ': pickle.dumps(State()),
        'persistent id': with_pid.getvalue(),
        'PERSID': b'Pid\n.',
        'numpy scalar': pickle.dumps(np.float64(0.5)),
        'bytes': pickle.dumps(b'x', 4),
        'buffer': b'\x80\x05\x97.',
        'set': pickle.dumps({1}),
        'tuple': pickle.dumps((1, 2)),
        'tuple as key': tuple_key(),
        'DUP': b'\x80\x04K\x00' + b'2' * 10 + b'l.',
        'long 4': b'\x80\x02\x8b' + struct.pack('<i', 2**31 - 1) + b'1.',
        'text of 8 GB': b'\x80\x04\x8d' + struct.pack('<Q', 2**33) + b'x.',
        'text longer than the file': b'\x80\x04X' + struct.pack('<I', 2**32 - 1) + b'x.',
        'place 2^31': b'\x80\x04]r\xff\xff\xff\x7f.',
        'frame of 2^60': b'\x80\x04\x95' + struct.pack('<Q', 2**60) + b'].',
        'unknown protocol': b'\x80\x63].',
        'laughs': pickle.dumps(bomb(10, 7)),
        'holds itself': within_itself([1]),
        'dict in itself': within_itself({}),
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
        'noise': bytes(range(256)),
        'not UTF-8': b'\x80\x04\x8c\x02\xff\xfe.',
        'second pickle': pickle.dumps([record(0)])[:-1] + pickle.dumps(Reduce(eval, touch)),
    }


NAMES = list(hostile('x'))


@pytest.mark.parametrize('what', NAMES)
def test_a_hostile_pickle_is_refused_and_nothing_runs(dump, tmp_path, what):
    mark = tmp_path / 'was-here'
    path, start = dump(hostile(str(mark))[what]), time.process_time()
    with pytest.raises(Exception):
        _loaded(path)
    for read in (read_reference, read_reference_questions):
        with pytest.raises(ValueError, match=r'^some\.pkl does not hold the .*: .') as e:
            read(path)
        assert len(str(e.value)) < 400
    assert time.process_time() - start < 20 and not mark.exists()
    assert 'antigravity' not in sys.modules


CLASSES = ['os.system', 'eval', 'in a record', 'protocol 0', 'INST', 'OBJ', 'getattr chain']
CLASSES += ['NEWOBJ', 'numpy scalar', 'persistent id', 'PERSID', 'extension']


def test_a_pickle_cut_anywhere_is_refused(dump):
    data = pickle.dumps([record(0), record(1)])
    for i in range(len(data)):
        with pytest.raises(ValueError, match='does not hold'):
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


def test_large_and_absent_files(dump, tmp_path):
    with open(tmp_path / 'large.pkl', 'wb') as f:
        f.truncate(2**26 + 1)
    with pytest.raises(ValueError, match='larger than 67,108,864 bytes'):
        read_reference(tmp_path / 'large.pkl')
    with pytest.raises(FileNotFoundError, match='no such file'):
        read_reference(tmp_path / 'none.pkl')


LABELS = [Label('a', 'A?', 0.1, 1, 'd#1'), Label('b', 'B?', 0.4, 7, 'd#2')]
LABELS += [Label('c', '<b>C</b>?', inf, None, None, 'not among the best 30')]
LABELS += [Label('d', 'D?', 0.2, 2, 'd#3')]
OF = dict(chunks='c', embedding=dict(weights='w'), metric='cosine')
MADE = 'gold answers', '2026-01-01T00:00:00+00:00'
CAL = Calibration([0.1, 0.4, inf, 0.2], OF, *MADE, tuple(LABELS))

# --- the card


def same(a, b):
    fields = 'fingerprint', 'source', 'created', 'labels', 'score'
    return list(a.scores) == list(b.scores) and all(getattr(a, f) == getattr(b, f) for f in fields)


def card(cal):
    "The prose of the README before and after its block, and what stands in the block."
    before, block, after = _card(cal).split('```')
    return before, json.loads(block.removeprefix('json')), after


def test_what_others_wrote_stands_in_one_block_of_the_card():
    source = '<script>x</script> [a](javascript:b) | ``` `c`\n# head'
    hostile = replace(CAL, source=source, fingerprint={'chunks': '```\n<img src=x>'})
    before, block, after = card(hostile)
    assert (before, after) == (card(CAL)[0], '\n') and before.startswith('---\ntags: [')
    assert source in block['measured_on'] and block['knowledge_base'] == hostile.fingerprint


CARDS = [Distance(), Hybrid(), Rank(), Margin(pool=9)]


@pytest.mark.parametrize('score', CARDS, ids=lambda score: score.name)
def test_the_card_names_the_score_and_what_is_promised(score):
    cal = replace(CAL, score=score)
    before, block, _ = card(cal)
    assert block['score'] == score.fingerprint() and block['promise'] == cal.promise(0.1).short
    assert block['levels'] == {f'{alpha:g}': cal.promise(alpha).rule for alpha in ALPHAS}
    assert '4 questions' in block['measured_on'] and 'A?' not in before + str(block)


# --- the Hub


@pytest.fixture
def hub(tmp_path, monkeypatch):
    "A stand-in for the Hub's client that keeps what it is given, and takes no call that it lacks."
    api, commits = create_autospec(huggingface_hub.HfApi, instance=True), []

    def upload(repo_id, folder_path, **how):
        commits.append(shutil.copytree(folder_path, tmp_path / f'commit {len(commits)}'))
        return SimpleNamespace(commit_url=f'{repo_id}/commit/{len(commits) - 1}')

    def download(repo_id, filename, revision, **how):
        return commits[int(revision or -1)] / filename

    api.upload_folder.side_effect, api.hf_hub_download.side_effect = upload, download
    monkeypatch.setattr(huggingface_hub, 'HfApi', lambda: api)
    return api


def test_a_calibration_goes_to_the_hub_and_back(hub, tmp_path):
    bare = replace(CAL, labels=())
    assert [push_calibration(cal, 'me/first') for cal in (CAL, bare)][1] == 'me/first/commit/1'
    hub.create_repo.assert_called_with('me/first', repo_type='dataset', private=True, exist_ok=True)
    assert hub.upload_folder.call_args.kwargs['repo_type'] == 'dataset'
    written = {path.name for path in (tmp_path / 'commit 0').iterdir()}
    assert written == {'README.md', 'calibration.json'}
    assert same(pull_calibration('me/first'), bare)
    assert same(pull_calibration('me/first', '0'), CAL)  # an older commit
    (tmp_path / 'commit 1' / 'calibration.json').write_text('[]')
    with pytest.raises(ValueError, match='is no calibration'):
        pull_calibration('me/first')


@pytest.mark.parametrize('error', [OSError, ValueError, errors.HTTPError])
def test_what_the_hub_refuses_is_one_clear_sentence(hub, error):
    hub.create_repo.side_effect = hub.hf_hub_download.side_effect = error('404\n  not there')
    for use in (lambda: pull_calibration('me/first'), lambda: push_calibration(CAL, 'me/first')):
        with pytest.raises(
            RuntimeError, match='^me/first could not be used .*says: 404 not there$'
        ):
            use()
