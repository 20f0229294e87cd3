"What the tests of retrieval share: one embedder, and the sample's knowledge base with its labels."

import shutil
from importlib import import_module
import pytest
from conflare_nb import Embedder, KnowledgeBase, label_questions, sample_documents, sample_questions, split_questions
from knowledge import make_kb


@pytest.fixture(scope='session')
def embedder():
    return Embedder()


@pytest.fixture(scope='session')
def kb(embedder, tmp_path_factory):  # the sample; not to be changed
    return make_kb(tmp_path_factory.mktemp('sample'), sample_documents(), embedder)


@pytest.fixture(scope='session')
def few(embedder, tmp_path_factory):  # six of its documents; to be copied, not changed
    return make_kb(tmp_path_factory.mktemp('few') / 'kb', sample_documents()[:6], embedder)


@pytest.fixture
def mine(few, tmp_path):  # a copy of one's own
    return KnowledgeBase.open(shutil.copytree(few.path, tmp_path / 'kb'), few.embedder)


@pytest.fixture(scope='session')
def questions():
    return sample_questions()


@pytest.fixture(scope='session')
def asked(few, questions):  # about the six
    return [q for q in questions if q.document in few.documents()]


@pytest.fixture(scope='session')
def halves(questions):
    return split_questions(questions, seed=1)


@pytest.fixture(scope='session')
def labels(kb, questions):
    return label_questions(kb, questions, progress=False)


@pytest.fixture(scope='session')
def other_embedder(embedder, tmp_path_factory):  # the same model with one number changed
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(embedder.folder, tmp_path_factory.mktemp('model') / 'other')
    weights = load_file(folder / 'model.safetensors')
    next(w for w in weights.values() if w.is_floating_point()).view(-1)[0] += 0.01
    save_file(weights, folder / 'model.safetensors', metadata={'format': 'pt'})
    return Embedder(folder)


@pytest.fixture
def begin():  # ('labeling_worker.label', arguments) -> that function at work in a process of its own, which is forked
    from store_worker import forks

    def begin(function, *args):
        module, name = function.split('.')
        process = forks(module).Process(target=getattr(import_module(module), name), args=args)
        process.start()
        return process

    return begin
