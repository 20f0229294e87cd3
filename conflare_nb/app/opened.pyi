# Made by tools/export.py: what editors and type checkers see of this module.
"""A calibrated folder at one moment: what it quotes, what it promises, and how it stays up to date

Docs: https://conflare-nb.github.io/conflare_nb/app/opened.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import asdict, dataclass, replace
from itertools import compress
from operator import itemgetter
from pathlib import Path
import shutil
import warnings
import numpy as np
from fastcore.basics import patch
from ..errors import NotCalibrated, Refused
from ..answers.quotes import Quote, QuoteCalibration, QuoteScore, Quoter, Quotes
from ..answers.quotes import answer_is_known, calibrate_quotes
from ..answers.wording import find_wording, with_wordings
from .folder import AskedQuestions, Changes, DocumentFolder, HowCalibrated, forget_received
from ..documents.store import KnowledgeBase
from ..conformal.guarantee import Audited, ByDocument, Guarantee, Marginal, OfGroup
from ..conformal.guarantee import Unproved, Withheld
from ..conformal.movable import Stops
from ..conformal.threshold import Alpha, min_calibration_size
from ..evidence.audit import Audit, OtherLabels
from ..labels.labeling import NOT_WORDED
from ..labels.judges import CompareJudge, ContainsJudge, LikelihoodJudge, YesNoJudge
from ..labels.judges import answering_chunks, known_answers, plain_words
from ..models.load import load_llm
from ..models.server import shown_address
from ..retrieval.calibration import Calibration, calibrate
from ..retrieval.gate import nearest_distances, unlike_words
from ..retrieval.retriever import ConformalRetriever
from ..words import plural
__all__ = ['JUDGES', 'WITHOUT_A_MODEL', 'named_judge', 'measure_folder', 'FolderUpdate', 'update_folder', 'OpenedFolder', 'look_quietly', 'load_folder', 'check_calibrated', 'open_folder', 'open_to_measure']
JUDGES: Any
WITHOUT_A_MODEL = ('gold', 'contains')

def named_judge(name: str, llm: str):
    """The judge of this name.

name: a key of `JUDGES`
llm: the language model, if it takes one"""
    ...

def keep_measured(folder: DocumentFolder, kb: KnowledgeBase, questions: list, how: HowCalibrated, cal: Calibration, quote_cal: QuoteCalibration | None):
    """Keep in a folder's store what was measured, and what it takes to do so again.

folder: in whose store it is kept
kb: that was measured
questions: `Question`s that calibrated
how: what else it takes to calibrate again
cal: of the chunks
quote_cal: of the sentences"""
    ...

def measure_folder(folder: DocumentFolder, kb: KnowledgeBase, questions: list, score, before: Calibration | None=None, **how) -> tuple:
    """Calibrate the chunks and the sentences of a folder, and keep what it takes to do so again.

folder: to keep the calibration in
kb: its chunks as they are now
questions: `Question`s
score: of a chunk: a `Score`
before: the calibration that there is; default: it is read
how: fields of `HowCalibrated`"""
    ...
_BECAME = ('The words of the answer are nowhere any more for', 'No answer is in reach of the score any more for', 'The answer is not in the place that is named any more, and may be in another, for', 'Purged, with')

@dataclass(frozen=True)
class FolderUpdate:
    """What bringing a folder up to date did.

changes: of its documents
questions: that it was calibrated again on; 0 = it was not
lost: texts of those whose answer's words are nowhere any more
unreached: texts of those that lost their answer within the score's reach
moved: texts of those that lost it in the place that they name, and only there
dropped: texts of those that went with it
stuck: why nothing is promised from now on; '' = the promise holds"""
    changes: Changes
    questions: int = ...
    lost: tuple = ...
    unreached: tuple = ...
    moved: tuple = ...
    dropped: tuple = ...
    stuck: str = ...

    def __bool__(self):
        ...

    def __str__(self):
        ...

def update_folder(folder: DocumentFolder, *, models: bool=True, llm: str | None=None, purge: bool=False) -> FolderUpdate:
    """Bring documents, labels and thresholds of a folder up to date; one at a time.

folder: that was calibrated
models: let a language model judge again, where one did
llm: which; default: the one that judged before
purge: leave no trace of deleted text, nor of questions about it"""
    ...

def open_offers(folder: DocumentFolder, kb: KnowledgeBase, cal: Calibration) -> list:
    """Sentences that may say what the answers say that its documents do not have word for word.

folder: that was calibrated
kb: its chunks
cal: of these chunks"""
    ...

def confirm_offer(folder: DocumentFolder, question: str, sentence: str):
    """Keep a sentence on offer as the wording of an answer, and calibrate again; one at a time.

