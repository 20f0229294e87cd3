# Made by tools/export.py: what editors and type checkers see of this module.
"""Can you trust the judge? Look at a few labels, bound how often they are too early, pay from alpha

Docs: https://conflare-nb.github.io/conflare_nb/evidence/audit.html.md"""
from typing import Any, ClassVar, overload
from collections.abc import Mapping
from dataclasses import dataclass
import math
import numpy as np
from ..errors import Mismatch
from ..saving import Stored, digest
from ..words import plural
from ..documents.cutting import Chunk
from ..retrieval.calibration import Calibration
from ..labels.judges import answering_chunks
from ..labels.labeling import verdict_key
from ..labels.question import Question
from ..conformal.betting import BET_DELTA, betting_limits, betting_upper
from ..conformal.threshold import BILLION, Alpha, check_probability, exact_parts
__all__ = ['Audit', 'draw_audit', 'audit_labels', 'gold_truth', 'person_truth', 'audit_size']

class OtherLabels(Mismatch):
    """An audit was drawn from other labels than the ones of this calibration."""

def labels_print(labels):
    """Fingerprint of labels: questions, scores and chunks in their order."""
    ...

def texts_print(labels, chunks):
    """Fingerprint of the passages that labels name, as they are now."""
    ...

@dataclass(frozen=True)
class Audit(Stored):
    """How many of the labels that were looked at came too early, and what follows.

judged: labels looked at, drawn at random
too_early: how many of them name a chunk that does not answer
among: all labels
delta: probability that the bound misleads, however often one looks
labels: fingerprint of the labels they were drawn from; "" = unknown
texts: fingerprint of the passages that these labels name; "" = unknown"""
    judged: int
    too_early: int
    among: int
    delta: float = ...
    labels: str = ...
    texts: str = ...

    def __post_init__(self):
        ...

    @property
    def bound(self) -> float:
        """At most this share of all labels is too early, with confidence 1-delta."""
        ...

    @overload
    def alpha_left(self, alpha: float) -> float:
        """What the judge's possible errors leave of `alpha`, rounded down.

alpha: miscoverage level(s) wanted, 0 < alpha < 1"""
        ...

    @overload
    def alpha_left(self, alpha: float | np.ndarray) -> np.ndarray:
        """What the judge's possible errors leave of `alpha`, rounded down.

alpha: miscoverage level(s) wanted, 0 < alpha < 1"""
        ...

    def check(self, cal: Calibration, chunks: list | None=None):
        """Raise `OtherLabels` unless the audit was drawn from this calibration's labels.

cal: that is audited
chunks: `Chunk`s as they are now; default: their texts are not compared"""
        ...

    def __str__(self):
        ...

def draw_audit(labels: list, m: int, seed: int=0) -> list:
    """Random sample of labels to audit.

labels: the `Label`s that calibrate (`Calibration.scored_labels`)
m: how many to look at, 1 to all
seed: another seed, another sample"""
    ...

def audit_labels(labels: list, truth: Mapping, m: int | None=None, seed: int=0, delta: float=..., chunks: list | None=None) -> Audit:
    """Audit of a judge: count the drawn labels whose chunk does not answer; all must be looked at.

labels: the judge's `Label`s that calibrate (`Calibration.scored_labels`)
truth: (question id, chunk id) -> whether that chunk answers, for the labels drawn
m: how many were drawn; default: all
seed: with which seed
delta: probability that the bound misleads
chunks: `Chunk`s, to see later whether their texts have changed"""
    ...

def gold_truth(kb, questions: list, labels: list) -> dict:
    """Which of the labelled chunks really answer, by the known answers.

kb: `KnowledgeBase`
questions: `Question`s with known answers
labels: `Label`s made by a judge"""
    ...

def person_truth(rows: list, chunks: list[Chunk] | None=None, labels: list=()) -> dict:
    """What persons said; verdicts of other judges are left out.

rows: verdicts: "judge", "question", "text", "chunk", "answers"; a later one counts
chunks: as they are now: a verdict on a changed text is left out
labels: `Label`s; the ones that ask in the same words share verdicts"""
    ...

@dataclass(frozen=True)
class AuditPlan(Stored):
    """How the one audit of a calibration is drawn: decided before anything is looked at.

labels: fingerprint of the labels to draw from
seed: of the draw
delta: probability that the bound misleads"""
    labels: str
    seed: int = ...
    delta: float = ...

    def __post_init__(self):
        ...

    def goes_on(self, begun):
        """Raise ValueError where another audit of the same labels was begun."""
        ...

def audit_size(alpha: float, left: float, rate: float=0.0, delta: float=..., *, among: int) -> int:
    """The smallest audit that leaves `left` of `alpha` with probability .8, if the judge errs so.

alpha: miscoverage level wanted, 0 < alpha < 1
left: of it to be left, 0 < left < alpha
rate: share of labels that the judge makes too early, as far as you know
delta: probability that the bound misleads
among: all labels"""
    ...
