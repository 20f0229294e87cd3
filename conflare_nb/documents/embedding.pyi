# Made by tools/export.py: what editors and type checkers see of this module.
"""Texts become vectors: with the model that comes as a package, or one from a folder or the hub

Docs: https://conflare-nb.github.io/conflare_nb/documents/embedding.html.md"""
from typing import Any, ClassVar, overload
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
import hashlib
import importlib.util
import json
import re
import numpy as np
from fastcore.basics import patch
from .minilm import MiniLM
from .own import OwnModel, server_embeddings
from .plain import plain_places, plain_text, words_of
from .tokens import AskedTokens, TokenRule, minilm_rule
from ..saving import file_sum
from .weights import model_folder, refuse_other_sum
from ..words import progress_bar
__all__ = ['Embedder', 'as_embedder']
_MINILM_SHA256 = '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db'
_NAMED = {'multilingual': 'intfloat/multilingual-e5-small'}
_E5: Any

class _Library:
    """A model in sentence-transformers."""
    model: Any
    dim: Any
    prompts: Any
    max_tokens: Any
    settings: Any

    def __init__(self, model):
        ...

    def passages(self, texts):
        ...

    def read(self, texts):
        ...

    def read_question(self, text):
        ...

    def count(self, texts):
        ...

def best_device():
    """Where this machine computes fastest, as sentence-transformers decides it."""
    ...

class Embedder:
    """An embedding model with its identity: unit vectors in float32."""
    own: Any
    name: Any
    device: str | None
    batch_size: int
    anew: bool

    def __init__(self, model='minilm', device: str | None=None, batch_size: int=32, anew: bool=False):
        """model: "minilm" (a package), "multilingual", a folder, a hub name, an address, one's own
device: "cpu", "cuda", "mps"; default: the best there is
batch_size: passages embedded together; larger = faster on a GPU, more memory
anew: read everything, also what was read in the guide and is known"""
        ...

    def __repr__(self):
        ...

    @cached_property
    def folder(self) -> Path:
        """Where the model is."""
        ...

    @cached_property
    def weights(self) -> str:
        """sha256 of the weights, or of the sums of several files: the model's name wherever it is."""
        ...

    @cached_property
    def runs(self):
        """What makes the vectors: the embedded model by itself on a CPU, else `model`."""
        ...

    @cached_property
    def measures(self):
        """What knows the model's sizes and counts its tokens: of the embedded one without running it."""
        ...

    @cached_property
    def model(self):
        """The SentenceTransformer, loaded when first used."""
        ...

    @cached_property
    def tokens(self) -> TokenRule:
        """How the states of tokens are kept and weighed: measured for the embedded model."""
        ...

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens of text that the model reads; it ignores the rest."""
        ...

    def embed_passages(self, texts: list, progress: bool=True) -> np.ndarray:
        """Vectors of passages, in batches.

texts: passages, each with its header where there is one
progress: a progress bar when there is more than one batch"""
        ...

    def embed_sentences(self, texts: list, progress: bool=True) -> np.ndarray:
        """Vectors of sentences, in batches.

texts: sentences, each with the header of its passage where there is one
progress: a progress bar when there is more than one batch"""
        ...

    def embed_queries(self, texts: list, progress: bool=True) -> np.ndarray:
        """Vectors of questions, each embedded by itself, so that company changes nothing.

texts: questions
progress: a progress bar from 50 questions on"""
        ...

    def read_questions(self, texts: list, progress: bool=True) -> list:
        """Questions token by token, each read by itself, so that company changes nothing.

texts: questions
progress: a progress bar from 50 questions on"""
        ...

    def read_passages(self, texts: list, progress: bool=True) -> list:
        """Passages token by token, in batches; the vector comes from the same pass.

texts: passages, each with its header where there is one
progress: a progress bar when there is more than one batch"""
        ...

    def count_tokens(self, texts: list) -> list:
        """Length of each text in the model's own tokens, without the special ones it adds.

texts: any texts"""
        ...

    def fingerprint(self) -> dict:
        """What a distance depends on, JSON-able: weights, prompts, tokens read, normalisation."""
        ...

def reading_key(model, kind, text):
    """What one reading is kept under: a sum of the model's fingerprint, the kind and the text."""
    ...

@cache
def guide_readings():
    """What the embedded model reads in the medication guide, by key: it comes with the package."""
    ...

def as_embedder(model):
    """An embedder as it is; anything that `Embedder` takes becomes one; None = the embedded model."""
    ...
_ENGLISH: Any
_OTHERS: Any

def is_foreign(text):
    """Whether a text is in another language than English, by its script or its smallest words."""
    ...

def check_question(question):
    """Raise ValueError unless a question has words."""
    ...
