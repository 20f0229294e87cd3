"Everything that is looked at: pictures, explorers, pages, reports."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
