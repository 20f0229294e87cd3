"A knowledge base in a bucket is the same as in a folder: against a real S3 server that keeps its objects on disk, is killed and comes back."

import sys, time
import numpy as np, pytest
from bucket_server import Bucket, forgetful
from conflare_nb import ConformalRetriever, Distance, Hybrid, KnowledgeBase, LateHybrid, Question, calibrate
from conflare_nb.documents.bm25 import StoredWords, word_index
from conflare_nb.documents.store import Rows
from conflare_nb.documents.tables import Tables
from letters import doc
from store_worker import COLUMNS, add, add_for_ever, append, at_once, forks, opened
from knowledge import make_kb

KB = 's3://shelf/kb'


@pytest.fixture(scope='module')
def bucket(tmp_path_factory):
    server = Bucket(tmp_path_factory.mktemp('bucket'))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def place(request):
    return f's3://shelf/{request.node.name[:40].replace("[", "-").replace("]", "")}'


def create(place, documents, options, **kw):
    return make_kb(place, documents, storage_options=options, **kw)


KEEPS = ('cold', 1), ('warm', 2), ('dry', 3)
DOCS = [doc(f'{i:02d}.md', *(f'{w} {i} keeps {w * j}.' for w, j in KEEPS)) for i in range(30)]


def question(i, word):
    where = f'{i:02d}.md'
    known = dict(answer=f'{word} {i} keeps', sections=((where, ''),), document=where)
    return Question(f'{i} {word}', f'What keeps {word} {i}?', **known)


QUESTIONS = [question(i, word) for i in range(30) for word in ('cold', 'warm')]


def rows(found):
    return found.to_pylist()


def test_a_store_that_cannot_delete_is_not_believed(bucket, place):
    "This server has no DeleteObjects, and LanceDB says nothing of it."
    kb = create(place, [*DOCS, doc('secret.md', 'the word is xyzzy')], bucket.options)
    with pytest.raises(OSError, match="does not delete older versions of 'chunks'"):
        kb.delete('secret.md', purge=True)
    assert opened(place, bucket.options).documents() == [document.path for document in DOCS]


@pytest.mark.parametrize(
    'memory', [pytest.param(2e9, id='memory'), pytest.param(0, id='disk', marks=pytest.mark.nightly)]
)
def test_it_is_what_a_folder_would_be(bucket, place, tmp_path, memory):
    there = create(place, DOCS, bucket.options, memory_budget=memory)
    here = make_kb(tmp_path, DOCS, memory_budget=memory)
    again = opened(place, bucket.options, memory_budget=memory)
    assert KnowledgeBase.is_there(place, bucket.options)
    assert not KnowledgeBase.is_there(place + '-none', bucket.options)
    assert here.fingerprint() == there.fingerprint() == again.fingerprint()
    assert there.texts() == here.texts() == again.texts()
    for kb in (there, again):
        assert rows(kb.search('warm 7', 9)) == rows(here.search('warm 7', 9))
        assert rows(kb.search_within('warm 7', 0.2)) == rows(here.search_within('warm 7', 0.2))
        pools = [one.search_pool('warm 7', 5, also=[3])[0] for one in (kb, here)]
        assert rows(pools[0]) == rows(pools[1])
        ids = [chunk.id for chunk in here.texts()]
        mine, theirs = (one.read_closely(ids) for one in (here, kb))
        for one, other in zip(mine, theirs, strict=True):
            for name in ('states', 'sentence', 'vectors'):
                assert (getattr(one, name) == getattr(other, name)).all()
        assert sum(len(one.vectors) for one in mine) >= 90
    asked = QUESTIONS if memory else QUESTIONS[::6]  # each of them fetches its pool
    for score in (LateHybrid(), Hybrid(), Distance()):
        bases = here, there, again
        cals = [calibrate(kb, asked, score=score, progress=False) for kb in bases]
        assert np.ptp([cal.scores for cal in cals], axis=0).max() < 1e-6
        assert np.isfinite(cals[0].scores).all()
        ready = [ConformalRetriever(kb, cal, alpha=0.2) for kb, cal in zip(bases, cals)]
        found = [retriever.retrieve('What keeps dry 3?') for retriever in ready]
        assert found[0].chunks == found[1].chunks == found[2].chunks


