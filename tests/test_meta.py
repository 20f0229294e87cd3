"What must be said in several files is the same in all of them, and the house's rules hold in every notebook and module."

import ast, inspect, json, pkgutil, re, subprocess
from configparser import ConfigParser
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
import pytest, yaml, conflare_nb
from fastcore.docments import docments
from packaging.requirements import Requirement

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib  # Python 3.10

ROOT = Path(__file__).resolve().parents[1]
LIB = 'conflare_nb'
ini = ConfigParser(delimiters=['='])
ini.read(ROOT / 'settings.ini', encoding='utf-8')
ini = ini['DEFAULT']
proj = tomllib.loads((ROOT / 'pyproject.toml').read_text(encoding='utf-8'))['project']
site = yaml.safe_load((ROOT / '_quarto.yml').read_text(encoding='utf-8'))
MODULES = [
    m.name.removeprefix(f'{LIB}.')
    for m in pkgutil.walk_packages(conflare_nb.__path__, f'{LIB}.')
    if not m.ispkg and not m.name.rpartition('.')[2].startswith('_')
]
NAMES = {
    name: f'{LIB}.{module}'
    for module in MODULES
    for name in import_module(f'{LIB}.{module}').__all__
}  # public name -> its module
NBS = sorted(p for p in (ROOT / 'nbs').rglob('*.ipynb') if '.ipynb_checkpoints' not in p.parts)

# --- settings.ini is the one source


def test_version():
    assert conflare_nb.__version__ == ini['version']


def test_pyproject():
    from_setup = {
        'version',
        'description',
        'readme',
        'requires-python',
        'license',
        'authors',
        'keywords',
        'classifiers',
        'dependencies',
        'optional-dependencies',
        'entry-points',
        'scripts',
    }
    assert proj['name'] == ini['lib_name'] == ini['lib_path'] == LIB
    assert proj['urls'] == {
        'Repository': ini['git_url'],
        'Documentation': ini['doc_host'] + ini['doc_baseurl'],
    }
    assert set(proj['dynamic']) == from_setup and not from_setup & set(
        proj
    )  # what is not dynamic is dropped silently


def test_site():
    w = site['website']
    assert (w['title'], w['description']) == (ini['title'], ini['description'])
    assert (w['site-url'], w['repo-url'], w['repo-branch']) == (
        ini['doc_host'] + ini['doc_baseurl'],
        ini['git_url'],
        ini['branch'],
    )
    assert (w['repo-subdir'], site['project']['output-dir']) == (ini['nbs_path'], ini['doc_path'])


def test_one_site_config():
    assert (ROOT / 'nbs/_quarto.yml').samefile(ROOT / '_quarto.yml')


def test_nbdev_reads_the_same():
    from nbdev.config import get_config

    cfg = get_config(ROOT)
    for k in ('lib_name', 'version', 'git_url', 'doc_host', 'user', 'repo', 'branch'):
        assert getattr(cfg, k) == ini[k], k


def test_citation():
    cff = yaml.safe_load((ROOT / 'CITATION.cff').read_text(encoding='utf-8'))
    assert (cff['title'], cff['version'], cff['repository-code'], cff['url']) == (
        LIB,
        ini['version'],
        ini['git_url'],
        ini['doc_host'] + ini['doc_baseurl'],
    )
    assert cff['authors'] == [{'name': ini['author']}] and len(cff['references']) == 2


def test_workflows():
    flows = {
        p.stem: yaml.safe_load(p.read_text(encoding='utf-8'))
        for p in (ROOT / '.github/workflows').glob('*.yml')
    }
    text = (ROOT / '.github/workflows/nightly.yml').read_text(encoding='utf-8')
    assert set(flows) == {'tests', 'nightly', 'site', 'release', 'audit'}
    lo, hi = (int(ini[k].split('.')[1]) for k in ('min_python', 'max_python'))
    assert {f'3.{i}' for i in range(lo, hi + 1)} == set(re.findall(r'"(3\.\d+)"', text))
    assert {'schedule', 'workflow_dispatch'} <= flows['nightly'][
        True
    ].keys()  # YAML 1.1 reads `on` as true
    assert flows['tests']['jobs']['quick']['steps'][-1]['run'].endswith(' quick')
    assert flows['release']['jobs']['publish']['permissions'] == {
        'id-token': 'write'
    }  # trusted publishing: no password


