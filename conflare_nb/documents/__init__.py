"From files to chunks that can be searched."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
