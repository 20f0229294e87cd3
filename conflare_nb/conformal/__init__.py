"From scores to thresholds with a guarantee: numbers only."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
