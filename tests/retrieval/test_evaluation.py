"What is kept of rankings, against counting chunk by chunk."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb.calibration.calibration import Calibration, calibrate
from conflare_nb.calibration.labeling import Label
from conflare_nb.conformal.threshold import conformal_quantile, covered
from conflare_nb.questions.question import Question, split_questions
from conflare_nb.retrieval.evaluation import (
    BEST_K,
    CALIBRATED_K,
    Rankings,
    cost_table,
    coverage_table,
    crossed_table,
    rank_questions,
    split_coverage,
)
from conflare_nb.retrieval.retriever import ConformalRetriever, answer_ranks
from conflare_nb.scores.hybrid import Hybrid
from conflare_nb.scores.score import Distance, Softmax
from conflare_nb.show.lottery import coverage_lottery
from conflare_nb.show.terminal import cost_cells

pytest_plugins = ['kb_fixtures']


@pytest.fixture(scope='module')
def some(questions):
    return questions[::25]


@pytest.fixture(scope='module', params=[Hybrid(), Softmax(pool=7), Distance()], ids=str)
def rankings(request, kb, some):
    return rank_questions(kb, some, progress=False, score=request.param)


def test_each_question_by_itself(rankings, kb, some):
    for qhat in (-1.0, 0.0, 0.3, 2.0, np.inf):
        found = rankings.each(qhat)
        for i, q in enumerate(some):
            kept = rankings.score.within(kb, q.text, qhat)
            assert (found['chunks'][i], found['tokens'][i], found['empty'][i]) == (
                kept.num_rows,
                sum(kept['tokens'].to_pylist()),
                kept.num_rows == 0,
            )
            assert found['coverage'][i] == (rankings.scores[i] <= qhat)
        assert rankings.at(qhat) == {name: values.mean() for name, values in found.items()}


def test_each_question_with_top_k(rankings, kb, some):
    for k in (1, 4):
        found = rankings.by_rank.each(k)
        for i, q in enumerate(some):
            best = rankings.score.rank(kb, q.text, k)
            assert (found['coverage'][i], found['chunks'][i], found['tokens'][i]) == (
                rankings.ranks[i] <= k,
                k,
                sum(best['tokens'].to_pylist()),
            )
    for goal in (0.1, 0.5, 0.8):
        top = rankings.top_k(goal)
        reached = [
            np.mean(rankings.ranks <= k) for k in range(1, rankings.chunk_scores.shape[1] + 1)
        ]
        assert (
            top is None
            if reached[-1] < goal
            else top['k'] == 1 + next(i for i, r in enumerate(reached) if r >= goal)
        )


@pytest.fixture(scope='module')
def foreign():
    return [
        Question(f'x{i}', text, 'Abba')
        for i, text in enumerate(('Who sang Waterloo?', 'Who sang it first?'))
    ]


def test_questions_that_nothing_answers_stand_beside(kb, some, foreign):
    whole, with_them = (
        rank_questions(kb, asked, progress=False)
        for asked in (some, [foreign[0], *some, foreign[1]])
    )
    assert (with_them.questions, with_them.unanswerable, whole.unanswerable) == (
        whole.questions,
        tuple(foreign),
        (),
    )
    assert (
        np.array_equal(with_them.scores, whole.scores)
        and with_them.at(0.3) == whole.at(0.3)
        and with_them.take([0, 2]).unanswerable == ()
    )
    cal = calibrate(kb, some, progress=False)
    rows = (
        coverage_table(cal, with_them),
        cost_table((cal, with_them), (cal, with_them)),
        coverage_table(cal, whole),
    )
    assert [set(table.unanswerable) for table in rows] == [{2}, {2}, {0}] and rows[0].drop(
        columns='unanswerable'
    ).equals(rows[2].drop(columns='unanswerable'))
    with pytest.raises(
        ValueError, match='nothing in it answers any of these 2, such as .Who sang Waterloo'
    ):
        rank_questions(kb, foreign, progress=False)


def test_an_infinite_threshold_has_no_band(kb, some):
    cal, test = (
        calibrate(kb, some[:8], progress=False),
        rank_questions(kb, some[8:], progress=False),
    )
    row = coverage_table(cal, test, (0.1,)).iloc[0]
    assert (row.qhat, row.coverage, row.chunks) == (
        np.inf,
        1,
        test.at(np.inf)['chunks'],
    ) and np.isnan([row.band_low, row.band_high]).all()
    assert (
        cost_cells(cost_table((cal, test), (cal, test), (0.1,)).iloc[0].to_dict())[2]
        == cal.score.everything
    )
    assert ConformalRetriever(kb, cal, 0.1).promise.band is None and tuple(cal.band(0.1)) == (1, 1)