def test_words_are_stored_in_the_bucket_as_well(bucket, place):
    kb = create(place, DOCS, bucket.options)
    stored = word_index(opened(place, bucket.options), most=1)
    assert isinstance(stored, StoredWords)
    shares = [each.ask('warm 7').shares(np.arange(len(kb))) for each in (stored, word_index(kb))]
    np.testing.assert_allclose(*shares, atol=1e-5)


def test_no_row_of_many_writers_is_lost_from_the_first_on(bucket, place):
    kb = create(place, DOCS[:1], bucket.options)
    assert at_once(*((append, place, bucket.options, writer, 5) for writer in 'abcd')) == [0] * 4
    found = {(row['writer'], row['key']) for row in Rows(kb, 'rows', COLUMNS).read()}
    assert found == {(writer, str(i)) for writer in 'abcd' for i in range(5)}


def test_writers_of_one_document_store_it_once(bucket, place):
    create(place, DOCS[:1], bucket.options)
    documents = [doc('a.md', 'one text', 'two texts')]
    assert at_once(*[(add, place, bucket.options, documents)] * 3) == [0] * 3
    ids = [chunk.id for chunk in opened(place, bucket.options).texts()]
    assert len(ids) == len(set(ids))
    assert opened(place, bucket.options).documents() == ['00.md', 'a.md']


def test_a_server_that_dies_loses_nothing_that_it_acknowledged(tmp_path):
    server = Bucket(tmp_path / 'server')
    server.start()
    try:
        create(KB, DOCS[:1], server.options)
        context, written = forks(), tmp_path / 'written'
        said = context.Event()
        writer = context.Process(target=add_for_ever, args=(KB, server.options, written, said))
        writer.start()
        assert said.wait(60)
        time.sleep(0.5)
        server.kill()
        writer.join(60)
        assert writer.exitcode == 1  # it said so, and did not go on as if nothing were
        acknowledged = written.read_text().split()
        with pytest.raises(OSError, match='cannot reach s3://shelf/kb'):
            opened(KB, server.options)
        server.start()
        kb = opened(KB, server.options)
        assert {*acknowledged, '00.md'} <= set(kb.documents()) and len(acknowledged) > 0
        assert len(kb.documents()) <= len(acknowledged) + 2  # one may be there that nobody knows of
        assert kb.add([doc('z.md', 'after it came back')], progress=False) == 1
    finally:
        server.kill()


def test_a_killed_first_write_is_no_table(bucket, place):
    half = bucket.folder / place.removeprefix('s3://') / 'chunks.lance' / 'data' / 'piece.lance'
    half.parent.mkdir(parents=True)
    half.write_bytes(b'half')
    assert not Tables(place, bucket.options).has('chunks')
    with pytest.raises(FileNotFoundError, match='no knowledge base in s3://'):
        opened(place, bucket.options)
    assert len(create(place, DOCS[:1], bucket.options)) == len(opened(place, bucket.options))


def test_a_store_that_overwrites_is_refused_before_anything_is_written(bucket, place):
    kb = create(place, DOCS[:1], bucket.options)
    with forgetful(bucket.port) as options:
        with pytest.raises(ValueError, match='ignores If-None-Match'):
            create(place + '-new', DOCS, options)
        through = opened(place, options)
        assert through.texts() == kb.texts()  # reading loses nothing
        rows = Rows(through, 'rows', COLUMNS)
        writes = (through.add, DOCS), (rows.add, [dict(key='1', writer='me')])
        for write, what in writes:
            with pytest.raises(ValueError, match='ignores If-None-Match'):
                write(what)
    assert not (bucket.folder / f'{place}-new'.removeprefix('s3://') / 'chunks.lance').exists()


def test_what_writing_needs_is_named(bucket, place, monkeypatch):
    monkeypatch.setitem(sys.modules, 'obstore.store', None)
    with pytest.raises(ValueError, match=r'needs obstore: pip install ".\[s3\]"'):
        create(place, DOCS[:1], bucket.options)
