# Made by tools/export.py: what editors and type checkers see of this module.
"""Sample answers from a question and a passage, and keep each: nothing is ever sampled twice

Docs: https://conflare-nb.github.io/conflare_nb/traq/sampling.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import asdict, dataclass
import gzip
import json, re
import numpy as np
from fastcore.basics import chunked, patch, store_attr
from ..answers.rag import EXAMPLES
from .sameness import cluster_answers, rouge_same
from ..saving import digest, refuse_differences, storable_text
from ..words import progress_bar, utc_now
from ..labels.labeling import label_questions
from ..models.server import paid_replies
from ..labels.guide import sample_path
from ..documents.cutting import Hit
from ..documents.store import Rows, hits_of, sql_text
from ..documents.hybrid import Hybrid
from ..documents.score import Score
from .sets import SampledPassage, SampledQuestion
__all__ = ['Sampling', 'AnswerSampler', 'sampled_questions']
_DEFAULT = 'context-1'
_TASK = 'Answer the question from the passage only, in a few words.'
_WORKED: Any
_PROMPT: Any
PROMPTS: Any

def answer_prompt(question, chunk, template=...):
    """A template with a passage and a question in it, each on one line."""
    ...

@dataclass(frozen=True)
class Sampling:
    """How answers are sampled.

k: answers to each (question, passage)
pool: passages for each question, the best
temperature: higher = more varied answers
max_tokens: longest answer
stop: texts that end an answer
seed: draw j has seed + j
prompt: a name in `PROMPTS`, or a text with {context} and {question}"""
    k: int = ...
    pool: int = ...
    temperature: float = ...
    max_tokens: int = ...
    stop: tuple = ...
    seed: int = ...
    prompt: str = ...

    def __post_init__(self):
        ...

    @property
    def template(self) -> str:
        """The text of the prompt, with places for context and question."""
        ...

def answer_key(model, how, question, chunk):
    """What the samples of a (question, passage) are found by: all that they depend on, as 32 digits."""
    ...

def answer_rows(kb):
    """The table of sampled answers in a knowledge base's folder, a row a draw, numbered from 0."""
    ...

class AnswerSampler:
    """Draws answers, and remembers every one that was drawn on this knowledge base."""
    kb: Any
    rows: Any
    known: Any
    llm: Any
    how: Sampling
    batch: int
    score: Score

    def __init__(self, kb, llm, how: Sampling=..., batch: int=4, score: Score=...):
        """kb: `KnowledgeBase` as it is now; what is written later is not read
llm: an `LLM`; not loaded while every answer asked for is known
how: settings
batch: (question, passage) pairs to draw for, and to write, at a time
score: of a passage: the best are the pool"""
        ...

    def __repr__(self):
        ...

    def draw(self, pairs: list, upto: int | None=None, progress: bool=False) -> list:
        """The first draws of each pair; only the missing ones are drawn now.

pairs: (question, `Chunk`) pairs, the question as text
upto: how many of the draws; default: all K
progress: a progress bar"""
        ...

    def pool(self, question: str) -> list:
        """The passages that the model may be asked about.

question: the user's question"""
        ...

    def settings(self, same: str='ROUGE-1 F1 > 0.7', match: str='ROUGE-1 F1 >= 0.3') -> dict:
        """What samples, scores and sets depend on.

same: what makes two answers the same, in words
match: what makes an answer right, in words"""
        ...

    def load(self) -> dict:
        """Add the package's samples for the guide; ValueError names what differs, if settings do."""
        ...

def sampled_questions(sampler: AnswerSampler, questions: list, same=..., progress: bool=True) -> list:
    """Search, sample and cluster for every question.

sampler: who draws
questions: `Question`s with known answers
same: same(a, b) -> bool, clusters the answers to a passage
progress: progress bars"""
    ...
