# Made by tools/export.py: what editors and type checkers see of this module.
"""What a threshold promises: one frozen object, from which every sentence, table and file is made

Docs: https://conflare-nb.github.io/conflare_nb/retrieval/promise.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass, replace
import math
from fastcore.basics import patch
from fastcore.xml import Details, P, Small, Summary, to_xml
from ..conformal.clusters import Band
from ..conformal.guarantee import Terms
from ..conformal.threshold import Alpha, min_calibration_size
from ..labels.labeling import left_out
from ..saving import storable
from ..words import plural
__all__ = ['Promise']

@dataclass(frozen=True)
class Promise:
    """Guarantee of a threshold: what is promised, what it rests on, and what is missing for it.

event: what happens: "an answer is retrieved"
otherwise: what happens instead: "the whole pool is"; '' = nothing does
alpha: share of the questions that may be missed, 0 < alpha < 1
population: the questions it is about
rule: the threshold in words, or why there is none
n: questions that calibrated, or documents
rank: of the threshold among the n scores; n+1 = infinite
threshold: the largest score kept; inf = everything; None = not one number
kind: "share" of the questions, "mean" over them, "moved", "sure", "pac", "table": see `delta`
delta: "sure", "pac", "table": probability that a calibration set misleads
judge: who labelled; '' = gold answers
source: where the questions came from
created: UTC, ISO 8601
audit: what an audit found; '' = nobody audited
group: whose threshold it is, in words; '' = everybody's
band: where the coverage of one calibration set falls
limits: true statements that limit it
missing: why nothing is promised; () = it holds
whole: whether "everything" is all that the knowledge base has
moves: "moved": where alpha may be moved after looking, in words
levels: "moved": its levels, or the two ends
most: "moved": share of the questions that are missed at most, however alpha is moved"""
    event: str
    otherwise: str
    alpha: float
    population: str
    rule: str
    n: int = ...
    rank: int = ...
    threshold: float | None = ...
    kind: str = ...
    delta: float = ...
    judge: str = ...
    source: str = ...
    created: str = ...
    audit: str = ...
    group: str = ...
    band: Band | None = ...
    limits: tuple = ...
    missing: tuple = ...
    whole: bool = ...
    moves: str = ...
    levels: tuple = ...
    most: float = ...

    @property
    def status(self) -> str:
        """"promised"; "everything": no threshold, and all is given; or "nothing"."""
        ...

    def __bool__(self):
        ...

    @property
    def level(self) -> float | None:
        """Coverage level 1-alpha; None where alpha may be moved."""
        ...

    def without(self, *missing) -> Promise:
        """The same promise with something missing, so that it no longer holds.

missing: why nothing is promised, in words"""
        ...

    @property
    def nothing(self) -> str:
        """Statement that nothing is promised, and why."""
        ...

    @property
    def short(self) -> str:
        """The promise in a sentence; why everything is retrieved; or what is missing."""
        ...

    def __str__(self):
        ...

    def folded(self, exact: str=''):
        """The short sentence, with the exact one folded behind it.

exact: what is folded; default: the exact promise"""
        ...

    def _repr_html_(self):
        """What a notebook shows of it."""
        ...

    def to_dict(self) -> dict:
        """The promise as JSON can hold it: its fields, its sentences, and whether anything is promised."""
        ...
_KINDS: Any
_SETS: Any
_COUNTED = {'independent questions': 'if questions are independent', 'effective questions': 'questions that share documents or texts counted as {:.0f} independent ones', 'documents': 'by the spread of {:.0f} documents'}

def why_infinite(n, infinite, alpha, counted=None, least=0):
    """Why n scores, of which some are infinite, have no finite threshold; `counted`: another unit, and how many."""
    ...
UNITS: Any

def counts_text(terms):
    """What a threshold counts, in words: questions by rank, or documents."""
    ...

def group_text(group):
    """Whose threshold it is, in words; '' = everybody's."""
    ...

def levels_text(terms):
    """From which level on there is a threshold, in spite of those that nothing was found for."""
    ...

def threshold_text(cal, terms):
    """The threshold in words, or why there is none."""
    ...

def rule_text(cal, terms):
    """The same, and what is done where there is none."""
    ...

def population_text(cal, terms):
    """The questions that a promise is about, in words."""
    ...

def limits_text(cal, terms):
    """What limits a promise, as clauses."""
    ...

def moved_fields(terms):
    """The fields of a promise that say how alpha may be moved; {} = it is fixed."""
    ...

def promise_of(cal, terms: Terms) -> Promise:
    """What a calibration promises on the terms of a guarantee."""
    ...
