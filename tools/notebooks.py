"""Run some notebooks, two at a time, those that ask a language model first: `python tools/notebooks.py NOTEBOOK ...`.

As `nbdev-test` does, which takes them by name: then the last one may run for a minute beside an idle core.

What a lesson says is asserted beside it, out of its readers' way: `# %% after ID` in `_asserts/LESSON.py` is a cell
that runs behind the lesson's cell ID, in the same run.
"""

import os, re, sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
import nbdev.test
from fastcore.nbio import mk_cell, read_nb
from nbdev.config import get_config
from nbdev.process import NBProcessor
from nbs import ROOT

MODEL = re.compile(r'TransformersLLM|load_llm|smollm2')


def effort(name: str) -> tuple:
    "Whether a notebook asks a language model, and its length."
    text = (ROOT / name).read_text(encoding='utf-8')
    return bool(MODEL.search(text)), text.count('"cell_type": "code"')


def asserts(notebook: Path) -> dict:  # {id of a cell: what is asserted behind it}
    "What is asserted of a notebook beside it."
    beside = notebook.parent / '_asserts' / f'{notebook.stem}.py'
    text = beside.read_text(encoding='utf-8') if beside.is_file() else ''
    ids_and_sources = re.split(r'^# %% after (\S+)\n', text, flags=re.M)[1:]
    return dict(zip(ids_and_sources[::2], ids_and_sources[1::2]))


def asserted(path: Path, **options) -> NBProcessor:
    "A notebook with what is asserted beside it, each in its place."
    nb, due = read_nb(path), asserts(path)
    unknown = due.keys() - {cell.id for cell in nb.cells}
    assert not unknown, f'{path.name} has no cells {sorted(unknown)}'
    cells = [(cell, mk_cell(due.get(cell.id, ''))) for cell in nb.cells]
    nb.cells = [cell for pair in cells for cell in pair]
    return NBProcessor(nb=nb, **options)


nbdev.test.NBProcessor = asserted


def run(names: list[str]) -> list[str]:  # those that failed
    "Run notebooks in two processes; what went wrong is on the error stream."
    names = sorted(names, key=effort, reverse=True)
    how = dict(skip_flags=get_config().tst_flags.split(), basepath=ROOT, cell_timeout=600)
    os.chdir(ROOT / 'nbs')
    with ProcessPoolExecutor(2, mp_context=get_context('fork')) as pool:
        ran = pool.map(partial(nbdev.test.test_nb, **how), [ROOT / name for name in names])
        return [name for name, (well, _) in zip(names, ran) if not well]


if __name__ == '__main__':
    failed = run(sys.argv[1:])
    print('\n'.join(['failed:', *failed]) if failed else 'Success.')
    sys.exit(bool(failed))
