"One word names a model."
import pytest
from conflare_nb.models.load import load_llm
from conflare_nb.models.server import EndpointLLM

def test_one_word_names_a_model():
    assert load_llm('smollm2', dtype='float32').dtype == 'float32'
    assert load_llm('org/model', revision='v2').name == 'org/model@v2'
    server = load_llm('http://127.0.0.1:1234/v1#qwen', timeout=5)
    assert (type(server), server.name, server.base_url, server.timeout) == (EndpointLLM, 'qwen', 'http://127.0.0.1:1234/v1', 5)
    with pytest.raises(ValueError, match='a server is named with its model.*got \'http://127.0.0.1:1234/v1\''): load_llm('http://127.0.0.1:1234/v1')
