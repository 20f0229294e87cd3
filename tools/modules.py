"""What comes into a module and what goes out of it, said near the top of its page: made from the code alone.

In come the package's modules that it imports. Out go its public names, and the modules that use it.
"""

import ast
import posixpath
import re
from functools import cache
from pathlib import Path
from nbs import ROOT
from rooms import ROOMS

LIB = ROOT / 'conflare_nb'
CALLED = {'app.cli': 'the command line'}
SHOWN = 10  # rows; a longer table of names is folded


@cache
def modules() -> dict:  # {module: its syntax tree}; `retrieval.gate`, `saving`
    "The modules that come from notebooks."
    found = {}
    for file in sorted(LIB.rglob('*.py')):
        name = '.'.join(file.relative_to(LIB).with_suffix('').parts)
        if '__all__' in (text := file.read_text(encoding='utf-8')) and not file.stem.startswith('_'):
            found[name] = ast.parse(text)
    return found


def target(imported: ast.ImportFrom, module: str) -> str:  # '' where it is no module of the package
    "The module that an import of `module` names."
    name = imported.module or ''
    if not imported.level:
        full = name.removeprefix(f'{LIB.name}.')
    else:
        full = '.'.join([*module.split('.')[: -imported.level], *filter(None, [name])])
    return full if full in modules() else ''


@cache
def builds_on(module: str) -> list[str]:
    "The modules that a module imports, wherever in its code."
    imported = [node for node in ast.walk(modules()[module]) if isinstance(node, ast.ImportFrom)]
    return sorted({name for node in imported if (name := target(node, module))} - {module})


def used_by(module: str) -> list[str]:
    "The modules that import a module."
    return [other for other in modules() if module in builds_on(other)]


def public_names(module: str) -> list[str]:
    "What a module exports, in its own order."
    assigned = [node for node in modules()[module].body if isinstance(node, ast.Assign)]
    return next(ast.literal_eval(node.value) for node in assigned if node.targets[0].id == '__all__')


def meanings(module: str) -> dict:  # {name: what it is}
    "The docstring of every function and class."
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    defined = [node for node in modules()[module].body if isinstance(node, kinds)]
    return {node.name: ' '.join((ast.get_docstring(node) or '').split()) for node in defined}


def page_of(module: str) -> str:
    "A module's notebook in nbs/."
    return module.replace('.', '/') + '.ipynb'


def link(module: str, start: str) -> str:  # Markdown
    "A link to a module's page from a page in the folder `start`."
    name = CALLED.get(module, module.rpartition('.')[2])
    return f'[{name}]({posixpath.relpath(page_of(module), start)})'


def listed(texts: list[str]) -> str:
    "The texts as a sentence lists them."
    return ' and '.join(filter(None, [', '.join(texts[:-1]), *texts[-1:]]))


def linked(names: list[str], module: str) -> str:  # Markdown
    "Modules room by room, in the order of the rooms, with links from the page of another module."
    start = posixpath.dirname(page_of(module)) or '.'
    found = []
    for room in ROOMS:
        inside = [link(name, start) for name in names if name.startswith(f'{room}.')]
        if inside:
            found.append(f'{room} ({", ".join(inside)})')
    return listed(found + [link(name, start) for name in names if '.' not in name])


def sentences(module: str) -> str:  # Markdown
    "Where a module stands among the others."
    below, above = builds_on(module), used_by(module)
    it_takes = f'It builds on {linked(below, module)}.' if below else 'It needs no other module of the package.'
    it_serves = f'It is used by {linked(above, module)}.' if above else 'No other module uses it: it is for you.'
    return f'{it_takes} {it_serves}'


def names(module: str) -> str:  # Markdown
    "The public names of a module, each with its promise and a link to its entry on the page; many are folded."
    if not public_names(module):
        return 'Its names are for the other modules alone.'
    said = meanings(module)
    rows, others = ['| name | what it is |', '|:--|:--|'], []
    for name in public_names(module):
        text = said.get(name, '').replace('|', r'\|').replace('<', '&lt;')
        if name in said:
            rows.append(f'| [`{name}`](#{name.lower()}) | {text} |')
        else:
            others.append(f'`{name}`')
    opened = '<details open>' if len(rows) <= SHOWN else '<details>'
    count = len(public_names(module))
    summary = f'<summary>{count} public name{"s" * (count > 1)}</summary>'
    constants = [f'And the constants {listed(others)}.'] if others else []
    return '\n\n'.join([opened + summary, '\n'.join(rows), *constants, '</details>'])


def box(module: str) -> str:  # Markdown
    "What comes in, what goes out."
    said = f'**What comes in, what goes out.** {sentences(module)}'
    return '\n\n'.join(['::: {.ways}', said, names(module), ':::'])


def module_of(page: Path, root: Path) -> str:  # '' where a page defines none
    "The module that a page under `root` defines."
    name = '.'.join(page.relative_to(root).with_suffix('').parts)
    return name if name in modules() else ''


def insert(nb, module: str):
    "Put the box into a notebook: after what it opens with, before its first section and its first code."
    from nbformat.v4 import new_markdown_cell

    for at, cell in enumerate(nb.cells):
        section = re.search(r'^## ', cell.source, re.M) if cell.cell_type == 'markdown' else None
        if section or cell.cell_type == 'code':
            break
    made = [new_markdown_cell(box(module))]
    if section:
        made.append(new_markdown_cell(cell.source[section.start() :]))
        cell.source = cell.source[: section.start()]
        at += 1
    nb.cells[at:at] = made
