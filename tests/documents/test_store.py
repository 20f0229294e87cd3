"Every search equals a scan in NumPy, in memory, on disk and after changes; a killed overwrite leaves one whole table; what we rely on in LanceDB."

from bisect import bisect_right
import random, shutil, signal, subprocess, sys, time
from pathlib import Path
import numpy as np, pytest
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import (
    KnowledgeBase,
    _MARGIN,
    _cosines,
    _distances,
    _rows,
    pool_recall,
)
from conflare_nb.documents.tables import Tables
from letters import Letters, Noting, doc, generation

pytest_plugins = ['kb_fixtures']
inf = np.inf

# --- knowledge bases of given vectors, and of texts without a model


def unit(n, dim=384, seed=0):  # n random vectors of length 1
    v = np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def numbered(n, start=0):  # chunks without much text, their ids in order
    return [
        Chunk(
            f'{i // 10:06d}.md#{i % 10:04d}',
            f'{i // 10:06d}.md',
            'Title',
            'Heading',
            None,
            f'text {i}',
            2,
        )
        for i in range(start, start + n)
    ]


def stored(
    path, vectors, embedder, **kw
):  # a knowledge base of given vectors: what `create` writes, without the embedding
    config = dict(
        schema=1,
        embedder=embedder.name,
        embedding=embedder.fingerprint(),
        chunker=dict(budget=100, overlap=1, with_header=True),
    )
    Tables(path).db.create_table(
        'chunks', _rows(config, numbered(len(vectors)), vectors), mode='overwrite'
    )
    kb = KnowledgeBase(path, embedder, **kw)
    kb._index()
    return kb


# --- equal to a scan


def scan(ids, vectors, query):  # (distance, id) of every row, nearest first: the definition
    d = np.maximum(1 - (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1), 0)
    return sorted(zip(d.tolist(), ids))


def pairs(hits):
    return list(zip(hits['distance'].to_pylist(), hits['id'].to_pylist()))


def check(kb, queries, ranks=(0, 1, 6, 20, 200)):
    table = kb.table.to_arrow()
    ids, vectors = (
        table['id'].to_pylist(),
        np.array(table['vector'].combine_chunks().flatten()).reshape(-1, kb.embedder.dim),
    )
    assert len(kb) == len(ids) == len(set(ids))
    for q in queries:
        rows = scan(ids, vectors, q)
        at = [
            rows[i][0] for i in ranks if i < len(rows)
        ]  # thresholds that are the distance of a chunk
        for t in [*at, *np.nextafter(at, -inf), *np.float32(at), 0.0, -1.0, -inf]:
            assert pairs(kb.search_within(q, t)) == rows[: bisect_right(rows, (float(t), '~'))]
        for k in (1, 2, 7, 200):
            assert pairs(kb.search(q, k)) == rows[:k]
    for k in (1, 7, 200):  # all questions at once
        found = [] if kb.compressed else kb.nearest(queries, k)
        for q, places in zip(queries, found):
            wanted = [i for _, i in scan(ids, vectors, q)[:k]]
            assert [sorted(ids)[i] for i in sorted(places)] == sorted(wanted)
    assert (
        pairs(kb.search_within(q, inf))
        == pairs(kb.search(q, len(rows)))
        == pairs(kb.search(q, len(rows) + 1))
        == rows
    )


def twins(n):  # n vectors: many the same as number 5, some nearly
    v = unit(n)
    v[100:140], v[n - 1], v[200] = v[5], v[5], np.nextafter(v[5], 1, dtype=np.float32)
    return v


def queries(v):
    return [v[5], -v[5], v[0], *unit(2, v.shape[1], seed=1)]


def indexed(table):  # kind and metric of the index, rows in it and not yet
    s = table.index_stats(table.list_indices()[0].name)
    return s.index_type, s.distance_type, s.num_indexed_rows, s.num_unindexed_rows


