# Made by tools/export.py: what editors and type checkers see of this module.
"""Watch a calibrated retriever in use: live questions, a martingale, an alarm, daily coverage

Docs: https://conflare-nb.github.io/conflare_nb/evidence/monitor.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass, replace
from datetime import date
from itertools import count
import re
import numpy as np
from fastcore.basics import patch
from ..retrieval.calibration import Answerer, Calibration
from ..labels.labeling import label_questions
from ..conformal.betting import BET_DELTA
from ..conformal.clusters import empirical_cluster_band
from ..conformal.drift import alarm_level, bunched_martingale, document_p_values, first_alarm, online_p_values
from ..conformal.threshold import Alpha, covered
from ..documents.store import KnowledgeBase, Rows, sql_text
from ..saving import digest, finite_or_none, storable_text
from ..words import progress_bar, utc_now
__all__ = ['MonitorState', 'monitor_text', 'daily_coverage', 'DriftMonitor']

def monitor_rows(kb) -> Rows:
    """What monitors saw, in a knowledge base's folder: a row for each live question or new start."""
    ...

@dataclass(frozen=True, eq=False)
class MonitorState:
    """Everything that a monitor shows.

scores: (T,) of the live questions, in the order in which they came
days: (T,) the day of each, as ISO dates
bunches: (T,) its document, or where that is not known its text
p_values: (2 or 3, T) question by question, and by document; smaller = stranger
martingale: (T,) log10 of the poorer bettor's money since the last start before it
starts: after how many questions the stake was set to 1; the first is 0
apart: live questions set apart: nothing in the knowledge base answers them
unknown: live questions whose document is not known
calibrating: scores of the calibration, and the bunch of each
qhat: threshold in use
alpha: its level, 0 < alpha < 1
delta: probability that one start ever ends in a false alarm, 0 < delta < 1"""
    scores: np.ndarray
    days: tuple
    bunches: tuple
    p_values: np.ndarray
    martingale: np.ndarray
    starts: tuple
    apart: int
    unknown: int
    calibrating: tuple
    qhat: float
    alpha: float
    delta: float

    def __len__(self):
        ...

    @property
    def n(self) -> int:
        """The number of calibration questions."""
        ...

    @property
    def alarm(self) -> int | None:
        """After how many live questions the latest start ended in an alarm; None = it did not."""
        ...

def monitor_state(cal, rows, alpha=0.1, delta=..., seed=0) -> MonitorState:
    """What the rows of one monitor say; each question has one row."""
    ...

def monitor_text(state) -> str:
    """Whether the live questions are like the calibration's, as far as one can tell."""
    ...

def daily_coverage(state: MonitorState):
    """The live questions of each day: how many were covered, and what was to be expected.

state: of a monitor"""
    ...

class DriftMonitor(Answerer):
    """Drift monitor: an alarm if live questions stop being like the calibration questions."""
    kb: KnowledgeBase
    cal: Calibration
    delta: float
    alpha: float
    seed: int
    judge: Any
    depth: int | None
    name: Any

    def __init__(self, kb: KnowledgeBase, cal: Calibration, delta: float=..., alpha: float=0.1, judge=None, depth: int | None=None, seed: int=0):
        """kb: `KnowledgeBase`, which keeps the rows
cal: measured on it: another is refused
delta: probability of ever raising a false alarm, 0 < delta < 1
alpha: level in use, for the daily coverage, 0 < alpha < 1
judge: `Judge` that labelled when calibrating; default: the known answers
depth: chunks examined for each then; default: as `calibrate` has it
seed: of the draws: for ties, and of a calibration question for each document"""
        ...

    def rows(self) -> list:
        """Rows of what this monitor has seen."""
        ...

    @property
    def state(self) -> MonitorState:
        """Everything that it shows, computed from the rows."""
        ...

    @property
    def alarm(self) -> int | None:
        """Number of the live question that set off the alarm since the latest start, or None."""
        ...

    @property
    def martingale(self) -> np.ndarray:
        """Test martingale after each live question: the smaller capital of its two bettors."""
        ...

    def restart(self, why: str):
        """Set the martingale back to 1, and write down why.

why: for whoever reads the rows; not empty"""
        ...

    def __repr__(self):
        """What the rows say; once documents have changed, first that nothing more can be added."""
        ...

    def add(self, questions: list, day: str | date | None=None, progress: bool=True, batch: int=20) -> int:
        """Score live questions with the calibration's score, and write them down.

questions: `Question`s as they came, labelled like the calibration's
day: when they were asked; default: today (UTC)
progress: show a progress bar
batch: scored and written together"""
        ...

    def plot(self):
        """The martingale with the line of the alarm; below, the coverage of each day beside the promise."""
        ...
_RED = '#EE6677'
_BLUE = '#4477AA'
