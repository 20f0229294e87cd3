"What is kept of rankings, against counting chunk by chunk."

from dataclasses import replace
from bunches import in_bunches
from hypothesis import given, settings, strategies as st
import numpy as np, pytest
from scipy.integrate import quad
from scipy.stats import beta, hypergeom
from conflare_nb import Distance, Hybrid, Question, Softmax, calibrate, conformal_quantile
from conflare_nb import conformal_rank, coverage_table, covered, rank_questions, split_questions
from conflare_nb.evidence.evaluation import AS_IT_IS, BEST_K, CALIBRATED_K, Rankings, cost_table, conditional_coverage
from conflare_nb.evidence.evaluation import crossed_table, pipeline_table, split_coverage
from conflare_nb.labels.question import one_per_document
from conflare_nb.show.lottery import coverage_lottery
from conflare_nb.app.terminal import cost_cells


@pytest.fixture(scope='module')
def some(questions):
    return questions[::25]


@pytest.fixture(scope='module', params=[Hybrid(), Softmax(pool=7), Distance()], ids=str)
def rankings(request, kb, some):
    return rank_questions(kb, some, progress=False, score=request.param)


def test_each_question_by_itself(rankings, kb, some):
    for qhat in (-1.0, 0.0, 0.3, 2.0, np.inf):
        found = rankings.each(qhat)
        kept = [rankings.score.within(kb, q.text, qhat) for q in some]
        assert found['chunks'].tolist() == [rows.num_rows for rows in kept]
        assert found['tokens'].tolist() == [sum(rows['tokens'].to_pylist()) for rows in kept]
        assert (found['empty'] == (found['chunks'] == 0)).all()
        assert (found['coverage'] == (rankings.scores <= qhat)).all()
        assert rankings.at(qhat) == {name: values.mean() for name, values in found.items()}
    odd = np.arange(len(some)) % 2 == 1
    part = rankings.take(odd)
    assert part.questions == some[1::2] and part.score == rankings.score
    each = rankings.each(0.3).items()
    assert part.at(0.3) == {name: pytest.approx(values[odd].mean()) for name, values in each}


def test_each_question_with_top_k(rankings, kb, some):
    for k in (1, 4):
        found = rankings.by_rank.each(k)
        best = [rankings.score.rank(kb, q.text, k) for q in some]
        assert found['tokens'].tolist() == [sum(rows['tokens'].to_pylist()) for rows in best]
        assert (found['chunks'] == k).all()
        assert (found['coverage'] == (rankings.ranks <= k)).all()


def test_the_lottery_and_the_rankings_mean_the_same_by_covered():
    "One world, three ways to count: scores with infinite ones, every half of it a calibration set."
    rng = np.random.default_rng(5)
    world = np.where(rng.uniform(size=100) < 0.09, np.inf, rng.uniform(size=100))
    assert 0 < np.isinf(world).sum() <= 12
    drawn = coverage_lottery(50, 0.1, 200, world).coverage
    every = of_scores(world)
    counted = split_coverage(every, 0.1, 200, by='question')
    error = (drawn.var() / 200 + counted.var() / 200) ** 0.5
    assert abs(drawn.mean() - counted.mean()) < 3 * error
    for qhat in (0.5, 1.0, np.inf):
        assert np.array_equal(every.covered(qhat), covered(world, qhat))
    assert every.covered(np.inf).all() and not every.covered(1.0)[np.isinf(world)].any()
    for qhat in (1.0, np.inf):  # what is out of reach is covered by everything, and not answered
        assert (every.each(qhat)['answered'] == np.isfinite(world)).all()


@pytest.fixture(scope='module')
def both(kb, questions):
    "(calibration, test rankings) by the default score and by distance: two rankings of the same chunks."
    first, second = split_questions(questions, seed=1)
    pairs = []
    for score in (Hybrid(), Distance()):
        cal = calibrate(kb, first, progress=False, score=score)
        pairs.append((cal, rank_questions(kb, second, progress=False, score=score)))
    return pairs


WAYS = ['hybrid', CALIBRATED_K, BEST_K, 'distance']
RANKINGS = ['hybrid', 'hybrid', 'hybrid', 'distance']


def test_every_row_names_its_ranking_and_k_goes_by_the_one_in_use(both):
    (_, test), (_, nearest) = both
    costs, crossed = cost_table(*both, (0.1,)), crossed_table(test, nearest, (0.1,), splits=10)
    for table in (costs, crossed):
        assert (table.retrieved.tolist(), table.ranking.tolist()) == (WAYS, RANKINGS)
        threshold, calibrated, best, _ = rows = table.to_dict('records')
        assert [cost_cells(row)[0].count('by hybrid') for row in rows] == [1, 1, 1, 0]
        assert best['k'] == test.top_k(threshold['answered'])['k'] <= calibrated['chunks']
        assert threshold['chunks'] < calibrated['chunks'] == calibrated['k']
    assert costs.coverage[1] == np.mean(test.ranks <= costs.k[1])
    assert cost_table(both[1], both[1], (0.1,)).ranking.tolist() == ['distance'] * 3


