"""Worlds in which a theorem says what must come out, for `guarantees.py`.

A world is `world(rng, runs)`, with about `runs` draws of calibration questions and new ones. It returns one number for
each independent draw: 1 or 0 for what happened, or the share of some new questions to which it did.
"""

import tempfile
import warnings
from dataclasses import replace
from functools import cache, partial
import re
import numpy as np
import pandas as pd
from scipy.stats import norm
from conflare_nb.answers.quotes import QuoteScore
from conflare_nb.traq.sameness import cluster_answers, exact_same
from conflare_nb.traq.sets import SampledPassage, SampledQuestion, TraqCalibration, answer_set, question_scores
from conflare_nb.evidence.audit import Audit
from conflare_nb.retrieval.calibration import Calibration, calibration_labels
from conflare_nb.labels.judges import ContainsJudge
from conflare_nb.labels.labeling import Label, label_questions, not_found, share_interval
from conflare_nb.conformal.abstain import gate_from_unanswerable, gate_threshold, gated_scores
from conflare_nb.conformal.betting import betting_limits
from conflare_nb.conformal.budget import budget_scores, largest_promise
from conflare_nb.conformal.clusters import cluster_band, design_effect
from conflare_nb.conformal.drift import (
    alarm_level,
    bunched_martingale,
    document_p_values,
    online_p_values,
    simple_jumper,
)
from conflare_nb.conformal.groups import OTHERS, group_threshold, questions_for_groups, threshold_group
from conflare_nb.conformal.guarantee import Audited
from conflare_nb.conformal.movable import Movable, Stops, table_band
from conflare_nb.conformal.new_documents import new_document_threshold
from conflare_nb.conformal.risk import Risk, fixed_sequence, learn_then_test, missed_shares, risk_threshold
from conflare_nb.conformal.shift import weighted_p_values, weighted_quantile
from conflare_nb.conformal.threshold import (
    beta_band,
    calibration_size,
    clopper_pearson_upper,
    conformal_quantile,
    conformal_rank,
    covered,
    empirical_band,
    p_values,
)
from conflare_nb.conformal.two_steps import Rule, rank_threshold
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.files import load_questions
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.evidence.evaluation import conditional_coverage
from conflare_nb.evidence.two_sample import holm
from conflare_nb.labels.question import Question, one_per_document
from conflare_nb.retrieval.pipeline import calibrate_pipeline
from conflare_nb.documents.score import Distance, minus_log_share
from conflare_nb.show.lottery import coverage_lottery

N = 50  # questions that calibrate, where nothing else is said
ALPHA = 0.1
DELTA = 0.1
NEW = 20  # new questions for a calibration set, where a set is dear
TIED = 0.72  # the share of scores that are 0, where scores tie: as by the default score on the guide


def thresholds(scores: np.ndarray, alpha: float = ALPHA) -> np.ndarray:  # one a row
    "The library's threshold on each row of scores."
    return np.array([conformal_quantile(row, alpha) for row in scores])


def last_is_covered(scores: np.ndarray, alpha: float = ALPHA) -> np.ndarray:  # of bool, one a row
    "Whether the last score of each row is covered, where the others calibrate."
    return covered(scores[:, -1], thresholds(scores[:, :-1], alpha))


def tied(rng, size):
    "Scores of which most are 0."
    return np.where(rng.uniform(size=size) < TIED, 0.0, rng.uniform(size=size))


# --- one threshold


def coverage(rng, runs, n, alpha):
    "Every time a new question and a new calibration set."
    return last_is_covered(rng.uniform(size=(runs, n + 1)), alpha)


def of_size(n, alpha):
    "A world of `coverage`."
    return partial(coverage, n=n, alpha=alpha)


def coverage_of_ties(rng, runs, alpha=0.5):
    "72% of the scores are 0."
    return last_is_covered(tied(rng, (runs, N + 1)), alpha)


def labelled(score):
    "A label as a judge leaves it: NaN = nothing answers, infinite = nothing in reach does."
    if np.isnan(score):
        return not_found(Question('', '?'), 9, everywhere=True)
    if np.isinf(score):
        return not_found(Question('', '?'), 9, everywhere=False)
    return Label('', '?', score, 1, 'c')


