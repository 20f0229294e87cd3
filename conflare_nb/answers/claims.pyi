# Made by tools/export.py: what editors and type checkers see of this module.
"""Which sentences of an answer can you keep? Those with enough support that no unsupported one is among them

Docs: https://conflare-nb.github.io/conflare_nb/answers/claims.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass
from fractions import Fraction
import math
import numpy as np
from fastcore.xml import Del, Details, Li, P, Small, Summary, Ul, to_xml
from .particulars import exact_particulars, what_is_said
from ..conformal.guarantee import Guarantee, MeanRisk
from ..documents.cutting import Chunk, header
from ..documents.score import SLACK
from ..documents.sentences import sentence_input, sentences_of
from ..retrieval.calibration import Answerer, Measured
from ..retrieval.promise import Promise, moved_fields
from ..saving import Stored, refuse_differences
from ..words import plural, utc_now
__all__ = ['SUPPORT_RULE', 'split_claims', 'Backed', 'back_claims', 'LabelledAnswer', 'ClaimCalibration', 'calibrate_claims', 'FilteredAnswer', 'ClaimFilter']

def split_claims(answer: str) -> list:
    """The claims of an answer.

answer: what a model wrote"""
    ...

@dataclass(frozen=True)
class Backed:
    """A claim with what supports it.

text: of the claim
support: higher = better; -inf where nothing was given
nearest: the sentence that backs it up best, by meaning and words
chunk: that holds this sentence"""
    text: str
    support: float
    nearest: str = ...
    chunk: Chunk | None = ...
SUPPORT_RULE = 1
_WORDS = 0.5
_LENGTH = 0.4
_NEGATION = 1.0

def back_claims(claims: list, chunks: list, embedder) -> list:
    """Find the sentence that backs up each claim best, and how well the text supports it.

claims: texts
chunks: `Chunk`s that the model was given
embedder: `Embedder`"""
    ...

@dataclass(frozen=True)
class LabelledAnswer:
    """An answer whose claims are labelled.

claims: their texts
supported: of each whether what was given says so
given: the `Chunk`s that the model was given"""
    claims: tuple
    supported: tuple
    given: tuple

@dataclass(frozen=True, repr=False)
class ClaimCalibration(Measured, Stored):
    """The support of every claim of some answers, and which claims are supported.

supports: of each answer: the support of its claims
supported: of each answer: whether each claim is supported
fingerprint: what the supports depend on
judge: who labelled; '' = people, or known answers
source: where the answers come from
created: UTC, ISO 8601"""
    supports: tuple
    supported: tuple
    fingerprint: dict
    judge: str = ...
    source: str = ...
    created: str = ...
    again = 'calibrate_claims(answers, kb)'

    def __post_init__(self):
        ...

    @property
    def n(self) -> int:
        """Number of answers."""
        ...

    def check(self, kb):
        """The knowledge base as it is now; ValueError where it, or the support, is not what calibrated."""
        ...

    def __repr__(self):
        ...

    def steps(self, loss: str) -> list:
        """The steps in which the loss falls as the threshold rises.

loss: "any": whether an unsupported claim is kept; "share": their share of those kept"""
        ...

    def threshold(self, alpha: float, guarantee: Guarantee=...) -> float:
        """Smallest threshold that keeps the expected loss at alpha (arXiv 2402.10978, 2208.02814).

alpha: what is allowed of the loss on average, 0 < alpha < 1
guarantee: or MeanRisk("share"), or `Audited(audit, MeanRisk("any"))`"""
        ...

    def at(self, threshold: float) -> dict:
        """What a threshold does to these answers: the price, and what it buys.

threshold: claims above it are kept"""
        ...

    def promise(self, alpha: float, guarantee: Guarantee=...) -> Promise:
        """What the threshold at `alpha` promises, and its price.

alpha: miscoverage level, 0 < alpha < 1
guarantee: see `threshold`"""
        ...

def calibrate_claims(answers: list, kb, *, judge: str='', source: str='') -> ClaimCalibration:
    """Measure the support of every claim of labelled answers.

answers: `LabelledAnswer`s to questions like the ones that users ask, by the same model
kb: `KnowledgeBase` that they were answered from
judge: who labelled; '' = people, or known answers
source: where the answers come from"""
    ...
_EVENTS: Any

@dataclass(frozen=True, repr=False)
class FilteredAnswer:
    """An answer with its claims, of which some are kept.

claims: `Backed`, in order
threshold: claims with more support are kept, by more than another processor's rounding
promise: what is promised of those"""
    claims: tuple
    threshold: float
    promise: Promise

    @property
    def kept(self) -> tuple:
        """The claims that are kept, in order."""
        ...

    @property
    def text(self) -> str:
        """What is left of the answer; '' = nothing."""
        ...

    def __repr__(self):
        ...

    def _repr_html_(self):
        """The claims, those not kept struck through, and the promise; everything escaped."""
        ...

class ClaimFilter(Answerer):
    """Keeps the claims of an answer that have enough support."""
    kb: Any
    cal: ClaimCalibration
    split: Any
    guarantee: Guarantee
    threshold: Any

    def __init__(self, kb, cal: ClaimCalibration, alpha: float=0.1, *, guarantee: Guarantee=..., split=...):
        """kb: `KnowledgeBase` that answers come from
cal: measured on this very knowledge base; any other is refused
alpha: what is allowed of the loss, 0 < alpha < 1; smaller = fewer claims
guarantee: or MeanRisk("share"): the share of unsupported claims
split: a function of an answer that gives its claims"""
        ...

    def filter(self, answer: str, chunks: list) -> FilteredAnswer:
        """Split an answer, score its claims, and keep those above the threshold.

answer: what a model wrote
chunks: `Chunk`s that it was given"""
        ...
