"""Conformal retrieval: thresholds with a guarantee for retrieval-augmented generation."""
__version__ = "0.1.0"

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)    # each name when it is first asked for
