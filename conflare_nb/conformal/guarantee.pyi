# Made by tools/export.py: what editors and type checkers see of this module.
"""What a threshold promises, as a value: for questions, documents, a group, audited labels, a gate

Docs: https://conflare-nb.github.io/conflare_nb/conformal/guarantee.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass, replace
import numpy as np
from .abstain import gated_scores
from .clusters import Band, cluster_band, threshold_effect
from .groups import group_members, threshold_group
from .new_documents import new_document_band, new_document_p_values, new_document_threshold
from .risk import step_threshold
from .threshold import Alpha, conformal_quantile, conformal_rank
from .threshold import min_calibration_size, p_values, pac_rank, tied_rank
from ..errors import Refused
from ..words import check_type
__all__ = ['Terms', 'Guarantee', 'reach', 'check_guarantee', 'Marginal', 'Pac', 'ByDocument', 'MeanRisk', 'Unproved', 'Around', 'OfGroup', 'Gated', 'Audited', 'Withheld']

@dataclass(frozen=True)
class Terms:
    """A threshold at one level, and all that it stands on.

alpha: miscoverage level that was asked for, 0 < alpha < 1
qhat: the threshold; `inf` = there is none
n: how many questions are counted, or documents
left: of alpha, after an audit; 0 = nothing
counts: or "document": what is counted
questions: how many questions calibrate
lost: how many of these have an infinite score
kind: "share" of the questions, "mean" of a loss, "moved", or with 1-delta "pac" and "table"
delta: "pac", "table": probability that a calibration set misleads
band: where the coverage of one calibration set falls; None = no threshold
group: `OfGroup` whose threshold it is; None = everybody's
audit: `Audit` that alpha was lowered by
gate: `Gate` that may close before
moved: `Movable` or `Stops` among whose levels alpha may be moved; None = it is fixed
c: "moved": what alpha is multiplied by
k: rank of the threshold, where it is not the usual one; 0 = it is
withheld: why nothing is promised all the same, in words"""
    alpha: Alpha
    qhat: float
    n: int
    left: float
    counts: str = ...
    questions: int = ...
    lost: int = ...
    kind: str = ...
    delta: float = ...
    band: Band | None = ...
    group: object = ...
    audit: object = ...
    gate: object = ...
    moved: object = ...
    c: float = ...
    k: int = ...
    withheld: tuple = ...

    @property
    def rank(self) -> int:
        """The threshold's place among the n that are counted."""
        ...

class Guarantee:
    """What a threshold promises of a calibration, or of whatever else has `scores`; equal by its settings."""
    counts = 'question'
    plain = False
    alone = ''

    def check(self, cal):
        """Raise ValueError where a calibration has not what this looks at.

cal: `Calibration`, or whatever has scores"""
        ...

    def behind(self, cal, alpha: float) -> tuple:
        """What the threshold is made of, and at which level; 0 = nothing is left.

cal: `Calibration`, or whatever has scores
alpha: miscoverage level, 0 < alpha < 1"""
        ...

    @overload
    def threshold(self, cal, alpha: float) -> float:
        """The threshold that keeps the promise.

cal: `Calibration`, or whatever has scores
alpha: miscoverage level(s), 0 < alpha < 1"""
        ...

    @overload
    def threshold(self, cal, alpha: float | np.ndarray) -> np.ndarray:
        """The threshold that keeps the promise.

cal: `Calibration`, or whatever has scores
alpha: miscoverage level(s), 0 < alpha < 1"""
        ...

    @overload
    def p_values(self, cal, scores: float, alpha: float) -> float:
        """Above what is left of `alpha` exactly where a score is within `reach` of it; see `Pac` and `Movable`.

cal: `Calibration`, or whatever has scores
scores: of chunks
alpha: miscoverage level, 0 < alpha < 1, which a gate and an audit look at"""
        ...

    @overload
    def p_values(self, cal, scores: float | np.ndarray, alpha: float) -> np.ndarray:
        """Above what is left of `alpha` exactly where a score is within `reach` of it; see `Pac` and `Movable`.

cal: `Calibration`, or whatever has scores
scores: of chunks
alpha: miscoverage level, 0 < alpha < 1, which a gate and an audit look at"""
        ...

    def band(self, cal, alpha: float) -> Band:
        """Where the coverage of one calibration set falls.

cal: `Calibration`, or whatever has scores
alpha: miscoverage level, 0 < alpha < 1"""
        ...

    def innermost(self, cal, alpha: float) -> tuple:
        """The guarantee within all others, and what it sees.

cal: `Calibration`, or whatever has scores
alpha: miscoverage level, 0 < alpha < 1"""
        ...

    def needed(self, alpha: float) -> int:
        """With how many of these there can be a threshold.

alpha: miscoverage level, 0 < alpha < 1"""
        ...

    def terms(self, cal, alpha: float) -> Terms:
        """The threshold at one level, and all that it stands on.

cal: `Calibration`, or whatever has scores
alpha: miscoverage level, 0 < alpha < 1"""
        ...

def reach(cal, scores):
    """Scores, and so much more as rounding may add: what lies up to a threshold's reach is within it."""
    ...

def check_guarantee(guarantee, cal):
    """Raise TypeError for what is no guarantee, ValueError where a calibration has not what it looks at."""
    ...

@dataclass(frozen=True)
class Marginal(Guarantee):
    """P(covered, or everything) >= 1-alpha for the next question (Vovk et al. 2005)."""
    plain = True

    def threshold(self, cal, alpha):
        """`conformal_quantile` of the scores, at one level or several."""
        ...

    def p_values(self, cal, scores, alpha=None):
        """Above `alpha` exactly where a score is within `reach` of the threshold."""
        ...

    def band(self, cal, alpha):
        """`cluster_band`; both ends are 1 without a threshold, NaN where there are too few documents."""
        ...