@pytest.mark.parametrize('memory', [2e9, 0], ids=['memory', 'disk'])
def test_search_is_a_scan_of_1000(tmp_path, memory):
    kb = stored(tmp_path, twins(1000), Letters(384), memory_budget=memory)
    assert (kb.in_memory, kb.table.list_indices()) == (memory > 0, [])
    check(kb, queries(twins(1000)))


@pytest.mark.parametrize('memory', [2e9, 0], ids=['memory', 'disk'])
def test_search_is_a_scan_of_long_and_lopsided_vectors(tmp_path, memory):
    "Where float32 errs most: many dimensions, all of one sign, one of them large."
    v = np.abs(unit(300, 4096))
    v[:, 3] *= 50
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    check(stored(tmp_path, v, Letters(4096), memory_budget=memory), v[:3])
    exact = np.array([_distances(v, q) for q in v[:50]])
    for f in (_cosines, np.matmul):
        assert np.abs(1 - np.array([f(v, q) for q in v[:50]]) - exact).max() < _MARGIN / 3


@pytest.mark.slow
def test_search_is_a_scan_of_50000(tmp_path):
    v = twins(50_000)
    kb = stored(tmp_path, v, Letters(384))
    check(kb, queries(v)[:3])
    disk = KnowledgeBase.open(tmp_path, Letters(384), memory_budget=0)
    disk._index()
    assert (
        indexed(disk.table) == ('IVF_FLAT', 'cosine', 50_000, 0)
        and 'ANNSubIndex' in disk._on_disk(v[0]).limit(5).explain_plan()
    )
    check(disk, queries(v)[1:2])
    disk.table.add(
        _rows(disk.config, numbered(300, 50_000), np.concatenate([v[5:6], unit(299, seed=2)]))
    )  # rows that the index lacks
    assert indexed(disk.table)[2:] == (50_000, 300)
    disk = KnowledgeBase.open(tmp_path, Letters(384), memory_budget=0)
    check(disk, queries(v)[:1])
    disk._index()
    assert indexed(disk.table)[2:] == (50_300, 0)
    check(disk, queries(v)[:1])


def test_a_table_on_disk_keeps_its_index_through_changes(tmp_path):
    v = twins(10_000)
    disk = stored(tmp_path, v, Letters(384), memory_budget=0)
    disk.add([Document('new.md', 'New', (Section('', 'Cold storage.'),))])
    disk.delete('000010.md')
    assert indexed(disk.table)[2:] == (9_991, 0)
    check(disk, [*queries(v)[:2], disk.embedder.embed_queries(['Cold'])[0]])


def test_the_vectors_of_the_model(kb, questions, embedder):
    disk = KnowledgeBase.open(kb.path, embedder, memory_budget=0)
    texts = [q.text for q in questions[::180]]
    for k in (kb, disk):
        check(k, embedder.embed_queries(texts))
    for t in texts:
        assert kb.search(t, 5).equals(disk.search(t, 5)) and kb.search_within(t, 0.6).equals(
            disk.search_within(t, 0.6)
        )


def test_bad_queries(tmp_path):
    kb = stored(tmp_path, unit(20), Letters(384))
    for q, says in (
        (np.ones(5), r'384 numbers; got shape \(5,\)'),
        (np.ones((1, 384)), r'shape \(1, 384\)'),
        (np.ones(384), 'its length is 19.59'),
        (np.zeros(384), 'length is 0'),
        (np.full(384, np.nan), 'length is nan'),
    ):
        with pytest.raises(ValueError, match=says):
            kb.search(q)
    with pytest.raises(ValueError, match='got NaN'):
        kb.search_within(unit(1)[0], np.nan)
    with pytest.raises(ValueError, match='at least 1; got 0'):
        kb.search(unit(1)[0], 0)


# --- changes


def rows(kb):
    return sorted((r['document'], r['text']) for r in kb.texts())


