# Made by tools/export.py: what editors and type checkers see of this module.
"""Quote the sentence that answers, in its place, with its own guarantee and no language model

Docs: https://conflare-nb.github.io/conflare_nb/answers/quotes.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter
from textwrap import fill
import numpy as np
from fastcore.basics import patch
from fastcore.xml import B, Blockquote, Details, Mark, P, Small, Summary, to_xml
from ..conformal.guarantee import Guarantee, Marginal
from ..retrieval.calibration import Answerer, Calibration, p_note, calibration_made, group_names, passage_fields
from ..retrieval.promise import Promise
from ..labels.judges import contains_answer, known_answers, plain_words, warn_of_labels
from ..labels.labeling import Label, nothing_known
from ..documents.bm25 import rarity, word_index
from ..documents.cutting import SENTENCE_RULE, Chunk
from ..documents.embedding import check_question
from ..documents.plain import words_of
from ..documents.sentences import sentences_of
from ..documents.tokens import token_matches
from ..saving import finite_or_none, refuse_differences
from ..documents.store import KnowledgeBase, hits_of
from ..labels.question import Question
from ..words import check_list, check_type, plural, progress_bar
from ..documents.late import LateHybrid
from ..documents.score import ShareScore, check_count, check_weight, minus_log_share
from ..retrieval.traces import question_span
__all__ = ['QuoteScore', 'QuoteCalibration', 'labelled_pools', 'label_quotes', 'calibrate_quotes', 'Quote', 'Quotes', 'Quoter']
_SCORE_RULE = 1

@dataclass(frozen=True)
class QuoteScore(ShareScore):
    """-log of a sentence's share among all of the best chunks: by meaning, words and its chunk.

ranking: ranks the chunks
chunks: best chunks to take the sentences from, >= 1
similarity: weight of question and sentence as wholes, >= 0
match: weight of their tokens, matched one by one, >= 0
words: weight of the words that question and sentence share, >= 0
T: temperature, > 0; smaller = differences count more
window: what a pair of sentences must be better by to be quoted first, >= 0"""
    ranking: ShareScore = ...
    chunks: int = ...
    similarity: float = ...
    match: float = ...
    words: float = ...
    T: float = ...
    window: float = ...
    unit = 'sentence'
    everything = 'every sentence of the best chunks'
    name = 'quotes'

    def __post_init__(self):
        ...

    def fingerprint(self) -> dict:
        """Name, settings, and the numbers of the rules: of splitting sentences, and of this score."""
        ...

    def formula(self, question, rows):
        """Chunks have no such score."""
        ...

    def pool_of(self, kb, question: str) -> SentencePool:
        """Score the sentences of the best chunks.

kb: `KnowledgeBase`
question: what is asked"""
        ...

@dataclass(frozen=True)
class SentencePool:
    """The scored sentences for a question.

sentences: `Sentence`s, each text of a section once
merits: of each, higher = better
scores: of each, >= 0, lower = better
windows: the `Sentence` that two in a row make
pair_merits: of each of these, higher = better
pair_scores: of each of these: the worse one of the two"""
    sentences: list
    merits: np.ndarray
    scores: np.ndarray
    windows: list
    pair_merits: np.ndarray
    pair_scores: np.ndarray

    @property
    def units(self) -> list:
        """(sentence, merit, score) of each, and of two in a row."""
        ...

@dataclass(frozen=True, repr=False)
class QuoteCalibration(Calibration):
    """Calibration scores of sentences.

score: how sentences are scored
unknown: questions left aside since their answer is not known, >= 0"""
    score: QuoteScore = ...
    unknown: int = ...
    unit = 'sentence'
    again = 'calibrate_quotes(kb, questions)'
    schema = 'conflare_nb.quotes/3'
    called = 'calibration of sentences'

    @staticmethod
    def score_named(named) -> QuoteScore:
        """The usual score of sentences, if that is what a file names."""
        ...

    def __post_init__(self):
        ...

    @property
    def population(self) -> str:
        """What the questions that a promise is about are like."""
        ...

    @property
    def left_aside(self) -> str:
        """How many questions were left out for want of a known answer, and what is promised then."""
        ...

    def _repr_html_(self):
        """As of chunks, with the questions that were left aside."""
        ...

def answer_is_known(question):
    """Whether the known answer of a question has words that a sentence could hold."""
    ...

def can_be_labelled(question):
    """Whether it is known which sentences answer a question, or that none does."""
    ...

def labelled_pools(kb, questions: list, score: QuoteScore=..., progress: bool=True):
    """The scored sentences of every question, and which of them answers.

