"How strange a chunk is for a question: scores, one guarantee for all."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
