"Scores beside each other, against counting by hand."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb import Distance, Hybrid, answering_chunks
from conflare_nb import conformal_quantile, empirical_band, rank_questions, split_questions
from conflare_nb.conformal.clusters import empirical_cluster_band
from conflare_nb.labels.question import question_clusters
from comparing import COLUMNS, COMPARED, MIXED_K, _band, _calibrating, compare_scores
from conflare_nb.evidence.evaluation import BEST_K, CALIBRATED_K


@pytest.fixture(scope='module')
def some(questions):
    return questions[::2]


@pytest.fixture(scope='module')
def table(kb, some):
    return compare_scores(kb, some, alphas=(0.2, 0.1), splits=6, seed=3, progress=False)


def by_hand(kb, some, score, alpha, splits, seed):
    "Coverage, chunks, tokens, empty: chunk by chunk, the mean of the splits."
    answers = dict(zip([q.id for q in some], answering_chunks(kb, some)))
    ranked = {q.id: score.rank(kb, q.text).to_pylist() for q in some}
    own, found = {}, []
    for i, rows in ranked.items():
        own[i] = min((r['score'] for r in rows if r['id'] in answers[i]), default=np.inf)
    for split in range(splits):
        first, second = split_questions(some, seed=seed + split)
        qhat = conformal_quantile([own[q.id] for q in first], alpha)
        kept = [[r['tokens'] for r in ranked[q.id] if r['score'] <= qhat] for q in second]
        each = [(own[q.id] <= qhat, len(k), sum(k), not k) for q, k in zip(second, kept)]
        found.append(np.mean(each, axis=0))
    return np.mean(found, axis=0)


@pytest.mark.parametrize('score', [Distance(), Hybrid()], ids=str)
def test_a_row_is_what_counting_gives(table, kb, some, score):
    for alpha in (0.2, 0.1):
        row = table[(table.score == score.name) & (table.alpha == alpha)].iloc[0]
        found = list(row[['coverage', 'chunks', 'tokens', 'empty']])
        assert found == pytest.approx(list(by_hand(kb, some, score, alpha, 6, 3)))


@pytest.mark.parametrize('score', [Distance(), Hybrid()], ids=str)
def test_each_k_is_of_its_own_ranking(table, kb, some, score):
    "By hand: the calibrated k, the smallest that covers the half, and a mean of two that covers as many."
    rankings = rank_questions(kb, some, progress=False, score=score)
    place = {q.id: i for i, q in enumerate(some)}
    found = {CALIBRATED_K: [], BEST_K: [], MIXED_K: []}
    for split in range(6):
        parts = split_questions(some, seed=3 + split)
        first, second = ([place[q.id] for q in part] for part in parts)
        held = rankings.ranks[second]
        reached = np.array([np.mean(held <= k) for k in range(301)])
        goal = np.mean(rankings.scores[second] <= conformal_quantile(rankings.scores[first], 0.1))
        k = conformal_quantile(rankings.ranks[first], 0.1)
        found[CALIBRATED_K].append((reached[int(k)], k))
        best = np.argmax(reached >= 0.9)
        found[BEST_K].append((reached[best], best))
        more = np.argmax(reached >= goal)
        share = (goal - reached[more - 1]) / (reached[more] - reached[more - 1])
        found[MIXED_K].append((goal, more - 1 + share))
    at = table[table.alpha == 0.1].set_index('score')
    for way, rows in found.items():
        row = at.loc[f'{score.name}, {way}']
        assert [row.coverage, row.chunks] == pytest.approx(np.mean(rows, axis=0))
        assert (row.ranking, row.way) == (score.name, way) and np.isnan(row.band_low)


def test_every_row_is_named(table):
    assert list(table.columns) == COLUMNS and (table.hardest_third <= table.coverage).all()
    rankings, ways = ('distance', 'hybrid', 'late'), (CALIBRATED_K, BEST_K, MIXED_K)
    ks = [f'{ranking}, {way}' for ranking in rankings for way in ways]
    names = *(s.name for s in COMPARED), *ks
    assert table.groupby('score').size().to_dict() == dict.fromkeys(names, 2)
    assert set(table.ranking) == set(rankings)  # of six scores: every row names its own


def test_a_threshold_that_is_none_is_said(kb, some):
    rows = compare_scores(kb, some[::4], (Distance(pool=1),), (0.05, 0.5), 3, progress=False)
    none, finite = (rows[rows.way == 'threshold'].iloc[i] for i in (0, 1))
    # everything in reach is retrieved: full coverage that says nothing
    assert (none.infinite, none.chunks, none.coverage) == (1, 1, 1)
    assert finite.infinite == 0 and finite.coverage < 1


def test_the_band_of_a_comparison_counts_documents(kb, some):
    "Questions that share documents are alike: the band is the mean over splits of the cluster band."
    ranked = rank_questions(kb, some, None, False, Distance())
    halves = _calibrating(ranked.questions, 3, 0)
    alone = replace(ranked, questions=[replace(q, document='') for q in ranked.questions])
    low, high = _band(ranked, halves, 0.2)
    number, scores = question_clusters(ranked.questions), ranked.scores
    of = [(scores[h], number[h], scores[~h], number[~h]) for h in halves]
    bands = [empirical_cluster_band(*each, 0.2) for each in of]
    assert (low, high) == pytest.approx(tuple(np.mean(bands, axis=0)))
    independent = [empirical_band(h.sum(), 0.2, (~h).sum()) for h in halves]
    assert _band(alone, halves, 0.2) == pytest.approx(np.mean(independent, axis=0))
    assert high - low >= np.diff(np.mean(independent, axis=0)).item() - 1e-9
