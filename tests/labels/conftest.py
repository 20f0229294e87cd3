"What the tests of labels share: copies of a small knowledge base, and processes to kill."

import shutil
import pytest
from store_worker import forks
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
def begin():  # a function of labeling_worker in a process of its own, which is forked
    context = forks('labeling_worker')
    import labeling_worker

    def begin(name, *args):
        process = context.Process(target=getattr(labeling_worker, name), args=args)
        process.start()
        return process

    return begin
