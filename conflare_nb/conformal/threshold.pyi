# Made by tools/export.py: what editors and type checkers see of this module.
"""From calibration scores to a threshold with a guarantee: rank, quantile, p-value, coverage

Docs: https://conflare-nb.github.io/conflare_nb/conformal/threshold.html.md"""
from typing import Any, ClassVar, overload
from fractions import Fraction
import numpy as np
__all__ = ['Alpha', 'conformal_rank', 'min_calibration_size', 'pac_rank', 'conformal_quantile', 'covered', 'p_values', 'beta_band', 'empirical_band', 'calibration_size', 'checked_counts', 'clopper_pearson_upper']
BILLION: Any

class Alpha(float):
    """Miscoverage level that keeps the fraction you meant (`exact`): 1/3 is more than .333333333."""

    def __new__(cls, alpha: float | Fraction | str):
        """alpha: 0 < alpha < 1; "1/3" or a `Fraction` is exact"""
        ...

def exact_parts(alpha):
    """(numerators, denominators) of `alpha`, one level or several, as whole numbers."""
    ...

def number_or_array(x):
    """A plain number where there is only one, an array otherwise."""
    ...

@overload
def conformal_rank(n: int, alpha: float | str) -> int:
    """Rank k of the threshold among n scores: ceil((n+1)(1-alpha)), exactly (Vovk et al. 2005).

n: size of the calibration set, >= 0
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact"""
    ...

@overload
def conformal_rank(n: int | np.ndarray, alpha: float | str | np.ndarray) -> np.ndarray:
    """Rank k of the threshold among n scores: ceil((n+1)(1-alpha)), exactly (Vovk et al. 2005).

n: size of the calibration set, >= 0
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact"""
    ...

@overload
def min_calibration_size(alpha: float | str) -> int:
    """The smallest calibration set whose threshold is finite at `alpha`.

alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact"""
    ...

@overload
def min_calibration_size(alpha: float | str | np.ndarray) -> np.ndarray:
    """The smallest calibration set whose threshold is finite at `alpha`.

alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact"""
    ...

def as_scores(scores):
    """The scores as floats; NaN is refused because it has no place in an order."""
    ...

def check_paired(scores, others, what):
    """Raise ValueError unless every score has something, such as its weight."""
    ...

def check_probability(name, p):
    """Raise ValueError unless `p` lies strictly between 0 and 1."""
    ...

@overload
def pac_rank(n: int, alpha: float | str, delta: float=0.1) -> int:
    """The smallest rank that covers 1-alpha with probability 1-delta (Vovk 2012).

n: size of the calibration set
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact
delta: probability that the set misleads, in (0, 1); smaller = larger rank"""
    ...

@overload
def pac_rank(n: int, alpha: float | str | np.ndarray, delta: float=0.1) -> np.ndarray:
    """The smallest rank that covers 1-alpha with probability 1-delta (Vovk 2012).

n: size of the calibration set
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact
delta: probability that the set misleads, in (0, 1); smaller = larger rank"""
    ...

@overload
def conformal_quantile(scores: list | np.ndarray, alpha: float | str, method: str='exact', delta: float=0.1) -> float:
    """Conformal quantile: the `conformal_rank`-th smallest score, or `inf` (arXiv 2107.07511).

scores: calibration scores, higher = stranger; `inf` = nothing answers
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact
method: "exact", or "pac": holds for this very set with probability 1-delta
delta: with "pac": probability that a calibration set misleads"""
    ...

@overload
def conformal_quantile(scores: list | np.ndarray, alpha: float | str | np.ndarray, method: str='exact', delta: float=0.1) -> np.ndarray:
    """Conformal quantile: the `conformal_rank`-th smallest score, or `inf` (arXiv 2107.07511).

scores: calibration scores, higher = stranger; `inf` = nothing answers
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact
method: "exact", or "pac": holds for this very set with probability 1-delta
delta: with "pac": probability that a calibration set misleads"""
    ...

@overload
def covered(scores: float, qhat: float) -> bool:
    """Whether an answer is retrieved, or everything is: `scores <= qhat` (Vovk et al. 2005).

scores: of the first chunk that answers each; `inf` = none in reach
qhat: threshold(s), in score units; `inf` = everything is retrieved"""
    ...

@overload
def covered(scores: float | list | np.ndarray, qhat: float | np.ndarray) -> np.ndarray:
    """Whether an answer is retrieved, or everything is: `scores <= qhat` (Vovk et al. 2005).

scores: of the first chunk that answers each; `inf` = none in reach
qhat: threshold(s), in score units; `inf` = everything is retrieved"""
    ...

@overload
def p_values(scores: float, cal_scores: list | np.ndarray) -> float:
    """Conformal p-values (1 + #{cal_scores >= score})/(n+1): above `alpha` iff `score <= qhat`.

scores: score(s) to judge, any shape
cal_scores: calibration scores"""
    ...

@overload
def p_values(scores: float | np.ndarray, cal_scores: list | np.ndarray) -> np.ndarray:
    """Conformal p-values (1 + #{cal_scores >= score})/(n+1): above `alpha` iff `score <= qhat`.

scores: score(s) to judge, any shape
cal_scores: calibration scores"""
    ...

def beta_band(n: int, alpha: float | str | np.ndarray, level: float=0.9) -> tuple:
    """Band of the coverage of one threshold: Beta(k, n+1-k) for continuous scores (Vovk 2012).

n: size of the calibration set
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact
level: mass between the two ends, 0 < level < 1"""
    ...

def empirical_band(n: int, alpha: float | str | np.ndarray, m: int, level: float=0.9) -> tuple:
    """Band of the empirical coverage on `m` test questions: BetaBinomial(m, k, n+1-k)/m.

n: size of the calibration set
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact
m: size of the test set, > 0
level: mass between the two ends (at least), 0 < level < 1"""
    ...

def tied_rank(scores, alpha):
    """(number of scores within the threshold: k, or more with ties; whether any tie with it)."""
    ...

def size_from_on(holds, start):
    """The smallest size from which on `holds(sizes)` is true: in blocks, until one never fails."""
    ...

def calibration_size(alpha: float, eps: float=0.05, delta: float=0.1, two_sided: bool=False, lasting: bool=False) -> int:
    """The smallest n with a finite threshold and P(coverage >= 1-alpha-eps) >= 1-delta (Beta law).

alpha: miscoverage level, 0 < alpha < 1
eps: shortfall of coverage you can live with, > 0; smaller = more questions
delta: probability that the shortfall is larger, 0 < delta < 1
two_sided: ask for coverage within eps on both sides, delta/2 for each
lasting: ask for an n after which every larger n does as well"""
    ...

def checked_counts(x, m):
    """Both as arrays; ValueError unless they can be how many were found among how many."""
    ...

@overload
def clopper_pearson_upper(x: int, m: int, delta: float=0.05) -> float:
    """At most this share, with probability 1-delta (Clopper & Pearson 1934, one-sided).

x: how many were found, 0 <= x <= m
m: among how many, >= 1
delta: probability that the bound misleads, 0 < delta < 1; smaller = larger bound"""
    ...

@overload
def clopper_pearson_upper(x: int | np.ndarray, m: int | np.ndarray, delta: float=0.05) -> np.ndarray:
    """At most this share, with probability 1-delta (Clopper & Pearson 1934, one-sided).

x: how many were found, 0 <= x <= m
m: among how many, >= 1
delta: probability that the bound misleads, 0 < delta < 1; smaller = larger bound"""
    ...
