# Made by tools/export.py: what editors and type checkers see of this module.
"""Which word of a question finds which word of a passage, and what one mean vector forgets

Docs: https://conflare-nb.github.io/conflare_nb/show/matches.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass
from itertools import pairwise
import numpy as np
import traitlets as T
from fastcore.basics import patch
from fastcore.xml import B, Br, P
from ..documents.cutting import Chunk, header
from ..documents.embedding import check_question
from ..documents.late import LateHybrid
from ..documents.store import hits_of
from ..documents.sentences import sentences_of
from ..documents.tokens import token_cosines, token_matches
from ..labels.question import Question
from .page import PageWidget, View, as_html, html_table, plain_number, plain_numbers
from .plots import BLUE, axes
__all__ = ['match_view', 'WordMatches']

def words_of_tokens(text, spans):
    """The position of each word's first token; and the text in pieces, every second of them a word."""
    ...

@dataclass(frozen=True, repr=False)
class MatchView(View):
    """A question and a passage, word by word; both texts in pieces, every second of them a word.

chunk: what the question is compared with
asked: the question
passage: the chunk as the model reads it: its header, then its text
weights: how much each word of the question counts, sum 1
cosines: of each word of the question with each of the passage
places: which sentence each word of the passage is in; -1 = the header
similarity: cosine of the two mean vectors
match: MX of the passage
sentences: MX of each of its sentences"""
    chunk: Chunk
    asked: list
    passage: list
    weights: np.ndarray
    cosines: np.ndarray
    places: np.ndarray
    similarity: float
    match: float
    sentences: np.ndarray
    drawn_by = 'matches'

    def __repr__(self):
        ...

    @property
    def start(self):
        ...

    @property
    def best(self):
        """The position of the best match of each word of the question."""
        ...

    def check(self, word):
        """Refuse the position of a word that is not there."""
        ...

    def state(self):
        """The view as plain numbers and texts, JSON-able; numbers have two digits."""
        ...

    def table(self, word=0, mean=False):
        """What each word of the question finds, as an HTML table; of two means there is one number."""
        ...

    def plot(self, ax=None, most=30):
        """The cosines as a matrix, each best match marked, with `most` words of the passage; the `Axes`."""
        ...

def match_view(kb, question: str | Question, chunk: str | None=None) -> MatchView:
    """Compare each word of a question with each word of a chunk, as the default score does.

kb: `KnowledgeBase`
question: what is asked
chunk: id of the chunk to compare it with; default: the best by `LateHybrid`"""
    ...

class WordMatches(PageWidget):
    """A question above a passage: which words match which, how well, and how much each counts."""
    drawn_by = 'matches'
    view: Any
    word: Any
    mean: Any
    shown: Any

    def __init__(self, kb, question: str | Question, chunk: str | None=None):
        """kb: `KnowledgeBase`
question: what is asked
chunk: id of the chunk to compare it with; default: the best by `LateHybrid`"""
        ...
