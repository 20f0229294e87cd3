"What only a GPU can show: number formats, four bits, and the same replies and vectors as on the CPU."

import importlib.util
import numpy as np, pytest
from conflare_nb.models.local import TransformersLLM, _pick_dtype

torch = pytest.importorskip('torch')
pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason='no CUDA GPU here')]
WORDS = [f'w{i}' for i in range(500)]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):  # Mistral's architecture, random weights, one token a word
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import MistralConfig, MistralForCausalLM, PreTrainedTokenizerFast

    path = tmp_path_factory.mktemp('gpu') / 'mistral-small'
    words = ['<unk>', '<s>', '</s>', *WORDS]
    tok = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token='<unk>'))
    tok.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(tokenizer_object=tok, bos_token='<s>', eos_token='</s>', unk_token='<unk>').save_pretrained(
        path
    )
    torch.manual_seed(0)
    shape = dict(hidden_size=256, intermediate_size=512, num_hidden_layers=3, initializer_range=0.3)
    shape |= dict(num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=512)
    config = MistralConfig(vocab_size=512, **shape, bos_token_id=1, eos_token_id=2)
    MistralForCausalLM(config).save_pretrained(path)
    return path


def prompts(n):
    return [' '.join(np.random.default_rng(i).choice(WORDS, 20)) for i in range(n)]


def test_a_gpu_is_chosen_and_computes_in_bfloat16(folder):
    llm = TransformersLLM(folder)
    assert (llm._model.device.type, llm._model.dtype) == ('cuda', torch.bfloat16)
    assert _pick_dtype('cuda') == torch.bfloat16


def test_the_same_replies_and_scores_as_on_the_cpu(folder):
    here, there = (TransformersLLM(folder, device=d, dtype='float32') for d in ('cpu', 'cuda'))
    replies = [llm.generate(prompts(5), max_new_tokens=12) for llm in (here, there)]
    assert replies[0] == replies[1]
    scores = [llm.score(prompts(1)[0], [' w1 w2', ' w3', ' w4 w5 w6']) for llm in (here, there)]
    np.testing.assert_allclose(*scores, rtol=1e-3, atol=1e-2)


def test_alone_in_a_batch_and_streamed(folder):
    llm = TransformersLLM(folder, dtype='float32')
    together = llm.generate(prompts(7), max_new_tokens=12)
    assert together == [llm.generate([p], max_new_tokens=12)[0] for p in prompts(7)]
    assert ''.join(llm.stream(prompts(1)[0], max_new_tokens=12)) == together[0][0]


def test_samples_are_seeded(folder):
    llm = TransformersLLM(folder, dtype='float32')
    draw = lambda seed: llm.generate(prompts(2), max_new_tokens=8, temperature=1.0, n=3, seed=seed)
    assert draw(0) == draw(0) != draw(50)


NO_BITS = importlib.util.find_spec('bitsandbytes') is None


@pytest.mark.skipif(NO_BITS, reason='bitsandbytes is not installed')
def test_four_bits_take_less_memory(folder):
    def held(**kwargs):
        torch.cuda.empty_cache()
        before = torch.cuda.memory_allocated()
        llm = TransformersLLM(folder, **kwargs)
        llm._model
        return torch.cuda.memory_allocated() - before, llm

    (whole, _), (four, llm) = held(), held(load_in_4bit=True)
    assert four < 0.6 * whole and llm.name.endswith(' 4-bit')
    assert len(llm.generate(prompts(3), max_new_tokens=6)) == 3
    assert np.isfinite(llm.score(prompts(1)[0], [' w1'])).all()


def test_vectors_are_those_of_the_cpu(tmp_path):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast
    from conflare_nb.documents.embedding import Embedder

    words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', *WORDS]
    tok = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token='[UNK]'))
    tok.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(
        tokenizer_object=tok, pad_token='[PAD]', unk_token='[UNK]', model_max_length=64
    ).save_pretrained(tmp_path / 'bert')
    torch.manual_seed(0)
    shape = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128)
    BertModel(BertConfig(vocab_size=600, **shape)).save_pretrained(tmp_path / 'bert')
    body = Transformer(str(tmp_path / 'bert'), max_seq_length=64)
    SentenceTransformer(modules=[body, Pooling(64)]).save(str(tmp_path / 'embedder'))
    here, there = (Embedder(tmp_path / 'embedder', device=d, anew=True) for d in ('cpu', 'cuda'))
    vectors = [model.embed_passages(prompts(40), progress=False) for model in (here, there)]
    np.testing.assert_allclose(*vectors, atol=1e-5)
    assert here.fingerprint() == there.fingerprint()
