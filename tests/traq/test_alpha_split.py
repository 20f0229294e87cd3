"Choosing the split of alpha: every split is tried, no question both chooses and calibrates, and coverage where the truth is known."

from dataclasses import replace
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.traq.alpha_split import CLUSTERS, COSTS, MEASURES, PASSAGES, WORDINGS, choose_share
from conflare_nb.traq.alpha_split import measures, set_measures, tabulate
from conflare_nb.conformal.two_steps import Rule, rank_levels, rank_splits
from sampled import sampled_question
from simulated import honest, pair_coverage, simulated_table

prop = settings(derandomize=True, deadline=None, max_examples=40)

# --- the three tables


def test_every_row_names_its_question_and_the_row_above():
    t = tabulate([sampled_question(i) for i in range(40)])
    for rows, columns in ((t.passages, PASSAGES), (t.clusters, CLUSTERS), (t.wordings, WORDINGS)):
        assert rows.dtype.names == tuple(name for name, _ in columns)
    assert np.array_equal(t.clusters.question, t.passages.question[t.clusters.passage])
    assert np.array_equal(t.wordings.question, t.clusters.question[t.wordings.cluster])
    for numbers, rows in ((t.clusters.meaning, t.clusters), (t.wordings.wording, t.wordings)):
        pairs = set(zip(numbers.tolist(), rows.question.tolist()))
        assert len(pairs) == len(set(numbers.tolist()))  # no two questions share one


# --- choosing the split

table = simulated_table(600, seed=3)
ROWS = np.arange(60)


@pytest.mark.parametrize('cost', COSTS)
def test_enumeration_tries_every_split_and_takes_the_best(cost):
    c = choose_share(table, ROWS, 0.2, cost=cost)
    costs = dict(c.trace)
    assert [round(s * 12) for s in costs] == list(range(13))
    assert costs[c.share] == min(costs.values())
    part, cal = table.take(ROWS), table.calibration(ROWS)
    renamed = replace(part, ids=part.ids.astype(object) + 'x')  # so that the questions differ
    inside = max(x for share, x in c.trace if 2 / 12 < share < 10 / 12)
    for (_, x), (m, _) in zip(c.trace, rank_splits(60, 0.2)):  # against a direct evaluation
        got = set_measures(renamed, np.arange(60), cal, Rule('ranks', 60, 0.2, m / 12))
        if got['unbounded']:
            assert x > inside  # an infinite threshold never looks cheap
        else:
            assert x == pytest.approx(got[cost])


def test_no_question_both_chooses_and_calibrates():
    c = choose_share(table, ROWS, 0.2)
    with pytest.raises(ValueError, match="1 do both, such as 'q59'"):
        c.rule(table.calibration(np.arange(59, 120)))
    with pytest.raises(ValueError, match="60 are in both"):
        set_measures(table, ROWS, table.calibration(ROWS), honest(table, ROWS, None, 0.2)[1])
    assert c.rule(table.calibration(np.arange(60, 200))).levels == rank_levels(140, 0.2, c.share)


@prop
@given(st.lists(st.integers(0, 599), min_size=1, max_size=30, unique=True))
def test_part_of_a_table_is_the_table_of_the_part(rows):
    rows = np.array(rows)
    cal = replace(table.calibration(ROWS), ids=tuple(map(str, range(60))))
    rule = Rule('ranks', 60, 0.2)
    a, b = (
        set_measures(table, rows, cal, rule),
        set_measures(table.take(rows), np.arange(rows.size), cal, rule),
    )
    assert a == pytest.approx(b) and set(a) == set(MEASURES)


# --- coverage with known truth


def mean_and_error(x):
    return x.mean(), x.std() / len(x) ** 0.5


@pytest.mark.parametrize('opposed', [True, False])
def test_every_split_covers(opposed):
    t = simulated_table(1500, seed=1, outside=0.02, infeasible=0.02, opposed=opposed)
    for m in (3, 4, 6, 8, 9):  # of 12 ranks; the others are unbounded now and then
        mean, error = mean_and_error(
            pair_coverage(
                t,
                lambda t, rows, other, a: (t.calibration(rows), Rule('ranks', 60, a, m / 12)),
                reps=150,
            )
        )
        assert mean >= 0.8 - 3 * error, (m, mean)
        if opposed:
            assert mean <= 1 - 12 / 61 + 0.02 + 3 * error


def tune_on_others(table, rows, other, alpha):
    cal = table.calibration(rows)
    return cal, choose_share(table, other, alpha).rule(cal)


@pytest.mark.parametrize('way', [honest, tune_on_others])
def test_the_right_ways_cover(way):
    mean, error = mean_and_error(pair_coverage(simulated_table(2000, seed=1), way, seed=1))
    assert mean >= 0.8 - 2 * error


def drop_outside(table, rows, other, alpha):
    return honest(table, rows[np.isfinite(table.s_ret[rows])], other, alpha)


def drop_infeasible(table, rows, other, alpha):
    return honest(table, rows[np.isfinite(table.s_qa[rows])], other, alpha)


def tune_on_calibration(table, rows, other, alpha):
    return table.calibration(rows), Rule(
        'ranks', len(rows), alpha, choose_share(table, rows, alpha).share
    )


def no_plus_one(table, rows, other, alpha):
    level = (len(rows) + 1 - int(np.ceil(round(len(rows) * (1 - alpha / 2), 9)))) / (len(rows) + 1)
    return table.calibration(rows), lambda p_ret, p_qa: (p_ret > level) & (p_qa > level)


@pytest.mark.parametrize('way', [drop_outside, drop_infeasible, no_plus_one, tune_on_calibration])
def test_each_shortcut_breaks_coverage(way):
    mean, error = mean_and_error(pair_coverage(simulated_table(2000, seed=1), way, seed=1))
    assert mean < 0.8 - 3 * error


@pytest.mark.parametrize(
    'method,least', [('bonferroni', 0.8), ('arithmetic', 0.8), ('pac', 0.8), ('harmonic', 0.8)]
)
def test_other_rules_where_the_steps_are_independent(method, least):
    t = simulated_table(1500, seed=2, opposed=False, outside=0.01, infeasible=0.01)
    mean, error = mean_and_error(
        pair_coverage(
            t, lambda t, rows, other, a: (t.calibration(rows), Rule(method, len(rows), a)), reps=100
        )
    )
    assert mean >= least - 3 * error


def test_a_pair_out_of_reach_is_never_kept():
    table = simulated_table(60, outside=0.3, infeasible=0.3)
    cal = table.calibration(np.arange(60))
    reach = np.isfinite(table.s_ret) & np.isfinite(table.s_qa)

    def everything(p_ret, p_qa):
        return np.ones(np.broadcast(p_ret, p_qa).shape, dtype=bool)

    pairs = measures(table, cal, everything, ['pair'])['pair']
    assert np.array_equal(pairs, reach) and 0 < reach.sum() < 60
