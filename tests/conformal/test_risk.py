"Risk control: the theorem by simulation, 0/1 losses against the conformal threshold, tests of several risks, and MAPIE."

import math
from fractions import Fraction
from itertools import product
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from conflare_nb.conformal.risk import Risk, fixed_sequence, learn_then_test, missed_shares
from conflare_nb.conformal.risk import risk_threshold, total_p_value, why_no_threshold
from conflare_nb.conformal.threshold import min_calibration_size

inf, nan = math.inf, math.nan
prop = settings(derandomize=True, deadline=None, max_examples=200)
decimal = st.integers(1, 999).map(lambda i: i / 1000)
score = st.integers(0, 6).map(float) | st.just(inf)  # with many ties
relevant = st.lists(st.lists(score, min_size=1, max_size=5), min_size=1, max_size=25)


def exact_missed(rows, t):
    return sum(Fraction(sum(s > t for s in row), len(row)) for row in rows)


@prop
@given(relevant, decimal)
def test_the_threshold_is_the_smallest_that_is_allowed(rows, alpha):
    allowed = (len(rows) + 1) * Fraction(str(alpha))
    places = sorted({s for row in rows for s in row} | {inf})
    enough = (t for t in places if exact_missed(rows, t) + 1 <= allowed)
    assert risk_threshold(rows, alpha) == next(enough, inf)


def test_sums_of_thirds_are_exact():
    "Nine thirds are 3, and 10*(1+3)/40 is .1: in floating point the sum of some thirds is not."
    rows, cheap = [[1.0, 2.0, 2.0]] * 9, [[1.0, 1.0, 2.0]] * 9
    for n, most, found in ((30, rows, 2.0), (31, rows, 2.0), (30, cheap, 1.0), (29, cheap, 2.0)):
        # missed: 3; allowed: (n+10)/10-1
        assert risk_threshold([*most, *[[1.0]] * n], 0.1) == found
    assert risk_threshold([[1.0, 2.0]] * 9, 0.1) == 2 and risk_threshold([[1.0]] * 8, 0.1) == inf


@prop
@given(relevant, decimal)
def test_why_it_is_infinite(rows, alpha):
    why = why_no_threshold(rows, alpha)
    assert bool(why) == (risk_threshold(rows, alpha) == inf)
    if why:
        assert ('too few' in why) == (len(rows) < min_calibration_size(alpha))
    lost = why_no_threshold([[1.0, inf]] * 10 + [[1.0]] * 10, 0.1)
    assert lost == 'on average 25.0% of the relevant chunks are out of reach at any threshold'


# --- the theorem's numbers, simulated: three standard errors
def drawn(rng, shape):  # scores of 1 to 4 relevant chunks, continuous; NaN where there are fewer
    scores = rng.exponential(size=(*shape, 1)) + rng.exponential(size=(*shape, 4))
    return np.where(np.arange(4) < rng.integers(1, 5, (*shape, 1)), scores, nan)


def rows_of(block):
    return [row[~np.isnan(row)] for row in block]


@pytest.mark.parametrize('n,alpha,seed', [(19, 0.1, 0), (59, 0.1, 1), (39, 0.3, 2)])
def test_expected_loss(n, alpha, seed):
    "alpha - 2B/(n+1) <= E[loss] <= alpha over 1,000 calibration sets, the loss of 20 new questions each."
    rng, losses = np.random.default_rng(seed), []
    for block in drawn(rng, (1000, n + 20)):
        rows = rows_of(block)
        losses.append(missed_shares(rows[n:], risk_threshold(rows[:n], alpha)).mean())
    se = np.std(losses) / math.sqrt(len(losses))
    assert alpha - 2 / (n + 1) - 3 * se <= np.mean(losses) <= alpha + 3 * se


