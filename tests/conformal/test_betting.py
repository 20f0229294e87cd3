"The bets against exact fractions, fairness, the bound that holds however often one looks, and bad counts."

import math
from fractions import Fraction
import numpy as np, pytest
from conflare_nb.conformal.betting import betting_capital, betting_limits, betting_upper


def exact_capital(x, m, among):
    "The definition in rational numbers."

    def choose(n, k):
        return math.comb(n, k) if 0 <= k <= n else 0

    every = range(among + 1)
    chance = [Fraction(choose(among - m, number - x), choose(among, number)) for number in every]
    stake = [Fraction(1, number + 1) for number in every]

    def against(number):
        if not chance[number]:
            return math.inf
        won = sum(s * c for s, c in zip(stake[:number], chance))
        return won / sum(stake[:number]) / chance[number] if number else 1

    return [*map(against, every)]


SIZES = [(m, among) for among in (1, 2, 7, 20) for m in range(1, among + 1)]
CASES = [(x, m, among) for m, among in SIZES for x in range(m + 1)]


def test_the_capital_is_the_exact_one():
    for case in CASES:
        exact = [*map(float, exact_capital(*case))]
        assert betting_capital(*case) == pytest.approx(exact, rel=1e-9)


def test_the_bets_are_fair():
    "On average over the next draw, by the number that is bet against, the capital stays or is lost where it has nothing to bet on."
    equal = 0
    for x, m, among in CASES:
        if m == among:
            continue
        draws = (x, m), (x + 1, m + 1), (x, m + 1)
        now, hit, miss = (exact_capital(*draw, among) for draw in draws)
        for number in range(1, among + 1):
            if now[number] == math.inf:
                continue
            p = Fraction(number - x, among - m)
            after = sum(q * capital[number] for capital, q in ((hit, p), (miss, 1 - p)) if q)
            assert after <= now[number]
            equal += after == now[number]
    assert equal > 1500


def test_the_bound_is_the_largest_number_that_is_not_refuted():
    for x, m, among in CASES:
        for delta in (0.01, 0.05, 0.3):
            refuted, capital = 1 / Fraction(str(delta)), exact_capital(x, m, among)
            plausible = [i for i, c in enumerate(capital) if c <= refuted]
            assert betting_upper(x, m, among, delta) == max(plausible) / among
        assert x / among <= betting_upper(x, m, among) <= (among - m + x) / among


@pytest.mark.parametrize('among,most', [(50, 0.1), (272, 0.05), (400, 0.2), (1000, 0.1)])
def test_limits_are_those_of_the_bound(among, most):
    limits = betting_limits(most, among)
    assert (np.diff(limits) >= 0).all() and limits[-1] == math.ceil(most * among - 1e-9) - 1
    for m in range(1, among + 1, 7):
        x = int(limits[m - 1])
        assert x < 0 or betting_upper(x, m, among) < most
        if x < m:
            assert betting_upper(x + 1, m, among) >= most
    assert betting_limits(most, among, largest=30).tolist() == limits[:30].tolist()


def ever_below(marked, among, limits, first, every, audits=4000, seed=0):
    "The share of people whose bound falls below the true share at one of their looks."
    lot = np.arange(among) < marked
    found = np.random.default_rng(seed).permuted(np.tile(lot, (audits, 1)), axis=1).cumsum(axis=1)
    looks = slice(first - 1, None, every)
    return (found <= limits)[:, looks].any(axis=1).mean()


@pytest.mark.parametrize('among,share', [(100, 0.1), (272, 0.02), (272, 0.1), (800, 0.3)])
@pytest.mark.parametrize('delta', [0.05, 0.2])
def test_who_looks_until_it_pleases_is_misled_with_probability_delta_at_most(among, share, delta):
    marked = round(share * among)
    misled = ever_below(marked, among, betting_limits(marked / among, among, delta), 1, 1)
    assert misled <= delta + 3 * (delta * (1 - delta) / 4000) ** 0.5
    if delta == 0.2 and share > 0.02:
        assert misled > 0.3 * delta  # the bound is not idle


NO_COUNTS = [(-1, 5, 10), (6, 5, 10), (1.5, 5, 10), (1, 5.0, 10), (True, 5, 10), ('1', 5, 10)]


@pytest.mark.parametrize('bad', [*NO_COUNTS, (0, 5, None), (1, 6, 5), (1, 5, 10, 1)])
def test_what_is_no_count_is_refused(bad):
    with pytest.raises(ValueError, match='got'):
        betting_upper(*bad)
