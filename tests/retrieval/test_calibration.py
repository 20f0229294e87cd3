"Scores, thresholds, retrieval and coverage on the sample against brute force and the theorem; saved calibrations, whole, hostile and of another knowledge base."

import json, math, pickle
from dataclasses import replace
from fractions import Fraction
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import beta, betabinom
from conflare_nb.evidence.diagnosis import diagnose
from conflare_nb.answers.quotes import QuoteCalibration
from conflare_nb.evidence.audit import Audit
from conflare_nb.retrieval.calibration import Calibration, calibrate
from conflare_nb.conformal.clusters import cluster_band
from conflare_nb.conformal.new_documents import new_document_threshold
from conflare_nb.conformal.threshold import (
    Alpha,
    conformal_quantile,
    conformal_rank,
    empirical_band,
)
from conflare_nb.evidence.evaluation import (
    Rankings,
    cost_table,
    coverage_table,
    rank_questions,
    split_coverage,
)
from conflare_nb.labels.judges import ContainsJudge, answering_chunks
from conflare_nb.labels.labeling import UNANSWERABLE, Label, label_questions
from conflare_nb.retrieval.gate import calibrate_gate
from conflare_nb.evidence.monitor import DriftMonitor
from conflare_nb.retrieval.pipeline import PipelineCalibration
from conflare_nb.retrieval.retriever import ConformalRetriever, TopKRetriever, conformal_filter
from conflare_nb.labels.question import Question, one_per_document, split_questions
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance, Margin, Rank, Softmax
from conflare_nb.show.alpha import AlphaExplorer

pytest_plugins = ['kb_fixtures']
inf = math.inf


@pytest.fixture(scope='module')
def some(questions):
    return questions[::5]


@pytest.fixture(scope='module')
def cal(kb, some):
    return calibrate(kb, some, progress=False, score=Distance())


@pytest.fixture(scope='module')
def by_distance(kb, questions):
    return label_questions(kb, questions, progress=False, score=Distance())


@pytest.fixture(scope='module')
def walks(kb, some):  # for every question all chunks: (distance, id, does it answer), nearest first
    table = kb.table.to_arrow()
    chunks, vectors = (
        table.drop_columns(['vector']).to_pylist(),
        np.array(table['vector'].to_pylist()),
    )

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


# --- scores


def test_scores_and_ranks_equal_brute_force(kb, cal, walks, labels, by_distance, some):
    want = [next((d, i, c) for i, (d, c, answers) in enumerate(w, 1) if answers) for w in walks]
    assert [(l.rank, l.chunk) for l in cal.labels] == [(i, c) for _, i, c in want]
    assert np.allclose(cal.scores, [d for d, *_ in want], rtol=0, atol=1e-12)
    assert [l.question for l in cal.labels] == [q.id for q in some] and list(
        cal.labels
    ) == by_distance[::5]  # the same alone and among others
    assert (
        list(calibrate(kb, some, progress=False).labels) == labels[::5]
    )  # by meaning and words as well


@pytest.fixture(scope='module')
def lost(some):
    return [replace(q, id=f'lost {q.id}', sections=(('none.md', 'Nothing'),)) for q in some[:3]]


def test_questions_that_nothing_answers_are_set_apart(kb, some, lost):
    found = calibrate(kb, some[:12] + lost, progress=False, score=Distance())
    assert (found.n, len(found.labels), found.unanswerable) == (12, 15, 3) and list(
        found.scores
    ) == [l.score for l in found.scored_labels]
    assert [l.unanswerable for l in found.labels] == [False] * 12 + [True] * 3 and {
        l.reason for l in found.labels[12:]
    } == {UNANSWERABLE}
    assert np.array_equal(
        found.scores, calibrate(kb, some[:12], progress=False, score=Distance()).scores
    )  # as if they had not been asked
    retriever = ConformalRetriever(kb, found, 0.1)
    assert (
        'For at least 90% of answerable questions like the calibration questions, about the same'
        in retriever.promise.short
    )
    assert (
        'answers them: 3 of 15 (20%; 90% interval' in found._repr_html_()
        and calibrate(kb, some[:12], progress=False).unanswerable == 0
    )
    with pytest.raises(ValueError, match=r'nothing in it answers any of these 3, such as'):
        calibrate(kb, lost, progress=False)


def test_they_are_counted_as_infinite_on_demand(kb, some, lost):
    found = calibrate(
        kb, some[:12] + lost, progress=False, score=Distance(), unanswerable='include'
    )
    assert (found.n, found.unanswerable, found.scored_labels) == (15, 0, found.labels) and list(
        found.scores[12:]
    ) == [inf] * 3
    assert [found.qhat(a) for a in (0.19, 0.2, 0.3)] == [
        inf,
        inf,
        max(found.scores[:12]),
    ]  # the 13th of 15 is inf
    assert 'for 3 of 15 questions nothing that answers was found' in found.promise(0.19).rule
    assert [tuple(found.band(a)) == (1, 1) for a in (0.2, 0.3)] == [True, False]
    promise = ConformalRetriever(kb, found, 0.3).promise
    assert (round(promise.level, 9), promise.otherwise) == (0.7, 'everything is')
    assert promise.population.endswith('unanswerable ones included')
    with pytest.raises(ValueError, match='"exclude" or "include"; got None'):
        calibrate(kb, some[:2], progress=False, unanswerable=None)


