"The statistics against exact oracles, other packages, the theorem's own numbers, and bad input."

import copy, json, math, pickle
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from itertools import product
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from conflare_nb import Alpha, beta_band, calibration_size, conformal_quantile, conformal_rank
from conflare_nb import covered, empirical_band, min_calibration_size, p_values
from conflare_nb.conformal.threshold import exact_parts, pac_rank

inf, nan = math.inf, math.nan
ALPHAS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)
GRID = [(n, a) for n in range(5, 201) for a in ALPHAS]


def exact_rank(n, alpha):
    "The definition in rational numbers, with alpha as it is written."
    return math.ceil((n + 1) * (1 - Fraction(str(alpha))))


def shuffled(n, seed=0):
    return np.random.default_rng(seed).permutation(np.arange(1.0, n + 1))  # the k-th smallest is k


def test_rank_and_threshold_on_the_grid():
    feasible = [(n, a) for n, a in GRID if exact_rank(n, a) <= n]
    assert (len(feasible), len(GRID) - len(feasible)) == (1064, 112)
    assert [conformal_rank(n, a) for n, a in GRID] == [exact_rank(n, a) for n, a in GRID]
    for n, a in GRID:
        k = exact_rank(n, a)
        assert conformal_quantile(shuffled(n), a) == (k if k <= n else inf)


SPACES = [(0.01, 0.5, 50), (0.5, 0.01, 50), (0.001, 0.5, 500), (0.05, 0.95, 19)]


@pytest.mark.parametrize('start,stop,num', SPACES)
def test_linspace_means_the_decimal(start, stop, num):
    alphas = np.linspace(start, stop, num)
    assert (alphas != alphas.round(6)).any()  # such as 0.15000000000000002
    for n in range(5, 201, 3):
        assert list(conformal_rank(n, alphas)) == [exact_rank(n, a) for a in alphas.round(6)]


def test_smallest_size_with_a_finite_threshold():
    for i in range(1, 1000):
        n = min_calibration_size(i / 1000)
        assert n == math.ceil(Fraction(1000, i)) - 1 and exact_rank(n, i / 1000) <= n
        assert n == 0 or exact_rank(n - 1, i / 1000) > n - 1


KINDS = [Fraction, str, Alpha, lambda f: Alpha(str(f))]


@pytest.mark.parametrize('written', KINDS, ids=['Fraction', 'text', 'Alpha', 'Alpha of a text'])
def test_fractions_are_read_exactly(written):
    ns = np.arange(5, 201)
    for i, d in product(range(1, 12), (3, 6, 7, 9, 11, 10**9 + 7)):
        if i >= d or math.gcd(i, d) > 1:
            continue
        f, alpha = Fraction(i, d), written(Fraction(i, d))
        assert conformal_rank(ns, alpha).tolist() == [math.ceil((n + 1) * (1 - f)) for n in ns]
        assert min_calibration_size(alpha) == math.ceil(1 / f) - 1
    both = [written(Fraction(1, 3)), 0.1]
    for alphas in (both, np.array(both, dtype=object)):
        assert conformal_rank(20, alphas).tolist() == [14, 19]
    assert conformal_rank(20, [both, both[::-1]]).tolist() == [[14, 19], [19, 14]]
    assert conformal_quantile([1, 2], both[0]) == 2 < conformal_quantile([1, 2], 1 / 3)


def of_alpha(n):  # functions of it
    of_n = partial(conformal_rank, n), partial(pac_rank, n), partial(conformal_quantile, range(n))
    pac = partial(conformal_quantile, range(n), method='pac')
    bands = lambda a: beta_band(n, a)[0], lambda a: empirical_band(n, a, 40)[1]
    return *of_n, min_calibration_size, pac, *bands


@pytest.mark.parametrize('f', [*of_alpha(50), calibration_size])
def test_every_function_of_alpha_takes_a_fraction(f):
    assert f('1/4') == f(Fraction(1, 4)) == f(Alpha('1/4')) == f(0.25)


