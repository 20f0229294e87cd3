"Scores, thresholds, retrieval and coverage on the sample against brute force and the theorem; saved calibrations, whole, hostile and of another knowledge base."

import math
from dataclasses import replace
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import beta, betabinom
from conflare_nb.conformal.guarantee import Audited, ByDocument, OfGroup
from conflare_nb import AlphaExplorer, Calibration, ConformalRetriever, ContainsJudge, Distance, Hybrid, KnowledgeBase
from conflare_nb import Question, TopKRetriever, calibrate, conformal_quantile, conformal_rank, diagnose, empirical_band
from conflare_nb import audit_labels, label_questions, sample_documents, split_questions
from conflare_nb.evidence.audit import gold_truth
from conflare_nb.conformal.new_documents import new_document_threshold
from conflare_nb.evidence.evaluation import Rankings, split_coverage
from conflare_nb.retrieval.retriever import conformal_filter
from conflare_nb.labels.question import one_per_document

inf = math.inf


@pytest.fixture(scope='module')
def some(questions):
    return questions[::5]


def measured(kb, asked, *args, score=Distance(), **kwargs):
    return calibrate(kb, asked, *args, progress=False, score=score, **kwargs)


@pytest.fixture(scope='module')
def cal(kb, some):
    return measured(kb, some)


@pytest.fixture(scope='module')
def by_distance(kb, questions):
    return label_questions(kb, questions, progress=False, score=Distance())


@pytest.fixture(scope='module')
def walks(kb, some):  # for every question all chunks: (distance, id, does it answer), nearest first
    table = kb.table.to_arrow()
    vectors = np.array(table['vector'].to_pylist())
    chunks = table.drop_columns(['vector']).to_pylist()

    def words(text):
        return ''.join(c if c.isalnum() else ' ' for c in text.lower()).split()

    def has(chunk, answer):
        return f' {" ".join(words(answer))} ' in f' {" ".join(words(chunk["text"]))} '

    def walk(q):
        ids = set()
        for s in q.sections:
            here = [c for c in chunks if (c['document'], c['heading']) == s]
            ids |= {c['id'] for c in ([c for c in here if has(c, q.answer)] or here)}
        d = 1 - vectors @ kb.embedder.embed_queries([q.text])[0].astype(float)
        return sorted((x, c['id'], c['id'] in ids) for x, c in zip(d, chunks))

    return [walk(q) for q in some]


def test_scores_and_ranks_equal_brute_force(kb, cal, walks, labels, by_distance, some):
    want = [next((d, i, c) for i, (d, c, answers) in enumerate(w, 1) if answers) for w in walks]
    assert [(l.rank, l.chunk) for l in cal.labels] == [(i, c) for _, i, c in want]
    assert np.allclose(cal.scores, [d for d, *_ in want], rtol=0, atol=1e-12)
    # the same alone and among others
    assert [l.question for l in cal.labels] == [q.id for q in some]
    assert list(cal.labels) == by_distance[::5]
    # by meaning and words as well
    assert list(calibrate(kb, some, progress=False).labels) == labels[::5]


@pytest.fixture(scope='module')
def lost(some):
    return [replace(q, id=f'lost {q.id}', sections=(('none.md', 'Nothing'),)) for q in some[:3]]


def test_what_is_only_out_of_reach_counts(kb, some, lost):
    cal, deep = measured(kb, some[:12] + lost, 1), measured(kb, some[:12])
    for l, d in zip(cal.labels, deep.labels):
        beyond = (inf, None, None, 'not among the best 1')
        assert l == d if d.rank == 1 else (l.score, l.rank, l.chunk, l.reason) == beyond
    beyond = sum(l.rank > 1 for l in deep.labels)
    assert 0 < beyond == np.isinf(cal.scores).sum() and (cal.n, cal.unanswerable) == (12, 3)
    # a judge that looks at the best five cannot know of the rest
    asked = [Question('x', 'Who sang Waterloo?', 'Abba'), some[0]]
    judged = measured(kb, asked, 5, score=Hybrid(), judge=ContainsJudge())
    assert (judged.n, judged.unanswerable, judged.scores[0]) == (2, 0, inf)


def test_an_audit_is_of_the_labels_that_calibrate(kb, some, lost):
    found = calibrate(kb, some[:12] + lost, progress=False)
    audit = audit_labels(found.scored_labels, gold_truth(kb, some, found.scored_labels))
    assert audit.judged == 12 and found.qhat(0.5, Audited(audit)) <= inf
    with pytest.raises(ValueError, match=r'other labels .*\(`scored_labels`\)'):
        audit_labels(found.labels, gold_truth(kb, some, found.labels)).check(found)


