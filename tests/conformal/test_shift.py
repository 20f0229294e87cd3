"Weighted thresholds: the rule by fractions, equal and whole weights as no weights, and the theorem's two bounds."

from fractions import Fraction
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from sklearn.linear_model import LogisticRegression
from conflare_nb.conformal.shift import effective_size, estimate_ratio, weighted_p_values, weighted_quantile
from conflare_nb.conformal.threshold import conformal_quantile, p_values

ALPHAS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)


def by_fractions(scores, weights, alpha, weight):
    "The smallest score at which the masses reach 1-alpha of the whole, in exact arithmetic."
    w = [Fraction(x) for x in weights]
    whole, reached = sum(w) + Fraction(weight), Fraction(0)
    for s, x in sorted(zip(scores, w)):
        reached += x
        if reached >= (1 - Fraction(str(alpha))) * whole:
            return s
    return np.inf


@pytest.mark.parametrize('alpha', ALPHAS)
@pytest.mark.parametrize('size', [1.0, 0.3, 1e-300, 7e200])
def test_equal_weights_are_none_for_every_n(alpha, size):
    for n in range(0, 201):
        s = np.random.default_rng(n).permutation(n).astype(float)
        weighted = weighted_quantile(s, np.full(n, size), alpha, size)
        assert weighted == conformal_quantile(s, alpha), n


few = st.tuples(st.sampled_from([0.0, 0.5, 1.0, 2.0, np.inf]), st.integers(0, 5))


@settings(deadline=None)
@given(st.lists(few, max_size=12), st.integers(1, 6), st.sampled_from(ALPHAS))
def test_whole_weights_repeat_the_scores_and_masses_are_those_of_fractions(pairs, weight, alpha):
    s, w = [p[0] for p in pairs], [p[1] for p in pairs]
    assert weighted_quantile(s, w, alpha, weight) == by_fractions(s, w, alpha, weight)
    if weight == 1:
        assert weighted_quantile(s, w, alpha, 1) == conformal_quantile(np.repeat(s, w), alpha)


def test_masses_that_floats_would_round():
    assert weighted_quantile([0.1, 0.2], [1, 1], 0.5, 0) == 0.1  # the new one has none
    rng = np.random.default_rng(0)
    s = np.arange(1.0, 8)
    for _ in range(3000):  # half of the whole lies at a score, to the last bit
        w = rng.choice([1 / 3, 0.1, 1e-9, 1.0, 7.0, 1e200], 7)
        at = int(rng.integers(1, 8))
        rest = sum(map(Fraction, w[:at])) - sum(map(Fraction, w[at:]))
        if rest < 0 or Fraction(float(rest)) != rest:
            continue
        assert weighted_quantile(s, w, 0.5, float(rest)) == at
        assert weighted_p_values(s[at - 1], s, w, float(rest)) >= 0.5


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 9), st.floats(0, 1e3)), min_size=1), st.floats(1e-3, 1e3), st.sampled_from(ALPHAS)
)
def test_a_threshold_and_p_values_say_the_same(pairs, weight, alpha):
    s, w = np.transpose(pairs)
    q = weighted_quantile(s, w, alpha, weight)
    p = weighted_p_values(s, s, w, weight)
    apart = abs(p - alpha) > 1e-9  # on the very boundary the last bits differ
    assert ((p > alpha) == (s <= q))[apart].all() and ((0 < p) & (p <= 1)).all()


def test_the_order_of_the_questions_does_not_matter_and_nothing_is_changed():
    rng = np.random.default_rng(0)
    s, w = rng.random(40), rng.exponential(size=40)
    kept, mixed = (s.copy(), w.copy()), rng.permutation(40)
    new = [0, 0.5, 3, 100]
    q = weighted_quantile(s, w, 0.2, new)
    assert (q == weighted_quantile(s[mixed], w[mixed], 0.2, new)).all()
    assert (np.diff(q[:-1]) >= 0).all() and q[-1] == np.inf
    assert (s == kept[0]).all() and (w == kept[1]).all()
    assert weighted_quantile(s, 17 * w, 0.2, 17 * 0.5) == q[1]
    assert weighted_p_values(s, s, np.ones(40)) == pytest.approx(p_values(s, s))


