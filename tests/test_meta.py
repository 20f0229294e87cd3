"What must be said in several files is the same in all of them, and the house's rules hold in every notebook and module."

import ast, inspect, json, pkgutil, re, subprocess
from configparser import ConfigParser
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
import badges, folds, grimp, pytest, yaml
import conflare_nb
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
ADDRESS = ini['doc_host'] + ini['doc_baseurl']
proj = tomllib.loads((ROOT / 'pyproject.toml').read_text(encoding='utf-8'))['project']
site = yaml.safe_load((ROOT / '_quarto.yml').read_text(encoding='utf-8'))
WALKED = [m for m in pkgutil.walk_packages(conflare_nb.__path__, f'{LIB}.') if not m.ispkg]
NAMED = [m.name.removeprefix(f'{LIB}.') for m in WALKED]
MODULES = [mod for mod in NAMED if not mod.rpartition('.')[2].startswith('_')]
LISTED = {mod: import_module(f'{LIB}.{mod}').__all__ for mod in MODULES}
NAMES = {name: f'{LIB}.{mod}' for mod in MODULES for name in LISTED[mod]}  # where each is public
NBS = sorted(p for p in (ROOT / 'nbs').rglob('*.ipynb') if '.ipynb_checkpoints' not in p.parts)

# --- settings.ini is the one source


def test_pyproject():
    from_setup = set(
        'version description readme requires-python license authors keywords classifiers '
        'dependencies optional-dependencies entry-points scripts'.split()
    )
    assert conflare_nb.__version__ == ini['version']
    assert proj['name'] == ini['lib_name'] == ini['lib_path'] == LIB
    assert proj['urls'] == {'Repository': ini['git_url'], 'Documentation': ADDRESS}
    # what is not dynamic is dropped silently
    assert set(proj['dynamic']) == from_setup and not from_setup & set(proj)


def test_site():
    web, made = site['website'], site['project']
    assert (web['title'], web['description']) == (ini['title'], ini['description'])
    assert (web['site-url'], web['repo-url']) == (ADDRESS, ini['git_url'])
    assert (web['repo-branch'], web['repo-subdir']) == (ini['branch'], ini['nbs_path'])
    assert made['output-dir'] == ini['doc_path']


def test_one_site_config():
    assert (ROOT / 'nbs/_quarto.yml').samefile(ROOT / '_quarto.yml')


def test_nbdev_reads_the_same():
    from nbdev.config import get_config

    cfg = get_config(ROOT)
    for k in ('lib_name', 'version', 'git_url', 'doc_host', 'user', 'repo', 'branch'):
        assert getattr(cfg, k) == ini[k], k


def test_citation():
    cff = yaml.safe_load((ROOT / 'CITATION.cff').read_text(encoding='utf-8'))
    said = cff['title'], cff['version'], cff['repository-code'], cff['url']
    assert said == (LIB, ini['version'], ini['git_url'], ADDRESS)
    assert cff['authors'] == [{'name': ini['author']}] and len(cff['references']) == 2


def test_workflows():
    files = sorted((ROOT / '.github/workflows').glob('*.yml'))
    texts = {path.stem: path.read_text(encoding='utf-8') for path in files}
    flows = {name: yaml.safe_load(text) for name, text in texts.items()}
    assert set(flows) == {'tests', 'nightly', 'site', 'release', 'audit'}
    assert {f'3.{i}' for i in minors()} == set(re.findall(r'"(3\.\d+)"', texts['nightly']))
    # YAML 1.1 reads `on` as true
    assert {'schedule', 'workflow_dispatch'} <= flows['nightly'][True].keys()
    assert flows['tests']['jobs']['quick']['steps'][-1]['run'].endswith(' quick')
    trusted = {'id-token': 'write'}  # publishing without a password
    assert flows['release']['jobs']['publish']['permissions'] == trusted


def minors():  # the minor versions of Python that are supported
    first, last = (int(ini[k].split('.')[1]) for k in ('min_python', 'max_python'))
    return range(first, last + 1)


def test_the_language_model_is_the_same_everywhere():
    env = read('tools/env.py')
    pin = re.search(r"LANGUAGE_MODEL = '(\S+)'", env)[1]
    assert pin in read('.binder/postBuild')
    assert pin in [str(r) for r, _ in locked()]


def read(path):
    return (ROOT / path).read_text(encoding='utf-8')


