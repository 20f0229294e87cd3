# Made by tools/export.py: what editors and type checkers see of this module.
"""Every chunk within the calibrated threshold, with its p-value; top-k; the papers' functions

Docs: https://conflare-nb.github.io/conflare_nb/retrieval/retriever.html.md"""
from typing import Any, ClassVar, overload
import pyarrow as pa
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import overload
import numpy as np
from fastcore.basics import patch
from fastcore.xml import B, Br, Details, P, Small, Summary, Table, Tbody, Td, Th, Thead, Tr, to_xml
from ..words import check_type, plural
from .calibration import Answerer, Calibration, p_note
from .promise import Promise
from ..conformal.threshold import Alpha, conformal_quantile
from ..documents.store import KnowledgeBase, hits_of
from ..documents.cutting import Hit
from ..conformal.guarantee import Guarantee, Marginal
from .gate import nearest_distances
from ..documents.score import Distance
from .traces import question_span
__all__ = ['Retrieved', 'ConformalRetriever', 'answer_ranks', 'TopKRetriever', 'records_threshold', 'conformal_filter']

@dataclass(frozen=True, repr=False)
class Retrieved:
    """The chunks retrieved for one query, and what is promised of them.

query: the question
chunks: `pyarrow.Table` as of a search, with "similarity", "rank" and "p_value"
promise: what is promised of them
qhat: the threshold on the score; None for top-k
alpha: miscoverage level; None for a k that was not calibrated
closed: why a gate closed, so that nothing was retrieved; '' = none did"""
    query: str
    chunks: pa.Table
    promise: Promise
    qhat: float | None = ...
    alpha: float | None = ...
    closed: str = ...

    def __len__(self):
        ...

    def __iter__(self) -> Iterator[Hit]:
        ...

    @overload
    def __getitem__(self, at: int) -> Hit:
        ...

    @overload
    def __getitem__(self, at: slice) -> list[Hit]:
        ...

    def __repr__(self):
        ...

    @property
    def tokens(self) -> int:
        """Length of the context: the retrieved chunks together, in the embedding model's tokens."""
        ...

    @property
    def size(self) -> str:
        """How much it is, in words."""
        ...

    def rows(self) -> list[Hit]:
        """The `Hit`s, best first."""
        ...

    def _repr_html_(self, most=20):
        """A table; all that comes from documents or users is escaped."""
        ...

def numbered_hits(hits, p_values=None):
    """The rows of a search with the columns similarity, rank and p_value."""
    ...

class ConformalRetriever(Answerer):
    """Retriever of every chunk within a calibrated threshold."""

    def __init__(self, kb: KnowledgeBase, cal: Calibration, alpha: float=0.1, guarantee: Guarantee=...):
        """kb: as `create` or `open` gives it
cal: measured on this very knowledge base: another is refused
alpha: miscoverage level, 0 < alpha < 1; smaller = more chunks; choose it first
guarantee: such as `Audited(audit)`, `OfGroup(kind)`, `Movable(.05, .4)`"""
        ...

    def retrieve(self, query: str) -> Retrieved:
        """Every chunk within the threshold (CONFLARE, step 4, with <= so that ties keep the guarantee).

query: the question"""
        ...

def answer_ranks(cal: Calibration) -> np.ndarray:
    """At which rank of its score's own ranking each calibration question has its answer.

cal: of chunks, with its labels"""
    ...
_GIVEN: Any

class TopKRetriever(Answerer):
    """Retriever of the best k chunks for every question, where k is given or calibrated."""
    kb: KnowledgeBase
    cal: Calibration | None
    alpha: float | None
    score: Any
    k: Any

    def __init__(self, kb: KnowledgeBase, k: int | None=None, cal: Calibration | None=None, alpha: float | None=None):
        """kb: as `create` or `open` gives it
k: chunks for every question; default: 5, or what `alpha` takes
cal: ranks by its score and shows its p-values; default: by distance
alpha: miscoverage level of k, 0 < alpha < 1; None = no guarantee"""
        ...

    def retrieve(self, query: str) -> Retrieved:
        """The best k chunks, all that the score can see if k is infinite.

query: the question"""
        ...

def records_threshold(calibration_records: list, error_rate: float) -> float:
    """The exact conformal threshold from the records of the reference package.

calibration_records: with "cosine_distance" (None = nothing answers), or a `Calibration`
error_rate: miscoverage level, 0 < error_rate < 1"""
    ...

def conformal_filter(retrieved_chunks: dict, calibration_records: list, error_rate: float, verbose: bool=False) -> list:
    """The retrieved chunks within the conformal threshold (CONFLARE's function, exact and with <=).

retrieved_chunks: as of Chroma: {"documents": [[text, ...]], "distances": [[...]]}
calibration_records: with "cosine_distance" (None = nothing answers), or a `Calibration`
error_rate: miscoverage level, 0 < error_rate < 1
verbose: print the threshold and the count"""
    ...
