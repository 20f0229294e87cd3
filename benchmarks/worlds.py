"""Worlds in which a theorem says what must come out, for `guarantees.py`.

A world is `world(rng, runs)`, with about `runs` draws of calibration questions and new ones. It returns one number for
each independent draw: 1 or 0 for what happened, or the share of some new questions to which it did.
"""

import tempfile
from functools import partial
import numpy as np
from scipy.stats import norm
from conflare_nb.answers.quotes import QuoteScore
from conflare_nb.calibration.audit import Audit
from conflare_nb.calibration.calibration import Calibration
from conflare_nb.conformal.abstain import gate_from_unanswerable, gate_threshold, gated_scores
from conflare_nb.conformal.betting import betting_limits
from conflare_nb.conformal.budget import budget_scores, largest_promise
from conflare_nb.conformal.clusters import cluster_band
from conflare_nb.conformal.drift import alarm_level, online_p_values, simple_jumper
from conflare_nb.conformal.groups import (
    OTHERS,
    group_threshold,
    questions_for_groups,
    threshold_group,
)
from conflare_nb.conformal.risk import Risk, learn_then_test, missed_shares, risk_threshold
from conflare_nb.conformal.shift import weighted_quantile
from conflare_nb.conformal.threshold import (
    beta_band,
    calibration_size,
    clopper_pearson_upper,
    conformal_quantile,
    conformal_rank,
    covered,
    empirical_band,
    p_values,
    pac_rank,
)
from conflare_nb.conformal.two_steps import Rule, full_conformal_p
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.questions.guide import sample_documents, sample_questions
from conflare_nb.questions.likeness import holm
from conflare_nb.questions.question import Question, one_per_document
from conflare_nb.scores.score import minus_log_share

N = 50  # questions that calibrate, where nothing else is said
ALPHA = 0.1
DELTA = 0.1
NEW = 20  # new questions for a calibration set, where a set is dear


def thresholds(scores: np.ndarray, k: int) -> np.ndarray:  # one a row
    "The k-th smallest score of each row; infinite where k is larger than the row."
    places = np.column_stack([np.sort(scores, axis=1), np.full(len(scores), np.inf)])
    return places[:, min(k, scores.shape[1] + 1) - 1]


def last_is_covered(scores: np.ndarray) -> np.ndarray:  # of bool, one a row
    "Whether the last score of each row is covered, where the others calibrate."
    n = scores.shape[1] - 1
    return covered(scores[:, n], thresholds(scores[:, :n], conformal_rank(n, ALPHA)))


# --- one threshold


def coverage(rng, runs):
    "Every time a new question and a new calibration set."
    return last_is_covered(rng.uniform(size=(runs, N + 1)))


def coverage_of_answerable(rng, runs):
    "9% of the questions have no answer; those among the calibration questions are set apart."
    sizes = rng.binomial(N, 0.91, size=runs)
    scores = rng.uniform(size=(runs, N + 1))
    return [covered(row[N], conformal_quantile(row[:n], ALPHA)) for row, n in zip(scores, sizes)]


def coverage_or_everything(rng, runs):
    "For 8% of the questions what could answer them is out of reach: their scores are infinite."
    scores = rng.uniform(size=(runs, N + 1))
    scores[rng.uniform(size=scores.shape) < 0.08] = np.inf
    return last_is_covered(scores)


def two_stages(rng, runs, chunks=40, pool=10):
    "A first stage keeps 10 of 40 chunks, a second one scores them; chunk 0 answers; the second's score calibrates."
    runs = runs // 10
    first = rng.normal(size=(runs, N + 1, chunks))
    second = 0.5 * first + rng.normal(size=first.shape)
    first[..., 0] -= 2
    second[..., 0] -= 2
    better = (first < first[..., :1]).sum(axis=-1)
    return last_is_covered(np.where(better < pool, second[..., 0], np.inf))


