"What is kept of rankings, against counting chunk by chunk."
import numpy as np, pytest
from conflare_nb.calibration.calibration import Calibration
from conflare_nb.retrieval.evaluation import coverage_table, rank_questions
from conflare_nb.scores.hybrid import Hybrid
from conflare_nb.scores.score import Distance, Rank, Softmax

pytest_plugins = ['kb_fixtures']

@pytest.fixture(scope='module')
def some(questions): return questions[::25]

@pytest.fixture(scope='module', params=[Hybrid(), Softmax(pool=7), Distance()], ids=str)
def rankings(request, kb, some): return rank_questions(kb, some, progress=False, score=request.param)

def test_each_question_by_itself(rankings, kb, some):
    for qhat in (-1., 0., .3, 2., np.inf):
        found = rankings.each(qhat)
        for i, q in enumerate(some):
            kept = rankings.score.within(kb, q.text, qhat)
            assert (found['chunks'][i], found['tokens'][i], found['empty'][i]) == (kept.num_rows, sum(kept['tokens'].to_pylist()), kept.num_rows == 0)
            assert found['coverage'][i] == (rankings.scores[i] <= qhat and np.isfinite(rankings.scores[i]))
        assert rankings.at(qhat) == {name: values.mean() for name, values in found.items()}

def test_each_question_with_top_k(rankings, kb, some):
    for k in (1, 4):
        found = rankings.each_top(k)
        for i, q in enumerate(some):
            best = rankings.score.rank(kb, q.text, k)
            assert (found['coverage'][i], found['chunks'][i], found['tokens'][i]) == (rankings.ranks[i] <= k, k, sum(best['tokens'].to_pylist()))
    for goal in (.1, .5, .8):
        top = rankings.top_k(goal)
        reached = [np.mean(rankings.ranks <= k) for k in range(1, rankings.chunk_scores.shape[1]+1)]
        assert top is None if reached[-1] < goal else top['k'] == 1+next(i for i, r in enumerate(reached) if r >= goal)

def test_a_part_of_the_questions(rankings, some):
    rows = np.arange(len(some)) % 2 == 1
    part = rankings.take(rows)
    assert [q.id for q in part.questions] == [q.id for q in some[1::2]] and part.score == rankings.score
    assert part.at(.3) == {name: pytest.approx(values[rows].mean()) for name, values in rankings.each(.3).items()}

def test_top_k_goes_by_the_ranking_that_it_is_given(kb, some):
    cal = Calibration(np.linspace(0, 3, 50), kb.fingerprint(), score=Hybrid())
    test, nearest = rank_questions(kb, some, progress=False), rank_questions(kb, some, progress=False, score=Rank())
    row = coverage_table(cal, test, (.2,), nearest=nearest).iloc[0]
    assert row.top_k == nearest.top_k(row.coverage)['k'] and row.top_k_tokens == nearest.top_k(row.coverage)['tokens']
    assert coverage_table(cal, test, (.2,)).iloc[0].top_k == test.top_k(row.coverage)['k'] < row.top_k
    with pytest.raises(ValueError, match='answers the same questions'): coverage_table(cal, test, nearest=nearest.take(np.arange(3)))
    with pytest.raises(ValueError, match='tested on its own score'): coverage_table(cal, nearest)
