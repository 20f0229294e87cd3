"""Conformal retrieval: thresholds with a guarantee for retrieval-augmented generation."""
__version__ = "0.1.0"

import lazy_loader

_find, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

def __getattr__(name):
    "Each name when it is first asked for."
    globals()[name] = thing = _find(name)
    _explain(thing)
    return thing

def _explain(thing):
    "Put what is said of parameters into the docstrings of a function, or of a class and its methods, for `help`."
    from fastcore.docments import docments
    members = vars(thing) if isinstance(thing, type) else ()
    for one in [thing, *(getattr(thing, name) for name in members if not name.startswith('_'))]:
        one = getattr(one, '__func__', one)    # of a class method
        try:
            notes = docments(one, returns=False)
        except (AttributeError, OSError, TypeError, ValueError): continue    # a value, or no source
        lines = [f'    {name}: {note}' for name, note in notes.items() if note]
        if lines: one.__doc__ = '\n'.join([one.__doc__ or '', '', *lines])