@pytest.mark.parametrize('memory', [2e9, 0], ids=['memory', 'disk'])
def test_adding_and_deleting(tmp_path, memory):
    kb = KnowledgeBase.create(
        tmp_path,
        [doc('a.md', 'Keep cold.', 'Keep dry.', 'One a day.'), doc('b.md', 'Two a day.')],
        Letters(),
        memory_budget=memory,
    )

    def steps():
        yield (
            lambda: kb.add([doc('c.md', 'Three a day.')]) == 1,
            [
                ('a.md', 'Keep cold.'),
                ('a.md', 'Keep dry.'),
                ('a.md', 'One a day.'),
                ('b.md', 'Two a day.'),
                ('c.md', 'Three a day.'),
            ],
        )
        yield (
            lambda: (
                kb.add(
                    [
                        doc('a.md', 'Keep dry.'),
                        doc('b.md', 'Two a day.'),
                        doc('c.md', 'Three a day.'),
                    ]
                )
                == 1
            ),
            [('a.md', 'Keep dry.'), ('b.md', 'Two a day.'), ('c.md', 'Three a day.')],
        )
        yield lambda: kb.delete('b.md') is None, [('a.md', 'Keep dry.'), ('c.md', 'Three a day.')]
        yield lambda: kb.delete() is None, [('a.md', 'Keep dry.'), ('c.md', 'Three a day.')]
        yield (
            lambda: kb.add([doc('b.md', 'Two a day.', 'New.'), doc('c.md')]) == 2,
            [('a.md', 'Keep dry.'), ('b.md', 'New.'), ('b.md', 'Two a day.')],
        )
        yield lambda: kb.delete('a.md', 'b.md') is None, []
        yield lambda: kb.add([doc('d.md', 'Four a day.')]) == 1, [('d.md', 'Four a day.')]

    for change, want in steps():
        assert change()
        version = kb.table.version
        assert (
            kb.add(
                [
                    doc(d, *[r['text'] for r in kb.texts() if r['document'] == d])
                    for d in kb.documents()
                ]
            )
            == 0
            and kb.table.version == version
        )  # the same again
        again = KnowledgeBase.open(tmp_path, Letters(), memory_budget=memory)
        for k in (kb, again):
            assert (
                rows(k) == want
                and k.documents() == sorted({d for d, _ in want})
                and len(k) == len(want)
            )
            if want:
                check(k, Letters().embed_queries(['Keep it cold?', 'day']))
            else:
                assert (
                    k.search('Keep it cold?', 3).num_rows
                    == k.search_within('day', inf).num_rows
                    == 0
                )
        assert kb.fingerprint() == again.fingerprint()


def test_a_document_without_text_and_one_of_many_chunks_are_known_again(tmp_path):
    large = doc('large.md', *(f'Text {i}.' for i in range(10_010)))  # an id after ...#9999
    kb = KnowledgeBase.create(tmp_path, [large], Letters(), progress=False)
    assert kb.add([large, doc('empty.md')]) == 0 and len(kb) == 10_010


def test_unknown_documents_and_doubles_are_named(tmp_path):
    with pytest.raises(ValueError, match='no text to store in 1 document'):
        KnowledgeBase.create(tmp_path / 'none', [doc('a.md')], Letters())
    with pytest.raises(ValueError, match='same path'):
        KnowledgeBase.create(tmp_path / 'none', [doc('a.md', 'x'), doc('a.md', 'y')], Letters())
    with pytest.raises(
        ValueError, match='budget must lie between 1 and the 1000 tokens .* got 1001'
    ):
        KnowledgeBase.create(tmp_path / 'none', [doc('a.md', 'x')], Letters(), budget=1001)
    with pytest.raises(FileNotFoundError, match='no knowledge base in'):
        KnowledgeBase.open(tmp_path / 'none', Letters())
    kb = KnowledgeBase.create(tmp_path / 'kb', [doc('a.md', 'Text.')], Letters())
    with pytest.raises(KeyError, match='no document b.md, c.md'):
        kb.delete('a.md', 'c.md', 'b.md')
    with pytest.raises(ValueError, match='same path'):
        kb.add([doc('b.md', 'x'), doc('b.md', 'y')])
    assert rows(kb) == [('a.md', 'Text.')]


