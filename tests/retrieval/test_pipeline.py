"Other people's retrievers under the theorem: NumPy, LanceDB's hybrid search, Chroma; lists of every kind against brute force; files and lists that are refused."

import json, math, shutil, warnings
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from covering import covers
from conflare_nb import Audited, ContainsJudge, KnowledgeBase, Question, answering_chunks, audit_labels
from conflare_nb import calibrate_pipeline, conformal_quantile
from conflare_nb.retrieval.pipeline import PipelineCalibration, PipelineScore, pipeline_costs

inf = math.inf


@pytest.fixture(scope='module')
def answering(kb, questions):
    return dict(zip([q.id for q in questions], answering_chunks(kb, questions)))


@pytest.fixture(scope='module')
def asked_as(kb, questions):
    texts = [q.text for q in questions]
    return dict(zip(texts, kb.embedder.embed_queries(texts)))


@pytest.fixture(scope='module')
def stored(kb):
    rows = kb.table.to_arrow()
    return rows['id'].to_pylist(), rows['text'].to_pylist(), np.array(rows['vector'].to_pylist())


def numpy_store(kb, stored, asked_as, folder):
    ids, texts, vectors = stored

    def top_fifty(question):
        similarity = vectors @ asked_as[question]
        order = np.argsort(-similarity, kind='stable')[:50]
        return [(ids[i], texts[i], similarity[i]) for i in order]

    return top_fifty, True


def lance_store(kb, stored, asked_as, folder):
    from lancedb.index import FTS
    from lancedb.rerankers import RRFReranker

    table = KnowledgeBase.open(shutil.copytree(kb.path, folder / 'kb'), kb.embedder).table
    table.create_index('text', config=FTS())
    fusion = RRFReranker()

    def hybrid(question):
        search = table.search(query_type='hybrid').vector(asked_as[question]).text(question)
        rows = search.distance_type('cosine').rerank(fusion).limit(50).to_list()
        return [(row['id'], row['text'], row['_relevance_score']) for row in rows]

    return hybrid, True


def chroma_store(kb, stored, asked_as, folder):
    chromadb = pytest.importorskip('chromadb', reason='pip install ".[bench]"')
    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection('guide', metadata={'hnsw:space': 'cosine'})
    ids, texts, vectors = stored
    collection.add(ids=ids, documents=texts, embeddings=vectors)

    def nearest(question):
        wanted = dict(n_results=50, include=['documents', 'distances'])
        found = collection.query(query_embeddings=[asked_as[question]], **wanted)
        return list(zip(found['ids'][0], found['documents'][0], found['distances'][0]))

    return nearest, False


@pytest.mark.parametrize('store', [numpy_store, lance_store, chroma_store])
def test_every_store_covers_what_the_theorem_says(store, kb, questions, answering, stored, asked_as, tmp_path):
    retrieve, higher = store(kb, stored, asked_as, tmp_path)
    lists = {q.text: retrieve(q.text) for q in questions}
    assert all(lists[q.text] == retrieve(q.text) for q in questions[::40])
    assert {len(rows) for rows in lists.values()} == {50}
    every = calibrate_pipeline(lists.__getitem__, questions, answering, higher, progress=False)

    def best(q):
        costs = zip(lists[q.text], pipeline_costs(lists[q.text], higher))
        return min((cost for (i, *_), cost in costs if i in answering[q.id]), default=inf)

    assert every.scores.tolist() == list(map(best, questions))

    def keeps(cal, alpha, text):
        cut = cal.cutoff(alpha)
        return [i for i, _, s in lists[text] if (s >= cut if higher else s <= cut)]

    for alpha in (0.3, 0.2, 0.1):
        how = dict(higher=higher, k=50, alpha=alpha, tied=True)
        covers(lists.__getitem__, questions, answering, keeps, **how)


# many ties, and below 0 as an inner product may be
distance = st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0])
rows = st.lists(st.tuples(st.integers(0, 9).map(str), distance, st.booleans()), max_size=12)
worlds = st.lists(rows, min_size=1, max_size=12)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(worlds, st.integers(1, 99).map(lambda a: a / 100), st.booleans())
def test_it_is_the_exact_rule_in_both_directions(worlds, alpha, higher):
    turn = -1 if higher else 1
    lists, answers, asked, best = {}, {}, [], []
    for i, world in enumerate(worlds):
        ranked = sorted(world, key=lambda row: row[1])
        lists[f'question {i}'] = [(name, f'text {name}', turn * d) for name, d, _ in ranked]
        answers[f'q{i}'] = {name for name, _, yes in world if yes}
        asked.append(Question(f'q{i}', f'question {i}'))
        best.append(min((d for name, d, _ in world if name in answers[f'q{i}']), default=inf))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        known = dict(alpha=alpha, progress=False, unanswerable='include')
        cal = calibrate_pipeline(lists.get, asked, answers, higher, **known)
    # none is dropped
    assert list(cal.scores) == best == [l.score for l in cal.labels] and cal.n == len(asked)
    qhat = conformal_quantile(best, alpha)
    assert bool(said) == (qhat == inf)
    assert cal.cutoff(alpha) == turn * qhat
    for q in asked:
        kept = cal.filter(lists[q.text], alpha)
        assert kept == [row for row in lists[q.text] if turn * row[2] <= qhat]
        p = [cal.p_value(row[2]) for row in lists[q.text]]
        assert [x > alpha for x in p] == [row in kept for row in lists[q.text]]


