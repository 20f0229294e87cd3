# Made by tools/export.py: every public name and where it is defined.
from .cutting import Chunk as Chunk
from .cutting import chunk_document as chunk_document
from .cutting import header as header
from .cutting import sentence_spans as sentence_spans
from .embedding import Embedder as Embedder
from .embedding import cache_dir as cache_dir
from .reading import Document as Document
from .reading import Section as Section
from .reading import decode_text as decode_text
from .reading import read_document as read_document
from .reading import read_folder as read_folder
from .store import KnowledgeBase as KnowledgeBase
from .store import Rows as Rows
from .store import chunks_of as chunks_of
from .store import sql_text as sql_text
