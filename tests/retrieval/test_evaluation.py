"What is kept of rankings, against counting chunk by chunk."

import numpy as np, pytest
from conflare_nb.calibration.calibration import Calibration, calibrate
from conflare_nb.conformal.threshold import covered
from conflare_nb.questions.question import Question
from conflare_nb.retrieval.evaluation import (
    Rankings,
    cost_table,
    coverage_table,
    rank_questions,
    split_coverage,
)
from conflare_nb.retrieval.retriever import ConformalRetriever
from conflare_nb.scores.hybrid import Hybrid
from conflare_nb.scores.score import Distance, Rank, Softmax
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
        found = rankings.each_top(k)
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
        == 'everything'
    )
    assert '% to ' not in ConformalRetriever(kb, cal, 0.1).terms and cal.band(0.1) == (1, 1)


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


def test_top_k_goes_by_the_ranking_that_it_is_given(kb, some):
    cal = Calibration(np.linspace(0, 3, 50), kb.fingerprint(), score=Hybrid())
    test, nearest = (
        rank_questions(kb, some, progress=False),
        rank_questions(kb, some, progress=False, score=Rank()),
    )
    row = coverage_table(cal, test, (0.2,), nearest=nearest).iloc[0]
    assert (
        row.top_k == nearest.top_k(row.coverage)['k']
        and row.top_k_tokens == nearest.top_k(row.coverage)['tokens']
    )
    assert (
        coverage_table(cal, test, (0.2,)).iloc[0].top_k == test.top_k(row.coverage)['k'] < row.top_k
    )
    with pytest.raises(ValueError, match='answers the same questions'):
        coverage_table(cal, test, nearest=nearest.take(np.arange(3)))
    with pytest.raises(ValueError, match='tested on its own score'):
        coverage_table(cal, nearest)
