"Composition of two p-values: the specification's numbers, exact rank arithmetic, properties, and coverage at every split."

import math
from fractions import Fraction
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom
from conflare_nb.conformal.two_steps import METHODS, Rule, bonferroni_levels, combined_p, rank_levels, rank_splits
from conflare_nb.conformal.two_steps import rank_threshold
from conflare_nb.conformal.threshold import conformal_quantile, p_values

inf = math.inf
prop = settings(derandomize=True, deadline=None, max_examples=150)
score = st.integers(-6, 0).map(float) | st.just(inf)  # counts with many ties, and out of reach
decimal = st.integers(1, 999).map(lambda i: i / 1000)
share = st.integers(0, 20).map(lambda i: i / 20)


@pytest.mark.parametrize('n,alpha,d', [(100, 0.1, 0.1), (500, 0.2, 0.1), (811, 0.05, 0.2)])
def test_pac_rank_is_the_largest_number_of_misses(n, alpha, d):
    level, _ = Rule('pac', n, alpha, 0.5, d).levels
    m = round(level * (n + 1))  # the rank is n+1-m: m-1 scores lie above the threshold
    assert binom.cdf(m - 1, n, alpha / 2) <= d / 2 < binom.cdf(m, n, alpha / 2)


def test_any_dependence():
    g = np.arange(1, 200) / 199
    P, Q = np.meshgrid(g, g)
    for alpha in (0.05, 0.1, 0.3):
        assert (Rule('bonferroni', 99, alpha)(P, Q) == (2 * np.minimum(P, Q) > alpha)).all()


@prop
@given(st.integers(1, 400), decimal, share)
def test_a_share_rounds_to_whole_ranks_of_the_whole_budget(n, alpha, s):
    splits, budget = rank_splits(n, alpha), int((n + 1) * Fraction(str(alpha)))
    assert splits.tolist() == [[m, budget - m] for m in range(budget + 1)]
    m = [a * (n + 1) for a in rank_levels(n, alpha, s)]
    assert np.rint(m).tolist() in splits.tolist() and sum(m) == pytest.approx(budget)
    assert abs(m[0] - s * budget) <= 0.5 + 1e-9 or 0 < s < 1 and min(m) == pytest.approx(1)
    assert budget < 2 or not 0 < s < 1 or min(m) > 0.5  # no step is left without a threshold
    for r, split in enumerate(splits.tolist() if budget else ()):  # a share found on n comes back
        again = np.array(rank_levels(n, alpha, r / budget)) * (n + 1)
        assert np.rint(again).tolist() == split


@prop
@given(st.lists(score, min_size=1, max_size=30), decimal)
def test_p_above_level_iff_score_within_threshold(cal, alpha):
    n, new = len(cal), np.array([*cal, inf, -3.5])
    for level in [m / (n + 1) for m in range(n + 1)] + [alpha]:
        assert ((p_values(new, cal) > level) == (new <= rank_threshold(cal, level))).all()
    assert rank_threshold(cal, 0) == inf
    assert rank_threshold(cal, alpha) == conformal_quantile(cal, alpha)


def test_levels_are_read_to_nine_decimals():
    for i in range(1, 100):
        for n in (9, 99, 999):
            m = math.floor((n + 1) * Fraction(i, 100) * Fraction(1, 10))  # share i/100 of alpha .1
            p = np.arange(1, n + 2) / (n + 1)
            assert (p > bonferroni_levels(0.1, i / 100)[0]).sum() == n + 1 - m


rules = st.builds(Rule, st.sampled_from(METHODS), st.integers(5, 200), decimal, share)
p_value = st.floats(0.004, 1)


@prop
@given(rules, st.lists(st.tuples(p_value, p_value), min_size=1, max_size=20), st.floats(1, 3))
def test_rules_are_monotone(rule, pairs, up):
    P, Q = np.array(pairs).T
    stays = rule(P, Q)
    for more in (rule(np.minimum(P * up, 1), Q), rule(P, np.minimum(Q * up, 1)), rule(P, 1.0)):
        assert not (stays & ~more).any()  # the last one is the gate


@prop
@given(rules, p_value, p_value)
def test_one_p_value_for_both_is_above_the_level_where_the_pair_stays(rule, p, q):
    level, both = sum(rule.levels), combined_p(rule, p, q)
    assert 0 < both <= 1 and (abs(both - level) < 1e-9 or (both > level) == rule(p, q))


@pytest.mark.parametrize('bad', [('ranks', -1, 0.1), ('ranks', 9, 0.1, 2), ('ranks', 9, 1.5)])
def test_bad_rules_are_named(bad):
    with pytest.raises(ValueError, match=f'got {bad[-1] if bad[1] > 0 else -1}'):
        Rule(*bad)


def pairs_covered(splits, n, reps, opposed, seed=0):
    "Coverage of (passage, answer) at each split, over `reps` calibration sets with one new question each."
    u, v = np.random.default_rng(seed).uniform(size=(2, reps, n + 1))
    if opposed:
        v = 1 - u
    none = np.full((reps, 1), inf)
    cal = [np.append(np.sort(x[:, :-1], axis=1), none, axis=1) for x in (u, v)]
    within = [[x[:, -1] <= c[:, n - m] for m in range(n)] for x, c in zip((u, v), cal)]
    return np.array([np.mean(within[0][a] & within[1][b]) for a, b in splits])


@pytest.mark.parametrize('n,alpha', [(19, 0.2), (30, 0.1), (59, 0.1), (150, 0.05)])
def test_bonferroni_covers_at_every_split(n, alpha):
    splits, reps = rank_splits(n, alpha), 20_000
    budget, error = len(splits) - 1, 4 * math.sqrt(alpha / reps)
    opposed, free = (pairs_covered(splits, n, reps, o) for o in (True, False))
    union = [1 - budget / (n + 1)] * (budget + 1)  # the bound is attained
    product = [(1 - a / (n + 1)) * (1 - b / (n + 1)) for a, b in splits]
    assert opposed == pytest.approx(union, abs=error)
    assert free == pytest.approx(product, abs=error)
    assert min(opposed.min(), free.min()) >= 1 - alpha - error


def test_full_conformal_covers():
    "The lesson's Algorithm 1 with a score that learns from the others of the bag."
    rng = np.random.default_rng(0)

    def nearest(i, x, y):
        others = np.delete(x, i)[np.delete(y, i) == y[i]]
        return min(abs(x[i] - others), default=math.inf)

    def once():
        y = rng.integers(0, 2, size=12)
        x = rng.normal(size=12) + 2 * y
        scores = np.array([nearest(i, x, y) for i in range(12)])
        return np.mean(scores >= scores[-1]) > 0.25

    assert np.mean([once() for _ in range(600)]) >= 0.75 - 3 * math.sqrt(0.75 * 0.25 / 600)