@prop
@given(st.lists(st.lists(score, min_size=1, max_size=4), min_size=2, max_size=15), decimal)
def test_each_in_turn_is_the_new_question(rows, alpha):
    "The theorem for one set of n+1 questions: the mean of their losses, each by the threshold of the others, is at most alpha."
    rests = [rows[:i] + rows[i + 1 :] for i in range(len(rows))]
    losses = [exact_missed([row], risk_threshold(rest, alpha)) for row, rest in zip(rows, rests)]
    assert sum(losses) <= len(rows) * Fraction(str(alpha))


@pytest.mark.parametrize('name', ['yes or no', 'shares', 'halves'])
def test_p_values_are_valid_at_the_edge(name):
    "At a risk of exactly alpha, P(p <= u) <= u, in 20,000 draws of 40 questions."
    rng, alpha, shape = np.random.default_rng(4), 0.2, (40, 20_000)
    losses = {
        'yes or no': lambda: rng.uniform(size=shape) < alpha,
        'shares': lambda: rng.beta(0.5, 2, shape),
        'halves': lambda: (rng.uniform(size=shape) < 2 * alpha) / 2,
    }[name]().astype(float)
    p = total_p_value(losses.sum(axis=0), 40, alpha, binary=name == 'yes or no')
    for u in (0.01, 0.05, 0.1, 0.3):
        assert np.mean(p <= u) <= u + 3 * math.sqrt(u * (1 - u) / shape[1])
    if name == 'yes or no':
        assert np.mean(p <= 0.1) > 0.05  # and not far below
    far = 2 / 50 * math.log(2 / 50 / 0.1) + 48 / 50 * math.log(48 / 50 / 0.9)
    assert total_p_value(2, 50, 0.1) == pytest.approx(math.exp(-50 * far))  # Hoeffding's, below Bentkus's


def test_limits_beside_each_other_share_delta():
    "Counted exactly: 0 and 2 break a limit by a hair, and one of them is let through with probability delta at most."
    n, limit, delta = 60, 0.3, 0.2
    counts = np.arange(n + 1)
    chance = stats.binom.pmf(counts, n, limit + 1e-9)

    def passed(missed, long):
        "The thresholds that are let through where so many questions miss at 0, and are too long at 2."
        falls, rises = np.zeros((n, 3)), np.zeros((n, 3))
        falls[:missed, 0] = 1
        rises[:long, 2] = 1
        low = Risk('missed', falls, limit, binary=True)
        high = Risk('long', rises, limit, rises=True, binary=True)
        return learn_then_test([low, high], np.arange(3.0), delta).thresholds

    low = chance[[0.0 in passed(x, n) for x in counts]].sum()
    high = chance[[2.0 in passed(n, x) for x in counts]].sum()
    either = low + high - low * high
    assert 0.95 * delta / 2 < low <= delta / 2 and low == high  # the world is nearly the worst one
    assert 0.9 * delta < either <= delta
    assert passed(n, n).tolist() == [1.0]


def test_the_scores_themselves_may_be_the_thresholds():
    "The order needs no grid fixed beforehand where the loss falls: 2,000 sets, thresholds are the scores of the sample."
    rng, delta, reps, wrong = np.random.default_rng(6), 0.1, 2000, 0
    for _ in range(reps):
        scores = np.sort(rng.uniform(size=60))
        risk = Risk('missed', scores[:, None] > scores, 0.2, binary=True)
        t = learn_then_test([risk], scores, delta).threshold
        wrong += t is not None and t < 0.8
    assert 0.3 * delta < wrong / reps <= delta + 3 * math.sqrt(delta * (1 - delta) / reps)


def stepped(losses, n=60, **kw):
    return Risk('long' if kw else 'missed', np.tile(np.array(losses, float), (n, 1)), 0.1, **kw)


ABOVE = 'missed <= 0.1 is shown from 2.0000 on, long <= 0.1 only up to 1.0000'
WHY = [
    (60, [0, 0, 0, 1], [2.0], ''),
    (60, [0, 0, 1, 1], [], ABOVE),
    (5, [0, 0, 0, 1], [], 'missed <= 0.1 is not shown at any threshold'),
    (60, [1, 1, 1, 1], [], 'long <= 0.1 is not shown at any threshold'),
]


