# Made by tools/export.py: what editors and type checkers see of this module.
"""Chunks and their vectors in LanceDB, with a search that finds every chunk within a distance

Docs: https://conflare-nb.github.io/conflare_nb/documents/store.html.md"""
from typing import Any, ClassVar, overload
import pyarrow as pa
from bisect import bisect_left
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import fields
from datetime import timedelta
from functools import cached_property
from itertools import compress
from pathlib import Path
from threading import RLock
import hashlib
import json
import warnings
import numpy as np
from fastcore.basics import patch
from fastcore.xml import B, Details, P, Small, Summary, to_xml
from ..words import check_list, first_of, plural
from .cutting import SENTENCE_RULE, Chunk, Hit, chunk_document, header
from .embedding import Embedder, check_question, as_embedder
from .reading import Document
from .sentences import STATE_BYTES, STATE_COLUMNS, read_chunks, state_row, stored_read
from .tables import SAFE_AGE, Tables, append_rows, rewrite, tidy
__all__ = ['KnowledgeBase', 'store_rows', 'chunks_of', 'hits_of', 'pool_recall']
_MARGIN = 1e-05
_COLUMNS = ['id', 'document', 'title', 'heading', 'page', 'text', 'tokens', 'start']

class _Held:
    """All chunks of a table in memory, in the order of ids; columns that are not held stay on disk."""
    compressed = False
    table: Any
    ids: Any
    vectors: Any

    def __init__(self, table, columns):
        ...

    def nearest(self, q, k):
        """Places of the `k` nearest chunks, the nearest first."""
        ...

    def within(self, q, max_distance):
        ...

    def measured(self, places, q):
        ...

    def search(self, q, k):
        ...

    def columns(self, names):
        ...

    def taken(self, places, names):
        ...
_ALL = 1000000
_SPARE = 16
_BITS = 2
_REFINE = 20

class _Stored:
    """All chunks of a table on disk, asked as `_Held` is."""
    table: Any
    size: Any
    compressed: Any

    def __init__(self, table):
        ...

    def scan(self, query):
        """A search in LanceDB that reads every vector."""
        ...

    def found(self, search):
        """What a search finds, in the order of ids, with vectors and rough distances."""
        ...

    def within(self, q, max_distance):
        ...

    def search(self, q, k):
        """The `k` nearest: of a few more rows, unless chunks that were not found may be as near."""
        ...

    def columns(self, names):
        """Some columns of all chunks, in the order of ids."""
        ...

    @cached_property
    def ids(self):
        """All ids, ascending, and what LanceDB calls their rows."""
        ...

    def nearest(self, q, k):
        """Places of the `k` nearest chunks, for a pool: a compressed index may miss some."""
        ...

    def taken(self, places, names):
        ...

def sql_text(text):
    """A text as a literal in LanceDB's conditions: data, whatever it holds."""
    ...
_TABLE = 'chunks'
_META = b'conflare_nb'
_NO_TOKENS = '{} shows no states of its tokens, so the default score compares chunks, sentences and words, and not word with word'
_SAME_ANSWER = 0.01

def check_model(kept, now, what='this knowledge base was embedded with another model'):
    """Raise ValueError unless the embedding model is the one with the fingerprint that was kept."""
    ...

class _State:
    """One version of the table, and what was made from it."""
    table: Any
    size: Any
    remembered: Any
    making: Any

    def __init__(self, table):
        ...