def test_what_is_only_out_of_reach_counts(kb, some, lost):
    shallow = label_questions(kb, some[:12] + lost, depth=1, progress=False, score=Distance())
    deep = label_questions(kb, some[:12] + lost, progress=False, score=Distance())
    for l, d in zip(shallow[:12], deep):
        assert (
            l == d
            if d.rank == 1
            else (l.score, l.rank, l.chunk, l.reason) == (inf, None, None, 'not among the best 1')
        )
    cal = calibrate(kb, some[:12] + lost, 1, progress=False, score=Distance())
    beyond = sum(l.rank > 1 for l in deep[:12])
    assert 0 < beyond == np.isinf(cal.scores).sum() and (cal.n, cal.unanswerable) == (12, 3)
    judged = calibrate(
        kb,
        [Question('x', 'Who sang Waterloo?', 'Abba'), some[0]],
        5,
        progress=False,
        judge=ContainsJudge(),
    )
    assert (judged.n, judged.unanswerable, list(judged.scores)[0]) == (
        2,
        0,
        inf,
    )  # a judge that looks at the best five cannot know of the rest


def test_how_many_were_set_apart_stands_in_the_file(kb, some, lost, tmp_path):
    found = calibrate(kb, some[:12] + lost, progress=False)
    written = json.loads(found.save(tmp_path / 'cal.json').read_text())
    assert (
        written['n'],
        written['unanswerable'],
        len(written['scores']),
        len(written['labels']),
    ) == (12, 3, 12, 15)
    back = Calibration.load(tmp_path / 'cal.json')
    assert (back.unanswerable, back.scored_labels, back.labels, list(back.scores)) == (
        3,
        found.scored_labels,
        found.labels,
        list(found.scores),
    )
    without = Calibration.load(replace(found, labels=()).save(tmp_path / 'cal.json'))
    assert (without.unanswerable, without.scored_labels) == (
        3,
        (),
    ) and '3 of 15' in without._repr_html_()
    for bad in (-1, 2, 1.5, '3', True, None, [3], 10**400):
        (tmp_path / 'cal.json').write_text(json.dumps(written | dict(unanswerable=bad)))
        with pytest.raises(ValueError, match=r'cal\.json is no calibration: .') as e:
            Calibration.load(tmp_path / 'cal.json')
        assert len(str(e.value)) < len(str(tmp_path)) + 300


def test_an_audit_is_of_the_labels_that_calibrate(kb, some, lost):
    from conflare_nb.evidence.audit import audit_labels, gold_truth

    found = calibrate(kb, some[:12] + lost, progress=False)
    audit = audit_labels(found.scored_labels, gold_truth(kb, some, found.scored_labels))
    assert audit.judged == 12 and found.qhat(0.5, audit=audit) <= inf
    with pytest.raises(ValueError, match=r'other labels .*\(`counted`\)'):
        audit_labels(found.labels, gold_truth(kb, some, found.labels)).check(found)


def test_an_answer_alone_is_looked_for_everywhere(kb):
    text = kb.texts()[7].text
    words = text.split()[3:9]
    for answer, found in (
        (' '.join(words), True),
        (' '.join(words).upper(), True),
        (' '.join(words)[1:-1], False),
        ('no such words anywhere', False),
        ('?!', False),
    ):
        (ids,) = answering_chunks(kb, [Question('q', 'question', answer)])
        assert bool(ids) == found and all(c.id not in ids or words[1] in c.text for c in kb.texts())


def test_calibration_needs_questions_and_numbers(kb):
    with pytest.raises(ValueError, match='at least one question; got none'):
        calibrate(kb, [])
    for bad in (-0.1, math.nan, -inf):
        with pytest.raises(ValueError, match='scores are numbers from 0 on, or inf; got'):
            Calibration([0.1, bad], {})


# --- thresholds in use


def test_the_retriever_covers_exactly_k_of_its_n_calibration_questions(kb, cal, some):
    assert len(set(cal.scores)) == cal.n  # no ties
    r, answers = ConformalRetriever(kb, cal, 0.05), answering_chunks(kb, some)
    found = [r.retrieve(q.text) for q in some]
    for alpha in (0.5, 0.3, 0.1, 0.05):
        k, qhat = conformal_rank(cal.n, alpha), cal.qhat(alpha)
        covered = sum(
            any(c.id in ids and c.p_value > alpha for c in f.rows())
            for f, ids in zip(found, answers)
        )
        assert (
            covered
            == k
            == sum(
                any(c.id in ids and c.distance <= qhat for c in f.rows())
                for f, ids in zip(found, answers)
            )
        )
    assert r.k_of_n == (k, cal.n) and f'k = {k} of n = {cal.n}' in r.promise.rule


def test_retrieved_are_all_within_the_threshold(kb, cal, walks, some):
    r = ConformalRetriever(kb, cal, 0.1)
    for q, w in list(zip(some, walks))[::10]:
        got = r.retrieve(q.text)
        assert [c.id for c in got.rows()] == [i for d, i, _ in w if d <= r.qhat + 1e-12]
        assert got.chunks['rank'].to_pylist() == list(range(1, len(got) + 1)) and got.tokens == sum(
            c.tokens for c in got.rows()
        )
        assert [c.p_value for c in got.rows()] == [
            (1 + sum(cal.scores >= c.distance)) / (cal.n + 1) for c in got.rows()
        ]
        assert [c.id for c in TopKRetriever(kb, 5).retrieve(q.text).rows()] == [
            i for _, i, _ in w[:5]
        ]
    assert len(
        ConformalRetriever(kb, Calibration(cal.scores[:5], cal.fingerprint), 0.1).retrieve(
            'anything'
        )
    ) == len(kb)  # too few: everything