def test_an_alpha_is_a_number_that_remembers():
    a = Alpha('1/3')
    assert (a, f'{a:g}', f'{1 - a:.1%}', hash(a)) == (1 / 3, '0.333333', '66.7%', hash(1 / 3))
    copies = a, Alpha(a), pickle.loads(pickle.dumps(a)), copy.deepcopy(a)
    assert {x.exact for x in copies} == {Fraction(1, 3)} and json.dumps(a) == json.dumps(1 / 3)
    assert [x.tolist() for x in map(np.asarray, exact_parts(['1/3', 0.1]))] == [[1, 1], [3, 10]]


NO_ALPHA = ['0/3', '3/3', '-1/3', '4/3', '1/0', '1/', 'a/b', '', 'nan', '0', 'inf']


@pytest.mark.parametrize('bad', [*NO_ALPHA, None, Fraction(3, 2), Fraction(0), [0.1]])
def test_what_is_no_alpha_is_refused(bad):
    with pytest.raises(ValueError, match='got'):
        Alpha(bad)


prop = settings(derandomize=True, deadline=None, max_examples=100)
score = st.integers(0, 5).map(float) | st.floats(allow_nan=False) | st.just(inf)  # many ties
scores = st.lists(score, max_size=40)
decimal = st.integers(1, 999).map(lambda i: i / 1000)


@st.composite
def at_the_boundary(draw):
    "Calibration scores and an alpha that some p-value equals: j/(n+1), where that is a decimal."
    m = draw(st.sampled_from([2, 4, 5, 8, 10, 16, 20, 25, 32, 40]))
    return draw(st.lists(score, min_size=m - 1, max_size=m - 1)), draw(st.integers(1, m - 1)) / m


@prop
@given(st.one_of(st.tuples(scores, decimal), at_the_boundary()), scores)
def test_p_value_and_threshold_agree(cal_alpha, new):
    cal, alpha = cal_alpha
    new = np.array([*new, *cal, inf])  # on the threshold too
    assert ((p_values(new, cal) > alpha) == (new <= conformal_quantile(cal, alpha))).all()


@prop
@given(st.lists(score, min_size=1, max_size=30), decimal)
def test_each_in_turn_is_the_new_question(all_scores, alpha):
    "The theorem for one set of n+1 scores: at least k of them lie within the threshold of the n others, and k exactly without ties."
    n = len(all_scores) - 1
    others = [all_scores[:i] + all_scores[i + 1 :] for i in range(n + 1)]
    covered = sum(s <= conformal_quantile(rest, alpha) for s, rest in zip(all_scores, others))
    assert covered >= exact_rank(n, alpha)
    if len(set(all_scores)) == n + 1:
        assert covered == exact_rank(n, alpha)


@prop
@given(scores, scores, st.randoms(use_true_random=False), decimal)
def test_order_of_the_calibration_set_is_irrelevant(cal, new, rnd, alpha):
    other = rnd.sample(cal, len(cal))
    assert conformal_quantile(cal, alpha) == conformal_quantile(other, alpha)
    assert (p_values(new, cal) == p_values(new, other)).all()


@prop
@given(scores, scores)
def test_p_values_count_and_are_never_zero(cal, new):
    n, p = len(cal), p_values(new, cal)
    assert ((1 / (n + 1) <= p) & (p <= 1)).all()
    assert list(p) == [(1 + sum(c >= s for c in cal)) / (n + 1) for s in new]


@settings(prop, max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.lists(decimal, min_size=6, max_size=6))
def test_vectors_equal_scalars(cal, alphas):
    a = np.reshape(alphas, (2, 3))
    for f in (lambda s: p_values(s, cal), *of_alpha(len(cal))):
        each = [f(v) for v in alphas]
        assert f(a).shape == a.shape and f(a).ravel().tolist() == each and np.ndim(each[0]) == 0
    assert type(conformal_quantile(cal, 0.1)) is type(p_values(0.1, cal)) is float
    assert type(conformal_rank(20, 0.1)) is type(pac_rank(20, 0.1)) is int


