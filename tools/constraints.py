"""Write constraints.txt: the versions in this virtual environment of everything that the project's requirements and its
extras lab and dev lead to: `.venv/bin/python tools/constraints.py`.
"""
from configparser import ConfigParser
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
HEAD = """\
# Tested versions of everything that conflare_nb and its extras lab and dev need; pip reads it with -c (tools/env.py
# does). Made by `python tools/constraints.py` from .venv; a version for newer Pythons than the oldest one says so.
"""

def closure(todo:list[str]) -> dict: # distributions by name
    "Every installed package that the requirements lead to, extras and this machine's markers minded."
    seen, found = set(), {}
    while todo:
        r = Requirement(todo.pop())
        key = canonicalize_name(r.name), frozenset(r.extras)
        if key in seen: continue
        seen.add(key)
        try: found[key[0]] = d = distribution(r.name)
        except PackageNotFoundError:
            raise SystemExit(f'error: {r.name} is not installed; run `make test` once, then this again')
        needs = map(Requirement, d.requires or [])
        todo += [str(n) for n in needs if not n.marker or any(n.marker.evaluate({'extra': e}) for e in {'', *r.extras})]
    return found

def pin(name:str, d, pythons:list[str]) -> str:
    "One line; a local version such as 2.13.0+cpu without its tail."
    allowed = SpecifierSet(d.metadata['Requires-Python'] or '')
    oldest = next(p for p in pythons if allowed.contains(p+'.99'))
    version = d.version.partition('+')[0]
    if oldest == pythons[0]: return f'{name}=={version}'
    return f'{name}=={version} ; python_version >= "{oldest}"'

if __name__ == '__main__':
    cfg = ConfigParser()
    cfg.read(ROOT/'settings.ini', encoding='utf-8')
    d = cfg['DEFAULT']
    lo, hi = (int(d[k].split('.')[1]) for k in ('min_python', 'max_python'))
    found = closure(f"{d['requirements']} {d['extra_lab']} {d['extra_dev']}".split())
    pythons = [f'3.{i}' for i in range(lo, hi+1)]
    lines = [pin(k, v, pythons) for k, v in sorted(found.items()) if k not in ('pip', 'setuptools')]
    (ROOT/'constraints.txt').write_text(HEAD + '\n'.join(lines) + '\n', encoding='utf-8')
    print(f'constraints.txt: {len(lines)} packages')
