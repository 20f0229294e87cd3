"From retrieved chunks to an answer, and to sets of answers with a guarantee."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