def test_the_language_model_is_the_same_everywhere():
    pin = re.search(
        r"LANGUAGE_MODEL = '(\S+)'", (ROOT / 'tools/env.py').read_text(encoding='utf-8')
    )[1]
    assert pin in (ROOT / '.binder/postBuild').read_text(encoding='utf-8')
    assert pin in [str(r) for r, _ in locked()]


def locked():  # (requirement, sums) of every entry of the lock file
    entries = re.split(r'\n(?=\S)', (ROOT / 'requirements.lock').read_text(encoding='utf-8'))
    for entry in entries:
        if re.match(r'\w', entry):
            yield (
                Requirement(entry.partition(' \\')[0]),
                re.findall(r'--hash=sha256:([0-9a-f]{64})\b', entry),
            )


def test_everything_that_is_installed_has_a_sum():
    "All but PyTorch, whose build depends on the machine, on every Python and system; and the versions are those that were tested."
    entries = list(locked())
    assert all(
        sums and len(r.specifier) == 1 and next(iter(r.specifier)).operator == '=='
        for r, sums in entries
    )
    tested = {
        r.name: r
        for line in (ROOT / 'constraints.txt').read_text(encoding='utf-8').splitlines()
        if not line.startswith('#')
        for r in [Requirement(line)]
    }
    here = {
        r.name: str(r.specifier) for r, _ in entries if on(r, '3.11.12', 'linux')
    }  # where they were tested
    assert {
        n: str(r.specifier)
        for n, r in tested.items()
        if n != 'torch' and here.get(n) != str(r.specifier)
    } == {}
    lo, hi = (int(ini[k].split('.')[1]) for k in ('min_python', 'max_python'))
    for python in (f'3.{i}.12' for i in range(lo, hi + 1)):
        for system in ('linux', 'darwin', 'win32'):
            names = [r.name for r, _ in entries if on(r, python, system)]
            assert len(names) == len(set(names)) and {
                Requirement(r).name for r in ini['requirements'].split()
            } <= set(names)


def on(r, python, system):  # whether a requirement is for this Python and system
    here = dict(
        python_version=python.rpartition('.')[0],
        python_full_version=python,
        sys_platform=system,
        platform_python_implementation='CPython',
        platform_machine='x86_64',
        os_name='nt' if system == 'win32' else 'posix',
        platform_system=dict(linux='Linux', darwin='Darwin', win32='Windows')[system],
        implementation_name='cpython',
    )
    return not r.marker or r.marker.evaluate(here)


def test_the_installer_holds_every_part_to_its_sums():
    import env

    text, parts = (ROOT / 'tools/env.py').read_text(encoding='utf-8'), env.parts()
    assert list(parts) == ['', 'build', *env.PARTS['test']] and not re.search(
        r'^\w', parts[''], re.M
    )
    assert (
        "'--require-hashes'" in text and text.count('pip(') == 4
    )  # its definition, the lock, PyTorch, and this package without its needs
    assert not [
        line
        for line in text.splitlines()
        if 'pip(' in line
        and not re.search(r"def pip|require-hashes|'torch'|'--no-deps'.* '\.'", line)
    ]
    assert not re.search(
        '://', (ROOT / 'requirements.lock').read_text(encoding='utf-8')
    )  # no registry is named


def test_no_older_library_than_one_that_refuses_foreign_code():
    "sentence-transformers runs classes of a local folder's own before 6.0."
    oldest = next(
        Requirement(r) for r in ini['requirements'].split() if r.startswith('sentence-transformers')
    )
    assert not oldest.specifier.contains('5.99') and oldest.specifier.contains('6.0')