def test_calibration_needs_questions_and_numbers(kb):
    with pytest.raises(ValueError, match='at least one question; got none'):
        calibrate(kb, [])
    for bad in (-0.1, math.nan, -inf):
        with pytest.raises(ValueError, match='scores are numbers from 0 on, or inf; got'):
            Calibration([0.1, bad], {})


def test_retrieved_are_all_within_the_threshold(kb, cal, walks, some):
    r = ConformalRetriever(kb, cal, 0.1)
    for q, w in list(zip(some, walks))[::10]:
        got = r.retrieve(q.text)
        assert [c.id for c in got.rows()] == [i for d, i, _ in w if d <= r.qhat + 1e-12]
        assert got.chunks['rank'].to_pylist() == list(range(1, len(got) + 1))
        assert got.tokens == sum(c.tokens for c in got.rows())
        p = [(1 + sum(cal.scores >= c.distance)) / (cal.n + 1) for c in got.rows()]
        assert [c.p_value for c in got.rows()] == p
        best = TopKRetriever(kb, 5).retrieve(q.text).rows()
        assert [c.id for c in best] == [i for _, i, _ in w[:5]]
    few = ConformalRetriever(kb, Calibration(cal.scores[:5], cal.fingerprint), 0.1)
    assert len(few.retrieve('anything')) == len(kb)


distance = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])  # many ties
score = st.one_of(distance, st.just(inf), st.none())


@settings(derandomize=True, deadline=None)
@given(st.lists(score, max_size=30), st.lists(distance, max_size=20), st.integers(1, 99).map(lambda a: a / 100))
def test_conformal_filter_is_the_exact_rule(scores, distances, alpha):
    texts = [f'text {i}' for i in range(len(distances))]
    chroma = dict(documents=[texts], distances=[distances], metadatas=None)
    values, k = sorted(inf if s is None else s for s in scores), conformal_rank(len(scores), alpha)
    qhat = values[k - 1] if k <= len(values) else inf
    want = [text for text, d in zip(texts, distances) if d <= qhat]
    assert conformal_filter(chroma, [dict(cosine_distance=s) for s in scores], alpha) == want
    assert conformal_filter(chroma, Calibration(values, {}), alpha) == want


def ranked(questions, labels):  # all that split_coverage looks at
    nothing = np.zeros((len(labels), 0))
    scores, ranks = np.array([(l.score, l.rank) for l in labels], dtype=float).T
    return Rankings(questions, scores, ranks, nothing, nothing)


@pytest.fixture(scope='module')
def rankings(questions, by_distance):
    return ranked(questions, by_distance)


@pytest.mark.parametrize('alpha', [0.2, 0.1, 0.05])
def test_coverage_over_200_splits(rankings, alpha):
    "Without ties, what is covered in the second half has the Beta-binomial law, whatever the scores."
    assert len(set(rankings.scores)) == len(rankings)
    n = round(len(rankings) / 2)
    m = len(rankings) - n
    k, cov = conformal_rank(n, alpha), split_coverage(rankings, alpha, 200, by='question')
    law = betabinom(m, k, n + 1 - k)
    assert abs(cov.mean() - k / (n + 1)) < 3 * law.std() / m / 200**0.5
    assert abs(cov.std() / (law.std() / m) - 1) < 3 / (2 * 200) ** 0.5
    lo, hi = empirical_band(n, alpha, m)
    assert ((lo <= cov) & (cov <= hi)).mean() > 0.9 - 3 * (0.09 / 200) ** 0.5


def test_split_by_one_calibrates_with_one_question_of_each_document(rankings):
    found = split_coverage(rankings, 0.1, 20, by='one', seed=4)
    score = {q.id: s for q, s in zip(rankings.questions, rankings.scores)}
    for s, coverage in enumerate(found, 4):
        first, second = split_questions(rankings.questions, 0.5, s)
        drawn = [score[q.id] for q in one_per_document(first, s)]
        assert len(drawn) == len({q.document for q in first})
        qhat = conformal_quantile(drawn, 0.1)
        assert coverage == np.mean([score[q.id] <= qhat for q in second])
    with pytest.raises(ValueError, match="got 'page'"):
        split_coverage(rankings, by='page')


def test_only_one_question_a_document_keeps_the_law_on_a_new_document():
    "Uniform scores that a document's questions share: coverage on a new document is qhat itself."
    alpha, worlds, found = 0.1, 2000, []
    guide = [Question(f'{d} {i}', '?', document=f'{d}') for d in range(15) for i in range(20)]
    for seed in range(worlds):
        shared = dict(zip(map(str, range(15)), np.random.default_rng(seed).uniform(size=15)))
        parts = one_per_document(guide, seed), guide
        scores = [[shared[q.document] for q in part] for part in parts]
        found.append([conformal_quantile(part, alpha) for part in scores])
    # the 15th and the 14th of 15 documents
    for covered, law in zip(np.transpose(found), (beta(15, 1), beta(14, 2))):
        assert abs(covered.mean() - law.mean()) < 4 * law.std() / worlds**0.5
        assert abs(covered.std() / law.std() - 1) < 0.1
    assert beta(14, 2).mean() < 1 - alpha < beta(15, 1).mean()
    assert conformal_rank(300, alpha) / 320 <= beta(14, 2).mean()
    assert covered.std() > 4 * beta(271, 30).std()  # the band that 300 free questions would have