distance = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])  # many ties
score = st.one_of(distance, st.just(inf), st.none())


@settings(derandomize=True, deadline=None)
@given(
    st.lists(score, max_size=30),
    st.lists(distance, max_size=20),
    st.integers(1, 99).map(lambda a: a / 100),
)
def test_conformal_filter_is_the_exact_rule(scores, distances, alpha):
    chroma = dict(
        ids=[[str(i) for i in range(len(distances))]],
        documents=[[f'text {i}' for i in range(len(distances))]],
        distances=[distances],
        metadatas=None,
    )
    values, k = sorted(inf if s is None else s for s in scores), conformal_rank(len(scores), alpha)
    qhat = values[k - 1] if k <= len(values) else inf
    want = [f'text {i}' for i, d in enumerate(distances) if d <= qhat]
    assert conformal_filter(chroma, [dict(cosine_distance=s) for s in scores], alpha) == want
    assert conformal_filter(chroma, Calibration(values, {}), alpha) == want


def test_strict_comparison_would_lose_the_boundary():
    chroma, records = (
        dict(documents=[['a', 'b', 'c']], distances=[[0.1, 0.3, 0.4]]),
        [dict(cosine_distance=d) for d in [0.1, 0.2, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.9]],
    )
    assert (
        conformal_filter(chroma, records, 0.2)
        == ['a', 'b']
        != [t for t, d in zip('abc', [0.1, 0.3, 0.4]) if d < 0.3]
        == ['a']
    )


def test_tables_show_markup_as_text(kb, cal, some):
    by_both = calibrate(kb, some[:20], progress=False)  # by it there is always a best chunk
    found = ConformalRetriever(kb, replace(by_both, source='<i>me</i>'), 0.2).retrieve(
        '<b>bold</b>?'
    )
    nothing = ConformalRetriever(kb, replace(cal, scores=np.zeros(9), documents=()), 0.2).retrieve(
        '<b>bold</b>?'
    )
    assert len(nothing) == 0 and '<b>bold' not in nothing._repr_html_()
    long = TopKRetriever(kb, 23).retrieve('How do I store it?')
    for page in (
        found._repr_html_(),
        long._repr_html_(),
        replace(cal, source='<i>me</i>')._repr_html_(),
    ):
        assert (
            page.startswith('<p><b>')
            and page.endswith(('</table>', '</p>'))
            and page.count('<tr>') == page.count('</tr>') > 0
        )
        assert '<i>me' not in page and '<b>bold' not in page
    assert long._repr_html_().count('<details>') == 20 and long._repr_html_().endswith(
        '<p>and 3 more</p>'
    )


@pytest.mark.parametrize(
    'kind, done',
    [(Calibration, 'retrieved'), (QuoteCalibration, 'listed'), (PipelineCalibration, 'kept')],
)
def test_every_kind_says_in_two_lines_what_it_is(kind, done):
    found = kind([0.1, 0.2, inf] * 10, {}, 'me', '2026-01-31T12:00:00+00:00', unanswerable=2)
    made_of, threshold = str(found).splitlines()
    assert made_of.startswith(kind.__name__)
    assert '30 questions (me, 2026-01-31); for 10 of them nothing that answers was' in made_of
    assert 'set apart, since nothing in the knowledge base answers them: 2 of 32' in made_of
    assert 'alpha=0.1: ' in threshold and f' is {done}' in threshold


def test_one_question_of_nobody_is_one_question():
    alone = replace(Calibration([0.1], {}), group_label="the group 'a'")
    assert str(alone).startswith("Calibration by distance on 1 question of the group 'a'\nqhat is")


# --- coverage


@pytest.fixture(scope='module')
def ranked(questions):  # all that split_coverage looks at, of labels
    def of(labels):
        nothing = np.zeros((len(labels), 0))
        return Rankings(
            questions,
            np.array([l.score for l in labels]),
            np.array([l.rank for l in labels]),
            nothing,
            nothing,
        )

    return of


@pytest.fixture(scope='module')
def rankings(ranked, by_distance):
    return ranked(by_distance)


@pytest.mark.parametrize('alpha', [0.2, 0.1, 0.05])
def test_coverage_over_200_splits(rankings, alpha):
    "Without ties, the number covered in the second half has exactly the Beta-binomial law, whatever the scores are."
    assert len(set(rankings.scores)) == len(rankings)
    n = round(len(rankings) / 2)
    m = len(rankings) - n
    k, cov = conformal_rank(n, alpha), split_coverage(rankings, alpha, 200, by='question')
    law = betabinom(m, k, n + 1 - k)
    print(
        f'alpha={alpha}: mean coverage {cov.mean():.4f}, expected {k / (n + 1):.4f}, standard error {law.std() / m / 200**0.5:.4f}'
    )
    assert abs(cov.mean() - k / (n + 1)) < 3 * law.std() / m / 200**0.5
    assert abs(cov.std() / (law.std() / m) - 1) < 3 / (2 * 200) ** 0.5
    lo, hi = empirical_band(n, alpha, m)
    assert ((lo <= cov) & (cov <= hi)).mean() > 0.9 - 3 * (0.09 / 200) ** 0.5