@pytest.mark.parametrize('n, rises, thresholds, reason', WHY)
def test_no_feasible_threshold_says_why(n, rises, thresholds, reason):
    risks = stepped([1, 1, 0, 0], n), stepped(rises, n, rises=True)
    found = learn_then_test(risks, np.arange(4.0))
    assert (found.thresholds.tolist(), found.reason) == (thresholds, reason)
    assert found.threshold == (thresholds[0] if thresholds else None)
    alone = [learn_then_test([risk], np.arange(4.0)).thresholds.tolist() for risk in risks]
    both = [risks[0], stepped([1, 0, 0, 0], n)]  # limits on one side: the stricter one decides
    assert learn_then_test(both, np.arange(4.0)).thresholds.tolist() == alone[0]
    if not reason:
        assert alone == [[2.0, 3.0], [0.0, 1.0, 2.0]]


@prop
@given(st.lists(st.floats(0, 1), max_size=20), decimal)
def test_fixed_sequence_stops_at_the_first(p, delta):
    k = fixed_sequence(p, delta)
    assert all(v <= delta for v in p[:k]) and (k == len(p) or p[k] > delta)
    assert fixed_sequence([delta, *p], delta) == k + 1


@pytest.mark.filterwarnings('ignore')
def test_thresholds_on_a_grid_equal_those_of_mapie():
    "MAPIE asks for (n R + 1)/(n+1) < alpha where the theorem has <=, and gives the end of the grid where nothing will do."
    methods = pytest.importorskip('mapie.risk_control.methods', reason='MAPIE 1.6 is not here')
    rng, grid, compared = np.random.default_rng(7), np.linspace(0, 6, 61), 0
    for n, alpha in product((12, 40, 97, 200), (0.0503, 0.1007, 0.2011, 0.3013)):
        rows = rows_of(drawn(rng, (n,)))
        matrix = np.stack([missed_shares(rows, t) for t in grid], 1)
        upper = methods.get_r_hat_plus(matrix, grid, 'crc', None, None, None)[1]
        theirs = methods.find_best_predict_param(grid, upper, np.array([alpha]))[0]
        ours = grid[grid >= risk_threshold(rows, alpha)]
        compared += ours.size > 0
        assert ours.size == 0 or ours[0] == theirs
        assert (ours.size > 0) == (upper < alpha).any()
    assert compared >= 12


@pytest.mark.parametrize(
    'call,rule',
    [
        (lambda: risk_threshold([[1.0], [nan]], 0.1), 'numbers or inf.*got 1 NaN among 1'),
        (lambda: Risk('it', [[0.0, 0.5]], 0.1), 'it may never rise'),
        (lambda: Risk('it', [0.5, 0.5], 0.1), r'a matrix.*got the shape \(2,\)'),
        (lambda: Risk('it', [[nan, 0.5]], 0.1), 'a loss lies between 0 and 1.*got nan'),
        (lambda: Risk('it', [[1, 0.5]], 0.1, binary=True), 'a binary one is one of the two.*got 0.5'),
        (lambda: risk_threshold([[1.0], []], 0.1), 'has a relevant chunk.*got 1 of 2 without'),
        (lambda: fixed_sequence([0.5], nan), 'delta is a probability.*got nan'),
        (lambda: learn_then_test([stepped([1, 0]), stepped([1, 0], 2)], [1, 2]), 'same questions'),
        (lambda: learn_then_test([stepped([1, 0])], [2, 1]), 'same ascending thresholds'),
        (lambda: learn_then_test([], [2, 1]), 'same questions'),
    ],
)
def test_errors_state_the_rule_and_the_value(call, rule):
    with pytest.raises(ValueError, match=rule):
        call()
