"Every search equals a scan in NumPy, in memory, on disk and after changes; a killed overwrite leaves one whole table."

from bisect import bisect_right
import json, random, shutil, signal, time
import lancedb, numpy as np, pyarrow as pa, pytest
from conflare_nb.documents import store
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase, pool_recall
from conflare_nb.documents.tables import Tables
from letters import Letters, Noting, doc, generation
from store_worker import forks, overwrite
from knowledge import make_kb, reopened

inf = np.inf
both = pytest.mark.parametrize('memory', [2e9, 0], ids=['memory', 'disk'])


def unit(n, dim=384, seed=0):  # n random vectors of length 1
    v = np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def numbered(n, start=0):  # chunks without much text, their ids in order
    names = [(f'{i // 10:06d}.md', f'{i % 10:04d}', i) for i in range(start, start + n)]
    return [Chunk(f'{d}#{j}', d, 'Title', 'Heading', None, f'text {i}', 2) for d, j, i in names]


def stored(path, vectors, embedder, memory_budget=2e9):  # what `create` writes, of given vectors
    config = dict(schema=1, embedder=embedder.name, embedding=embedder.fingerprint())
    config['chunker'] = dict(budget=100, overlap=1, with_header=True)
    config['states'] = False
    made = [dict(vector=vector) for vector in vectors]
    rows = store._rows(config, numbered(len(vectors)), made, embedder.dim)
    return store.store_rows(path, rows, embedder, memory_budget, None)


def test_a_fingerprint_knows_title_heading_and_text(tmp_path):
    documents = [Document('a.md', title, (Section(*own),)) for title, *own in ('THx', 'UHx', 'TIx', 'THy')]
    made = [make_kb(tmp_path / f'{i}', [each]) for i, each in enumerate(documents)]
    assert len({kb.fingerprint()['chunks'] for kb in made}) == 4


def scan(ids, vectors, query):  # (distance, id) of every row, nearest first: the definition
    d = np.maximum(1 - (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1), 0)
    return sorted(zip(d.tolist(), ids))


def pairs(hits):
    return list(zip(hits['distance'].to_pylist(), hits['id'].to_pylist()))


def check(kb, queries, ranks=(0, 1, 6, 20, 200)):
    table = kb.table.to_arrow()
    ids = table['id'].to_pylist()
    vectors = np.array(table['vector'].combine_chunks().flatten()).reshape(-1, kb.embedder.dim)
    assert len(kb) == len(ids) == len(set(ids))
    scans = [scan(ids, vectors, q) for q in queries]
    for q, rows in zip(queries, scans):
        at = [rows[i][0] for i in ranks if i < len(rows)]  # thresholds that are a chunk's distance
        for t in [*at, *np.nextafter(at, -inf), *np.float32(at), 0.0, -1.0, -inf]:
            assert pairs(kb.search_within(q, t)) == rows[: bisect_right(rows, (float(t), '~'))]
        for k in (1, 2, 7, 200):
            assert pairs(kb.search(q, k)) == rows[:k]
        for k in () if kb.compressed else (1, 7, 200):
            pool, _ = kb.search_pool(q, k)
            assert pool['id'].to_pylist() == sorted(i for _, i in rows[:k])
    everything = [kb.search_within(q, inf), kb.search(q, len(rows)), kb.search(q, len(rows) + 1)]
    assert [pairs(found) for found in everything] == [scans[-1]] * 3


def twins(n, dim=384):  # n vectors: many the same as number 5, some nearly
    v = unit(n, dim)
    v[100:140], v[n - 1], v[200] = v[5], v[5], np.nextafter(v[5], 1, dtype=np.float32)
    return v


def queries(v):
    return [v[5], -v[5], v[0], *unit(2, v.shape[1], seed=1)]


def indexed(table):  # kind and metric of the index, rows in it and not yet
    s = table.index_stats(table.list_indices()[0].name)
    return s.index_type, s.distance_type, s.num_indexed_rows, s.num_unindexed_rows


