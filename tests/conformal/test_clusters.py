"The band of independent questions fails where questions share documents, and the cluster band holds; the design effect against its definition."

import math
import numpy as np, pytest
from scipy.stats import betabinom, norm, t
from bunches import in_bunches
from conflare_nb import beta_band, conformal_quantile, conformal_rank
from conflare_nb.conformal.clusters import cluster_band, cluster_numbers, design_effect, empirical_cluster_band
from conflare_nb.conformal.clusters import found_p_values, rank_bands


def inside(bands, coverage):
    low, high = np.transpose(bands)
    return ((low <= coverage) & (coverage <= high)).mean()


def threshold_of(scores, alpha):
    return np.sort(scores, axis=1)[:, conformal_rank(scores.shape[1], alpha) - 1]


def held(scores, names, alpha):
    "The share of calibration sets whose coverage of new documents' questions lies within its band."
    coverage = norm.cdf(threshold_of(scores, alpha))
    return inside([cluster_band(row, names, alpha) for row in scores], coverage)


def ok(times):
    return 0.88 - 3 * (0.88 * 0.12 / times) ** 0.5


@pytest.mark.parametrize('documents,each,icc,alone', [(50, 11, 0.1, 0.83), (10, 20, 0.1, 0.79), (10, 20, 0.3, 0.62)])
def test_questions_in_bunches(documents, each, icc, alone):
    scores, names = in_bunches([each] * documents, icc, 1500)
    assert abs(held(scores, (), 0.1) - alone) < 3 * (0.25 / 1500) ** 0.5
    assert 0.865 < held(scores, names, 0.1) < 0.935
    low = [cluster_band(row, names, 0.1)[0] for row in scores]
    assert (low <= norm.cdf(threshold_of(scores, 0.1))).mean() > 0.89


def zipf(largest, documents):
    return np.maximum(1, np.round(largest / np.arange(1, documents + 1))).astype(int)


FOUR_LARGE = [40] * 4 + [3] * 16
UNEQUAL = [
    *((zipf(120, 50), 0.1, alpha) for alpha in (0.1, 0.05)),
    *((sizes, 0.3, alpha) for sizes in (zipf(60, 20), FOUR_LARGE) for alpha in (0.1, 0.05)),
    *((sizes, 0.3, 0.1) for sizes in (zipf(200, 20), [100] + [5] * 19)),
    ([50] * 10 + [4] * 40, 0.3, 0.05),
    # one miss does not show that questions about a document are alike
    *((sizes, 0.3, alpha) for sizes in ([20] * 10, FOUR_LARGE) for alpha in (0.005, 0.01, 0.02)),
]


@pytest.mark.parametrize('sizes,icc,alpha', UNEQUAL)
def test_a_few_documents_are_large(sizes, icc, alpha, times=800):
    "The band of before, by as many documents as there are, held 67% to 88% here."
    assert held(*in_bunches(sizes, icc, times), alpha) > ok(times)


def test_documents_whose_size_is_drawn_and_whose_difficulty_is_skewed(times=600):
    rng, bands, coverage = np.random.default_rng(1), [], []
    near = rng.exponential(size=4000) - 1
    for _ in range(times):
        names = np.repeat(np.arange(40), rng.geometric(0.1, 40))
        hard = rng.exponential(size=40)[names] - 1
        row = 0.5 * hard + 0.75**0.5 * rng.normal(size=names.size)
        bands.append(cluster_band(row, names, 0.1))
        coverage.append(norm.cdf((conformal_quantile(row, 0.1) - 0.5 * near) / 0.75**0.5).mean())
    assert inside(bands, coverage) > ok(times)


def test_copies_of_a_question_are_one(times=400):
    "30 of 200 are one text; new questions have new texts: the band of independent ones holds less."
    rng = np.random.default_rng(2)
    texts = ['popular'] * 30 + [f'{i}' for i in range(170)]
    scores = rng.normal(size=(times, 200))
    scores[:, :30] = scores[:, :1]
    assert held(scores, (), 0.1) < 0.85
    assert held(scores, cluster_numbers((), texts), 0.1) > ok(times)


def test_a_long_chain_belongs_together():
    chain = np.arange(40) // 2, [f't{(i + 1) // 2}' for i in range(40)]
    assert cluster_numbers(*chain).tolist() == [0] * 40
    assert cluster_numbers([3, 3, 4]).tolist() == [0, 0, 1]
    assert cluster_numbers((), ['How much?', 'how  MUCH?', 'How?']).tolist() == [0, 0, 1]


def tied_world(rng, times, n, steps):
    "Scores with atoms: the share of questions at or below each of some values."
    shares = np.diff([0, *steps, 1])
    return rng.choice(len(shares), size=(times, n), p=shares), np.array([*steps, 1.0])