@pytest.mark.parametrize(
    'score', [Hybrid(), Softmax(), Margin(), Rank()], ids=lambda score: score.name
)
def test_scores_with_ties_cover_at_least_as_much(kb, questions, ranked, score):
    "Many questions share a score (0, or 1), so that a threshold covers what it promises, and more where it falls on a tie."
    every = ranked(label_questions(kb, questions, progress=False, score=score))
    assert len(set(every.scores)) < len(every)
    n = round(len(every) / 2)
    m = len(every) - n
    for alpha in (0.2, 0.1, 0.05):
        k, cov = conformal_rank(n, alpha), split_coverage(every, alpha, 200, by='question')
        error = betabinom(m, k, n + 1 - k).std() / m / 200**0.5
        print(
            f'{score.name} alpha={alpha}: mean coverage {cov.mean():.4f}, at least {k / (n + 1):.4f}, standard error {error:.4f}'
        )
        assert cov.mean() > k / (n + 1) - 3 * error
    thresholds = np.sort(every.scores)
    assert (
        abs(
            split_coverage(every, 0.1, 200, by='question').mean()
            - np.mean(thresholds <= thresholds[conformal_rank(len(every), 0.1) - 1])
        )
        < 0.02
    )


@pytest.mark.parametrize(
    'score', [Hybrid(), Softmax(pool=20), Margin(), Rank(pool=10)], ids=lambda score: score.name
)
def test_the_retriever_covers_whom_its_calibration_says_by_any_score(kb, some, score):
    few = calibrate(kb, some[:40], progress=False, score=score)
    for alpha in (0.3, 0.1):
        r, answers = ConformalRetriever(kb, few, alpha), answering_chunks(kb, some[:40])
        found = [r.retrieve(q.text) for q in some[:40]]
        covered = [any(c.id in ids for c in f.rows()) for f, ids in zip(found, answers)]
        assert covered == [s <= r.qhat and np.isfinite(s) for s in few.scores] and (
            sum(covered) >= conformal_rank(few.n, alpha) or r.qhat == inf
        )
        assert all((c.score <= r.qhat) and c.p_value > alpha for f in found for c in f.rows())
        assert few.score.everything == ('everything' if score.pool is None else 'the whole pool')


def test_split_by_one_calibrates_with_one_question_of_each_document(rankings):
    found = split_coverage(rankings, 0.1, 20, by='one', seed=4)
    score = {q.id: s for q, s in zip(rankings.questions, rankings.scores)}
    for s, coverage in enumerate(found, 4):
        first, second = split_questions(rankings.questions, 0.5, s)
        drawn = sorted(score[q.id] for q in one_per_document(first, s))
        assert len(drawn) == len({q.document for q in first}) and coverage == np.mean(
            [score[q.id] <= drawn[conformal_rank(len(drawn), 0.1) - 1] for q in second]
        )
    with pytest.raises(ValueError, match="got 'page'"):
        split_coverage(rankings, by='page')


def test_only_one_question_a_document_keeps_the_law_on_a_new_document():
    "Uniform scores that the questions of a document share: coverage on a new document is qhat itself."
    K, each, alpha, worlds = 15, 20, 0.1, 2000
    guide = [Question(f'{d} {i}', '?', document=f'{d}') for d in range(K) for i in range(each)]

    def thresholds(seed):
        score = dict(
            zip([q.id for q in guide], np.repeat(np.random.default_rng(seed).uniform(size=K), each))
        )
        return [
            conformal_quantile([score[q.id] for q in part], alpha)
            for part in (one_per_document(guide, seed), guide)
        ]

    one, pooled = np.array([thresholds(seed) for seed in range(worlds)]).T
    for found, law in (
        (one, beta(15, 1)),
        (pooled, beta(14, 2)),
    ):  # the 15th and the 14th of 15 documents
        assert (
            abs(found.mean() - law.mean()) < 4 * law.std() / worlds**0.5
            and abs(found.std() / law.std() - 1) < 0.1
        )
    assert (
        beta(14, 2).mean() < 1 - alpha < beta(15, 1).mean()
        and conformal_rank(K * each, alpha) / ((K + 1) * each) <= beta(14, 2).mean()
    )
    assert pooled.std() > 4 * beta(271, 30).std()  # the band that 300 free questions would have


def test_evaluation_equals_brute_force(kb, some, walks, cal):
    r = rank_questions(kb, some, progress=False, score=Distance())
    assert list(r.scores) == list(cal.scores) and list(r.ranks) == [l.rank for l in cal.labels]
    size = {c.id: c.tokens for c in kb.texts()}
    for qhat in (0.0, float(np.median(r.scores)), cal.qhat(0.1), inf):
        sets = [[(i, yes) for d, i, yes in w if d <= qhat + 1e-12] for w in walks]
        want = dict(
            coverage=np.mean([any(yes for _, yes in s) for s in sets]),
            answered=np.mean([any(yes for _, yes in s) for s in sets]),
            chunks=np.mean([len(s) for s in sets]),
            tokens=np.mean([sum(size[i] for i, _ in s) for s in sets]),
            empty=np.mean([not s for s in sets]),
        )
        assert r.at(qhat) == pytest.approx(want)
    for goal in (0.5, 0.9, 1.0):
        k = next(k for k in range(1, len(kb) + 1) if np.mean(r.ranks <= k) >= goal)
        assert r.top_k(goal) == pytest.approx(
            dict(
                k=k,
                coverage=np.mean(r.ranks <= k),
                chunks=k,
                tokens=np.mean([sum(size[i] for _, i, _ in w[:k]) for w in walks]),
            )
        )
    shallow = rank_questions(kb, some[:10], depth=1, progress=False, score=Distance())
    assert [s for s in shallow.scores] == [
        s if k == 1 else inf for s, k in zip(r.scores[:10], r.ranks[:10])
    ]
    assert shallow.top_k(1.0) is None or (shallow.ranks == 1).all()
    row = coverage_table(cal, r, (0.1,)).iloc[0]
    assert (
        row.coverage == conformal_rank(cal.n, 0.1) / cal.n
        and row.best_k == r.top_k(row.coverage)['k']
    )