def coverage_of_answerable(rng, runs):
    "9% of the questions have no answer and are set apart, for 6% the answer is out of reach, and that counts."
    kept = []
    for _ in range(runs // 5):
        draw = rng.uniform(size=N + NEW)
        scores = np.where(draw < 0.06, np.inf, rng.uniform(size=draw.size))
        scores[draw > 0.91] = np.nan
        cal = Calibration(fingerprint={}, **calibration_labels(list(map(labelled, scores[:N]))))
        new = scores[N:]
        kept.append(covered(new[~np.isnan(new)], cal.qhat(ALPHA)).mean())
    return kept


def any_pipeline(rng, runs, n=19, alpha=0.2, rows=8):
    "Lists of eight with similarities that tie; for 25% no row answers. Whether one that does is kept, or all are."

    def asked(texts):
        "Each question's list, and the place of what answers; 8 = none of the rows."
        found = rng.integers(5, size=(len(texts), rows)) / 5
        place = np.where(rng.uniform(size=len(texts)) < 0.25, rows, rng.integers(rows, size=len(texts)))
        lists = {}
        for text, values, at in zip(texts, found, place):
            pairs = [(f'{i}', 'text', float(value)) for i, value in enumerate(values)]
            lists[text] = sorted(pairs, key=lambda pair: -pair[2]), f'{at}'
        return lists

    kept = []
    for _ in range(runs // 40):
        questions = [Question(f'{i}', f'question {i}') for i in range(n + NEW)]
        lists = asked([question.text for question in questions])
        answers = {question.id: {lists[question.text][1]} for question in questions[:n]}
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')  # that no threshold can reach alpha
            cal = calibrate_pipeline(
                lambda text: lists[text][0], questions[:n], answers, higher_is_better=True, progress=False
            )
        everything = np.isinf(cal.qhat(alpha))
        new = [lists[question.text] for question in questions[n:]]
        held = [{name for name, *_ in cal.filter(found, alpha)} for found, _ in new]
        kept.append(np.mean([everything or at in names for names, (_, at) in zip(held, new)]))
    return kept


def two_stages(rng, runs, chunks=40, pool=10):
    "A first stage keeps 10 of 40 chunks, a second one scores them; chunk 0 answers; the second's score calibrates."
    runs = runs // 10
    first = rng.normal(size=(runs, N + 1, chunks))
    second = 0.5 * first + rng.normal(size=first.shape)
    first[..., 0] -= 2
    second[..., 0] -= 2
    better = (first < first[..., :1]).sum(axis=-1)
    return last_is_covered(np.where(better < pool, second[..., 0], np.inf))


def best_of_ways(rng, runs, n, fresh, ways=18):
    "Of ways to score with no difference between them the cheapest is taken; calibrated on these questions or others."
    found = []
    for seen, others in rng.uniform(size=(runs // 10, 2, ways, n)):
        best = np.argmin(thresholds(seen))
        found.append(thresholds([(others if fresh else seen)[best]])[0])
    return found


def inside_the_band(rng, runs, alpha=0.15):
    "Scores are uniform, so that the threshold is its own coverage."
    qhat = thresholds(rng.uniform(size=(runs, N)), alpha)
    low, high = beta_band(N, alpha)
    return (low <= qhat) & (qhat <= high)


def inside_the_test_band(rng, runs, m=100):
    "The share that is covered of 100 test questions."
    qhat = thresholds(rng.uniform(size=(runs, N)))
    found = rng.binomial(m, qhat) / m
    low, high = empirical_band(N, ALPHA, m)
    return (low <= found) & (found <= high)


def enough_for_this_set(rng, runs):
    "By the larger rank."
    rows = rng.uniform(size=(runs, N))
    return [conformal_quantile(row, ALPHA, 'pac', DELTA) >= 1 - ALPHA for row in rows]


def enough_planned(rng, runs, eps=0.05):
    "As many questions as the plan asks for."
    n = calibration_size(ALPHA, eps, DELTA)
    return thresholds(rng.uniform(size=(runs, n))) >= 1 - ALPHA - eps


def p_value_too_small(rng, runs, n=9):
    "Of the chunk that answers a new question."
    scores = rng.uniform(size=(runs, n + 1))
    return [p_values(row[n], row[:n]) <= ALPHA for row in scores]


def tied_p_value_too_small(rng, runs, alpha=0.5):
    "72% of the scores are 0."
    scores = tied(rng, (runs, N + 1))
    return [p_values(row[N], row[:N]) <= alpha for row in scores]


def full_conformal(rng, runs, n=9):
    "Nine examples and a new one; strange is what lies far from the mean of the others."
    rows = rng.normal(size=(runs // 10, n + 1))
    others = (rows.sum(axis=1, keepdims=True) - rows) / n
    scores = abs(rows - others)
    return (scores >= scores[:, n:]).mean(axis=1) > ALPHA


# --- a gate


def related(rng, n, by):
    "Nearest distances and scores of questions, related."
    near = rng.normal(size=n)
    return near, by * near + np.sqrt(1 - by**2) * rng.normal(size=n)


def behind_a_gate(rng, runs, n=39, alpha=0.2, share=0.5):
    "Half of alpha closes the gate on what is far."
    kept = []
    for _ in range(runs // 4):
        near, scores = related(rng, n + NEW, 0.5)
        gate = gate_threshold(near[:n], alpha, share)
        qhat = conformal_quantile(gated_scores(scores[:n], near[:n], gate), alpha)
        kept.append(covered(gated_scores(scores[n:], near[n:], gate), qhat).mean())
    return kept


def let_through(rng, runs, k=40, eps=0.2):
    "The gate of 40 questions that nothing answers, for a new one."
    near = rng.normal(size=(runs, k + 1))
    return [row[k] <= gate_from_unanswerable(row[:k], eps) for row in near]


def tied_let_through(rng, runs, k=40, eps=0.5):
    "The same where most distances are equal."
    near = tied(rng, (runs, k + 1))
    return [row[k] <= gate_from_unanswerable(row[:k], eps) for row in near]


# --- kinds of questions, documents, other questions


def of_a_kind(rng, runs, sizes=(60, 25, 15)):
    "Of 100 questions 15 are of a kind ten times as far from its answers; coverage of that kind."
    groups = np.repeat(['near', 'middle', 'far'], sizes)
    scale = np.repeat([1.0, 3.0, 10.0], sizes)
    scores = rng.exponential(scale, size=(runs // NEW, scale.size))
    new = rng.exponential(10.0, size=(len(scores), NEW))
    qhat = [group_threshold(row, groups, 'far', ALPHA) for row in scores]
    return covered(new, np.array(qhat)[:, None]).mean(axis=1)


def of_small_kinds(rng, runs, n=60, least=9):
    "Kinds come as they come; those with fewer than nine questions share a threshold; coverage of these."
    kept = []
    for _ in range(runs // 2):
        kind = rng.choice(5, n + 1, p=[0.45, 0.25, 0.12, 0.1, 0.08])
        scores = rng.exponential(1 + kind)
        names = kind.astype(str)
        if threshold_group(names[:n], names[n], least) != OTHERS:
            continue
        kept.append(covered(scores[n], group_threshold(scores[:n], names[:n], names[n], ALPHA, least)))
    return kept


def too_few_of_a_kind(rng, runs, least=9):
    "As many questions as the plan asks for; whether one of five kinds has fewer than nine."
    shares = dict.fromkeys('abcde', 0.2)
    n = questions_for_groups(shares, least, DELTA)
    return (rng.multinomial(n, list(shares.values()), size=runs) < least).any(axis=1)


def of_sizes(rng, runs, sizes, icc):
    "Scores of questions about documents of these sizes, a row a world, and the documents' names."
    names = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.normal(size=(runs, len(sizes)))[:, names]
    return np.sqrt(icc) * shared + np.sqrt(1 - icc) * rng.normal(size=shared.shape), names


def inside_the_band_of(rng, runs, sizes, icc):
    "Documents of these sizes; whether the coverage of questions about new ones lies in the cluster band."
    scores, names = of_sizes(rng, runs // 10, sizes, icc)
    new = norm.cdf(thresholds(scores))
    low, high = np.transpose([cluster_band(row, names, ALPHA) for row in scores])
    return (low <= new) & (new <= high)


def group_outside(rng, runs, large, each, small, icc, ties=False):
    "A group has the first documents, and is like all others: whether its coverage lies outside its two ends."
    scores, names = of_sizes(rng, runs // 10, [each] * large + [1] * small, icc)
    if ties:
        scores = np.round(scores)
    outside = []
    for row in scores:
        found = conditional_coverage(row, dict(group=(names < large).astype(str)), ALPHA, names)
        _, _, _, coverage, low, high = found.iloc[1]
        outside.append(coverage < low or coverage > high)
    return outside


def share_within(rng, runs, sizes, icc, share=0.15):
    "Whether the share of all such questions lies in the interval of what was counted in these documents."
    scores, names = of_sizes(rng, runs // 10, sizes, icc)
    inside = []
    for flags in norm.cdf(scores) < share:
        low, high = share_interval(flags.sum(), flags.size, design_effect(flags, names))
        inside.append(low <= share <= high)
    return inside


def inside_the_band_of_ties(rng, runs, n=100, alpha=0.5):
    "72% of the scores are 0: whether the coverage lies in the band of a calibration."
    scores = tied(rng, (runs // 10, n))
    inside = []
    for row in scores:
        cal = Calibration(row, {})
        coverage = TIED + (1 - TIED) * cal.qhat(alpha)
        low, high = cal.band(alpha)
        inside.append(low <= coverage <= high)
    return inside


def about_a_new_document(rng, runs, sizes, icc):
    "The mean coverage of questions about new documents, by the threshold that promises it."
    scores, names = of_sizes(rng, runs // 10, sizes, icc)
    return norm.cdf([new_document_threshold(row, names, ALPHA) for row in scores])


def false_alarm_of_bunches(rng, runs, icc=0.3, each=10, before=20, live=15):
    "15 new documents with ten questions each, after 20 such; whether the alarm ever goes off."
    scores, names = of_sizes(rng, runs // 40, [each] * (before + live), icc)
    n = before * each
    raised = []
    for row in scores:
        draws, picks = rng.uniform(size=row.size - n), rng.uniform(size=n)
        by_question = online_p_values(row[:n], row[n:], draws)
        texts = names.astype(str)
        by_document = document_p_values(row[:n], texts[:n], row[n:], texts[n:], draws, picks)
        money = bunched_martingale(np.stack([by_question, *by_document]))
        raised.append(money.max() >= alarm_level(0.05))
    return raised


def as_asked(rng, runs, n=200, often=0.15):
    "A hard question is asked 15% of the time, all others once; coverage of what is asked, by a table of 200 rows."
    kept = []
    for _ in range(runs // 50):
        scores = np.where(rng.uniform(size=n) < often, 2.0, rng.uniform(size=n))
        texts = ['the hard one' if s == 2 else f'question {i}' for i, s in enumerate(scores)]
        rows = pd.DataFrame(dict(question=texts, answer='yes', score=scores))
        score_of = dict(zip(texts, scores))
        asked = [score_of[question.text] for question in load_questions(rows)]
        qhat = conformal_quantile(asked, ALPHA)
        kept.append((1 - often) * min(qhat, 1.0) + often * (qhat >= 2))
    return kept


def one_of_each_document(rng, runs, documents=50, each=5):
    "One question of each document calibrates; whether the coverage of new documents lies in the 90% band."
    scores, names = of_sizes(rng, runs // 4, [each] * documents, 0.5)
    questions = [Question(f'{i}', '?', document=f'{name}') for i, name in enumerate(names)]
    low, high = beta_band(documents, ALPHA)
    inside = []
    for seed, row in enumerate(scores):
        places = [int(question.id) for question in one_per_document(questions, seed)]
        inside.append(low <= norm.cdf(conformal_quantile(row[places], ALPHA)) <= high)
    return inside


def shifted(rng, n):
    "Scores of questions that are the harder the likelier they come, by 2x where x was uniform; and these densities."
    x = rng.uniform(size=n + 1)
    x[n] = np.sqrt(x[n])
    return x + 0.1 * rng.normal(size=n + 1), 2 * x


def known_shift(rng, runs, n):
    "The density is known."
    kept = []
    for _ in range(runs):
        scores, w = shifted(rng, n)
        kept.append(covered(scores[n], weighted_quantile(scores[:n], w[:n], ALPHA, w[n])))
    return kept


def shifted_p_value_too_small(rng, runs, alpha, ties, n=9):
    "The same; with ties the easier half has one score."
    small = []
    for _ in range(runs):
        scores, w = shifted(rng, n)
        if ties:
            scores = np.maximum(scores, np.sqrt(0.5))  # half of those that are asked
        small.append(weighted_p_values(scores[n], scores[:n], w[:n], w[n]) <= alpha)
    return small


def online_p_value_small(rng, runs, n=4, alpha=0.1):
    "The third live question after four, most scores being equal: an online p-value is uniform all the same."
    scores = tied(rng, (runs, n + 3))
    p = online_p_values(scores[:, :n], scores[:, n:], rng.uniform(size=(runs, 3)))
    return p[:, -1] <= alpha


def money(rng, runs, length=10):
    "Of a bettor on uniform p-values, after ten questions."
    return 10 ** simple_jumper(rng.uniform(size=(runs, length)))[:, -1]


def alarm_raised(p, delta=0.05):
    "Whether the alarm ever goes off, of each stream."
    return simple_jumper(p).max(axis=1) >= alarm_level(delta)


def false_alarm(rng, runs, n=40, length=150):
    "Streams of 150 questions in which nothing changes; whether the alarm ever goes off."
    scores = rng.normal(size=(runs // 2, n + length))
    draws = rng.uniform(size=(len(scores), length))
    return alarm_raised(online_p_values(scores[:, :n], scores[:, n:], draws))


def false_alarm_in_a_long_stream(rng, runs, length=4000):
    "Of 4,000 questions, by uniform p-values."
    return alarm_raised(rng.uniform(size=(runs // 4, length)))


# --- judges and audits


def judged(rng, runs, n):
    "True scores, uniform, and what a judge makes of them who is too early for a fifth of the far ones: 8% of all."
    true = rng.uniform(size=(runs, n))
    early = (true > 0.6) & (rng.uniform(size=true.shape) < 0.2)
    return true, np.where(early, 0.4 * rng.uniform(size=true.shape), true), early


def coverage_by_a_judge(rng, runs, n=100, alpha=0.2):
    "The judge's labels calibrate, the truth counts."
    _, labels, _ = judged(rng, runs // 2, n)
    return np.minimum(thresholds(labels, alpha), 1)


@cache
def silenced(silent: int = 2) -> tuple:
    "21 questions about twelve chunks: true scores, and labels by a judge who refuses all answers of the farthest two."
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, sample_documents()[:2], progress=False)
        asked = [question for question in sample_questions() if question.document in kb.documents()]
        known = label_questions(kb, asked, score=Distance(), progress=False)
        true = np.array([label.score for label in known])
        farthest = {asked[i].id for i in np.argsort(true)[-silent:]}

        class Silent(ContainsJudge):
            def judge(self, question, chunks):
                said = super().judge(question, chunks)
                return [replace(v, answers=v.answers and question.id not in farthest) for v in said]

        labels = label_questions(kb, asked, Silent(), score=Distance(), progress=False)
    return true, labels


def coverage_by_a_silent_judge(rng, runs):
    "Questions are drawn from these; the judge's labels calibrate, the truth counts."
    true, labels = silenced()
    kept = []
    for drawn in rng.integers(true.size, size=(runs // 5, N)):
        cal = Calibration(fingerprint={}, **calibration_labels([labels[i] for i in drawn]))
        kept.append(covered(true, cal.qhat(ALPHA)).mean())
    return kept


def judge_refuted(rng, runs, m=100, share=0.08):
    "One hundred labels are looked at, as was fixed beforehand; whether the bound lies below the truth."
    return clopper_pearson_upper(rng.binomial(m, share, size=runs), m, 0.05) < share


def looks_until_it_pleases(rng, runs, among=272, early=27):
    "A lot of 272 labels with 27 early ones, one after the other; whether the bound ever lies below the truth."
    lot = np.tile(np.arange(among) < early, (runs // 4, 1))
    found = rng.permuted(lot, axis=1).cumsum(axis=1)
    return (found <= betting_limits(early / among, among, 0.05)).any(axis=1)


def audited(rng, runs, n=100, alpha=0.2):
    "Who audits stops once half of alpha is left; whether the threshold is at least that of the true labels."
    true, labels, early = judged(rng, runs // 8, n)
    found = early.cumsum(axis=1)
    enough = found <= betting_limits(alpha / 2, n, 0.05)
    enough[:, -1] = True
    stop = enough.argmax(axis=1)
    kept = []
    for i, m in enumerate(stop):
        audit = Audit(int(m) + 1, int(found[i, m]), among=n)
        kept.append(Calibration(labels[i], {}).qhat(alpha, Audited(audit)) >= Calibration(true[i], {}).qhat(alpha))
    return kept


def difference_reported(rng, runs, tests=5):
    "Five tests of two sets of questions that do not differ, related to each other; whether any is significant."
    shared = rng.normal(size=(runs // 2, 1))
    z = np.sqrt(0.5) * shared + np.sqrt(0.5) * rng.normal(size=(len(shared), tests))
    return [min(holm(dict(enumerate(row))).values()) <= 0.05 for row in norm.sf(z)]


# --- all that is relevant, and a budget


def relevant_chunks(rng, n):
    "Scores of one to four relevant chunks of each question, related within a question."
    sizes = rng.integers(1, 5, size=n)
    return [rng.exponential() + rng.exponential(size=size) for size in sizes]


def share_missed(rng, runs, n=19, alpha=0.2):
    "Of all relevant chunks of 20 new questions, by 19."
    losses = []
    for _ in range(runs // 10):
        rows = relevant_chunks(rng, n + NEW)
        losses.append(missed_shares(rows[n:], risk_threshold(rows[:n], alpha)).mean())
    return losses


def some_limit_broken(rng, runs, n=60, limit=0.3, delta=0.2):
    "At 0 one limit is broken by a hair, at 2 another; whether 0 or 2 is let through. A third limit holds everywhere."
    wrong = []
    for missed, long in rng.binomial(n, limit, size=(runs // 5, 2)):
        falls, rises = np.zeros((n, 3)), np.zeros((n, 3))
        falls[:missed, 0] = 1
        rises[:long, 2] = 1
        risks = [
            Risk('missed', falls, limit, binary=True),
            Risk('empty', np.zeros((n, 3)), limit, binary=True),
            Risk('long', rises, limit, rises=True, binary=True),
        ]
        good = learn_then_test(risks, np.arange(3.0), delta).thresholds
        wrong.append(0 in good or 2 in good)
    return wrong


def wrong_in_order(rng, runs, delta=0.2):
    "Of four claims, tested in their order, only the second is false; whether it is let through."
    p = np.zeros((runs, 4))
    p[:, 1] = rng.uniform(size=runs)
    return [fixed_sequence(row, delta) > 1 for row in p]


def within_a_budget(rng, runs, n=99, budget=1000):
    "Hard questions need more tokens; whether the answer of a new one is within the threshold and fits."
    hard = rng.gamma(2.0, size=(runs, n + 1))
    used = 100 + 200 * hard * rng.uniform(0.5, 1.5, size=hard.shape)
    qhat = thresholds(budget_scores(hard[:, :n], used[:, :n], budget))
    return np.isinf(qhat) | (hard[:, n] <= qhat) & (used[:, n] <= budget)


def some_budget_too_much(rng, runs, n=60):
    "An answer takes as many tokens as a uniform number; whether one of five promises is too high."
    budgets = (0.5, 0.6, 0.7, 0.8, 0.9)

    def too_high(used, budget):
        return largest_promise(np.ones(n), used, budget, DELTA / len(budgets)).coverage > budget

    draws = (rng.uniform(size=n) for _ in range(runs // 10))
    return [any(too_high(used, budget) for budget in budgets) for used in draws]


def promised_too_much(rng, runs, n=60, fits=0.8):
    "For 80% of questions an answer fits; whether the largest promise of 60 questions is above that."
    counts = rng.binomial(n, fits, size=runs)

    def least(x):
        return largest_promise(np.ones(n), np.where(np.arange(n) < x, 1, 9), 5, DELTA).coverage

    promised = {x: least(x) for x in np.unique(counts)}
    return [promised[x] > fits for x in counts]


# --- sentences and answers


def quoted(rng, runs, n=99):
    "Of 3% of the questions no sentence in the pool is right; else the right one is a little better than 1 to 39 others."
    T = QuoteScore().T

    def right():
        if rng.uniform() < 0.03:
            return np.inf
        merits = 0.1 * rng.normal(size=rng.integers(1, 40))
        merits[0] += 0.15
        return minus_log_share(merits, T, keep_first=True)[0]

    world = np.array([right() for _ in range(400)])
    drawn = rng.permuted(np.tile(world, (runs, 1)), axis=1)
    return last_is_covered(drawn[:, : n + 1])


BOTH = 100  # questions that calibrate both steps
BOTH_ALPHA = 0.2


def opposed(rng, n):
    "What is easy to find is hard to answer: the worst case of Bonferroni."
    far = rng.uniform(size=n)
    return far, 1 - far


def kept_pairs(rng, runs, rule, world):
    "Shares of new questions of which passage and answer are both kept, one for each calibration set."
    kept = []
    for _ in range(runs // NEW):
        far, rare = world(rng, rule.n + NEW)
        n = rule.n
        kept.append(rule(p_values(far[n:], far[:n]), p_values(rare[n:], rare[:n])).mean())
    return np.array(kept)


def both_kept(method, world, n=BOTH, alpha=BOTH_ALPHA):
    "A world of `kept_pairs`."
    return partial(kept_pairs, rule=Rule(method, n, alpha), world=world)


def enough_of_both_steps(rng, runs, n=116):
    "Both steps independent; whether each keeps at least 90% by its PAC level, for this calibration set."
    levels = Rule('pac', n, BOTH_ALPHA, delta=DELTA).levels
    steps = rng.uniform(size=(runs // 2, 2, n))
    reached = [[rank_threshold(s, a) for s, a in zip(step, levels)] for step in steps]
    return (np.array(reached) >= 1 - BOTH_ALPHA / 2).all(axis=1)


def sampled_questions(rng, count, k=10):
    "Questions whose right answer was said in two ways: so many samples each, the rest is wrong."
    questions = []
    for i in range(count):
        red, crimson = np.sort(rng.integers(1, k // 2 + 1, size=2))
        said = ['red'] * red + ['crimson'] * crimson + ['blue'] * (k - red - crimson)
        passage = SampledPassage('p', float(rng.uniform()), cluster_answers(said, exact_same))
        questions.append(SampledQuestion(f'{i}', '?', (passage,), 0, ('red', 'crimson')))
    return questions


def a_right_answer_in_the_set(rng, runs, n=60, alpha=0.4):
    "Whether the set of a new question lists a right answer, or is everything."
    crowd = sampled_questions(rng, 300)
    scores = np.array([question_scores(q, exact_same) for q in crowd])
    kept = []
    for _ in range(runs // NEW):
        drawn = rng.permutation(len(crowd))
        rows, new = drawn[:n], [crowd[i] for i in drawn[n : n + 4]]
        cal = TraqCalibration(tuple(range(n)), *scores[rows].T, 10)
        rule = Rule('ranks', n, alpha, 0.1)
        sets = [answer_set(q, cal, rule, exact_same) for q in new]
        held = [bool(s.unbounded) or s.covers(('red', 'crimson'), exact_same) for s in sets]
        kept.append(np.mean(held))
    return kept


# --- an alpha that is chosen after looking

LO, HI = 0.05, 0.4
STEPS = LO * (HI / LO) ** np.linspace(0, 1, 10)  # where somebody stops who slides


def scored(rng, size, kind='continuous'):
    "Scores of answers: all different, mostly equal, or those of a few questions that are asked again and again."
    if kind == 'ties':
        return tied(rng, size)
    if kind == 'repeats':
        return rng.integers(12, size=size) ** 2.0
    return rng.gamma(2.0, size=size)


def counted(answers, qhats, levels):
    "What each question counts, at each level: 1/alpha where its answer is missed."
    return (answers[:, None] > qhats) / levels


def in_view(rng, runs, n, moved=Movable(LO, HI), any_c=False, kind='continuous'):
    "Somebody sees the answer, and takes the smallest alpha at which it is missed."
    rows = (scored(rng, (runs, n + 1), kind) for _ in range(10))  # few questions count, and much
    p = np.concatenate([(row >= row[:, -1:]).mean(axis=1) for row in rows])
    c = float(moved.factor(None if any_c else n))
    if isinstance(moved, Stops):
        levels = np.array(moved.levels)
        missed = p[:, None] <= c * levels + 1e-12
        return (missed / levels).max(axis=1)
    least = np.maximum(p / c, LO)
    return np.where(least <= HI + 1e-12, 1 / least, 0)


def slides(rng, runs, choose, n=60, guarantee=Movable(LO, HI), kind='continuous'):
    "Of 20 new questions, each with a list of 30 chunks: what each counts at the alpha that is chosen for it."
    means = []
    for _ in range(runs // 4):
        scores = scored(rng, n + NEW, kind)
        answers = scores[n:]
        lists = np.sort(np.c_[answers, answers[:, None] * rng.uniform(0.3, 3, (NEW, 29))])
        qhats = guarantee.threshold(Calibration(scores[:n], {}), STEPS)
        lengths = (lists[:, :, None] <= qhats).sum(axis=1)
        at = choose(lengths, counted(answers, qhats, STEPS))
        means.append(counted(answers, qhats, STEPS)[np.arange(NEW), at].mean())
    return means


def longest_that_fits(lengths, _, most=3):
    "The smallest alpha whose list has three chunks at most."
    return np.argmax(np.c_[lengths <= most, np.ones(len(lengths))], axis=1).clip(max=STEPS.size - 1)


def shortest_that_holds(lengths, _):
    "The largest alpha whose list holds something."
    return STEPS.size - 1 - np.argmax(np.c_[lengths > 0, np.ones(len(lengths))][:, -2::-1], axis=1)


def by_luck(_, counts):
    "The alpha that costs most for this calibration set, one for all of its questions."
    return np.full(len(counts), counts.mean(axis=0).argmax())


def judged_in_view(rng, runs, levels, n=100, wrong=5):
    "The hardest five of 100 questions are labelled too early, an audit of all says so; one sees the true answer."
    true = np.sort(rng.uniform(size=(2 * runs, n)), axis=1)
    labels = np.sort(np.where(np.arange(n) < n - wrong, true, 0.0), axis=1)
    cal = Calibration(np.arange(n), {})
    levels = levels(cal, Audit(n, wrong, among=n))
    ranks = [conformal_rank(n, level) if level else n + 1 for level in levels]
    qhats = np.c_[labels, np.full(len(labels), np.inf)][:, np.minimum(ranks, n + 1) - 1]
    return ((rng.uniform(size=(len(labels), 1)) > qhats) / STEPS).max(axis=1)


def c_alpha_less_eps(cal, audit):
    "The part of the audit is taken off c*alpha."
    return [Movable(LO, HI, Audited(audit)).terms(cal, alpha).left for alpha in STEPS]


def c_of_the_rest(cal, audit):
    "c is multiplied with what the audit leaves, which nobody has proved."
    return [float(Movable(LO, HI).factor(cal.n)) * audit.alpha_left(alpha) for alpha in STEPS]


def new_document_in_view(rng, runs, guarantee, documents=60):
    "One document in ten is large and easy; a question about a new document, whose answer somebody sees."
    least = []
    for _ in range(5 * runs // 4):
        large = rng.uniform(size=documents + 1) < 0.1
        names = np.repeat(np.arange(documents), np.where(large[:documents], 40, 1))
        scores = rng.uniform(size=names.size) + ~large[names]
        cal = Calibration(scores, {}, documents=tuple(names.astype(str).tolist()))
        least.append(guarantee.p_values(cal, rng.uniform() + ~large[documents], LO))
    least = np.maximum(least, LO)
    return np.where(least <= HI, 1 / least, 0)


def at_once(rng, runs, n=272):
    "Whether the coverage of the threshold is what the table says, at every alpha from .01 to .4."
    alphas = np.arange(10, 401) / 1000
    drawn = np.sort(rng.uniform(size=(runs, n)), axis=1)
    covers = drawn[:, np.minimum(conformal_rank(n, alphas), n) - 1]
    return (covers >= table_band(n, alphas, DELTA)).all(axis=1)


# --- what is drawn on a page


def drawn_by_the_lottery(rng, runs, n=9):
    "Coverage of each calibration set that the lottery draws in an endless crowd."
    return lottery_coverage(rng, runs, n, None)


def drawn_in_a_crowd(rng, runs, n=9):
    "The same among 30 people: of those who do not calibrate."
    return lottery_coverage(rng, runs, n, rng.uniform(size=30))


def lottery_coverage(rng, runs, n, crowd):
    draws = min(runs, 2000)
    seeds = rng.integers(2**31, size=max(1, runs // draws)).tolist()
    return np.concatenate([coverage_lottery(n, ALPHA, draws, crowd, seed).coverage for seed in seeds])


# --- no matter of chance


class _Counts:
    "What runs instead of a model: how often each letter occurs in a text, and in each of its words."

    dim, max_tokens, prompts = 32, 1000, {}

    def passages(self, texts):
        letters = [np.bincount([ord(c) % self.dim for c in text], minlength=self.dim) for text in texts]
        vectors = np.array(letters, dtype=np.float32).reshape(-1, self.dim) + 0.01
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def read(self, texts):
        words = [[*re.finditer(r'\S+', text)] for text in texts]
        states = [self.passages([word[0] for word in some]) for some in words]
        spans = [np.array([word.span() for word in some], int).reshape(-1, 2) for some in words]
        return list(zip(self.passages(texts), states, spans))

    def read_question(self, text):
        return self.read([text])[0]

    def count(self, texts):
        return [len(text.split()) for text in texts]


class Letters(Embedder):
    "An embedder without a model: how often each letter occurs. A word is a token."

    weights, runs = 'letters', _Counts()

    def __init__(self):
        super().__init__('letters', anew=True)

    def fingerprint(self):
        return dict(weights='letters', max_tokens=self.max_tokens)


def lost_by_search(rng, runs):
    "The guide's chunks by their letters: how many within a distance are not returned, in memory and on disk."
    lost = []
    with tempfile.TemporaryDirectory() as folder:
        KnowledgeBase.create(folder, sample_documents(), Letters(), progress=False)
        for memory in (2e9, 0):
            kb = KnowledgeBase.open(folder, Letters(), memory_budget=memory)
            rows = kb.table.to_arrow()
            vectors = np.array(rows['vector'].combine_chunks().flatten(), dtype=float).reshape(len(kb), -1)
            texts = [question.text for question in sample_questions()[: min(100, runs // 100)]]
            for query in kb.embedder.embed_queries(texts):
                distances = np.maximum(1 - (vectors * query.astype(float)).sum(axis=1), 0)
                bound = np.sort(distances)[rng.integers(200)]
                found = set(kb.search_within(query, bound)['id'].to_pylist())
                within = np.array(rows['id'].to_pylist())[distances <= bound]
                lost.append(len(set(within) - found))
    return lost