@both
def test_search_is_a_scan_of_1000(tmp_path, memory):
    kb = stored(tmp_path, twins(1000), Letters(384), memory_budget=memory)
    assert (kb.in_memory, kb.table.list_indices()) == (memory > 0, [])
    check(kb, queries(twins(1000)))


@both
def test_search_is_a_scan_of_long_and_lopsided_vectors(tmp_path, memory):
    "Where float32 errs most: many dimensions, all of one sign, one of them large."
    v = np.abs(unit(300, 4096))
    v[:, 3] *= 50
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    check(stored(tmp_path, v, Letters(4096), memory_budget=memory), v[:3])
    exact = np.array([store._distances(v, q) for q in v[:50]])
    for f in (store._cosines, np.matmul):
        assert np.abs(1 - np.array([f(v, q) for q in v[:50]]) - exact).max() < store._MARGIN / 3


def test_search_is_a_scan_of_21000(tmp_path):
    "More than the 20,000 from which on all cosines are one product, and than the 10,000 that get an index."
    v = twins(21_000, 48)
    kb = stored(tmp_path, v, Letters(48))
    check(kb, queries(v)[:3])
    disk = KnowledgeBase.open(tmp_path, Letters(48), memory_budget=0)
    disk._index()
    assert indexed(disk.table) == ('IVF_FLAT', 'cosine', 21_000, 0)
    assert 'ANNSubIndex' in disk._source.scan(v[0]).limit(5).explain_plan()
    check(disk, queries(v)[1:2])
    more = np.concatenate([v[5:6], unit(299, 48, seed=2)])
    made = [dict(vector=vector) for vector in more]
    lacking = store._rows(disk.config, numbered(300, 21_000), made, 48)
    disk.table.add(lacking)  # rows that the index lacks
    assert indexed(disk.table)[2:] == (21_000, 300)
    disk = KnowledgeBase.open(tmp_path, Letters(48), memory_budget=0)
    check(disk, queries(v)[:1])
    disk._index()
    assert indexed(disk.table)[2:] == (21_300, 0)
    check(disk, queries(v)[:1])


def test_a_table_on_disk_keeps_its_index_through_changes(tmp_path):
    v = twins(10_000, 48)
    disk = stored(tmp_path, v, Letters(48), memory_budget=0)
    disk.add([Document('new.md', 'New', (Section('', 'Cold storage.'),))])
    disk.delete('000010.md')
    assert indexed(disk.table)[2:] == (9_991, 0)
    check(disk, [*queries(v)[:2], disk.embedder.embed_queries(['Cold'])[0]])


def rows(kb):
    return sorted((r['document'], r['text']) for r in kb.texts())


def of(kb):  # the stored documents, as `add` takes them
    texts = {d: [c.text for c in kb.texts() if c.document == d] for d in kb.documents()}
    return [doc(d, *texts[d]) for d in texts]


COLD, DRY, ONE = (('a.md', text) for text in ('Keep cold.', 'Keep dry.', 'One a day.'))
TWO, THREE, NEW = ('b.md', 'Two a day.'), ('c.md', 'Three a day.'), ('b.md', 'New.')
CHANGES = [  # (what is added or deleted, what is returned, what is stored then)
    ([doc(*THREE)], 1, [COLD, DRY, ONE, TWO, THREE]),
    ([doc(*DRY), doc(*TWO), doc(*THREE)], 1, [DRY, TWO, THREE]),
    (('b.md',), None, [DRY, THREE]),
    ((), None, [DRY, THREE]),
    ([doc('b.md', 'Two a day.', 'New.'), doc('c.md')], 2, [DRY, NEW, TWO]),
    (('a.md', 'b.md'), None, []),
    ([doc('d.md', 'Four a day.')], 1, [('d.md', 'Four a day.')]),
]


