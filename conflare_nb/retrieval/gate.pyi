# Made by tools/export.py: what editors and type checkers see of this module.
"""Nearest distances of a calibration's questions, kept as a gate that a retriever can close

Docs: https://conflare-nb.github.io/conflare_nb/retrieval/gate.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass
import math
import numpy as np
from fastcore.basics import patch
from .calibration import Calibration
from ..conformal.abstain import gate_from_unanswerable, gate_levels, gate_threshold
from ..conformal.threshold import as_scores
from ..saving import digest, refuse_differences
from ..words import plural
from ..documents.store import KnowledgeBase
__all__ = ['nearest_distances', 'Gate', 'calibrate_gate']

def nearest_distances(kb, texts, progress: bool=False):
    """How far each question is from its nearest chunk; `inf` in an empty knowledge base.

kb: `KnowledgeBase`
texts: questions
progress: show a bar while they are embedded"""
    ...
_UNLIKE = 'This question is unlike the calibration questions: its nearest chunk is at distance {near:.2f}, and for {share} of them it was at most {usual:.2f}. The promise is about questions like those, not about this one.'

def unlike_words(kb, question, nearest):
    """A warning where a question is farther from every chunk than 99% of these distances; '' = it is not."""
    ...

@dataclass(frozen=True, eq=False)
class Gate:
    """A rule that closes before retrieval when a question is far from every chunk.

nearest: (n,) distances of the calibration questions to their nearest chunks
questions: fingerprint of these questions, in their order
fingerprint: of the knowledge base
share: of alpha, 0 to 1; default: 1/5, or 0 if n < 200
unanswerable: (k,) nearest distances of unanswerable questions
eps: share of these it may open for, 0 < eps < 1; instead of `share`"""
    nearest: np.ndarray
    questions: str
    fingerprint: dict
    share: float | None = ...
    unanswerable: np.ndarray = ...
    eps: float | None = ...

    def __post_init__(self):
        ...

    def threshold(self, alpha: float) -> float:
        """The distance beyond which it closes.

alpha: miscoverage level, 0 < alpha < 1; 0 = nothing of it is left to share"""
        ...

    def check(self, cal: Calibration):
        """Raise ValueError unless this calibration's questions made the gate, on its knowledge base.

cal: whose questions"""
        ...

    def text(self, alpha: float) -> str:
        """When it closes, and what is promised of that.

alpha: miscoverage level, 0 < alpha < 1; after an audit what is left of it, 0 = nothing"""
        ...

def calibrate_gate(kb: KnowledgeBase, cal: Calibration, share: float | None=None, unanswerable: list=(), eps: float | None=None, progress: bool=True) -> Gate:
    """Calibrate a gate: the distance of every calibration question to its nearest chunk.

kb: as `create` or `open` gives it
cal: measured on it; its own questions calibrate the gate
share: of alpha for the gate, 0 to 1; default: 1/5, or 0 if n < 200
unanswerable: texts of unanswerable questions, instead of a share
eps: share of questions like these that it may open for
progress: a progress bar"""
    ...
