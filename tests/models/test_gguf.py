"Models in GGUF files, run by llama.cpp: a tiny Mistral with the real tokenizer, and the embedded model."

import hashlib, os, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from command import ENV
from conflare_nb.models.gguf import GgufLLM
from conflare_nb.models.load import load_llm
from tiny_models import mistral_vocabulary, tiny_mistral_gguf

WORDS, KINDS = mistral_vocabulary()
CONTROL = {i for i, kind in enumerate(KINDS) if kind in (2, 3)}


@pytest.fixture(scope='module')
def file(tmp_path_factory):
    return tiny_mistral_gguf(tmp_path_factory.mktemp('gguf') / 'tiny-mistral.Q.gguf')


@pytest.fixture(scope='module')
def tiny(file):
    return load_llm(str(file))


def test_a_prompt_stands_in_the_template_as_mistral_learned_it(tiny):
    assert type(tiny) is GgufLLM and tiny.name == 'tiny-mistral.Q.gguf'
    said = [WORDS[i] for i in tiny._encode('Hello there')]
    assert said == ['<s>', '[INST]', '▁Hello', '▁there', '[/INST]']
    assert tiny.count_tokens(['Hello there', '']) == [5, 3]


marks = st.sampled_from(['</s>', '[/INST]', '[INST]', '<s>', '<unk>', ' ', '\n', 'é', '漢', 'a'])


@settings(max_examples=60, deadline=None)
@given(st.lists(marks, min_size=1, max_size=8))
def test_no_text_becomes_a_mark(tiny, parts):
    _, _, *inside, _ = tiny._encode(''.join(parts))
    assert not CONTROL & set(inside)


def test_replies_follow_the_seed_and_nothing_else(tiny):
    ask = dict(max_new_tokens=6, temperature=1.0)
    five = tiny.generate(['Hello'], n=5, **ask)[0]
    assert len(set(five)) == 5
    assert tiny.generate(['Good', 'Hello'], n=2, seed=3, **ask)[1] == five[3:]
    with ThreadPoolExecutor(5) as pool:
        apart = pool.map(lambda seed: tiny.generate(['Hello'], seed=seed, **ask)[0][0], range(5))
    assert list(apart) == five
    assert tiny.generate(['Hello'], 6, n=2)[0][0] == tiny.generate(['Hello'], 6)[0][0]


def test_a_stream_adds_up_and_ends_at_a_stop(tiny):
    whole = tiny.generate(['Hello'], 8)[0][0]
    assert ''.join(tiny.stream('Hello', 8)) == whole
    stop = whole[3:5]
    assert ''.join(tiny.stream('Hello', 8, stop=[stop])) == whole[: whole.index(stop)]
    pieces = tiny.stream('Hello', 4000)
    next(pieces)
    pieces.close()  # nobody waits any more
    ends = time.monotonic() + 10
    while tiny._asked('GET', '/slots')[0]['is_processing']:
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_probabilities_multiply(tiny):
    whole, first = tiny.score('Hello', [' there you', ' there'])
    ids = tiny._encode('Hello') + tiny._ids(' there')
    (last,) = tiny._ids(' you')
    assert whole == pytest.approx(first + tiny._token_logp(ids, last), abs=1e-4)
    logp = [tiny._token_logp(tiny._encode('Hello'), token) for token in range(0, 32768, 1024)]
    assert max(logp) < 0 and np.exp(logp).sum() < 1
    assert tiny.score('Hello', [' there you'], mean=True) == pytest.approx(whole / 2)


def test_a_larger_window_than_the_model_was_trained_on_is_not_taken(file):
    assert load_llm(str(file), context_window=100_000).context_window == 4096
    assert load_llm(str(file), context_window=512).context_window == 512


LET_GO = """
from concurrent.futures import ThreadPoolExecutor
import sys
from conflare_nb.models.load import load_llm
def load(_): return load_llm(sys.argv[1])._engine is not None
with ThreadPoolExecutor(8) as pool: print(sum(pool.map(load, range(40))))
"""


def test_a_model_that_is_let_go_at_once_ends(file):
    "llama.cpp waits for ever for an engine that is ended before it has begun to work."
    command = [sys.executable, '-c', LET_GO, file]
    done = subprocess.run(command, env=ENV, capture_output=True, text=True, timeout=120)
    assert done.stdout == '40\n', done.stderr


@pytest.mark.parametrize('size', [4, 3_000, 1_000_000])
def test_half_a_file_is_refused_in_a_line(file, tmp_path, size):
    half = tmp_path / 'half.gguf'
    half.write_bytes(file.read_bytes()[:size])
    with pytest.raises(RuntimeError, match='llama.cpp cannot load .*half.gguf: the file is not whole'):
        load_llm(str(half)).count_tokens(['a'])


def test_what_is_missing_is_said(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match='no file .*owner/name/FILE.gguf'):
        load_llm(str(tmp_path / 'none.gguf')).count_tokens(['a'])
    with pytest.raises(FileNotFoundError, match='here, and .*(reached|HF_HUB_OFFLINE)'):
        load_llm('no-one/nothing/none.gguf').count_tokens(['a'])
    monkeypatch.setitem(sys.modules, 'xllamacpp', None)
    with pytest.raises(ImportError, match=r'pip install ".\[llama\]"'):
        load_llm('none.gguf').count_tokens(['a'])


def hub_cache(folder, name, data):
    "The hub's cache with one file of one repository, as the hub's own client lays it out."
    repository = folder / 'models--org--tiny'
    blob = repository / 'blobs' / hashlib.sha256(data).hexdigest()
    link = repository / 'snapshots' / ('c' * 40) / name
    for path in (blob, link, repository / 'refs' / 'main'):
        path.parent.mkdir(parents=True, exist_ok=True)
    blob.write_bytes(data)
    link.symlink_to(os.path.relpath(blob, link.parent))
    (repository / 'refs' / 'main').write_text('c' * 40)
    return blob


def test_a_name_on_the_hub_is_found_and_its_sum_is_checked(file, tmp_path, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, 'HF_HUB_CACHE', str(tmp_path / 'hub'))
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path / 'cache'))
    blob = hub_cache(tmp_path / 'hub', 'tiny.Q4_K_M.gguf', file.read_bytes())
    assert load_llm('org/tiny/tiny.Q4_K_M.gguf').count_tokens(['Hello there']) == [5]
    (tmp_path / 'cache' / 'checked-sums' / blob.name).unlink()
    blob.write_bytes(file.read_bytes()[:-1] + b'x')
    with pytest.raises(ValueError, match='are not the published'):
        load_llm('org/tiny/tiny.Q4_K_M.gguf').count_tokens(['a'])
