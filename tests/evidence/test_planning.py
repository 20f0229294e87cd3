"Plans: every number is the one at which its own theorem begins to speak, found by trying them all."

from functools import cache
from types import SimpleNamespace
import numpy as np, pytest
from scipy.stats import binom
from conflare_nb import conformal_quantile
from conflare_nb.evidence.planning import PLANNED, PlanWish, limit_size, pac_size, plan_row
from conflare_nb.conformal.abstain import gate_levels
from conflare_nb.conformal.betting import BET_DELTA
from conflare_nb.conformal.budget import largest_promise
from conflare_nb.conformal.movable import Stops
from conflare_nb.conformal.risk import Risk, learn_then_test, risk_threshold, total_p_value
from conflare_nb.conformal.shift import weighted_quantile
from conflare_nb.conformal.threshold import clopper_pearson_upper, pac_rank
from conflare_nb.conformal.two_steps import Rule, rank_levels

CASES = [(0.1, 0.1), (0.05, 0.05), (0.2, 0.2), (0.35, 0.01), ('1/3', 0.1)]
each = pytest.mark.parametrize('alpha, delta', CASES)


@cache
def named(alpha=0.1, delta=0.1):
    return {name: plan_row(name, PlanWish(alpha, 0.05, delta)) for name in PLANNED}


def _shown(lost, alpha, delta, beside):
    "Whether the test that retrieves shows that few are missed: alone, or beside a budget that all keep."
    risks = [Risk('missed', lost, float(PlanWish(alpha).alpha))]
    if beside:
        risks.append(Risk('over', np.zeros(lost.shape), 0.5, rises=True, binary=True))
    return learn_then_test(risks, np.arange(lost.shape[1]), delta).threshold is not None


def _has(name, n, alpha, delta):
    "Whether n questions, all of them as good as can be, have something finite by the theorem itself."
    scores, found = np.arange(n, dtype=float), np.zeros((n, 1))
    stops = Stops(*(PlanWish(alpha).alpha.exact * double / 2 for double in (1, 2, 4)))
    wanted, levels = 1 - PlanWish(alpha).alpha, (Rule('bonferroni', n, alpha).levels)
    return {
        'threshold': lambda: conformal_quantile(scores, alpha) < np.inf,
        'slider': lambda: stops.threshold(SimpleNamespace(scores=scores, n=n), stops.levels[1]) < np.inf,
        'this set': lambda: conformal_quantile(scores, alpha, 'pac', delta) < np.inf,
        'answer sets': lambda: min(*rank_levels(n, alpha), *levels) > 0,
        'gate': lambda: min(gate_levels(n, alpha)) > 0,
        'risk control': lambda: risk_threshold(scores[:, None], alpha) < np.inf,
        'tested limit': lambda: _shown(found, alpha, delta, beside=False),
        'two limits': lambda: _shown(found, alpha, delta, beside=True),
        'budget': lambda: largest_promise(scores, np.ones(n), 2, delta).coverage >= wanted,
        'weights': lambda: weighted_quantile(scores, np.arange(n) % 2, alpha) < np.inf,
        # as an audit counts, whatever the plan's own delta is
        'audit': lambda: clopper_pearson_upper(0, n, BET_DELTA) < 1 - wanted,
    }[name]()


NAMES = 'threshold|slider|this set|answer sets|gate|risk control|tested limit|two limits|budget|audit'


@each
def test_below_finite_nothing_is_promised_and_from_there_on_it_is(alpha, delta):
    rows = named(alpha, delta)
    for name in NAMES.split('|'):
        finite = rows[name].finite
        found = [_has(name, n, alpha, delta) for n in (finite - 1, finite, finite + 1)]
        assert found == [False, True, True], (name, finite)
        if name != 'gate':
            assert finite == next(n for n in range(1, 1000) if _has(name, n, alpha, delta))
    weights = rows['weights'].finite  # every other weight is 0
    assert _has('weights', weights, alpha, delta) and not _has('weights', weights - 2, alpha, delta)


@each
def test_two_steps_together_miss_no_more_in_simulated_sets(alpha, delta):
    "The worst dependence: no question is missed twice."
    rng, runs, a = np.random.default_rng(1), 4000, float(PlanWish(alpha).alpha)
    n = named(alpha, delta)['answer sets'].worthwhile
    m_ret, m_qa = (np.array(Rule('bonferroni', n, alpha).levels) * (n + 1)).round().astype(int)
    misses = rng.beta(m_ret, n + 1 - m_ret, runs) + rng.beta(m_qa, n + 1 - m_qa, runs)
    assert np.mean(misses > a + 0.05) <= delta + 3 * np.sqrt(delta * (1 - delta) / runs)


