"Choosing the split of alpha: every split is tried, no question both chooses and calibrates, and coverage where the truth is known."

import numpy as np, pytest
from conflare_nb.traq.alpha_split import choose_share, measures, set_measures, tabulate
from conflare_nb.conformal.two_steps import Rule, rank_levels, rank_splits
from sampled import sampled_question
from simulated import honest, pair_coverage, simulated_table


def test_every_row_names_its_question_and_the_row_above():
    t = tabulate([sampled_question(i) for i in range(40)])
    assert np.array_equal(t.clusters.question, t.passages.question[t.clusters.passage])
    pairs = set(zip(t.clusters.meaning.tolist(), t.clusters.question.tolist()))
    assert len(pairs) == len(set(t.clusters.meaning.tolist()))  # no two questions share one


table = simulated_table(600, seed=3)
ROWS = np.arange(60)


def test_enumeration_tries_every_split_and_takes_the_best():
    c = choose_share(table, ROWS, 0.2)
    costs = dict(c.trace)
    assert [round(s * 12) for s in costs] == list(range(13))
    assert costs[c.share] == min(costs.values())
    inside = max(x for share, x in c.trace if 2 / 12 < share < 10 / 12)
    for (_, x), (m, _) in zip(c.trace, rank_splits(60, 0.2)):  # against a direct evaluation
        found = measures(table, table.calibration(ROWS), Rule('ranks', 60, 0.2, m / 12))
        if found['unbounded'][0]:
            assert x > inside  # an infinite threshold never looks cheap
        else:
            assert x == pytest.approx(found['clusters'][ROWS].mean())


def test_no_question_both_chooses_and_calibrates():
    c = choose_share(table, ROWS, 0.2)
    with pytest.raises(ValueError, match="1 are in both, such as 'q59'"):
        c.rule(table.calibration(np.arange(59, 120)))
    with pytest.raises(ValueError, match="60 are in both"):
        set_measures(table, ROWS, table.calibration(ROWS), honest(table, ROWS, None, 0.2)[1])
    assert c.rule(table.calibration(np.arange(60, 200))).levels == rank_levels(140, 0.2, c.share)


@pytest.mark.parametrize('opposed', [True, False])
def test_every_split_covers(opposed):
    t = simulated_table(1500, seed=1, outside=0.02, infeasible=0.02, opposed=opposed)
    for m in (3, 4, 6, 8, 9):  # of 12 ranks; the others are unbounded now and then
        way = lambda t, rows, other, a: (t.calibration(rows), Rule('ranks', 60, a, m / 12))
        found = pair_coverage(t, way, reps=150)
        mean, error = found.mean(), found.std() / len(found) ** 0.5
        assert mean >= 0.8 - 3 * error, (m, mean)
        if opposed:
            assert mean <= 1 - 12 / 61 + 0.02 + 3 * error


def test_a_pair_out_of_reach_is_never_kept():
    table = simulated_table(60, outside=0.3, infeasible=0.3)
    cal = table.calibration(np.arange(60))
    reach = np.isfinite(table.s_ret) & np.isfinite(table.s_qa)

    def everything(p_ret, p_qa):
        return np.ones(np.broadcast(p_ret, p_qa).shape, dtype=bool)

    pairs = measures(table, cal, everything)['pair']
    assert np.array_equal(pairs, reach) and 0 < reach.sum() < 60
