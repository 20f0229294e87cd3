"Composition of two p-values: the specification's numbers, exact rank arithmetic, properties, and coverage at every split."

import math
from fractions import Fraction
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.conformal.two_steps import (
    METHODS,
    Rule,
    bonferroni_levels,
    both_above,
    combined_level,
    combined_p,
    full_conformal_p,
    harmonic_above,
    harmonic_gate,
    harmonic_size,
    landau_level,
    mean_above,
    pac_levels,
    pac_questions,
    rank_levels,
    rank_splits,
    rank_threshold,
    rule_text,
)
from conflare_nb.conformal.threshold import conformal_quantile, conformal_rank, p_values, pac_rank

inf = math.inf
prop = settings(derandomize=True, deadline=None, max_examples=150)
score = st.one_of(
    st.integers(-6, 0).map(float), st.just(inf)
)  # counts with many ties, and out of reach
decimal = st.integers(1, 999).map(lambda i: i / 1000)
share = st.integers(0, 20).map(lambda i: i / 20)

# --- the specification's numbers


def test_landau_levels():
    assert landau_level(np.array([0.05, 0.1, 0.2])) == pytest.approx(
        [0.042434, 0.078338, 0.145274], abs=5e-7
    )
    assert landau_level(0.1, 2) == landau_level(0.1) > landau_level(0.1, 3) > landau_level(0.1, 20)


def test_harmonic_size():
    assert harmonic_size(0.1) == pytest.approx((0.088, 0.157), abs=5e-4)
    assert harmonic_size(0.1, 0.3)[1] == pytest.approx(
        landau_level(0.1) * (math.sqrt(0.3) + math.sqrt(0.7)) ** 2
    )


@pytest.mark.parametrize('alpha', [0.05, 0.1, 0.2])
@pytest.mark.parametrize('w', [0.2, 0.5, 0.9])
def test_harmonic_size_by_simulation(alpha, w):
    u, v = np.random.default_rng(0).uniform(size=(2, 400_000))
    free, worst = harmonic_size(alpha, w)
    miss = lambda a, b: 1 - harmonic_above(a, b, alpha, w).mean()
    assert miss(u, v) == pytest.approx(free, abs=4 * math.sqrt(free / 400_000))
    tied = np.where(u < worst, worst - u, u) * (1 - 1e-9)  # uniform as well, and as bad as can be
    assert miss(u, tied) == pytest.approx(worst, abs=4 * math.sqrt(worst / 400_000))


def test_gate():
    for alpha in (0.05, 0.1, 0.2):
        for w in (0.1, 0.5, 0.8):
            g = harmonic_gate(alpha, w)
            assert g == pytest.approx(w / (1 / landau_level(alpha) - (1 - w)))
            assert harmonic_above([g * (1 + 1e-9), g * (1 - 1e-9)], 1.0, alpha, w).tolist() == [
                True,
                False,
            ]


def test_pac():
    assert pac_questions(0.05) == 59 and 0.95**59 <= 0.05 < 0.95**58
    assert [pac_levels(n, 0.1) for n in (58, 59)] == [(0, 0), (1 / 60, 1 / 60)]
    assert 'not enough questions' in rule_text(
        Rule('pac', 58, 0.1)
    ) and 'not enough' not in rule_text(Rule('pac', 59, 0.1))
    for n in (100, 516):
        assert pac_levels(n, 0.2, 0.3) == tuple(
            (n + 1 - pac_rank(n, a, 0.05)) / (n + 1) for a in (0.06, 0.14)
        )


@pytest.mark.parametrize('n,alpha,d', [(100, 0.1, 0.1), (500, 0.2, 0.1), (811, 0.05, 0.2)])
def test_pac_rank_is_the_largest_number_of_misses(n, alpha, d):
    from scipy.stats import binom

    m = round(
        pac_levels(n, alpha, 0.5, d)[0] * (n + 1)
    )  # the rank is n+1-m: m-1 scores lie above the threshold
    assert binom.cdf(m - 1, n, alpha / 2) <= d / 2 < binom.cdf(m, n, alpha / 2)


