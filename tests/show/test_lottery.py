"The lottery: the exact law, and every control."

import numpy as np, pytest
from scipy.stats import beta, betabinom, kstest
from conflare_nb.conformal.threshold import beta_band, conformal_quantile, conformal_rank
from conflare_nb.show.lottery import _chance, coverage_lottery

POOL = np.sort(np.random.default_rng(0).beta(4, 6, 200))


@pytest.mark.parametrize('n,alpha', [(9, 0.1), (20, 0.1), (50, 0.2), (100, 0.05), (199, 0.01)])
def test_coverage_follows_the_beta_law(n, alpha):
    view = coverage_lottery(n, alpha, 2000)
    k = conformal_rank(n, alpha)
    assert kstest(view.coverage, beta(k, n + 1 - k).cdf).pvalue > 0.001
    assert (view.k, view.mean, (view.low, view.high)) == (k, k / (n + 1), beta_band(n, alpha))
    assert abs(view.inside / 2000 - 0.9) < 0.03


@pytest.mark.parametrize('n,alpha', [(9, 0.1), (40, 0.2), (150, 0.1)])
def test_coverage_of_the_rest_follows_the_betabinomial_law(n, alpha):
    view, m, k = coverage_lottery(n, alpha, 2000, POOL), len(POOL) - n, conformal_rank(n, alpha)
    found = np.bincount(np.rint(view.coverage * m).astype(int), minlength=m + 1)
    law = betabinom(m, k, n + 1 - k)
    assert np.abs(np.cumsum(found) / 2000 - law.cdf(np.arange(m + 1))).max() < 0.045
    assert (view.low, view.high) == tuple(law.ppf([0.05, 0.95]) / m)


def test_each_draw_is_what_the_threshold_says():
    u = (_chance(3, 20, 60) + 0.5) / 2**32
    coverage = coverage_lottery(60, 0.1, 20, seed=3).coverage
    assert coverage.tolist() == [conformal_quantile(row, 0.1) for row in u]
    ticket = _chance(3, 20, len(POOL)).argsort(axis=1)
    for c, order in zip(coverage_lottery(60, 0.1, 20, POOL, 3).coverage, ticket):
        assert c == np.mean(POOL[order[60:]] <= conformal_quantile(POOL[order[:60]], 0.1))


def test_more_draws_go_on_and_seeds_differ():
    hundred = coverage_lottery(50, 0.1, 100).coverage.tolist()
    assert coverage_lottery(50, 0.1, 30).coverage.tolist() == hundred[:30]
    assert not set(hundred) & set(coverage_lottery(50, 0.1, 100, seed=1).coverage)