@both
def test_adding_and_deleting(tmp_path, memory):
    documents = [doc('a.md', 'Keep cold.', 'Keep dry.', 'One a day.'), doc(*TWO)]
    kb = make_kb(tmp_path, documents, memory_budget=memory)
    for change, returned, want in CHANGES:
        assert (kb.add(change) if isinstance(change, list) else kb.delete(*change)) == returned
        version = kb.table.version
        assert kb.add(of(kb)) == 0 and kb.table.version == version  # the same again
        again = reopened(kb, memory_budget=memory)
        for k in (kb, again):
            assert (rows(k), k.documents(), len(k)) == (want, sorted({*dict(want)}), len(want))
            if want:
                check(k, Letters().embed_queries(['Keep it cold?', 'day']))
            else:
                assert len(k.search('Keep it cold?', 3)) == len(k.search_within('day', inf)) == 0
        assert kb.fingerprint() == again.fingerprint()


def test_a_document_without_text_and_one_of_many_chunks_are_known_again(tmp_path):
    large = doc('large.md', *(f'Text {i}.' for i in range(10_010)))  # an id after ...#9999
    kb = make_kb(tmp_path, [large])
    assert kb.add([large, doc('empty.md')]) == 0 and len(kb) == 10_010


def test_what_cannot_be_stored_is_named_and_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match='no text to store in 1 document'):
        make_kb(tmp_path, [doc('a.md')])
    assert not KnowledgeBase.is_there(tmp_path)


def test_unknown_documents_and_doubles_change_nothing(tmp_path):
    kb = make_kb(tmp_path / 'kb', [doc('a.md', 'Text.')])
    with pytest.raises(KeyError, match='no document b.md, c.md'):
        kb.delete('a.md', 'c.md', 'b.md')
    with pytest.raises(ValueError, match='same path'):
        kb.add([doc('b.md', 'x'), doc('b.md', 'y')])
    assert rows(kb) == [('a.md', 'Text.')]


NAMES = [
    "it's.md", "''.md", '"quoted".md', "'); DROP TABLE chunks; --", "a' OR '1'='1", 'a/b/c.md', 'a\\b.md', '../up.md',
    '100%_.md', 'ü/日本語 💊.md', 'e\u0301.md', 'é.md', 'line\nbreak.md', 'a#0001.md', ' ', 'x' * 2000,
]  # fmt: skip


def test_names_of_documents_are_plain_text(tmp_path):
    kb = make_kb(tmp_path, [doc('other.md', 'Stays.')])
    assert kb.add([doc(n, f'Text {i}.') for i, n in enumerate(NAMES)]) == len(NAMES)
    left = {'other.md': 'Stays.'} | {n: f'Text {i}.' for i, n in enumerate(NAMES)}
    for i, n in enumerate(NAMES):
        assert kb.add([doc(n, f'Text {i}.')]) == 0 and kb.add([doc(n, f'Changed {i}.')]) == 1
        assert rows(kb) == sorted((left | {n: f'Changed {i}.'}).items())
        kb.delete(n)
        del left[n]
    assert rows(kb) == [('other.md', 'Stays.')]


def made(path, documents, weights='letters', **settings):  # what was embedded, and the result
    embedder = Noting(weights)
    kb = make_kb(path, documents, embedder, **settings)
    noted = embedder.noted
    anew = make_kb(f'{path}-anew', documents, **settings)
    assert kb.texts() == anew.texts()
    if weights == 'letters':
        same(kb, anew)
    shutil.rmtree(anew.path)
    return noted


def same(kb, other):
    assert kb.fingerprint() == other.fingerprint()
    assert kb.search('warm', 9).equals(other.search('warm', 9))


KEPT = [doc('a.md', 'Keep cold.', 'Keep dry.', 'Keep cold.'), doc('b.md', 'Two a day.')]
WHOLE = ['Title\nKeep cold.', 'Title\nKeep dry.', 'Title\nTwo a day.']


def test_only_new_texts_are_embedded_when_a_knowledge_base_is_made_again(tmp_path):
    assert made(tmp_path / 'kb', KEPT) == WHOLE
    assert made(tmp_path / 'kb', KEPT) == []
    changed = doc('b.md', 'Three a day.', 'Keep dry.')
    assert made(tmp_path / 'kb', [KEPT[0], changed]) == ['Title\nThree a day.']
    moved = doc('z.md', 'Three a day.')
    assert made(tmp_path / 'kb', [moved, KEPT[0]], budget=20) == []
    assert made(tmp_path / 'kb', [moved]) == []
    assert made(tmp_path / 'kb', KEPT) == WHOLE  # what was replaced is gone