def test_any_dependence():
    g = np.arange(1, 200) / 199
    P, Q = np.meshgrid(g, g)
    for alpha in (0.05, 0.1, 0.3):
        assert (both_above(P, Q, *bonferroni_levels(alpha)) == (2 * np.minimum(P, Q) > alpha)).all()
        assert (mean_above(P, Q, alpha) == (2 * (P + Q) / 2 > alpha)).all()
        for w in (0.1, 0.5, 0.8):
            s = math.sqrt(w) + math.sqrt(1 - w)
            stays = 1 / (w / P + (1 - w) / Q) > alpha / s**2
            assert not (
                both_above(P, Q, alpha * math.sqrt(w) / s, alpha * math.sqrt(1 - w) / s) & ~stays
            ).any()


# --- rank arithmetic


@prop
@given(st.integers(1, 400), decimal)
def test_splits_use_the_whole_budget(n, alpha):
    splits = rank_splits(n, alpha)
    budget = int((n + 1) * Fraction(str(alpha)))
    assert splits.sum(axis=1).tolist() == [budget] * (budget + 1) and splits[:, 0].tolist() == list(
        range(budget + 1)
    )
    assert [round(a * (n + 1)) for a in rank_levels(n, alpha, 0.5)] in splits.tolist()


@prop
@given(st.integers(1, 400), decimal, share)
def test_a_share_rounds_to_whole_ranks(n, alpha, s):
    m = [a * (n + 1) for a in rank_levels(n, alpha, s)]
    budget = n + 1 - conformal_rank(n, alpha)
    assert sum(m) == pytest.approx(budget) and (
        abs(m[0] - s * budget) <= 0.5 + 1e-9 or 0 < s < 1 and min(m) == pytest.approx(1)
    )
    assert budget < 2 or not 0 < s < 1 or min(m) > 0.5  # no step is left without a threshold
    for r, split in enumerate(
        rank_splits(n, alpha)
    ):  # a share found on n questions comes back on n questions
        if budget:
            assert (
                np.rint(np.array(rank_levels(n, alpha, r / budget)) * (n + 1)).tolist()
                == split.tolist()
            )


@prop
@given(st.lists(score, min_size=1, max_size=30), st.data())
def test_p_above_level_iff_score_within_threshold(cal, data):
    n = len(cal)
    new, alpha = np.array([*cal, inf, -3.5]), data.draw(decimal)
    for level in [m / (n + 1) for m in range(n + 1)] + [alpha]:
        assert ((p_values(new, cal) > level) == (new <= rank_threshold(cal, level))).all()
    assert rank_threshold(cal, 0) == inf and rank_threshold(cal, alpha) == conformal_quantile(
        cal, alpha
    )


def test_levels_are_read_to_nine_decimals():
    for i in range(1, 100):
        for n in (9, 99, 999):
            m = math.floor((n + 1) * Fraction(i, 100) * Fraction(1, 10))  # share i/100 of alpha .1
            p = np.arange(1, n + 2) / (n + 1)
            assert (p > bonferroni_levels(0.1, i / 100)[0]).sum() == n + 1 - m


# --- rules

small = st.integers(1, 700).map(lambda i: i / 1000)  # the harmonic mean has no level for more
rules = st.builds(Rule, st.sampled_from(METHODS), st.integers(5, 200), small, share)


@prop
@given(
    rules,
    st.lists(st.tuples(st.floats(0.004, 1), st.floats(0.004, 1)), min_size=1, max_size=20),
    st.floats(1, 3),
)
def test_rules_are_monotone(rule, pairs, up):
    P, Q = np.array(pairs).T
    stays = rule(P, Q)
    assert (
        not (stays & ~rule(np.minimum(P * up, 1), Q)).any()
        and not (stays & ~rule(P, np.minimum(Q * up, 1))).any()
    )
    assert not (stays & ~rule(P, 1.0)).any()  # the gate lets through whatever can stay


@prop
@given(rules)
def test_combined_p_agrees_with_the_rule(rule):
    P, Q = np.meshgrid(*[np.arange(1, rule.n + 2) / (rule.n + 1)] * 2)
    p = combined_p(rule, P, Q)
    clear = np.abs(p - combined_level(rule)) > 1e-9
    assert (
        ((p > combined_level(rule)) == rule(P, Q))[clear].all() and (p <= 1).all() and (p > 0).all()
    )


