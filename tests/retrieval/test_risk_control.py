"A retriever for all that is relevant: what is measured, what is retrieved, and what is refused."

import math
from dataclasses import replace
import numpy as np, pytest
from conflare_nb import Hybrid, LateHybrid, RiskControl, answering_chunks, calibrate
from conflare_nb.conformal.risk import missed_shares, risk_threshold
from conflare_nb.retrieval.risk_control import TestedControl, score_relevant

inf = math.inf


def both(first, second):  # one question that asks two things
    sections = first.sections + second.sections
    text = f'{first.text} {second.text}'
    return replace(first, id=f'{first.id}+{second.id}', text=text, answer='', sections=sections)


@pytest.fixture(scope='module')
def pairs(questions):
    return [both(*two) for two in zip(questions[0:400:4], questions[2:400:4])]


@pytest.fixture(scope='module')
def measured(kb, pairs):
    return score_relevant(kb, pairs, progress=False)


def test_the_scores_are_those_of_the_search(kb, pairs, measured):
    for i in (0, 17, 60):
        ids = answering_chunks(kb, [pairs[i]])[0]
        rows = LateHybrid().rank(kb, pairs[i].text).to_pylist()
        tokens = np.cumsum([row['tokens'] for row in rows])
        found = [(row['score'], used) for row, used in zip(rows, tokens) if row['id'] in ids]
        scores = [score for score, _ in found] + [inf] * (len(ids) - len(found))
        assert sorted(measured.relevant[i]) == sorted(scores)
        in_reach = np.isfinite(measured.used[i])
        assert {used for _, used in found} == set(measured.used[i][in_reach])


def test_a_relevant_chunk_outside_of_the_pool_is_out_of_reach(kb, pairs):
    small = score_relevant(kb, pairs[:40], score=Hybrid(pool=2), progress=False)
    lost = np.array([np.isinf(row).mean() for row in small.relevant])
    assert lost.mean() > 0.05 and small.at(inf)['missed'] == pytest.approx(lost.mean())
    control = RiskControl(kb, small, alpha=0.05)
    assert control.qhat == inf
    assert 'of the relevant chunks are out of reach' in control.promise.rule
    assert 'The whole pool is retrieved.' in control.promise.short


def test_unanswerable_questions_are_set_apart_and_counted(kb, questions):
    gone = dict(answer='no such words anywhere', sections=())
    nothing = [replace(q, id=f'x{q.id}', **gone) for q in questions[:3]]
    found = score_relevant(kb, [*questions[:30], *nothing], progress=False)
    alone = score_relevant(kb, questions[:30], progress=False)
    assert (found.n, found.unanswerable) == (30, 3)
    assert found.relevant[0].tolist() == alone.relevant[0].tolist()
    terms = str(RiskControl(kb, found, 0.2).promise)
    assert 'on average over answerable questions like the 30 that calibrate (set apart' in terms
    assert 'since no chunk is known to answer them: 3 of 33 (9%' in terms


def test_with_one_relevant_chunk_it_is_the_conformal_retriever(kb, questions):
    single = [q for q, ids in zip(questions, answering_chunks(kb, questions)) if len(ids) == 1][:80]
    scores = score_relevant(kb, single, progress=False)
    cal = calibrate(kb, single, progress=False)
    for alpha in (0.01, 0.05, 0.1, 0.3):
        assert RiskControl(kb, scores, alpha).qhat == cal.qhat(alpha)


@pytest.mark.parametrize('budget', [None, 500, 1500])
def test_what_is_retrieved_is_what_was_measured(kb, pairs, measured, budget):
    control = RiskControl(kb, measured, 0.2, budget)
    chunks, tokens = measured.shown(control.qhat, budget)
    missed = missed_shares(measured.within(budget), min(control.qhat, 1e300))
    for i in (0, 3, 50, 99):
        found = control.retrieve(pairs[i].text)
        ids = answering_chunks(kb, [pairs[i]])[0]
        assert (len(found), found.tokens) == (chunks[i], tokens[i])
        assert budget is None or found.tokens <= budget
        assert len(ids - set(found.chunks['id'].to_pylist())) / len(ids) == pytest.approx(missed[i])
        assert found.chunks['rank'].to_pylist() == list(range(1, len(found) + 1))
        assert len(found.rows()) == len(found)


def test_a_budget_that_is_too_small_promises_nothing(kb, measured):
    control = RiskControl(kb, measured, 0.1, budget=150)
    assert control.qhat == inf and control.promise.rule.endswith('What fits is retrieved')
    assert control.promise.short.endswith('Nothing is promised: no threshold keeps it.')
    least = measured.smallest_alpha(150)
    above, below = (RiskControl(kb, measured, a, 150).qhat for a in (least, least - 1e-6))
    assert above < inf == below


def test_the_smallest_share_can_be_promised_whatever_the_counts(measured):
    "Of many sizes, one to four relevant chunks each, some out of reach: the level itself, not a bit more."
    rng = np.random.default_rng(0)
    for n in [*range(1, 40), 97, 211]:
        sizes = rng.integers(1, 5, n)
        rows = tuple(np.where(rng.uniform(size=k) < 0.2, inf, rng.uniform(size=k)) for k in sizes)
        least = replace(measured, relevant=rows).smallest_alpha()
        assert least == 1 or risk_threshold(rows, least) < inf == risk_threshold(rows, least - 1e-8)


def test_all_limits_at_the_threshold_that_is_chosen(kb, measured):
    control = TestedControl(kb, measured, 0.25, budget=1500, over=0.3)
    assert control.qhat is not None and control.qhat >= RiskControl(kb, measured, 0.25).qhat
    found = measured.at(control.qhat)
    tokens = measured.shown(control.qhat)[1]
    assert found['missed'] <= 0.25 and np.mean(tokens > 1500) <= 0.3
    risks, grid = control.risks()
    at = int(np.searchsorted(grid, control.qhat))
    assert grid[at] == control.qhat
    most = [found['missed'], np.mean(tokens > 1500)]
    assert [r.losses[:, at].mean() for r in risks] == pytest.approx(most)


def test_errors_state_the_rule_and_the_value(kb, measured):
    for call, rule in (
        (lambda: score_relevant(kb, []), 'at least one question; got none'),
        (lambda: RiskControl(kb, measured, 1.0), 'alpha is the share of misses.*got 1'),
        (lambda: RiskControl(kb, measured, 0.1, -1), 'a number of tokens above 0; got -1'),
        (lambda: TestedControl(kb, measured, 0.1, delta=0), 'delta is a probability.*got 0'),
    ):
        with pytest.raises(ValueError, match=rule):
            call()
