"""Everything that CI checks: `python tools/check.py [step ...]`, every step by default.

A cheap step that fails ends it; notebooks and tests both run; the end says again what failed. What is compared are
the files of the working tree, committed or not; what a step regenerates stays for you to look at.
"""

import argparse, json, re, shutil, subprocess, sys, sysconfig, tempfile, time, zipfile
from configparser import ConfigParser
from functools import partial
from pathlib import Path
import changed as changed_notebooks
from nbs import BIN, ENV, ROOT, call, clean as clean_notebooks

LIB = ROOT / 'conflare_nb'
LESSONS = list((ROOT / 'nbs/tutorials').glob('*.ipynb'))
PY = sys.executable


def changed(work, *patterns: str) -> list[str]:  # the files, relative to the root
    "Which files that match a pattern the function `work` changes, makes or removes; `work` returns an exit status."

    def read():
        found = [p for pattern in patterns for p in ROOT.glob(pattern) if '.ipynb_checkpoints' not in p.parts]
        return {str(p.relative_to(ROOT)): p.read_bytes() for p in found}

    before = read()
    if work():
        sys.exit('error: the tool itself failed; what it said is above')
    after = read()
    return sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))


def output(*cmd, **kw) -> str:
    "What a command prints, without the packages on PYTHONPATH; where it fails, the check ends with it."
    env = {k: v for k, v in ENV.items() if k != 'PYTHONPATH'}
    cmd = [str(c) for c in cmd]
    r = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, **kw)
    if r.returncode:
        sys.exit(f'{r.stdout}\nerror: `{" ".join(cmd)}` failed')
    return r.stdout