def test_bad_rules_are_named():
    for bad, says in (
        (('fisher', 9, 0.1), "got 'fisher'"),
        (('ranks', 9, 1.0), 'got 1'),
        (('ranks', -1, 0.1), 'got -1'),
        (('ranks', 9, 0.1, 2.0), 'got 2'),
        (('harmonic', 9, 0.8), 'between 0 and 0.734; got 0.8'),
    ):
        with pytest.raises(ValueError, match=says):
            Rule(*bad)


def test_texts_promise_what_holds():
    assert 'Approximately' in rule_text(
        Rule('harmonic', 99, 0.1)
    ) and 'at worst 15.7%' in rule_text(Rule('harmonic', 99, 0.1))
    assert rule_text(Rule('ranks', 99, 0.1)).startswith(
        'On average over calibration sets, at least 90%'
    )
    assert rule_text(Rule('ranks', 9, 0.1)).startswith(
        'No guarantee: there are not enough questions'
    )
    assert 'one step' in rule_text(Rule('ranks', 99, 0.1, 0.0))
    for method in METHODS:
        assert (
            rule_text(Rule(method, 99, 0.1))
            .split(':')[0]
            .rstrip('.')
            .endswith('have a set that holds a right answer, or is everything')
        )


# --- coverage, with known truth


def pairs_covered(splits, n, reps, opposed, seed=0):
    "Coverage of (passage, answer) at each split, over `reps` calibration sets with one new question each."
    u, v = np.random.default_rng(seed).uniform(size=(2, reps, n + 1))
    if opposed:
        v = 1 - u
    u, v = (
        np.concatenate([np.sort(x[:, :-1], axis=1), np.full((reps, 1), inf), x[:, -1:]], axis=1)
        for x in (u, v)
    )
    return np.array(
        [np.mean((u[:, -1] <= u[:, n - a]) & (v[:, -1] <= v[:, n - b])) for a, b in splits]
    )


@pytest.mark.parametrize('n,alpha', [(19, 0.2), (30, 0.1), (59, 0.1), (150, 0.05)])
def test_bonferroni_covers_at_every_split(n, alpha):
    splits, reps = rank_splits(n, alpha), 20_000
    budget = len(splits) - 1
    error = 4 * math.sqrt(alpha / reps)
    opposed, free = (pairs_covered(splits, n, reps, o) for o in (True, False))
    assert opposed == pytest.approx(
        [1 - budget / (n + 1)] * (budget + 1), abs=error
    )  # the union bound is attained
    assert free == pytest.approx(
        [(1 - a / (n + 1)) * (1 - b / (n + 1)) for a, b in splits], abs=error
    )
    assert min(opposed.min(), free.min()) >= 1 - alpha - error


# --- the direction of p-values, full conformal


def test_the_printed_direction_covers_the_wrong_tail():
    cal, new = np.random.default_rng(0).uniform(size=(2, 2000))
    assert np.mean(p_values(new, cal) > 0.1) == pytest.approx(0.9, abs=0.03)
    kept = new[(cal <= new[:, None]).mean(axis=1) > 0.1]
    assert kept.min() > 0.05 and kept.max() > 0.99 and new[p_values(new, cal) > 0.1].max() < 0.95


@prop
@given(st.lists(score, min_size=1, max_size=12), st.lists(score, min_size=1, max_size=4))
def test_full_conformal_with_a_fixed_score_is_split_conformal(cal, new):
    assert full_conformal_p(lambda x, others: x, cal, new).tolist() == p_values(new, cal).tolist()


def test_full_conformal_covers():
    rng = np.random.default_rng(0)

    def nearest(e, others):
        return min((abs(e[0] - x) for x, y in others if y == e[1]), default=inf)

    def once():
        y = rng.integers(0, 2, size=12)
        x = rng.normal(size=12) + 2 * y
        bag = list(zip(x, y))
        return full_conformal_p(nearest, bag[:-1], [bag[-1]])[0] > 0.25

    assert np.mean([once() for _ in range(600)]) >= 0.75 - 3 * math.sqrt(0.75 * 0.25 / 600)
