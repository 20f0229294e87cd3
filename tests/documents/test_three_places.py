"The quickstart on a folder, on a bucket and with Ray: one line changes, and neither fingerprint, chunks nor thresholds do."

import json, os, sys
from importlib.util import find_spec
from pathlib import Path
import nbformat, numpy as np, pytest
from bucket_server import Bucket
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / 'nbs/tutorials/quickstart.ipynb'
LAST = '401d05fd'  # what was retrieved; then come coverage, widgets and a language model
FOLDER = "kb = KnowledgeBase.create(cache_dir()/'quickstart', documents, progress=False)"
BUCKET = "kb = KnowledgeBase.create('s3://shelf/kb', documents, storage_options={}, progress=False)"
RAY = """
from ray_worker import start
from conflare_nb.contrib.ray import create_with_ray
start()
kb = create_with_ray(cache_dir()/'quickstart', documents, workers=2, progress=False)
""".strip()
TOLD = """
import json
told = dict(fingerprint=kb.fingerprint(), scores=cal.scores.tolist())
alphas = .5, .3, .2, .1, .05, .02, .01, .001
by_distance = calibrate(kb, for_calibration, score=Distance(), progress=False)
told['thresholds'] = [cal.qhat(alpha) for alpha in alphas]
told['distances'] = [by_distance.qhat(alpha) for alpha in alphas]
found = [retriever.retrieve(q.text) for q in for_test[:50]]
told['chunks'] = [[row['id'] for row in each.rows()] for each in found]
(cache_dir()/'told.json').write_text(json.dumps(told))
"""


def run(home, made=FOLDER):
    "What the quickstart tells in a kernel of its own, with another line in the place of the one that makes the knowledge base."
    notebook = nbformat.read(NOTEBOOK, 4)
    cells = [cell for cell in notebook.cells if cell.cell_type == 'code']
    last = [cell.id for cell in cells].index(LAST)
    notebook.cells = [*cells[: last + 1], nbformat.v4.new_code_cell(TOLD)]
    (cell,) = [cell for cell in notebook.cells if FOLDER in cell.source.splitlines()]
    cell.source = cell.source.replace(FOLDER, made)
    here = dict(metadata=dict(path=NOTEBOOK.parent))
    client = NotebookClient(notebook, timeout=300, resources=here)
    home.mkdir()
    own = dict(CONFLARE_HOME=str(home), PYTHONPATH=os.pathsep.join(sys.path))
    client.execute(env=os.environ | own)
    return json.loads((home / 'told.json').read_text())


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return run(tmp_path_factory.mktemp('folder') / 'home')


def same(told, folder):
    """The same chunks and thresholds. Texts embedded in other batches differ in the last digits of their vectors,
    a number of a state at the edge of a step in int8 moves by one step, and the default score divides by .05."""
    assert told['fingerprint'] == folder['fingerprint'] and told['chunks'] == folder['chunks']
    np.testing.assert_allclose(told['distances'], folder['distances'], rtol=0, atol=1e-6)
    np.testing.assert_allclose(told['thresholds'], folder['thresholds'], rtol=0, atol=1e-3)
    np.testing.assert_allclose(told['scores'], folder['scores'], rtol=0, atol=5e-3)


def test_the_folder_tells_enough_to_differ(folder):
    finite = np.isfinite(folder['thresholds'])
    assert 3 < finite.sum() < finite.size and np.isfinite(folder['scores']).sum() > 200
    assert len({id for ids in folder['chunks'] for id in ids}) > 30


def test_a_bucket(folder, tmp_path):
    server = Bucket(tmp_path / 'server')
    server.start()
    try:
        same(run(tmp_path / 'home', BUCKET.format(server.options)), folder)
    finally:
        server.kill()


@pytest.mark.nightly
@pytest.mark.skipif(find_spec('ray') is None, reason='pip install ".[ray]"')
def test_two_workers_of_ray(folder, tmp_path):
    same(run(tmp_path / 'home', RAY), folder)