def locked():  # (requirement, sums) of every entry of the lock file
    for entry in re.split(r'\n(?=\S)', read('requirements.lock')):
        if re.match(r'\w', entry):
            sums = re.findall(r'--hash=sha256:([0-9a-f]{64})\b', entry)
            yield Requirement(entry.partition(' \\')[0]), sums


def test_everything_that_is_installed_has_a_sum():
    "All but PyTorch, whose build depends on the machine, on every Python and system; and the versions are those that were tested."
    entries = list(locked())
    for r, sums in entries:
        assert sums and [one.operator for one in r.specifier] == ['=='], r
    here = {str(r).partition(';')[0] for r, _ in entries if on(r, '3.11.12', 'linux')}
    tested = re.findall(r'^[^#\s]\S*', read('constraints.txt'), re.M)
    assert [r for r in tested if not r.startswith('torch==') and r not in here] == []
    needed = {Requirement(r).name for r in ini['requirements'].split()}
    for minor in minors():
        for system in ('linux', 'darwin', 'win32'):
            names = [r.name for r, _ in entries if on(r, f'3.{minor}.12', system)]
            assert len(names) == len(set(names)) and needed <= set(names)


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

    text, parts = read('tools/env.py'), env.parts()
    assert list(parts) == ['', 'build', *env.PARTS['test']]
    assert not re.search(r'^\w', parts[''], re.M)
    # its definition, the lock, PyTorch, and this package without its needs
    calls = [line for line in text.splitlines() if 'pip(' in line]
    held = r"def pip|require-hashes|'torch'|'--no-deps'.* '\.'"
    assert len(calls) == 4 and all(re.search(held, line) for line in calls)
    assert "'--require-hashes'" in text
    assert '://' not in read('requirements.lock')  # no registry is named


def test_no_older_library_than_one_that_refuses_foreign_code():
    "sentence-transformers runs classes of a local folder's own before 6.0."
    needs = {r.name: r for r in map(Requirement, ini['requirements'].split())}
    versions = needs['sentence-transformers'].specifier
    assert not versions.contains('5.99') and versions.contains('6.0')


def test_torch_is_pinned():
    assert re.findall(r'^torch\b.*', read('constraints.txt'), re.M) == ['torch==2.13.0']


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
    named = re.search(r'^#\|\s*default_exp\s+(\S+)', '\n'.join(code(path)), re.M)
    return named and named[1]


def our_imports(path):  # (module, name) of what a notebook takes from this package
    text = '\n'.join(cell for cell in code(path) if not re.match('%%(?!time|capture)', cell))
    lines = ['pass' if line.lstrip()[:1] in ('%', '!') else line for line in text.splitlines()]
    for node in ast.walk(ast.parse('\n'.join(lines))):
        if isinstance(node, ast.ImportFrom) and (node.module or '').startswith(LIB):
            yield from ((node.module, one.name) for one in node.names)


@cache
def upstream(module):  # what a module imports, by others, too
    return imported_by().find_upstream_modules(module)


@cache
def imported_by():
    return grimp.build_graph(LIB)


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
        texts = [v for k, v in x.items() if k not in ('image/png', 'image/jpeg')]
        yield from strings(texts)


def test_every_notebook_is_in_the_sidebar():
    assert NBS and {name(p) for p in NBS} <= set(pages(site['website']['sidebar']['contents']))


def test_every_room_has_a_page_with_its_drawing_and_its_modules():
    import rooms

    assert set(rooms.ROOMS) == {p.parent.name for p in (ROOT / LIB).glob('*/__init__.py')}
    for room in rooms.ROOMS:
        assert read(f'nbs/{room}/index.ipynb') == rooms.page(room), 'run `python tools/export.py`'
        assert read(f'nbs/images/rooms/{room}.svg') == rooms.drawing(room)
        listed = rooms.table(room).count('](')
        assert rooms.words(room).count(';') >= 2 and len(rooms.pages_of(room)) == listed


def test_modules_and_their_notebooks_have_the_same_names():
    of = {name(p).removesuffix('.ipynb'): default_exp(p) for p in NBS}
    assert {n.replace('/', '.'): m for n, m in of.items() if m} == {m: m for m in MODULES}
    assert not [name(p) for p in NBS if exported(p) and not default_exp(p)]


@each_nb
def test_no_notebook_imports_its_own_module(path):
    "Not even through another module."
    used = {NAMES.get(name, module) for module, name in our_imports(path)}
    behind = [upstream(module) for module in used & set(NAMES.values())]
    assert f'{LIB}.{default_exp(path)}' not in used.union(*behind)


def public_names(module):  # what it gives to users
    return conflare_nb.__all__ if module == LIB else LISTED[module.removeprefix(f'{LIB}.')]


