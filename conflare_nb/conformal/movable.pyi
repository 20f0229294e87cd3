# Made by tools/export.py: what editors and type checkers see of this module.
"""An alpha that may be moved after looking, and one that is chosen once from a table: what is promised then

Docs: https://conflare-nb.github.io/conflare_nb/conformal/movable.html.md"""
from typing import Any, ClassVar, overload
from bisect import bisect_right
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
import math
import numpy as np
from .clusters import Band, cluster_numbers
from .guarantee import Around, Audited, ByDocument, Gated, Guarantee, Marginal, MeanRisk
from .guarantee import OfGroup, Unproved, reach
from .threshold import BILLION, Alpha, check_probability, conformal_rank, min_calibration_size, number_or_array
from ..errors import Refused
__all__ = ['Moved', 'Movable', 'Stops', 'table_band', 'Simultaneous']

class Moved(Around):
    """E[miss/alpha] <= 1 over calibration sets and questions, whatever alpha depends on (arXiv 2503.13050)."""
    proved: Any
    why = 'at every level fixed beforehand a miss must have a probability of at most alpha over calibration sets, and lists may only grow as alpha falls'
    alone = 'where alpha may be moved, that stands outermost, and the others see c*alpha'

    def __post_init__(self):
        ...

    def e_value(self, p: np.ndarray, c: float) -> np.ndarray:
        """What a miss counts at most, however alpha is moved.

p: p-value(s) of what answers
c: what alpha is multiplied by"""
        ...

    def allowed(self, alpha: float) -> Alpha:
        """The level; `Refused` if alpha may not be moved there.

alpha: one of its levels"""
        ...

    def factor(self, n: int | None=None) -> Fraction:
        """What alpha is multiplied by.

n: size of the calibration set, where its ranks are counted; None = any valid p-value"""
        ...

    def behind(self, cal, alpha):
        """(The same scores, c*alpha), of an alpha that is allowed."""
        ...

    def p_values(self, cal, scores, alpha):
        """p/c, at most 1: what has it is within the threshold at every level below."""
        ...

    def band(self, cal, alpha):
        """Refused: the coverage of an alpha that moves is no number."""
        ...

    def needed(self, alpha):
        """The least number of questions, or documents, from which on there can be a threshold."""
        ...

    def terms(self, cal, alpha):
        """The terms at c*alpha, without a band."""
        ...

@dataclass(frozen=True)
class Movable(Moved):
    """E[miss/alpha] <= 1, whatever alpha from `lo` to `hi` is chosen by: the threshold of c*alpha (arXiv 2505.13732).

lo: smallest level, 0 < lo <= hi
hi: largest level, lo <= hi < 1
inner: at a fixed level"""
    lo: float = ...
    hi: float = ...
    inner: Guarantee = ...

    def __post_init__(self):
        ...

    @property
    def levels(self) -> tuple:
        """The two ends."""
        ...

    @property
    def says(self) -> str:
        """Where alpha may be moved, in words."""
        ...

    @property
    def least(self) -> Fraction:
        """c for any valid p-value, rounded down."""
        ...

    def e_value(self, p, c):
        """1/lo up to c*lo, c/p up to c*hi, then nothing."""
        ...

@dataclass(frozen=True, init=False)
class Stops(Moved):
    """E[miss/alpha] <= 1, whichever of a few levels is chosen, by whatever (arXiv 2503.13050).

levels: ascending, each once, 0 < alpha < 1
inner: at a fixed level"""
    levels: tuple
    inner: Guarantee

    def __init__(self, *levels: float, inner: Guarantee=...):
        """levels: the levels, in any order
inner: at a fixed level"""
        ...

    @property
    def says(self) -> str:
        """Where alpha may be moved, in words."""
        ...

    @property
    def least(self) -> Fraction:
        """c for any valid p-value, exactly."""
        ...

    def e_value(self, p, c):
        """1/alpha of the smallest level that misses, nothing if none does."""
        ...
_TABLE = (0.01, 0.4)

@overload
def table_band(n: int, alpha: float, delta: float=0.1) -> float:
    """What the usual threshold covers at least, at every alpha at once with probability 1-delta (arXiv 1503.04363).

n: independent questions that calibrate
alpha: miscoverage level(s), .01 to .4
delta: probability that the calibration set misleads, 0 < delta < 1"""
    ...

@overload
def table_band(n: int, alpha: float | np.ndarray, delta: float=0.1) -> np.ndarray:
    """What the usual threshold covers at least, at every alpha at once with probability 1-delta (arXiv 1503.04363).

n: independent questions that calibrate
alpha: miscoverage level(s), .01 to .4
delta: probability that the calibration set misleads, 0 < delta < 1"""
    ...

@dataclass(frozen=True)
class Simultaneous(Guarantee):
    """P(coverage >= 1-alpha for all alpha from .01 to .4 at once) >= 1-delta; independent questions (arXiv 1503.04363).

delta: probability that a calibration set misleads, 0 < delta < 1
seed: that draws one question of each document"""
    delta: float = ...
    seed: int = ...
    alone = 'its levels hold at once for the ranks of independent questions'

    def __post_init__(self):
        ...

    def behind(self, cal, alpha):
        """(One question of each document, the same level), of an alpha that the table has."""
        ...

    def innermost(self, cal, alpha):
        """Itself, and what it sees."""
        ...

    def threshold(self, cal, alpha):
        """The score of the smallest rank that covers 1-alpha at once with all others."""
        ...

    def p_values(self, cal, scores, alpha):
        """1 - what the scores below cover at least: above alpha exactly where a score is in `reach` of the threshold."""
        ...

    def band(self, cal, alpha):
        """What the threshold covers at least."""
        ...

    def needed(self, alpha):
        """With fewer questions, or documents, there is surely no threshold: with so many `Pac` has one."""
        ...

    def terms(self, cal, alpha):
        """The threshold at one level, by what was drawn."""
        ...
