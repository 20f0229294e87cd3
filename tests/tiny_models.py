"Models with random weights, made and saved here: what is tested is how they are loaded and used, not what they know."

from importlib.util import find_spec
from pathlib import Path
import numpy as np

LETTERS = list('abcdefghijklmnopqrstuvwxyz0123456789.,?!-')


def random_cross_encoder(folder, seed=0, labels=1):
    "The folder, with a BERT of two layers that reads letters."
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', *LETTERS, *['##' + letter for letter in LETTERS]]
    tokens = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token='[UNK]'))
    tokens.normalizer = normalizers.BertNormalizer()
    tokens.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokens.post_processor = processors.BertProcessing(('[SEP]', 3), ('[CLS]', 2))
    marks = dict(unk_token='[UNK]', pad_token='[PAD]', cls_token='[CLS]', sep_token='[SEP]')
    PreTrainedTokenizerFast(tokenizer_object=tokens, model_max_length=128, **marks).save_pretrained(folder)
    torch.manual_seed(seed)
    shape = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=2)
    shape |= dict(intermediate_size=64, max_position_embeddings=128)
    config = BertConfig(vocab_size=len(words), num_labels=labels, initializer_range=0.5, **shape)
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def tiny_mistral_gguf(file, seed=0, window=4096):
    "A GGUF file in Mistral's shape: two layers of random weights, the tokenizer and the template of Mistral 7B v0.3."
    from gguf import GGUFWriter

    words, kinds = mistral_vocabulary()
    width, heads, kv_heads, inner = 32, 4, 2, 64
    out = GGUFWriter(file, 'llama')
    out.add_context_length(window)
    out.add_embedding_length(width)
    out.add_block_count(2)
    out.add_feed_forward_length(inner)
    out.add_head_count(heads)
    out.add_head_count_kv(kv_heads)
    out.add_rope_dimension_count(width // heads)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_vocab_size(len(words))
    out.add_tokenizer_model('llama')
    out.add_token_list(words)
    out.add_token_scores([-float(i) for i in range(len(words))])
    out.add_token_types(kinds)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_unk_token_id(0)
    out.add_add_bos_token(True)
    out.add_chat_template(MISTRAL_TEMPLATE)
    rng = np.random.default_rng(seed)
    shapes = {'token_embd': (len(words), width), 'output': (len(words), width)}
    for layer in range(2):
        kv_width = width // heads * kv_heads
        rows = dict(attn_q=width, attn_k=kv_width, attn_v=kv_width, attn_output=width, ffn_gate=inner, ffn_up=inner)
        shapes |= {f'blk.{layer}.{name}': (size, width) for name, size in rows.items()}
        shapes[f'blk.{layer}.ffn_down'] = (width, inner)
    norms = ['output_norm', *(f'blk.{i}.{part}_norm' for i in range(2) for part in ('attn', 'ffn'))]
    for name, shape in shapes.items():
        out.add_tensor(f'{name}.weight', rng.normal(0, 0.3, shape).astype('float32'))
    for name in norms:
        out.add_tensor(f'{name}.weight', np.ones(width, 'float32'))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    return file


MISTRAL_TEMPLATE = "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'user' %}{{ '[INST] ' + m['content'] + '[/INST]' }}{% else %}{{ ' ' + m['content'] + eos_token }}{% endif %}{% endfor %}"


def mistral_vocabulary():
    "(tokens, their kinds) of Mistral 7B v0.3's tokenizer, from the package that Mistral publishes."
    from transformers.utils import sentencepiece_model_pb2_new as sentencepiece

    folder = Path(find_spec('mistral_common').submodule_search_locations[0]) / 'data'
    model = sentencepiece.ModelProto()
    model.ParseFromString((folder / 'mistral_instruct_tokenizer_240323.model.v3').read_bytes())
    return [piece.piece for piece in model.pieces], [piece.type for piece in model.pieces]


def mistral_tokenizer(others=256):
    "A tokenizer of Mistral's kind: SentencePiece spaces, bytes for what is unknown, a beginning-of-text mark, [INST] marks."
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    marks = ['<unk>', '<s>', '</s>', '[INST]', '[/INST]']
    words = [*marks, *(f'<0x{b:02X}>' for b in range(others)), '▁', *map(chr, range(33, 127))]
    numbers = {w: i for i, w in enumerate(words)}
    tok = Tokenizer(models.BPE(numbers, [], unk_token='<unk>', byte_fallback=True))
    tok.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme='first', split=False)
    steps = [decoders.Replace('▁', ' '), decoders.ByteFallback(), decoders.Fuse()]
    tok.decoder = decoders.Sequence([*steps, decoders.Strip(' ', 1, 0)])
    tok.post_processor = processors.TemplateProcessing(single='<s> $A', special_tokens=[('<s>', 1)])
    tok.add_special_tokens([AddedToken(m, special=True) for m in marks])
    tok.add_tokens([AddedToken('<tool>', special=False)])
    template = "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'user' %}{{ '[INST] ' + m['content'] + '[/INST]' }}{% else %}{{ m['content'] + eos_token }}{% endif %}{% endfor %}"
    names = dict(bos_token='<s>', eos_token='</s>', unk_token='<unk>', chat_template=template)
    return PreTrainedTokenizerFast(tokenizer_object=tok, **names)


def tiny_mistral_folder(folder, window=4096):
    "A folder as the hub has them: Mistral's classes with random weights, and a tokenizer that reads letters."
    import torch
    from transformers import MistralConfig, MistralForCausalLM

    tok = mistral_tokenizer()
    torch.manual_seed(0)
    shape = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2)
    shape |= dict(num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=window)
    config = MistralConfig(vocab_size=len(tok), **shape, bos_token_id=1, eos_token_id=2)
    MistralForCausalLM(config).save_pretrained(folder)
    tok.save_pretrained(folder)
    return folder
