"A knowledge base made by many workers is the one that a single process makes: on a real Ray cluster of two workers on this machine."

import os, signal, subprocess, sys
from importlib.util import find_spec
from pathlib import Path
import numpy as np, pytest
from bucket_server import Bucket
from conflare_nb.documents.reading import Document, Section, read_folder
from conflare_nb.contrib.ray import create_with_ray
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.documents.tables import Tables
from letters import Letters, doc
from ray_worker import Counted, Dies, DOCS, Other, anew, staging, start, written
from knowledge import make_kb

pytestmark = pytest.mark.skipif(find_spec('ray') is None, reason='pip install ".[ray]"')
nightly = pytest.mark.nightly


@pytest.fixture(scope='module', autouse=True)
def cluster():  # on the loopback address alone
    ray = start()
    yield ray
    ray.shutdown()


@pytest.fixture(scope='module')
def here(tmp_path_factory):
    return make_kb(tmp_path_factory.mktemp('here'), DOCS)


def make(path, source, embedder=None, **kw):
    return create_with_ray(path, source, embedder or Letters(), progress=False, **kw)


def same(kb, here):
    assert kb.fingerprint() == here.fingerprint()
    assert kb.texts() == here.texts()
    assert kb.config == here.config
    assert kb.table.schema.equals(here.table.schema, check_metadata=True)
    for question in ('warm 7', 'What keeps dry?'):
        mine, theirs = (one.search(question, 9) for one in (kb, here))
        assert mine['id'] == theirs['id']
        assert np.ptp([mine['distance'], theirs['distance']], axis=0).max() < 1e-6
    assert len(kb.search_within('warm 7', np.inf)) == len(here)
    if not kb.tables.remote:
        assert staging(kb.path) == []


def test_a_killed_worker_costs_nothing_and_a_second_call_makes_it_anew(tmp_path, here):
    kb = tmp_path / 'kb'
    same(make(kb, DOCS, Dies(tmp_path / 'died')), here)
    assert (tmp_path / 'died').exists()
    same(KnowledgeBase.open(kb, Letters()), here)
    same(make(kb, DOCS), here)  # in its place
    assert KnowledgeBase.open(kb, Letters()).add([anew('00.md')], progress=False) == 1


@nightly
def test_files_and_datasets(tmp_path, cluster):
    import pandas as pd

    for i, words in enumerate(('Keep cold.', 'Keep dry.', 'Keep warm.')):
        (tmp_path / f'{i}.md').write_text(f'# Title {i}\n\n{words}\n')
    (tmp_path / 'bad.pdf').write_text('no pdf')
    with pytest.warns(UserWarning, match='bad.pdf: not a readable PDF'):
        files = make(tmp_path / 'kb', tmp_path)
    with pytest.warns(UserWarning, match='bad.pdf'):
        documents = read_folder(tmp_path)
    same(files, make_kb(tmp_path / 'here', documents))
    rows = [dict(path=d.path, title=d.title, text=d.sections[0].text) for d in documents]
    plain = [Document(r['path'], r['title'], (Section('', r['text']),)) for r in rows]
    pd.DataFrame(rows).to_parquet(tmp_path / 'rows.parquet')
    wanted = make_kb(tmp_path / 'plain', plain)
    same(make(tmp_path / 'p', cluster.data.read_parquet(tmp_path / 'rows.parquet')), wanted)
    same(make(tmp_path / 'd', cluster.data.from_items(rows)), wanted)
    with pytest.raises(ValueError, match=r"columns path, title and text; got \['path', 'words'\]"):
        make(tmp_path / 'n', cluster.data.from_items([dict(path='a', words='b')]))
    with pytest.raises(ValueError, match="two documents have the same path, '0.md'"):
        make(tmp_path / 'n', cluster.data.from_items(rows + rows))
    assert not KnowledgeBase.is_there(tmp_path / 'n')


@nightly
def test_what_is_refused_is_refused_before_anything_is_stored(tmp_path, here):
    with pytest.raises(ValueError, match='no text to store in 0'):
        make(tmp_path, [])
    with pytest.raises(ValueError, match='no text to store in 2'):
        make(tmp_path, [doc('a.md'), doc('b.md')])
    with pytest.raises(ValueError, match="two documents have the same path, '00.md'"):
        make(tmp_path, [*DOCS, DOCS[0]])
    with pytest.raises(ValueError, match='00.md has 0 of 1 tokens left'):
        make(tmp_path, DOCS[:1], budget=1)
    with pytest.raises(ValueError, match="a worker loaded another model by the name 'letters'"):
        make(tmp_path, DOCS, Other())
    assert not KnowledgeBase.is_there(tmp_path) and Tables(tmp_path).db.list_tables().tables == []


@nightly
@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='nothing is killed this way here')
def test_a_killed_call_is_gone_on_with(tmp_path, here):
    "What was stored is not embedded again, unless its document changed; the knowledge base of before stays until the new one is whole."
    kb, log = tmp_path / 'kb', tmp_path / 'again'
    old = make_kb(kb, [doc('old.md', 'An older one.')])
    worker = Path(__file__).parents[1] / 'ray_worker.py'
    command = [sys.executable, worker, str(kb), str(tmp_path / 'first')]
    path = dict(PYTHONPATH=os.pathsep.join(sys.path))
    driver = subprocess.run(command, env=os.environ | path, timeout=300)
    assert driver.returncode == -signal.SIGKILL
    stored = written(kb)
    assert 0 < len(stored) < len(DOCS) and KnowledgeBase.open(kb, Letters()).texts() == old.texts()
    changed = sorted(stored)[0]
    documents = [anew(changed) if d.path == changed else d for d in DOCS]
    made = make(kb, documents, Counted(log))
    wanted = {f'{document}#{i}' for document in {d.path for d in DOCS} - stored | {changed} for i in range(3)}
    assert sorted(log.read_text().split()) == sorted(wanted)
    same(made, make_kb(tmp_path / 'here', documents))


@nightly
def test_a_bucket(tmp_path, here):
    pytest.importorskip('localbucket')
    server = Bucket(tmp_path / 'server')
    server.start()
    try:
        with pytest.warns(UserWarning, match='could not be removed'):
            made = make(
                's3://shelf/kb', DOCS, storage_options=server.options
            )  # this server deletes one object at a time
        same(made, here)
        same(KnowledgeBase.open('s3://shelf/kb', Letters(), storage_options=server.options), here)
        (server.folder / 'shelf' / 'files').mkdir()
        (server.folder / 'shelf' / 'files' / 'a.md').write_text('# A\n\nKeep cold.\n')
        with pytest.warns(UserWarning, match='could not be removed'):
            files = make('s3://shelf/files-kb', 's3://shelf/files', storage_options=server.options)
        (found,) = files.texts()
        assert (found.document, found.title, found.text) == ('a.md', 'A', 'Keep cold.')
    finally:
        server.kill()