def test_another_knowledge_base_is_refused_and_the_difference_named(embedder, other_embedder, questions, tmp_path):
    docs = sample_documents()[:2]

    def make(name, docs=docs, embedder=embedder, **kw):
        return KnowledgeBase.create(tmp_path / name, docs, embedder, progress=False, **kw)

    mine = make('mine', budget=60)
    cal = calibrate(mine, [q for q in questions if q.document == docs[0].path][:3], progress=False)
    same = KnowledgeBase.open(tmp_path / 'mine', embedder, memory_budget=0)
    for k in (mine, same, make('again', budget=60)):
        cal.check(k)
    shorter = [replace(docs[0], sections=docs[0].sections[1:]), docs[1]]
    for kw, named in (
        (dict(docs=shorter, budget=60), {'chunks'}),
        (dict(docs=[replace(docs[0], title='Other'), docs[1]], budget=60), {'chunks'}),
        (dict(budget=60, overlap=0), {'chunks', 'chunker.overlap'}),
        (dict(), {'chunks', 'chunker.budget'}),
        (dict(budget=60, embedder=other_embedder), {'embedding.weights'}),
    ):
        other = make('other', **kw)
        for use in (lambda: cal.check(other), lambda: ConformalRetriever(other, cal, 0.1)):
            with pytest.raises(ValueError, match='to another knowledge base; calibrate again') as e:
                use()
            said = str(e.value).split('Different: ')[1].split('; ')
            assert {each.split(' (')[0] for each in said} == named
    mine.add(shorter, progress=False)
    with pytest.raises(ValueError, match='Different: chunks'):
        ConformalRetriever(mine, cal, 0.5)
    mine.add(docs, progress=False)
    assert ConformalRetriever(mine, cal, 0.5).qhat == cal.qhat(0.5)


@pytest.fixture(scope='module')
def asked_of_all(kb, questions):
    return calibrate(kb, questions, progress=False, groups='kind')


def test_for_new_documents_documents_are_counted(kb, asked_of_all):
    cal, new, levels = asked_of_all, ByDocument(), np.array([0.2, 0.1, 0.05])
    by_hand = new_document_threshold(cal.scores, cal.documents, levels)
    assert (cal.qhat(levels, new) == by_hand).all() and (by_hand >= cal.qhat(levels)).all()
    assert (by_hand > cal.qhat(levels))[1:].all()  # at .2 both are the best chunk's
    retriever = ConformalRetriever(kb, cal, 0.1, new)
    for alpha, qhat in zip(levels, by_hand):
        assert ((new.p_values(cal, cal.scores) > alpha) == (cal.scores <= qhat + cal.slack)).all()
    documents = len(set(cal.documents))
    assert cal.promise(0.1, new).n == documents < cal.n
    assert f'{documents} documents, each counting the same' in str(cal.promise(0.1, new))
    found = retriever.retrieve('Can I drink alcohol with it?')
    chunks = found.rows()
    assert chunks and all(c.p_value > 0.1 and c.score <= retriever.reach for c in chunks)
    assert len(found) >= len(ConformalRetriever(kb, cal, 0.1).retrieve(found.query))
    said = str(found.promise)
    assert 'about new documents, an' in said and 'sets (9 sets in 10, by the spread of' in said
    assert 'k = ' not in said and 'about the same documents' not in said
    usual = str(ConformalRetriever(kb, cal, 0.1).promise)
    assert 'about the same documents' in usual and 'new documents' not in usual
    brand = cal.subset(np.array(cal.groups) == 'brand')
    own = cal.promise(0.2, OfGroup('brand', inner=new))
    assert 'about new documents' in own.population
    assert own.threshold == new_document_threshold(brand.scores, brand.documents, 0.2)
    assert own.n == len(set(brand.documents))


def test_what_cannot_be_said_of_new_documents_is_refused(kb, asked_of_all, questions):
    retriever = ConformalRetriever(kb, asked_of_all, 0.1, ByDocument())
    for refused, why in [
        (lambda: AlphaExplorer(retriever, 'Can I drink?'), 'slides over thresholds of all questions'),
        (lambda: diagnose(retriever, None, questions[:5]), 'a diagnosis counts questions'),
    ]:
        with pytest.raises(ValueError, match=why):
            refused()
