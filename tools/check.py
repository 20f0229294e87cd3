"""Everything that CI checks, up to the first failure: `python tools/check.py [step ...]`, every step by default.

What is compared are the files of the working tree, committed or not; what a step regenerates stays for you to look at.
"""
import argparse, json, re, shutil, subprocess, sys, sysconfig, tempfile, time, zipfile
from configparser import ConfigParser
from pathlib import Path
from nbs import ENV, ROOT, call, clean as clean_notebooks

LIB = ROOT/'conflare_nb'
PY = sys.executable

def changed(pattern:str, work) -> list[str]: # the files, relative to the root
    "Which files that match `pattern` the function `work` changes, makes or removes; `work` returns an exit status."
    def read(): return {str(p.relative_to(ROOT)): p.read_bytes() for p in ROOT.glob(pattern) if '.ipynb_checkpoints' not in p.parts}
    before = read()
    if work(): sys.exit('error: the tool itself failed; what it said is above')
    after = read()
    return sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))

def output(*cmd, **kw) -> str:
    "What a command prints, without the packages on PYTHONPATH; where it fails, the check ends with it."
    env = {k: v for k, v in ENV.items() if k != 'PYTHONPATH'}
    r = subprocess.run([str(c) for c in cmd], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, **kw)
    if r.returncode: sys.exit(f'{r.stdout}\nerror: `{" ".join(map(str, cmd))}` failed')
    return r.stdout

def few(names:list[str]) -> str: return ', '.join(names[:5]) + (f' and {len(names)-5} more' if len(names) > 5 else '')

# ---- the steps: each returns what is wrong, '' where nothing is

def export() -> str:
    "the modules are what the notebooks export"
    files = changed('conflare_nb/**/*.py', lambda: call('nbdev-export'))
    if files: return f'not what the notebooks export, and written again by nbdev-export: {few(files)}'
    source = {p: re.search(r'File to edit: (?:\.\./)+(nbs/\S+\.ipynb)', p.read_text(encoding='utf-8')) for p in LIB.rglob('*.py')}
    orphans = [str(p.relative_to(ROOT)) for p, m in source.items() if m and not (ROOT/m[1]).exists()]
    return f'exported by no notebook any more: {few(orphans)}' if orphans else ''

def clean() -> str:
    "the notebooks hold nothing but source and outputs"
    files = changed('nbs/**/*.ipynb', clean_notebooks)
    return f'not clean, and cleaned by nbdev-clean: {few(files)}' if files else ''

def notebooks() -> str:
    "every notebook runs"
    ENV.setdefault('OMP_NUM_THREADS', '1')     # two at a time: more threads wait for each other
    return 'a notebook failed; its cell and error are above' if call('nbdev-test', '--n-workers', '2') else ''

def readme() -> str:
    "README.md is what nbs/index.ipynb says"
    import docs
    text = docs.readme(docs.stage('index.ipynb'))
    return '' if text == (ROOT/'README.md').read_text(encoding='utf-8') else 'README.md is not current: run `python tools/docs.py --readme`'

def settings():
    cfg = ConfigParser()
    cfg.read(ROOT/'settings.ini', encoding='utf-8')
    return cfg['DEFAULT']

def build(src:Path) -> Path: # the wheel
    "A wheel made of a source distribution made of a copy in `src`, where no earlier build lies about."
    shutil.copytree(LIB, src/LIB.name, ignore=shutil.ignore_patterns('__pycache__'))
    for p in ROOT.iterdir():
        if p.is_file(): shutil.copy(p, src)
    output(PY, '-m', 'build', '--no-isolation', src)
    return next((src/'dist').glob('*.whl'))

def install(whl:Path, home:Path) -> Path: # where its commands are
    "A virtual environment with the wheel and nothing else in it, which then sees the packages of this one behind its own."
    output(PY, '-m', 'venv', '--without-pip', home)
    output(PY, '-m', 'pip', '--python', home/'bin/python', 'install', '--quiet', '--no-deps', '--no-index', whl)
    site = output(home/'bin/python', '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))').strip()
    (Path(site)/'behind.pth').write_text(sysconfig.get_path('purelib')+'\n')     # a plain path: no .pth file in there is read
    return home/'bin'

def use(at:Path, tmp:Path) -> str:
    "What is wrong with the wheel as installed, seen from outside of the repository."
    code = 'import conflare_nb as c, importlib.metadata as m, json; print(json.dumps([c.__file__, c.__version__, m.requires("conflare_nb") or []]))'
    file, version, requires = json.loads(output(at/'python', '-I', '-c', code, cwd=tmp))
    if tmp not in Path(file).resolve().parents: return f'`import conflare_nb` took {file}, not the wheel'
    needs, has = len(settings()['requirements'].split()), sum('extra ==' not in r for r in requires)
    if needs != has: return f'the wheel requires {has} packages, settings.ini {needs}: is each in `dynamic` of pyproject.toml?'
    if not (LIB/'cli.py').exists(): return ''
    output(at/'conflare', '--help', cwd=tmp)
    said = output(at/'conflare', '--version', cwd=tmp)
    return '' if version in said else f'`conflare --version` says {said!r}; the version is {version}'

def wheel() -> str:
    "a wheel builds, holds everything and works where it is installed"
    with tempfile.TemporaryDirectory() as t:
        tmp = Path(t).resolve()
        whl = build(tmp/'src')
        wanted = {str(p.relative_to(tmp/'src')) for p in (tmp/'src'/LIB.name).rglob('*') if p.is_file()}
        missing = sorted(wanted - set(zipfile.ZipFile(whl).namelist()))
        return f'not in the wheel: {few(missing)}' if missing else use(install(whl, tmp/'venv'), tmp)

def pytest() -> str:
    "the tests pass"
    code = call(PY, '-m', 'pytest', '-q', '-rs', '-n', '2', '--dist', 'loadfile', '--no-loadscope-reorder', '--durations', '15', 'tests')
    return sys.exit(code) if code else ''      # its own summary is the last word

STEPS = {f.__name__: f for f in (export, clean, notebooks, readme, wheel, pytest)}

def main():
    ap = argparse.ArgumentParser(description='Everything that CI checks, up to the first failure.')
    ap.add_argument('steps', nargs='*', metavar='step', help='; '.join(f'{k}: {f.__doc__}' for k, f in STEPS.items()))
    asked = ap.parse_args().steps
    if unknown := [s for s in asked if s not in STEPS]: ap.error(f'no step {", ".join(unknown)}; choose among {", ".join(STEPS)}')
    steps = [k for k in STEPS if k in asked or not asked]
    for n, k in enumerate(steps, 1):
        print(f'[{n}/{len(steps)}] {k}: {STEPS[k].__doc__}', flush=True)
        t = time.time()
        if wrong := STEPS[k](): sys.exit(f'error: {k}: {wrong}')
        if k != 'pytest': print(f'      {time.time()-t:.0f} s', flush=True)

if __name__ == '__main__': main()
