# Made by tools/export.py: what editors and type checkers see of this module.
"""Where tables are kept: a folder on this machine, or a bucket in object storage

Docs: https://conflare-nb.github.io/conflare_nb/documents/tables.html.md"""
from typing import Any, ClassVar, overload
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from functools import cached_property
from itertools import count
from pathlib import Path
import os
import shutil
import time
import warnings
from fastcore.basics import patch
from ..saving import digest, one_at_a_time
from ..words import how_to_install
__all__ = []

class Tables:
    """LanceDB tables in a folder or below a URI, each of them whole or absent."""
    place: Any
    options: Any
    remote: Any

    def __init__(self, place, options=None):
        ...

    @cached_property
    def db(self):
        """LanceDB's own connection, without its notes for developers."""
        ...

    def open(self, name):
        ...

    def names(self):
        ...

    def has(self, name):
        """Whether a table was made, whole."""
        ...

    @contextmanager
    def making(self, name):
        """A context in which one process at a time makes a table, whole or not at all."""
        ...

    def check_refusal(self):
        """Raise ValueError where a store would let two writers overwrite each other."""
        ...

    def made(self, name, schema):
        """A table, made now unless it is there."""
        ...
_PROBE = 'written-once'
_CLIENT = ('allow_http', 'allow_invalid_certificates', 'timeout', 'connect_timeout', 'user_agent', 'proxy_url')

def open_bucket(place, options):
    """The same place for single objects, as obstore opens it."""
    ...
SAFE_AGE: Any

def tidy(table, age):
    """Now and then make few of many small pieces; versions replaced that long ago go. Whether it did."""
    ...

def append_rows(table, rows):
    """Append Arrow rows in one step."""
    ...

def rewrite(table):
    """Write the rows of a table into new files, and delete every other file and version of it."""
    ...
_LOCKS = 256

@patch
@contextmanager
def claim(self: Tables, names, stopped):
    """A context in which no other run holds these names; False = stopped. A bucket has no locks."""
    ...
