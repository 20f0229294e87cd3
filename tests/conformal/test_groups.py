"Thresholds by group against the theorem's own numbers, and bad input."

import math
import numpy as np, pytest
from fractions import Fraction
from scipy.stats import binom
from hypothesis import given, settings, strategies as st
from conflare_nb.conformal.groups import OTHERS, group_members, group_threshold, questions_for_groups, threshold_group
from conflare_nb.conformal.threshold import conformal_quantile, conformal_rank

inf = math.inf
SIZES = dict(a=19, b=9, c=50, d=12)


@pytest.mark.parametrize('alpha', [0.1, 0.2, 0.3])
def test_mean_coverage_of_each_group_is_k_over_n_plus_1(alpha):
    reps, rng = 3000, np.random.default_rng(1)
    groups = np.repeat(list(SIZES), list(SIZES.values()))
    scale = np.repeat([1.0, 3.0, 0.5, 10.0], list(SIZES.values()))
    cal = rng.exponential(scale, (reps, len(groups)))
    for name, of_group in zip(SIZES, [1.0, 3.0, 0.5, 10.0]):
        n = SIZES[name]
        new = rng.exponential(of_group, reps)
        qhats = np.array([group_threshold(row, groups, name, alpha) for row in cal])
        exact = conformal_rank(n, alpha) / (n + 1)
        assert abs(np.mean(new <= qhats) - exact) < 3 * math.sqrt(exact * (1 - exact) / len(new)), name
        assert 1 - alpha <= exact <= 1 - alpha + 1 / (n + 1)


@pytest.mark.parametrize('min_size', [0, 5, 9, 20])
def test_coverage_where_groups_come_at_random(min_size):
    "The new question's group decides whose threshold it gets; exact for each group on its own, and for the others together."
    rng, n, alpha, found = np.random.default_rng(2), 60, 0.1, {}
    for _ in range(6000):
        of = rng.choice(4, n + 1, p=[0.55, 0.25, 0.13, 0.07])
        scores = rng.exponential(1 + of)
        names = of.astype(str)
        inside = group_members(names[:-1], names[-1], min_size)
        m = int(inside.sum())
        hit = scores[-1] <= conformal_quantile(scores[:-1][inside], alpha)
        exact = min(1, conformal_rank(m, alpha) / (m + 1))
        found.setdefault(threshold_group(names[:-1], names[-1], min_size), []).append((hit, exact))
    assert (OTHERS in found) == (min_size > 0)
    for name, pairs in found.items():
        hits, exact = np.array(pairs).T
        error = math.sqrt(np.mean(exact * (1 - exact)) / len(hits))
        assert len(hits) < 50 or abs(hits.mean() - exact.mean()) < 3 * error, name


prop = settings(derandomize=True, deadline=None, max_examples=150)
question = st.tuples(st.sampled_from('abcde'), st.integers(0, 30))
questions = st.lists(question, min_size=1, max_size=30)
level = st.sampled_from([0.05, 0.1, 0.2, 0.25, 0.3, 0.5])


@prop
@given(questions, level, st.integers(0, 12))
def test_each_in_turn_is_the_new_question(bag, alpha, min_size):
    "The theorem for n+1 questions: every cell of them loses at most floor(m alpha) of its m members, ties and merging included."
    names = np.array([name for name, _ in bag])
    scores = np.array([score for _, score in bag], dtype=float)
    cells = {}
    for new in range(len(bag)):
        rest = np.arange(len(bag)) != new
        cell = threshold_group(names[rest], names[new], min_size)
        others, group = (scores[rest], names[rest]), names[new]
        missed = scores[new] > group_threshold(*others, group, alpha, min_size)
        members = group_members(names[rest], group, min_size).sum()
        cells.setdefault(cell, []).append((missed, members))
    for cell in cells.values():
        missed, calibrating = zip(*cell)
        assert set(calibrating) == {len(cell) - 1}  # the same set, whichever is new
        assert sum(missed) <= math.floor(len(cell) * Fraction(str(alpha)))


HALVES, RARE, SOME = dict(a=0.5, b=0.5), dict(a=0.7, b=0.25, c=0.05), dict(a=0.2, b=0.1)


@pytest.mark.parametrize('shares,size,delta', [(HALVES, 9, 0.1), (RARE, 9, 0.1), (SOME, 4, 0.5)])
def test_questions_for_groups(shares, size, delta):
    n, p = questions_for_groups(shares, size, delta), list(shares.values())
    assert binom.cdf(size - 1, n, p).sum() <= delta < binom.cdf(size - 1, n - 1, p).sum()
    drawn = np.random.default_rng(6).multinomial(n, [*p, max(0, 1 - sum(p))], 5000)[:, : len(p)]
    error = 3 * math.sqrt(delta * (1 - delta) / 5000)
    assert (drawn < size).any(axis=1).mean() <= delta + error
