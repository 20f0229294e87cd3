"The band of independent questions fails where questions share documents, and the cluster band holds; the design effect against its definition."

import math
import numpy as np, pytest
from scipy.stats import norm, t
from conflare_nb.conformal.clusters import (
    cluster_band,
    design_effect,
    floored,
    rank_bands,
    empirical_cluster_band,
)
from conflare_nb.conformal.threshold import (
    beta_band,
    conformal_quantile,
    conformal_rank,
    empirical_band,
)


def worlds(documents, each, icc, times=1500, seed=0):
    rng = np.random.default_rng(seed)
    scores = np.sqrt(icc) * rng.normal(size=(times, documents, 1)) + np.sqrt(1 - icc) * rng.normal(
        size=(times, documents, each)
    )
    return scores.reshape(times, -1), np.repeat(np.arange(documents), each)


@pytest.mark.parametrize(
    'documents,each,icc,independent',
    [(50, 11, 0.1, 0.83), (10, 20, 0.1, 0.79), (10, 20, 0.3, 0.62)],
)
def test_questions_in_bunches(documents, each, icc, independent):
    "The share of calibration sets whose coverage of new documents lies within the 90% band."
    scores, names = worlds(documents, each, icc)
    n, times = scores.shape[1], len(scores)
    coverage = norm.cdf(np.sort(scores, axis=1)[:, conformal_rank(n, 0.1) - 1])
    low, high = beta_band(n, 0.1)
    assert (
        abs(((low <= coverage) & (coverage <= high)).mean() - independent)
        < 3 * (0.25 / times) ** 0.5
    )
    bands = np.array([cluster_band(row, names, 0.1) for row in scores])
    held = ((bands[:, 0] <= coverage) & (coverage <= bands[:, 1])).mean()
    print(documents, each, icc, f'{held:.3f}, lower end {(bands[:, 0] <= coverage).mean():.3f}')
    assert 0.865 < held < 0.935 and (bands[:, 0] <= coverage).mean() > 0.89


def test_documents_of_different_size():
    rng, times = np.random.default_rng(1), 1500
    names = np.repeat(np.arange(25), rng.integers(1, 16, 25))
    shared = rng.normal(size=(times, 25))[:, names]
    scores = 0.5 * shared + 0.75**0.5 * rng.normal(size=shared.shape)
    q = np.sort(scores, axis=1)[:, conformal_rank(names.size, 0.1) - 1]
    bands = np.array([cluster_band(row, names, 0.1) for row in scores])
    held = ((bands[:, 0] <= norm.cdf(q)) & (norm.cdf(q) <= bands[:, 1])).mean()
    assert held > 0.86


def test_one_question_a_document_is_the_law_of_coverage():
    scores = np.random.default_rng(0).normal(size=60)
    assert cluster_band(scores, np.arange(60), 0.1) == beta_band(60, 0.1)
    assert cluster_band(scores[:5], list('aabbc'), 0.1) == (
        1,
        1,
    )  # too few: everything is retrieved
    assert cluster_band(scores, ['one'] * 60, 0.1) == (0, 1)


