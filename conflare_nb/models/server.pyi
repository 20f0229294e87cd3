# Made by tools/export.py: what editors and type checkers see of this module.
"""A language model behind an address: ask again while it is busy, and take only whole replies

Docs: https://conflare-nb.github.io/conflare_nb/models/server.html.md"""
from typing import Any, ClassVar, overload
from base64 import b64encode
from itertools import chain, count, islice, takewhile
from threading import Event
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit
import json
import time
from fastcore.basics import patch, store_attr
from ..errors import ServerError
from ..saving import no_number, storable_text
from .llm import LLM, cut_at_stop
from .local import TransformersLLM
from .concurrency import PaidWork, pieces_until
__all__ = ['EndpointLLM']

def shown_address(name):
    """An address as it may be shown and stored."""
    ...

class EndpointLLM(LLM):
    """A chat model behind an OpenAI-compatible server."""
    name: str
    base_url: Any
    timeout: float
    retries: int
    backoff: float
    workers: int
    deadline: float

    def __init__(self, model: str, base_url: str, *, api_key: str | None=None, timeout: float=60.0, retries: int=3, backoff: float=1.0, workers: int=4, context_window: int | None=4096, tokenizer: str | None=None, deadline: float=600.0):
        """model: the name that the server knows it by
base_url: such as "http://localhost:8000/v1"
api_key: the server's key
timeout: seconds of silence to wait for
retries: when the server is busy (429), failing (5xx), slow or away
backoff: seconds before the first retry; doubled each time, or as it asks
workers: requests under way at once
context_window: tokens, as the server was started; None = as it says
tokenizer: hub name or directory that counts tokens; None = estimate
deadline: seconds for one reply, with all its repetitions"""
        ...

    def count_tokens(self, texts: list[str]) -> list[int]:
        """Tokens of each prompt by `tokenizer`, or an estimate: one for 3 characters, and 16."""
        ...

    @property
    def context_window(self) -> int:
        """Tokens that a prompt and its reply may have together."""
        ...
_BROKEN_OFF = ('abort', 'error', 'content_filter')

class _Refused(Exception):
    """A reply with another status than 200, and the first 2,000 bytes of what it says."""
    status: Any
    wait: Any
    to: Any

    def __init__(self, response):
        ...

def requested(url, payload, headers, seconds, most):
    """The bytes of a reply, as they come: at most so many; a redirect is refused. No payload: a GET."""
    ...

def what_happened(error, seconds, deadline, expected):
    """What went wrong, in words that follow the address."""
    ...
_FEW_SECONDS = 5

def paid_replies(error, n):
    """The replies of a call, `n` a prompt, that came before an error: of each prompt the first ones."""
    ...