NAMES = [
    "it's.md",
    "''.md",
    '"quoted".md',
    "'); DROP TABLE chunks; --",
    "a' OR '1'='1",
    'a/b/c.md',
    'a\\b.md',
    '../up.md',
    '100%_.md',
    'ü/日本語 💊.md',
    'e\u0301.md',
    'é.md',
    'line\nbreak.md',
    'a#0001.md',
    ' ',
    'x' * 2000,
]


def test_names_of_documents_are_plain_text(tmp_path):
    kb = KnowledgeBase.create(tmp_path, [doc('other.md', 'Stays.')], Letters())
    assert kb.add([doc(n, f'Text {i}.') for i, n in enumerate(NAMES)]) == len(NAMES)
    for i, n in enumerate(NAMES):
        assert kb.add([doc(n, f'Text {i}.')]) == 0 and kb.add([doc(n, f'Changed {i}.')]) == 1
        assert rows(kb) == sorted(
            [
                ('other.md', 'Stays.'),
                (n, f'Changed {i}.'),
                *((m, f'Text {j}.') for j, m in enumerate(NAMES) if j > i),
            ]
        )
        kb.delete(n)
    assert rows(kb) == [('other.md', 'Stays.')]


# --- what stands there is not embedded again


def made(path, documents, weights='letters', **settings):  # what was embedded, and the result
    embedder = Noting(weights)
    kb = KnowledgeBase.create(path, documents, embedder, progress=False, **settings)
    noted = embedder.noted
    anew = KnowledgeBase.create(f'{path}-anew', documents, Letters(), progress=False, **settings)
    assert kb.texts() == anew.texts()
    if weights == 'letters':
        assert kb.fingerprint() == anew.fingerprint()
        assert kb.search('warm', 9).equals(anew.search('warm', 9))
    shutil.rmtree(anew.path)
    return noted


KEPT = [doc('a.md', 'Keep cold.', 'Keep dry.', 'Keep cold.'), doc('b.md', 'Two a day.')]
WHOLE = ['Title\nKeep cold.', 'Title\nKeep dry.', 'Title\nKeep cold.', 'Title\nTwo a day.']


def test_only_new_texts_are_embedded_when_a_knowledge_base_is_made_again(tmp_path):
    assert made(tmp_path / 'kb', KEPT) == WHOLE
    assert made(tmp_path / 'kb', KEPT) == []
    changed = doc('b.md', 'Three a day.', 'Keep dry.')
    assert made(tmp_path / 'kb', [KEPT[0], changed]) == ['Title\nThree a day.']
    moved = doc('z.md', 'Three a day.')
    assert made(tmp_path / 'kb', [moved, KEPT[0]], budget=20) == []
    assert made(tmp_path / 'kb', [moved]) == []
    assert made(tmp_path / 'kb', KEPT) == WHOLE  # what was replaced is gone


def test_other_headers_and_other_models_embed_everything(tmp_path):
    bare = [text.removeprefix('Title\n') for text in WHOLE]
    made(tmp_path / 'kb', KEPT)
    assert made(tmp_path / 'kb', KEPT, with_header=False) == bare
    assert made(tmp_path / 'kb', KEPT, with_header=False) == []
    assert made(tmp_path / 'kb', KEPT, 'others', with_header=False) == bare
    assert made(tmp_path / 'kb', KEPT, with_header=False) == bare


def test_a_table_on_disk_gives_its_vectors_in_parts(tmp_path):
    many = generation(1, 3000)
    made(tmp_path / 'kb', many, memory_budget=0)
    assert made(tmp_path / 'kb', many[::-1], memory_budget=0) == []


