"Online p-values against counting and another library, uniform and independent; false alarms within delta, ever; power."

import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import kstest
from conflare_nb.conformal.drift import alarm_level, bunched_martingale, document_p_values
from conflare_nb.conformal.drift import first_alarm, online_p_values, simple_jumper


def counted(cal, live, draws):
    seen, out = list(cal), []
    for s, u in zip(live, draws):
        seen.append(s)
        out.append((sum(x > s for x in seen) + u * sum(x == s for x in seen)) / len(seen))
    return out


some = st.lists(st.sampled_from([0.0, 0.5, 1.0, np.inf]), max_size=12)


@settings(deadline=None)
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
    quick = SimpleJumper(J=0.2, bf=EpsilonBettingFunction([-1, 0, 1]))
    for p in (np.zeros(400), np.ones(400), np.linspace(0, 1, 400)):
        assert simple_jumper(p, 0.2) == pytest.approx(np.log10(quick.apply(p)))


def test_it_neither_overflows_nor_breaks():
    log = simple_jumper(np.zeros(10_000))
    assert np.isfinite(log).all() and log[-1] > 1000
    assert simple_jumper([]).size == 0 == online_p_values([1.0], [], []).size
    assert first_alarm(simple_jumper([])) is None
    level = alarm_level(0.05)
    assert first_alarm([0, np.nextafter(level, 0), level, 0], 0.05) == 3  # counted from 1
    for jump in (0, 1):
        with pytest.raises(ValueError, match=f'between 0 and 1; got {jump}'):
            simple_jumper([0.5], jump)


KINDS = {
    'continuous': lambda rng, shape: rng.normal(size=shape),
    'ties': lambda rng, shape: rng.geometric(0.7, shape).astype(float),
    'mostly not found': lambda rng, shape: np.where(rng.random(shape) < 0.8, np.inf, 1.0),
}
each_kind = pytest.mark.parametrize('kind', KINDS)


def null_streams(kind, n, length, runs=10_000):
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
    none = 0.8**8
    assert abs((small.sum(axis=1) == 0).mean() - none) < 4 * np.sqrt(none * (1 - none) / len(p))


@each_kind
@pytest.mark.parametrize('n', [1, 40])
@pytest.mark.parametrize('delta', [0.2, 0.05])
def test_false_alarms_ever_are_at_most_delta(kind, n, delta):
    highest = simple_jumper(null_streams(kind, n, 120)).max(axis=1)
    error = 3 * np.sqrt(delta * (1 - delta) / highest.size)
    assert np.mean(highest >= alarm_level(delta)) <= delta + error


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


def poorer(cal, cal_documents, live, documents, rng):
    draws, picks = rng.random(len(live)), rng.random(len(cal))
    by_document = document_p_values(cal, cal_documents, live, documents, draws, picks)
    return bunched_martingale(np.vstack([online_p_values(cal, live, draws), by_document]))


def alike(about, icc, rng, hard=None):
    "Scores of questions about these documents, alike within each."
    if hard is None:
        hard = rng.normal(size=max(map(max, about)) + 1)
    return [icc**0.5 * hard[of] + (1 - icc) ** 0.5 * rng.normal(size=of.size) for of in about]


def new_in_bunches(rng, K=20, each=10, icc=0.3, live=40):
    about = np.repeat(np.arange(K), each), np.repeat(np.arange(K, K + live), each)
    return alike(about, icc, rng), about


def fifty_of_eleven(rng):
    return new_in_bunches(rng, 50, 11, 0.1)


def mixed(rng):
    (cal, live), (names, new) = new_in_bunches(rng)
    order = rng.permutation(live.size)
    return (cal, live[order]), (names, new[order])


def with_ties(rng):  # 72% of the scores are the smallest
    scores, about = new_in_bunches(rng)
    return [np.maximum(s, 0.58) for s in scores], about


def live_about(rng, live):  # twenty documents calibrate
    about = np.repeat(np.arange(20), 10), live
    return alike(about, 0.3, rng), about


def same_documents(rng):
    return live_about(rng, rng.integers(0, 20, 400))


def old_and_new(rng):
    return live_about(rng, rng.integers(0, 40, 400))


def other_sizes(rng):  # live documents have one to forty questions
    new = rng.permutation(np.repeat(np.arange(30, 70), rng.integers(1, 40, 40)))
    about = np.repeat(np.arange(30), 8), new[:300]
    return alike(about, 0.3, rng), about


