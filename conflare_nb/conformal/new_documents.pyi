# Made by tools/export.py: what editors and type checkers see of this module.
"""A threshold for questions about new documents: every document counts the same, old or new

Docs: https://conflare-nb.github.io/conflare_nb/conformal/new_documents.html.md"""
from typing import Any, ClassVar, overload
import math
import numpy as np
from .clusters import student_factor
from .shift import mass_p_values, mass_quantile, massed
from .threshold import as_scores, check_paired
__all__ = ['new_document_threshold']

@overload
def new_document_threshold(scores: list | np.ndarray, documents: list | np.ndarray, alpha: float) -> float:
    """P(covered, or everything) >= 1-alpha for new documents (Lee, Barber & Willett 2023).

scores: (n,) calibration scores, higher = stranger; `inf` = nothing answers
documents: (n,) what each question is about; '' is refused
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact"""
    ...

@overload
def new_document_threshold(scores: list | np.ndarray, documents: list | np.ndarray, alpha: float | np.ndarray) -> np.ndarray:
    """P(covered, or everything) >= 1-alpha for new documents (Lee, Barber & Willett 2023).

scores: (n,) calibration scores, higher = stranger; `inf` = nothing answers
documents: (n,) what each question is about; '' is refused
alpha: miscoverage level(s), 0 < alpha < 1; "1/3" is exact"""
    ...

def new_document_p_values(scores, cal_scores, documents):
    """Above `alpha` just when `score <= new_document_threshold` at it."""
    ...

def new_document_band(scores, documents, alpha):
    """(lowest coverage on new documents, 1.), by an approximate Beta law; (1., 1.): no `qhat`."""
    ...