def test_a_changed_document_is_embedded_where_it_has_changed(tmp_path):
    kb = KnowledgeBase.create(tmp_path, KEPT, Noting(), progress=False)
    grown = doc('a.md', 'Keep dry.', 'Keep warm.', 'Two a day.')
    assert kb.add([grown], progress=False) == 1
    assert kb.embedder.noted == ['Title\nKeep warm.', 'Title\nTwo a day.']  # that one is b.md's
    anew = KnowledgeBase.create(tmp_path / 'anew', [grown, KEPT[1]], Letters(), progress=False)
    assert kb.fingerprint() == anew.fingerprint()
    assert kb.search('dry', 9).equals(anew.search('dry', 9))


def cut_short(folder):
    (file,) = folder.glob('chunks.lance/data/*.lance')
    file.write_bytes(file.read_bytes()[:100])


def without_vectors(folder):
    Tables(folder).open('chunks').update(values=dict(vector=[0.0] * 32))


def of_others(folder):
    Tables(folder).db.create_table('chunks', [dict(text='Keep cold.')], mode='overwrite')


@pytest.mark.parametrize('damage', [cut_short, without_vectors, of_others])
def test_what_cannot_be_taken_over_is_embedded_and_replaced(tmp_path, damage):
    made(tmp_path / 'kb', KEPT)
    damage(tmp_path / 'kb')
    assert made(tmp_path / 'kb', KEPT) == WHOLE


def test_of_a_damaged_vector_only_its_text_is_embedded(tmp_path):
    made(tmp_path / 'kb', KEPT)
    bad = dict(vector=[0.0] * 32)
    Tables(tmp_path / 'kb').open('chunks').update("text = 'Keep dry.'", values=bad)
    assert made(tmp_path / 'kb', KEPT) == ['Title\nKeep dry.']


# --- which model it was


def test_another_model_is_refused_and_the_difference_named(kb, other_embedder, tmp_path):
    mine, theirs = kb.embedder.fingerprint()['weights'], other_embedder.fingerprint()['weights']
    with pytest.raises(
        ValueError, match=rf"another model: weights was '{mine}' and is '{theirs}'$"
    ):
        KnowledgeBase.open(kb.path, other_embedder)
    with pytest.raises(
        ValueError, match="weights was .* and is 'letters', .*max_tokens was 254 and is 1000"
    ):
        KnowledgeBase.open(kb.path, Letters())
    shutil.copytree(kb.path, tmp_path / 'copy')
    assert KnowledgeBase.open(tmp_path / 'copy', kb.embedder).fingerprint() == kb.fingerprint()


# --- killed in the middle

SIZE = 3000

CHILD = '''
import sys
from conflare_nb.documents.store import KnowledgeBase
from letters import Letters, generation
import lancedb
def say(word): print(word, flush=True)
say('ready')
new = generation(int(input()))
say('started')
KnowledgeBase.create(sys.argv[1], new, Letters(4096, said=lambda: say('embedded')), progress=False)
say('done')
'''


def files(path):
    return {p for p in path.rglob('*') if p.is_file()}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='no SIGKILL here')
