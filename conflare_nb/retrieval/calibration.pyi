# Made by tools/export.py: what editors and type checkers see of this module.
"""From labelled questions to thresholds, kept with the identity of what they were measured on

Docs: https://conflare-nb.github.io/conflare_nb/retrieval/calibration.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass, field, replace
from functools import cached_property
import numpy as np
from fastcore.basics import patch
from fastcore.xml import B, P, Table, Tbody, Td, Th, Thead, Tr, to_xml
from ..saving import Stored, digest, refuse_differences, storable, stored_fields
from ..words import check_type, plural, utc_now
from .promise import UNITS, Promise, counts_text, promise_of
from ..conformal.clusters import Band, cluster_numbers, design_effect
from ..conformal.clusters import empirical_cluster_band
from ..conformal.guarantee import Guarantee, Marginal, check_guarantee, reach
from ..conformal.threshold import tied_rank
from ..errors import Refused
from ..labels.question import asked_text, question_clusters, question_group
from ..labels.labeling import NOT_WORDED, Label, label_questions, share_text
from ..documents.late import LateHybrid
from ..documents.score import Distance, Score
from ..documents.stored import stored_score
from ..documents.store import KnowledgeBase
__all__ = ['Measured', 'Calibration', 'calibrate', 'Answerer']

class Measured:
    """What was measured on one knowledge base, of which it keeps the `fingerprint`."""
    again = ''

    def check(self, kb) -> KnowledgeBase:
        """The knowledge base as it is now; ValueError names what differs from the one measured.

kb: `KnowledgeBase`"""
        ...

@dataclass(frozen=True, repr=False)
class Calibration(Measured, Stored):
    """Calibration scores, and the fingerprint of the knowledge base they were measured on.

scores: (n,) one a question, `inf` = no answer in reach
fingerprint: of the knowledge base
source: where the questions and labels came from
created: UTC, ISO 8601
labels: the `Label`s of all questions, if kept
score: what the scores are scores of, and what a retriever uses
unanswerable: questions set apart since nothing answers them, >= 0: they have no score
groups: (n,) group of each score, where asked for
documents: (n,) what each question was written for, '' = not known
judge: who labelled; '' = the known answers
passages: {question id: short sum of the passage that its label names}
moved: ids of the questions whose passage is new or changed since they calibrated before"""
    scores: np.ndarray
    fingerprint: dict
    source: str = ...
    created: str = ...
    labels: tuple = ...
    score: Score = ...
    unanswerable: int = ...
    groups: tuple = ...
    documents: tuple = ...
    judge: str = ...
    passages: dict = ...
    moved: tuple = ...
    min_score = 0.0
    unit = 'chunk'
    again = 'calibrate(kb, questions)'
    schema = 'conflare_nb.calibration/4'
    called = 'calibration'
    score_named: ClassVar[Any]

    def __post_init__(self):
        ...

    @property
    def n(self) -> int:
        """Number of calibration questions."""
        ...

    @property
    def scored_labels(self) -> tuple:
        """`Label`s behind the scores, in the same order, without the questions set apart."""
        ...

    @cached_property
    def clusters(self) -> np.ndarray:
        """(n,) numbers, equal for questions that share a document or a text: `cluster_numbers`."""
        ...

    def subset(self, inside: np.ndarray) -> Calibration:
        """Calibration by some of the questions alone.

