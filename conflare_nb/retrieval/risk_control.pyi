# Made by tools/export.py: what editors and type checkers see of this module.
"""A retriever for all that is relevant: a share missed on average, a token budget, several limits

Docs: https://conflare-nb.github.io/conflare_nb/retrieval/risk_control.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass
from fractions import Fraction
import numpy as np
from fastcore.basics import patch
from .calibration import Answerer, Measured
from .promise import Promise
from ..labels.judges import answering_chunks
from ..labels.labeling import share_text
from ..conformal.budget import budget_scores, shown_count
from ..conformal.threshold import Alpha
from ..conformal.risk import Risk, learn_then_test, missed_shares, risk_threshold, why_no_threshold
from .retriever import Retrieved, numbered_hits
from ..documents.late import LateHybrid
from ..documents.score import Score
from ..words import progress_bar
from ..documents.store import KnowledgeBase
__all__ = ['RelevantScores', 'score_relevant', 'RiskControl', 'TestedControl']

@dataclass(frozen=True)
class RelevantScores(Measured):
    """Where all relevant chunks of some questions stand, and what else stands there.

relevant: one array a question: scores of its relevant chunks; `inf` = out of reach
used: one array a question: tokens of each of these and all better ones
chunk_scores: one array a question: scores of all chunks, best first
lengths: one array a question: their tokens
fingerprint: of the knowledge base
score: what the scores are scores of
unanswerable: questions set apart since no chunk is known to answer them, >= 0"""
    relevant: tuple
    used: tuple
    chunk_scores: tuple
    lengths: tuple
    fingerprint: dict
    score: Score
    unanswerable: int = ...
    again = 'score_relevant(kb, questions)'

    @property
    def n(self) -> int:
        """How many questions have something relevant."""
        ...

    def __repr__(self):
        ...

    def within(self, budget: float | None=None) -> list:
        """The scores of the relevant chunks, infinite where they do not fit.

budget: tokens that may be shown, best first; None = no limit"""
        ...

    def shown(self, threshold: float, budget: float | None=None) -> tuple:
        """What would be retrieved.

threshold: every chunk with a score up to it is retrieved
budget: tokens that may be shown, best first; None = no limit"""
        ...

    def at(self, threshold: float, budget: float | None=None) -> dict:
        """What a threshold does on these questions.

threshold: every chunk with a score up to it is retrieved
budget: tokens that may be shown, best first; None = no limit"""
        ...

    def smallest_alpha(self, budget: float | None=None) -> float:
        """The smallest share missed that can be promised on average: (what is out of reach + 1)/(n+1).

budget: tokens that may be shown; None = no limit"""
        ...

def score_relevant(kb, questions: list, score: Score=..., progress: bool=True) -> RelevantScores:
    """Search once for every question, and note where all its relevant chunks stand.

kb: `KnowledgeBase`
questions: `Question`s like those that will be asked; all relevant is known
score: of a chunk
progress: a progress bar"""
    ...

class RiskControl(Answerer):
    """Retriever by conformal risk control: on average at most `alpha` of what is relevant is missed."""
    stops = True
    kb: KnowledgeBase
    cal: RelevantScores
    measured: RelevantScores
    budget: float | None
    alpha: Any
    qhat: Any

    def __init__(self, kb: KnowledgeBase, measured: RelevantScores, alpha: float=0.1, budget: float | None=None):
        """kb: as `create` or `open` gives it
measured: on this very knowledge base: another is refused
alpha: share of relevant chunks missed on average, 0 < alpha < 1
budget: tokens that fit, and are calibrated with; None = no limit"""
        ...

    def retrieve(self, query: str) -> Retrieved:
        """Every chunk within the threshold and the budget; ValueError where no limit can be kept.

query: the question"""
        ...

class TestedControl(RiskControl):
    """Retrieves at a threshold where, with probability 1-delta, every limit holds."""
    __test__ = False
    stops = False
    kb: Any
    cal: RelevantScores
    measured: RelevantScores
    budget: float | None
    alpha: Any
    over: float
    delta: float
    tested: Any
    qhat: Any

    def __init__(self, kb, measured: RelevantScores, alpha: float=0.1, budget: float | None=None, over: float=0.1, delta: float=0.1):
        """kb: `KnowledgeBase`
measured: on this very knowledge base, of independent questions
alpha: share of relevant chunks missed on average, 0 < alpha < 1
budget: tokens that few questions may exceed; None = no limit
over: share of the questions that may exceed it, 0 < over < 1
delta: probability that some limit does not hold, 0 < delta < 1"""
        ...

    def risks(self) -> tuple:
        """What has a limit, at every score where something of it changes."""
        ...
