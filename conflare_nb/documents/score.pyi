# Made by tools/export.py: what editors and type checkers see of this module.
"""Distance, rank, margin, softmax: any rule that is fixed beforehand has the same guarantee

Docs: https://conflare-nb.github.io/conflare_nb/documents/score.html.md"""
from typing import Any, ClassVar, overload
import pyarrow as pa
from collections import Counter
from dataclasses import asdict, dataclass
import numpy as np
from fastcore.basics import patch
from .bm25 import word_index
__all__ = ['Score', 'Distance', 'Rank', 'Margin', 'ShareScore', 'Softmax']

def pool_rows(kb, question, pool, with_words, vector=None):
    """The `pool` nearest chunks (None = all), and on demand as many with the best words; by ids."""
    ...
SLACK = 1e-06
SCORES = {}

def is_ours(kind):
    """Whether a class is this package's."""
    ...

class Score:
    """A function of question and chunk that is fixed before calibration; lower = better.

name: in files and on the command line; default: the class's, in small letters
unit: what it scores, as `Calibration.unit`
pool: chunks to look at: see `pool_rows`
with_words: whether the formula looks at words
by_distance: whether the best chunks are the nearest, in their order
shares: whether it is -log of a share of the pool
label: the name of its axis
slack: by how much another processor's rounding may change it, >= 0"""
    name: str = ...
    unit: str = ...
    pool: int | None = ...
    with_words: bool = ...
    by_distance: bool = ...
    shares: bool = ...
    label: str = ...
    slack: float = ...

    def __init_subclass__(cls, **settings):
        """Enter a class by its name; a name of this package stays with this package."""
        ...

    def __post_init__(self):
        ...

    @property
    def everything(self) -> str:
        """What an infinite threshold retrieves, in words."""
        ...

    def fingerprint(self) -> dict:
        """Name and settings, JSON-able."""
        ...

    def formula(self, question: str, rows: pa.Table) -> np.ndarray:
        """The score of every chunk of a pool.

question: what is asked
rows: `pyarrow.Table` of a pool with "distance" (and "words", if looked at)"""
        ...

    def read(self, kb, question: str, rows: pa.Table):
        """Look into the documents for more than the pool says; most scores do not.

kb: snapshot of the `KnowledgeBase`
question: what is asked
rows: `pyarrow.Table` of its pool"""
        ...

    def rank(self, kb, question: str, depth: int | None=None, vector=None):
        """The scored pool of a question.

kb: `KnowledgeBase`
question: what is asked
depth: chunks to give, the best, >= 1; default: the whole pool
vector: the question's unit vector, where it is known"""
        ...

    def rank_all(self, kb, questions: list, vectors, depth: int | None=None):
        """The scored pools of many questions, from one state of the knowledge base.

kb: `KnowledgeBase`
questions: texts
vectors: their unit vectors
depth: chunks to give, the best; default: the whole pool"""
        ...

    def within(self, kb, question: str, threshold: float):
        """Every chunk of the pool whose score is at most `threshold`, the boundary included.

kb: `KnowledgeBase`
question: what is asked
threshold: score at most; `inf` = the whole pool"""
        ...

def check_count(name, value):
    """Raise ValueError unless a setting is a whole number from 1 on, or None."""
    ...

@dataclass(frozen=True)
class Distance(Score):
    """Cosine distance from the question: the score of CONFLARE (arXiv 2404.04287).

pool: nearest chunks to look at; default: all"""
    pool: int | None = ...
    by_distance = True
    label = 'cosine distance'
    slack: ClassVar[Any]

    def formula(self, question, rows):
        """The distance itself."""
        ...

    def within(self, kb, question, threshold):
        """Every chunk within a distance; without a pool by the store's own search."""
        ...

@dataclass(frozen=True)
class Rank(Score):
    """1 for the nearest chunk, 2 for the next: conformal top-k.

pool: nearest chunks to look at; default: all"""
    pool: int | None = ...
    by_distance = True
    label = 'rank'

    def formula(self, question, rows):
        """The place in the order of distances; equal distances in the order of ids."""
        ...

@dataclass(frozen=True)
class Margin(Score):
    """How much farther from the question than the nearest chunk.

pool: nearest chunks to look at; default: all"""
    pool: int | None = ...
    by_distance = True
    label = 'distance beyond the nearest'
    slack: ClassVar[Any]

    def formula(self, question, rows):
        """The difference of two distances."""
        ...

def minus_log_share(merits, T, keep_first):
    """-log softmax(merits/T), merits higher = better; `keep_first`: the (first) best scores 0."""
    ...

def check_weight(name, value):
    """Raise ValueError unless a setting is a number from 0 on."""
    ...

class ShareScore(Score):
    """-log of a chunk's share of its pool; a subclass has the settings `T` and `keep_first`."""
    shares = True
    label = '-log of its share'

    @property
    def slack(self) -> float:
        """That of a merit, at the temperature."""
        ...

    def __post_init__(self):
        ...

    def merits(self, question: str, rows: pa.Table) -> np.ndarray:
        """What the shares are made of.

question: what is asked
rows: `pyarrow.Table` of a pool, as for `formula`"""
        ...

    def formula(self, question, rows):
        """From merits to shares."""
        ...

@dataclass(frozen=True)
class Softmax(ShareScore):
    """-log of a chunk's share among the nearest: similarities as a softmax.

T: temperature, > 0; smaller = differences count more
pool: nearest chunks to look at; None = all
keep_first: the best of the pool scores 0"""
    T: float = ...
    pool: int | None = ...
    keep_first: bool = ...

    def merits(self, question, rows):
        """The similarity."""
        ...
