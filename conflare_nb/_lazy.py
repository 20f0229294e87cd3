"Public names, each imported from its module when it is first asked for: `import conflare_nb` stays quick."
from importlib import import_module
from ._modidx import d as _index


def public_names(
    package:str, # "conflare_nb", or one of its rooms, such as "conflare_nb.conformal"
)->dict: # {name: the module that defines it}
    "What the notebooks of a package define, from nbdev's own index of them."
    names = {}
    for module, symbols in _index['syms'].items():
        if not f'{module}.'.startswith(f'{package}.'): continue
        for symbol in symbols:
            parent, _, name = symbol.rpartition('.')
            if parent == module and not name.startswith('_'): names[name] = module
    return names


def lazy(
    package:str, # its `__name__`
)->tuple: # `__getattr__`, `__dir__` and `__all__` for its `__init__`
    "A package that imports a public name when it is first asked for (PEP 562)."
    home = public_names(package)

    def __getattr__(name):
        if name in home: return getattr(import_module(home[name]), name)
        raise AttributeError(f'module {package!r} has no attribute {name!r}')

    def __dir__(): return sorted(home)

    return __getattr__, __dir__, sorted(home)
