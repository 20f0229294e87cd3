# Made by tools/export.py: what editors and type checkers see of this module.
"""What alpha, and its split between retrieval and answers, does to sets of answers

Docs: https://conflare-nb.github.io/conflare_nb/show/sets.html.md"""
from typing import Any, ClassVar, overload
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
import numpy as np
import traitlets as T
from fastcore.basics import patch
from fastcore.xml import P, Safe
from ..traq.sameness import rouge_match, rouge_same, wording
from ..traq.sets import AnswerSet, TraqCalibration, answer_set, asked_pool, meanings, refuse_both, right_clusters, samples_a_passage
from ..traq.alpha_split import SampleTable, measures
from ..conformal.threshold import conformal_rank, p_values
from ..conformal.two_steps import Rule
from .page import PageWidget, View, as_html, page_alpha, plain_number, plain_numbers
from .plots import BLUE, RED, axes, legend_beside
__all__ = ['answer_set_view', 'AnswerSetExplorer']
_SHOWN = ('bounded', 'rouge', 'requests', 'unbounded')

@dataclass(frozen=True)
class AnswerSetView(View):
    """Some questions and their answers at any alpha up to one half, however it is split.

questions: `SampledQuestion`s, with answers sampled for every passage of their pools
cal: made of other questions
same: same(a, b) -> bool, merges answers of different passages
match: match(answer, reference) -> bool, marks right answers
texts: what to show of a passage beside its id
tested: how many test questions; 0 = none
sums: for each m_ret {count: what the measures add up to over them}"""
    questions: tuple
    cal: TraqCalibration
    same: Callable
    match: Callable
    texts: dict
    tested: int
    sums: list
    drawn_by = 'sets'
    start: ClassVar[Any]

    def check(self, question, alpha, share):
        """The rule of one alpha and one split; ValueError if they are not to be seen here."""
        ...

    def at(self, question, alpha, share):
        """What the sliders show: rule, ranks, tau, count, found, expected (None = no test)."""
        ...

    def misses(self, question, alpha, share):
        """Whether a set that is not everything holds no right answer; of one that is not known, whether it is empty."""
        ...

    def state(self):
        """The view as plain numbers and texts, JSON-able."""
        ...

    def table(self, question=0, alpha=0.2, share=0.5):
        """The set at one split of one alpha, as HTML."""
        ...

    def plot(self, question=0, alpha=0.2, share=0.5, ax=None):
        """Both thresholds among the calibration questions, and a question's clusters of answers."""
        ...

def answer_set_view(questions: list, cal: TraqCalibration, table: SampleTable | None=None, *, same: Callable=..., match: Callable=..., texts: dict | None=None) -> AnswerSetView:
    """Check that questions, calibration and test table fit, and compute what every split costs.

questions: `SampledQuestion`s, all passages asked about; not those that calibrated
cal: calibration, under the same settings
table: test questions; default: no expected sizes
same: same(a, b) -> bool, merges answers of different passages
match: match(answer, reference) -> bool, marks right answers
texts: {passage id: text to show beside it}"""
    ...

class AnswerSetExplorer(PageWidget):
    """Widget to slide alpha, and its split between retrieval and answers, and watch the set of answers."""
    drawn_by = 'sets'
    alpha: Any
    question: Any
    share: Any
    view: Any
    shown: Any

    def __init__(self, questions: list, cal: TraqCalibration, table: SampleTable | None=None, alpha: float=0.2, share: float=0.5, **options):
        """questions: `SampledQuestion`s that did not calibrate, all passages asked about
cal: calibration, under the same settings
table: test questions, for expected size and coverage; default: none
alpha: where its slider is at first, 0 < alpha <= .5
share: and its split, 0 to 1
options: `same`, `match` and `texts`: see `answer_set_view`"""
        ...

    def __repr__(self):
        ...

    @property
    def found(self) -> AnswerSet:
        """The set of answers that is shown now, with everything that was said."""
        ...