# --- saved and read again

scores = st.lists(st.one_of(st.floats(0, 2), st.just(inf), st.just(0.0)), min_size=1, max_size=20)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(scores, st.text(), st.text())
def test_a_saved_calibration_comes_back(tmp_path_factory, scores, source, text):
    labels = tuple(
        Label(
            f'q{i}', text, s, None if s == inf else i + 1, None if s == inf else f'{text}#{i}', text
        )
        for i, s in enumerate(scores)
    )
    cal = Calibration(
        scores,
        dict(embedding=dict(weights='w', prompts={}), chunks='c'),
        source,
        '2026-01-01T00:00:00+00:00',
        labels,
    )
    path = tmp_path_factory.mktemp('cal') / 'cal.json'
    cal.save(path)
    back = Calibration.load(cal.save(path))  # over an older one
    assert (list(back.scores), back.fingerprint, back.source, back.created, back.labels) == (
        list(cal.scores),
        cal.fingerprint,
        cal.source,
        cal.created,
        cal.labels,
    )
    assert [p.name for p in path.parent.iterdir()] == ['cal.json']
    json.loads(
        path.read_text(encoding='utf-8'), parse_constant=lambda c: pytest.fail(f'{c} is no JSON')
    )


GOOD = dict(
    schema='conflare_nb.calibration/2',
    created='2026',
    source='s',
    judge='',
    group_label='',
    n=2,
    unanswerable=0,
    new_documents=False,
    groups=[],
    documents=[],
    recall=[],
    fingerprint={'chunks': 'c'},
    score=Distance().fingerprint(),
    scores=[0.1, None],
    labels=[
        dict(question='q', text='t', score=0.1, rank=1, chunk='c', reason=''),
        dict(question='r', text='t', score=None, rank=None, chunk=None, reason='lost'),
    ],
)

BAD = {
    f'{k}: {str(v)[:20]}': json.dumps({**GOOD, k: v})
    for k, v in [
        ('schema', None),
        ('schema', 'other/1'),
        ('schema', 'x' * 10**6),
        ('n', 3),
        ('n', '2'),
        ('fingerprint', None),
        ('fingerprint', 'x'),
        ('judge', 5),
        ('recall', ['x']),
        ('scores', 5),
        ('scores', 'ab'),
        ('scores', {'a': 1, 'b': 2}),
        ('scores', [0.1, '0.2']),
        ('scores', [0.1, True]),
        ('scores', [0.1, math.nan]),
        ('scores', [0.1, -1]),
        ('scores', [0.1, -inf]),
        ('scores', [0.1, [1]]),
        ('scores', [0.1, 10**400]),
        ('labels', None),
        ('labels', [1]),
        ('labels', [{}]),
        ('labels', [{'score': 1, 'other': 1}]),
    ]
}
BAD |= {f'without {k}': json.dumps({j: v for j, v in GOOD.items() if j != k}) for k in GOOD}
BAD |= {
    'deep list': '[' * 100_000,
    'deep object': '{"a":' * 100_000,
    'list': '[]',
    'null': 'null',
    'empty': '',
    'cut': json.dumps(GOOD)[:-20],
    'pickle': pickle.dumps(GOOD),
    'UTF-16': json.dumps(GOOD).encode('utf-16'),
    'large integer': json.dumps(GOOD).replace('"n": 2', f'"n": {"1" * 5000}'),
    'noise': bytes(range(256)),
}


@pytest.mark.parametrize('what', BAD)
def test_a_file_that_is_no_calibration_is_refused(tmp_path, what):
    path = tmp_path / 'cal.json'
    path.write_bytes(BAD[what] if isinstance(BAD[what], bytes) else BAD[what].encode())
    with pytest.raises(ValueError, match=r'cal\.json is no calibration: .') as e:
        Calibration.load(path)
    assert len(str(e.value)) < len(str(path)) + 300


def test_the_good_one_is_read(tmp_path):
    (tmp_path / 'cal.json').write_text(json.dumps(GOOD))
    back = Calibration.load(tmp_path / 'cal.json')
    assert list(back.scores) == [0.1, inf] and back.labels[1] == Label(
        'r', 't', inf, None, None, 'lost'
    )
    with pytest.raises(FileNotFoundError, match='no calibration at'):
        Calibration.load(tmp_path / 'none.json')


# --- of another score

SCORED = {**GOOD, 'score': Hybrid().fingerprint()}


def with_setting(**settings):
    return {**SCORED, 'score': {**SCORED['score'], **settings}}


def without(*names):
    return {**SCORED, 'score': {k: v for k, v in SCORED['score'].items() if k not in names}}