@pytest.mark.parametrize(
    'n,alpha,steps',
    [
        (100, 0.5, [0.72]),
        (100, 0.4, [0.72]),
        (50, 0.1, [0.92]),
        (100, 0.1, [0.85, 0.938]),  # the worst found of 24,000 with up to four atoms
        (300, 0.1, [0.844, 0.87, 0.99]),
        (40, 0.2, [0.693, 0.928]),
        (10, 0.5, [0.3, 0.39, 0.71, 0.92]),
        (100, 0.2, np.linspace(0.02, 0.98, 49)),
    ],
)
def test_where_scores_tie_the_band_is_from_below_and_holds(n, alpha, steps, times=3000):
    rng = np.random.default_rng(0)
    scores, share = tied_world(rng, times, n, steps)
    low, high = np.transpose([cluster_band(row, (), alpha) for row in scores])
    coverage = share[threshold_of(scores, alpha)]
    assert ((low <= coverage) & (coverage <= high)).mean() > 0.9 - 3 * (0.09 / times) ** 0.5
    if alpha > 0.3 and len(steps) == 1:  # the law of scores without ties never holds
        assert (coverage > beta_band(n, alpha)[1]).all() and (high == 1).all()
        assert low.mean() > 0.62  # near the share that ties


FEW_BAD = [(14, 6, 0.05, 0.1, 1), (20, 10, 0.05, 0.1, 1), (14, 6, 0.1, 0.2, 1)]
FEW_BAD += [(50, 11, 0.03, 0.1, 1), (25, 8, 0.05, 0.1, 0.8)]


@pytest.mark.parametrize('documents,each,bad,alpha,lost', FEW_BAD)
def test_where_nearly_all_tie_and_few_documents_are_bad(documents, each, bad, alpha, lost):
    "All answers come first but for those of bad documents, which one set may hold none of."
    rng, times = np.random.default_rng(6), 400
    names = np.repeat(np.arange(documents), each)
    of_bad = (rng.random((times, documents)) < bad)[:, names]
    missed = of_bad & (rng.random(of_bad.shape) < lost)
    scores = np.where(missed, 1 + rng.random(of_bad.shape), 0)
    at = threshold_of(scores, alpha)
    coverage = 1 - bad * lost * np.where(at < 1, 1, 2 - at)
    bands = [cluster_band(row, names, alpha) for row in scores]
    assert inside(bands, coverage) > 0.9 - 3 * (0.09 / times) ** 0.5
    low, high = rank_bands(scores[0], names)
    assert (low[-2], high[-2]) == cluster_band(scores[0], names, f'2/{names.size + 1}')


@pytest.mark.parametrize('alpha', [0.5, 0.1])
def test_a_test_whose_scores_tie(alpha, n=100, m=60, times=400):
    rng = np.random.default_rng(4)
    steps = [0.72] if alpha == 0.5 else [0.86, 0.95]
    scores, _ = tied_world(rng, times, n, steps)
    test, _ = tied_world(rng, times, m, steps)
    found = (test <= threshold_of(scores, alpha)[:, None]).mean(axis=1)
    bands = [empirical_cluster_band(a, (), b, (), alpha) for a, b in zip(scores, test)]
    assert inside(bands, found) > 0.9 - 3 * (0.09 / times) ** 0.5
    assert min(high for _, high in bands) == 1


def test_the_design_effect_of_equal_documents_is_the_ratio_of_variances():
    rng = np.random.default_rng(2)
    covered = rng.random((12, 8)) < rng.beta(3, 1, size=(12, 1))
    share, student = covered.mean(), (t.ppf(0.95, 11) / norm.ppf(0.95)) ** 2
    ratio = covered.mean(axis=1).var(ddof=1) / 12 / (share * (1 - share) / 96)
    kish, each = pytest.approx(ratio * student), covered.ravel()
    order, names = rng.permutation(96), np.repeat(list('abcdefghijkl'), 8)
    assert ratio * student > 1 and design_effect(each, np.repeat(np.arange(12), 8)) == kish
    assert design_effect(each[order], names[order]) == kish
    assert design_effect([True] * 24, np.arange(24) // 2) == pytest.approx(2 * student)
    assert design_effect([True, False], list('aa')) == math.inf  # each document as one
    independent = rng.random(4000) < 0.9
    assert design_effect(independent, np.arange(4000) // 4) < 1.2
    for bad in ((True,), list('ab')), ([True] * 3, list('ab')):
        with pytest.raises(ValueError, match='every question has its document; got'):
            design_effect(*bad)


def test_p_values_of_independent_questions_are_those_of_the_law():
    rng = np.random.default_rng(5)
    scores, test = rng.random(50), rng.random(40)
    k, found = conformal_rank(50, 0.2), np.sum(test <= conformal_quantile(scores, 0.2))
    law = betabinom(40, k, 51 - k)
    few, many = found_p_values(scores, (), test, (), 0.2)
    assert (few, many) == pytest.approx((law.cdf(found), law.sf(found - 1)))
    assert found_p_values(scores, ['a'] * 50, test, (), 0.2) == (1, 1)
    tied = np.repeat([1.0, 2.0], [30, 20])  # more may be covered than the law of rank 26 says
    assert found_p_values(tied, (), np.ones(40), (), 0.5)[1] == 1


def test_ends_of_a_band_that_is_found_are_rounded_outwards():
    "By the law itself: no more than a tail lies beyond either end."
    scores, names = in_bunches([8] * 12, 0.3, 20)
    test, theirs = in_bunches([5] * 9, 0.3, 20, seed=1)
    for a, b in zip(scores, test):
        ends = np.multiply(empirical_cluster_band(a, names, b, theirs, 0.2), 45).round()
        few, _ = found_p_values(a, names, b, theirs, 0.2, ends)
        assert few[0] <= 0.05 and few[1] >= 0.95
