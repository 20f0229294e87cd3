"One word names a model."

import pytest
from conflare_nb.models.load import load_llm
from conflare_nb.models.server import EndpointLLM


def test_one_word_names_a_model():
    assert load_llm('smollm2', dtype='float32').dtype == 'float32'
    assert load_llm('org/model', revision='v2').name == 'org/model@v2'
    server = load_llm('http://127.0.0.1:1234/v1#qwen', timeout=5)
    assert type(server) is EndpointLLM and server.base_url == 'http://127.0.0.1:1234/v1'
    assert (server.name, server.timeout) == ('qwen', 5)
    with pytest.raises(ValueError, match="with its model.*got 'http://127.0.0.1:1234/v1'"):
        load_llm('http://127.0.0.1:1234/v1')


def test_mistral_is_one_word():
    llm = load_llm('mistral', load_in_4bit=True)
    assert llm.name == 'mistralai/Mistral-7B-Instruct-v0.3 4-bit'
    assert load_llm('./mistral').name == './mistral'  # a directory of that name
