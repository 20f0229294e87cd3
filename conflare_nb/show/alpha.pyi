# Made by tools/export.py: what editors and type checkers see of this module.
"""Slide alpha and watch what is retrieved: computed once for a question, drawn on any page

Docs: https://conflare-nb.github.io/conflare_nb/show/alpha.html.md"""
from typing import Any, ClassVar, overload
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
import numpy as np
import traitlets as T
from fastcore.basics import patch
from fastcore.xml import B, Br, P, Small, Td
from ..errors import Refused
from ..words import check_type, plural
from ..answers.quotes import Quoter, marked_parts
from ..answers.rag import ConformalRAG
from ..conformal.clusters import rank_bands
from ..conformal.movable import Movable
from ..conformal.threshold import Alpha, conformal_rank
from ..labels.judges import answering_chunks
from ..labels.labeling import Label
from ..documents.cutting import Chunk
from ..documents.embedding import check_question
from ..documents.score import Score
from ..labels.question import Question
from ..retrieval.gate import nearest_distances, unlike_words
from ..retrieval.promise import group_text, why_infinite
from ..retrieval.retriever import ConformalRetriever, Retrieved, answer_ranks
from .dots import strip_image
from .page import CHUNK, PageWidget, View, as_html, html_table, page_alpha, place
from .page import plain_number, plain_numbers, score_text, score_words
__all__ = ['asked', 'explorer_view', 'AlphaExplorer']

@dataclass(frozen=True, kw_only=True)
class ExplorerView(View):
    """The chunks that a score ranks for one question, at any alpha: a row for each rank.

score: what the scores are scores of
scores: finite calibration scores, ascending
infinite: how many more are infinite
query: the question
chunk_scores: of all of them, ascending
lengths: tokens of the best 0, 1, 2 ... of them
chunks: the best, as dicts, each with its `p_value`
low: lower end of the 90% band of coverage, for the ranks 1 to n
high: upper end
answer_ranks: ranks of those that answer, ascending; None = not known
outside: how many more that answer are not in the score's pool
ks: ranks of calibration answers, ascending; None = it keeps no labels
top_k: for comparison: chunks of a top-k retrieval, uncalibrated
group_label: the group that the threshold is for, in words; '' = everybody
population: that a promise is about, in words
quoted: p-values of the sentences that a quoter scored; None = no quoter
promised: whether it names a guarantee: its retriever withholds none
moved: by which alpha may be moved after looking; None = it may not
known: texts of the calibration questions in the order of their scores; () = they are many
warning: that the question is unlike the calibration questions; '' = it is not"""
    score: Score
    scores: np.ndarray
    infinite: int
    query: str
    chunk_scores: np.ndarray
    lengths: np.ndarray
    chunks: list
    low: np.ndarray
    high: np.ndarray
    answer_ranks: list | None = ...
    outside: int = ...
    ks: list | None = ...
    top_k: int = ...
    group_label: str = ...
    population: str = ...
    quoted: list | None = ...
    promised: bool = ...
    moved: Movable | None = ...
    known: tuple = ...
    warning: str = ...
    drawn_by = 'explorer'
    start: ClassVar[Any]

    @property
    def n(self):
        """How many questions calibrated."""
        ...

    @property
    def sure(self):
        """Coverage without a finite threshold, of what has an answer; None = not known, for a pool."""
        ...

    def threshold(self, alpha, slides=False):
        """Rank k, and the score of that rank or infinity; that of c*alpha where alpha is moved."""
        ...

    def threshold_words(self, alpha, slides=False):
        """The threshold as it is shown, or why there is none."""
        ...

    @property
    def total(self):
        ...

    @property
    def within(self):
        """How many chunks lie within each of the calibration scores."""
        ...

    def top(self, k):
        """The best k of the ranking: `chunks`, `tokens`, `answered` (None = not known)."""
        ...

    def at(self, alpha, slides=False):
        """What the slider shows: k, qhat, chunks, tokens; answered, low and high, None = not known."""
        ...

    def calibrated_k(self, alpha):
        """How many chunks have the same guarantee; infinite = all, None = no labels to tell."""
        ...

    def state(self, most=None):
        """The view as plain numbers and texts, JSON-able, with at most so many texts."""
        ...

    def page(self, alpha, *, slides=False, most=None, reply=None, others=()):
        """What the script draws, with 40 texts at most, 12 beside `others`."""
        ...

    def table(self, alpha=0.1, most=10, slides=False):
        """The strip and the best chunks at one alpha, as HTML; sentences that a quoter lists are marked."""
        ...

def sliding(answerer):
    """The calibration behind a slider: thresholds are its scores in order; refused where a guarantee changes them."""
    ...

def finite_scores(cal):
    """What a view over alpha holds of a calibration."""
    ...

def asked(kb, question):
    """The text of a question, and the ids of the chunks that answer it; None = not known."""
    ...
_MANY = 150

def explorer_view(retriever: ConformalRetriever, query: str | Question, max_chunks: int=200, top_k: int=5, quoter: Quoter | None=None, nearest: np.ndarray=()) -> ExplorerView:
    """Rank the chunks for one question, and count those within each calibration score.

retriever: what to explore; its own alpha does not matter
query: the question; of a `Question` the chunks that answer are marked
max_chunks: texts to hold, from the best
top_k: chunks of the uncalibrated top-k beside it
quoter: marks the sentences that it lists; its own alpha does not matter
nearest: distances of the calibration questions to their nearest chunks; () = nothing is unlike them"""
    ...
_OWN = ('answers', 'score', 'distance', 'p_value')

class AlphaExplorer(PageWidget):
    """Widget to slide alpha and watch which chunks are retrieved for a question."""
    drawn_by = 'explorer'
    alpha: Any
    slides: Any
    query: Any
    questions: Any
    view: Any
    can_ask: Any
    promised: Any
    reply: Any
    error: Any
    shown: Any

    def __init__(self, retriever: ConformalRetriever, query: str | Question | None=None, questions: list=(), alpha: float=0.1, *, answer: Callable | None=None, **options):
        """retriever: what to explore; its own alpha does not matter
query: shown first; default: the first of `questions`, or one that calibrated
questions: texts or `Question`s to choose from; a `Question` knows what answers it
alpha: where the slider is at first, 0 < alpha < 1
answer: (query, `Retrieved`) -> pieces of text, such as `ConformalRAG.stream`
options: `quoter`, `top_k` and `max_chunks`: see `explorer_view`"""
        ...

    def __repr__(self):
        ...

    def to_html(self) -> str:
        """The explorer as it is now, with four of its other questions, for a page without a kernel."""
        ...

    @property
    def retrieved(self) -> Retrieved:
        """The chunks retrieved now, and what is promised of them."""
        ...

    def ask(self) -> Thread:
        """Answer the question from the chunks now shown, in the background; one answer at a time."""
        ...