folder: that was calibrated
question: the id of a question
sentence: that says its answer"""
    ...

@dataclass(frozen=True)
class OpenedFolder:
    """A calibrated folder at one moment: never changes, so threads may share it.

folder: that was opened
kb: a snapshot
cal: of its chunks
quote_cal: of its sentences; None = they are not calibrated
audit: of its labels
nearest: (n,) distances of the calibration questions
news: sentences: what opening it did or found
stuck: why it is out of date; '' = it is not
asked: the questions that calibrated it; None = they are not kept
how: its unit, and where alpha may be moved"""
    folder: DocumentFolder
    kb: KnowledgeBase
    cal: Calibration
    quote_cal: QuoteCalibration | None
    audit: Audit | None = ...
    nearest: np.ndarray = ...
    news: tuple = ...
    stuck: str = ...
    asked: AskedQuestions | None = ...
    how: HowCalibrated = ...

    @property
    def unit(self) -> str:
        """What it lists: "sentences", or "passages"; fixed when it was calibrated."""
        ...

    @property
    def unit_cal(self) -> Calibration:
        """The calibration of what it lists."""
        ...

    def check(self):
        """Raise ValueError where it is out of date: its thresholds are those of other documents."""
        ...

    def guarantee(self, cal, kind: str | None=None, new_documents: bool=False, slides: bool=False, moved: bool=False) -> Guarantee:
        """What one of its calibrations promises, or why it promises nothing.

cal: its calibration of chunks, or of sentences
kind: the kind of the question; default: all
new_documents: promise about documents that no calibration question is about
slides: for a slider, which takes every label for right
moved: whether alpha is chosen for each question, where it may be"""
        ...

    def levels(self, kind: str | None=None, new_documents: bool=False) -> tuple:
        """Where alpha may be moved, ascending; () = it is the folder's.

kind: the kind of the question; default: all
new_documents: as `quotes` is told"""
        ...

    def answerer(self, alpha: float | None=None, kind: str | None=None, new_documents: bool=False, moved: bool=False):
        """A `Quoter` of its sentences, or a `ConformalRetriever` of its passages, as `quotes` is told.

alpha: share of misses you allow; default: the folder's
kind: the kind of the question; default: all
new_documents: promise about documents that no calibration question is about
moved: whether alpha is chosen for this question"""
        ...

    def quoter(self, alpha=None, kind=None, new_documents=False, moved=False) -> Quoter | None:
        """Quotes the sentences, as `quotes` is told; None where they are not calibrated."""
        ...

    def retriever(self, alpha: float=0.1, kind: str | None=None, new_documents: bool=False, moved: bool=False) -> ConformalRetriever:
        """Retrieves the chunks, as `quotes` is told.

alpha: share of misses you allow, 0 < alpha < 1
kind: the kind of the question; default: all
new_documents: promise about documents that no calibration question is about
moved: whether alpha is one of several that may be chosen after looking"""
        ...

    def quotes(self, question: str, alpha: float | None=None, kind: str | None=None, new_documents: bool=False, moved: bool=False) -> Quotes:
        """Quote every sentence within the threshold; or every passage, with the best sentence of them first.

question: what is asked
alpha: share of misses you allow, 0 < alpha < 1; default: the folder's
kind: the kind of the question; default: all
new_documents: promise about documents that no calibration question is about
moved: whether alpha is chosen for this question: then it is one of `levels`"""
        ...

    def unlike(self, question: str) -> str:
        """Whether a question is farther from every chunk than 99% of the calibration questions.

question: what is asked"""
        ...

def look_quietly(folder: DocumentFolder, kb: KnowledgeBase):
    """What differs; what cannot be read was said when it was calibrated.

folder: that was calibrated
kb: what its store holds"""
    ...
_FILES: Any

def load_folder(folder: DocumentFolder, kb: KnowledgeBase, whole, update=None) -> OpenedFolder:
    """What a store holds now; ValueError where its thresholds belong to other documents.

folder: that was calibrated
kb: what its store holds, up to date
whole: what was measured on it, of one state
update: the `FolderUpdate` that brought it there"""
    ...

def check_calibrated(folder):
    """Raise `NotCalibrated` where a folder never was."""
    ...

def open_folder(folder: DocumentFolder) -> OpenedFolder:
    """A folder, ready to be asked; brought up to date first where documents have changed.

folder: that was calibrated"""
    ...

def open_to_measure(folder: DocumentFolder) -> OpenedFolder:
    """A folder, brought up to date; ValueError where nothing can be measured on it now.

folder: that was calibrated"""
    ...

def check_kind(cal, kind):
    """Raise ValueError for a kind of question that has no questions."""
    ...
_FIXED = 'alpha is fixed at {own:g} here, since none of the stops {stops} has a threshold: more questions help; got {alpha:g}'
_UNPROMISED = 'the first sentence is the best of these passages, and nothing is promised of it alone'
