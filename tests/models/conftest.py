"What the tests of models share: the embedded model, loaded once, and a server's leave."

import pytest
from conflare_nb.models.local import TransformersLLM


@pytest.fixture(scope='module')
def llm():
    return TransformersLLM(device='cpu', dtype='float32')


@pytest.fixture
def online(monkeypatch):  # servers on this machine may be asked
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)
