"The gate: ranks against exact fractions, the theorem by simulation, and what is let through."

import math
from fractions import Fraction
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.conformal.abstain import gate_from_unanswerable, gate_levels, gate_threshold, gated_scores
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.conformal.two_steps import rank_levels, rank_threshold

inf = math.inf
prop = settings(derandomize=True, deadline=None, max_examples=200)
decimal = st.integers(1, 999).map(lambda i: i / 1000)
share = st.integers(0, 20).map(lambda i: i / 20)
distances = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=40)  # with many ties


def behind(nearest, scores, alpha, share):
    gate = gate_threshold(nearest, alpha, share)
    return gate, conformal_quantile(gated_scores(scores, nearest, gate), alpha)


@prop
@given(st.integers(1, 600), decimal)
def test_the_default_share(n, alpha):
    assert gate_levels(n, alpha) == rank_levels(n, alpha, 0.2 if n >= 200 else 0)


@prop
@given(distances, decimal, share)
def test_the_gate_is_the_rule_of_two_steps(nearest, alpha, share):
    away = round(gate_levels(len(nearest), alpha, share)[0] * (len(nearest) + 1))
    want = sorted(nearest)[-away] if away else inf
    level = away / (len(nearest) + 1)
    assert gate_threshold(nearest, alpha, share) == want == rank_threshold(nearest, level)


# --- the theorem, exactly: every one of n+1 questions in the part of the new one
def missed(nearest, scores, alpha, share):
    "How many of the questions are missed when the others calibrate."
    count = 0
    for i in range(len(scores)):
        gate, qhat = behind(np.delete(nearest, i), np.delete(scores, i), alpha, share)
        count += not (nearest[i] <= gate and scores[i] <= qhat)
    return count


@prop
@given(st.integers(2, 40), decimal, share, st.integers(0, 10**6))
def test_exactly_the_budget_is_missed(n, alpha, share, seed):
    nearest, scores = np.random.default_rng(seed).uniform(size=(2, n))
    assert missed(nearest, scores, alpha, share) == n * Fraction(str(alpha)) // 1


few = st.integers(0, 5).map(float)


@prop
@given(st.lists(st.tuples(few, few | st.just(inf)), min_size=2, max_size=30), decimal, share)
def test_at_most_the_budget_with_ties_and_answers_that_are_not_found(pairs, alpha, share):
    nearest, scores = map(np.array, zip(*pairs))
    assert missed(nearest, scores, alpha, share) <= len(pairs) * Fraction(str(alpha)) // 1


@pytest.mark.parametrize('rho', [-0.9, 0, 0.9])
@pytest.mark.parametrize('n,alpha,share', [(59, 0.1, 0.2), (99, 0.05, 0.4), (249, 0.1, None)])
def test_coverage_by_simulation(n, alpha, share, rho):
    reps, m = 1500, 60
    rng = np.random.default_rng(0)
    coverage = []
    for _ in range(reps):
        near, score = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], n + m).T
        gate, qhat = behind(near[:n], score[:n], alpha, share)
        coverage.append(np.mean((near[n:] <= gate) & (score[n:] <= qhat)))
    exact = 1 - int((n + 1) * Fraction(str(alpha))) / (n + 1)
    assert np.mean(coverage) == pytest.approx(exact, abs=3 * np.std(coverage) / math.sqrt(reps))


def test_a_fixed_gate_keeps_the_promise():
    reps, n, eps = 2000, 99, 0.2
    rng = np.random.default_rng(3)
    covered, finite = [], []
    for _ in range(reps):
        gate = gate_from_unanswerable(rng.normal(3, 1, 40), eps)
        near, score = rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], n + 50).T
        qhat = conformal_quantile(gated_scores(score[:n], near[:n], gate), 0.1)
        covered.append(np.mean((near[n:] <= gate) & (score[n:] <= qhat)) if qhat < inf else 1.0)
        finite.append(qhat < inf)
    assert np.mean(finite) > 0.9
    assert np.mean(covered) > 0.9 - 3 * np.std(covered) / math.sqrt(reps)


@prop
@given(st.just([]) | distances, decimal)
def test_the_gate_opens_below_the_mth(nearest, eps):
    m = (len(nearest) + 1) * Fraction(str(eps)) // 1
    gate = gate_from_unanswerable(nearest, eps)
    if not m:
        assert gate == -inf
    else:
        mth = sorted(nearest)[m - 1]
        assert gate < mth and np.nextafter(gate, inf) == mth
    assert np.sum(np.array(nearest) <= gate) < max(m, 1)


@pytest.mark.parametrize('k,eps', [(9, 0.1), (19, 0.1), (40, 0.1), (39, 0.3), (12, 0.07)])
def test_what_is_let_through_is_exact(k, eps):
    reps = 20_000
    draws = np.random.default_rng(k).normal(size=(reps, k + 1))
    opened = np.mean([row[-1] <= gate_from_unanswerable(row[:-1], eps) for row in draws])
    exact = float(((k + 1) * Fraction(str(eps)) // 1) / Fraction(k + 1))
    assert opened == pytest.approx(exact, abs=3 * math.sqrt(exact * (1 - exact) / reps) + 1e-12)
