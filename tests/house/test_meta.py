"What must be said in several files is the same in all of them, and the house's rules hold in every notebook and module."

import ast, inspect, json, pkgutil, re, subprocess
from configparser import ConfigParser
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
import badges, env, folds, pytest, rooms, yaml, conflare_nb
from fastcore.docments import docments
from packaging.requirements import Requirement

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib  # Python 3.10
ROOT = Path(__file__).resolve().parents[2]
LIB = 'conflare_nb'
ini = ConfigParser(delimiters=['='])
ini.read(ROOT / 'settings.ini', encoding='utf-8')
ini = ini['DEFAULT']
proj = tomllib.loads((ROOT / 'pyproject.toml').read_text(encoding='utf-8'))['project']
site = yaml.safe_load((ROOT / '_quarto.yml').read_text(encoding='utf-8'))
FOUND = [m.name for m in pkgutil.walk_packages(conflare_nb.__path__, f'{LIB}.') if not m.ispkg]
MODULES = [name.removeprefix(f'{LIB}.') for name in FOUND if '._' not in name]
# public name -> its module
NAMES = {name: f'{LIB}.{module}' for module in MODULES for name in import_module(f'{LIB}.{module}').__all__}
NBS = sorted(p for p in (ROOT / 'nbs').rglob('*.ipynb') if '.ipynb_checkpoints' not in p.parts)
FROM_SETTINGS = 'version description readme requires-python license authors keywords classifiers'
FROM_SETTINGS += ' dependencies optional-dependencies entry-points scripts'
SITE = ini['doc_host'] + ini['doc_baseurl']


def test_pyproject():
    assert conflare_nb.__version__ == ini['version']
    assert proj['name'] == ini['lib_name'] == ini['lib_path'] == LIB
    urls = dict(Repository=ini['git_url'], Documentation=SITE, Issues=f"{ini['git_url']}/issues")
    assert proj['urls'] == urls | dict(Changelog=f"{ini['git_url']}/blob/{ini['branch']}/CHANGELOG.md")
    dynamic = set(FROM_SETTINGS.split())
    assert set(proj['dynamic']) == dynamic
    assert not dynamic & set(proj)  # what is not dynamic is dropped silently


def test_site():
    said = site['website']
    names = ('title', 'description', 'site-url', 'repo-url', 'repo-branch', 'repo-subdir')
    same = (ini['title'], ini['description'], SITE, ini['git_url'], ini['branch'], ini['nbs_path'])
    assert tuple(said[name] for name in names) == same
    assert site['project']['output-dir'] == ini['doc_path']


def items_of(contents):
    for item in contents:
        if isinstance(item, str):
            yield dict(href=item)
        else:
            yield item
            yield from items_of(item.get('contents', []))


def test_what_the_site_config_names_is_there_and_quarto_reads_it():
    web = site['website']
    items = [*items_of(web['sidebar']['contents']), *web['navbar']['left']]
    named = [item['href'] for item in items if 'href' in item]
    named += [web['favicon'], web['image'], site['format']['html']['css']]
    named += site['project']['resources']
    made = {'changelog.md'}  # from CHANGELOG.md
    missing = [name for name in named if not (ROOT / 'nbs' / name.lstrip('/')).is_file()]
    assert set(missing) <= made
    nightly = yaml.safe_load((ROOT / '.github/workflows/nightly.yml').read_text(encoding='utf-8'))
    steps = nightly['jobs']['quarto']['steps']
    assert any('tools/docs.py --site --quarto' in step.get('run', '') for step in steps)


def test_one_site_config():
    assert (ROOT / 'nbs/_quarto.yml').samefile(ROOT / '_quarto.yml')
    assert ini['git_url'] in (ROOT / 'nbs/nbdev.yml').read_text(encoding='utf-8')  # nbdev-readme asks for it
    published = (ROOT / '.github/workflows/site.yml').read_text(encoding='utf-8')
    assert 'tools/docs.py --site  ' in published and 'quarto' not in published


def test_citation():
    cff = yaml.safe_load((ROOT / 'CITATION.cff').read_text(encoding='utf-8'))
    said = [cff[name] for name in ('title', 'version', 'repository-code', 'url')]
    assert said == [LIB, ini['version'], ini['git_url'], SITE]
    assert cff['authors'] == [{'name': ini['author']}] and len(cff['references']) == 2


