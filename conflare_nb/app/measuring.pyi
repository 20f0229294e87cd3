# Made by tools/export.py: what editors and type checkers see of this module.
"""A folder of your own: its questions, labels and thresholds, an audit, a watch over live questions

Docs: https://conflare-nb.github.io/conflare_nb/app/measuring.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from pathlib import Path
import shlex, sys, textwrap, warnings
import numpy as np
from fastcore.basics import patch
from ..conformal.guarantee import Audited, Marginal, OfGroup, Withheld
from ..evidence.audit import Audit, AuditPlan, audit_labels, draw_audit
from ..evidence.audit import gold_truth, labels_print, person_truth
from ..labels.labeling import judge_check, left_out, verdict_rows
from ..labels.people import JudgingSession
from ..conformal.betting import BET_DELTA
from ..conformal.threshold import Alpha, calibration_size, conformal_rank, min_calibration_size
from ..models.load import load_llm
from ..labels.files import check_review, load_questions, review_rows, write_review
from ..labels.question_store import kept_questions
from ..labels.writing import generate_questions
from ..retrieval.promise import Promise, threshold_text
from ..answers.quotes import QuoteCalibration
from ..answers.wording import find_wording, with_wordings
from ..evidence.monitor import DriftMonitor, monitor_text
from ..evidence.two_sample import compare_questions
from ..saving import storable_text
from ..words import chosen, first_of, plural
from ..documents.embedding import Embedder, is_foreign
from ..documents.plain import file_name
from ..documents.reading import near_copies
from ..documents.store import cut_documents, how_made
from ..labels.judges import known_answers, warn_of_labels
from ..documents.stored import NAMED_SCORES
from ..labels.labeling import what_is_asked
from .folder import DocumentFolder, HowCalibrated
from .opened import FolderUpdate, OpenedFolder, WITHOUT_A_MODEL, check_calibrated, measure_folder
from .opened import named_judge, open_folder, open_to_measure, update_folder
from .terminal import Result, filled, json_value, note, score_text
__all__ = ['enough_lines', 'Calibrated', 'QuestionsWritten', 'LabelsAudited', 'Monitored', 'Updated']
_ALPHAS = (0.2, 0.1, 0.05)
_COPIES = 'almost word for word the same, {copies} of {there} files: {named}. Lists show both of a pair; a question that names one counts as answered only there, so lists may be longer than they need be ({questions} of {n} questions do). To leave files out, write their names, or patterns such as {such}, a line each, into the file .conflareignore of the folder'
_FOREIGN = 'most of the text ({share:.0%} of {chunks} chunks) is not in English, and the embedded model knows English only: its vectors say little, and more is retrieved. Another model knows others (--embedder multilingual; it is chosen once for a folder)'
_EASIER = 'Answers that the documents have word for word are easier to find than others: of questions whose answer they have in other words, fewer may be covered than is promised.'
_MARK = 'A judge that finds nothing may be wrong. If you find that nothing answers such a question, mark it "unanswerable" in its file, without an answer: then it is set apart.'
_BEYOND = '{lost} of {n} answers lie beyond the best {looked} chunks that the score looks at: --pool {pool} looks at up to {more} for each question, which takes longer, and lists more where the threshold is infinite.'
_NO_SENTENCES = 'Sentences: not calibrated; that takes questions with known answers and no other judge.'

def enough_lines(cal) -> list:
    """Whether so many questions are enough, at three levels.

cal: `Calibration` of a folder"""
    ...

@dataclass(frozen=True, eq=False)
class Calibrated(Result):
    """What calibrating gave, and what is missing for a promise.

opened: the folder as it is now
quote_cal: of its sentences; None = they are not calibrated
counted: documents, chunks and known answers, in words
wordings: `Offer`s: of sure ones, of confirmed ones, and of those that are left
aside: where the calibration before lies; '' = nothing was replaced
judged: how the judge does where it is known what answers"""
    opened: OpenedFolder
    quote_cal: QuoteCalibration | None
    counted: str
    wordings: tuple = ...
    aside: str = ...
    judged: str = ...

    @property
    def missing(self) -> tuple:
        """What a promise waits for."""
        ...

    def __str__(self):
        ...

    def to_dict(self) -> dict:
        """Counts, source, thresholds, and what is missing for a promise."""
        ...
_NO_POOL = '--pool counts the chunks that a score looks at first, and {score} looks at all; got {pool}'
_NEXT_REVIEW = 'Nobody has read these questions, so nothing is calibrated on them. Next: in {out} write yes or no under "keep" for each question, correct what can be corrected, and run'
_REVIEWED = 'You kept {kept} of {n}; they are in {out}. Next:'

@dataclass(frozen=True, eq=False)
class QuestionsWritten(Result):
    """Questions that a language model wrote, for a person to review.

made: what `generate_questions` gives
rows: of the file
out: the file
folder: that they are about"""
    made: object
    rows: list
    out: Path
    folder: DocumentFolder

    def __str__(self):
        ...

    def to_dict(self) -> dict:
        """The questions as rows, and what became of the sentences that were asked about."""
        ...
_MORE = 'To look at more labels, give a larger number; it continues in the same order.'
_STOPPED = 'Stopped. Your answers are kept, and the same command continues from here.'

@dataclass(frozen=True, eq=False)
class LabelsAudited(Result):
    """What an audit leaves of the promises.

opened: whose labels were looked at
audit: None = it was stopped
missing: what a promise waits for"""
    opened: OpenedFolder
    audit: Audit | None
    missing: tuple = ...

    def __str__(self):
        ...

    def to_dict(self) -> dict:
        """The counts, the bound, and the thresholds that are left."""
        ...
_BARE = '{bare} without an answer or a section: whether an answer is retrieved for them cannot be said. Their wording and how near the nearest chunk is, beside those of the calibration questions:'

@dataclass(frozen=True, eq=False)
class Monitored(Result):
    """Whether live questions are still like those that calibrated.

state: of a `DriftMonitor`
new: questions that were added now
given: that were handed over, with answers
bare: and without
compared: what the wording of those says
news: what opening the folder did"""
    state: object
    new: int
    given: int
    bare: int = ...
    compared: str = ...
    news: tuple = ...

    @property
    def said(self) -> str:
        """The state in one line."""
        ...

    def __str__(self):
        ...

    def to_dict(self) -> dict:
        """Counts, the alarm or None, the levels, and the line."""
        ...

@dataclass(frozen=True, eq=False)
class Updated(Result):
    """What bringing a folder up to date did, and what is promised now.

done: the changes, and questions that lost their answer
promise: at the folder's alpha"""
    done: FolderUpdate
    promise: Promise

    def __str__(self):
        ...

    def to_dict(self) -> dict:
        """Documents added, changed and removed; questions it was calibrated again on; what is lost."""
        ...
