# Made by tools/export.py: what editors and type checkers see of this module.
"""Does it hold on questions that did not calibrate? Coverage with its band and cost, beside top-k

Docs: https://conflare-nb.github.io/conflare_nb/evidence/evaluation.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
import numpy as np
from fastcore.basics import patch
from ..conformal.clusters import cluster_band, threshold_effect
from ..conformal.guarantee import OfGroup
from ..conformal.groups import threshold_group
from ..conformal.threshold import as_scores, check_paired, conformal_quantile, conformal_rank
from ..conformal.threshold import covered, tied_rank
from ..labels.labeling import label_among, walk_rankings
from ..documents.late import LateHybrid
from ..documents.score import Distance, Score
from ..words import check_list
from ..labels.question import Question, one_per_document, question_clusters
from ..labels.question import question_group, split_questions
from ..retrieval.retriever import answer_ranks
from ..documents.store import KnowledgeBase
from ..retrieval.calibration import Calibration
__all__ = ['Rankings', 'rank_questions', 'coverage_table', 'conditional_coverage', 'cost_table', 'drawn_splits', 'crossed_table', 'split_coverage']

@dataclass(frozen=True)
class Rankings:
    """How every answerable test question is ranked: enough to judge any threshold.

questions: the `Question`s
scores: (m,) of the first answering chunk, lower is better; `inf`: out of reach
ranks: (m,) its rank, 1 = best; `inf` = out of reach
chunk_scores: (m, depth) of the chunks, best first; NaN where a pool is smaller
tokens: (m, depth) total length of that chunk and all better ones
score: the nonconformity score
unanswerable: the `Question`s that nothing answers: in none of the arrays"""
    questions: list
    scores: np.ndarray
    ranks: np.ndarray
    chunk_scores: np.ndarray
    tokens: np.ndarray
    score: Score = ...
    unanswerable: tuple = ...

    def __len__(self):
        ...

    def covered(self, qhat: float) -> np.ndarray:
        """For which questions an answer is retrieved, or everything is: see `covered`.

qhat: threshold"""
        ...

    def each(self, qhat: float) -> dict:
        """What a threshold retrieves for each question.

qhat: threshold; every chunk with a score <= qhat is retrieved"""
        ...

    def at(self, qhat: float) -> dict:
        """What a threshold retrieves, on average.

qhat: threshold"""
        ...

    def take(self, rows: np.ndarray) -> Rankings:
        """The rankings of some of the questions.

rows: questions, by place or by a mask"""
        ...

    @property
    def by_rank(self) -> Rankings:
        """Top-k on this very ranking."""
        ...

    def top_k(self, coverage: float) -> dict | None:
        """The smallest k of this ranking with that coverage, chosen with the answers in view.

coverage: to be reached on these questions, 0 to 1"""
        ...

def rank_questions(kb: KnowledgeBase, questions: list, depth: int | None=None, progress: bool=True, score: Score=...) -> Rankings:
    """Rankings of test questions, one search each: enough to evaluate any threshold.

kb: as `create` or `open` gives it
questions: `Question`s with known answers
depth: chunks to look at, the rest counts as never retrieved; default: all
progress: show a progress bar
score: the calibration's nonconformity score"""
    ...
_COVERAGE = ['alpha', 'qhat', 'coverage', 'band_low', 'band_high', 'chunks', 'tokens', 'empty', 'infinite', 'k', 'k_coverage', 'k_tokens', 'unanswerable']
_MEANS = ['infinite', 'coverage', 'chunks', 'tokens']
_BY_GROUP: Any

def coverage_table(cal: Calibration, test: Rankings, alphas: tuple=(0.2, 0.1, 0.05), by=None, min_size: int=0):
    """Table by alpha: threshold, coverage of answerable questions, 90% band, cost, and top-k.

cal: as `calibrate` gives it
test: of questions that did not calibrate, by the same score
alphas: miscoverage levels, each 0 < alpha < 1
by: "kind", or a function of a question's text, as calibrated: by group
min_size: groups with fewer calibration questions share a threshold; 0 = none does"""
    ...
_THIRDS: Any

def conditional_coverage(scores: list | np.ndarray, known: dict, alpha: float=0.1, documents: list | np.ndarray=()):
    """Coverage by group, each calibration question tried by the threshold of all the others.

scores: (n,) calibration scores
known: {name: (n,) what is known of each question: its group, or a number}
alpha: miscoverage level, 0 < alpha < 1
documents: (n,) what each question is about; () = all independent"""
    ...
CALIBRATED_K = 'calibrated k'
BEST_K = 'best k in hindsight'
AS_IT_IS = 'as it is'
_COSTS = ['alpha', 'retrieved', 'ranking', 'everything', 'k', 'coverage', 'answered', 'band_low', 'band_high', 'tied', 'chunks', 'tokens', 'infinite']

def cost_table(chosen: tuple, papers: tuple, alphas: tuple=(0.2, 0.1, 0.05)):
    """What a score covers and costs, beside top-k on the same ranking and the papers' distance.

chosen: (`Calibration` with its labels, `Rankings`) of the score in use
papers: the same by `Distance()`, the papers' score
alphas: miscoverage levels, each 0 < alpha < 1"""
    ...

def rank_labels(kb, cal, questions, score=None, progress=True) -> Rankings:
    """How every calibration question is ranked, by the chunk that its label names."""
    ...

def drawn_splits(questions, splits, seed=0, share=0.5, by='document'):
    """The places of both parts in each of so many random splits."""
    ...

def crossed_table(chosen, papers, alphas=(0.2, 0.1, 0.05), splits=50, seed=0):
    """`cost_table` by random splits, which test nothing; the band is the threshold's own, 1 if infinite."""
    ...

def rank_lists(cal, questions, costs, tokens):
    """`Rankings` by a pipeline's own score: the `pipeline_costs` of each list, and its rows' tokens."""
    ...

def pipeline_table(own, alphas=(0.2, 0.1, 0.05), seed=0):
    """`crossed_table` of a pipeline's own score, and a row for what it covers as it is."""
    ...

def split_coverage(rankings: Rankings, alpha: float=0.1, splits: int=200, by: str='document', seed: int=0) -> np.ndarray:
    """Coverage over random halves of the same questions.

rankings: of all questions
alpha: miscoverage level, 0 < alpha < 1
splits: how many
by: what is split: "document", "question", or "one" (question of each document)
seed: of the first split"""
    ...
