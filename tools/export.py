"""Write the modules, and what is made of them, from the notebooks: `python tools/export.py`.

nbdev-export writes the modules. The packages import their names lazily, which editors and type checkers cannot follow:
a stub beside each `__init__.py`, made from the same index, names them. The pages of the rooms list their modules. The
scripts and styles of js/ are bundled, where esbuild can be had.
"""

import sys
import bundle
import rooms
from nbs import ROOT, call

LIB = ROOT / 'conflare_nb'
HEAD = '# Made by tools/export.py: every public name and where it is defined.\n'


def stub(package: str) -> str:  # the text of its `__init__.pyi`
    "What a package, or one of its rooms, gives lazily, as imports that a type checker understands."
    from conflare_nb._lazy import public_names

    lines = [
        f'from {module.removeprefix(package)} import {name} as {name}\n'
        for name, module in public_names(package).items()
    ]
    version = '\n__version__: str\n' if package == LIB.name else ''
    return HEAD + ''.join(sorted(lines)) + version


def stubs() -> dict:  # {path: text}
    "The stub of the package and of each of its rooms."
    found = {}
    for init in sorted(LIB.rglob('__init__.py')):
        if '_lazy' not in init.read_text(encoding='utf-8'):
            continue
        package = '.'.join(init.parent.relative_to(ROOT).parts)
        found[init.with_suffix('.pyi')] = stub(package)
    return found


def write_stubs():
    "Write every stub; one that belongs to no package any more goes."
    sys.path.insert(0, str(ROOT))  # this checkout's index, wherever the package is installed from
    current = stubs()
    for path in LIB.rglob('__init__.pyi'):
        if path not in current:
            path.unlink()
    for path, text in current.items():
        path.write_text(text, encoding='utf-8')


def export() -> int:  # exit status
    "Modules first: what follows is made from them."
    failed = call('nbdev-export')
    if failed:
        return failed
    write_stubs()
    rooms.renew()
    missing = bundle.fetch_esbuild()
    if missing:
        print(f'scripts are not bundled: {missing}')
    else:
        bundle.write()
    return 0


if __name__ == '__main__':
    sys.exit(export())