def shifted_runs(rng, runs, n, dims):
    "Scores, ratios: calibration x uniform, the new question's density 2x in each of some dimensions."
    x = rng.random((runs, n + 1, dims))
    x[:, -1] = np.sqrt(rng.random((runs, dims)))
    return x.mean(axis=2) + rng.normal(0, 0.1, (runs, n + 1)), (2 * x).prod(axis=2)


@pytest.mark.parametrize('n, alpha, dims', [(9, 0.1, 1), (30, 0.2, 1), (99, 0.1, 1), (60, 0.1, 3), (200, 0.05, 2)])
def test_known_ratios_cover_between_both_bounds(n, alpha, dims, runs=3000):
    scores, w = shifted_runs(np.random.default_rng(n), runs, n, dims)
    q = np.array([weighted_quantile(s[:-1], v[:-1], alpha, v[-1]) for s, v in zip(scores, w)])
    covered = scores[:, -1] <= q
    error = np.sqrt(alpha * (1 - alpha) / runs)
    most = 1 - alpha + np.mean(w.max(axis=1) / w.sum(axis=1))
    assert 1 - alpha - 3 * error <= covered.mean() <= most + 3 * error
    if n >= 30:  # what it mends
        usual = np.mean([s[-1] <= conformal_quantile(s[:-1], alpha) for s in scores])
        assert usual < 1 - alpha - 3 * error


def test_a_p_value_is_at_most_alpha_in_at_most_alpha_of_the_runs(runs=3000):
    scores, w = shifted_runs(np.random.default_rng(1), runs, 50, 1)
    p = np.array([weighted_p_values(s[-1], s[:-1], v[:-1], v[-1]) for s, v in zip(scores, w)])
    for a in (0.05, 0.1, 0.3):
        assert np.mean(p <= a) <= a + 3 * np.sqrt(a * (1 - a) / runs)


def test_effective_size():
    assert effective_size(np.arange(5)) == pytest.approx(100 / 30)


def test_the_ratio_is_that_of_the_odds():
    rng = np.random.default_rng(3)
    old, new = rng.normal(size=(80, 6)), rng.normal(0.4, 1, (120, 6))
    both, of = np.concatenate([old, new]), np.repeat([0, 1], [80, 120])
    for ridge in (0.1, 1.0, 20.0):
        mine = estimate_ratio(old, new, ridge)
        theirs = LogisticRegression(C=1 / ridge, tol=1e-10, max_iter=10_000).fit(both, of)
        odds = theirs.predict_proba(old)
        assert mine(old) == pytest.approx(odds[:, 1] / odds[:, 0] * 80 / 120, rel=5e-3)
        assert mine(old[0]) == pytest.approx(mine(old)[0], rel=1e-12)


def test_estimated_ratios_come_near_where_the_classifier_is_right(runs=300):
    "Two normal laws: with 400 questions on each side the weights give back most of what the shift took."
    rng, hits = np.random.default_rng(5), []
    for _ in range(runs):
        old, log = rng.normal(0, 1, (400, 2)), rng.normal(0.5, 1, (400, 2))
        new = rng.normal(0.5, 1, (1, 2))
        ratio = estimate_ratio(old, log)
        s, own = (x.sum(axis=1) + rng.normal(0, 0.5, len(x)) for x in (old, new))
        weighted = weighted_quantile(s, ratio(old), 0.1, ratio(new[0]))
        hits.append([own[0] <= weighted, own[0] <= conformal_quantile(s, 0.1)])
    weighted, plain = np.mean(hits, axis=0)
    assert weighted > 0.9 - 3 * np.sqrt(0.09 / runs) - 0.02 and plain < 0.8
