# Made by tools/export.py: what editors and type checkers see of this module.
"""Weighted thresholds and p-values for users who ask other questions than the calibration set

Docs: https://conflare-nb.github.io/conflare_nb/conformal/shift.html.md"""
from typing import Any, ClassVar, overload
from collections.abc import Callable
import numpy as np
from .threshold import as_scores, check_paired, exact_parts, number_or_array
__all__ = ['weighted_quantile', 'weighted_p_values', 'effective_size', 'estimate_ratio']

def as_weights(weights):
    """The weights as floats; negative, infinite and missing ones are refused."""
    ...

def massed(scores, parts):
    """(ascending scores, the mass below the first and up to each), of scores with whole masses."""
    ...

def mass_quantile(ordered, reached, whole, alpha):
    """The smallest score with a share 1-alpha of the whole mass up to it; `inf` = none has."""
    ...

def mass_p_values(ordered, reached, whole, scores):
    """The share of the whole mass at each score or beyond."""
    ...

@overload
def weighted_quantile(cal_scores: list | np.ndarray, weights: list | np.ndarray, alpha: float, weight: float=1.0) -> float:
    """The threshold for a new question of this weight (Tibshirani, Barber, Candès & Ramdas 2019).

cal_scores: (n,) scores, higher = stranger; `inf` = nothing answers
weights: (n,) their likelihood ratios, >= 0
alpha: miscoverage level, 0 < alpha < 1
weight: ratio(s) of the new question(s), in the unit of `weights`"""
    ...

@overload
def weighted_quantile(cal_scores: list | np.ndarray, weights: list | np.ndarray, alpha: float, weight: float | np.ndarray=1.0) -> np.ndarray:
    """The threshold for a new question of this weight (Tibshirani, Barber, Candès & Ramdas 2019).

cal_scores: (n,) scores, higher = stranger; `inf` = nothing answers
weights: (n,) their likelihood ratios, >= 0
alpha: miscoverage level, 0 < alpha < 1
weight: ratio(s) of the new question(s), in the unit of `weights`"""
    ...

@overload
def weighted_p_values(new_scores: float, cal_scores: list | np.ndarray, weights: list | np.ndarray, weight: float=1.0) -> float:
    """The share of the weight at a score or beyond (Tibshirani et al. 2019); above alpha if <= qhat.

new_scores: score(s) to judge, of chunks of one question; any shape
cal_scores: (n,) calibration scores
weights: (n,) their likelihood ratios, >= 0
weight: ratio of the question, in the unit of `weights`"""
    ...

@overload
def weighted_p_values(new_scores: float | np.ndarray, cal_scores: list | np.ndarray, weights: list | np.ndarray, weight: float=1.0) -> np.ndarray:
    """The share of the weight at a score or beyond (Tibshirani et al. 2019); above alpha if <= qhat.

new_scores: score(s) to judge, of chunks of one question; any shape
cal_scores: (n,) calibration scores
weights: (n,) their likelihood ratios, >= 0
weight: ratio of the question, in the unit of `weights`"""
    ...

def effective_size(weights: list | np.ndarray) -> float:
    """As many equally weighted questions have the same variance: (sum w)^2/sum w^2 (Kish 1965).

weights: (n,) likelihood ratios, >= 0"""
    ...

def estimate_ratio(old: np.ndarray, new: np.ndarray, ridge: float=1.0) -> Callable:
    """Estimate the likelihood ratio by logistic regression: approximate, and never exact.

old: (n, d) vectors of calibration questions
new: (m, d) vectors of questions as they are asked now; no answers are needed
ridge: > 0; larger = weights nearer to each other"""
    ...