def test_torch_is_pinned():
    lines = (ROOT / 'constraints.txt').read_text(encoding='utf-8').splitlines()
    if lines:
        assert [l for l in lines if re.match(r'torch\b', l)] == ['torch==2.13.0']


# --- notebooks


def name(path):
    return path.relative_to(ROOT / 'nbs').as_posix()


each_nb = pytest.mark.parametrize('path', NBS, ids=name)


@cache
def cells(path):
    return json.loads(path.read_text(encoding='utf-8'))['cells']


def code(path):
    return [''.join(c['source']) for c in cells(path) if c['cell_type'] == 'code']


def exported(path):
    return [c for c in code(path) if re.search(r'^#\|\s*export[is]?\b', c, re.M)]


def default_exp(path):
    return next(
        (m[1] for c in code(path) if (m := re.search(r'^#\|\s*default_exp\s+(\S+)', c, re.M))), None
    )


def tree(cell):  # its syntax tree, without magics
    if re.match(r'%%(?!time|capture)', cell):
        cell = ''
    return ast.parse('\n'.join(l for l in cell.splitlines() if not re.match(r'\s*[%!]', l)))


def imports(
    tree, room=''
):  # every name that is imported, in full; `room`: where a relative import starts
    for n in ast.walk(tree):
        if isinstance(n, ast.Import):
            yield from (a.name for a in n.names)
        elif isinstance(n, ast.ImportFrom):
            home = '.'.join([LIB, *room.split('.')][: 3 - n.level]).strip('.') if n.level else ''
            yield from ('.'.join(filter(None, (home, n.module, a.name))) for a in n.names)


def our_imports(
    tree, room=''
):  # the modules of this package among them, without the package's name
    for full in imports(tree, room):
        if not full.startswith(f'{LIB}.'):
            continue
        module = NAMES.get(full.rpartition('.')[2], full).removeprefix(f'{LIB}.')
        yield next((m for m in (module, module.rpartition('.')[0]) if m in MODULES), module)


def pages(contents):  # of a sidebar; a section may have a page of its own
    for c in contents:
        if isinstance(c, str):
            yield c
        else:
            if 'href' in c:
                yield c['href']
            yield from pages(c.get('contents', []))


def strings(x):  # every text in a notebook, pictures left out
    if isinstance(x, str):
        yield re.sub(r'base64,[\w+/=\n]+', '', x)
    elif isinstance(x, list):
        yield from (s for v in x for s in strings(v))
    elif isinstance(x, dict):
        yield from (
            s for k, v in x.items() if k not in ('image/png', 'image/jpeg') for s in strings(v)
        )


def test_every_notebook_is_in_the_sidebar():
    assert NBS and {name(p) for p in NBS} <= set(pages(site['website']['sidebar']['contents']))


def test_every_room_has_a_page_with_its_drawing_and_its_modules():
    import rooms

    assert set(rooms.ROOMS) == {p.parent.name for p in (ROOT / LIB).glob('*/__init__.py')}
    for room in rooms.ROOMS:
        assert (ROOT / f'nbs/{room}/index.ipynb').read_text(encoding='utf-8') == rooms.page(room), (
            'run `python tools/export.py`'
        )
        assert (ROOT / f'nbs/images/rooms/{room}.svg').read_text(encoding='utf-8') == rooms.drawing(
            room
        )
        assert rooms.words(room).count(';') >= 2 and len(rooms.pages_of(room)) == rooms.table(
            room
        ).count('](')


def test_modules_and_their_notebooks_have_the_same_names():
    of = {name(p).removesuffix('.ipynb'): default_exp(p) for p in NBS}
    assert {n.replace('/', '.'): m for n, m in of.items() if m} == {m: m for m in MODULES}
    assert not [name(p) for p in NBS if exported(p) and not default_exp(p)]


@each_nb
def test_no_star_import_is_exported(path):
    assert not [
        c
        for c in exported(path)
        for n in ast.walk(tree(c))
        if isinstance(n, ast.ImportFrom) and n.names[0].name == '*'
    ]


