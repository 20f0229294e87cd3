"Killed while it is made, a full disk, several writers at once: a table is whole or not there, and nothing is there twice. More of it every night."

from collections import Counter
import random, shutil, signal, sys, time
from pathlib import Path
import pytest
from conflare_nb.documents.store import KnowledgeBase, Rows
from conflare_nb.documents.tables import Tables
from letters import Letters, doc, generation
import store_worker
from store_worker import COLUMNS, add, add_slowly, append, at_once, create, forks, killed, make
from knowledge import make_kb
from nightly import by_day_or_night

ROUNDS = by_day_or_night(2, 20)
WRITERS = 'abcdefgh'
no_kill = pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='no SIGKILL here')


def opened(folder, dim=32):
    return KnowledgeBase.open(folder, Letters(dim))


def ids(kb):
    return [chunk.id for chunk in kb.texts()]


def generations(kb):
    return {chunk.text.split()[0] for chunk in kb.texts()}


def half(folder, name='chunks'):  # what is left of a process killed before the first version
    piece = Path(folder, f'{name}.lance', 'data', 'piece.lance')
    piece.parent.mkdir(parents=True)
    piece.write_bytes(b'half')
    return piece


def test_half_a_knowledge_base_is_none(tmp_path):
    piece = half(tmp_path / 'kb')
    assert not KnowledgeBase.is_there(tmp_path / 'kb')
    assert not KnowledgeBase.is_there(tmp_path / 'none')
    with pytest.raises(FileNotFoundError, match='no knowledge base in .*: make one with'):
        opened(tmp_path / 'kb')
    kb = make_kb(tmp_path / 'kb', [doc('a.md', 'Keep cold.')])
    assert KnowledgeBase.is_there(tmp_path / 'kb')
    assert len(kb) == len(opened(tmp_path / 'kb')) == 1
    assert not piece.exists()


def test_half_a_table_of_rows_is_none(tmp_path):
    kb = make_kb(tmp_path, [doc('a.md', 'Keep cold.')])
    half(tmp_path, 'rows')
    rows = Rows(kb, 'rows', COLUMNS)
    assert len(rows) == 0 and rows.read() == []
    rows.add([dict(key='1', writer='me')])
    assert Rows(kb, 'rows', COLUMNS).read() == [dict(key='1', writer='me')]


def test_what_fails_while_it_is_made_leaves_nothing(tmp_path):
    with pytest.raises(OSError, match='disk is full'), Tables(tmp_path).making("rows"):
        half(tmp_path, 'rows')
        raise OSError('disk is full')
    assert not Tables(tmp_path).has("rows") and not (tmp_path / 'rows.lance').exists()


@no_kill
def test_a_killed_first_create_leaves_a_whole_one_or_none(tmp_path):
    chance, ended = random.Random(0), Counter()
    times = [time.time()]
    timed = Letters(4096, said=lambda: times.append(time.time()))
    make_kb(tmp_path / 'timed', generation(0, 600), timed)
    writing = time.time() - times[-1]  # how long it takes here
    for turn in range(ROUNDS + 1):
        folder = tmp_path / f'{turn}'
        if turn == 0:  # before anything is written, however slow the machine is
            assert ended_as(store_worker.create_until_embedded, folder) == -signal.SIGKILL
        else:
            killed(create, folder, 1, after=chance.random() * writing * 1.5)
        there = KnowledgeBase.is_there(folder)
        ended[there] += 1
        if there:
            assert len(opened(folder, 4096)) == 600 and generations(opened(folder, 4096)) == {'1'}
        else:
            with pytest.raises(FileNotFoundError, match='no knowledge base'):
                opened(folder, 4096)
        kb = make_kb(folder, generation(2, 20), Letters(4096))
        assert generations(kb) == generations(opened(folder, 4096)) == {'2'}
        shutil.rmtree(folder)
    print(f'{ended[True]} were whole, {ended[False]} not there')
    assert ended[False]


def ended_as(task, *args):  # the exit status of a process that does it
    context = forks()
    process = context.Process(target=task, args=args)
    process.start()
    process.join(60)
    return process.exitcode


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit here")
@pytest.mark.parametrize('old', [False, True], ids=['first', 'again'])
def test_a_full_disk_leaves_the_old_one_or_none(tmp_path, old):
    "Files that cannot grow beyond a limit fail as a full disk does, at ten sizes."
    make_kb(tmp_path / 'whole', generation(1, 600), Letters(4096))
    largest = max(file.stat().st_size for file in (tmp_path / 'whole').rglob('*'))
    failed, embedded = 0, forks().Event()
    sizes = [int(largest * share) for share in (0.01, 0.3, 0.99, 1.01)]
    for limit in [0, 1, 100, 500, 1000, 5000, *sizes]:
        folder = tmp_path / str(limit)
        if old:
            make_kb(folder, generation(0, 20), Letters(4096))
        code = ended_as(create, folder, 1, embedded, limit)
        failed += code == 1
        assert code in (0, 1)  # an error that says so, no crash
        if code and not old:
            assert not KnowledgeBase.is_there(folder) and not (folder / 'chunks.lance').exists()
            make_kb(folder, generation(2, 20), Letters(4096))
        assert generations(opened(folder, 4096)) == {('1' if not code else '0' if old else '2')}
        shutil.rmtree(folder)
    assert failed == 9


