"What the tests of models share: the embedded model, loaded once."

import pytest
from conflare_nb.models.local import TransformersLLM


@pytest.fixture(scope='module')
def llm():
    return TransformersLLM(device='cpu', dtype='float32')
