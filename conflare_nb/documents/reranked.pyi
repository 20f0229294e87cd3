# Made by tools/export.py: what editors and type checkers see of this module.
"""A cross-encoder reads question and passage together; its opinion becomes a score like any other

Docs: https://conflare-nb.github.io/conflare_nb/documents/reranked.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
import json
import numpy as np
from fastcore.basics import patch
from .cutting import header
from .weights import MODEL_FILES, model_folder
from ..saving import digest, file_sum
from .score import ShareScore
__all__ = ['Reranked']

@dataclass(frozen=True)
class Reranked(ShareScore):
    """-log of a chunk's share in its pool, by what a cross-encoder of sentence-transformers says.

model: a folder, or a name on the hub
pool: nearest chunks, and as many with the best words; None = all
T: temperature of the logits, > 0; smaller = differences count more
keep_first: the best of the pool scores 0"""
    model: str
    pool: int | None = ...
    T: float = ...
    keep_first: bool = ...
    with_words = True

    def __post_init__(self):
        ...

    @cached_property
    def folder(self) -> Path:
        """Where the model is, inspected."""
        ...

    @cached_property
    def files(self) -> str:
        """A digest of all that the model's numbers depend on, which names it wherever it is."""
        ...

    def merits(self, question, rows):
        """The cross-encoder's number for each passage, behind its title and heading; higher = better."""
        ...

    def fingerprint(self) -> dict:
        """The model's name, the digest of its files and the settings, but not where it is."""
        ...
_BATCH = 32
_ONE_AT_A_TIME: Any
