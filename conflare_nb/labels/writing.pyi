# Made by tools/export.py: what editors and type checkers see of this module.
"""Questions written by a language model from the documents themselves, one sentence at a time

Docs: https://conflare-nb.github.io/conflare_nb/labels/writing.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass
import re, unicodedata
import numpy as np
from fastcore.basics import patch
from ..saving import digest, storable_text
from ..words import plural, progress_bar
from ..documents.cutting import Chunk, sentence_spans
from ..documents.store import KnowledgeBase, sql_text
from ..models.concurrency import PaidWork
from .question import Question
from .filters import question_problem, vector_problem, words_in
from .question_store import kept_questions, question_rows, question_to_row, row_to_question
from ..models.llm import LLM
__all__ = ['Generated', 'generate_questions']
_HIDDEN: Any
_NO_TEXT = ('Cc', 'Cf', 'Cs', 'Co', 'Cn')
_ALLOWED = '\n\t\u200c\u200d'
_LABEL = '[ \\t>*#_\\-\\d.)(]*{}[*_]*[ \\t]*[:：][*_]*[ \\t]*(.*)'
_QUESTION: Any
_ANSWER: Any

def parse_question(reply: str) -> tuple:
    """The one (question, answer) in a reply, each on one line; ValueError says what is wrong."""
    ...
_OPENS: Any

@dataclass(frozen=True)
class _Fact:
    """A sentence worth asking about, and where it is."""
    chunk: Chunk
    sentence: str
_CLOSE = 0.15

def in_turn(groups: dict, seed: int) -> list:
    """One of every group (lists by name) in turn, then a second one, both in an order of the seed."""
    ...
_VERSION = 'sentence/1'
_STOPS = ('\nTopic:', '\nSentence:')
_LONGEST = 64
_INSTRUCTION = 'Each sentence is about its topic. Ask a question about the topic in the words of the sentence, then answer it with words of the sentence.'
_EXAMPLES: Any

def question_prompt(title: str, sentence: str) -> str:
    """Instruction, five examples, topic and sentence: one text for completion and chat models alike."""
    ...
_UNREAD = 'not needed yet'

class _Run:
    """One run: what was said in this one and in others, and the rows that come of it."""
    kb: Any
    llm: Any
    record: Any
    table: Any
    said: Any
    calls: Any
    paid: Any
    known: Any
    topic: Any
    kept: Any

    def __init__(self, kb, llm, topic='', seed=0):
        ...

    def vectors(self, texts):
        ...

    def key(self, fact):
        """What the reply to a sentence is found by: model, prompt and settings."""
        ...

    def learn(self, rows):
        """Take over replies that are written down."""
        ...

    def row(self, fact, reason, text='', answer=''):
        """A row about the reply to a sentence: with a question, or with the reason against one."""
        ...

    def ask(self, facts):
        """See to it that the reply to every sentence is known; only what was never asked is asked."""
        ...

    def pay(self, facts):
        """Ask about sentences that no other run is asking about, and write down the replies, unread."""
        ...

    def problem(self, fact, text, answer):
        """The reason against a question; if there is none it is kept, and '' comes back."""
        ...

    def read(self, fact):
        """The row of a sentence, its reply read now: with a question, or with the reason against it."""
        ...

    def batch(self, facts, wanted):
        """The rows of some sentences, up to the last question wanted; new ones are written in one step."""
        ...

@dataclass(frozen=True, repr=False)
class Generated:
    """Generated questions, and what became of every sentence that was asked about.

questions: `Question`s kept, at most as many as wanted
wanted: how many were asked for
fates: (sentence, reply) pairs by "kept" or the reason against, most frequent first
left: sentences worth asking about that were not asked
calls: replies paid for in this run; the others were known
model: its name"""
    questions: list
    wanted: int
    fates: dict
    left: int
    calls: int
    model: str

    @property
    def counts(self) -> dict:
        """How many sentences were kept, or lost to each reason."""
        ...

    @property
    def asked(self) -> int:
        """How many sentences were asked about, in this run and earlier ones."""
        ...

    @property
    def shortfall(self) -> str:
        """Why there are fewer questions than you asked for; "" if there are not."""
        ...

    def __repr__(self):
        ...

def generate_questions(kb: KnowledgeBase, llm: LLM, n: int, topic: str='', seed: int=0, *, limit: int | None=None, batch: int=16, progress: bool=True) -> Generated:
    """Questions written by a language model (CONFLARE, step 1); a run that was stopped resumes.

kb: as `create` or `open` gives it
llm: as `load_llm` gives it
n: questions to keep
topic: what they should be about; default: anything
seed: another seed, other sentences first
limit: most sentences to ask about; default: 20 a question wanted, at least 200
batch: sentences asked about at once; after each batch its rows are written
progress: a progress bar"""
    ...
