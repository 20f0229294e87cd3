"""Python that a reader runs on a page of the site: `onpage.install(folder)`, called by tools/docs.py.

A code cell whose first line begins with `# Run on the page` is an ordinary cell in JupyterLab. On the site it can be
edited and run, by MicroPython, which is fetched once from the npm registry, lies beside the pages and is loaded by the
first Run. It has no packages: such cells are plain Python and print what they have to say. Where MicroPython cannot be
had, or without scripts, the cell is the code and the output that it is everywhere.
"""

import os
import shutil
import tarfile
from pathlib import Path
import npm

ROOT = Path(__file__).resolve().parents[1]
MARK = '# Run on the page'
MICROPYTHON = ROOT / 'tools/vendor/micropython'
PACKAGE = '@micropython/micropython-webassembly-pyscript@1.27.0'
INTEGRITY = 'sha512-DnXx4EqxgkeaFESrS3uKrL7mLMk4mRTd0mMzaOd3HUSiZUOAE7t11uLnjf3ftF87N2xm4knHnWEKcVK4IYIUDA=='
FETCHED = ('micropython.mjs', 'micropython.wasm')
OWN = ('onpage.js', 'onpage-worker.js', 'onpage.css', 'common.js')
TAGS = '<link rel="stylesheet" href="{at}/onpage.css"><script type="module" src="{at}/onpage.js"></script>'


def unpack(archive: Path, part: Path):
    "Two files of the package."
    with tarfile.open(archive) as tar:
        for name in FETCHED:
            (part / name).write_bytes(tar.extractfile(f'package/{name}').read())


def fetch() -> str:  # why there is none; '' where it lies in tools/vendor
    "Fetch MicroPython once."
    return npm.fetch(PACKAGE, MICROPYTHON, unpack, INTEGRITY)


def pages(out: Path) -> list[Path]:
    "The pages of a site that have such a cell."
    return [page for page in sorted(out.rglob('*.html')) if MARK in page.read_text(encoding='utf-8')]


def install(out: Path):
    "Let the cells of a built site run, where it has any."
    found = pages(out)
    if not found:
        return
    missing = fetch()
    if missing:
        print(f'{missing}: cells do not run on pages')
        return
    folder = out / 'site_libs/onpage'
    folder.mkdir(parents=True, exist_ok=True)
    for name in FETCHED:
        shutil.copy(MICROPYTHON / name, folder)
    for name in OWN:
        shutil.copy(ROOT / 'js' / name, folder)
    for page in found:
        text = page.read_text(encoding='utf-8')
        tags = TAGS.format(at=Path(os.path.relpath(folder, page.parent)).as_posix())
        page.write_text(text.replace('</body>', f'{tags}</body>', 1), encoding='utf-8')