def test_another_model_embeds_everything(tmp_path):
    made(tmp_path / 'kb', KEPT)
    assert made(tmp_path / 'kb', KEPT, 'others') == made(tmp_path / 'kb', KEPT) == WHOLE


def test_a_table_on_disk_gives_its_vectors_in_parts(tmp_path):
    many = generation(1, 3000)
    made(tmp_path / 'kb', many, memory_budget=0)
    assert made(tmp_path / 'kb', many[::-1], memory_budget=0) == []


def test_a_changed_document_is_embedded_where_it_has_changed(tmp_path):
    kb = make_kb(tmp_path, KEPT, Noting())
    grown = doc('a.md', 'Keep dry.', 'Keep warm.', 'Two a day.')
    assert kb.add([grown], progress=False) == 1
    assert kb.embedder.noted == ['Title\nKeep warm.', 'Title\nTwo a day.']  # that one is b.md's
    same(kb, make_kb(tmp_path / 'anew', [grown, KEPT[1]]))


def cut_short(folder):
    (file,) = folder.glob('chunks.lance/data/*.lance')
    file.write_bytes(file.read_bytes()[:100])


def without_vectors(folder, where='true'):
    Tables(folder).open('chunks').update(where, values=dict(vector=[0.0] * 32))


def without_one(folder):
    without_vectors(folder, "text = 'Keep dry.'")


def of_others(folder, **how):  # a table that somebody else made
    schema = pa.schema(dict(a='string'), **how)
    lancedb.connect(str(folder)).create_table('chunks', schema=schema, mode='overwrite')


@pytest.mark.parametrize(
    'damage, embedded', [(cut_short, WHOLE), (without_vectors, WHOLE), (of_others, WHOLE), (without_one, WHOLE[1:2])]
)
def test_what_cannot_be_taken_over_is_embedded_and_replaced(tmp_path, damage, embedded):
    made(tmp_path / 'kb', KEPT)
    damage(tmp_path / 'kb')
    assert made(tmp_path / 'kb', KEPT) == embedded


def test_another_model_is_refused_and_the_difference_named(kb, other_embedder, tmp_path):
    mine, theirs = kb.embedder.fingerprint()['weights'], other_embedder.fingerprint()['weights']
    for embedder, says in (
        (other_embedder, rf"another model: weights was '{mine}' and is '{theirs}'$"),
        (Letters(), "weights was .* and is 'letters', .*max_tokens was 254 and is 1000"),
    ):
        with pytest.raises(ValueError, match=says):
            KnowledgeBase.open(kb.path, embedder)
    shutil.copytree(kb.path, tmp_path / 'copy')
    assert KnowledgeBase.open(tmp_path / 'copy', kb.embedder).fingerprint() == kb.fingerprint()


MADE = dict(embedder='minilm', embedding={}, chunker={})
OTHERS = [MADE | dict(embedder=5), MADE | dict(chunker=None), MADE]


@pytest.mark.parametrize('says', [None, '{', '[]', '{}', *map(json.dumps, OTHERS)])
def test_a_table_of_others_is_refused_and_left(tmp_path, says):
    of_others(tmp_path, metadata=says and {'conflare_nb': says})
    with pytest.raises(ValueError, match="'chunks' in .* was not made by conflare_nb, and is left"):
        KnowledgeBase.open(tmp_path)
    assert lancedb.connect(str(tmp_path)).open_table('chunks').schema.names == ['a']


def files(path):
    return {p for p in path.rglob('*') if p.is_file()}