def test_p_values_equal_those_of_crepes():
    "The non-smoothed p-values of a ConformalClassifier; its sets keep a label at p = alpha as well."
    crepes = pytest.importorskip('crepes', reason='crepes is a development dependency')
    rng = np.random.default_rng(3)
    for n in (5, 19, 100):
        some = np.append(rng.uniform(size=n - 2), [inf] * 2)
        for cal in (rng.uniform(size=n), rng.integers(0, 4, n).astype(float), some):
            new = np.concatenate([cal, rng.uniform(-1, 5, 20), [inf]])
            theirs = crepes.ConformalClassifier().fit(cal).predict_p(new, smoothing=False)
            assert (theirs == p_values(new, cal)).all()


@pytest.mark.filterwarnings('ignore')
def test_thresholds_equal_those_of_mapie():
    "Half of SplitConformalRegressor's interval around 0, whose absolute residuals are the scores."
    mapie = pytest.importorskip('mapie.regression', reason='MAPIE is a development dependency')
    if tuple(map(int, version('mapie').split('.')[:2])) < (1, 6):
        pytest.skip('MAPIE before 1.6 has another rule')
    from sklearn.dummy import DummyRegressor

    zero, cells = DummyRegressor(strategy='constant', constant=0.0).fit([[0.0]], [0.0]), 0
    for n in range(5, 201):
        cal, feasible = shuffled(n), [a for a in ALPHAS if exact_rank(n, a) <= n]
        theirs = mapie.SplitConformalRegressor(zero, confidence_level=[1 - a for a in feasible])
        theirs.conformalize(np.zeros((n, 1)), cal)
        upper = theirs.predict_interval(np.zeros((1, 1)), allow_infinite_bounds=True)[1][0, 1]
        assert list(upper) == list(conformal_quantile(cal, feasible)), n
        cells += len(feasible)
    assert cells == 1064


# --- the theorem's numbers, simulated; tolerances are 4 standard errors
def thresholds(n, alpha, reps, seed, **kw):
    "Of uniform scores, for which the coverage of a threshold is the threshold."
    sets = np.random.default_rng(seed).uniform(size=(reps, n))
    return np.array([conformal_quantile(c, alpha, **kw) for c in sets])


def share(hits):  # mean of many yes/no draws, with 4 standard errors
    return np.mean(hits), 4 * np.std(hits) / math.sqrt(len(hits))


SIZES = [(9, 0.1), (20, 0.1), (20, 0.05), (50, 0.2), (99, 0.01), (100, 0.1), (100, 0.3)]


@pytest.mark.parametrize('n,alpha', SIZES)
def test_mean_coverage_is_k_over_n_plus_1(n, alpha):
    draws = np.random.default_rng(4).lognormal(size=(5000, n + 1))  # the last question is new
    mean, tol = share([s[n] <= conformal_quantile(s[:n], alpha) for s in draws])
    k = exact_rank(n, alpha)
    assert abs(mean - k / (n + 1)) < tol
    assert 1 - alpha <= k / (n + 1) <= 1 - alpha + 1 / (n + 1)


@pytest.mark.parametrize('n,alpha', [(19, 0.1), (50, 0.2), (100, 0.1)])
def test_ties_keep_the_guarantee_and_strict_comparison_breaks_it(n, alpha):
    draws = np.random.default_rng(7).integers(0, 4, (5000, n + 1))
    q = np.array([conformal_quantile(s[:n], alpha) for s in draws])
    mean, tol = share(draws[:, n] <= q)
    assert mean + tol >= 1 - alpha
    mean, tol = share(draws[:, n] < q)
    assert mean + tol < 1 - alpha


def test_ties_counted_one_by_one():
    "All 243 equally likely outcomes of four calibration scores and a new one among three values, alpha=.2."
    sets = [(np.array(s[:-1]), s[-1]) for s in product(range(3), repeat=5)]
    cases = [(new, conformal_quantile(scores, 0.2)) for scores, new in sets]
    assert sum(new <= q for new, q in cases) >= 0.8 * 243 > sum(new < q for new, q in cases)
    assert sum(p_values(new, scores) <= 0.2 for scores, new in sets) <= 0.2 * 243