def popular_is_hard(rng):  # questions singly, from documents of which some are asked about often
    share = 1 / np.arange(1, 1001)
    hard = np.log(share / share.mean())
    about = [rng.choice(1000, size, p=share / share.sum()) for size in (300, 500)]
    return alike(about, 0.5, rng, hard), about


def repeats(rng):  # every text is a document, asked one to five times
    times = np.repeat(np.arange(300), rng.integers(1, 6, 300))
    about = times[times < 60][:100], times[times >= 60][:300]
    return alike(about, 1, rng), about


WORLDS = [new_in_bunches, fifty_of_eleven, mixed, with_ties, same_documents]
WORLDS += [old_and_new, other_sizes, popular_is_hard, repeats]


@pytest.mark.parametrize('world', WORLDS)
def test_false_alarms_are_at_most_delta_however_questions_are_drawn(world, runs=150, delta=0.1):
    rng = np.random.default_rng(7)
    streams = [world(rng) for _ in range(runs)]
    cal, live = (np.stack(side) for side in zip(*(scores for scores, _ in streams)))
    draws, picks = rng.random(live.shape), rng.random(cal.shape)
    p = online_p_values(cal, live, draws)
    each = zip(cal, live, draws, picks, (about for _, about in streams))
    by_document = [document_p_values(c, of[0], x, of[1], u, w) for c, x, u, w, of in each]
    poorer = bunched_martingale(np.concatenate([p[:, None], by_document], axis=1))
    found = np.mean(poorer.max(axis=1) >= alarm_level(delta))
    before = np.mean(simple_jumper(p).max(axis=1) >= alarm_level(delta))
    print(world.__name__, f'{found:.1%}; question by question {before:.1%}')
    assert found <= delta + 3 * (delta * (1 - delta) / runs) ** 0.5
    if world is new_in_bunches:
        assert before > 0.7  # what the questions alone would say


def test_streams_of_documents_are_uniform_and_independent():
    rng, rows = np.random.default_rng(9), []
    for _ in range(3000):
        about = np.array([0, 0, 0, 1, 2, 2]), np.array([3, 0, 4, 0, 5])
        cal, live = alike(about, 0.6, rng)
        p = document_p_values(cal, about[0], live, about[1], rng.random(5), rng.random(6))
        rows.append([*p[0, [0, 2, 4]], *p[1, [1, 3]]])
    rows = np.array(rows)
    for stream in rows.T:
        assert kstest(stream, 'uniform').pvalue > 1e-4
    assert abs(np.corrcoef(rows[:, :3].T) - np.eye(3)).max() < 4 / 3000**0.5
    assert abs(np.corrcoef(rows[:, 3], rows[:, 4])[0, 1]) < 4 / 3000**0.5


def test_without_documents_it_is_question_by_question():
    rng = np.random.default_rng(10)
    cal, live, draws, picks = (rng.random(size) for size in (30, 20, 20, 30))
    p = document_p_values(cal, [''] * 30, live, [''] * 20, draws, picks)
    each = online_p_values(cal, live, draws)
    assert p.shape == (1, 20) and (p[0] == each).all()
    assert (bunched_martingale(np.vstack([each, p])) == simple_jumper(each)).all()
    once = document_p_values(cal, range(30), live, range(30, 50), draws, picks)
    assert (once[0] == each).all() and (once[1] == 0.5).all()
    longer = document_p_values(cal, range(30), live[:9], range(30, 39), draws[:9], picks)
    assert (longer == once[:, :9]).all()  # what came later changes nothing
    old = document_p_values(cal[:3], ['a', 'b', ''], live[:4], ['b', 'c', 'a', 'c'], draws[:4], picks[:3])
    assert (old[0] == 0.5).tolist() == [True, False, True, True]  # about c alone nobody asked before
    with pytest.raises(ValueError, match='30 scores and 29 documents'):
        document_p_values(cal, range(29), live, range(20), draws, picks)


def test_the_stake_is_halved_where_there_are_two_streams_and_the_poorer_bettor_counts():
    strange, usual = np.zeros(20), np.full(20, 0.5)
    rich = simple_jumper(strange)
    assert bunched_martingale([strange, strange]) == pytest.approx(rich)
    for halves in ([strange, usual], [usual, strange], [strange, strange]):
        assert bunched_martingale([strange, *halves]) == pytest.approx(rich - np.log10(2))
    assert (bunched_martingale([usual, strange, strange]) <= 0).all()
    assert (bunched_martingale([strange, usual, usual]) < 0).all()
