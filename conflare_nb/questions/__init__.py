"What users ask, and what is known of the answers."
from .._lazy import lazy
__getattr__, __dir__, __all__ = lazy(__name__)
