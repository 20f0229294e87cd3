"Quoted beside sampled: each way's own numbers, its promise by simulation, and sums that add up."

import math
import numpy as np, pytest
from conflare_nb.traq.quoted_vs_sampled import WAY_MEASURES, QuotedQuestions, compare_methods
from conflare_nb.traq.quoted_vs_sampled import compare_ways, quoted_measures, quoted_questions
from conflare_nb.traq.quoted_vs_sampled import sampled_measures
from conflare_nb.answers.quotes import QuoteScore, calibrate_quotes
from conflare_nb.traq.alpha_split import MEASURES, choose_share, set_measures
from conflare_nb.labels.guide import sample_documents, sample_questions
from simulated import simulated_table

pytest_plugins = ['kb_fixtures']


def quoted_world(rng, n, lost):
    "Questions of which a share has no sentence that answers."
    answering = np.where(rng.uniform(size=n) < lost, math.inf, rng.uniform(size=n))
    return QuotedQuestions(answering, tuple(np.sort(rng.uniform(size=(n, 5)), axis=1)))


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


def test_infinite_on_both_sides_is_everything():
    quoted = QuotedQuestions(np.array([0.1, math.inf, math.inf, math.inf]), (np.arange(3.0),) * 4)
    assert quoted_measures(quoted, np.arange(3), np.array([3]), 0.3) == dict(
        held=1, bounded=0, unbounded=1, covered=0, listed=3, replies=0
    )
    assert quoted_measures(quoted, np.array([0]), np.array([3]), 0.5) == dict(
        held=0, bounded=0, unbounded=0, covered=0, listed=1, replies=0
    )


def test_sampled_sets_are_those_of_the_table():
    table = simulated_table(120, seed=3)
    choose, calibrate, test = np.split(np.random.default_rng(0).permutation(120), [30, 80])
    found = sampled_measures(table, (choose, calibrate, test), 0.2)
    cal = table.calibration(calibrate)
    want = set_measures(table, test, cal, choose_share(table, choose, 0.2).rule(cal))
    want |= dict(listed=want['rouge'], replies=want['requests'] * table.k)
    assert found == {name: want[name] for name in WAY_MEASURES}


def test_methods_are_compared_on_the_same_splits():
    table = simulated_table(600, seed=3)
    a, b = (compare_methods(table, (0.2,), ('CCPS-B', 'Bonf', 'Bonf-P'), seeds=3) for _ in range(2))
    assert a.equals(b) and a.shape == (3, 2 * (len(MEASURES) + 1))
    chosen, half, pac = (a.loc[(0.2, name), 'clusters'] for name in ('CCPS-B', 'Bonf', 'Bonf-P'))
    assert chosen <= half < pac


def test_both_ways_on_the_same_splits():
    rng = np.random.default_rng(0)
    table, quoted = simulated_table(120, seed=3), quoted_world(rng, 120, 0.05)
    a, b = (compare_ways(table, quoted, (0.1, 0.3), seeds=4) for _ in range(2))
    assert a.equals(b) and a.index.tolist() == [0.1, 0.3]
    assert a.columns.tolist() == [(w, m) for w in ('quoted', 'sampled') for m in WAY_MEASURES]
    for way in ('quoted', 'sampled'):
        assert np.allclose(a[way].held, a[way].bounded + a[way].unbounded)
    with pytest.raises(ValueError, match='the same questions; got 120 and 7'):
        compare_ways(table, quoted_world(rng, 7, 0))


def test_quotes_of_the_guide(few):
    names = {doc.path for doc in sample_documents()[:6]}
    asked = [q for q in sample_questions() if q.document in names and q.answer][:8]
    quoted = quoted_questions(few, asked, progress=False)
    cal = calibrate_quotes(few, asked, progress=False)
    assert len(quoted) == len(quoted.reach) == 8 and np.isfinite(quoted.answering).sum() >= 5
    assert [score for score in quoted.answering if score < math.inf] == [
        label.score for label in cal.labels if label.score < math.inf
    ]
    assert all(
        np.array_equal(reach, QuoteScore().pool_of(few, q.text).scores)
        for reach, q in zip(quoted.reach, asked)
    )
