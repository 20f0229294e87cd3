"""What the site needs from the npm registry: fetched once, into a folder that is there whole or not at all."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from bundle import integrity


def place(package: str, archive: Path, folder: Path, unpack: Callable, expected: str = ''):
    "Put an archive into a folder in one step; `unpack(archive, part)` takes from it what is wanted."
    found = integrity(archive.read_bytes())
    if expected and found != expected:
        sys.exit(f'error: {package} must have the hash {expected}, got {found}')
    part = archive.parent / f'{folder.name}.part'
    part.mkdir()
    unpack(archive, part)
    part.rename(folder)


def fetch(
    package: str, folder: Path, unpack: Callable, expected: str = ''
) -> str:  # why there is none; '' where it is there
    "Fetch a package of the registry, unless it is there."
    if folder.exists():
        return ''
    npm = shutil.which('npm')
    if not npm:
        return 'npm is not installed'
    folder.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as tmp:
        packed = subprocess.run([npm, 'pack', '--silent', package], cwd=tmp, capture_output=True, text=True)
        if packed.returncode:
            return f'`npm pack {package}` failed'
        place(package, Path(tmp) / packed.stdout.split()[-1], folder, unpack, expected)
    return ''
