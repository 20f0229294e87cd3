"""Look at the code of the README, the guides and the quickstart as a user's editor does: `python tools/typed.py`.

Pyright reads it against the package's own types. Only the code that a user would copy is checked, not the modules.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from nbs import BIN, ROOT

PAGES = ('index.ipynb', 'tutorials/quickstart.ipynb', 'guides/*.ipynb')
MAGIC = re.compile(r'^\s*[%!].*$', re.M)
HEAD = 'from IPython import get_ipython\nfrom IPython.display import display\n\n'  # a notebook has them
HERE = {
    'pythonVersion': '3.10',
    'extraPaths': [str(ROOT)],
    'typeCheckingMode': 'basic',
    'reportMissingImports': False,  # what an extra brings
    'reportMissingModuleSource': False,
    'reportUnusedExpression': False,  # a cell ends in what it shows
    'reportOptionalMemberAccess': False,  # `None` where nothing is found: the prose says when
    'reportOptionalSubscript': False,
    'reportWildcardImportFromLibrary': False,
}


UNREAD = ('pandas', 'lancedb', 'lancedb/rerankers', 'matplotlib')  # what others say of their own types is not looked at
ANYTHING = 'from typing import Any\ndef __getattr__(name: str) -> Any: ...\n'


def code(page: Path) -> str:
    "The code cells of a notebook, without magics, one under the other."
    cells = json.loads(page.read_text(encoding='utf-8'))['cells']
    texts = [''.join(cell['source']) for cell in cells if cell['cell_type'] == 'code']
    return HEAD + '\n\n'.join(MAGIC.sub('pass', text) for text in texts if not text.startswith('%%'))


def examples() -> dict[str, str]:  # {name of a file: its text}
    "The code of all pages."
    pages = [page for pattern in PAGES for page in sorted((ROOT / 'nbs').glob(pattern))]
    return {f'{page.stem}.py'.replace('-', '_'): code(page) for page in pages}


PROGRAM = """\
from typing_extensions import assert_type
import numpy as np, pyarrow as pa
from conflare_nb import *
from conflare_nb.answers.quotes import QuoteCalibration, Quotes
from conflare_nb.documents.cutting import Hit
from conflare_nb.retrieval.retriever import Retrieved
kb = KnowledgeBase.create('guide', read_folder('documents'), progress=False)
assert_type(kb, KnowledgeBase)
assert_type(kb.embedder.dim, int)
seen, test = split_questions(load_questions('questions.jsonl'), .5, seed=1)
cal = calibrate(kb, seen)
assert_type(cal.qhat(.1), float)
assert_type(cal.qhat(np.array([.1, .2])), np.ndarray)
retriever = ConformalRetriever(kb, cal, alpha=.1)
found = retriever.retrieve('How long does an opened pen keep?')
assert_type(found, Retrieved)
assert_type(found.rows(), list[Hit])
assert_type([hit.text for hit in found[:3]], list[str])
assert_type(found[0], Hit)
assert_type(found.chunks, pa.Table)
assert_type(calibrate_quotes(kb, seen), QuoteCalibration)
assert_type(Quoter(kb, calibrate_quotes(kb, seen)).quote('How long?'), Quotes)
assert_type(conformal_rank(20, '1/10'), int)
rag = ConformalRAG(retriever, load_llm('smollm2'))
ConformalRetriever(cal, kb)  # wrong
kb.serch('pen')  # wrong
retriever.retrieve()  # wrong
covered(cal.scores, qhats=.1)  # wrong
ConformalRAG(retriever, 'smollm2')  # wrong
"""


def complaints(texts: dict[str, str]) -> dict[tuple, str]:  # {(name of a file, line): message}
    "What pyright says of some programs."
    with tempfile.TemporaryDirectory() as d:
        for name, text in texts.items():
            (Path(d) / name).write_text(text, encoding='utf-8')
        for name in UNREAD:
            (Path(d) / 'typings' / name).mkdir(parents=True)
            (Path(d) / 'typings' / name / '__init__.pyi').write_text(ANYTHING)
        (Path(d) / 'pyrightconfig.json').write_text(json.dumps(HERE))
        cmd = [BIN / 'pyright', '--outputjson', '--pythonpath', sys.executable, '--project', d]
        said = json.loads(subprocess.run(cmd, capture_output=True, text=True).stdout)
    found = [one for one in said['generalDiagnostics'] if one['severity'] == 'error']
    return {(Path(one['file']).name, one['range']['start']['line'] + 1): one['message'] for one in found}


def check(texts: dict[str, str]) -> list[str]:  # one line each
    "What pyright says of some programs, and what it does not say of a line that ends in `# wrong`."
    found = complaints(texts)
    wrong = {
        (name, number)
        for name, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if line.endswith('# wrong')
    }
    unseen = dict.fromkeys(wrong - set(found), 'this mistake is not seen')
    problems = {at: message for at, message in found.items() if at not in wrong} | unseen
    return [f'{name}:{line}: {message}' for (name, line), message in sorted(problems.items())]


if __name__ == '__main__':
    problems = check({**examples(), 'program.py': PROGRAM})
    print('\n'.join(problems) or 'Editors see everything.')
    sys.exit(bool(problems))
