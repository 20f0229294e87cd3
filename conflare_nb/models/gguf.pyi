# Made by tools/export.py: what editors and type checkers see of this module.
"""A model in one file, run by llama.cpp in this process: four bits a weight, and no GPU

Docs: https://conflare-nb.github.io/conflare_nb/models/gguf.html.md"""
from typing import Any, ClassVar, overload
from contextlib import closing, contextmanager
from functools import cached_property
from http.client import HTTPConnection
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit
import json, re
from fastcore.basics import patch
from ..saving import cache_dir, file_sum
from ..documents.weights import from_hub, refuse_other_sum
from .llm import LLM, around_prompt, cut_at_stop
from ..words import how_to_install
__all__ = ['GgufLLM']
_NOT_INSTALLED: Any

def gguf_file(name):
    """The path of a GGUF file that lies here, or that the hub has under owner/name/FILE."""
    ...

class GgufLLM(LLM):
    """A language model in a GGUF file, run by llama.cpp; loaded at its first use."""
    file: str | Path
    name: Any
    chat: bool

    def __init__(self, file: str | Path, *, context_window: int=8192, chat: bool=True):
        """file: a GGUF file, or owner/name/FILE.gguf on the hub
context_window: tokens to make room for; no more than the model was trained on
chat: ask in the file's chat template, if it has one"""
        ...

    @property
    def context_window(self):
        """Tokens that a prompt and its reply may have together."""
        ...
_SEEDS: Any
_PUSH = 1000.0