def test_a_calibration_without_labels_has_no_k(both):
    (cal, test), nearest = both
    bare = replace(cal, labels=())
    assert coverage_table(bare, test, (0.2,)).k.isna().all()
    usual, infinite = coverage_table(bare, test, (0.2, 0.001)).itertuples()
    assert np.isfinite(usual.band_low) and np.isinf(infinite.qhat) and np.isnan(infinite.band_low)
    with pytest.raises(ValueError, match='274 scores and 0 labels'):
        cost_table((bare, test), nearest)


def of_scores(scores):
    "Rankings of which only the scores matter."
    questions = [Question(str(i), f'question {i}') for i in range(scores.size)]
    nothing = np.zeros((scores.size, 1))
    return Rankings(questions, scores, np.ones(scores.size), nothing, nothing)


def by_hand(every, share, k, seed):
    "The share of the second part within the k-th smallest score of the first."
    first, second = split_questions(every.questions, share, seed)
    calibrating, test = ([int(q.id) for q in part] for part in (first, second))
    return np.mean(every.scores[test] <= np.sort(every.scores[calibrating])[k - 1])


def test_crossed_questions_are_tested_by_the_others():
    "Four fifths give the threshold, the last fifth tests it: k/(n+1), and not k/n of those that gave it."
    every = of_scores(np.random.default_rng(3).uniform(size=25))
    n, k, splits = 20, 17, 1000  # ceil(21 * .8)

    def found(splits, seed):
        return crossed_table(every, every, (0.2,), splits, seed).iloc[0]

    for seed in range(10):
        assert found(1, seed).coverage == pytest.approx(by_hand(every, 0.8, k, seed))
    single = [by_hand(every, 0.8, k, seed) for seed in range(splits)]
    row = found(splits, 0)
    mean = row.coverage
    assert mean == pytest.approx(np.mean(single))
    slack = 3 * np.std(single) / splits**0.5
    assert abs(mean - k / (n + 1)) < slack < k / n - k / (n + 1)


@pytest.mark.parametrize('by', ['document', 'question'])
def test_splits_are_tested_on_the_other_half(by):
    every = of_scores(np.random.default_rng(4).uniform(size=38))
    n, k, splits = 19, 18, 1000  # ceil(20 * .9)
    found = split_coverage(every, 0.1, splits, by)
    for seed in range(10):
        assert found[seed] == pytest.approx(by_hand(every, 0.5, k, seed))
    slack = 3 * found.std() / splits**0.5
    assert abs(found.mean() - k / (n + 1)) < slack < k / n - k / (n + 1)


def test_the_smallest_k_is_the_one_that_just_reaches():
    every = of_scores(np.arange(4.0))
    depth = np.zeros((4, 4))
    every = replace(every, ranks=np.array([3.0, 1.0, 4.0, 2.0]), chunk_scores=depth, tokens=depth)
    assert [every.top_k(goal)['k'] for goal in (0.25, 0.5, 0.51, 1.0)] == [1, 2, 3, 4]
    small = replace(every, chunk_scores=np.where(np.arange(4) < 2, depth, np.nan))  # pools of two
    assert small.by_rank.each(3)['chunks'].tolist() == [2] * 4


def test_an_infinite_threshold_covers_and_does_not_answer():
    "Three of ten are out of reach: at .2 no split has a threshold, at .5 some have."
    every = of_scores(np.where(np.arange(10) < 3, np.inf, np.arange(10.0)))
    places = np.where(np.isinf(every.scores), np.inf, 1)
    every = replace(every, ranks=places)
    table = crossed_table(every, every, (0.2, 0.4), 30)
    assert table.alpha.tolist() == [0.4] * 3 + [0.2] * 3  # from the largest on
    some, none = (table[table.alpha == alpha].set_index('retrieved') for alpha in (0.4, 0.2))
    score = every.score.name
    assert 0 < some.infinite[score] < none.infinite[score] == none.coverage[score] == 1
    assert some.band_low[score] < 1
    assert none.answered[score] < 1 and none.k[BEST_K] == 1
    own = pipeline_table(every, (0.2,)).set_index('retrieved')
    assert own.coverage[AS_IT_IS] == own.answered[AS_IT_IS] == 0.7