@pytest.mark.parametrize('n,alpha', [(20, 0.1), (100, 0.1), (100, 0.3)])
def test_coverage_of_one_threshold_follows_the_beta_law(n, alpha):
    cov, k = thresholds(n, alpha, 3000, seed=8), exact_rank(n, alpha)
    assert stats.kstest(cov, stats.beta(k, n + 1 - k).cdf).pvalue > 0.01
    # the test would see one rank
    assert stats.kstest(cov, stats.beta(k - 1, n + 2 - k).cdf).pvalue < 1e-6
    lo, hi = beta_band(n, alpha, level=0.8)
    for end, below in ((lo, 0.1), (hi, 0.9)):
        assert abs((cov <= end).mean() - below) < 4 * math.sqrt(0.09 / len(cov))


def test_beta_band_values():
    assert np.round(beta_band(100, 0.1), 3).tolist() == [0.848, 0.945]
    everything = beta_band(8, 0.1), beta_band(0, 0.5), empirical_band(8, 0.1, 50)
    assert everything == ((1.0, 1.0),) * 3


@pytest.mark.parametrize('n,alpha,m', [(20, 0.1, 30), (100, 0.1, 50), (100, 0.2, 1000)])
def test_empirical_band_against_simulated_tests(n, alpha, m):
    reps = 4000
    shares = np.random.default_rng(9).binomial(m, thresholds(n, alpha, reps, seed=10)) / m
    tol = 4 * math.sqrt(0.05 * 0.95 / reps)
    for end, below in zip(empirical_band(n, alpha, m), (0.05, 0.95)):  # each end is that quantile
        assert (shares < end).mean() - tol <= below <= (shares <= end).mean() + tol


def exact_pac_rank(n, alpha, delta):
    "The smallest k with P(Bin(n, alpha) <= n-k) <= delta, in rational numbers."
    a, delta, total = Fraction(str(alpha)), Fraction(str(delta)), Fraction(0)
    for miss in range(n + 1):
        total += math.comb(n, miss) * a**miss * (1 - a) ** (n - miss)
        if total > delta:
            return n - miss + 1  # `miss` misses are one too many: n-k = miss-1
    return 0


@pytest.mark.parametrize('n', [0, 1, 2, 3, 7, 10, 21, 22, 45, 60, 100])
def test_pac_rank_by_brute_force(n):
    deltas = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75)
    for alpha, delta in product((0.01, 0.05, 0.1, 0.2, 0.5, 0.9), deltas):
        assert pac_rank(n, alpha, delta) == exact_pac_rank(n, alpha, delta), (n, alpha, delta)


@pytest.mark.parametrize('n,alpha,delta', [(50, 0.1, 0.1), (100, 0.1, 0.1), (100, 0.2, 0.05)])
def test_pac_threshold_keeps_its_confidence(n, alpha, delta):
    good, tol = share(thresholds(n, alpha, 1000, seed=11, method='pac', delta=delta) >= 1 - alpha)
    assert good + tol >= 1 - delta
    good, tol = share(thresholds(n, alpha, 1000, seed=11) >= 1 - alpha)
    assert good + tol < 1 - delta  # the exact rank promises no such thing
    k = pac_rank(n, alpha, delta)
    short = [stats.beta.cdf(1 - alpha, rank, n + 1 - rank) for rank in (k, k - 1)]
    assert short[0] <= delta < short[1]


def enough(alpha, eps, delta, two_sided, top):
    "Whether n questions do, for n = 0..top, by the binomial tail: P(Beta(k, n+1-k) <= x) = P(Bin(n, x) >= k)."
    n, tail = np.arange(top + 1), delta / 2 if two_sided else delta
    k = np.array([exact_rank(i, alpha) for i in range(top + 1)])
    ok = (k <= n) & (stats.binom.sf(k - 1, n, 1 - alpha - eps) <= tail)
    return ok & (stats.binom.cdf(k - 1, n, 1 - alpha + eps) <= tail) if two_sided else ok


