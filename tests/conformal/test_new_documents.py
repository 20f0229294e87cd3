"Questions about new documents: the usual threshold falls short, this one does not, with ties and documents of any size; counted exactly."

from fractions import Fraction
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import beta, norm, t
from bunches import in_bunches
from conflare_nb.conformal.new_documents import new_document_band, new_document_p_values, new_document_threshold
from conflare_nb.conformal.threshold import Alpha, conformal_quantile

ZIPF = [max(1, 60 // rank) for rank in range(1, 21)]


def coverage(qhats):
    "The mean coverage of standard normal scores of new documents, and its standard error."
    found = norm.cdf(qhats)
    return found.mean(), found.std() / len(found) ** 0.5


EQUAL = [([20] * 10, 0.3, 0.1, 0.894), ([40] * 5, 0.5, 0.1, 0.875), ([40] * 5, 0.5, 0.2, 0.779)]
OTHERS = [([10] * 20, 0.3, 0.05, 0.946), (ZIPF, 0.3, 0.1, 0.890), ([3] * 40, 0.5, 0.1, 0.897)]


@pytest.mark.parametrize('sizes,icc,alpha,usual', EQUAL + OTHERS)
def test_coverage_of_new_documents(sizes, icc, alpha, usual):
    scores, documents = in_bunches(sizes, icc, 2500)
    found, error = coverage([conformal_quantile(row, alpha) for row in scores])
    assert abs(found - usual) < 4 * error and found < 1 - alpha
    new, error = coverage([new_document_threshold(row, documents, alpha) for row in scores])
    least, most = 1 - alpha, 1 - alpha + 2 / (len(sizes) + 1)
    assert least - 3 * error <= new <= most + 3 * error


def test_the_average_is_over_documents_of_different_size():
    "Large documents are hard: the usual threshold is theirs, and the average over documents is what is promised."
    rng, alpha = np.random.default_rng(3), 0.2
    found = []
    for _ in range(1500):
        sizes = rng.choice([1, 2, 30], 15)
        names = np.repeat(np.arange(15), sizes)
        scores = rng.normal(np.where(sizes == 1, 2.0, 0.0)[names], 1)
        qhat = new_document_threshold(scores, names, alpha)
        found.append((norm.cdf(qhat - 2) + 2 * norm.cdf(qhat)) / 3)
    error = np.std(found) / len(found) ** 0.5
    assert 1 - alpha - 3 * error <= np.mean(found) <= 1 - alpha + 2 / 16 + 3 * error


def by_the_formula(scores, documents, alpha):
    "The infimum, one score after the other, in fractions."
    names = set(documents)
    for s in sorted(scores):
        mass = Fraction(0)
        for name in names:
            own = [x for x, of in zip(scores, documents) if of == name]
            mass += Fraction(sum(x <= s for x in own), (len(names) + 1) * len(own))
        if mass >= 1 - Alpha(alpha).exact:
            return s
    return np.inf


few = st.lists(st.tuples(st.integers(0, 4), st.sampled_from('abcd')), min_size=1, max_size=14)


@settings(deadline=None)
@given(few, st.sampled_from([0.1, 0.2, '1/3', 0.25, '2/5', 0.5, '5/7', 0.9]))
def test_it_is_the_formula_in_whole_numbers(pairs, alpha):
    scores, documents = [float(x) for x, _ in pairs], [name for _, name in pairs]
    qhat = new_document_threshold(scores, documents, alpha)
    assert qhat == by_the_formula(scores, documents, alpha)
    p = new_document_p_values(np.arange(6.0), scores, documents)
    exact = np.array([Fraction(x).limit_denominator(10**6) > Alpha(alpha).exact for x in p])
    assert (exact == (np.arange(6) <= qhat)).all()
    order = np.random.default_rng(0).permutation(len(scores))
    mixed = np.array(scores)[order], np.array(documents)[order]
    assert qhat == new_document_threshold(*mixed, alpha)


def test_nine_documents_are_just_enough_for_a_tenth():
    for count, finite in [(8, False), (9, True)]:
        names = np.repeat(np.arange(count), 7)
        assert np.isfinite(new_document_threshold(np.arange(7.0 * count), names, 0.1)) == finite
    sizes = [7, 11, 13, 17, 19, 23, 29, 31, 37]  # nothing of them is rounded
    names = np.repeat(np.arange(9), sizes)
    assert new_document_threshold(np.arange(names.size), names, 0.1) == names.size - 1
    assert new_document_threshold([], [], 0.1) == np.inf and new_document_p_values(1.0, [], []) == 1
    assert new_document_band([1.0, 2.0], ['a', 'a'], 0.6) == (0, 1)  # one document says nothing


def test_the_band_is_a_beta_law_of_so_many_documents():
    scores = np.array([1.0, 2, 3, 4, 1, 2, 2, 9, 2, 3, 3, 8, 5, 6])
    documents = np.repeat(list('abcde'), [4, 4, 4, 1, 1])
    shares = np.array([1, 0.75, 0.75, 1, 1])  # within the threshold, 6 at alpha=.3
    assert new_document_threshold(scores, documents, 0.3) == 6
    bad = np.repeat([1.0, 9.0], [26, 4]), np.repeat(list('abcde'), 6)  # shares 1, 1, 1, 1 and 1/3
    for case, of, alpha in [((scores, documents), shares, 0.3), (bad, np.array([1, 1, 1, 1, 1 / 3]), 0.4)]:
        worth = min(case[0].size, 5 * of.mean() * (1 - of.mean()) / of.var(ddof=1))
        worth = worth * (norm.ppf(0.95) / t.ppf(0.95, 4)) ** 2 + 1
        mass = of.sum() / 6
        low = beta.ppf(0.05, worth * mass, worth * (1 - mass))
        assert new_document_band(*case, alpha) == (pytest.approx(low), 1.0)