def pythons():  # '3.10', '3.11', ...
    low, high = (int(ini[end].split('.')[1]) for end in ('min_python', 'max_python'))
    return [f'3.{i}' for i in range(low, high + 1)]


def test_workflows():
    files = (ROOT / '.github/workflows').glob('*.yml')
    texts = {file.stem: file.read_text(encoding='utf-8') for file in files}
    flows = {name: yaml.safe_load(text) for name, text in texts.items()}
    assert set(flows) == {'tests', 'nightly', 'site', 'release', 'audit'}
    assert set(pythons()) == set(re.findall(r'"(3\.\d+)"', texts['nightly']))
    when = flows['nightly'][True]  # YAML 1.1 reads `on` as true
    assert {'schedule', 'workflow_dispatch'} <= when.keys()
    for name, target in dict(tests='test', nightly='nightly').items():
        steps = flows[name]['jobs']['everything']['steps']
        assert steps[-1]['run'].endswith(f' {target}')
    jobs = [job for flow in flows.values() for job in flow['jobs'].values()]
    assert all('timeout-minutes' in job for job in jobs)
    used = [use for text in texts.values() for use in re.findall(r'uses: (.*)', text)]
    pinned = re.compile(r'[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+')  # a tag may be moved, a commit not
    assert used and all(map(pinned.fullmatch, used))
    trusted = {'id-token': 'write'}  # publishing needs no password
    assert flows['release']['jobs']['publish']['permissions'] == trusted


def test_the_language_model_is_the_same_everywhere():
    text = (ROOT / 'tools/env.py').read_text(encoding='utf-8')
    pin = re.search(r"LANGUAGE_MODEL = '(\S+)'", text)[1]
    assert pin in (ROOT / '.binder/postBuild').read_text(encoding='utf-8')
    assert pin in [str(requirement) for requirement, _ in locked()]


def locked():  # (requirement, sums) of every entry of the lock file
    text = (ROOT / 'requirements.lock').read_text(encoding='utf-8')
    for entry in re.split(r'\n(?=\S)', text):
        if re.match(r'\w', entry):
            sums = re.findall(r'--hash=sha256:([0-9a-f]{64})\b', entry)
            yield Requirement(entry.partition(' \\')[0]), sums


def constraints():  # {name: version} of what was tested
    lines = (ROOT / 'constraints.txt').read_text(encoding='utf-8').splitlines()
    tested = [Requirement(line) for line in lines if not line.startswith('#')]
    return {r.name: str(r.specifier) for r in tested}


def test_everything_that_is_installed_has_a_sum():
    "All but PyTorch, whose build depends on the machine, on every Python and system; and the versions are those that were tested."
    entries = list(locked())
    assert all(sums and re.fullmatch(r'==[^*,]+', str(r.specifier)) for r, sums in entries)
    tested = constraints()
    assert tested.pop('torch', '==2.13.0') == '==2.13.0'
    here = {r.name: str(r.specifier) for r, _ in entries if on(r, '3.11.12', 'linux')}
    assert tested.items() <= here.items()
    needed = {Requirement(r).name for r in ini['requirements'].split()}
    for python, system in product(pythons(), ('linux', 'darwin', 'win32')):
        names = [r.name for r, _ in entries if on(r, f'{python}.12', system)]
        assert len(names) == len(set(names)) and needed <= set(names)


def on(r, python, system):  # whether a requirement is for this Python and system
    here = dict(python_version=python.rpartition('.')[0], python_full_version=python, sys_platform=system)
    here |= dict(os_name='nt' if system == 'win32' else 'posix', platform_machine='x86_64')
    here |= dict(platform_python_implementation='CPython', implementation_name='cpython')
    here |= dict(platform_system=dict(linux='Linux', darwin='Darwin', win32='Windows')[system])
    return not r.marker or r.marker.evaluate(here)


def test_the_installer_holds_every_part_to_its_sums():
    text, parts = (ROOT / 'tools/env.py').read_text(encoding='utf-8'), env.parts()
    assert list(parts) == ['', 'build', *env.PARTS['test']]
    assert not re.search(r'^\w', parts[''], re.M)
    calls = [line for line in text.splitlines() if 'pip(' in line]
    assert "'--require-hashes'" in text and len(calls) == 4
    known = r"def pip|require-hashes|'torch'|'--no-deps'.* '\.'"  # the last: without its needs
    assert all(re.search(known, line) for line in calls)
    lock = (ROOT / 'requirements.lock').read_text(encoding='utf-8')
    assert '://' not in lock  # no registry is named


