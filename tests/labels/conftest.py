"Copies of a knowledge base of six documents, which may be changed."

import shutil
import pytest
from conflare_nb.documents.store import KnowledgeBase


@pytest.fixture
def copy(few, tmp_path):
    return lambda name='kb': KnowledgeBase.open(
        shutil.copytree(few.path, tmp_path / name), few.embedder
    )


@pytest.fixture
def small(copy):
    return copy()
