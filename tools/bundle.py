"""Bundle the scripts and styles of js/ for the package: `python tools/bundle.py [--check]`.

Each widget is one module and one style sheet in js/; esbuild joins what they import into conflare_nb/static/NAME.js and
NAME.css, which are committed. A saved page carries them whole, so spaces and detours are left out, names are not.
`--check` writes nothing: it says what is not current. Biome looks for forgotten imports, about which esbuild is silent,
where it is installed.
"""

import argparse
import base64
import hashlib
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / 'js'
STATIC = ROOT / 'conflare_nb/static'
WIDGETS = 'dots explorer sets lottery planner matches judging writing exercise prediction serve claims'.split()
PAGES = ['report']  # without a script
ESBUILD = ROOT / 'tools/vendor/esbuild'
VERSION = '0.28.2'
SHORT = ('--minify-whitespace', '--minify-syntax', '--line-limit=120')

# platform -> what npm says of the package, a hash of its archive
INTEGRITY = {
    'linux-x64': 'sha512-4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIufQ9hDQVRJH5YhgPVF8A/HQ==',
    'linux-arm64': 'sha512-pW4AC0P3it8c7do9MVM4p51FzHzdM/TZrerurgRcHJ2WTa1VQ1CIq18xncfpBJw4ojkiZZrKW2yIBWBP92j6Ug==',
    'darwin-x64': 'sha512-uq6suIWYP37qzGddBKPw5QEQPi6HiLGsO7UmkpfyaYNQ3D+rN6w6WfwH+nuqcGXWvawGwxOEroO4YGnFh95azw==',
    'darwin-arm64': 'sha512-n4KqkOQrraxHJcgjM1RvwbigfQKIKJVpM7xp+KsxiyUSrRdIXnt73VhrPAx0fV44hgfmIVKjxMN9J1t5jySVkw==',
}
MACHINES = {'x86_64': 'x64', 'amd64': 'x64', 'aarch64': 'arm64', 'arm64': 'arm64'}


# ---- esbuild


def here() -> str:
    "This platform as npm names it."
    machine = platform.machine().lower()
    return f'{platform.system().lower()}-{MACHINES.get(machine, machine)}'


def integrity(archive: bytes) -> str:
    "The hash of an archive as npm writes it."
    return 'sha512-' + base64.b64encode(hashlib.sha512(archive).digest()).decode()


def fetch_esbuild() -> str:  # why there is none; '' where it lies in tools/vendor
    "Fetch esbuild's one binary, once, from the npm registry."
    kind = here()
    npm = shutil.which('npm')
    at = ESBUILD / VERSION
    if at.exists():
        return ''
    if kind not in INTEGRITY:
        return f'no esbuild is known for {kind}'
    if not npm:
        return 'npm is not installed'
    ESBUILD.mkdir(parents=True, exist_ok=True)
    package = f'@esbuild/{kind}@{VERSION}'
    with tempfile.TemporaryDirectory(dir=ESBUILD) as tmp:
        packed = subprocess.run([npm, 'pack', '--silent', package], cwd=tmp, capture_output=True, text=True)
        if packed.returncode:
            return f'`npm pack {package}` failed'
        archive = Path(tmp) / packed.stdout.split()[-1]
        found = integrity(archive.read_bytes())
        if found != INTEGRITY[kind]:
            sys.exit(f'error: {package} must have the hash {INTEGRITY[kind]}, got {found}')
        with tarfile.open(archive) as tar:
            binary = tar.extractfile('package/bin/esbuild').read()
    part = at.with_suffix('.part')
    part.write_bytes(binary)
    part.chmod(0o755)
    part.rename(at)
    return ''


def esbuild(*arguments, text: str | None = None) -> str:  # what it prints
    "Run esbuild; where it finds something wrong, say so and end."
    command = [ESBUILD / VERSION, '--charset=utf8', '--log-level=warning', *arguments]
    done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, encoding='utf-8')
    if done.returncode or done.stderr:
        sys.exit(f'{done.stderr}\nerror: esbuild cannot bundle js/')
    return done.stdout


# ---- the bundles


def bundles() -> dict[str, str]:  # file name -> text
    "What the sources give."
    made = {}
    for widget in WIDGETS:
        for kind in ('js', 'css'):
            name = f'{widget}.{kind}'
            made[name] = esbuild(f'js/{name}', '--bundle', '--format=esm', *SHORT)
    for page in PAGES:
        made[f'{page}.css'] = esbuild(f'js/{page}.css', '--bundle', *SHORT)
    return made


def stale() -> list[str]:  # file names
    "Which files in conflare_nb/static are not what the sources give, or nobody's."
    made = bundles()
    found = {p.name: p.read_text(encoding='utf-8') for p in STATIC.iterdir()}
    return sorted(name for name in made.keys() | found.keys() if made.get(name) != found.get(name))


def write():
    "Write the bundles, and remove what is none."
    made = bundles()
    for old in STATIC.glob('*'):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (STATIC / name).write_text(text, encoding='utf-8')


# ---- forgotten imports


def biome() -> str | None:  # its path
    "Biome, where it is installed."
    return shutil.which('biome', path=sysconfig.get_path('scripts')) or shutil.which('biome')


def lint() -> str:  # what is wrong; '' where nothing is
    "Names that are used and not declared or imported, and those that are declared or imported and not used."
    if not biome():
        return ''
    command = [biome(), 'lint', f'--config-path={ROOT / "tools"}', '--error-on-warnings', str(SOURCES)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ''


def main():
    parser = argparse.ArgumentParser(description='Bundle the scripts and styles of js/ for the package.')
    parser.add_argument('--check', action='store_true', help='write nothing, and say what is not current')
    check = parser.parse_args().check
    if wrong := lint():
        sys.exit(f'{wrong}\nerror: a name in js/ is not imported, or not used')
    if missing := fetch_esbuild():
        print(f'not bundled: {missing}')
        return
    if not check:
        write()
    if old := stale():
        sys.exit(f'error: not what js/ gives: {", ".join(old)}; run `python tools/bundle.py`')
    print(f'{len(WIDGETS)} widgets are current')


if __name__ == '__main__':
    main()