NO_ROWS = [('a', 'x', score) for score in (math.nan, inf, -inf, None, '.5', [0.5])]
NO_ROWS += [('a', 'x'), 'axy', {'id': 'a', 'text': 'x', 'score': 0.5}, None, 5]
NO_ROWS += [(None, None, 0.5), (None, '', 0.5), ('', '', 0.5), ('a', None, 0.5)]


@pytest.mark.parametrize('row', NO_ROWS, ids=str)
def test_a_row_that_is_none_is_refused_and_named(row):
    with pytest.raises(ValueError, match='at place 1'):
        calibrate_pipeline(lambda text: [row], [Question('q', 'Where?', 'here')], progress=False)


def test_only_a_table_that_names_nothing_sets_a_question_apart():
    asked = [Question(str(i), f'{i}?', 'here') for i in range(3)]
    found = lambda text: [('a', 'here' if text == '0?' else 'there', 0.5)]
    table = {'0': {'a'}, '1': {'b'}, '2': set()}  # 'b' exists and is not in the list
    how = dict(alpha=0.7, progress=False)
    by_table, by_words = (calibrate_pipeline(found, asked, by, **how) for by in (table, None))
    assert list(by_table.scores) == [0.5, inf]
    assert by_table.unanswerable == 1
    assert [l.unanswerable for l in by_table.labels] == [False, False, True]
    assert (list(by_words.scores), by_words.unanswerable) == ([0.5, inf, inf], 0)
    promise = by_table.promise(0.7)
    assert promise.short.startswith('For at least 30% of answerable questions like')
    assert ', an answer is kept, or everything that it returns is, on' in promise.short
    assert 'set apart' in by_table._repr_html_() and '1 of 3 (33%' in by_table._repr_html_()


class ByTwos(ContainsJudge):
    batch = 2

    def __init__(self):
        self.seen = []

    def judge(self, question, chunks):
        self.seen += [c.id for c in chunks]
        return super().judge(question, chunks)


def test_a_judge_reads_in_batches_and_no_further_than_it_must():
    judge, asked = ByTwos(), [Question('1', 'one?', 'here')]
    found = [(str(i), 'here' if i in (3, 5) else 'there', i / 10) for i in range(9)]
    cal = calibrate_pipeline(lambda text: found, asked, judge, name='my store', alpha=0.6)
    assert judge.seen == ['0', '1', '2', '3']
    assert cal.labels[0].rank == 4 and cal.source == 'contains'


def test_an_audit_of_its_labels_counts():
    found = [(str(i), 'x', i / 10) for i in range(9)]
    asked = [Question(str(i), f'{i}?') for i in range(40)]
    table = {q.id: {str(i % 9)} for i, q in enumerate(asked)}
    cal = calibrate_pipeline(lambda text: found, asked, table, progress=False)
    truth = {(l.question, l.chunk): i > 3 for i, l in enumerate(cal.labels)}
    audit = audit_labels(cal.labels, truth)
    assert (audit.judged, audit.too_early) == (40, 4)
    assert cal.qhat(0.3, Audited(audit)) == cal.qhat(audit.alpha_left(0.3)) == cal.cutoff(0.3, Audited(audit))
    assert len(cal.filter(found, 0.3, Audited(audit))) > len(cal.filter(found, 0.3))
    assert cal.filter(found, 0.05, Audited(audit)) == found


OTHER_SCORES = [None, dict(name='hybrid', higher_is_better=True)]
OTHER_SCORES += [PipelineScore(flag).fingerprint() for flag in (None, 'yes', 1)]
BAD = [dict(score=score) for score in OTHER_SCORES]
BAD += [dict(scores=[-inf, 0.1]), dict(scores=[0.1, '.2']), dict(n=3), dict(fingerprint=None)]


def test_a_file_that_is_none_is_refused(tmp_path):
    path = tmp_path / 'p.json'
    made = dict(pipeline='p', settings={})
    cal = PipelineCalibration([-0.1, inf], made, score=PipelineScore(True))
    good = json.loads(cal.save(path).read_text())
    back = PipelineCalibration.load(path)
    assert back.cutoff(0.5) == -inf and back.cutoff(0.7) == 0.1
    for bad in BAD:
        path.write_text(json.dumps(good | bad))
        with pytest.raises(ValueError, match=r'p\.json is no calibration of a pipeline: .'):
            PipelineCalibration.load(path)


def test_a_question_that_a_person_marked_is_set_apart_without_a_table():
    asked = [Question('1', 'one?', 'x'), Question('2', 'two?', unanswerable=True)]
    found = lambda text: [('a', 'x', 1.0)]
    for answers in (None, {'1': {'a'}}):
        cal = calibrate_pipeline(found, asked, answers, alpha=0.9, progress=False)
        assert (cal.scores.tolist(), cal.unanswerable) == ([1.0], 1)
