# Made by tools/export.py: what editors and type checkers see of this module.
"""From retrieved passages to a set of answers that holds a right one

Docs: https://conflare-nb.github.io/conflare_nb/traq/sets.html.md"""
from typing import Any, ClassVar, overload
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
import numpy as np
from fastcore.xml import B, P, Small, Table, Tbody, Td, Th, Thead, Tr, to_xml
from .sameness import Clusters, cluster_answers, is_match, rouge_match, rouge_same, wording
from ..saving import Stored
from ..retrieval.promise import Promise
from ..conformal.two_steps import Rule, combined_p, rank_threshold, too_few
from ..conformal.threshold import p_values
__all__ = ['SampledPassage', 'SampledQuestion', 'right_clusters', 'question_scores', 'TraqCalibration', 'calibrate_answers', 'unbounded', 'SetAnswer', 'AnswerSet', 'answer_set', 'samples_used']

@dataclass(frozen=True)
class SampledPassage:
    """One passage and what the model answered from it.

id: the passage
score: retrieval score, higher = stranger; `inf` = gold that retrieval missed
answers: K sampled answers; None = the model was not asked"""
    id: str
    score: float
    answers: Clusters | None = ...

@dataclass(frozen=True)
class SampledQuestion:
    """A question, its pool, and what is known of its answer.

id: unique; tells the splits apart
text: the question
pool: `SampledPassage`s, best first
gold: place of the gold passage in `pool`; None = no passage answers, or unknown
references: right answers"""
    id: str
    text: str
    pool: tuple
    gold: int | None = ...
    references: tuple = ...

    def __post_init__(self):
        ...

def right_clusters(answers: Clusters, references: tuple, match: Callable=...) -> list:
    """Which clusters are right, by their leader, the text that is shown.

answers: sampled answers
references: right answers
match: match(answer, reference) -> bool"""
    ...

def question_scores(q: SampledQuestion, match: Callable=...) -> tuple:
    """The two nonconformity scores of a question; `inf` = out of reach.

q: with gold passage and references, if there are any
match: match(answer, reference) -> bool"""
    ...

@dataclass(frozen=True)
class TraqCalibration(Stored):
    """The scores of both steps, and what they were measured on.

ids: of the questions
s_ret: (n,) retrieval scores; `inf` = gold passage not in the pool
s_qa: (n,) minus the size of the largest right cluster; `inf` = none is right
k: samples for each (question, passage)
settings: what they were sampled under: plain values for JSON"""
    ids: tuple[str, ...]
    s_ret: np.ndarray
    s_qa: np.ndarray
    k: int
    settings: dict = ...
    schema = 'conflare_nb.traq/2'
    called = 'calibration of answer sets'

    def __post_init__(self):
        ...

    @property
    def n(self) -> int:
        """How many questions calibrate."""
        ...

    @property
    def reach(self) -> tuple:
        """Share of questions with the gold passage in the pool, and share with some right cluster."""
        ...

    @overload
    def p_ret(self, score: float) -> float:
        """p-value(s) of passages.

score: retrieval score(s); `inf` = a passage outside the pool"""
        ...

    @overload
    def p_ret(self, score: float | np.ndarray) -> np.ndarray:
        """p-value(s) of passages.

score: retrieval score(s); `inf` = a passage outside the pool"""
        ...

    @overload
    def p_qa(self, count: int) -> float:
        """p-value(s) of answers.

count: samples in the cluster; 0 = an answer that was never sampled"""
        ...

    @overload
    def p_qa(self, count: int | np.ndarray) -> np.ndarray:
        """p-value(s) of answers.

count: samples in the cluster; 0 = an answer that was never sampled"""
        ...

    def thresholds(self, rule: Rule) -> tuple:
        """What a rule means in scores and samples.

rule: which pairs stay"""
        ...

def refuse_both(ids, others, rule):
    """Refuse questions that are among others too, by the rule that this would break."""
    ...

def asked_pool(q):
    """The passages of a question's pool; ValueError unless the model was asked about each."""
    ...

def samples_a_passage(questions):
    """How many answers every asked passage has; ValueError unless it is one number."""
    ...

def calibrate_answers(questions: list, match: Callable=..., settings: dict | None=None) -> TraqCalibration:
    """Measure the retrieval score and the answer score of every calibration question (TRAQ).

questions: `SampledQuestion`s with gold passage and references, none left out
match: match(answer, reference) -> bool
settings: of the samples, as `AnswerSampler.settings` gives them"""
    ...

def unbounded(cal: TraqCalibration, rule: Rule, best: float=...) -> str:
    """Why a set would have to hold more than was retrieved and sampled.

cal: calibration
rule: which pairs stay
best: retrieval score of the question's best passage"""
    ...

@dataclass(frozen=True)
class SetAnswer:
    """One answer of a set.

leaders: shown: the leaders of its clusters, best passage first, each wording once
count: samples of its largest cluster that stays
share: the same as a part of K: the model's confidence under that passage
p: combined p-value, its clusters' largest; not the probability of being right
passages: ids of the passages it comes from, best first
texts: everything that was said, as sampled; only the leaders are right or wrong"""
    leaders: tuple
    count: int
    share: float
    p: float
    passages: tuple
    texts: tuple

    @property
    def shown(self) -> str:
        """All its leaders, as a list shows it."""
        ...

@dataclass(frozen=True, repr=False)
class AnswerSet:
    """The answers to one question, and what is promised of them.

question: the question
answers: `SetAnswer`s, largest p-value first
asked: ids of the passages that the model had to be asked about
skipped: ids of passages of the pool from which no answer could have stayed
unbounded: why the true set is everything; "" if it is not
promise: what is promised of them; nothing, if the true set is everything"""
    question: str
    answers: tuple
    asked: tuple
    skipped: tuple
    unbounded: str
    promise: Promise

    def __len__(self):
        ...

    def __repr__(self):
        ...

    def covers(self, references: tuple, match: Callable=...) -> bool:
        """Whether a right answer is shown.

references: right answers
match: match(answer, reference) -> bool"""
        ...

    def _repr_html_(self):
        """The question, the promise and a table, everything escaped."""
        ...

def check_rule(rule, cal):
    """Raise ValueError unless a rule was made for the size of this calibration."""
    ...

def meanings(passages, same):
    """{(passage, cluster), by position: a number}; equal numbers mean the same."""
    ...

def answer_set(q: SampledQuestion, cal: TraqCalibration, rule: Rule, same: Callable=...) -> AnswerSet:
    """The union over passages of the answers that stay, merged by meaning.

q: every passage that passes the gate must have been asked about
cal: under the same settings
rule: made for the size of this calibration
same: same(a, b) -> bool, merges answers of different passages"""
    ...

def set_html(found, passages, *below):
    """The question, the promise (in red: none), a table with `passages(answer)`, and what is below."""
    ...

def count_needed(cal, rule, score):
    """How many samples an answer needs under a passage with this score; K+1 = no answer can stay."""
    ...

def settled(counts, drawn, k, need):
    """Whether none of the k-drawn samples to come can change which clusters have `need` of them."""
    ...

def draws_needed(answers, need, step=1):
    """After how many of the cached samples of a passage, drawn `step` at a time, the set is settled."""
    ...

def samples_used(q: SampledQuestion, cal: TraqCalibration, rule: Rule, step: int=1) -> dict:
    """How many samples a question costs.

q: with all samples of every passage that passes the gate
cal: calibration
rule: which pairs stay
step: samples drawn at a time"""
    ...
