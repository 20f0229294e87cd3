# Made by tools/export.py: what editors and type checkers see of this module.
"""What a folder of documents can do: its methods, which are the commands

Docs: https://conflare-nb.github.io/conflare_nb/app/commands.html.md"""
from typing import Any, ClassVar, overload
from fastcore.basics import patch
from . import asking, mcp_server, measuring, serve
from .folder import DocumentFolder
from .opened import open_to_measure
_GIVEN_BY: Any
_all_ = ['DocumentFolder']
__all__ = ['DocumentFolder']