def told(*cmd, last: bool = True) -> tuple[int, list[str]]:  # exit status and lines
    "Run a command and pass on what it says, line by line, the last line only with `last`."
    lines = []
    both = dict(stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with subprocess.Popen(cmd, cwd=ROOT, env=ENV, **both) as process:
        for line in process.stdout:
            if lines:
                print(lines[-1], flush=True)
            lines.append(line.rstrip('\n'))
    if lines and last:
        print(lines[-1], flush=True)
    return process.returncode, lines


def few(names: list[str]) -> str:
    more = f' and {len(names) - 5} more' if len(names) > 5 else ''
    return ', '.join(names[:5]) + more


# ---- the steps: each returns what is wrong, '' where nothing is

BY_HAND = ('tools', 'tests', 'benchmarks', 'records')
LINTERS = {
    'ruff': (BIN / 'ruff', 'check', '--quiet', LIB.name, *BY_HAND),
    'ruff format': (BIN / 'ruff', 'format', '--quiet', '--check', *BY_HAND),
    'the order of the rooms': (BIN / 'lint-imports', '--no-logo'),
    'the types that an editor sees': (PY, 'tools/typed.py'),
    'the rules of the house': (PY, '-m', 'pytest', '-q', '--no-header', '-n', '2', 'tests/house'),
}


def lint() -> str:
    "the code is clean, the rooms are in order, the rules of the house are kept"
    wrong = [name for name, command in LINTERS.items() if call(*map(str, command))]
    return f'not kept, see above: {", ".join(wrong)}' if wrong else ''


def export() -> str:
    "modules and the pages of the rooms are what the notebooks say"
    from export import export as write

    files = changed(write, 'conflare_nb/**/*.py', 'conflare_nb/**/*.pyi', 'nbs/*/index.ipynb', 'nbs/images/rooms/*.svg')
    if files:
        return f'not what the notebooks say, and written again by tools/export.py: {few(files)}'
    header = re.compile(r'File to edit: (?:\.\./)+(nbs/\S+\.ipynb)')
    source = {p: header.search(p.read_text(encoding='utf-8')) for p in LIB.rglob('*.py')}
    orphans = [str(p.relative_to(ROOT)) for p, m in source.items() if m and not (ROOT / m[1]).exists()]
    return f'exported by no notebook any more: {few(orphans)}' if orphans else ''


def clean() -> str:
    "the notebooks hold nothing but source and outputs"
    files = changed(clean_notebooks, 'nbs/**/*.ipynb')
    return f'not clean, and cleaned by nbdev-clean: {few(files)}' if files else ''


BY_NIGHT = {  # what they do with a language model, by day a few tests and the lesson on RAG do
    'nbs/tutorials/calibrate-with-a-model.ipynb': 'it asks a language model for 80 questions and 53 verdicts',
    'nbs/tutorials/like-my-users.ipynb': 'it asks a language model for 112 questions',
}
QUICK_ROOMS = re.compile('/(conformal|documents|retrieval)/(?!pipeline|reranked)')  # no language model, no other store


def notebooks(quick: bool = False) -> str:
    "every notebook runs, or every one that changed"
    ENV.setdefault('OMP_NUM_THREADS', '1')  # two at a time: more threads wait for each other
    every = [name for name in changed_notebooks.notebooks() if not quick or QUICK_ROOMS.search(name)]
    by_day = [name for name in every if ENV.get('ALL') or name not in BY_NIGHT]
    due = by_day if ENV.get('ALL') or ENV.get('CI') else changed_notebooks.to_run(by_day)
    if len(due) < len(every):
        print(
            f'      {len(due)} of {len(every)}: the others ran as they are or are run by night; '
            '`make test ALL=1` runs all'
        )
    if not due:
        return ''
    code, lines = told(PY, 'tools/notebooks.py', *due)
    wrong = failures(lines, due) if code else {}
    if code and not wrong:
        return 'tools/notebooks.py itself failed; what it said is above'
    changed_notebooks.ran_well([name for name in due if name not in wrong])
    said = ''.join(f'\n  {name}: {error}' for name, error in wrong.items())
    return f'failed, with cell and traceback above:{said}' if wrong else ''


def failures(lines: list[str], notebooks: list[str]) -> dict:  # {notebook: its error}
    "The notebooks that failed, with the last words of their errors."
    head = re.compile(r'(\w+) in \S*/(nbs/\S+\.ipynb):$')
    starts = [i for i, line in enumerate(lines) if head.match(line)]
    found = {}
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        error, notebook = head.match(lines[start]).groups()
        said = [line for line in lines[start + 1 : end] if re.match(rf'[\w.]*\b{error}\b', line)]
        found[notebook] = said[-1] if said else error
    named = lines[lines.index('failed:') + 1 :] if 'failed:' in lines else []
    return {name: found.get(name, 'without a word') for name in named if name in notebooks}


def readme() -> str:
    "README.md is what nbs/index.ipynb says"
    import docs

    text = docs.readme(docs.stage('index.ipynb'))
    if text == (ROOT / 'README.md').read_text(encoding='utf-8'):
        return ''
    return 'README.md is not current: run `python tools/docs.py --readme`'


def settings():
    cfg = ConfigParser()
    cfg.read(ROOT / 'settings.ini', encoding='utf-8')
    return cfg['DEFAULT']


def build(src: Path) -> Path:  # the wheel
    "A wheel made of a source distribution made of a copy in `src`, where no earlier build lies about."
    shutil.copytree(LIB, src / LIB.name, ignore=shutil.ignore_patterns('__pycache__'))
    for p in ROOT.iterdir():
        if p.is_file():
            shutil.copy(p, src)
    shutil.copytree(ROOT / 'nbs/tutorials', src / 'nbs/tutorials')
    shutil.copy(ROOT / 'nbs/learn.ipynb', src / 'nbs')
    output(PY, '-m', 'build', '--no-isolation', src)
    return next((src / 'dist').glob('*.whl'))


def install(whl: Path, home: Path) -> Path:  # where its commands are
    "A virtual environment with the wheel and nothing else in it, which then sees the packages of this one, too."
    output(PY, '-m', 'venv', '--without-pip', home)
    output(PY, '-m', 'pip', '--python', home / 'bin/python', 'install', '--quiet', '--no-deps', '--no-index', whl)
    site = output(home / 'bin/python', '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))').strip()
    behind = sysconfig.get_path('purelib')
    (Path(site) / 'behind.pth').write_text(f'{behind}\n')  # a plain path: no .pth file in there is read
    return home / 'bin'


ASKED = """
import conflare_nb, json
from conflare_nb.words import how_to_install
from importlib.metadata import metadata, requires
says = metadata("conflare_nb")
page = says.get_payload() or says["Description"]
needs = requires("conflare_nb") or []
print(json.dumps([conflare_nb.__file__, conflare_nb.__version__, needs, how_to_install("mcp"), page]))
"""


def use(at: Path, tmp: Path) -> str:
    "What is wrong with the wheel as installed, seen from outside of the repository."
    file, version, requires, install, page = json.loads(output(at / 'python', '-I', '-c', ASKED, cwd=tmp))
    if tmp not in Path(file).resolve().parents:
        return f'`import conflare_nb` took {file}, not the wheel'
    needs = len(settings()['requirements'].split())
    has = sum('extra ==' not in r for r in requires)
    if needs != has:
        return f'the wheel requires {has} packages, settings.ini {needs}: is each in `dynamic` of pyproject.toml?'
    if install != 'pip install "conflare_nb[mcp]"':
        return f'in the wheel an extra is installed by {install!r}'
    links = re.findall(r'\]\(([^)\s]+)\)', page)
    relative = [link for link in links if not link.startswith('https://')]
    if relative or len(links) < 20:
        return f'of {len(links)} links of the long description these lead nowhere: {few(relative)}'
    output(at / 'conflare', '--help', cwd=tmp)
    output(at / 'conflare', 'lesson', 'nano', '--copy', cwd=tmp)
    if len(list((tmp / 'conflare-lessons').iterdir())) != len(LESSONS):
        return 'not every lesson is in the wheel'
    said = output(at / 'conflare', '--version', cwd=tmp)
    return '' if version in said else f'`conflare --version` says {said!r}; the version is {version}'


def wheel() -> str:
    "a wheel builds, holds everything and works where it is installed"
    with tempfile.TemporaryDirectory() as t:
        tmp = Path(t).resolve()
        whl = build(tmp / 'src')
        wanted = {str(p.relative_to(tmp / 'src')) for p in (tmp / 'src' / LIB.name).rglob('*') if p.is_file()}
        missing = sorted(wanted - set(zipfile.ZipFile(whl).namelist()))
        return f'not in the wheel: {few(missing)}' if missing else use(install(whl, tmp / 'venv'), tmp)


LAST_WORDS = []  # pytest's summary: CI reads it at the very end


def pytest(quick: bool = False) -> str:
    "the tests pass"
    workers = '2' if quick else '3'  # three on two cores: a third of the time a test waits for a server or a lock
    beside = ('-n', workers, '--dist', 'loadfile', '--no-loadscope-reorder', '--ignore', 'tests/house')
    some = ('-m', 'not model and not browser and not slow') if quick else ('--durations', '15')
    code, lines = told(PY, '-m', 'pytest', '-q', '-rfEs', *beside, *some, 'tests', last=False)
    LAST_WORDS.extend(lines[-1:])
    return 'tests failed, as listed above' if code else ''


CHEAP = (lint, export, clean, readme, wheel)  # nothing else runs after one of them has failed
STEPS = {f.__name__: f for f in (*CHEAP, notebooks, pytest)}
QUICK = {f.__name__: f for f in (lint, export, clean)}
QUICK |= {f.__name__: partial(f, quick=True) for f in (notebooks, pytest)}


def run(steps: dict) -> dict:  # {name: what is wrong} of those that failed
    "Run steps in their order, each with its seconds."
    failed = {}
    for n, (name, step) in enumerate(steps.items(), 1):
        print(f'[{n}/{len(steps)}] {name}: {STEPS[name].__doc__}', flush=True)
        t = time.time()
        wrong = step()
        print(f'      {time.time() - t:.0f} s', flush=True)
        if not wrong:
            continue
        print(f'error: {name}: {wrong}', flush=True)
        failed[name] = wrong
        if step in CHEAP:
            break
    return failed


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument('steps', nargs='*', metavar='step', help='; '.join(f'{k}: {f.__doc__}' for k, f in STEPS.items()))
    ap.add_argument('--quick', action='store_true', help='only what takes no language model, no browser and no site')
    ap.add_argument('--nightly', action='store_true', help='all notebooks and all tests, those of the night among them')
    asked = ap.parse_args()
    if asked.nightly:
        ENV.update(ALL='1', CONFLARE_NIGHTLY='1')
    known = QUICK if asked.quick else STEPS
    unknown = [s for s in asked.steps if s not in known]
    if unknown:
        ap.error(f'no step {", ".join(unknown)}; choose among {", ".join(known)}')
    steps = {name: step for name, step in known.items() if name in asked.steps or not asked.steps}
    failed = run(steps)
    if failed and len(steps) > 1:
        print('failed:')
        for name, wrong in failed.items():
            print(f'  {name}: {wrong}')
    for line in LAST_WORDS:
        print(line)
    return int(bool(failed))


if __name__ == '__main__':
    sys.exit(main())