WRONG_SCORE = {
    'unknown': with_setting(name='os.system'),
    'no name': without('name'),
    'a setting less': without('T'),
    'a setting more': with_setting(more=1),
    'negative pool': with_setting(pool=-5),
    'pool of half a chunk': with_setting(pool=0.5),
    'pool true': with_setting(pool=True),
    'T is a text': with_setting(T='.05'),
    'T is NaN': with_setting(T=math.nan),
    'T is 0': with_setting(T=0),
    'T is true': with_setting(T=True),
    'T is a list': with_setting(T=[0.05]),
    'words NaN': with_setting(words=math.nan),
    'words infinite': with_setting(words=inf),
    'words negative': with_setting(words=-1),
    'words null': with_setting(words=None),
    'flag is a text': with_setting(keep_first='no'),
    'flag is 1': with_setting(keep_first=1),
    'hostile name': with_setting(name='<script>\0\n' * 10**4),
    'hostile setting': with_setting(**{'__class__': 'x'}),
    'name is a list': with_setting(name=['hybrid']),
    'name is null': with_setting(name=None),
    'a list': {**SCORED, 'score': [['name', 'hybrid']]},
    'a text': {**SCORED, 'score': 'hybrid'},
    'null': {**SCORED, 'score': None},
    'a number': {**SCORED, 'score': 5},
    'empty': {**SCORED, 'score': {}},
    'missing': {k: v for k, v in SCORED.items() if k != 'score'},
    'the name of a class': with_setting(name='Hybrid'),
}


@pytest.mark.parametrize('what', WRONG_SCORE)
def test_a_score_that_is_none_is_refused(tmp_path, what):
    path = tmp_path / 'cal.json'
    path.write_text(json.dumps(WRONG_SCORE[what]))
    with pytest.raises(ValueError, match=r'cal\.json is no calibration: .') as e:
        Calibration.load(path)
    assert len(str(e.value)) < len(str(path)) + 300
    if what in ('a list', 'null'):
        with pytest.raises(ValueError, match='a score is its name and its settings'):
            Calibration.load(path, Hybrid())


@pytest.mark.parametrize(
    'score',
    [
        Hybrid(),
        Hybrid(words=0, T=1, pool=None, keep_first=False),
        Softmax(0.1, 7),
        Margin(),
        Rank(3),
        Distance(5),
    ],
    ids=str,
)
def test_the_file_names_the_score(tmp_path, score):
    cal = Calibration([0.1, inf], {'chunks': 'c'}, score=score)
    written = json.loads(cal.save(tmp_path / 'cal.json').read_text())
    assert (written['schema'], written['score']) == (
        'conflare_nb.calibration/2',
        score.fingerprint(),
    )
    assert (
        Calibration.load(tmp_path / 'cal.json').score
        == Calibration.load(tmp_path / 'cal.json', score).score
        == score
    )
    with pytest.raises(ValueError, match='measured with another score. Different: '):
        Calibration.load(tmp_path / 'cal.json', Hybrid(words=0.9))


# --- of another knowledge base


def test_another_knowledge_base_is_refused_and_the_difference_named(
    embedder, other_embedder, questions, tmp_path
):
    from conflare_nb.labels.guide import sample_documents

    docs = sample_documents()[:2]

    def make(name, docs=docs, embedder=embedder, **kw):
        return KnowledgeBase.create(tmp_path / name, docs, embedder, progress=False, **kw)

    mine = make('mine', budget=60)
    cal = calibrate(mine, [q for q in questions if q.document == docs[0].path][:3], progress=False)
    for k in (
        mine,
        KnowledgeBase.open(tmp_path / 'mine', embedder, memory_budget=0),
        make('again', budget=60),
    ):
        cal.check(k)
    shorter = [replace(docs[0], sections=docs[0].sections[1:]), docs[1]]
    for kw, named in (
        (dict(docs=shorter, budget=60), {'chunks'}),
        (dict(docs=[replace(docs[0], title='Other'), docs[1]], budget=60), {'chunks'}),
        (dict(budget=60, overlap=0), {'chunks', 'chunker.overlap'}),
        (dict(), {'chunks', 'chunker.budget'}),
        (dict(budget=60, with_header=False), {'chunks', 'chunker.with_header'}),
        (dict(budget=60, embedder=other_embedder), {'embedding.weights'}),
    ):
        other = make('other', **kw)
        for use in (lambda: cal.check(other), lambda: ConformalRetriever(other, cal, 0.1)):
            with pytest.raises(
                ValueError, match='belongs to another knowledge base; calibrate again'
            ) as e:
                use()
            assert {
                d.split(' (')[0] for d in str(e.value).split('Different: ')[1].split('; ')
            } == named
    mine.add(shorter, progress=False)
    with pytest.raises(ValueError, match='Different: chunks'):
        ConformalRetriever(mine, cal, 0.5)
    mine.add(docs, progress=False)
    assert ConformalRetriever(mine, cal, 0.5).qhat == cal.qhat(0.5)


def test_questions_that_share_documents_have_a_wider_band():
    rng = np.random.default_rng(0)
    scores = np.repeat(rng.random(20), 10) + 0.1 * rng.random(200)
    cal = Calibration(scores, {})
    names = np.repeat(np.arange(20), 10)
    known = tuple(f'{name}.md' for name in names)
    (low, high), (inner_low, inner_high) = replace(cal, documents=known).band(0.1), cal.band(0.1)
    assert low < inner_low < 0.9 < inner_high and (low, high) == cluster_band(scores, names, 0.1)
    assert replace(cal, documents=tuple(map(str, range(200)))).band('1/10') == cal.band(0.1)
    assert tuple(Calibration(scores[:5], {}, documents=known[:5]).band(0.1)) == (1, 1)


