"""Run some notebooks, two at a time, those that ask a language model first: `python tools/notebooks.py NOTEBOOK ...`.

As `nbdev-test` does, which takes them by name: then the last one may run for a minute beside an idle core.
"""

import os, re, sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from nbdev.config import get_config
from nbdev.test import test_nb
from nbs import ROOT

MODEL = re.compile(r'TransformersLLM|load_llm|smollm2')


def effort(name: str) -> tuple:
    "Whether a notebook asks a language model, and its length."
    text = (ROOT / name).read_text(encoding='utf-8')
    return bool(MODEL.search(text)), text.count('"cell_type": "code"')


def run(names: list[str]) -> list[str]:  # those that failed
    "Run notebooks in two processes; what went wrong is on the error stream."
    names = sorted(names, key=effort, reverse=True)
    how = dict(skip_flags=get_config().tst_flags.split(), basepath=ROOT, cell_timeout=600)
    os.chdir(ROOT / 'nbs')
    with ProcessPoolExecutor(2, mp_context=get_context('fork')) as pool:
        ran = pool.map(partial(test_nb, **how), [ROOT / name for name in names])
        return [name for name, (well, _) in zip(names, ran) if not well]


if __name__ == '__main__':
    failed = run(sys.argv[1:])
    print('\n'.join(['failed:', *failed]) if failed else 'Success.')
    sys.exit(bool(failed))
