# Made by tools/export.py: what editors and type checkers see of this module.
"""The guarantee is an average over calibration sets: draw them and watch

Docs: https://conflare-nb.github.io/conflare_nb/show/lottery.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass
import numpy as np
import traitlets as T
from fastcore.basics import patch
from ..conformal.clusters import Band
from ..conformal.threshold import as_scores, beta_band, conformal_rank, covered, empirical_band, min_calibration_size
from ..saving import finite_or_none
from ..words import plural
from .page import PageWidget, View, page_alpha
from .plots import BLUE, axes, hatch, legend_beside
__all__ = ['coverage_lottery', 'CoverageLottery']

@dataclass(frozen=True)
class LotteryView(View):
    """Coverage of many calibration sets, and the law it follows.

n: questions in a calibration set
alpha: miscoverage level
seed: of the draws
scores: of everybody, ascending; None = an endless crowd, uniform on 0 to 1
coverage: (draws,) of the threshold of each set
k: rank of the threshold; above `n`: there is none, everything is retrieved
mean: mean of the coverage by the law, k/(n+1); 1 without a threshold
low: lower end of the 90% band
high: upper end; 1 if scores tie
tied: whether scores tie where the threshold may fall: the law is a lower bound"""
    n: int
    alpha: float
    seed: int
    scores: np.ndarray | None
    coverage: np.ndarray
    k: int
    mean: float
    low: float
    high: float
    tied: bool = ...
    drawn_by = 'lottery'

    @property
    def held(self) -> np.ndarray:
        """Which draws fell into the band."""
        ...

    @property
    def inside(self) -> int:
        """How many draws fell into the band."""
        ...

    def __str__(self):
        ...

    def page(self) -> dict:
        """What the browser draws again: the settings, and all scores, None = infinite."""
        ...

    def plot(self, ax=None):
        """Histogram of the coverage of at least one draw: the band, the mean, and what was asked for."""
        ...

def coverage_lottery(n: int=50, alpha: float=0.1, draws: int=100, scores: list | np.ndarray | None=None, seed: int=0) -> LotteryView:
    """Coverage of many calibration sets, with its law (Vovk 2012); a lower bound if scores tie.

n: questions in a calibration set, 1 to 1000; fewer than `scores`
alpha: miscoverage level, 0 < alpha < 1
draws: calibration sets to draw, 0 to 2000
scores: of everybody, `inf` = nothing answers; default: endless
seed: of the draws, >= 0"""
    ...

class CoverageLottery(PageWidget):
    """Widget to draw calibration sets, one, ten or a hundred at a time, and see how coverage varies."""
    drawn_by = 'lottery'
    n: Any
    alpha: Any
    draws: Any
    seed: Any
    scores: Any

    def __init__(self, scores: list | np.ndarray | None=None, n: int=50, alpha: float=0.1, draws: int=0, seed: int=0):
        """scores: of everybody, as in a `Calibration`; default: endless
n: questions in a calibration set, to begin with
alpha: miscoverage level, to begin with, 0 < alpha < 1
draws: calibration sets drawn at first
seed: of the draws"""
        ...

    @property
    def shown(self) -> LotteryView:
        """What the widget shows now, drawn again: the same numbers."""
        ...
