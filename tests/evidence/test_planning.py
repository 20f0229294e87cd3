"Plans: every number is the one at which its own theorem begins to speak, found by trying them all."

import json
from functools import cache
from inspect import signature
import numpy as np, pytest
from command import conflare_here
from conflare_nb.evidence.audit import Audit
from conflare_nb.evidence.planning import (
    PlanWish,
    fewest_live,
    limit_size,
    live_until_alarm,
    pac_size,
    plan,
    plan_text,
)
from conflare_nb.conformal.abstain import gate_levels
from conflare_nb.conformal.betting import BET_DELTA
from conflare_nb.conformal.budget import largest_promise
from conflare_nb.conformal.drift import first_alarm, simple_jumper
from conflare_nb.conformal.risk import Risk, learn_then_test, risk_p_value, risk_threshold
from conflare_nb.conformal.risk import total_p_value
from conflare_nb.conformal.shift import weighted_quantile
from conflare_nb.conformal.threshold import conformal_quantile, conformal_rank, pac_rank
from conflare_nb.conformal.two_steps import Rule, rank_levels
from conflare_nb.evidence.monitor import DriftMonitor

CASES = [(0.1, 0.1), (0.05, 0.05), (0.2, 0.2), (0.35, 0.01), ('1/3', 0.1)]
each = pytest.mark.parametrize('alpha, delta', CASES)


@cache
def named(alpha=0.1, delta=0.1, eps=0.05):
    return {row.name: row for row in plan(alpha, eps, delta)}


def _shown(lost, alpha, delta, beside):
    "Whether the test that retrieves shows that few are missed: alone, or beside a budget that all keep."
    risks = [Risk('missed', lost, float(PlanWish(alpha).alpha))]
    if beside:
        risks.append(Risk('over', np.zeros(lost.shape), 0.5, rises=True, binary=True))
    return learn_then_test(risks, np.arange(lost.shape[1]), delta).threshold is not None


def _has(name, n, alpha, delta):
    "Whether n questions, all of them as good as can be, have something finite by the theorem itself."
    scores, found = np.arange(n, dtype=float), np.zeros((n, 1))
    if name == 'threshold':
        return conformal_quantile(scores, alpha) < np.inf
    if name == 'this set':
        return conformal_quantile(scores, alpha, 'pac', delta) < np.inf
    if name == 'answer sets':
        return min(*rank_levels(n, alpha), *Rule('bonferroni', n, alpha).levels) > 0
    if name == 'gate':
        return min(gate_levels(n, alpha)) > 0
    if name == 'risk control':
        return risk_threshold(scores[:, None], alpha) < np.inf
    if name in ('tested limit', 'two limits'):
        return _shown(found, alpha, delta, beside=name == 'two limits')
    if name == 'budget':
        return largest_promise(scores, np.ones(n), 2, delta).coverage >= 1 - PlanWish(alpha).alpha
    if name == 'weights':
        return weighted_quantile(scores, np.arange(n) % 2, alpha) < np.inf
    if name == 'audit':  # as `conflare audit` counts, whatever the plan's own delta is
        return Audit(n, 0).alpha_left(alpha) > 0


@each
def test_below_finite_nothing_is_promised_and_from_there_on_it_is(alpha, delta):
    rows = named(alpha, delta)
    for name in (
        'threshold',
        'this set',
        'answer sets',
        'gate',
        'risk control',
        'tested limit',
        'two limits',
        'budget',
        'audit',
    ):
        finite = rows[name].finite
        assert [_has(name, n, alpha, delta) for n in (finite - 1, finite, finite + 1)] == [
            False,
            True,
            True,
        ], (name, finite)
        if name != 'gate':
            assert finite == next(n for n in range(1, 1000) if _has(name, n, alpha, delta))
    weights = rows['weights'].finite  # every other weight is 0
    assert _has('weights', weights, alpha, delta) and not _has('weights', weights - 2, alpha, delta)


@each
def test_what_is_worth_while_is_so_in_simulated_sets(alpha, delta):
    rng, eps, runs = np.random.default_rng(1), 0.05, 4000
    rows, a = named(alpha, delta), float(PlanWish(alpha).alpha)
    sure = delta + 3 * np.sqrt(delta * (1 - delta) / runs)
    for name in ('threshold', 'gate', 'risk control'):
        n = rows[name].worthwhile
        k = conformal_rank(n, alpha)
        assert np.mean(rng.beta(k, n + 1 - k, runs) < 1 - a - eps) <= sure
    n = rows['answer sets'].worthwhile  # the worst dependence: no question is missed twice
    m_ret, m_qa = (np.array(Rule('bonferroni', n, alpha).levels) * (n + 1)).round().astype(int)
    misses = rng.beta(m_ret, n + 1 - m_ret, runs) + rng.beta(m_qa, n + 1 - m_qa, runs)
    assert np.mean(misses > a + eps) <= sure
    n = rows['this set'].worthwhile
    k = pac_rank(n, alpha, delta)
    covered = rng.beta(k, n + 1 - k, runs)
    assert np.mean(covered < 1 - a) <= sure
    assert covered.mean() <= 1 - a + eps + 3 * covered.std() / np.sqrt(runs)


