"What the tests of labels share: copies of a small knowledge base, processes to kill, a server's leave."

import multiprocessing, os, shutil, sys
import pytest
from conflare_nb.documents.store import KnowledgeBase


@pytest.fixture
def copy(few, tmp_path):  # of a knowledge base of six documents, which may be changed
    def copy(name='kb'):
        return KnowledgeBase.open(shutil.copytree(few.path, tmp_path / name), few.embedder)

    return copy


@pytest.fixture
def small(copy):
    return copy()


@pytest.fixture
def online(monkeypatch):  # servers on this machine may be asked
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)


@pytest.fixture
def begin(monkeypatch):  # a function of labeling_worker in a process of its own, which is forked
    monkeypatch.setenv('OMP_NUM_THREADS', '1')
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(sys.path))
    context = multiprocessing.get_context('forkserver')
    context.set_forkserver_preload(['labeling_worker'])
    import labeling_worker

    def begin(name, *args):
        process = context.Process(target=getattr(labeling_worker, name), args=args)
        process.start()
        return process

    return begin