def test_no_older_library_than_one_that_refuses_foreign_code():
    "sentence-transformers runs classes of a local folder's own before 6.0."
    needed = map(Requirement, ini['requirements'].split())
    (oldest,) = [r.specifier for r in needed if r.name == 'sentence-transformers']
    assert not oldest.contains('5.99') and oldest.contains('6.0')


def name(path):
    return path.relative_to(ROOT / 'nbs').as_posix()


each_nb = pytest.mark.parametrize('path', NBS, ids=name)


@cache
def cells(path):
    return json.loads(path.read_text(encoding='utf-8'))['cells']


def code(path):
    return [''.join(c['source']) for c in cells(path) if c['cell_type'] == 'code']


def default_exp(path):
    found = [re.search(r'^#\|\s*default_exp\s+(\S+)', cell, re.M) for cell in code(path)]
    return next((one[1] for one in found if one), None)


def tree(cell):  # its syntax tree, without magics
    if re.match(r'%%(?!time|capture)', cell):
        cell = ''
    return ast.parse('\n'.join(l for l in cell.splitlines() if not re.match(r'\s*[%!]', l)))


def imports(tree, room=''):
    "Every name that is imported, in full; `room`: where a relative import starts."
    for n in ast.walk(tree):
        if isinstance(n, ast.Import):
            yield from (a.name for a in n.names)
        elif isinstance(n, ast.ImportFrom):
            home = '.'.join([LIB, *room.split('.')][: 3 - n.level]).strip('.') if n.level else ''
            yield from ('.'.join(filter(None, (home, n.module, a.name))) for a in n.names)


def our_imports(tree, room=''):
    "The modules of this package among them, without the package's name."
    for full in imports(tree, room):
        if full.startswith(f'{LIB}.'):
            module = NAMES.get(full.removeprefix(f'{LIB}.'), full).removeprefix(f'{LIB}.')
            yield from {module, module.rpartition('.')[0]} & set(MODULES)


def strings(x):  # every text in a notebook, pictures left out
    if isinstance(x, str):
        yield re.sub(r'base64,[\w+/=\n]+', '', x)
    if isinstance(x, dict):
        x = [v for k, v in x.items() if k not in ('image/png', 'image/jpeg')]
    if isinstance(x, list):
        for value in x:
            yield from strings(value)


def test_every_notebook_is_in_the_sidebar():
    pages = {item.get('href') for item in items_of(site['website']['sidebar']['contents'])}
    assert NBS and {name(p) for p in NBS} <= pages


def test_every_room_has_a_page_with_its_drawing_and_its_modules():
    assert set(rooms.ROOMS) == {p.parent.name for p in (ROOT / LIB).glob('*/__init__.py')}
    for room in rooms.ROOMS:
        page = ROOT / f'nbs/{room}/index.ipynb'
        assert page.read_text(encoding='utf-8') == rooms.page(room), 'run `python tools/export.py`'
        drawing = ROOT / f'nbs/images/rooms/{room}.svg'
        assert drawing.read_text(encoding='utf-8') == rooms.drawing(room)
        assert rooms.words(room).count(';') >= 2
        assert len(rooms.pages_of(room)) == rooms.table(room).count('](')


def test_modules_and_their_notebooks_have_the_same_names():
    of = {name(p).removesuffix('.ipynb'): default_exp(p) for p in NBS}
    assert {n.replace('/', '.'): m for n, m in of.items() if m} == {m: m for m in MODULES}
    exports = [p for p in NBS if any(re.search(r'^#\|\s*export[is]?\b', c, re.M) for c in code(p))]
    assert not [name(p) for p in exports if not default_exp(p)]


@cache
def known_to(mod):  # the modules that a module imports
    return set(our_imports(ast.parse(source(mod)), mod.rpartition('.')[0]))


@each_nb
def test_no_notebook_imports_its_own_module(path):
    "Not even through another module."
    seen, new = set(), {m for c in code(path) for m in our_imports(tree(c))}
    while new:
        seen |= new
        new = set().union(*map(known_to, new)) - seen
    assert default_exp(path) not in seen


