# Made by tools/export.py: what editors and type checkers see of this module.
"""What people can add: which chunk answers, whether a judge was right, questions of their own

Docs: https://conflare-nb.github.io/conflare_nb/labels/people.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import asdict, dataclass, field, replace
from fastcore.basics import patch
from .judges import plain_words
from .labeling import Label, not_found, verdict_key, verdict_rows
from ..documents.store import hits_of, KnowledgeBase, sql_text
from .question_store import kept_questions, question_rows, question_to_row
from .question import Question
from .writing import in_turn
from ..saving import digest
from ..words import plural, utc_now
from ..documents.late import LateHybrid
from ..documents.score import Score
__all__ = ['JudgingView', 'JudgingSession', 'WritingView', 'WritingSession']

@dataclass(frozen=True)
class SessionView:
    """How far a session is.

key: of what is asked; "" = nothing more
progress: how far it is, in words
finished: what came out, once nothing more is asked
done: items judged to their end, or questions written
total: in all
put_off: put off and still open
can_undo: whether there is something to take back"""
    key: str
    progress: str
    finished: str
    done: int
    total: int
    put_off: int
    can_undo: bool

    def state(self) -> dict:
        """The view as plain values."""
        ...

class Session:
    """What judging and writing share: items in order, the ones put off at the end."""

    def __repr__(self):
        ...

@dataclass(frozen=True)
class JudgingView(SessionView):
    """What is asked now, and what was said before on the same question.

question: its text
answer: its known answer, "" = none, or not to be shown
chunk: what to judge: rank, id, where, text
place: which chunk it is, in words
said: the chunks before it, as dicts with `answers`
can_put_off: whether there is something else to do first"""
    question: str = ...
    answer: str = ...
    chunk: dict | None = ...
    place: str = ...
    said: list = ...
    can_put_off: bool = ...

class JudgingSession(Session):
    """Session in which one person judges chunks, one at a time; every verdict is saved at once."""
    kb: KnowledgeBase
    judge: Any
    items: Any
    audit: Any
    known: Any
    keys: Any
    chunks: Any

    def __init__(self, kb: KnowledgeBase, items: list, name: str, depth: int=30, known: list | None=None, *, score: Score=...):
        """kb: as `create` or `open` gives it
items: `Question`s, to walk their rankings; or `Label`s, to look at their chunks
name: who judges; verdicts are kept under the judge "person:" + name
depth: with questions: chunks to look at for each, from the best
known: `Question`s to show the answers of; default: the items, if questions
score: that orders the chunks of a question"""
        ...

    def view(self) -> JudgingView:
        """What is to be shown now."""
        ...

    def answer(self, answers: bool) -> JudgingView:
        """Keep a verdict on what is shown; one that was given in another cell meanwhile stays.

answers: whether the chunk that is shown answers the question"""
        ...

    def undo(self) -> JudgingView:
        """Take back the last step: delete the verdict, or bring back what was put off."""
        ...

    def put_off(self) -> JudgingView:
        """Ask something else first; what is put off comes back at the end."""
        ...

    def labels(self) -> list:
        """The labels of a walk, one a question, none dropped."""
        ...

@dataclass(frozen=True)
class WritingView(SessionView):
    """The passage that asks for a question, and what was written so far.

where: title, heading and page
text: the passage
written: the last ten questions with their answers, as dicts, newest first
note: what became of the last one
draft: question and answer to begin with, when one was taken back"""
    where: str
    text: str
    written: list
    note: str
    draft: dict
_BLANK: Any

class WritingSession(Session):
    """Shows passages of the documents; a person writes a question beside each, kept at once."""
    kb: Any
    passages: Any
    n: Any

    def __init__(self, kb, n: int=50, seed: int=0):
        """kb: `KnowledgeBase`
n: questions wanted in all; at most one a passage
seed: another seed, other passages"""
        ...

    def view(self) -> WritingView:
        """What is to be shown now."""
        ...

    def write(self, question: str, answer: str='', mark: str='') -> WritingView:
        """Keep a question about the passage that is shown; its `note` says what counts as answering it.

question: as a user would ask it
answer: a short answer, best in the words of the text
mark: words of the text that answer"""
        ...

    def undo(self) -> WritingView:
        """Take back the last question: its passage is shown, its words as the draft."""
        ...

    def put_off(self) -> WritingView:
        """Show another passage; this one comes back when there is no other."""
        ...
_WHOLE_SECTION = 'Kept. The text does not contain a short answer word for word, so the whole section counts as answering.'