kb: `KnowledgeBase`
questions: `Question`s with known answers
score: of sentences
progress: progress bars"""
    ...

def label_quotes(kb, questions: list, score: QuoteScore=..., *, progress: bool=True) -> list:
    """Find the best sentence that answers each question.

kb: `KnowledgeBase`
questions: `Question`s with known answers
score: of sentences
progress: progress bars"""
    ...

def calibrate_quotes(kb: KnowledgeBase, questions: list, score: QuoteScore=..., *, source: str='', progress: bool=True, groups=None, before: QuoteCalibration | None=None) -> QuoteCalibration:
    """Measure the score of every question's best right sentence.

kb: as `create` or `open` gives it
questions: `Question`s like the ones that users will ask
score: of sentences
source: where the questions come from; default: "gold answers"
progress: progress bars
groups: "kind", or a function of a question's text: thresholds by group
before: on the same questions, before documents changed"""
    ...

@dataclass(frozen=True)
class Quote:
    """A sentence, or two in a row, in its place.

chunk: that holds it
start: where it begins in the chunk's text
end: where it ends
score: lower = better
p_value: conformal p-value, over c where alpha may be moved: it is listed at every alpha below"""
    chunk: Chunk
    start: int
    end: int
    score: float
    p_value: float

    @property
    def text(self) -> str:
        """What is quoted."""
        ...

    @property
    def source(self) -> str:
        """Title, heading and page."""
        ...

    def to_dict(self) -> dict:
        """The quote with its place, as JSON can hold it."""
        ...

@dataclass(frozen=True, repr=False)
class Quotes:
    """The sentences that may answer a question, and what is promised of them.

question: what was asked
first: to read first; may go one sentence beyond the list; None = nothing stored
listed: `Quote`s within the threshold, best first
promise: what is promised of the list; None = it is said elsewhere
qhat: the threshold
alpha: miscoverage level"""
    question: str
    first: Quote | None
    listed: tuple
    promise: Promise | None
    qhat: float
    alpha: float

    def __len__(self):
        ...

    def __repr__(self):
        ...

    @property
    def characters(self) -> int:
        """Length of all that is listed."""
        ...

    def first_is_right(self, question, answering: set) -> bool:
        """Whether the first quote holds the words of the known answer, in a chunk that answers.

question: the `Question` that was asked, with a known answer
answering: ids of the chunks that answer it, as `answering_chunks` finds them"""
        ...

    def to_dict(self) -> dict:
        """The quotes and their promise, for JSON; an infinite threshold, or none, is None."""
        ...

    def _repr_html_(self):
        """The first quote with its source, the passages with their quotes marked, and the promise."""
        ...

class Quoter(Answerer):
    """Quotes the sentences that answer, within a calibrated threshold."""

    def __init__(self, kb: KnowledgeBase, cal: QuoteCalibration, alpha: float=0.1, guarantee: Guarantee=...):
        """kb: as `create` or `open` gives it
cal: measured on this very knowledge base; any other is refused
alpha: miscoverage level, 0 < alpha < 1; smaller = more sentences
guarantee: such as `OfGroup(kind)`, `ByDocument()`"""
        ...

    def quote(self, question: str) -> Quotes:
        """Every sentence within the threshold, best first.

question: what is asked"""
        ...

    def try_on(self, questions: list, progress: bool=False) -> list:
        """Quote for questions with known answers, and find the place of each answer.

questions: `Question`s with known answers that did not calibrate
progress: a progress bar"""
        ...

def marked_parts(text, spans):
    """A text as parts, its (start, end) spans marked; spans are in order and may overlap."""
    ...