def test_a_killed_overwrite_leaves_the_old_table_or_the_new_one(tmp_path):
    rnd, outcome, times = random.Random(0), [], [time.time()]
    KnowledgeBase.create(
        tmp_path,
        generation(100),
        Letters(4096, said=lambda: times.append(time.time())),
        progress=False,
    )
    cut, write = np.diff([*times, time.time()])  # how long it takes here

    def overwriter():
        return subprocess.Popen(
            [sys.executable, '-c', CHILD, tmp_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent.parent,
        )

    waiting, current = [overwriter(), overwriter()], 100  # two get ready while another works
    try:
        for g, last in enumerate(['started', 'written', 'embedded', 'done', 'written'] * 2, 101):
            child, before = waiting.pop(0), files(tmp_path)
            if g < 109:
                waiting.append(overwriter())
            assert child.stdout.readline() == 'ready\n'
            print(g, file=child.stdin, flush=True)
            for word in dict(started=['started'], done=['started', 'embedded', 'done']).get(
                last, ['started', 'embedded']
            ):
                assert child.stdout.readline() == f'{word}\n'
            while last == 'written' and child.poll() is None and files(tmp_path) == before:
                pass  # till its first byte is on disk
            time.sleep({'started': cut, 'embedded': 2 * write}.get(last, 0) * rnd.random())
            child.kill()
            child.wait()
            kb = KnowledgeBase.open(tmp_path, Letters(4096))
            found = {int(r['text'].split()[0]) for r in kb.texts()}
            assert (
                found in ({current}, {g}) and len(kb) == SIZE == kb.search_within('1', inf).num_rows
            )
            outcome.append((last, found == {g}, files(tmp_path) != before))
            current = found.pop()
    finally:
        for child in waiting:
            child.kill()
            child.wait()
    print(
        *(
            f'killed after "{w}": {"new" if new else "old"} table{", some files written" if some else ""}'
            for w, new, some in outcome
        ),
        sep='\n',
    )
    assert ('written', False, True) in outcome  # some did die in the middle of it
    assert {new for w, new, _ in outcome if w == 'done'} == {True}


# --- what we know of LanceDB: a failure here says that it changed, and that the store may be made simpler


@pytest.fixture
def table(tmp_path):
    return stored(tmp_path, unit(1000), Letters(384)).table


Q = unit(1, seed=9)[0]


def cosine(table):
    return table.search(Q).distance_type('cosine').nprobes(1_000_000)


def count(search):
    return search.to_arrow().num_rows


def test_lancedb_returns_10_rows_unless_told(table):
    assert count(table.search(Q)) == count(cosine(table).distance_range(upper_bound=2.0)) == 10


def test_lancedb_leaves_out_the_upper_bound(table):
    third = cosine(table).limit(3).to_arrow()['_distance'].to_numpy()[2]
    assert count(cosine(table).distance_range(upper_bound=float(third)).limit(1000)) == 2
    assert (
        count(
            cosine(table)
            .distance_range(upper_bound=float(np.nextafter(third, np.float32(inf))))
            .limit(1000)
        )
        == 3
    )


def test_lancedb_measures_l2_unless_told(table):
    l2, cos = (
        s.limit(1).to_arrow()['_distance'].to_numpy()[0] for s in (table.search(Q), cosine(table))
    )
    assert l2 == pytest.approx(2 * cos, rel=1e-5)


@pytest.mark.parametrize('kind', ['IvfSq', 'IvfRq', 'HnswSq'])
def test_a_quantised_index_loses_what_lies_within_a_cosine_bound(table, kind):
    from lancedb import index

    bound = float(np.sort(1 - unit(1000) @ Q)[20]) + 1e-5
    assert count(cosine(table).distance_range(upper_bound=bound).limit(1000)) == 21
    table.create_index(
        'vector', config=getattr(index, kind)(distance_type='cosine', num_partitions=1)
    )
    assert (
        count(cosine(table).distance_range(upper_bound=bound).limit(1000)) == 0
    )  # it compares with twice the distance
    assert count(cosine(table).distance_range(upper_bound=2.1 * bound).limit(1000)) > 21


@pytest.mark.filterwarnings('ignore::DeprecationWarning')
def test_an_index_is_quantised_unless_told(table):
    table.create_index(metric='cosine', vector_column_name='vector')
    assert indexed(table)[0] == 'IVF_PQ'


def test_new_rows_are_found_before_they_are_indexed_but_not_by_fast_search(table):
    from lancedb.index import IvfFlat

    table.create_index('vector', config=IvfFlat(distance_type='cosine', num_partitions=4))
    table.add(table.head(10))
    assert (
        count(cosine(table).limit(2000)) == 1010
        and count(cosine(table).fast_search().limit(2000)) == 1000
    )


def test_rows_taken_by_position_come_sorted(table):
    assert table.take_offsets([5, 2, 9]).to_arrow()['text'].to_pylist() == [
        'text 2',
        'text 5',
        'text 9',
    ]


# --- a sum that is kept


@pytest.mark.parametrize('memory', [2e9, 0], ids=['memory', 'disk'])
def test_a_large_table_is_summed_up_once_a_version(tmp_path, memory, monkeypatch):
    kb = KnowledgeBase.create(
        tmp_path, generation(1, 60), Letters(), progress=False, memory_budget=memory
    )
    small, counted = kb.fingerprint()['chunks'], []
    assert 'sums.lance' not in {
        p.name for p in tmp_path.iterdir()
    }  # a small one is summed up each time
    monkeypatch.setattr(KnowledgeBase._kept_sum, '__defaults__', (10,))
    monkeypatch.setattr(
        KnowledgeBase,
        '_measured_sum',
        lambda self, measure=KnowledgeBase._measured_sum: counted.append(1) or measure(self),
    )

    def opened():
        return KnowledgeBase.open(tmp_path, Letters(), memory_budget=memory)

    assert [opened().fingerprint()['chunks'] for _ in range(3)] == [small] * 3 and len(counted) == 1
    kb = opened()
    kb.add([doc('new.md', 'one more')], progress=False)
    other = kb.fingerprint()['chunks']
    assert other != small and opened().fingerprint()['chunks'] == other and len(counted) == 2
    kb.delete('new.md')
    assert opened().fingerprint()['chunks'] == small and len(counted) == 3
    KnowledgeBase.create(
        tmp_path, generation(2, 60), Letters(), progress=False
    )  # the version goes on
    assert opened().fingerprint()['chunks'] not in (small, other)


@pytest.mark.parametrize('memory', [2e9, 0], ids=['memory', 'disk'])
def test_parts_are_the_whole(tmp_path, memory):
    kb = KnowledgeBase.create(
        tmp_path, generation(1, 70), Letters(), progress=False, memory_budget=memory
    )
    for size in (1, 7, 69, 70, 1000):
        parts = [part.to_pylist() for part in kb.parts(['id', 'text'], size)]
        assert sum(parts, []) == [dict(id=chunk.id, text=chunk.text) for chunk in kb.texts()] and {
            len(p) for p in parts[:-1]
        } <= {size}


# --- a compressed index


def test_a_compressed_index_finds_pools_and_nothing_else(tmp_path):
    v, embedder = unit(3000, 32), Letters()
    kb = stored(tmp_path, v, embedder, memory_budget=0)
    exact, asked = kb.fingerprint(), list(unit(20, 32, seed=3))
    assert not kb.compressed and pool_recall(kb, asked, 20).tolist() == [1.0] * 20
    kb._index(least=1, compress=1)
    kb = KnowledgeBase(tmp_path, embedder, memory_budget=0)
    another = dict(pool='IVF_RQ of 2 bits, 20 times as many looked at')
    assert kb.compressed and kb.fingerprint() == exact | another  # another pool, another threshold
    check(kb, queries(v))  # what is exact stays exact
    recall = pool_recall(kb, asked, 20)
    assert (
        0.9 < recall.mean() <= 1
        and pool_recall(KnowledgeBase(tmp_path, embedder, memory_budget=0), asked, 20).tolist()
        == recall.tolist()
    )
    kb.add([doc('new.md', 'zzz')], progress=False)
    assert indexed(kb.table)[0] == 'IVF_RQ' and kb.search_pool(
        embedder.embed_queries(['zzz'])[0], 1
    )[0]['document'].to_pylist() == ['new.md']
    held = KnowledgeBase(tmp_path, embedder)
    assert not held.compressed and 'pool' not in held.fingerprint()