@pytest.fixture
def base(tmp_path):  # a copy for every round
    make_kb(tmp_path / 'base', [doc('z.md', 'Last.')])
    return lambda turn: shutil.copytree(tmp_path / 'base', tmp_path / f'{turn}')


def test_two_that_add_the_same_document_add_it_once(base):
    for turn in range(ROUNDS):
        folder = base(turn)
        twice = [(add, folder, None, [doc('a.md', 'Keep cold.', 'Keep dry.')])] * 2
        assert at_once(*twice) == [0, 0]
        assert ids(opened(folder)) == ['a.md#0000', 'a.md#0001', 'z.md#0000']


def test_of_two_versions_of_a_document_one_is_kept_whole(base):
    for turn in range(ROUNDS):
        folder = base(turn)
        long, short = doc('a.md', *['long text'] * 9), doc('a.md', *['short'] * 2)
        two = [long], [short, doc(f'{turn}.md', 'More.')]
        assert at_once(*((add, folder, None, documents) for documents in two)) == [0, 0]
        kb = opened(folder)
        found = [c.text for c in kb.texts() if c.document == 'a.md']
        assert found in (['long text'] * 9, ['short'] * 2)
        assert kb.documents() == sorted(['a.md', 'z.md', f'{turn}.md'])
        assert len(ids(kb)) == len(set(ids(kb)))


def test_what_another_process_added_is_seen_before_something_is_added(tmp_path):
    mine = make_kb(tmp_path, [doc('a.md', 'One.')])
    other = opened(tmp_path)
    other.add([doc('a.md', 'Two.')])
    assert [c.text for c in mine.texts()] == ['One.']  # what was opened stays as it was
    assert mine.add([doc('a.md', 'One.')]) == 1
    assert [c.text for c in opened(tmp_path).texts()] == ['One.']
    assert other.add([doc('b.md', 'New.')]) == 1
    assert [c.text for c in other.texts()] == ['One.', 'New.']


def test_one_that_was_made_anew_in_another_way_is_refused(tmp_path):
    mine = make_kb(tmp_path, [doc('a.md', 'One.')])
    make_kb(tmp_path, [doc('b.md', 'Two.')], budget=10)
    with pytest.raises(ValueError, match='was rebuilt with other settings: open it again'):
        mine.add([doc('c.md', 'Three.')])
    assert opened(tmp_path).documents() == ['b.md']


def test_one_that_is_made_anew_meanwhile_refuses_an_addition_and_says_so(tmp_path):
    mine = make_kb(tmp_path, [doc('a.md', 'One.')])
    # between looking and writing
    mine.embedder.said = lambda: make_kb(tmp_path, [doc('b.md', 'Two.')])
    says = 'was made anew meanwhile, and nothing was added: open it again'
    with pytest.raises(RuntimeError, match=says):
        mine.add([doc('c.md', 'Three.')])
    assert opened(tmp_path).documents() == ['b.md']


def test_two_that_make_it_at_once_each_get_their_own_and_the_later_one_stays(tmp_path):
    for turn in range(ROUNDS):
        folder = tmp_path / f'{turn}'
        assert at_once((make, folder, 1), (make, folder, 2)) == [0, 0]
        assert generations(opened(folder)) in ({'1'}, {'2'}) and len(opened(folder)) == 300


def test_two_that_write_the_first_rows_lose_none(base):
    for turn in range(ROUNDS):
        folder = base(turn)
        tasks = [(append, folder, None, writer, 3) for writer in WRITERS]
        assert at_once(*tasks) == [0] * len(WRITERS)
        rows = Rows(opened(folder), 'rows', COLUMNS).read()
        wanted = [(writer, str(i)) for writer in WRITERS for i in range(3)]
        assert sorted((row['writer'], row['key']) for row in rows) == wanted


def test_who_searches_while_documents_are_added_sees_one_state(base):
    folder = base('searched')
    tasks = [(task, folder, 4 * ROUNDS) for task in (add_slowly, *[store_worker.search] * 2)]
    assert at_once(*tasks) == [0, 0, 0]
    assert Counter(c.document for c in opened(folder).texts()) == {'a.md': 4 * ROUNDS, 'z.md': 1}