@each_nb
def test_no_notebook_imports_its_own_module(path):
    "Not even through another module."
    seen, new = set(), {m for c in code(path) for m in our_imports(tree(c))}
    while new:
        seen |= new
        new = {
            m
            for mod in new
            if mod in MODULES
            for m in our_imports(ast.parse(source(mod)), mod.rpartition('.')[0])
        } - seen
    assert default_exp(path) not in seen


@each_nb
def test_no_notebook_shows_a_path_of_one_machine(path):
    assert not [
        s for s in strings(cells(path)) if re.search(r'(?<![\w.~-])/(?:work|root|home|tmp)/', s)
    ]


def markdown(path):
    return '\n'.join(''.join(c['source']) for c in cells(path) if c['cell_type'] == 'markdown')


def section(title):
    return next(
        c['contents']
        for c in site['website']['sidebar']['contents']
        if isinstance(c, dict) and c['section'] == title
    )


LESSON = re.compile(r'^\| \[[^\]]+\]\((tutorials/[^)#]+)\) \|.*\| (\d+) \| (\w+) \|$', re.M)


def tracks():  # {heading: [(lesson, minutes, level)]}
    parts = re.split(r'^## (.+)$', markdown(ROOT / 'nbs/learn.ipynb'), flags=re.M)
    found = {title: LESSON.findall(text) for title, text in zip(parts[1::2], parts[2::2])}
    return {title: rows for title, rows in found.items() if rows}


def test_the_learning_path_has_the_tracks_of_the_sidebar():
    listed = {title.lower(): [lesson for lesson, _, _ in rows] for title, rows in tracks().items()}
    assert listed == {
        track: section(f'Tutorials: {track}') for track in ('understand', 'use', 'go deep')
    }


def test_the_learning_path_says_of_a_lesson_what_the_lesson_says():
    rows = [row for rows in tracks().values() for row in rows]
    said = {
        lesson: re.search(
            r'\*\*Time:\*\* (\d+) minutes[^*]*\*\*Level:\*\* (\w+)', markdown(ROOT / 'nbs' / lesson)
        )
        for lesson, _, _ in rows
    }
    assert [row for row in rows if said[row[0]] and said[row[0]].groups() != row[1:]] == []
    assert sum(map(bool, said.values())) == len(said)


def test_the_glossary_names_what_exists():
    rows = [
        r
        for r in markdown(ROOT / 'nbs/explain/glossary.ipynb').splitlines()
        if r.startswith('| **')
    ]
    names = {n for r in rows for n in re.findall(r'`(\w+)`', r.split('|')[3])}
    assert len(names) > 15 and sorted(names - set(NAMES)) == []


LESSONS = [p for p in NBS if p.parent.name == 'tutorials']


def tools_module(name):
    import sys

    sys.path.insert(0, str(ROOT / 'tools'))
    return import_module(name)


def test_tutorials_open_elsewhere_and_install_there():
    own = tools_module('badges').cells
    for p in LESSONS:
        want = [''.join(c['source']) for c in own(p.relative_to(ROOT).as_posix())]
        assert [''.join(c['source']) for c in cells(p)[1:3]] == want, (
            f'{name(p)}: run `python tools/badges.py`'
        )


@pytest.mark.parametrize('path', LESSONS, ids=name)
def test_a_lesson_folds_what_is_said_of_a_prediction(path):  # JupyterLab closes results, not text
    folds, due = tools_module('folds'), False
    for cell in cells(path):
        source, jupyter = ''.join(cell['source']), cell['metadata'].get('jupyter', {})
        if cell['cell_type'] == 'code':
            closed = jupyter.get('outputs_hidden', False)
            due |= closed and folds.SOLUTION not in source
            assert not closed or jupyter.get('source_hidden') or 'fig-alt' not in source, cell['id']
        else:
            assert not due or source.startswith(folds.NOTICE), cell['id']
            assert source.count('<details>') == source.count('</details>'), cell['id']
            due = '**Predict' in source


@pytest.mark.parametrize('path', LESSONS, ids=name)
def test_a_lesson_asks_an_exercise_once(path):  # in its box, and not in a text before it as well
    assert not re.search(r'^\*\*\d\.\*\*', markdown(path), re.M)


