# Made by tools/export.py: what editors and type checkers see of this module.
"""Ask a question, get every answer that may be right, its passages, and what it cost

Docs: https://conflare-nb.github.io/conflare_nb/traq/assistant.html.md"""
from typing import Any, ClassVar, overload
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from fastcore.basics import store_attr
from fastcore.xml import Details, Li, P, Small, Summary, Ul
from .sameness import abstains, cluster_answers, rouge_same
from ..conformal.two_steps import Rule
from .sampling import AnswerSampler, Sampling
from .sets import AnswerSet, SampledPassage, SampledQuestion, TraqCalibration
from .sets import answer_set, check_rule, count_needed, set_html, settled
from ..saving import refuse_differences
from ..documents.score import Score
from ..documents.stored import stored_score
from ..models.llm import LLM
__all__ = ['Answers', 'AnswerSetRAG']

@dataclass(frozen=True, repr=False)
class Answers:
    """The answers to one question with their passages, and what they cost.

found: the set, and what is promised of it
passages: the pool: `Hit`s, best first
left_out: {text: how often}: what the model said as well and the set does not hold
drawn: answers that had to be drawn
fixed: K for every passage of the pool: what the papers draw"""
    found: AnswerSet
    passages: tuple
    left_out: dict
    drawn: int
    fixed: int

    def __len__(self):
        ...

    def __repr__(self):
        ...

    @property
    def cost(self) -> str:
        """What was asked and drawn, in words."""
        ...

    def _repr_html_(self):
        """The promise, a table, and what was left out; everything escaped."""
        ...

class AnswerSetRAG:
    """Assistant that answers a question with a calibrated set of answers."""
    rule: Rule
    kb: Any
    sampler: Any
    cal: TraqCalibration
    same: Callable
    step: int

    def __init__(self, source, llm: LLM, cal: TraqCalibration, alpha: float=0.3, rule: Rule | None=None, same: Callable=..., same_name: str='ROUGE-1 F1 > 0.7', step: int=5, score: Score | None=None):
        """source: `KnowledgeBase`, or a retriever on one
llm: the calibration's
cal: measured on this knowledge base, model and sampling; else refused
alpha: miscoverage level, 0 < alpha < 1; smaller = more answers
rule: which pairs stay, instead of `alpha`; default: half of the ranks each
same: same(a, b) -> bool, the calibration's
same_name: what `same` does, as the calibration's settings say it
step: answers drawn at a time
score: the calibration's; default: the one that its settings name"""
        ...

    def __repr__(self):
        ...

    def ask(self, question: str) -> Answers:
        """Retrieve, sample what has to be sampled, and keep the answers that may be right.

question: the user's question"""
        ...
_CHANGED = 'these answers were calibrated on another knowledge base; calibrate again: calibrate_answers(sampled_questions(sampler, questions)).'
