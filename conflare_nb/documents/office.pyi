# Made by tools/export.py: what editors and type checkers see of this module.
"""What Word, PowerPoint and Excel files say, all of it, or else how many words were left out and why

Docs: https://conflare-nb.github.io/conflare_nb/documents/office.html.md"""
from typing import Any, ClassVar, overload
from collections import Counter
from contextlib import suppress
from datetime import datetime
from html import escape
from itertools import repeat
from pathlib import PurePosixPath
from xml.etree import ElementTree
import posixpath
import re
import unicodedata
from fastcore.basics import patch
from .markdown import note_mark
from .rows import table_lines, table_parts
__all__ = []

def xml_tree(archive, part):
    """The tree of a part of an archive, its names without namespaces; without such a part an empty one."""
    ...

def related(archive, part):
    """{identity: (kind, part)} of what a part leads to."""
    ...
_WRAPPERS = ('sdt', 'sdtContent', 'ins', 'moveTo', 'customXml', 'smartTag')

class Styles:
    """The styles of a Word file."""
    known: Any

    def __init__(self, root):
        ...

    def chain(self, name):
        """A style and what it is based on."""
        ...

    def level(self, name):
        """The level of headings in a style, 1 for the title; 0: it is for other text."""
        ...

    def says(self, name, path):
        """The value that a style has for a property."""
        ...
_SYMBOLS: Any
_SIGNS: Any
_LEFT_OUT = {'del': 'deleted', 'moveFrom': 'deleted'}
_SKIPPED: Any
_FURNITURE = ('sldNum', 'dt', 'ftr', 'hdr', 'sldImg')

class Office:
    """A Word or PowerPoint file, whose text is written as HTML; `left` counts the words left out."""
    write_nvPicPr: Any
    write_cNvPr: Any
    archive: Any
    left: Any
    styles: Any
    notes: Any
    boxes: Any
    in_table: Any
    parts: Any
    related: Any

    def __init__(self, archive):
        ...

    def open(self, part):
        """The tree of a part that is read; what it leads to is known from then on."""
        ...

    def leave(self, element, why):
        """Leave out a text and count its words."""
        ...

    def inner(self, element):
        ...

    def html(self, element):
        """The text of an element as HTML."""
        ...

    def write_t(self, text):
        ...

    def write_sym(self, sign):
        ...

    def write_r(self, run):
        """A run of letters of one kind."""
        ...

    def write_p(self, paragraph):
        """A paragraph, or a heading, with the boxes that hang on it."""
        ...

    def write_txbxContent(self, box):
        ...

    def write_AlternateContent(self, choices):
        """The first of several ways to say the same that says something."""
        ...

    def write_sdt(self, control):
        """What a control holds, but for a table of contents."""
        ...

    def write_ffData(self, field):
        """The entry that is chosen in an old list; other old fields have their text behind them."""
        ...

    def write_docPr(self, about):
        """What is said of a picture for those who do not see it, unless a program said it."""
        ...

    def write_tbl(self, table):
        """A table; a cell that spans rows is repeated in each."""
        ...

    def cells(self, row, above, kind):
        """The cells of a row as HTML; `above`: {column: text}, changed to those of this row."""
        ...

    def write_footnoteReference(self, mark):
        """The mark of a note, numbered in the order of the text."""
        ...

    def written_notes(self):
        """The notes of a Word file under their heading, each behind its mark."""
        ...

    def write_chart(self, chart):
        """The titles of a chart, and its numbers as a table."""
        ...

    def write_relIds(self, diagram):
        """The texts of a diagram (SmartArt)."""
        ...

    def document(self):
        """A Word file as HTML."""
        ...

    def leave_beside(self):
        """Count what stands beside the text."""
        ...

    def title(self):
        ...

    def write_sp(self, shape):
        """A shape with text; titles stand above, and what frames every slide is left out."""
        ...

    def slide(self, part):
        """A slide as HTML: its title, its text, its chart and diagrams, then what the speaker says."""
        ...

    def slides(self):
        """The slides of a PowerPoint file as HTML, in their order."""
        ...

    def unread(self, text):
        """{why or where: words} that are in a file and not in the text read from it."""
        ...
_FORMULAS: Any

def main_part(archive):
    """The part that an archive begins with."""
    ...
_BESIDE: Any
_TITLES = ('title', 'ctrTitle')
_NOT_LETTERS: Any

def squeezed(text):
    """The letters and figures of a text alone."""
    ...

def unread_words(paragraphs, text, odf=False):
    """{where: words} of (paragraph, where) whose letters are not in the text read."""
    ...

def sheets(path, left):
    """(name, paragraphs) of each sheet of a workbook, a row a paragraph as in other tables."""
    ...
