"""Conformal retrieval: thresholds with a guarantee for retrieval-augmented generation."""
__version__ = "0.1.0"

from ._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
