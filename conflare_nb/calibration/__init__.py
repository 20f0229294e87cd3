"From questions to calibration scores: who says what answers, and how far that can be trusted."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
