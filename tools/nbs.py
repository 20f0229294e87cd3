"""Run every notebook and save its outputs, fit for git and for the site: `python tools/nbs.py [nbdev-test options]`.

nbdev-test --save runs them and keeps figures and HTML; live-widget outputs, whose random model ids are dead without
their kernel, give way to the text/html that the same objects also show.
"""

import json, os, subprocess, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
VIEW = 'application/vnd.jupyter.widget-view+json'
PATH = f"{BIN}{os.pathsep}{os.environ['PATH']}"
ENV = {**os.environ, 'PATH': PATH, 'HF_HUB_OFFLINE': '1', 'TQDM_DISABLE': '1', 'OMP_WAIT_POLICY': 'PASSIVE'}
ENV.pop('PYTHONDONTWRITEBYTECODE', None)  # hundreds of processes would compile the package


def call(*cmd: str) -> int:  # exit status
    "Run a command of the virtual environment, offline."
    return subprocess.run(cmd, cwd=ROOT, env=ENV).returncode


def strip(path: Path) -> bool:  # whether it changed
    "Drop the live-widget output where there is a static one too, and the widget state."
    nb = json.loads(path.read_text(encoding='utf-8'))
    n = 0
    for c in nb['cells']:
        for o in c.get('outputs', []):
            d = o.get('data', {})
            if VIEW in d and 'text/html' in d:
                del d[VIEW]
                n += 1
    n += nb['metadata'].pop('widgets', None) is not None
    if n:
        path.write_text(json.dumps(nb, indent=1, ensure_ascii=False, sort_keys=True) + '\n', encoding='utf-8')
    return bool(n)


def clean() -> int:  # exit status
    "Leave in the notebooks what belongs into git."
    for p in (ROOT / 'nbs').rglob('*.ipynb'):
        if '.ipynb_checkpoints' not in p.parts:
            strip(p)
    return call('nbdev-clean')


if __name__ == '__main__':
    failed = call('nbdev-test', '--save', *sys.argv[1:])
    sys.exit(failed or clean())