def test_the_design_effect_of_equal_documents_is_the_ratio_of_variances():
    rng = np.random.default_rng(2)
    covered = rng.random((12, 8)) < rng.beta(3, 1, size=(12, 1))
    share = covered.mean()
    kish = (
        covered.mean(axis=1).var(ddof=1)
        / 12
        / (share * (1 - share) / 96)
        * (t.ppf(0.95, 11) / norm.ppf(0.95)) ** 2
    )
    assert kish > 1 and design_effect(
        covered.ravel(), np.repeat(np.arange(12), 8)
    ) == pytest.approx(kish)
    order = rng.permutation(96)
    assert design_effect(
        covered.ravel()[order], np.repeat(list('abcdefghijkl'), 8)[order]
    ) == pytest.approx(kish)
    assert (
        design_effect([True] * 6, list('aabbcc')) == 1
        and design_effect([True, False], list('aa')) == math.inf
    )
    assert (
        design_effect(rng.random(4000) < 0.9, np.arange(4000) // 4) < 1.2
    )  # independent after all
    for bad in ((True,), list('ab')), ([True] * 3, list('ab')):
        with pytest.raises(ValueError, match='every question has its document; got'):
            design_effect(*bad)


def test_bunches_widen_the_band_and_keep_its_middle():
    scores, names = worlds(20, 10, 0.5, times=50)
    for row in scores:
        low, high = cluster_band(row, names, 0.1)
        inner_low, inner_high = beta_band(200, 0.1)
        assert (
            low <= inner_low + 1e-12
            and high >= inner_high - 0.02
            and conformal_quantile(row, 0.1) < math.inf
        )


def test_a_lower_end_is_never_rounded_up():
    x = np.random.default_rng(0).random(1000)
    for digits in (0, 1, 2, 3):
        cut = np.array([floored(float(v), digits) for v in x])
        assert (cut <= x).all() and (x - cut < 10.0**-digits).all()


@pytest.mark.parametrize(
    'documents,each,icc', [(50, 11, 0.1), (10, 20, 0.1), (10, 20, 0.3), (5, 20, 0.3)]
)
def test_the_coverage_found_on_a_test_in_bunches(documents, each, icc):
    "Calibration and test are different documents; the law for independent questions is beside it."
    scores, names = worlds(documents, each, icc)
    test, _ = worlds(documents, each, icc, seed=1)
    n, times = scores.shape[1], len(scores)
    q = np.sort(scores, axis=1)[:, conformal_rank(n, 0.1) - 1]
    found = (test <= q[:, None]).mean(axis=1)
    bands = np.array(
        [empirical_cluster_band(a, names, b, names, 0.1) for a, b in zip(scores, test)]
    )
    low, high = empirical_band(n, 0.1, n)
    independent = ((low <= found) & (found <= high)).mean()
    held = ((bands[:, 0] <= found) & (found <= bands[:, 1])).mean()
    print(
        documents,
        each,
        icc,
        f'{held:.3f}, lower end {(bands[:, 0] <= found).mean():.3f}; independent {independent:.3f}',
    )
    assert independent < 0.89 < held + 3 * (0.09 / times) ** 0.5


def test_a_test_of_independent_questions_has_the_exact_band():
    rng = np.random.default_rng(3)
    cal, test = rng.random(60), rng.random(40)
    for mine, theirs in (((), ()), (np.arange(60), np.arange(40)), ([''] * 60, ())):
        assert empirical_cluster_band(cal, mine, test, theirs, 0.1) == empirical_band(60, 0.1, 40)
    assert empirical_cluster_band(cal[:5], (), test, (), 0.1) == (1, 1) and empirical_cluster_band(
        cal, ['a'] * 60, test, (), 0.1
    ) == (0, 1) == empirical_cluster_band(cal, (), test, ['a'] * 40, 0.1)


@pytest.mark.parametrize('seed', range(5))
def test_the_bands_of_all_ranks_are_those_of_each(seed):
    rng = np.random.default_rng(seed)
    names = rng.choice(list('abcdefg') + [''] * 3, 80)
    scores = rng.random(80).round(1 + seed)  # with ties
    low, high = rank_bands(scores, names)
    for alpha in np.linspace(0.02, 0.9, 45):
        k = conformal_rank(80, alpha)
        assert (low[k - 1], high[k - 1]) == pytest.approx(
            cluster_band(scores, names, alpha), abs=1e-9
        )
    assert np.transpose(rank_bands(scores, ['a'] * 80)).tolist() == [[0, 1]] * 80
    assert rank_bands(scores, np.arange(80))[0][40] == pytest.approx(
        beta_band(80, 0.5)[0], abs=1e-9
    )