@each_nb
def test_no_notebook_shows_a_path_of_one_machine(path):
    said = strings(cells(path))
    assert not [s for s in said if re.search(r'(?<![\w.~-])/(?:work|root|home|tmp)/', s)]


def markdown(path):
    return '\n'.join(''.join(c['source']) for c in cells(path) if c['cell_type'] == 'markdown')


def section(title):
    parts = site['website']['sidebar']['contents']
    (found,) = [p for p in parts if isinstance(p, dict) and p['section'] == title]
    return found['contents']


LESSON = re.compile(r'^\| \[[^\]]+\]\((tutorials/[^)#]+)\) \|.*\| (\d+) \| (\w+) \|$', re.M)
TOUR, CLASS = 'tutorials/quickstart.ipynb', 'tutorials/class.ipynb'  # beside the path


def tracks():  # {heading: [(lesson, minutes, level)]}; the tour comes before the first heading
    parts = re.split(r'^##+ (.+)$', markdown(ROOT / 'nbs/learn.ipynb'), flags=re.M)
    found = {title: LESSON.findall(text) for title, text in zip(['', *parts[1::2]], parts[::2])}
    return {title: rows for title, rows in found.items() if rows}


def test_the_learning_path_has_the_tracks_of_the_sidebar():
    listed = {title: [lesson for lesson, _, _ in rows] for title, rows in tracks().items()}
    *path, further = section('The path')
    assert len(path) == 3 and further['section'] == 'Further'
    questions = {e['section']: e['contents'] for e in further['contents']}
    assert listed == {'': [TOUR], 'The path': path, 'To teach with': [CLASS]} | questions
    assert TOUR in site['website']['sidebar']['contents']


