"Language models behind one protocol: on this machine or on a server."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
