"The page \"Mistral on your machine\": every command of ours in it, run on a tiny Mistral with the real tokenizer."

import json, re, shlex, subprocess, sys
from pathlib import Path
import pytest
from command import conflare_here
from conflare_nb.models.load import MODEL_WORDS
from tiny_models import tiny_mistral_gguf, tiny_mistral_folder

pytestmark = pytest.mark.model
ROOT = Path(__file__).resolve().parents[1]
CELLS = json.loads((ROOT / 'nbs/guides/mistral.ipynb').read_text(encoding='utf-8'))['cells']
PAGE = '\n'.join(''.join(c['source']) for c in CELLS if c['cell_type'] == 'markdown')
COMMANDS = [line for block in re.findall(r'```sh\n(.*?)```', PAGE, re.S) for line in block.splitlines()]


def test_the_page_has_the_commands_that_are_run_here():
    assert {c.split()[0] for c in COMMANDS} == {'conflare', 'hf'}
    assert len(COMMANDS) == 8
    for extra in re.findall(r'pip install "\.\[(\w+)\]"', PAGE):
        assert f'\nextra_{extra} = ' in (ROOT / 'settings.ini').read_text()
    assert MODEL_WORDS['mistral-gguf'].startswith('bartowski/Mistral-7B-Instruct-v0.3-GGUF/')


@pytest.fixture(scope='module')
def models(tmp_path_factory):
    "{what the page calls a model: what stands in for it}; the server is llama.cpp's own."
    xllamacpp = pytest.importorskip('xllamacpp')
    folder = tmp_path_factory.mktemp('models')
    file = str(tiny_mistral_gguf(folder / 'tiny.gguf'))
    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.verbosity = file, 4096, -1
    server = xllamacpp.Server(params)
    address = f'{server.listening_address}/v1#tiny'
    yield {
        'mistral-gguf': file,
        'models/Mistral-7B-Instruct-v0.3-Q4_K_M.gguf': file,
        'mistral': str(tiny_mistral_folder(folder / 'mistral')),
        'http://localhost:11434/v1#mistral': address,
    }
    del server


@pytest.mark.parametrize('command', [c for c in COMMANDS if c.startswith('conflare')])
def test_a_command_of_the_page_writes(models, command, online):
    words = [models.get(word, word) for word in shlex.split(command)[1:]]
    assert words != shlex.split(command)[1:]
    r = conflare_here(*words)
    assert r.returncode == 0, r.stderr
    assert 'Written by ' in r.stdout


@pytest.mark.parametrize('command', [c for c in COMMANDS if c.startswith('hf')])
def test_the_hub_knows_the_options_of_a_command(command):
    hf = [sys.executable, '-m', 'huggingface_hub.cli.hf']
    r = subprocess.run([*hf, *shlex.split(command)[1:], '--help'], capture_output=True, text=True)
    assert r.returncode == 0, r.stderr
    for option in re.findall(r'--\w+', command):
        assert option in r.stdout