@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='no SIGKILL here')
def test_a_killed_overwrite_leaves_the_old_table_or_the_new_one(tmp_path):
    rnd, outcome, times, context = random.Random(0), [], [time.time()], forks()
    embedder = Letters(2048, said=lambda: times.append(time.time()))
    make_kb(tmp_path, generation(100, 1500), embedder)
    cut, write = np.diff([times[0], times[-1], time.time()])  # how long it takes here
    current, size = 100, len(KnowledgeBase.open(tmp_path, Letters(2048)))
    for g, last in enumerate(['started', 'written', 'embedded', 'done', 'written'] * 2, 101):
        before = files(tmp_path)
        said = {w: context.Event() for w in ('started', 'embedded', 'done')}
        child = context.Process(target=overwrite, args=(tmp_path, g, said))
        child.start()
        assert said['embedded' if last == 'written' else last].wait(120)
        while last == 'written' and child.is_alive() and files(tmp_path) == before:
            pass  # till its first byte is on disk
        time.sleep({'started': cut, 'embedded': 2 * write}.get(last, 0) * rnd.random())
        child.kill()
        child.join()
        kb = KnowledgeBase.open(tmp_path, Letters(2048))
        found = {int(r['text'].split()[0]) for r in kb.texts()}
        assert found in ({current}, {g}) and len(kb) == size == len(kb.search_within('1', inf))
        outcome.append((last, found == {g}, files(tmp_path) != before))
        current = found.pop()
    print(*outcome, sep='\n')  # killed after, a new table, files were written
    assert ('written', False, True) in outcome  # some did die in the middle of it
    assert {new for w, new, _ in outcome if w == 'done'} == {True}


@both
def test_a_large_table_is_summed_up_once_a_version(tmp_path, memory, monkeypatch):
    counted, measure = [], store._chunks_sum
    monkeypatch.setattr(store, '_chunks_sum', lambda kb: counted.append(1) or measure(kb))

    def sum_of(kb):
        return reopened(kb, memory_budget=memory).fingerprint()['chunks']

    kb = make_kb(tmp_path, generation(1, 60), memory_budget=memory)
    small = [sum_of(kb), sum_of(kb)]
    assert not (tmp_path / 'sums.lance').exists()  # a small one is summed up each time
    monkeypatch.setattr(store, '_SUM_KEPT_FROM', 10)
    assert {sum_of(kb) for _ in range(3)} == {*small} and len(counted) == 3
    kb.add([doc('new.md', 'one more')], progress=False)
    assert sum_of(kb) == sum_of(kb) != small[0] and len(counted) == 4
    kb.delete('new.md')
    assert sum_of(kb) == small[0] and len(counted) == 5
    make_kb(tmp_path, generation(2, 60))  # the version goes on
    assert sum_of(kb) != small[0] and len(counted) == 6


def test_a_compressed_index_finds_pools_and_nothing_else(tmp_path):
    v, embedder = unit(3000, 32), Letters()
    kb = stored(tmp_path, v, embedder, memory_budget=0)
    exact, asked = kb.fingerprint(), list(unit(20, 32, seed=3))
    assert not kb.compressed and pool_recall(kb, asked, 20).tolist() == [1.0] * 20
    kb._index(min_size=1, compress=1)
    kb = KnowledgeBase.open(tmp_path, embedder, memory_budget=0)
    another = dict(pool='IVF_RQ of 2 bits, 20 times as many looked at')
    assert kb.compressed and kb.fingerprint() == exact | another  # another pool, another threshold
    check(kb, queries(v))  # what is exact stays exact
    recall = pool_recall(kb, asked, 20)
    again = KnowledgeBase.open(tmp_path, embedder, memory_budget=0)
    assert 0.9 < recall.mean() <= 1 and (pool_recall(again, asked, 20) == recall).all()
    kb.add([doc('new.md', 'zzz')], progress=False)
    pool, _ = kb.search_pool(embedder.embed_queries(['zzz'])[0], 1)
    assert (indexed(kb.table)[0], pool['document'].to_pylist()) == ('IVF_RQ', ['new.md'])
    held = KnowledgeBase.open(tmp_path, embedder)
    assert not held.compressed and 'pool' not in held.fingerprint()
