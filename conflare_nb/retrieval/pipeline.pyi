# Made by tools/export.py: what editors and type checkers see of this module.
"""Anybody's retriever under the same guarantee: calibrate its scores, keep what belongs

Docs: https://conflare-nb.github.io/conflare_nb/retrieval/pipeline.html.md"""
from typing import Any, ClassVar, overload
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from numbers import Real
import json
import math
import warnings
import numpy as np
from fastcore.basics import patch
from ..saving import as_json, refuse_differences
from .calibration import Calibration, calibration_made
from ..labels.judges import ContainsJudge, Judge
from ..labels.labeling import Label, not_found, nothing_known, what_is_asked
from ..conformal.guarantee import Guarantee, Marginal
from ..conformal.threshold import Alpha
from ..documents.cutting import Chunk
from ..documents.score import Score
from ..documents.stored import stored_score
from ..words import progress_bar
__all__ = ['PipelineScore', 'pipeline_costs', 'PipelineCalibration', 'calibrate_pipeline']

@dataclass(frozen=True)
class PipelineScore(Score):
    """What somebody's own function says of a chunk.

higher_is_better: whether it is a similarity"""
    higher_is_better: bool = ...
    unit = 'row'
    label = 'score of the pipeline'
    everything = 'everything that it returns'

    @overload
    def turned(self, scores: float) -> float:
        """From the pipeline's own scale to lower = better, and back.

scores: as the pipeline gives them, or as they are kept"""
        ...

    @overload
    def turned(self, scores: float | np.ndarray) -> np.ndarray:
        """From the pipeline's own scale to lower = better, and back.

scores: as the pipeline gives them, or as they are kept"""
        ...

    def formula(self, question, rows):
        """Nothing here can score for a pipeline."""
        ...

def pipeline_costs(results: list, higher_is_better: bool=False) -> np.ndarray:
    """The scores of a pipeline's list, checked; similarities as their negatives.

results: rows (id, text, score, ...) that a pipeline returned, best first
higher_is_better: whether its scores are similarities"""
    ...

@dataclass(frozen=True, repr=False)
class PipelineCalibration(Calibration):
    """Calibration scores of somebody's own retriever, kept so that lower = better.

score: which direction its scores have"""
    score: PipelineScore = ...
    min_score: ClassVar[Any]
    unit = 'row'
    again = 'calibrate(kb, questions), or filter what the pipeline returns'
    schema = 'conflare_nb.pipeline/3'
    called = 'calibration of a pipeline'
    score_named: ClassVar[Any]

    @property
    def made_of(self) -> str:
        """Whose scores these are, and which way they go."""
        ...

    def shown(self, threshold: float) -> str:
        """A threshold on the pipeline's own scale."""
        ...

    def cutoff(self, alpha: float, guarantee: Guarantee=...) -> float:
        """The last score that belongs.

alpha: miscoverage level, 0 < alpha < 1
guarantee: that the threshold is for"""
        ...

    @overload
    def p_value(self, score: float) -> float:
        """Conformal p-value p of a row with this score: it belongs at every alpha below p, or p/c by `Movable`.

score: of one row, or of several, as the pipeline gives it"""
        ...

    @overload
    def p_value(self, score: float | np.ndarray) -> np.ndarray:
        """Conformal p-value p of a row with this score: it belongs at every alpha below p, or p/c by `Movable`.

score: of one row, or of several, as the pipeline gives it"""
        ...

    def filter(self, results: list, alpha: float, guarantee: Guarantee=...) -> list:
        """Keep every row within the threshold, the boundary and its ties included.

results: (id, text, score, ...) of every row that the pipeline returned, best first
alpha: miscoverage level, 0 < alpha < 1; smaller = more rows; choose it first
guarantee: that the threshold is for"""
        ...

    def check_pipeline(self, name: str, settings: dict | None=None):
        """Raise ValueError, naming what differs, unless it was measured on this very pipeline.

name: of the pipeline at hand
settings: what its lists depend on"""
        ...

def calibrate_pipeline(retrieve: Callable, questions: list, answers=None, higher_is_better: bool=False, name: str='pipeline', settings: dict | None=None, alpha: float=0.1, progress: bool=True, unanswerable: str='exclude') -> PipelineCalibration:
    """Measure the nonconformity score of every calibration question on a retriever of your own.

retrieve: question text -> list of (id, text, score, ...), best first
questions: `Question`s like those that will be asked
answers: {question id: ids that answer} or a `Judge`; default: gold
higher_is_better: whether the scores are similarities
name: of the pipeline
settings: what its lists depend on: model, index, k, document version
alpha: level you mean to use: a warning says if it has no threshold
progress: a progress bar
unanswerable: what to do with these: "exclude", or "include" as infinite"""
    ...