def test_five_documents_are_split_by_document_and_one_question_of_each_is_drawn():
    every = of_scores(np.random.default_rng(6).uniform(size=40))
    about = [replace(q, document=f'd{i % 5}') for i, q in enumerate(every.questions)]
    every = replace(every, questions=about)
    for seed in range(5):
        row = crossed_table(every, every, (0.2,), 1, seed).iloc[0]
        assert row.coverage == by_hand(every, 0.8, 27, seed)  # ceil(33 * .8)
    many = replace(every, questions=[replace(q, document=f'd{i // 2}') for i, q in enumerate(about)])
    found = split_coverage(many, 0.3, 5, by='one')
    for seed in range(5):
        first, second = split_questions(many.questions, seed=seed)
        drawn = [int(q.id) for q in one_per_document(first, seed)]
        qhat = np.sort(many.scores[drawn])[conformal_rank(len(drawn), 0.3) - 1]
        assert found[seed] == np.mean(many.scores[[int(q.id) for q in second]] <= qhat)


def test_who_chooses_a_way_may_not_calibrate_it():
    "The smallest of 18 independent thresholds, each Beta(28, 3), has the mean .789; by other questions it is 28/31."
    seen, others = np.random.default_rng(6).uniform(size=(2, 1500, 18, 30))
    qhats, fresh = (np.sort(scores, axis=2)[:, :, 27] for scores in (seen, others))
    best = qhats.argmin(axis=1)
    assert conformal_quantile(seen[0, best[0]], 0.1) == qhats[0].min()
    kept, chosen = qhats.min(axis=1), fresh[np.arange(1500), best]
    law = quad(lambda share: beta.sf(share, 28, 3) ** 18, 0, 1, points=[0.9])[0]
    for found, must in ((kept, law), (chosen, 28 / 31)):
        assert abs(found.mean() - must) < 4 * found.std() / 1500**0.5
    assert law < 0.79


@settings(deadline=None)
@given(st.lists(st.sampled_from([0, 0.5, 1, 2, np.inf]), min_size=1, max_size=30), st.sampled_from([0.05, 0.1, 1 / 3]))
def test_each_question_is_tried_by_the_threshold_of_all_the_others(scores, alpha):
    inside = [score <= conformal_quantile(np.delete(scores, i), alpha) for i, score in enumerate(scores)]
    groups = ['ab'[i % 3 == 0] for i in range(len(scores))]
    found = conditional_coverage(scores, dict(kind=groups), alpha).set_index('group')
    for group in set(groups):
        some = [x for x, name in zip(inside, groups) if name == group]
        assert found.n[group] == len(some) and found.coverage[group] == np.mean(some)
        law = hypergeom(len(scores), sum(inside), len(some))  # a group as if drawn among all
        low, high = np.array(law.interval(0.9)) / len(some)
        assert (found.low[group], found.high[group]) == (low, high)


@pytest.mark.parametrize('bunch, tied', [(1, False), (1, True), (3, False), (6, False)])
def test_at_most_one_group_in_ten_lies_outside_by_chance(bunch, tied):
    "Groups that are alike, of 240 questions in bunches, or with few different scores."
    rng, outside = np.random.default_rng(0), []
    documents = np.repeat(np.arange(240 // bunch), bunch)
    for _ in range(100):
        scores = rng.uniform(size=240 // bunch)
        if tied:
            scores = np.floor(scores * 3)
        groups = rng.integers(0, 8, 240 // bunch).astype(str)[documents]
        table = conditional_coverage(scores[documents], dict(kind=groups), 0.1, documents)
        outside += ((table.coverage < table.low) | (table.coverage > table.high)).tolist()
    assert np.mean(outside) <= 0.1


@pytest.mark.parametrize('large, each, small', [(12, 10, [1] * 400), (20, 5, [1] * 300), (8, 10, [2] * 100)])
def test_a_group_of_large_documents_wanders_as_far_as_they_do(large, each, small):
    "All are alike, and only the first group has the large documents: outside once in ten at most."
    scores, documents = in_bunches([each] * large + small, 0.7, 300)
    group = (documents < large).astype(str)
    outside = []
    for row in scores:
        found = conditional_coverage(row, dict(large=group), 0.1, documents)
        found = found.set_index('group').loc['True']
        outside.append(not found.low <= found.coverage <= found.high)
    assert np.mean(outside) <= 0.1
    one = conditional_coverage(row, dict(large=(documents == 0).astype(str)), 0.1, documents)
    assert one.low.isna().all()  # a single document


def test_numbers_are_cut_in_thirds_and_groups_are_not():
    known = dict(length=[3, 1, 2, 9, 8, 7], number=list('112233'))
    found = conditional_coverage(range(6), known, 0.5)
    assert found.n.tolist() == [2, 2, 2, 2, 2, 2] and found.known.tolist() == ['length'] * 3 + ['number'] * 3
    assert found.coverage.tolist() == [1, 0.5, 0, 1, 0.5, 0]
    tied = conditional_coverage(range(7), dict(length=[1, 1, 1, 2, 2, 2, 3]), 0.5)
    assert tied.n.tolist() == [3, 3, 1]  # what ties with a limit lies in the lower third
    with pytest.raises(ValueError, match='every score has its length; got 6 scores and 5'):
        conditional_coverage(range(6), dict(length=[1] * 5))