def chosen_score(rng, runs, scores=6, others=40):
    "Of six scores the one with the smallest threshold on 40 other questions is calibrated on 50."
    size = (runs // 2, scores, others + N + 1)
    found = rng.normal(size=size) + rng.normal(size=(size[0], 1, size[2]))
    on_others = np.sort(found[..., :others], axis=-1)[..., conformal_rank(others, ALPHA) - 1]
    best = on_others.argmin(axis=1)
    return last_is_covered(found[np.arange(size[0]), best, others:])


def inside_the_band(rng, runs):
    "Scores are uniform, so that the threshold is its own coverage."
    qhat = thresholds(rng.uniform(size=(runs, N)), conformal_rank(N, ALPHA))
    low, high = beta_band(N, ALPHA)
    return (low <= qhat) & (qhat <= high)


def inside_the_test_band(rng, runs, m=100):
    "The share that is covered of 100 test questions."
    qhat = thresholds(rng.uniform(size=(runs, N)), conformal_rank(N, ALPHA))
    found = rng.binomial(m, qhat) / m
    low, high = empirical_band(N, ALPHA, m)
    return (low <= found) & (found <= high)


def enough_for_this_set(rng, runs):
    "By the larger rank."
    return thresholds(rng.uniform(size=(runs, N)), pac_rank(N, ALPHA, DELTA)) >= 1 - ALPHA


def enough_planned(rng, runs, eps=0.05):
    "As many questions as the plan asks for."
    n = calibration_size(ALPHA, eps, DELTA)
    return thresholds(rng.uniform(size=(runs, n)), conformal_rank(n, ALPHA)) >= 1 - ALPHA - eps


def p_value_too_small(rng, runs):
    "Of the chunk that answers a new question."
    scores = rng.uniform(size=(runs, N + 1))
    return [p_values(row[N], row[:N]) <= ALPHA for row in scores]


def full_conformal(rng, runs, n=9):
    "Nine examples; an example is strange if it lies far from the mean of the others."

    def score(x, others):
        return abs(x - np.mean(others))

    rows = rng.normal(size=(runs // 10, n + 1)).tolist()
    return [full_conformal_p(score, row[:n], row[n:])[0] > ALPHA for row in rows]


# --- a gate


def related(rng, n, by):
    "Nearest distances and scores of questions, related."
    near = rng.normal(size=n)
    return near, by * near + np.sqrt(1 - by**2) * rng.normal(size=n)


def behind_a_gate(rng, runs, n=249):
    "A fifth of alpha closes the gate on what is far."
    kept = []
    for _ in range(runs // NEW):
        near, scores = related(rng, n + NEW, 0.5)
        gate = gate_threshold(near[:n], ALPHA)
        qhat = conformal_quantile(gated_scores(scores[:n], near[:n], gate), ALPHA)
        kept.append(covered(gated_scores(scores[n:], near[n:], gate), qhat).mean())
    return kept


def let_through(rng, runs, k=40, eps=0.2):
    "The gate of 40 questions that nothing answers, for a new one."
    near = rng.normal(size=(runs, k + 1))
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
    for _ in range(runs // 4):
        kind = rng.choice(5, n + 1, p=[0.45, 0.25, 0.12, 0.1, 0.08])
        scores = rng.exponential(1 + kind)
        names = kind.astype(str)
        if threshold_group(names[:n], names[n], least) != OTHERS:
            continue
        kept.append(
            covered(scores[n], group_threshold(scores[:n], names[:n], names[n], ALPHA, least))
        )
    return kept


def too_few_of_a_kind(rng, runs, least=9):
    "As many questions as the plan asks for; whether one of three kinds has fewer than nine."
    shares = dict(a=0.6, b=0.3, c=0.1)
    n = questions_for_groups(shares, least, DELTA)
    return (rng.multinomial(n, list(shares.values()), size=runs) < least).any(axis=1)


def bunches(rng, runs, documents, each, icc):
    "Scores of questions that share documents, a row a world, and the documents' names."
    shared = rng.normal(size=(runs, documents, 1))
    own = rng.normal(size=(runs, documents, each))
    scores = np.sqrt(icc) * shared + np.sqrt(1 - icc) * own
    return scores.reshape(runs, -1), np.repeat(np.arange(documents), each)


def inside_the_cluster_band(rng, runs):
    "Eleven questions on each of 50 documents, of which one explains a tenth of the variance; new documents."
    scores, names = bunches(rng, runs // 10, 50, 11, 0.1)
    new = norm.cdf(thresholds(scores, conformal_rank(scores.shape[1], ALPHA)))
    low, high = np.transpose([cluster_band(row, names, ALPHA) for row in scores])
    return (low <= new) & (new <= high)


def one_of_each_document(rng, runs, documents=50, each=5):
    "One question of each document calibrates; whether the coverage of new documents lies in the 90% band."
    scores, names = bunches(rng, runs // 4, documents, each, 0.5)
    questions = [Question(f'{i}', '?', document=f'{name}') for i, name in enumerate(names)]
    low, high = beta_band(documents, ALPHA)
    inside = []
    for seed, row in enumerate(scores):
        places = [int(question.id) for question in one_per_document(questions, seed)]
        inside.append(low <= norm.cdf(conformal_quantile(row[places], ALPHA)) <= high)
    return inside


def known_shift(rng, runs, n=99):
    "The harder a question the likelier it comes, by a density that is known: x, uniform when calibrating, has 2x."
    kept = []
    for _ in range(runs // 2):
        x = rng.uniform(size=n + 1)
        x[n] = np.sqrt(x[n])
        scores = x + 0.1 * rng.normal(size=n + 1)
        kept.append(covered(scores[n], weighted_quantile(scores[:n], 2 * x[:n], ALPHA, 2 * x[n])))
    return kept


def false_alarm(rng, runs, n=40, length=150, delta=0.05):
    "Streams of 150 questions in which nothing changes; whether the alarm ever goes off."
    scores = rng.normal(size=(runs // 2, n + length))
    p = online_p_values(scores[:, :n], scores[:, n:], rng.uniform(size=(len(scores), length)))
    return simple_jumper(p).max(axis=1) >= alarm_level(delta)


# --- judges and audits


def judged(rng, runs, n):
    "True scores, uniform, and what a judge makes of them who is too early for a fifth of the far ones: 8% of all."
    true = rng.uniform(size=(runs, n))
    early = (true > 0.6) & (rng.uniform(size=true.shape) < 0.2)
    return true, np.where(early, 0.4 * rng.uniform(size=true.shape), true), early


def coverage_by_a_judge(rng, runs, n=100, alpha=0.2):
    "The judge's labels calibrate, the truth counts."
    _, labels, _ = judged(rng, runs // 2, n)
    return np.minimum(thresholds(labels, conformal_rank(n, alpha)), 1)


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
        audit = Audit(int(m) + 1, int(found[i, m]), 0.05, among=n)
        kept.append(
            Calibration(labels[i], {}).qhat(alpha, audit=audit)
            >= Calibration(true[i], {}).qhat(alpha)
        )
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


def share_missed(rng, runs, n=59):
    "Of all relevant chunks of 20 new questions, by 59."
    losses = []
    for _ in range(runs // NEW):
        rows = relevant_chunks(rng, n + NEW)
        losses.append(missed_shares(rows[n:], risk_threshold(rows[:n], ALPHA)).mean())
    return losses


def some_limit_broken(rng, runs, n=120, delta=0.2):
    "Three limits that hold together from .7 to .9; whether a threshold outside of that was let through."
    grid = np.linspace(0, 1, 41)
    wrong = []
    for _ in range(runs // 10):
        scores = rng.uniform(size=(n, 2))
        missed = np.mean(scores[..., None] > grid, axis=1)
        empty = scores.min(axis=1)[:, None] > grid
        long = 2 * rng.uniform(size=(n, 1)) < grid
        risks = [
            Risk('missed', missed, 0.3),
            Risk('empty', empty, 0.15, binary=True),
            Risk('long', long, 0.45, rises=True, binary=True),
        ]
        good = learn_then_test(risks, grid, delta).thresholds
        wrong.append(good.size > 0 and (good[0] < 0.7 - 1e-9 or good[-1] > 0.9 + 1e-9))
    return wrong


def within_a_budget(rng, runs, n=99, budget=1000):
    "Hard questions need more tokens; what does not fit counts as not found, when calibrating and when asking."
    hard = rng.gamma(2.0, size=(runs, n + 1))
    used = 100 + 200 * hard * rng.uniform(0.5, 1.5, size=hard.shape)
    return last_is_covered(budget_scores(hard, used, budget))


def promised_too_much(rng, runs, n=60, fits=0.8):
    "For 80% of questions an answer fits; whether the largest promise of 60 questions is above that."
    counts = rng.binomial(n, fits, size=runs)

    def least(x):
        return largest_promise(np.ones(n), np.where(np.arange(n) < x, 1, 9), 5, DELTA).least

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


def independent(rng, n):
    "One step says nothing of the other."
    return rng.uniform(size=(2, n))


def adding_up(rng, n, a=0.175):
    "Where a retrieval p-value is below a, the answer's makes it up to a; else it is above: the worst case of the mean."
    far, rare = rng.uniform(size=(2, n))
    return far, np.where(far > 1 - a, 2 - a - far, (1 - a) * rare)


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


def enough_answers_for_this_set(rng, runs, n=200):
    "What is easy to find is hard to answer; whether a calibration set keeps at least 80% of pairs, by the PAC levels."
    a_ret, a_qa = Rule('pac', n, BOTH_ALPHA, delta=DELTA).levels
    far = np.sort(rng.uniform(size=(runs // 2, n)), axis=1)
    lost_ret, lost_qa = (round(a * (n + 1)) for a in (a_ret, a_qa))  # a pair stays within both ends
    kept = far[:, n - lost_ret] - far[:, lost_qa - 1]
    return kept >= 1 - BOTH_ALPHA


# --- no matter of chance


class Letters(Embedder):
    "An embedder without a model: how often each letter occurs."

    dim = 32
    max_tokens = 1000

    def __init__(self):
        super().__init__('letters')

    def fingerprint(self):
        return dict(weights='letters', max_tokens=self.max_tokens)

    def count_tokens(self, texts):
        return [len(text.split()) for text in texts]

    def embed_passages(self, texts, progress=True):
        letters = [
            np.bincount([ord(c) % self.dim for c in text], minlength=self.dim) for text in texts
        ]
        vectors = np.array(letters, dtype=np.float32).reshape(-1, self.dim) + 0.01
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def embed_queries(self, texts, progress=True):
        return self.embed_passages(texts)


def lost_by_search(rng, runs):
    "The guide's chunks by their letters: how many within a distance are not returned, in memory and on disk."
    lost = []
    with tempfile.TemporaryDirectory() as folder:
        KnowledgeBase.create(folder, sample_documents(), Letters(), progress=False)
        for memory in (2e9, 0):
            kb = KnowledgeBase.open(folder, Letters(), memory_budget=memory)
            rows = kb.table.to_arrow()
            vectors = np.array(rows['vector'].combine_chunks().flatten(), dtype=float).reshape(
                len(kb), -1
            )
            texts = [question.text for question in sample_questions()[: min(100, runs // 100)]]
            for query in kb.embedder.embed_queries(texts):
                distances = np.maximum(1 - (vectors * query.astype(float)).sum(axis=1), 0)
                bound = np.sort(distances)[rng.integers(200)]
                found = set(kb.search_within(query, bound)['id'].to_pylist())
                within = np.array(rows['id'].to_pylist())[distances <= bound]
                lost.append(len(set(within) - found))
    return lost
