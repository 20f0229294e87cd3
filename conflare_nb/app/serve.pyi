# Made by tools/export.py: what editors and type checkers see of this module.
"""A page for a team: ask a calibrated folder, slide, look into its documents, and add to them

Docs: https://conflare-nb.github.io/conflare_nb/app/serve.html.md"""
from typing import Any, ClassVar, overload
from ipaddress import ip_address
import re
import secrets
import socket
from fastcore.basics import patch
from .folder import DocumentFolder
from .live import FolderKeeper
from .terminal import say
__all__ = []

def is_own(host: str) -> bool:
    """Whether only this machine can reach an address.

host: an address, or a name"""
    ...

def checked_token(token):
    """The token of a server; made where none is given."""
    ...

def folder_server(folder, host, port, token):
    """(a server of uvicorn, its socket, the address to open) for a folder."""
    ...
