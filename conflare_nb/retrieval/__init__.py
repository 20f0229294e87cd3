"Every chunk within a calibrated threshold, and whether the promise is kept."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
