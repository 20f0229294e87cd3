"""Which score reads least for the same promise? All of them in one table, and below each three k of its own ranking.

Half of the questions set the threshold of every score; the other half says what it covers and what it costs. Whole documents
change sides, and every score meets the same halves. The *calibrated k* is set by the same halves, for the same promise. The
*best k in hindsight* is the smallest that covers 1-alpha of the very questions that test. The *mixed k in hindsight* is a lot
between two k that covers exactly as many as the threshold; what it reads more, the threshold saves by adapting. The *hardest
third* are the questions whose answers rank last by distance: no marginal promise is about them.
"""

import numpy as np
from conflare_nb.conformal.clusters import empirical_cluster_band
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.labels.question import question_clusters
from conflare_nb.evidence.evaluation import BEST_K, CALIBRATED_K, drawn_splits, rank_questions
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.late import LateHybrid
from conflare_nb.documents.score import Distance, Margin, Rank, Softmax


COMPARED = (Distance(), Rank(), Margin(), Softmax(), Hybrid(), LateHybrid())
MIXED_K = 'mixed k in hindsight'


def _calibrating(questions, splits, seed):
    "(splits, m) of bool: which questions set the threshold, half of the documents each time."
    drawn = list(drawn_splits(questions, splits, seed))
    halves = np.zeros((splits, len(questions)), bool)
    for row, (first, _) in zip(halves, drawn):
        row[first] = True
    return halves


def _threshold(rankings, calibrating, alpha):
    "What the threshold of some questions finds for each question."
    return rankings.each(conformal_quantile(rankings.scores[calibrating], alpha))


def _calibrated_k(rankings, calibrating, alpha):
    "What the k that some questions calibrate finds for each."
    return _threshold(rankings.by_rank, calibrating, alpha)


def _best_k(rankings, calibrating, alpha):
    "What the best k for the other questions finds for each; all chunks where no k is enough."
    top = rankings.take(~calibrating).top_k(1 - alpha) or dict(k=np.inf)
    return rankings.by_rank.each(top['k'])


def _mixed_k(rankings, calibrating, alpha):
    "What a lot between two k finds for each on average; it covers as many as the threshold."
    found = _threshold(rankings, calibrating, alpha)
    goal = found['coverage'][~calibrating].mean()
    top = rankings.take(~calibrating).top_k(goal)
    if top is None:
        return rankings.by_rank.each(np.inf) | dict(infinite=found['infinite'])
    less, more = (rankings.by_rank.each(k) for k in (top['k'] - 1, top['k']))
    fewer = less['coverage'][~calibrating].mean()
    share = (goal - fewer) / (top['coverage'] - fewer)
    mixed = {name: (1 - share) * less[name] + share * more[name] for name in more}
    return mixed | dict(infinite=found['infinite'])


def _hardest_third(nearest):
    "Places of the questions with the answers that rank last by distance."
    order = np.argsort(-nearest.ranks, kind='stable')
    return order[: max(1, len(order) // 3)]


def _measured(find, rankings, halves, alpha, hard):
    "What one way finds at a level: means over splits, and of the hardest questions."
    splits = [find(rankings, calibrating, alpha) for calibrating in halves]
    values = {}
    for name in splits[0]:
        each = np.array([found[name] for found in splits], dtype=float)
        values[name] = np.where(halves, np.nan, each)  # a question that calibrates tests nothing
    row = {name: np.nanmean(each, axis=1).mean() for name, each in values.items()}
    hardest = {name: np.nanmean(each[:, hard]) for name, each in values.items()}
    return row | dict(hardest_third=hardest['coverage'], hardest_third_chunks=hardest['chunks'])


def _band(rankings, halves, alpha):
    "The 90% band of the coverage of one split, by the law, on average over the splits."
    number = question_clusters(rankings.questions)
    scores = rankings.scores
    bands = [empirical_cluster_band(scores[cal], number[cal], scores[~cal], number[~cal], alpha) for cal in halves]
    if (1.0, 1.0) in bands:
        return np.nan, np.nan  # an infinite threshold
    return np.mean(bands, axis=0)


COLUMNS = [
    'alpha',
    'score',
    'ranking',
    'way',
    'coverage',
    'answered',
    'band_low',
    'band_high',
    'chunks',
    'tokens',
    'empty',
    'infinite',
    'hardest_third',
    'hardest_third_chunks',
    'unanswerable',
]
_NEAREST = 1000  # chunks among which the hardest questions are looked for
_TOP = {CALIBRATED_K: _calibrated_k, BEST_K: _best_k, MIXED_K: _mixed_k}


def _names(scores):
    "The names of scores, with all settings where two share one."
    names = [score.name for score in scores]
    return [(score.name, str(score))[names.count(score.name) > 1] for score in scores]


def _same_ranking(one, other):
    "Whether the answers have the same ranks, where both see them."
    both = np.isfinite(one.ranks) & np.isfinite(other.ranks)
    return np.array_equal(one.ranks[both], other.ranks[both])


def _ways(kb, questions, scores, progress):
    "(name, ranking, way, find, `Rankings`): a threshold for each score, k for each new ranking."
    known = {}
    for name, score in zip(_names(scores), scores):
        rankings = rank_questions(kb, questions, None, progress, score)
        same = (other for other in known if _same_ranking(known[other], rankings))
        ranking = next(same, name)
        yield name, ranking, 'threshold', _threshold, rankings
        if ranking in known:
            continue
        known[ranking] = rankings
        for k, find in _TOP.items():
            yield f'{name}, {k}', name, k, find, rankings


def compare_scores(
    kb,  # `KnowledgeBase`
    questions: list,  # `Question`s with known answers
    scores: tuple = COMPARED,  # `Score`s
    alphas: tuple = (0.2, 0.1, 0.05),  # miscoverage levels, each 0 < alpha < 1
    splits: int = 40,  # random halves, by document
    *,
    seed: int = 0,  # of the first split
    progress: bool = True,  # show progress bars
):  # `pandas.DataFrame` of `COLUMNS`: for each alpha a row per score, and per k of a ranking
    "What scores cover and cost at one promise: means over splits, on answerable test questions."
    import pandas as pd

    kb = kb.snapshot()  # every score ranks the same chunks
    nearest = rank_questions(kb, questions, None, progress, Distance(pool=_NEAREST))
    halves = _calibrating(nearest.questions, splits, seed)
    hard = _hardest_third(nearest)
    ways = list(_ways(kb, questions, scores, progress))
    rows = []
    for alpha in alphas:
        for name, ranking, way, find, rankings in ways:
            row = dict(alpha=alpha, score=name, ranking=ranking, way=way)
            row |= _measured(find, rankings, halves, alpha, hard)
            if way == 'threshold':
                row['band_low'], row['band_high'] = _band(rankings, halves, alpha)
            rows.append(row | dict(unanswerable=len(nearest.unanswerable)))
    return pd.DataFrame(rows, columns=COLUMNS)
