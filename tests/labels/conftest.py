"What the tests of labels share: copies of a small knowledge base."

import shutil
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
