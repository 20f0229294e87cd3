# Made by tools/export.py: what editors and type checkers see of this module.
"""Two steps may each miss: spend one alpha on both

Docs: https://conflare-nb.github.io/conflare_nb/conformal/two_steps.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass
import numpy as np
from .threshold import Alpha, conformal_rank, min_calibration_size, pac_rank
__all__ = ['Rule']

def rank_splits(n, alpha):
    """Every way to share the ranks that alpha gives away: rows of (m_ret, m_qa)."""
    ...

def rank_levels(n, alpha, share=0.5):
    """(a_ret, a_qa), multiples of 1/(n+1); each step gets a rank, unless `share` is 0 or 1."""
    ...

def bonferroni_levels(alpha, share=0.5):
    """(a_ret, a_qa) as decimals; each step then rounds to ranks by itself."""
    ...

def rank_threshold(scores, level):
    """tau with score <= tau iff p > level; `inf` = no threshold."""
    ...
METHODS = ('ranks', 'bonferroni', 'pac')

@dataclass(frozen=True)
class Rule:
    """Which pairs of a passage's and an answer's p-value stay in the set.

method: "ranks", "bonferroni" or "pac"
n: size of the calibration set
alpha: miscoverage level, 0 < alpha < 1
share: part of alpha for retrieval
delta: with "pac": probability that the calibration set misleads"""
    method: str
    n: int
    alpha: float
    share: float = ...
    delta: float = ...

    def __post_init__(self):
        ...

    @property
    def levels(self) -> tuple:
        """(a_ret, a_qa) of the two steps; with pac 0 where questions are too few."""
        ...

    @overload
    def __call__(self, p_ret: float, p_qa: float) -> bool:
        """Which pairs stay.

p_ret: p-value(s) of the passages
p_qa: p-value(s) of the answers, broadcast against `p_ret`"""
        ...

    @overload
    def __call__(self, p_ret: float | np.ndarray, p_qa: float | np.ndarray) -> np.ndarray:
        """Which pairs stay.

p_ret: p-value(s) of the passages
p_qa: p-value(s) of the answers, broadcast against `p_ret`"""
        ...

def combined_p(rule, p_ret, p_qa):
    """Both p-values as one in (0, 1]: the pair stays iff it is above the sum of the levels."""
    ...

def too_few(rule):
    """Why a level of a rule is 0, as a clause."""
    ...
