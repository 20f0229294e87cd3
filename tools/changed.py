"""Which notebooks have to run: those that changed since they last ran well, or something that they stand on did.

A notebook stands on its own code, the modules that it imports, directly or through others, and what everything
stands on: the lock, the package's data and the results that pages show. `.venv/green.json` keeps a sum of all that
for every notebook that ran without an error. One that reads other files of the repository runs every time.
"""

import ast, hashlib, json, re, sys
from functools import cache
from conflare_nb.saving import file_sum
from modules import builds_on, modules
from notebooks import asserts
from nbs import ROOT

GREEN = ROOT / '.venv' / 'green.json'
SHARED = ('requirements.lock', 'settings.ini', 'conflare_nb/data/**/*', 'conflare_nb/static/*', 'benchmarks/results/*')
READS_MORE = re.compile(r"Path\('\.\./\.\.'\)|\.ipynb'|^!|subprocess", re.M)


def notebooks() -> list[str]:
    found = (p.relative_to(ROOT).as_posix() for p in (ROOT / 'nbs').rglob('*.ipynb'))
    return sorted(name for name in found if '.ipynb_checkpoints' not in name)


@cache
def code(notebook: str) -> list[str]:
    "The source of a notebook's code cells, and of what is asserted beside it."
    cells = json.loads((ROOT / notebook).read_text(encoding='utf-8'))['cells']
    sources = [''.join(cell['source']) for cell in cells if cell['cell_type'] == 'code']
    return [*sources, *asserts(ROOT / notebook).values()]


@cache
def names() -> dict:  # {name: module}
    "The names that the package gives."
    stub = ast.parse((ROOT / 'conflare_nb/__init__.pyi').read_text(encoding='utf-8'))
    given = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module for node in given for alias in node.names}


def imported(cell: str) -> set[str]:
    "The modules of the package that a cell imports; `*`: any of them."
    lines = [line for line in cell.splitlines() if not re.match(r'\s*[%!]', line)]
    try:
        tree = ast.parse('\n'.join(lines))
    except SyntaxError:
        return {'*'}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            if any(alias.name.startswith('conflare_nb') for alias in node.names):
                found.add('*')
        elif isinstance(node, ast.ImportFrom) and (node.module or '').startswith('conflare_nb'):
            module = node.module.removeprefix('conflare_nb').lstrip('.')
            found |= {names().get(alias.name, '*') for alias in node.names} if not module else {module}
    return found


@cache
def stands_on(module: str) -> frozenset[str]:
    "A module, and all that it imports, directly or through others."
    found, new = set(), {module} & set(modules())
    while new:
        found |= new
        new = {other for one in new for other in builds_on(one)} - found
    return frozenset(found)


@cache
def shared_sum() -> str:
    "Of what all notebooks stand on."
    files = sorted(p for pattern in SHARED for p in ROOT.glob(pattern) if p.is_file())
    parts = [sys.version, *(f'{p.relative_to(ROOT)} {file_sum(p)}' for p in files)]
    return hashlib.sha256('\n'.join(parts).encode()).hexdigest()


def state(notebook: str) -> str:
    "A sum of everything that a notebook stands on."
    cells = code(notebook)
    found = set().union(*map(imported, cells))
    parts = modules() if '*' in found else set().union(*map(stands_on, found))
    sums = [file_sum(ROOT / 'conflare_nb' / f'{name.replace(".", "/")}.py') for name in sorted(parts)]
    return hashlib.sha256(json.dumps([cells, sums, shared_sum()]).encode()).hexdigest()


def green() -> dict:  # {notebook: the state in which it ran well}
    return json.loads(GREEN.read_text(encoding='utf-8')) if GREEN.is_file() else {}


def to_run(notebooks: list[str]) -> list[str]:
    "Those that have to run."
    known = green()

    def due(name):
        return READS_MORE.search('\n'.join(code(name))) or known.get(name) != state(name)

    return [name for name in notebooks if due(name)]


def ran_well(notebooks: list[str]) -> None:
    "Remember that these ran without an error as they are now."
    GREEN.write_text(json.dumps(green() | {name: state(name) for name in notebooks}, indent=0))