@each
def test_what_is_worth_while_can_be_shown(alpha, delta):
    rng, eps = np.random.default_rng(2), 0.05
    rows, a = named(alpha, delta), float(PlanWish(alpha).alpha)
    rate = a - eps if a - eps > 1e-9 else a / 2
    n = rows['budget'].worthwhile
    lost = rng.uniform(size=(2000, n)) < rate
    shown = {
        count: risk_p_value(np.arange(n) < count, a, True) <= delta
        for count in set(lost.sum(axis=1).tolist())
    }
    power = np.mean([shown[count] for count in lost.sum(axis=1).tolist()])
    fits = np.mean(
        [
            largest_promise(np.where(row, np.inf, 0), np.ones(n), 2, delta).coverage >= 1 - a
            for row in lost[:1000]
        ]
    )
    assert power >= 0.8 - 3 * np.sqrt(0.16 / 2000) and fits >= 0.8 - 3 * np.sqrt(0.16 / 1000)
    m = rows['audit'].worthwhile
    assert Audit(m, 0).alpha_left(alpha) >= a / 2 - 3e-9 > Audit(m - 1, 0).alpha_left(alpha)


@pytest.mark.parametrize('alpha, delta', [(0.1, 0.1), (0.2, 0.05)])
@pytest.mark.parametrize('name', ['tested limit', 'two limits'])
def test_a_planned_limit_is_shown_by_the_test_that_retrieves(name, alpha, delta):
    "In four of five sets of the planned size; with a third fewer it is not."
    row = named(alpha, delta)[name]
    rng, runs = np.random.default_rng(3), 600
    share = {}
    for n in (row.worthwhile, 2 * row.worthwhile // 3):
        counts = rng.binomial(n, alpha - 0.05, runs)
        shown = {
            c: _shown(
                np.repeat([1.0, 0.0], [c, n - c])[:, None], alpha, delta, name == 'two limits'
            )
            for c in set(counts.tolist())
        }
        share[n] = np.mean([shown[c] for c in counts.tolist()])
    assert share[row.worthwhile] >= 0.8 - 3 * np.sqrt(0.16 / runs)
    assert min(share.values()) < 0.8 - 3 * np.sqrt(0.16 / runs)


def test_an_audit_and_an_alarm_are_planned_as_their_commands_make_them():
    "At their own delta, which that of the plan leaves alone."
    for delta in (0.01, 0.1, 0.4):
        rows = named(delta=delta)
        assert (rows['audit'].finite, rows['audit'].worthwhile) == (29, 59)
        assert rows['drift alarm'].finite == fewest_live(BET_DELTA) == 11
        assert 'with probability 95% (conflare audit --delta)' in rows['audit'].says
        assert 'false with probability 0.05 at most' in rows['drift alarm'].says
    for made in (Audit, DriftMonitor):
        assert signature(made).parameters['delta'].default == BET_DELTA


def test_groups_have_their_questions():
    shares = dict(a=0.6, b=0.3, c=0.1)
    row = next(row for row in plan(shares=shares) if row.name == 'groups')
    for n, least in ((row.finite, 9), (row.worthwhile, named()['threshold'].worthwhile)):
        drawn = np.random.default_rng(0).multinomial(n, list(shares.values()), 4000)
        short = np.mean(drawn.min(axis=1) < least)
        assert 0.05 < short <= 0.1 + 3 * np.sqrt(0.09 / 4000)


def test_what_weights_leave_is_what_a_threshold_needs():
    for worth in (0.5, 0.3, 1.0):
        rows = {row.name: row for row in plan(effective_share=worth)}
        for what in ('finite', 'worthwhile'):
            needed = getattr(rows['threshold'], what)
            asked = getattr(rows['weights'], what)
            assert (asked - 1) * worth < needed <= asked * worth + 1e-9


@pytest.mark.parametrize('binary', [True, False])
@pytest.mark.parametrize(
    'limit, rate, delta', [(0.1, 0.05, 0.1), (0.3, 0.2, 0.05), (0.05, 0.01, 0.2)]
)
def test_from_there_on_means_every_larger_number(limit, rate, delta, binary):
    from scipy.stats import binom

    def holds(n):
        p_values = total_p_value(np.arange(n + 1), n, limit, binary)
        few = int(np.argmax(p_values > delta)) - 1
        return few >= 0 and binom.cdf(few, n, rate) >= 0.8

    n = limit_size(limit, rate, delta, binary=binary)
    assert not holds(n - 1) and all(holds(m) for m in range(n, 2 * n))
    size = pac_size(limit, 0.04, delta)
    mean = [pac_rank(m, limit, delta) / (m + 1) for m in range(size - 1, 3 * size)]
    assert mean[0] > 1 - limit + 0.04 >= max(mean[1:])


@pytest.mark.parametrize('n', [5, 40, 300])
def test_the_smallest_alpha_is_just_finite(n):
    for row in plan(0.1, n=n)[:-1]:
        least = row.smallest_alpha
        if least is None:
            assert row.name == 'gate' and n < 200 or named(0.5)[row.name].finite > n
            continue
        assert (
            named(max(least, 0.001))[row.name].finite
            <= n
            < named(max(least - 1e-6, 0.001))[row.name].finite
            or least <= 0.001
        )
        assert row.supported == (
            'too few' if n < row.finite else 'worth while' if n >= row.worthwhile else 'finite'
        )


def test_alarms():
    for delta in (0.05, 0.1, 0.01):
        most = fewest_live(delta)
        money = simple_jumper(np.zeros(most))
        assert first_alarm(money, delta) == most and first_alarm(money[:-1], delta) is None
    times = [live_until_alarm(300, 0.1, drop, seed=seed) for drop in (0.6, 0.3) for seed in (0, 1)]
    assert max(times[:2]) < min(times[2:])
    assert abs(times[0] - times[1]) <= 4
    assert live_until_alarm(300, 0.1, 0.05) is None


@pytest.mark.parametrize(
    'bad',
    [
        dict(alpha=0),
        dict(alpha=0.6),
        dict(eps=0),
        dict(eps=0.6),
        dict(delta=0.5),
        dict(n=0),
        dict(effective_share=0),
        dict(effective_share=1.1),
        dict(shares={}),
        dict(shares={'a': 1.2}),
    ],
)
def test_what_no_plan_is(bad):
    with pytest.raises(ValueError):
        plan(**bad)


@pytest.mark.parametrize('width', [70, 100])
def test_the_text_is_no_wider(width):
    for alpha, n in ((0.1, None), (0.001, 10**6), (0.5, 7)):
        assert max(map(len, plan_text(plan(alpha, n=n), width).splitlines())) <= width


# ---- conflare plan


def test_the_command_says_what_the_function_does():
    r = conflare_here('plan', '--alpha', '.2', '--n', 90, '--kind-shares', 'brand=.25, others=.75')
    assert (r.returncode, r.stdout.rstrip()) == (
        0,
        plan_text(plan(0.2, n=90, shares=dict(brand=0.25, others=0.75))),
    )
    assert 'rarest has 25%' in r.stdout
    r = conflare_here('plan', '--alpha', '1/3', '-n', 3, '--json')
    rows = json.loads(r.stdout)['rows']
    assert rows[0]['finite'] == 2
    assert rows[0]['supported'] == 'finite'
    assert [row['name'] for row in rows] == [row.name for row in plan()]


def test_kinds_are_counted_in_a_file(tmp_path):
    file = tmp_path / 'q.jsonl'
    lines = [
        json.dumps(
            dict(question=f'Which {i}?', answer='this', kind='rare' if i % 5 == 0 else 'often')
        )
        for i in range(20)
    ]
    file.write_text('\n'.join(lines))
    r = conflare_here('plan', '--kinds', file)
    assert r.returncode == 0 and 'rarest has 20%' in r.stdout
    asked = [('What are your hours?', 'hours')] * 18 + [('What does it cost?', 'price')] * 2
    rows = [dict(question=text, answer='this', kind=kind) for text, kind in asked]
    file.write_text('\n'.join(map(json.dumps, rows)))  # as they are asked, two texts in all
    r = conflare_here('plan', '--kinds', file)
    assert r.returncode == 0 and 'rarest has 10%' in r.stdout
    file.write_text('\n'.join([*lines, '{"question": "Which?", "answer": "this"}']))
    r = conflare_here('plan', '--kinds', file)
    assert (r.returncode, r.stderr.count('\n')) == (2, 1) and '1 of 21 have none' in r.stderr


@pytest.mark.parametrize(
    'typed, says',
    [
        (['--kind-shares', 'brand'], "got 'brand'"),
        (['--kind-shares', 'a=.1,a=.2'], 'names a kind once'),
        (['--kind-shares', 'a=.1', '--kinds', 'x'], 'give one of the two'),
        (['--kinds', '/none/x'], 'no such file'),
        (['--n', '0'], '-n counts questions'),
        (['--alpha', '.7'], 'got 0.7'),
        (['--eps', 'nan'], 'got nan'),
        (['--effective-share', '0'], 'got 0'),
    ],
)
def test_mistakes_are_one_line(typed, says):
    r = conflare_here('plan', *typed)
    assert (r.returncode, r.stdout, r.stderr.count('\n')) == (2, '', 1) and says in r.stderr