@dataclass(frozen=True)
class Pac(Marginal):
    """P(coverage >= 1-alpha) >= 1-delta over calibration sets of independent questions (Vovk 2012).

delta: probability that a calibration set misleads, 0 < delta < 1; smaller = larger rank"""
    delta: float = ...
    plain = False

    def threshold(self, cal, alpha):
        """`conformal_quantile` by `pac_rank`."""
        ...

    def terms(self, cal, alpha):
        """The threshold at one level; its probability stands in place of a band."""
        ...

@dataclass(frozen=True)
class ByDocument(Guarantee):
    """P(covered, or everything) >= 1-alpha for questions about new documents (Lee, Barber & Willett 2023)."""
    counts = 'document'

    def check(self, cal):
        """Raise ValueError where the document of some question is not known."""
        ...

    def threshold(self, cal, alpha):
        """`new_document_threshold`, at one level or several."""
        ...

    def p_values(self, cal, scores, alpha=None):
        """Above `alpha` exactly where a score is within `reach` of the threshold."""
        ...

    def band(self, cal, alpha):
        """`new_document_band`; its upper end is never known, NaN where there are too few documents."""
        ...

@dataclass(frozen=True)
class MeanRisk(Guarantee):
    """E[loss] <= alpha over calibration sets and a next question: conformal risk control (arXiv 2208.02814).

loss: by the name that `cal.steps` knows: "any" is 0 or 1, others are shares"""
    loss: str

    def check(self, cal):
        """Raise ValueError for a loss that the calibration does not know."""
        ...

    def threshold(self, cal, alpha):
        """`step_threshold` of the steps in which the loss falls."""
        ...

    def terms(self, cal, alpha):
        """The threshold at one level; a loss has no band."""
        ...

class Unproved(Refused):
    """A combination of guarantees for which there is no theorem."""

class Around(Guarantee):
    """A guarantee that changes what its `inner` one sees, by `behind`."""
    proved = ()
    why = ''

    def __post_init__(self):
        ...

    def check(self, cal):
        """Raise ValueError where a calibration has not what this looks at."""
        ...

    def innermost(self, cal, alpha):
        """That of the inner one, by what it sees."""
        ...

    def threshold(self, cal, alpha):
        """The inner threshold, by what it sees; `inf` where nothing is left of alpha."""
        ...

    def p_values(self, cal, scores, alpha):
        """The inner p-values, by what they see."""
        ...

    def band(self, cal, alpha):
        """The inner band, by what it sees."""
        ...

    def needed(self, alpha):
        """With how many of these there can be a threshold."""
        ...

    def terms(self, cal, alpha):
        """The inner terms, by what they see."""
        ...

@dataclass(frozen=True)
class OfGroup(Around):
    """P(covered, or everything | group) >= 1-alpha, by the group's own questions (Vovk 2005).

group: of a new question, known from the question alone
min_size: groups with fewer questions share a threshold; 0 = none does
inner: for its questions"""
    group: str
    min_size: int = ...
    inner: Guarantee = ...
    proved: ClassVar[Any]
    why = 'a group is some of the questions, before anything else is done with them'

    @property
    def plain(self) -> bool:
        """Whether the inner threshold always is."""
        ...

    def __post_init__(self):
        ...

    def check(self, cal):
        """Raise ValueError without groups."""
        ...

    def behind(self, cal, alpha):
        """(The questions of the group, the same level)."""
        ...

    def terms(self, cal, alpha):
        """The terms of the group; its `min_size` is 0 where it has a threshold of its own."""
        ...

@dataclass(frozen=True)
class Gated(Around):
    """P(covered behind the gate, or everything) >= 1-alpha: the gate takes its part of alpha.

gate: `Gate` that was made from the questions that calibrate
inner: for what it is open for"""
    gate: object
    inner: Guarantee = ...
    proved: ClassVar[Any]
    why = 'a gate takes ranks of the questions of a whole calibration'

    def check(self, cal):
        """Raise ValueError where the gate was made from other questions, or on other documents."""
        ...

    def behind(self, cal, alpha):
        """(The scores with `inf` where the gate closes, the same level)."""
        ...

    def terms(self, cal, alpha):
        """The terms behind the gate; `lost` are those that nothing was found for, with or without it."""
        ...

@dataclass(frozen=True)
class Audited(Around):
    """P(covered, or everything) >= 1-alpha for right labels, unless the audit misled: it takes its part of alpha.

audit: `Audit` of the labels that calibrate
inner: for what is left of alpha"""
    audit: object
    inner: Guarantee = ...
    proved: ClassVar[Any]
    why = 'an audit bounds how often labels are wrong among all questions together, not in one group, and not by document'

    def __post_init__(self):
        ...

    def check(self, cal):
        """Raise ValueError where the audit was drawn from other labels."""
        ...

    def behind(self, cal, alpha):
        """(The same scores, what the audit leaves of alpha)."""
        ...

    def band(self, cal, alpha):
        """The least that is covered, except with probability .05 and that of the audit."""
        ...

    def terms(self, cal, alpha):
        """The terms at what is left of alpha."""
        ...

@dataclass(frozen=True)
class Withheld(Around):
    """The threshold of another guarantee, and why nothing is promised of it.

reasons: in words; () = nothing is withheld
inner: that gives the threshold"""
    reasons: tuple
    inner: Guarantee = ...

    @property
    def plain(self) -> bool:
        """Whether the inner threshold always is."""
        ...

    def terms(self, cal, alpha):
        """The inner terms, with the reasons."""
        ...