@pytest.mark.parametrize('by', ['distance', 'hybrid'])
def test_a_calibration_knows_its_documents(kb, some, lost, by, tmp_path):
    score = Distance() if by == 'distance' else Hybrid()
    found = calibrate(kb, some + lost, progress=False, score=score, groups='kind')
    assert found.documents == tuple(q.document for q in some) and found.n == len(
        some
    )  # not of those set apart
    free = replace(found, documents=())
    assert tuple(found.band(0.1)) == cluster_band(found.scores, found.documents, 0.1)
    assert tuple(free.band(0.1)) == cluster_band(found.scores, (), 0.1)
    assert found.band(0.1).low < free.band(0.1).low and tuple(found.band(0.001)) == (1, 1)
    assert found.effective_n(0.1) < found.n == free.effective_n(0.1)
    assert (
        f'questions that share documents or texts counted as {found.effective_n(0.1):.0f} independent ones: '
        in str(ConformalRetriever(kb, found, 0.1).promise)
    )
    assert 'if questions are independent: ' in str(ConformalRetriever(kb, free, 0.1).promise)
    kind = found.groups[0]
    assert found.of_group(kind).documents == tuple(
        d for d, g in zip(found.documents, found.groups) if g == kind
    )
    back = Calibration.load(found.save(tmp_path / 'cal.json'))
    assert back.documents == found.documents and back.band(0.1) == found.band(0.1)
    written = json.loads((tmp_path / 'cal.json').read_text())
    for bad in ('abc', None, ['a'], [3] * found.n, {'a': 'b'}, [['a']] * found.n):
        (tmp_path / 'cal.json').write_text(json.dumps(written | dict(documents=bad)))
        with pytest.raises(ValueError, match=r'cal\.json is no calibration: .') as e:
            Calibration.load(tmp_path / 'cal.json')
        assert len(str(e.value)) < len(str(tmp_path)) + 300


def test_nothing_is_said_of_other_documents_by_one(kb, some):
    alone = [replace(q, document='') for q in some]
    assert calibrate(kb, alone[:5], progress=False).documents == ()
    one = Calibration(np.linspace(0, 1, 30), {}, documents=('a.md',) * 30)
    assert (
        one.band(0.2).too_few
        and one.effective_n(0.2) == 0
        and 'calibration sets (too few documents for a band)' in str(one.promise(0.2))
    )
    each = Calibration(np.linspace(0, 1, 30), {}, documents=('',) * 30)
    assert each.band(0.2) == Calibration(np.linspace(0, 1, 30), {}).band(
        0.2
    ) and 'if questions are independent' in str(each.promise(0.2))


def test_equal_texts_are_one_cluster_and_count_as_often_as_asked(kb, some):
    copies = [replace(q, id=f'{q.id} {i}', document='') for q in some[:8] for i in range(6)]
    found = calibrate(kb, copies, progress=False)
    assert found.n == 48 and found.documents == ()
    assert found.clusters.tolist() == np.repeat(np.arange(8), 6).tolist()
    free = replace(found, labels=()).band(0.2)
    assert found.band(0.2).low < free.low and found.effective_n(0.2) < 24
    assert found.promise(0.2).band.counts == 'effective questions'
    assert 'share documents or texts as what they are worth' in found._repr_html_()
    shouted = tuple(replace(label, text=f' {label.text.upper()}  ') for label in found.labels[:24])
    mixed = replace(found, labels=shouted + found.labels[24:])
    assert mixed.clusters.tolist() == found.clusters.tolist()
    unknown = replace(found, labels=())
    assert unknown.clusters.tolist() == list(range(48)) and unknown.effective_n(0.2) == 48


@pytest.mark.parametrize('alpha,within', [(0.5, 72), (0.4, 72), (0.1, 91)])
def test_a_threshold_that_ties_promises_from_below_and_says_so(alpha, within):
    scores = [0.0] * 72 + list(range(1, 29))
    cal = Calibration(scores, {})
    low, high = cal.band(alpha)
    promise = cal.promise(alpha)
    if within == 91:
        assert high < 1 and not promise.band.tied and not promise.band.why
        return
    assert high == 1 and low == pytest.approx(beta.ppf(0.05, 72, 29)) and low <= 0.72
    assert promise.band.tied and ': at least 63.' in str(promise)
    assert f'scores tie with the threshold: {within} of the 100 calibration' in promise.band.why
    assert promise.band.why in str(promise) and promise.band.why not in promise.short
    audited = cal.promise(alpha, Audit(1000, 0))
    assert audited.band.tied and not audited.band.why


def test_a_level_may_be_a_fraction():
    cal = Calibration(np.arange(1.0, 9), {})
    assert cal.qhat('1/3') == 6 == cal.qhat(Fraction(1, 3)) < cal.qhat(1 / 3) == 7
    assert str(cal.promise('1/3')) == str(cal.promise(Fraction(1, 3)))
    assert 'at alpha=0.333333 (k = 6 of n = 8)' in cal.promise('1/3').rule
    assert 'at least 66.667% of' in cal.promise('1/3').short


def test_the_recall_of_pools_is_measured_and_kept(tmp_path):
    from conflare_nb.documents.store import pool_recall
    from letters import Letters, doc

    documents = [doc(f'{i:03d}.md', f'{chr(97 + i % 26) * 9} keeps {i}') for i in range(80)]
    kb = KnowledgeBase.create(
        tmp_path / 'kb', documents, Letters(), progress=False, memory_budget=0
    )
    asked = [
        Question(
            str(i),
            f'what is {chr(97 + i % 26) * 9}?',
            answer=f'keeps {i}',
            sections=((f'{i:03d}.md', ''),),
            document=f'{i:03d}.md',
        )
        for i in range(80)
    ]
    assert calibrate(kb, asked, score=Hybrid(pool=5), progress=False).recall == ()
    kb._index(min_size=1, compress=1)
    kb = KnowledgeBase.open(tmp_path / 'kb', Letters(), memory_budget=0)
    cal = calibrate(kb, asked, score=Hybrid(pool=5), progress=False)
    shares = pool_recall(kb, [q.text for q in asked[::4]], 5)
    assert cal.recall == (shares.mean(), shares.min()) and 0 < cal.recall[0] <= 1
    assert Calibration.load(cal.save(tmp_path / 'cal.json')).recall == cal.recall
    assert f'of the exact pools the index found {cal.recall[0]:.1%}' in cal._repr_html_()
    with pytest.raises(ValueError, match='IVF_RQ'):
        cal.check(KnowledgeBase.open(tmp_path / 'kb', Letters()))  # in memory pools are exact