class KnowledgeBase:
    """Chunks of documents in a LanceDB folder, searched exactly: see `create` and `open`.

embedder: makes the vectors of questions and passages"""
    embedder: Embedder
    path: Any
    tables: Any
    memory_budget: float
    config: Any

    @classmethod
    def open(cls, path: str | Path, embedder=None, memory_budget: float=2000000000.0, storage_options: dict | None=None) -> KnowledgeBase:
        """Open a knowledge base; the embedding model must be the one that made it.

path: a folder that `create` made, or a URI: "s3://bucket/kb"
embedder: the one that made it, or what `Embedder` takes; default: MiniLM
memory_budget: bytes of vectors in memory; above it, searches run on disk
storage_options: for a bucket, as LanceDB takes them"""
        ...

    @classmethod
    def is_there(cls, path: str | Path, storage_options: dict | None=None) -> bool:
        """Whether a whole knowledge base is there; what a killed `create` left is none.

path: a folder or a URI
storage_options: for a bucket, as LanceDB takes them"""
        ...

    @property
    def table(self):
        """LanceDB's own table as it is now; after writing to it, open the knowledge base again."""
        ...

    def __len__(self):
        ...

    def __repr__(self):
        ...

    def _repr_html_(self, most=20):
        """What a notebook shows: how much it holds, and the first documents' names, folded."""
        ...

    @classmethod
    def create(cls, path: str | Path, documents: list, embedder=None, budget: int | None=None, overlap: int=1, progress: bool=True, memory_budget: float=2000000000.0, storage_options: dict | None=None, states: bool | None=None) -> KnowledgeBase:
        """Cut, embed and store documents.

path: folder to make or to make anew, or a URI: "s3://bucket/kb"
documents: `Document`s, each with its own path
embedder: an `Embedder`, or what it takes: a name, a function; default: MiniLM
budget: tokens in a chunk with its header; default and limit: the model's
overlap: sentences repeated between neighbouring chunks
progress: progress bars
memory_budget: bytes of vectors in memory; above it, searches run on disk
storage_options: for a bucket, as LanceDB takes them
states: store token states, 25 kB a chunk; default: up to 100,000 chunks"""
        ...

    def snapshot(self) -> KnowledgeBase:
        """The chunks as they are now, for good, whatever is written meanwhile."""
        ...

    def remember(self, name: str, make):
        """Something made from the chunks, once: held until they change.

name: what it is held under
make: function of a snapshot, called where nothing is held"""
        ...

    @property
    def in_memory(self) -> bool:
        """Whether the vectors fit the memory budget."""
        ...

    @property
    def compressed(self) -> bool:
        """Whether a compressed index finds the pool: nearly the nearest chunks, the same ones each time."""
        ...

    def search_within(self, query: str | np.ndarray, max_distance: float):
        """Every chunk whose cosine distance is at most `max_distance`, the boundary included.

query: a question, or its unit vector
max_distance: cosine distance at most, in [0, 2]; `inf` = everything"""
        ...

    def search(self, query: str | np.ndarray, k: int=10):
        """The `k` nearest chunks; equal distances in the order of ids.

query: a question, or its unit vector
k: how many, >= 1"""
        ...

    def texts(self) -> list:
        """Everything stored, without the vectors: `Chunk`s in the order of ids."""
        ...

    def named(self, ids) -> dict:
        """The stored chunks of these ids.

ids: of stored chunks, each once or more often"""
        ...

    def parts(self, columns: list, size: int=50000):
        """Everything stored, without the vectors, part by part in the order of ids.

columns: names of fields
size: chunks in a part at most"""
        ...

    def documents(self) -> list:
        """The paths of its documents, sorted."""
        ...

    def search_pool(self, query: str | np.ndarray, k: int | None=50, also: list | np.ndarray=()) -> tuple:
        """The `k` nearest chunks and some others, with their distances.

query: a question, or its unit vector
k: nearest chunks, >= 1; None = all
also: places of more chunks, from 0, in the order of ids"""
        ...

    def read_closely(self, ids: list) -> list:
        """What the model reads of some chunks, token by token: stored, or read now where it is not.

ids: of stored chunks"""
        ...

    def changed(self, documents: list) -> list:
        """Which documents are not stored as they are now; nothing is embedded to find out.

documents: `Document`s"""
        ...

    def put(self, documents: list, progress: bool=True) -> list:
        """Add or replace documents in one step; each is cut once.

documents: `Document`s; one with a known path replaces what was stored under it
progress: a progress bar"""
        ...

    def add(self, documents: list, progress: bool=True) -> int:
        """Add or replace documents in one step.

documents: `Document`s, as for `put`
progress: a progress bar"""
        ...

    def delete(self, *paths: str, purge: bool=False):
        """Remove documents by their paths.

paths: documents to remove
purge: leave no trace of anything ever deleted: other handles must open again"""
        ...

    def fingerprint(self) -> dict:
        """What distances and pools depend on, JSON-able: model, chunker, chunks, metric, index."""
        ...
_KEY = {'lance-schema:unenforced-primary-key': 'true'}

def how_made(embedder, budget, overlap, states=True):
    """What a table says about itself: model, way of cutting, whether it keeps states; JSON-able."""
    ...

def cut_documents(documents, embedder, config):
    """The chunks to store, in tokens of the model; two documents with one path are refused."""
    ...

def embedded_rows(chunks, embedder, config, progress=True, known=()):
    """Chunks as the rows to store; `known` holds pairs of a key and what was made of it."""
    ...

def store_rows(path, rows, embedder, memory_budget, storage_options):
    """A knowledge base of rows from `embedded_rows`, as a table or a reader of many."""
    ...
_STATES_UP_TO = 100000

def chunks_of(rows: pa.Table) -> list:
    """Stored rows as chunks.

rows: `pyarrow.Table` of stored columns, those of a `Chunk`"""
    ...

def hits_of(rows: pa.Table) -> list:
    """What a search found, as chunks with their numbers.

rows: `pyarrow.Table` of a search, with whatever columns its score added"""
    ...

def pool_recall(kb: KnowledgeBase, questions: list, k: int=50) -> np.ndarray:
    """The share of the exact pool that is in the pool.

kb: with an index that finds its pools
questions: texts, or unit vectors
k: nearest chunks in a pool, >= 1"""
    ...
_SUM_KEPT_FROM = 50000

class Rows:
    """Plain rows in a table of a knowledge base's folder, appended as they come."""
    tables: Any
    name: Any
    schema: Any
    table: Any

    def __init__(self, kb, name, columns):
        ...

    def __len__(self):
        ...

    @property
    def version(self):
        """A number that every change of the table raises; 0 = before the first row."""
        ...

    def add(self, rows):
        """Append rows (dicts) in one step; the first ones make the table."""
        ...

    def read(self, where=None):
        """The rows (dicts) that a SQL condition names, with texts by `sql_text`, as they came; or all."""
        ...