inside: (n,) of bool: which of the scored questions"""
        ...

    @property
    def slack(self) -> float:
        """How much beyond a threshold belongs to it, for another processor's rounding."""
        ...

    @property
    def made_of(self) -> str:
        """Name of the score, as part of a sentence."""
        ...

    def shown(self, threshold: float) -> str:
        """Threshold as text."""
        ...

    @property
    def population(self) -> str:
        """Questions that those of the promise are exchangeable with, in words."""
        ...

    @overload
    def qhat(self, alpha: float, guarantee: Guarantee=...) -> float:
        """Calibrated threshold on the score.

alpha: miscoverage level(s), 0 < alpha < 1
guarantee: that the threshold is for"""
        ...

    @overload
    def qhat(self, alpha: float | np.ndarray, guarantee: Guarantee=...) -> np.ndarray:
        """Calibrated threshold on the score.

alpha: miscoverage level(s), 0 < alpha < 1
guarantee: that the threshold is for"""
        ...

    def promise(self, alpha: float, guarantee: Guarantee=...) -> Promise:
        """What the threshold at `alpha` promises, and what that rests on.

alpha: miscoverage level, 0 < alpha < 1
guarantee: what is promised"""
        ...

    def effective_n(self, alpha: float) -> float:
        """Effective number of independent questions: see `design_effect`.

alpha: miscoverage level, 0 < alpha < 1"""
        ...

    def band(self, alpha: float, guarantee: Guarantee=...) -> Band:
        """Band of the coverage of this calibration set.

alpha: miscoverage level, 0 < alpha < 1
guarantee: of the threshold"""
        ...

    def test_band(self, scores: np.ndarray, questions: list, alpha: float) -> Band:
        """Band of the empirical coverage on test questions: see `empirical_cluster_band`.

scores: (m,) of questions that did not calibrate
questions: the `Question`s of these
alpha: miscoverage level, 0 < alpha < 1"""
        ...

    @overload
    def p_value(self, score: float) -> float:
        """Conformal p-value of a chunk with this score; it is retrieved at every smaller alpha that is fixed beforehand.

score: of one chunk, or of several"""
        ...

    @overload
    def p_value(self, score: float | np.ndarray) -> np.ndarray:
        """Conformal p-value of a chunk with this score; it is retrieved at every smaller alpha that is fixed beforehand.

score: of one chunk, or of several"""
        ...

    @property
    def set_apart(self) -> str:
        """Number of questions set apart, for each reason, and a confidence interval of their share."""
        ...

    @property
    def asked(self) -> str:
        """Number of calibration questions, and of distinct texts if labels are kept."""
        ...

    @property
    def measured(self) -> str:
        """Number of calibration questions, their source, who labelled them, and when."""
        ...

    def __repr__(self):
        ...

    def _repr_html_(self):
        """What it was measured on, and its thresholds at four levels."""
        ...

    def as_stored(self) -> dict:
        """Every field, how many scores there are, and the score by its name and settings."""
        ...

    @classmethod
    def from_stored(cls, data: dict, score: Score | None=None) -> Calibration:
        """A calibration from what a file holds; ValueError says what is wrong with it.

data: what a file holds
score: that it was measured with; default: the one that the file names"""
        ...

def calibration_labels(labels, unanswerable='exclude'):
    """The scores, labels and count of unanswerable ones: what a `Calibration` has of these labels."""
    ...

def group_names(questions, groups=None):
    """The group of every question by its id, before any work is done; {} without groups."""
    ...

def calibration_made(labels, questions, unanswerable, source, judge=None, names={}):
    """The fields of a `Calibration` that its labels decide."""
    ...

def passage_fields(kb, labels, before=None):
    """The fields of a `Calibration` that say which passages its labels name, and how many of these are new."""
    ...

def calibrate(kb: KnowledgeBase, questions: list, depth: int | None=None, source: str='', progress: bool=True, judge=None, score: Score=..., unanswerable: str='exclude', groups=None, before: Calibration | None=None) -> Calibration:
    """Measure the nonconformity score of every calibration question (CONFLARE, steps 2 and 3).

kb: as `create` or `open` gives it
questions: `Question`s like those that will be asked
depth: chunks to look at for each; default: 30 for a judge, otherwise all
source: where the questions come from; default: "gold answers" without a judge
progress: a progress bar
judge: `Judge` that says what answers; default: the known answers
score: of a chunk; the papers' is `Distance()`
unanswerable: what to do with these: "exclude", or "include" as infinite
groups: "kind", or a function of a question's text: thresholds by group
before: on the same questions, before documents changed"""
    ...

def p_note(promise):
    """What a p-value beside a promise says, and what it does not."""
    ...

class Answerer:
    """Answers from `kb` by a threshold of `cal`: one check, one promise, and nothing of it can be set."""
    terms = None
    kb: Any
    cal: Any
    alpha: Any
    guarantee: Any
    qhat: Any
    reach: Any

    def __init__(self, kb, cal, alpha, guarantee=...):
        ...

    def p_values(self, scores):
        """Of chunks with these scores, by what the guarantee sees, found once; over c where alpha may be moved."""
        ...

    def at(self, alpha: float) -> Answerer:
        """The same at another level, after looking: only by the guarantees `Movable` and `Stops`.

alpha: where it may be moved"""
        ...

    def __setattr__(self, name, value):
        ...

    def check(self) -> KnowledgeBase:
        """The knowledge base as it is now; ValueError where it is no longer the one that calibrated."""
        ...

    @property
    def changed(self) -> str:
        """What has changed since the calibration, in words."""
        ...

    @property
    def promise(self) -> Promise:
        """What is promised now: nothing, once documents have changed."""
        ...

    def __repr__(self):
        ...

    def _repr_html_(self):
        """What a notebook shows: what it is, and what it promises now."""
        ...
