# Made by tools/export.py: what editors and type checkers see of this module.
"""Quote the sentences that answer a question, in a folder of your own or in the medication guide

Docs: https://conflare-nb.github.io/conflare_nb/app/asking.html.md"""
from typing import Any, ClassVar, overload
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from fastcore.basics import patch
from fastcore.xml import P, to_xml
from ..answers.quotes import Quotes
from ..answers.rag import ConformalRAG, measured_share
from .folder import DocumentFolder
from .opened import OpenedFolder, open_folder
from .terminal import Result, answer_text, filled, quotes_text, score_text
from ..documents.embedding import check_question
from ..documents.pdf_pages import with_rectangles
from ..models.load import load_llm
from ..saving import finite_or_none, storable_text
__all__ = ['Asked', 'ask_opened']

@dataclass(frozen=True, eq=False)
class Asked(Result):
    """What a folder quotes for a question, and what is promised of it.

quotes: with their promise
opened: that was asked
levels: where alpha may be moved; () = it is fixed
unlike: a warning; '' = the question is like those that calibrated
new_documents: whether the promise is about documents that did not calibrate
forecast: what a language model is about to read, and how long that takes
writes: gives what it makes of it, and what it read; None = nobody writes
rectangles: whether its data say where on a PDF page each quote stands
most: other sentences to print; None = all
explain: print the exact terms"""
    quotes: Quotes
    opened: OpenedFolder
    levels: tuple = ...
    unlike: str = ...
    new_documents: bool = ...
    forecast: str = ...
    writes: object = ...
    rectangles: bool = ...
    most: int | None = ...
    explain: bool = ...

    @cached_property
    def written(self) -> str:
        """What a language model made of it, once it has been asked; '' = nobody writes."""
        ...

    def parts(self):
        """The quotes, and then what is written, which may take a minute."""
        ...

    def _repr_html_(self):
        ...

    def to_dict(self) -> dict:
        """The quotes with their places, the threshold, and the promise, as JSON can hold them."""
        ...
_LONGEST = 2000

def ask_opened(opened: OpenedFolder, question: str, alpha: float | None=None, kind: str | None=None, new_documents: bool=False, moved: bool=False, **shown) -> Asked:
    """Quote sentences for a question; one of them answers it, as often as promised.

opened: at one moment
question: what is asked
alpha: chosen for this question, one of the folder's levels; default: its own, or `moved`
kind: the kind of this question, for its own threshold
new_documents: promise about documents that no calibration question is about
moved: whether alpha is chosen for each question, also where none is given
shown: fields of `Asked` that say what is printed"""
    ...
_WRITTEN = "Written by {name} from {n} {source}.{share} The promise is about these, and nothing is promised of the model's text:"
_SHOWN = 5