@pytest.mark.parametrize('alpha,two_sided', [*product((0.05, 0.1, 0.3), (False, True))])
def test_calibration_size_by_brute_force(alpha, two_sided):
    for eps, delta in product((0.025, 0.04), (0.05, 0.1, 0.2)):
        ok, wish = enough(alpha, eps, delta, two_sided, 4000), (alpha, eps, delta, two_sided)
        assert ok[-1000:].all()  # so the last failure below is the last one
        assert calibration_size(*wish) == np.flatnonzero(ok)[0]
        assert calibration_size(*wish, lasting=True) == np.flatnonzero(~ok)[-1] + 1


INSIDE = 'and must lie strictly between 0 and 1'
NO_LEVEL = (f'alpha is the share of misses you allow (.1 for 90% coverage), {INSIDE}', (0, 1, -0.1, 1.5, nan, inf))
NO_DELTA = f'delta is a probability {INSIDE}', (0, 1, -0.5, nan)


@pytest.mark.parametrize(
    'call,bad',
    [
        *((f, NO_LEVEL) for f in (*of_alpha(20), calibration_size)),
        (lambda a: conformal_quantile([1, 2], [0.1, a, 0.2]), NO_LEVEL),
        (lambda d: pac_rank(20, 0.1, d), NO_DELTA),
        (lambda d: calibration_size(0.1, delta=d), NO_DELTA),
        (lambda level: beta_band(20, 0.1, level), (f'level is a probability {INSIDE}', (0, 90))),
        (lambda n: beta_band(n, 0.1), ('n counts calibration scores', (-1, 20.5))),
        (lambda m: empirical_band(20, 0.1, m), ('m counts test questions', (0, -3, 2.5))),
        (lambda e: calibration_size(0.1, e), ('eps is a shortfall of coverage', (0, -0.05, nan))),
    ],
)
def test_errors_state_the_rule_and_the_value(call, bad):
    rule, values = bad
    for value in values:
        with pytest.raises(ValueError) as e:
            call(value)
        assert str(e.value).startswith(rule) and str(e.value).endswith(f'got {value:g}')


@pytest.mark.parametrize(
    'call', [lambda s: conformal_quantile(s, 0.1), lambda s: p_values(1, s), lambda s: covered(s, 1)]
)
def test_a_score_is_a_number(call):
    with pytest.raises(ValueError, match='must be numbers or inf .* got 1 NaN among 3'):
        call([0.1, nan, inf])


def test_covered_is_at_most_qhat():
    assert covered([0.1, 0.2, inf], 0.2).tolist() == [True, True, False]
    assert covered([0.1, inf], inf).all() and covered(0.2, 0.2) is True
    assert covered([0.1, 0.3], np.array([[0.2], [inf]])).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize('n, alpha, share', [(50, 0.1, 0.09), (100, 0.2, 0.18), (60, 0.1, 0.3)])
def test_set_apart_the_promise_is_exact_for_answerable_questions(n, alpha, share):
    "Also given a finite threshold, and however many there are: k/(n+1) for the answerable questions that calibrate."
    rng = np.random.default_rng(1)
    reached = rng.uniform(size=(2000, n)) >= share
    answerable = [row[is_in] for row, is_in in zip(rng.uniform(size=(2000, n)), reached)]
    qhat = np.array([conformal_quantile(s, alpha) for s in answerable])
    exact = np.array([conformal_rank(s.size, alpha) / (s.size + 1) for s in answerable])
    new = np.random.default_rng(2).uniform(size=(2000, 50))
    misses = covered(new, qhat[:, None]).mean(axis=1) - exact  # from what the law says of this n
    for some in (misses, misses[np.isfinite(qhat)]):
        assert abs(some.mean()) < 3 * some.std() / some.size**0.5
    assert np.isfinite(qhat).all() and exact.min() >= 1 - alpha
