# Made by tools/export.py: what editors and type checkers see of this module.
"""A language model answers from the retrieved chunks alone, and says when they did not fit

Docs: https://conflare-nb.github.io/conflare_nb/answers/rag.html.md"""
from typing import Any, ClassVar, overload
from bisect import bisect_left
from dataclasses import dataclass, replace
import math, re
from fastcore.basics import patch, store_attr
from importlib.resources import files
import json, math, re
from fastcore.xml import to_xml, B, Li, Ol, P, Small
from .citations import check_citations, cited_numbers, without_numbers
from .claims import ClaimFilter, FilteredAnswer
from .particulars import UNKNOWN, is_unknown, not_read
from ..retrieval.calibration import Calibration
from ..documents.cutting import Chunk
from ..documents.store import KnowledgeBase, hits_of
from ..models.llm import LLM, Prompt, own_prompt, seconds_needed, timed_pieces
from ..retrieval.retriever import ConformalRetriever, Retrieved
from ..retrieval.retriever import conformal_filter, records_threshold
from ..saving import storable_text
from ..documents.score import Distance
__all__ = ['rag_prompt', 'Answer', 'ConformalRAG', 'do_certain_rag']
_INSTRUCTION: Any
EXAMPLES: Any
_CASE: Any
_WORKED: Any
_PROMPT: Any

def rag_prompt(question: str, rows: list, prompt: Prompt | str | None=None) -> str:
    """Instruction, four examples, the numbered chunks (best last) and the question.

question: the user's question
rows: `Chunk`s, best first
prompt: one's own, with {passages} and {question}"""
    ...
_PARTS: Any
_LOOP: Any

def reply_trouble(reply, cut=False, unread=()):
    """What is wrong, to follow 'the reply'; '' = nothing. `cut`: as long as may be; `unread`: of what nothing was read."""
    ...

def marked_reply(reply, trouble):
    """A reply with its trouble behind it in brackets."""
    ...

@dataclass(frozen=True, repr=False)
class Answer:
    """A model's reply with what it was given: chunks, or quoted sentences as chunks of their own.

question: the user's question
text: the reply without its bracketed numbers
cited: numbers of the chunks that it names, or takes its words from; 1 = best
given: `Chunk`s shown to the model, best first
left_out: chunks that did not fit into the context window, best first
retrieved: everything that was retrieved
note: what is guaranteed of the context, or why no longer
kind: what the model was given: 'chunks' or 'quoted sentences'
trouble: what is wrong with the reply; '' = nothing seen
citations: a `Citation` for what it quotes or cites: looked up in what was given
checked: its claims, where a `ClaimFilter` looked at them
no_answer: what the model was told to say where it does not know"""
    question: str
    text: str
    cited: tuple
    given: tuple
    left_out: tuple
    retrieved: Retrieved
    note: str
    kind: str = ...
    trouble: str = ...
    citations: tuple = ...
    checked: FilteredAnswer | None = ...
    no_answer: str = ...

    def __repr__(self):
        ...

    @property
    def shown(self) -> str:
        """The reply with a mark if something is wrong with it."""
        ...

    @property
    def unknown(self) -> bool:
        """Whether it says that it does not know."""
        ...

    @property
    def false_citations(self) -> tuple:
        """What it says is somewhere, and is not: see `check_citations`."""
        ...

    def _repr_html_(self):
        """The reply, its sources and the note; everything escaped."""
        ...

class ConformalRAG:
    """Answers questions from what a retriever finds, or from what a quoter quotes."""
    prompt: Any
    kind: Any
    retriever: Any
    llm: LLM
    max_new_tokens: int
    from_quotes: Any
    claims: ClaimFilter | None

    def __init__(self, retriever, llm: LLM, max_new_tokens: int=48, from_quotes=None, *, claims: ClaimFilter | None=None, prompt: Prompt | str | None=None):
        """retriever: `ConformalRetriever`, or another; not asked with a quoter
llm: as `load_llm` gives it
max_new_tokens: longest reply
from_quotes: a `Quoter`: the model reads its sentences instead of the chunks
claims: looks at the claims of every answer of this model
prompt: one's own, with {passages} and {question}"""
        ...

    def find(self, question: str) -> Retrieved:
        """What the model is to read.

question: the user's question"""
        ...

    def fit(self, question: str, rows: list) -> int:
        """How many chunks the model can be shown.

question: the user's question
rows: chunks, best first"""
        ...

    def forecast(self, question: str, retrieved: Retrieved | None=None) -> str:
        """How much the model would read for this question, whether it fits, and how long it may take.

question: the user's question
retrieved: what the model is to read, if it was found already"""
        ...

    def stream(self, question: str, retrieved: Retrieved | None=None):
        """The reply piece by piece, marked at its end if it went wrong; without a chunk nobody is asked.

question: the user's question
retrieved: what the model is to read, if it was found already"""
        ...

    def ask(self, question: str) -> Answer:
        """Retrieve, or quote, and answer from that only.

question: the user's question"""
        ...

def measured_share(name):
    """How many replies of a model were right, as a sentence (`benchmarks/replies.py`); '' = it was not measured."""
    ...

def do_certain_rag(question: str, vector_db, calibration_records: list, error_rate: float, *, llm: LLM, return_retrieved_chunks: bool=True, progress: bool=True):
    """Retrieve within the conformal threshold and answer (CONFLARE's function, corrected).

question: the user's question
vector_db: `KnowledgeBase`, or a Chroma collection with cosine distance
calibration_records: dicts with "cosine_distance", None = no answer; or a `Calibration`
error_rate: miscoverage level, 0 < error_rate < 1
llm: as `load_llm` gives it
return_retrieved_chunks: give the context back too
progress: say before the model is asked how much it reads, and for how long"""
    ...