@each
def test_what_is_worth_while_can_be_shown(alpha, delta):
    rng, eps = np.random.default_rng(2), 0.05
    rows, a = named(alpha, delta), float(PlanWish(alpha).alpha)
    rate = a - eps if a - eps > 1e-9 else a / 2
    n = rows['budget'].worthwhile
    lost = rng.uniform(size=(2000, n)) < rate
    counts, again = np.unique(lost.sum(axis=1), return_inverse=True)
    shown = total_p_value(counts, n, a, True) <= delta
    power = shown[again].mean()
    rows_lost = [np.where(row, np.inf, 0) for row in lost[:1000]]
    found = [largest_promise(row, np.ones(n), 2, delta).coverage for row in rows_lost]
    fits = np.mean(np.array(found) >= 1 - a)
    assert power >= 0.8 - 3 * np.sqrt(0.16 / 2000) and fits >= 0.8 - 3 * np.sqrt(0.16 / 1000)
    m = rows['audit'].worthwhile
    assert clopper_pearson_upper(0, m) <= a / 2 < clopper_pearson_upper(0, m - 1)


@pytest.mark.parametrize('alpha, delta', [(0.1, 0.1), (0.2, 0.05)])
@pytest.mark.parametrize('name', ['tested limit', 'two limits'])
def test_a_planned_limit_is_shown_by_the_test_that_retrieves(name, alpha, delta):
    "In four of five sets of the planned size; with a third fewer it is not."
    row = named(alpha, delta)[name]
    rng, runs = np.random.default_rng(3), 600
    share = {}
    for n in (row.worthwhile, 2 * row.worthwhile // 3):
        counts, again = np.unique(rng.binomial(n, alpha - 0.05, runs), return_inverse=True)
        losses = [np.repeat([1.0, 0.0], [c, n - c])[:, None] for c in counts]
        shown = [_shown(lost, alpha, delta, name == 'two limits') for lost in losses]
        share[n] = np.array(shown)[again].mean()
    assert share[row.worthwhile] >= 0.8 - 3 * np.sqrt(0.16 / runs)
    assert min(share.values()) < 0.8 - 3 * np.sqrt(0.16 / runs)


def test_what_weights_leave_is_what_a_threshold_needs():
    for worth in (0.5, 0.3, 1.0):
        wish = PlanWish(effective_share=worth)
        threshold, weights = (plan_row(name, wish) for name in ('threshold', 'weights'))
        for what in ('finite', 'worthwhile'):
            needed, asked = getattr(threshold, what), getattr(weights, what)
            assert (asked - 1) * worth < needed <= asked * worth + 1e-9


@pytest.mark.parametrize('binary', [True, False])
@pytest.mark.parametrize('limit, rate, delta', [(0.1, 0.05, 0.1), (0.05, 0.01, 0.2)])
def test_from_there_on_means_every_larger_number(limit, rate, delta, binary):
    def holds(n):
        p_values = total_p_value(np.arange(n + 1), n, limit, binary)
        few = int(np.argmax(p_values > delta)) - 1
        return few >= 0 and binom.cdf(few, n, rate) >= 0.8

    n = limit_size(limit, rate, delta, binary=binary)
    assert not holds(n - 1) and all(holds(m) for m in range(n, 2 * n))
    size = pac_size(limit, 0.04, delta)
    mean = [pac_rank(m, limit, delta) / (m + 1) for m in range(size - 1, 3 * size)]
    assert mean[0] > 1 - limit + 0.04 >= max(mean[1:])


def test_a_plan_says_its_numbers_and_rounds_no_lower_end_up():
    wish = PlanWish('1/8', 0.05, 0.2, dict(a=0.3, b=0.7))
    rows = [plan_row(name, wish) for name in PLANNED]
    said = {row.name: f'{row.says}; {row.why}' for row in rows}
    for name, words in [
        ('threshold', 'at least 87.5% of questions'),
        ('threshold', 'is at least 82.5%, with probability 80%'),
        ('this set', 'coverage is at most 92.5% on average'),
        ('groups', 'the rarest makes up 30%;'),
        ('answer sets', 'together miss at most 17.5%, with'),
        ('tested limit', 'if really 7.5% are missed'),
        ('weights', 'an effective 50% of these'),
    ]:
        assert words in said[name], name
    assert [row.name for row in rows if row.unit == 'labels'] == ['audit']
    assert PlanWish(eps=0.5).eps == 0.5 and PlanWish(eps=0.005).eps == 0.005