def test_the_lottery_and_the_rankings_mean_the_same_by_covered():
    "One world, three ways to count: scores with infinite ones, every half of it a calibration set."
    rng = np.random.default_rng(5)
    world = np.where(rng.uniform(size=100) < 0.09, np.inf, rng.uniform(size=100))
    nothing = np.zeros((100, 0))
    drawn = coverage_lottery(50, 0.1, 200, world).coverage
    every = Rankings(
        [Question(str(i), '?') for i in range(100)], world, np.ones(100), nothing, nothing
    )
    counted = split_coverage(every, 0.1, 200, by='question')
    assert (
        0 < np.isinf(world).sum() <= 12
        and abs(drawn.mean() - counted.mean())
        < 3 * (drawn.var() / 200 + counted.var() / 200) ** 0.5
    )
    for qhat in (0.5, np.inf):
        assert np.array_equal(every.covered(qhat), covered(world, qhat))
    assert every.covered(np.inf).all() and not every.covered(1.0)[np.isinf(world)].any()


def test_a_part_of_the_questions(rankings, some):
    rows = np.arange(len(some)) % 2 == 1
    part = rankings.take(rows)
    assert [q.id for q in part.questions] == [
        q.id for q in some[1::2]
    ] and part.score == rankings.score
    assert part.at(0.3) == {
        name: pytest.approx(values[rows].mean()) for name, values in rankings.each(0.3).items()
    }


@pytest.fixture(scope='module')
def both(kb, questions):
    "(calibration, test rankings) by the default score and by distance: two rankings of the same chunks."
    first, second = split_questions(questions, seed=1)
    return [
        (
            calibrate(kb, first, progress=False, score=score),
            rank_questions(kb, second, progress=False, score=score),
        )
        for score in (Hybrid(), Distance())
    ]


def test_every_row_names_its_ranking_and_k_goes_by_the_one_in_use(both):
    (cal, test), (_, nearest) = both
    table = cost_table(*both, (0.1,))
    assert table.retrieved.tolist() == ['hybrid', CALIBRATED_K, BEST_K, 'distance']
    assert table.ranking.tolist() == ['hybrid'] * 3 + ['distance']
    _, calibrated, best, _ = table.to_dict('records')
    k = conformal_quantile([label.rank for label in cal.counted], 0.1)
    assert (calibrated['k'], calibrated['coverage']) == (k, np.mean(test.ranks <= k))
    goal = test.at(cal.qhat(0.1))['coverage']
    ks = [
        next(k for k in range(1, 301) if np.mean(ranked.ranks <= k) >= goal)
        for ranked in (test, nearest)
    ]
    assert best['k'] == ks[0] < ks[1]  # the other ranking's would flatter the threshold
    assert [cost_cells(row)[0].count('by hybrid') for row in table.to_dict('records')] == [
        1,
        1,
        1,
        0,
    ]


def test_the_table_of_crossed_questions_goes_by_one_ranking(both):
    (_, test), (_, nearest) = both
    table = crossed_table(test, nearest, (0.1,), splits=10)
    assert table.ranking.tolist() == ['hybrid'] * 3 + ['distance']
    threshold, calibrated, best, _ = table.to_dict('records')
    assert best['k'] == test.top_k(threshold['coverage'])['k']
    assert threshold['chunks'] < calibrated['chunks'] == calibrated['k']
    assert cost_table(both[1], both[1], (0.1,)).ranking.tolist() == ['distance'] * 3


def test_a_calibration_without_labels_has_no_k(kb, both):
    (cal, test), (_, nearest) = both
    bare = replace(cal, labels=())
    row = coverage_table(bare, test, (0.2,)).iloc[0]
    assert row.k is None and row.best_k == test.top_k(row.coverage)['k']
    with pytest.raises(ValueError, match='274 scores and 0 labels'):
        cost_table((bare, test), both[1])
    with pytest.raises(ValueError, match='tested on its own score'):
        coverage_table(cal, nearest)


@pytest.mark.parametrize('ties', [False, True], ids=['no ties', 'ties'])
def test_a_calibrated_k_has_the_guarantee_of_a_threshold(ties):
    "Ranks in random order: covered k/(n+1) of the time (Vovk et al. 2005), with ties at least."
    rng = np.random.default_rng(7)
    n, m, alpha, runs = 19, 40, 0.2, 2000
    covered = []
    for _ in range(runs):
        ranks = rng.permutation(n + m) + 1.0
        if ties:
            ranks = rng.geometric(0.5, n + m).astype(float)
        questions = [Question(str(i), '?') for i in range(n + m)]
        labels = tuple(Label(q.id, '?', 0.5, int(r), 'c') for q, r in zip(questions[:n], ranks))
        cal = Calibration(np.full(n, 0.5), {}, labels=labels)
        k = conformal_quantile(answer_ranks(cal), alpha)
        depth = np.zeros((m, n + m))
        test = Rankings(questions[n:], np.full(m, 0.5), ranks[n:], depth, depth)
        covered.append(test.by_rank.at(k)['coverage'])
    law = 16 / 20  # the 16th of 19: conformal_rank(19, .2)/(19+1)
    slack = 3 * np.std(covered) / runs**0.5
    assert np.mean(covered) > law - slack
    assert ties or abs(np.mean(covered) - law) < slack


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
    mean = found(splits, 0).coverage
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