# --- modules

each_module = pytest.mark.parametrize('mod', MODULES)


def source(mod):
    return (ROOT / LIB / f'{mod.replace(".", "/")}.py').read_text(encoding='utf-8')


def function(v):  # behind a method, a property or a class method; None for anything else
    v = next((f for a in ('__func__', 'fget', 'func') if (f := getattr(v, a, None))), v)
    return v if inspect.isfunction(v) else None


def public(
    mod,
):  # (name, object) of the public functions and classes of a module, and of the methods that a class itself defines
    m = import_module(f'{LIB}.{mod}')
    for n, o in ((n, getattr(m, n)) for n in m.__all__):
        if inspect.isfunction(o) or inspect.isclass(o):
            yield n, o
        if inspect.isclass(o):
            yield from (
                (f'{n}.{k}', f)
                for k, v in vars(o).items()
                if not k.startswith('_') and (f := function(v))
            )


@each_module
def test_everything_public_has_a_docstring(mod):
    def missing(o):
        return not o.__doc__ or o.__doc__.startswith(
            f'{o.__name__}('
        )  # a dataclass writes its signature there

    assert not [n for n, o in public(mod) if missing(o)]


def parameters(
    o,
):  # {name: docment}; of a class those that its own constructor or its own fields bring
    if inspect.isclass(o) and '__init__' not in vars(o):
        return {}
    found = docments(o, returns=False, args_kwargs=True)
    if is_dataclass(o):
        found = {p: d for p, d in found.items() if p in inspect.get_annotations(o)}
    return {p: d for p, d in found.items() if p not in ('self', 'cls')}


def says_no_more_than_its_base(
    mod, name
):  # a method that a base of its class has, with the same parameters
    holder, _, method = name.rpartition('.')
    if not holder:
        return False
    bases = getattr(import_module(f'{LIB}.{mod}'), holder).__mro__[1:]
    return any(method in vars(base) for base in bases)


def test_public_parameters_have_docments():
    docs = {
        f'{mod}.{n}({p})': d
        for mod in MODULES
        for n, o in public(mod)
        if not says_no_more_than_its_base(mod, n)
        for p, d in parameters(o).items()
    }
    bare = [p for p, d in docs.items() if not d]
    assert docs and len(bare) <= 0.05 * len(docs), (
        f'{len(bare)} of {len(docs)} parameters have no docment: {bare}'
    )


@each_module
def test_nothing_untrusted_is_run(mod):
    t = ast.parse(source(mod))
    calls = [ast.unparse(n) for n in ast.walk(t) if isinstance(n, ast.Call)]
    assert not [
        c for c in calls if re.match(r'(eval|exec|compile|(c?[pP]ickle|dill|joblib)\.loads?)\(', c)
    ]
    assert not [
        c for c in calls if re.search(r"(trust_remote_code|allow_pickle)'?\s*[=:]\s*True", c)
    ]
    names = [
        a.name
        for n in ast.walk(t)
        if isinstance(n, ast.ImportFrom) and n.module == 'pickle'
        for a in n.names
    ]
    assert not {'load', 'loads', '*'} & set(names)


# --- every tracked file


@cache
def tracked():  # {file: text}
    p = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, capture_output=True, text=True)
    if p.returncode:
        pytest.skip('not a git checkout')
    texts = {}
    for f in p.stdout.split('\0'):
        try:
            texts[f] = (ROOT / f).read_text(encoding='utf-8')
        except (UnicodeDecodeError, OSError):
            pass  # no text, or deleted since the last commit
    return texts


def test_nothing_is_left_to_do():
    assert not [f for f, t in tracked().items() if re.search(r'\b(?:TO[D]O|FIX[M]E)\b', t)]


def test_no_file_names_a_folder_of_one_machine():
    assert not [
        f
        for f, t in tracked().items()
        if not f.endswith('.ipynb') and re.search(r'(?<![\w.~-])/(?:work|root|home)/', t)
    ]
