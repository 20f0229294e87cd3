"Overlapping groups are each covered as promised, also with ties and infinite scores; groups that do not overlap get their own."

import numpy as np, pytest
from conflare_nb.conformal.conditional import conditional_threshold
from conflare_nb.conformal.groups import group_threshold
from conflare_nb.conformal.threshold import conformal_quantile


@pytest.mark.parametrize('seed', range(40))
def test_groups_that_do_not_overlap_get_their_own_threshold(seed):
    rng = np.random.default_rng(seed)
    n, alpha = int(rng.integers(20, 200)), float(rng.choice([0.05, 0.1, 0.25]))
    groups = rng.integers(0, 3, n)
    scores = rng.exponential(1 + groups)
    if seed % 2:
        scores = np.round(scores, 1)
    scores[rng.random(n) < 0.04] = np.inf
    alone = conditional_threshold(scores, np.ones((n, 1)), [1], alpha)
    assert alone == conformal_quantile(scores, alpha)
    for group in range(3):
        own = group_threshold(scores, groups.astype(str), str(group), alpha)
        assert conditional_threshold(scores, np.eye(3)[groups], np.eye(3)[group], alpha) == own


@pytest.mark.parametrize('digits', [9, 0])
def test_each_of_two_groups_that_overlap_is_covered(digits):
    rng = np.random.default_rng(digits)
    n, alpha, found = 60, 0.2, []
    for _ in range(1500):
        groups = rng.random((n + 1, 2)) < [0.5, 0.3]
        scores = np.round(rng.exponential(1 + groups @ [1, 3]), digits)
        features = np.column_stack([np.ones(n + 1), groups])
        qhat = conditional_threshold(scores[:n], features[:n], features[n], alpha)
        found.append((scores[n] <= qhat, *groups[n]))
    covered, long, brand = np.array(found, dtype=bool).T
    for inside in (np.ones_like(long), long, brand):
        share = covered[inside].mean()
        assert share >= 1 - alpha - 3 * np.sqrt(alpha * (1 - alpha) / inside.sum())
    assert covered.mean() <= 1 - alpha + 3 / (n + 1) + 3 * np.sqrt(alpha * (1 - alpha) / 1500)
