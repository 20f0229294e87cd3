"A knowledge base of six documents, and copies of it that may be changed."

import shutil
import pytest
from conflare_nb.questions.guide import sample_documents
from conflare_nb.documents.store import KnowledgeBase


@pytest.fixture(scope='module')
def made(embedder, tmp_path_factory):
    return KnowledgeBase.create(
        tmp_path_factory.mktemp('six') / 'kb', sample_documents()[:6], embedder, progress=False
    )


@pytest.fixture
def copy(made, tmp_path):
    return lambda name='kb': KnowledgeBase.open(
        shutil.copytree(made.path, tmp_path / name), made.embedder
    )


@pytest.fixture
def small(copy):
    return copy()
