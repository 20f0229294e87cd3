"""Conformal retrieval: thresholds with a guarantee for retrieval-augmented generation."""
__version__ = "0.1.0"

# Every public name, imported from its module when it is first asked for: `import conflare_nb` stays quick.
# The list is nbdev's own index of the notebooks.
from ._modidx import d as _index
_lazy = {sym.rpartition('.')[2]: mod for mod, syms in _index['syms'].items() for sym in syms
         if sym.count('.') == mod.count('.')+1 and not sym.rpartition('.')[2].startswith('_')}

def __getattr__(name):
    from importlib import import_module
    if name in _lazy: return getattr(import_module(_lazy[name]), name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')

def __dir__(): return sorted({*globals(), *_lazy})