COUNTED = dict(enumerate('fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(), 14))


def test_every_lesson_is_listed_once_and_counted_right():
    listed = [lesson for rows in tracks().values() for lesson, _, _ in rows]
    assert sorted(listed) == [name(p) for p in LESSONS]
    count = COUNTED[len(LESSONS) - 2]  # without the tour and the class
    assert f'> {count.capitalize()} lessons and a tour' in markdown(ROOT / 'nbs/learn.ipynb')
    assert f'all {count} lessons' in markdown(ROOT / 'nbs/index.ipynb')


def test_each_lesson_of_the_path_leads_to_the_next():
    *path, _ = section('The path')
    for lesson, after in zip(path, path[1:]):
        last = ''.join(cells(ROOT / 'nbs' / lesson)[-1]['source'])
        following = re.search(r'^Next: \[[^\]]+\]\(([^)]+)\)', last, re.M)
        assert following and f'tutorials/{following[1]}' == after, lesson


SAID = re.compile(r'\*\*Time:\*\* (\d+) minutes[^*]*\*\*Level:\*\* (\w+)')


def test_the_learning_path_says_of_a_lesson_what_the_lesson_says():
    for lesson, *said in [row for rows in tracks().values() for row in rows]:
        assert list(SAID.search(markdown(ROOT / 'nbs' / lesson)).groups()) == said, lesson


def test_the_glossary_names_what_exists():
    lines = markdown(ROOT / 'nbs/explain/glossary.ipynb').splitlines()
    rows = [line for line in lines if line.startswith('| **')]
    names = {n for r in rows for n in re.findall(r'`(\w+)`', r.split('|')[3])}
    assert len(names) > 15 and sorted(names - set(NAMES)) == []


LESSONS = [p for p in NBS if p.parent.name == 'tutorials']


def test_tutorials_open_elsewhere_and_install_there():
    for p in LESSONS:
        wanted = badges.cells(p.relative_to(ROOT).as_posix())
        same = [''.join(c['source']) for c in cells(p)[1:3]]
        says = f'{name(p)}: run `python tools/badges.py`'
        assert same == [''.join(c['source']) for c in wanted], says


def test_asserts_stand_beside_the_lessons_and_not_in_hidden_cells():
    hidden = [c['id'] for p in LESSONS for c in cells(p) if ''.join(c['source']).startswith('#| hide')]
    assert set(hidden) == {'install'}
    assert {p.stem for p in ROOT.glob('nbs/tutorials/_asserts/*')} <= {p.stem for p in LESSONS}


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


each_module = pytest.mark.parametrize('mod', MODULES)


def source(mod):
    return (ROOT / LIB / f'{mod.replace(".", "/")}.py').read_text(encoding='utf-8')


def function(v):  # behind a method, a property or a class method; None for anything else
    v = next((f for a in ('__func__', 'fget', 'func') if (f := getattr(v, a, None))), v)
    return v if inspect.isfunction(v) else None


def public(mod):
    "(name, object) of its public functions and classes, and of the methods that these define."
    m = import_module(f'{LIB}.{mod}')
    for n, o in ((n, getattr(m, n)) for n in m.__all__):
        if inspect.isfunction(o) or inspect.isclass(o):
            yield n, o
        if inspect.isclass(o):
            own = {k: function(v) for k, v in vars(o).items() if not k.startswith('_')}
            yield from ((f'{n}.{k}', f) for k, f in own.items() if f)


@each_module
def test_everything_public_has_a_docstring(mod):
    def missing(o):  # a dataclass writes its signature there
        return not o.__doc__ or o.__doc__.startswith(f'{o.__name__}(')

    assert not [n for n, o in public(mod) if missing(o)]


def parameters(o):
    "{name: docment}; of a class those that its own constructor or its own fields bring."
    if inspect.isclass(o) and '__init__' not in vars(o):
        return {}
    found = docments(o, returns=False, args_kwargs=True)
    if is_dataclass(o):
        found = {p: d for p, d in found.items() if p in inspect.get_annotations(o)}
    return {p: d for p, d in found.items() if p not in ('self', 'cls')}


def says_no_more_than_its_base(mod, name):
    "Whether it is a method that a base of its class has, with the same parameters."
    holder, _, method = name.rpartition('.')
    if not holder:
        return False
    bases = getattr(import_module(f'{LIB}.{mod}'), holder).__mro__[1:]
    return any(method in vars(base) for base in bases)


def documented():  # (parameter, docment) of everything public
    for mod in MODULES:
        for n, o in public(mod):
            if not says_no_more_than_its_base(mod, n):
                yield from ((f'{mod}.{n}({p})', d) for p, d in parameters(o).items())


def test_public_parameters_have_docments():
    docs = dict(documented())
    bare = [p for p, d in docs.items() if not d]
    assert docs and len(bare) <= 0.05 * len(docs), bare


UNTRUSTED = re.compile(r"(eval|exec|compile|(c?[pP]ickle|dill|joblib)\.loads?)\(")
FOREIGN = re.compile(r"(trust_remote_code|allow_pickle)'?\s*[=:]\s*True")


@each_module
def test_nothing_untrusted_is_run(mod):
    t = ast.parse(source(mod))
    calls = [ast.unparse(n) for n in ast.walk(t) if isinstance(n, ast.Call)]
    assert not [c for c in calls if UNTRUSTED.match(c) or FOREIGN.search(c)]
    named = {ast.unparse(n) for n in ast.walk(t) if isinstance(n, ast.Attribute)}  # handed on, too
    assert not {'pickle.load', 'pickle.loads', 'pickle.*'} & {*imports(t), *named}


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


def test_each_line_about_safety_names_tests_that_there_are():
    text = (ROOT / 'SECURITY.md').read_text(encoding='utf-8')
    rows = [line for line in text.splitlines() if line.startswith('| ') and '|:' not in line]
    rows = [row for row in rows if not row.endswith(('| tests |', '| tests in `test_serve` |'))]
    assert len(rows) == 13 and all('`' in row.split('|')[3] for row in rows)
    named = re.findall(r'`((?:[\w/]+::)?test_\w+)`', text)
    for name in set(named) - {'test_serve'}:
        file, _, test = name.rpartition('::')
        there = (ROOT / f'tests/{file or "test_serve"}.py').read_text(encoding='utf-8')
        assert f'def {test}(' in there, name


def test_nothing_is_left_to_do():
    assert not [f for f, t in tracked().items() if re.search(r'\b(?:TO[D]O|FIX[M]E)\b', t)]


def test_no_file_names_a_folder_of_one_machine():
    texts = {f: t for f, t in tracked().items() if not f.endswith('.ipynb')}
    assert not [f for f, t in texts.items() if re.search(r'(?<![\w.~-])/(?:work|root|home)/', t)]
