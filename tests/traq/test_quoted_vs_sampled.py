"Quoted beside sampled: each way's own numbers, its promise by simulation, and sums that add up."

import math
from types import SimpleNamespace
import numpy as np, pytest
from conflare_nb.traq.quoted_vs_sampled import compare_methods, compare_ways, quoted_measures
from conflare_nb.traq.quoted_vs_sampled import sampled_measures
from conflare_nb.traq.alpha_split import choose_share, set_measures
from simulated import simulated_table


def quoted_world(rng, n, lost):
    "Questions of which a share has no sentence that answers."
    answering = np.where(rng.uniform(size=n) < lost, math.inf, rng.uniform(size=n))
    pools = [SimpleNamespace(scores=scores) for scores in np.sort(rng.uniform(size=(n, 5)), axis=1)]
    labels = [SimpleNamespace(score=s, question=f'q{i}') for i, s in enumerate(answering)]
    return list(zip(pools, labels))


@pytest.mark.parametrize('lost', [0.05, 0.15, 0.3])
def test_the_sentence_or_everything_as_often_as_promised(lost):
    "Each of 2,000 worlds has 30 questions that calibrate and one that is asked."
    rng = np.random.default_rng(0)
    means = []
    for _ in range(2000):
        found = quoted_measures(quoted_world(rng, 31, lost), np.arange(30), np.array([30]), 0.2)
        means.append([found[name] for name in ('held', 'bounded', 'unbounded', 'covered')])
    held, bounded, everything, covered = np.mean(means, axis=0)
    assert held >= 0.8 - 3 * math.sqrt(0.16 / 2000)
    assert held == pytest.approx(bounded + everything)
    assert covered <= held
    if lost == 0.15:
        assert (
            bounded / (1 - everything) < 0.8 < covered + everything
        )  # of bounded sets alone nothing is promised


def test_sampled_sets_are_those_of_the_table():
    table = simulated_table(120, seed=3)
    choose, calibrate, test = np.split(np.random.default_rng(0).permutation(120), [30, 80])
    found = sampled_measures(table, (choose, calibrate, test), 0.2)
    cal = table.calibration(calibrate)
    want = set_measures(table, test, cal, choose_share(table, choose, 0.2).rule(cal))
    want |= dict(listed=want['rouge'], replies=want['requests'] * table.k)
    assert found == {name: want[name] for name in found}


def test_methods_are_compared_on_the_same_splits():
    table = simulated_table(600, seed=3)
    a, b = (compare_methods(table, (0.2,), ('CCPS-B', 'Bonf', 'Bonf-P'), seeds=3) for _ in range(2))
    assert a.equals(b) and a.index.tolist()[0] == (0.2, 'CCPS-B')
    chosen, half, pac = (a.loc[(0.2, name), 'clusters'] for name in ('CCPS-B', 'Bonf', 'Bonf-P'))
    assert chosen <= half < pac


def test_both_ways_on_the_same_splits():
    rng = np.random.default_rng(0)
    table, quoted = simulated_table(120, seed=3), quoted_world(rng, 120, 0.05)
    a, b = (compare_ways(table, quoted, (0.1, 0.3), seeds=4) for _ in range(2))
    assert a.equals(b) and a.index.tolist() == [0.1, 0.3]
    for way in ('quoted', 'sampled'):
        assert np.allclose(a[way].held, a[way].bounded + a[way].unbounded)
    with pytest.raises(ValueError, match='the same questions, in the same order'):
        compare_ways(table, quoted_world(rng, 7, 0))
