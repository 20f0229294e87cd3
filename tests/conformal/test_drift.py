"Online p-values against counting and another library, uniform and independent; false alarms within delta, ever; power."

import numpy as np, pytest
from hypothesis import given, strategies as st
from scipy.stats import kstest
from conflare_nb.conformal.drift import alarm_level, first_alarm, online_p_values, simple_jumper

# --- the rules


def counted(cal, live, draws):
    "One after the other, as it is written."
    seen, out = list(cal), []
    for s, u in zip(live, draws):
        seen.append(s)
        out.append((sum(x > s for x in seen) + u * sum(x == s for x in seen)) / len(seen))
    return out


some = st.lists(st.sampled_from([0.0, 0.5, 1.0, np.inf]), max_size=12)


@given(some, some, st.integers(0, 9))
def test_p_values_are_those_of_counting(cal, live, seed):
    draws = np.random.default_rng(seed).random(len(live))
    assert online_p_values(cal, live, draws).tolist() == pytest.approx(counted(cal, live, draws))


def test_streams_at_once_are_streams_one_by_one():
    rng = np.random.default_rng(0)
    cal, live, u = rng.integers(0, 5, (7, 11)), rng.integers(0, 5, (7, 13)), rng.random((7, 13))
    p = online_p_values(cal, live, u)
    assert (p == [online_p_values(*one) for one in zip(cal, live, u)]).all()
    assert (online_p_values(cal[0], live, u)[3] == online_p_values(cal[0], live[3], u[3])).all()
    assert simple_jumper(p) == pytest.approx(np.array([simple_jumper(one) for one in p]))


def test_what_came_later_changes_nothing():
    rng = np.random.default_rng(1)
    cal, live, u = rng.random(9), rng.random(30), rng.random(30)
    p = online_p_values(cal, live, u)
    assert (online_p_values(cal, live[:12], u[:12]) == p[:12]).all() and (
        simple_jumper(p[:12]) == simple_jumper(p)[:12]
    ).all()


def test_another_library_agrees():
    "crepes: semi-online p-values and the simple jumper with three sides."
    from crepes.martingales import EpsilonBettingFunction, SimpleJumper, semi_online_p_values

    scores = np.random.default_rng(2).integers(0, 40, 300) / 4
    theirs = semi_online_p_values(scores, seed=7)
    u = np.random.RandomState(7).rand(300)
    mine = online_p_values(scores[:100], scores[100:], u[100:])
    assert mine == pytest.approx(theirs[100:])
    money = SimpleJumper(J=0.01, bf=EpsilonBettingFunction([-1, 0, 1])).apply(mine)
    assert 10 ** simple_jumper(mine) == pytest.approx(money)
    for p in (np.zeros(400), np.ones(400), np.linspace(0, 1, 400)):
        assert simple_jumper(p, 0.2) == pytest.approx(
            np.log10(SimpleJumper(J=0.2, bf=EpsilonBettingFunction([-1, 0, 1])).apply(p))
        )


def test_it_neither_overflows_nor_breaks():
    log = simple_jumper(np.zeros(10_000))
    assert np.isfinite(log).all() and log[-1] > 1000
    assert (
        simple_jumper([]).size == 0 == online_p_values([1.0], [], []).size
        and first_alarm(simple_jumper([])) is None
    )


@pytest.mark.parametrize(
    'ask, says',
    [
        (lambda: online_p_values([1.0], [1.0, 2.0], [0.5]), r'got \(2,\) and \(1,\)'),
        (lambda: online_p_values([1.0], [1.0], [1.5]), 'got 1.5'),
        (lambda: online_p_values([1.0], [1.0], [np.nan]), 'got nan'),
        (lambda: online_p_values([np.nan], [1.0], [0.5]), 'NaN'),
        (lambda: simple_jumper([-0.1]), 'got -0.1'),
        (lambda: simple_jumper([np.nan]), 'got nan'),
        (lambda: simple_jumper([0.1], 1), 'got 1'),
        (lambda: alarm_level(0), 'got 0'),
        (lambda: first_alarm([1.0], 2), 'got 2'),
    ],
)
def test_what_is_refused(ask, says):
    with pytest.raises(ValueError, match=says):
        ask()


# --- the theorems

KINDS = {
    'continuous': lambda rng, shape: rng.normal(size=shape),
    'ties': lambda rng, shape: rng.geometric(0.7, shape).astype(float),
    'mostly not found': lambda rng, shape: np.where(rng.random(shape) < 0.8, np.inf, 1.0),
}
each_kind = pytest.mark.parametrize('kind', KINDS)


def null_streams(kind, n, length, runs=10_000):
    "Online p-values of streams in which nothing changes."
    rng = np.random.default_rng(n)
    scores = KINDS[kind](rng, (runs, n + length))
    return online_p_values(scores[:, :n], scores[:, n:], rng.random((runs, length)))


@each_kind
@pytest.mark.parametrize('n', [0, 3, 20])
def test_p_values_are_uniform_and_independent(kind, n):
    p = null_streams(kind, n, 8)
    assert min(kstest(column, 'uniform').pvalue for column in p.T) > 1e-4  # 8 of them, 9 times
    off = np.corrcoef(p.T)[~np.eye(8, dtype=bool)]
    assert abs(off).max() < 4.5 / np.sqrt(len(p))
    small = p <= 0.2  # pairs, not only correlations
    pairs = (small.T.astype(float) @ small) / len(p)
    assert abs(pairs[~np.eye(8, dtype=bool)] - 0.04).max() < 4.5 * np.sqrt(0.04 * 0.96 / len(p))
    assert abs((small.sum(axis=1) == 0).mean() - 0.8**8) < 4 * np.sqrt(
        0.8**8 * (1 - 0.8**8) / len(p)
    )


@each_kind
@pytest.mark.parametrize('n', [1, 40])
@pytest.mark.parametrize('delta', [0.2, 0.05])
def test_false_alarms_ever_are_at_most_delta(kind, n, delta):
    highest = simple_jumper(null_streams(kind, n, 120)).max(axis=1)
    assert np.mean(highest >= alarm_level(delta)) <= delta + 3 * np.sqrt(
        delta * (1 - delta) / highest.size
    )


def test_the_bets_are_fair():
    "The mean of the money is the stake, after any number of questions."
    money = 10 ** simple_jumper(np.random.default_rng(0).random((10_000, 30)))
    for t in (0, 4, 29):
        assert abs(money[:, t].mean() - 1) < 3 * money[:, t].std() / 100


@pytest.mark.parametrize('kind', ['continuous', 'ties'])
@pytest.mark.parametrize('by', [-1.5, 1.5])
def test_a_change_is_noticed_also_late(kind, by, runs=300, n=200):
    rng = np.random.default_rng(3)
    cal, live = (rng.normal(size=(runs, m)) for m in (n, 150))
    live[:, 50:] += by
    if kind == 'ties':
        cal, live = cal.round(), live.round()
    reached = simple_jumper(online_p_values(cal, live, rng.random(live.shape))) >= alarm_level(0.05)
    assert reached[:, :50].any(axis=1).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)  # before it
    assert reached.any(axis=1).mean() > 0.95