@each_nb
def test_a_lesson_imports_only_what_is_public(path):
    if not default_exp(path):
        taken = [(module, name) for module, name in our_imports(path) if name != '*']
        assert [pair for pair in taken if pair[1] not in public_names(pair[0])] == []


@each_nb
def test_no_notebook_shows_a_path_of_one_machine(path):
    place = re.compile(r'(?<![\w.~-])/(?:work|root|home|tmp)/')
    assert [text for text in strings(cells(path)) if place.search(text)] == []


def markdown(path):
    return '\n'.join(''.join(c['source']) for c in cells(path) if c['cell_type'] == 'markdown')


def section(title):
    parts = [part for part in site['website']['sidebar']['contents'] if isinstance(part, dict)]
    return next(part['contents'] for part in parts if part['section'] == title)


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
    told = re.compile(r'\*\*Time:\*\* (\d+) minutes[^*]*\*\*Level:\*\* (\w+)')
    for rows in tracks().values():
        for lesson, *said in rows:
            assert told.findall(markdown(ROOT / 'nbs' / lesson)) == [tuple(said)], lesson


def test_the_glossary_names_what_exists():
    text = markdown(ROOT / 'nbs/explain/glossary.ipynb')
    rows = [row.split('|')[3] for row in text.splitlines() if row.startswith('| **')]
    names = set(re.findall(r'`(\w+)`', ' '.join(rows)))
    assert len(names) > 15 and sorted(names - set(NAMES)) == []


LESSONS = [p for p in NBS if p.parent.name == 'tutorials']


def test_tutorials_open_elsewhere_and_install_there():
    for p in LESSONS:
        want = [''.join(c['source']) for c in badges.cells(p.relative_to(ROOT).as_posix())]
        found = [''.join(c['source']) for c in cells(p)[1:3]]
        assert found == want, f'{name(p)}: run `python tools/badges.py`'


@pytest.mark.parametrize('path', LESSONS, ids=name)
def test_a_lesson_folds_what_is_said_of_a_prediction(path):  # JupyterLab closes results, not text
    due = False
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


def public(mod):  # (name, object) of its public functions and classes, and their own methods
    m = import_module(f'{LIB}.{mod}')
    for name, given in ((n, getattr(m, n)) for n in m.__all__):
        if inspect.isfunction(given) or inspect.isclass(given):
            yield name, given
        if inspect.isclass(given):
            own = {k: function(v) for k, v in vars(given).items() if not k.startswith('_')}
            yield from ((f'{name}.{k}', method) for k, method in own.items() if method)


@each_module
def test_everything_public_has_a_docstring(mod):
    def missing(o):  # a dataclass writes its signature there
        return not o.__doc__ or o.__doc__.startswith(f'{o.__name__}(')

    assert not [n for n, o in public(mod) if missing(o)]


def parameters(o):  # {name: docment}; of a class those that its own constructor or fields bring
    if inspect.isclass(o) and '__init__' not in vars(o):
        return {}
    found = docments(o, returns=False, args_kwargs=True)
    if is_dataclass(o):
        found = {p: d for p, d in found.items() if p in inspect.get_annotations(o)}
    return {p: d for p, d in found.items() if p not in ('self', 'cls')}


def test_public_parameters_have_docments():
    named = [(f'{mod}.{n}', o) for mod in MODULES for n, o in public(mod)]
    docs = {f'{n}({p})': d for n, o in named for p, d in parameters(o).items()}
    bare = [p for p, d in docs.items() if not d]
    assert docs and len(bare) <= 0.05 * len(docs), bare


@each_module
def test_nothing_untrusted_is_run(mod):
    nodes = list(ast.walk(ast.parse(source(mod))))
    calls = [ast.unparse(node) for node in nodes if isinstance(node, ast.Call)]
    run = r'(eval|exec|compile|(c?[pP]ickle|dill|joblib)\.loads?)\('
    trust = r".*(trust_remote_code|allow_pickle)'?\s*[=:]\s*True"
    assert [c for c in calls if re.match(f'{run}|{trust}', c, re.S)] == []
    taken = [n for n in nodes if isinstance(n, ast.ImportFrom) and n.module == 'pickle']
    assert not {'load', 'loads', '*'} & {one.name for node in taken for one in node.names}


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
    texts = {f: t for f, t in tracked().items() if not f.endswith('.ipynb')}
    assert not [f for f, t in texts.items() if re.search(r'(?<![\w.~-])/(?:work|root|home)/', t)]
