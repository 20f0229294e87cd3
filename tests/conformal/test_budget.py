"A token budget: the truncated pipeline's own coverage, cutting afterwards beside it, and the largest promise."

import math
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.conformal.budget import budget_scores, largest_promise, shown_count
from conflare_nb.conformal.threshold import conformal_quantile

inf = math.inf
prop = settings(derandomize=True, deadline=None, max_examples=200)
ranked = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12)  # scores, tokens


@prop
@given(ranked, st.integers(0, 11), st.integers(0, 10), st.integers(1, 60))
def test_an_answer_is_shown_just_where_its_budget_score_is_within(rows, place, qhat, budget):
    "For a ranked list whose chunk at `place` answers (ties included: what ties with the threshold is retrieved)."
    scores, tokens = sorted(s for s, _ in rows), [t for _, t in rows]
    place %= len(rows)
    score = budget_scores([scores[place]], [sum(tokens[: place + 1])], budget)
    assert (place < shown_count(scores, tokens, qhat, budget)) == bool(score[0] <= qhat)


@prop
@given(st.lists(st.integers(1, 9), max_size=12), st.integers(1, 60), st.integers(1, 60))
def test_what_is_shown_fits(tokens, budget, more):
    scores = np.arange(len(tokens))
    count = shown_count(scores, tokens, inf, budget)
    assert sum(tokens[:count]) <= budget
    assert count == len(tokens) or sum(tokens[: count + 1]) > budget
    assert shown_count(scores, tokens, inf, budget + more) >= count


# --- the theorem's numbers: three standard errors
def drawn(seed, reps, n):  # hard questions need more tokens
    rng = np.random.default_rng(seed)
    hard = rng.gamma(2.0, size=(reps, n))
    return hard, 100 + 200 * hard * rng.uniform(0.5, 1.5, size=hard.shape)


@pytest.mark.parametrize('n,alpha,budget', [(99, 0.1, 1000), (39, 0.2, 800), (60, 0.3, 600)])
def test_coverage_of_the_truncated_pipeline(n, alpha, budget):
    "At least 1-alpha, or nothing is promised; cut afterwards it is less than where nothing is cut."
    hits, cut, finite = [], [], []
    for s, t in zip(*drawn(1, 3000, n + 1)):
        qhat = conformal_quantile(budget_scores(s[:-1], t[:-1], budget), alpha)
        fits = t[-1] <= budget
        finite.append(qhat < inf)
        hits.append((s[-1] <= qhat and fits) or qhat == inf)
        cut.append(s[-1] <= conformal_quantile(s[:-1], alpha) and fits)
    se = math.sqrt(alpha * (1 - alpha) / 3000)
    k = n + 1 - math.floor((n + 1) * alpha + 1e-9)
    assert np.mean(hits) >= 1 - alpha - 3 * se and np.mean(cut) < 1 - alpha - 3 * se
    if all(finite):  # ties only at inf: exact while it is finite
        assert abs(np.mean(hits) - k / (n + 1)) < 3 * se
    assert np.mean(finite) > 0.5


@pytest.mark.parametrize('n,p,delta', [(60, 0.8, 0.1), (200, 0.95, 0.05), (30, 0.5, 0.2)])
def test_the_largest_promise_keeps_its_confidence(n, p, delta):
    fits = np.random.default_rng(2).uniform(size=(2000, n)) < p
    used = np.where(fits, 1, 9)
    least = np.array([largest_promise(np.ones(n), row, 5, delta).coverage for row in used])
    assert np.mean(least > p) <= delta + 3 * math.sqrt(delta * (1 - delta) / 2000)
    assert np.mean(least) > p - 0.2


def test_the_smallest_alpha_is_where_the_threshold_becomes_finite():
    for n in (5, 6, 19, 48, 60, 97):
        assert largest_promise(np.arange(n), np.full(n, 9), 5).alpha == 1
        for x in range(1, n + 1):
            used = np.repeat([1, 9], [x, n - x])
            found = largest_promise(np.arange(n), used, 5)
            scores = budget_scores(np.arange(n), used, 5)
            assert found.x == x and conformal_quantile(scores, found.alpha) < inf
            if found.alpha > 1e-7:
                assert conformal_quantile(scores, found.alpha - 1e-8) == inf


def test_words_floor():
    text = str(largest_promise(np.ones(100), np.ones(100), 1000))
    assert text.startswith('within 1,000 tokens an answer is shown for 100 of 100 questions; ')
    assert 'for at least 97% of questions like these' in text and 'in at most 10 of 100' in text


def test_what_is_no_budget_and_no_promise_is_refused():
    for scores, budget, says in [
        ([1.0], math.nan, 'above 0; got nan'),
        ([1.0], 0, 'above 0; got 0'),
        ([math.nan], 5, '1 NaN'),
        ([1.0, 2.0], 5, '2 scores and 1 number'),
    ]:
        with pytest.raises(ValueError, match=says):
            budget_scores(scores, [1], budget)
    with pytest.raises(ValueError, match='at least one question; got none'):
        largest_promise([], [], 5)
