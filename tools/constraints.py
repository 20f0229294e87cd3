"""Write constraints.txt: the versions in this virtual environment of everything that the project's requirements and its
extras lab and dev lead to; and requirements.lock: these versions with the sums of their files, for every platform and
Python: `.venv/bin/python tools/constraints.py`. The second one takes `uv`, wherever it lies (`pip install uv`).
"""

import re, shutil, subprocess, tempfile
from configparser import ConfigParser
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from env import LANGUAGE_MODEL, MISTRAL_TOKENIZER

ROOT = Path(__file__).resolve().parents[1]
CFG = ConfigParser(delimiters=['='])
CFG.read(ROOT / 'settings.ini', encoding='utf-8')
OLDEST, NEWEST = CFG['DEFAULT']['min_python'], CFG['DEFAULT']['max_python']
HEAD = """\
# Tested versions of everything that conflare_nb and its extras lab and dev need; pip reads it with -c (tools/env.py
# does). Made by `python tools/constraints.py` from .venv; a version for newer Pythons than the oldest one says so.
"""


def closure(todo: list[str]) -> dict:  # distributions by name
    "Every installed package that the requirements lead to, extras and this machine's markers minded."
    seen, found = set(), {}
    while todo:
        r = Requirement(todo.pop())
        key = canonicalize_name(r.name), frozenset(r.extras)
        if key in seen:
            continue
        seen.add(key)
        try:
            found[key[0]] = d = distribution(r.name)
        except PackageNotFoundError:
            raise SystemExit(f'error: {r.name} is not installed; pip install it, then this again')
        needs = map(Requirement, d.requires or [])
        todo += [str(n) for n in needs if not n.marker or any(n.marker.evaluate({'extra': e}) for e in {'', *r.extras})]
    return found


def pin(name: str, d, pythons: list[str]) -> str:
    "One line; a local version such as 2.13.0+cpu without its tail."
    allowed = SpecifierSet(d.metadata['Requires-Python'] or '')
    oldest = next(p for p in pythons if allowed.contains(p + '.99'))
    version = d.version.partition('+')[0]
    if oldest == pythons[0]:
        return f'{name}=={version}'
    return f'{name}=={version} ; python_version >= "{oldest}"'


LOCK_HEAD = """\
# Every package that tools/env.py installs, with the sums of its files: what has another sum is not installed. Made by
# `python tools/constraints.py`. Each part needs those before it. PyTorch is not among them: which build of it fits
# depends on the machine, so it has a version in constraints.txt and no sum.
"""
TORCH_ONLY = re.compile(r'(torch|triton|nvidia|cuda)\b')


def compiled(requirements: list[str], *options) -> list[str]:  # entries; a package has several where Pythons differ
    "What uv resolves for every platform, with sums; torch itself and what only its GPU builds need are left out."
    with tempfile.TemporaryDirectory() as d:
        wanted, lock, override = (Path(d) / name for name in ('wanted.in', 'lock.txt', 'override.txt'))
        wanted.write_text('\n'.join(requirements))
        override.write_text("torch ; python_version < '3'")
        known = (ROOT / 'constraints.txt').read_text(encoding='utf-8')
        lock.write_text(known)  # versions that uv prefers where they fit
        uv = shutil.which('uv')
        if uv is None:
            raise SystemExit('error: requirements.lock takes uv: pip install uv, then this again')
        how = '--universal --generate-hashes --no-header --no-annotate --quiet --no-python-downloads'.split()
        files = ['--override', override, wanted, '-o', lock]
        subprocess.run([uv, 'pip', 'compile', *how, '--python-version', OLDEST, *files, *options], check=True)
        entries = re.split(r'\n(?=\S)', lock.read_text().strip())
    return [entry for entry in entries if not TORCH_ONLY.match(entry)]


def package(entry: str) -> str:
    return entry.partition('==')[0]


def torch_needs() -> list[str]:  # on every machine
    "What torch needs beside the libraries of a GPU."
    needs = distribution('torch').requires or []
    return [need for need in needs if not TORCH_ONLY.match(need) and 'extra ==' not in need]


def locked(parts: dict) -> str:  # {name of a part: its requirements}; the last one needs all
    "The lock file: a part at a time, each package where it is first needed."
    left = compiled(sum(parts.values(), []))
    text = LOCK_HEAD
    for name, requirements in parts.items():
        names = {package(entry) for entry in compiled(requirements)}
        here = [entry for entry in left if package(entry) in names]
        left = [entry for entry in left if package(entry) not in names]
        if name == 'demo':
            here += compiled([LANGUAGE_MODEL], '--no-deps')  # no second inference engine
        if name == 'test':
            here += compiled([MISTRAL_TOKENIZER], '--no-deps')
        text += f'\n# --- {name}\n' + '\n'.join(here) + '\n'
    assert not left
    return text


if __name__ == '__main__':
    d = CFG['DEFAULT']
    lo, hi = (int(v.split('.')[1]) for v in (OLDEST, NEWEST))
    found = closure(f"{d['requirements']} {d['extra_lab']} {d['extra_dev']}".split())
    pythons = [f'3.{i}' for i in range(lo, hi + 1)]
    lines = [pin(k, v, pythons) for k, v in sorted(found.items()) if k not in ('pip', 'setuptools')]
    (ROOT / 'constraints.txt').write_text(HEAD + '\n'.join(lines) + '\n', encoding='utf-8')
    print(f'constraints.txt: {len(lines)} packages')
    demo = d['requirements'].split() + torch_needs()
    lab = demo + d['extra_lab'].split()
    parts = dict(build=['setuptools>=77', 'wheel'], demo=demo, lab=lab, test=lab + d['extra_dev'].split())
    (ROOT / 'requirements.lock').write_text(locked(parts), encoding='utf-8')
