# Made by tools/export.py: what editors and type checkers see of this module.
"""How many questions a wish for coverage takes, before the first of them is labelled

Docs: https://conflare-nb.github.io/conflare_nb/show/planner.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass
import numpy as np
import traitlets as T
from fastcore.basics import patch
from ..evidence.planning import PLANNED, PlanRow, PlanWish, plan_row
from ..conformal.threshold import beta_band, calibration_size, min_calibration_size
from .page import PageWidget, View, page_alpha
from .plots import BLUE, RED, axes, legend_beside
__all__ = ['sample_plan', 'SamplePlanner']

@dataclass(frozen=True)
class PlanView(View):
    """Number of calibration questions that a required coverage takes.

alpha: miscoverage level
eps: shortfall of coverage one can live with
delta: probability that coverage misses the wish
two_sided: whether too much coverage misses it too
guarantee: what else is planned for: one of `PLANNED`
share: of the rarest kind, with "groups"; left by "weights"
n: questions needed: every number from here on will do
first: the smallest number that will do
finite: with fewer there is no finite threshold
low: `n` questions cover less with probability delta (or delta/2, two-sided)
high: and more as rarely"""
    alpha: float
    eps: float
    delta: float
    two_sided: bool
    guarantee: str
    share: float
    n: int
    first: int
    finite: int
    low: float
    high: float
    drawn_by = 'planner'

    @property
    def row(self) -> PlanRow:
        """What the chosen guarantee takes, with the same wish."""
        ...

    def __str__(self):
        ...

    def page(self) -> dict:
        """What the browser plans again."""
        ...

    def plot(self, ax=None):
        """Where coverage falls against n, with the wish, the n it takes, and the n that are too few."""
        ...

def sample_plan(alpha: float=0.1, eps: float=0.05, delta: float=0.1, two_sided: bool=False, *, guarantee: str='threshold', share: float=0.1) -> PlanView:
    """Number of calibration questions for a required coverage: see `calibration_size`.

alpha: miscoverage level, .001 to .999
eps: shortfall of coverage you can live with, .005 to .5
delta: probability that coverage misses the wish, 0 < delta < .5
two_sided: whether coverage may not be more than `eps` above 1-alpha either
guarantee: what to plan for: one of `PLANNED`
share: of the rarest kind, with "groups"; left by "weights"; 0 < share < 1"""
    ...

class SamplePlanner(PageWidget):
    """Widget to plan the calibration set: how many questions each guarantee takes."""
    drawn_by = 'planner'
    alpha: Any
    eps: Any
    delta: Any
    two_sided: Any
    guarantee: Any
    share: Any

    def __init__(self, **wish):
        """wish: where the controls are at first: `alpha`, `eps` and the others of `sample_plan`"""
        ...

    @property
    def shown(self) -> PlanView:
        """What the widget shows now."""
        ...
