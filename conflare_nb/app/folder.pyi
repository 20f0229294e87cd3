# Made by tools/export.py: what editors and type checkers see of this module.
"""A folder of documents, and the store with what was measured on it

Docs: https://conflare-nb.github.io/conflare_nb/app/folder.html.md"""
from typing import Any, ClassVar, overload
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
import json
import os
import shlex
import shutil
import threading
import time
import numpy as np
from fastcore.basics import patch
from .. import __version__
from ..conformal.movable import Stops
from ..conformal.threshold import Alpha
from ..evidence.audit import Audit
from ..labels.question_store import question_to_row, row_to_question
from ..saving import Stored, file_sum, one_at_a_time, storable, stored_fields, write_whole
from ..documents.embedding import Embedder
from ..documents.reading import LIMITS, Document, check_text, folder_files, read_files
from ..documents.store import KnowledgeBase
from ..words import first_of, utc_now
__all__ = ['ENOUGH_QUESTIONS', 'Changes', 'FolderLook', 'HowCalibrated', 'AskedQuestions', 'copy_aside']

class DocumentFolder:
    """A folder of documents, and the store with what was measured on it."""
    docs: str | Path
    notice: Any
    strict: bool
    embedder: Embedder | None
    store: Any

    def __init__(self, docs: str | Path, store: str | Path | None=None, strict: bool=False, embedder: Embedder | None=None):
        """docs: .md, .txt, .html, .pdf, .csv files, or more (extra `formats`)
store: where the knowledge base is kept; default: .conflare in it
strict: stop at what is not read in it, instead of a warning
embedder: embedding model; default: the embedded MiniLM"""
        ...

    def __repr__(self):
        ...

    @property
    def typed(self) -> str:
        """How a command names this folder and its store."""
        ...

    def take_up(self, documents: list, keep=(), kb: KnowledgeBase | None=None) -> tuple:
        """Bring the knowledge base up to what the folder holds.

documents: `Document`s that it holds
keep: paths of those that it holds as the knowledge base has them
kb: default: it is opened, or made"""
        ...

    def current(self, documents: list) -> KnowledgeBase:
        """The knowledge base, brought up to what the folder holds now.

documents: the `Document`s that it holds now"""
        ...

    def look(self, kb) -> FolderLook:
        """Which of its files are not as they were read; unchanged ones are not opened.

kb: its `KnowledgeBase`; None = there is none yet"""
        ...

    def refresh(self, check=None) -> tuple:
        """Bring the knowledge base up to the folder's files; only those that differ are read.

check: of (`Document`s, `Chunk`s that stay), before anything is embedded"""
        ...

    @property
    def measured(self) -> Path:
        """Where the files of the newest state lie."""
        ...

    def forget(self, keep: int):
        """Delete what was measured earlier.

keep: newest states that stay, >= 1"""
        ...

    def asked(self) -> AskedQuestions | None:
        """The questions that calibrated, and how."""
        ...

    def scored_questions(self, cal, kept: AskedQuestions | None=None) -> list:
        """The questions behind the scores; refused where the kept ones calibrated something else.

cal: `Calibration` of this folder
kept: the questions of the same state; default: of the newest"""
        ...

    def keep_aside(self) -> Path:
        """Copy everything that was measured into a folder of its own, named by the time."""
        ...

    def missing(self, cal, audit: Audit | None=None) -> tuple:
        """What a promise of this folder waits for.

cal: `Calibration` of this folder, of all kinds of questions together
audit: of its labels"""
        ...

@dataclass(frozen=True)
class Changes:
    """Documents of a folder that its knowledge base does not have as they are now, by path.

added: paths, as are those below
changed: in text
removed: from the folder"""
    added: tuple = ...
    changed: tuple = ...
    removed: tuple = ...

    def __bool__(self):
        ...

    def __str__(self):
        ...
_GRAIN = 2000000000.0

@dataclass(frozen=True)
class FolderLook:
    """What the files of a folder look like beside what its knowledge base holds of them.

files: {name: [bytes, two times, number, sum, whether it could be read]}; as they were read
differ: (path, name, what was seen) of those that are to be read
gone: names of those that were read and differ, or are not there any more"""
    files: dict
    differ: tuple
    gone: tuple

    def __bool__(self):
        ...
_MEASURED = ('calibration.json', 'quotes.json', 'asked.json', 'audit.json', 'audit_plan.json')

@patch
@contextmanager
def writing(self: DocumentFolder):
    """A context that one process at a time enters for a folder; the others wait."""
    ...

@patch
@contextmanager
def next_state(self: DocumentFolder):
    """A context with a copy of what was measured: what it holds in the end counts, all at once."""
    ...

@dataclass(frozen=True)
class HowCalibrated:
    """How a folder is calibrated, beside its questions and its score.

judge: who says which chunk answers: a key of `JUDGES`
llm: the judge's language model
depth: best chunks to judge; default: 30, or all with known answers
by: "kind": also a threshold for each kind of question
source: where the questions come from
writer: the model that wrote them; '' = people did
unit: what is listed: "sentences" or "passages"; '' = sentences, where they have a threshold
alpha: share of misses that is allowed where nobody chooses
stops: where alpha may be moved after looking, once for each question; '' = nowhere"""
    judge: str = ...
    llm: str = ...
    depth: int | None = ...
    by: str | None = ...
    source: str = ...
    writer: str = ...
    unit: str = ...
    alpha: str = ...
    stops: str = ...

    def __post_init__(self):
        ...

    @property
    def level(self) -> Alpha:
        """Its alpha."""
        ...

    @property
    def levels(self) -> tuple:
        """The stops, ascending."""
        ...

@dataclass(frozen=True, eq=False)
class AskedQuestions(Stored):
    """The questions that calibrated a folder, and how: enough to calibrate it again.

questions: `Question`s
how: the fields of `HowCalibrated`
nearest: distance of each scored question to its nearest chunk
chunks: sum of the chunks that these distances are to"""
    questions: tuple
    how: dict
    nearest: np.ndarray = ...
    chunks: str = ...

    def as_stored(self) -> dict:
        """The questions as rows."""
        ...

    @classmethod
    def from_stored(cls, data):
        """Rows become questions."""
        ...

def copy_aside(folder: DocumentFolder, files) -> Path:
    """Copy files into a folder of their own in the store, named by the time and a number.

folder: in whose store
files: paths"""
    ...

def receiving(folder):
    """A context: a new folder in the store for what is being received or read, gone afterwards."""
    ...
LEFT = '.conflare-'

def forget_received(folder):
    """Remove what was being received when somebody was killed."""
    ...
ENOUGH_QUESTIONS = 60