# --- for new documents


@pytest.fixture(scope='module')
def asked_of_all(kb, questions):
    return calibrate(kb, questions, progress=False, groups='kind')


def test_for_new_documents_documents_are_counted(kb, asked_of_all, tmp_path):
    cal, levels = asked_of_all.for_new_documents(), np.array([0.2, 0.1, 0.05])
    by_hand = new_document_threshold(cal.scores, cal.documents, levels)
    assert (cal.qhat(levels) == by_hand).all() and (by_hand > asked_of_all.qhat(levels)).all()
    retriever = ConformalRetriever(kb, cal, 0.1)
    found = retriever.retrieve('Can I drink alcohol with it?')
    chunks = found.rows()
    assert chunks and all((c.p_value > 0.1) == (c.score <= retriever.qhat) for c in chunks)
    assert len(found) >= len(ConformalRetriever(kb, asked_of_all, 0.1).retrieve(found.query))
    said = str(found.promise)
    assert 'about new documents, an' in said and 'sets (9 sets in 10, by the spread of' in said
    assert 'k = ' not in said and 'about the same documents' not in said
    usual = str(ConformalRetriever(kb, asked_of_all, 0.1).promise)
    assert 'about the same documents' in usual and 'new documents' not in usual
    back = Calibration.load(cal.save(tmp_path / 'cal.json'))
    assert (
        back.new_documents
        and (back.qhat(levels) == by_hand).all()
        and back.population_text == cal.population_text
    )
    data = json.loads((tmp_path / 'cal.json').read_text())
    for wrong, says in [
        (dict(new_documents='yes'), "'new_documents' of a calibration cannot be yes"),
        (dict(documents=[]), 'it is not known'),
    ]:
        (tmp_path / 'bad.json').write_text(json.dumps(data | wrong))
        with pytest.raises(ValueError, match=says):
            Calibration.load(tmp_path / 'bad.json')


def test_what_cannot_be_said_of_new_documents_is_refused_in_a_line(kb, asked_of_all, questions):
    cal = asked_of_all.for_new_documents()
    audit = Audit(50, 0)
    gate = calibrate_gate(kb, asked_of_all, progress=False)
    tested = rank_questions(kb, questions[:5], progress=False)
    retriever = ConformalRetriever(kb, cal, 0.1)
    for refused, what in [
        (lambda: cal.qhat(0.1, 'pac'), "the method 'pac'"),
        (lambda: cal.qhat(0.1, audit=audit), 'an audit'),
        (lambda: ConformalRetriever(kb, cal, 0.1, gate=gate), 'a gate'),
        (lambda: calibrate_gate(kb, cal, progress=False).behind(cal, 0.1), 'a gate'),
        (lambda: cal.of_group('brand', 30), 'a threshold that small groups share'),
        (lambda: coverage_table(cal, tested), 'a table of coverage'),
        (lambda: cost_table((cal, tested), (cal, tested)), 'a table of costs'),
        (lambda: AlphaExplorer(retriever, 'Can I drink?'), 'the explorer'),
        (lambda: retriever.k_of_n, 'the rank of a threshold'),
        (lambda: DriftMonitor(kb, cal), 'a monitor'),
        (lambda: diagnose(retriever, None, questions[:5]), 'a diagnosis'),
        (
            lambda: PipelineCalibration([0.1], {}, documents=('a',)).for_new_documents(),
            'the cut of a pipeline',
        ),
    ]:
        with pytest.raises(ValueError, match=f'^{what} counts questions, and this calibration'):
            refused()
    brand = ConformalRetriever(kb, cal, 0.2, groups='kind').of_group('brand').cal
    assert 'about new documents' in brand.population_text and brand.qhat(
        0.2
    ) == new_document_threshold(brand.scores, brand.documents, 0.2)
    unnamed = replace(questions[3], document='')
    with pytest.raises(ValueError, match='of 1 of these 5 it is not known, such as') as error:
        calibrate(kb, [*questions[:3], unnamed, questions[4]], progress=False).for_new_documents()
    assert repr(unnamed.text) in str(error.value)


def test_too_few_documents_are_named(asked_of_all):
    first = list(dict.fromkeys(asked_of_all.documents))[:8]
    inside = np.isin(asked_of_all.documents, first)
    few = Calibration(
        asked_of_all.scores[inside],
        {},
        documents=tuple(np.array(asked_of_all.documents)[inside].tolist()),
    ).for_new_documents()
    assert few.n > 70 and tuple(few.band(0.1)) == (1.0, 1.0)
    assert (
        few.promise(0.1).short
        == 'qhat is infinite at alpha=0.1: 8 documents are too few, at least 9 documents are needed. Everything is retrieved.'
    )
    assert '8 documents, each counting the same' in few.promise(0.2).rule
    lost = replace(few, scores=np.append(few.scores, [inf] * 8), documents=(*few.documents, *first))
    assert 'for 8 of' in replace(lost, new_documents=True).promise(Alpha('1/9')).rule
