"A cross-encoder with random weights, made and saved here: what is tested is how it is loaded and used, not what it knows."

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

LETTERS = list('abcdefghijklmnopqrstuvwxyz0123456789.,?!-')


def random_cross_encoder(folder, seed=0, labels=1):
    "The folder, with a BERT of two layers that reads letters."
    words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', *LETTERS, *['##' + letter for letter in LETTERS]]
    tokens = Tokenizer(
        models.WordPiece({word: i for i, word in enumerate(words)}, unk_token='[UNK]')
    )
    tokens.normalizer, tokens.pre_tokenizer = (
        normalizers.BertNormalizer(),
        pre_tokenizers.BertPreTokenizer(),
    )
    tokens.post_processor = processors.BertProcessing(('[SEP]', 3), ('[CLS]', 2))
    marks = dict(unk_token='[UNK]', pad_token='[PAD]', cls_token='[CLS]', sep_token='[SEP]')
    PreTrainedTokenizerFast(tokenizer_object=tokens, model_max_length=128, **marks).save_pretrained(
        folder
    )
    torch.manual_seed(seed)
    shape = dict(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
    )
    config = BertConfig(vocab_size=len(words), num_labels=labels, initializer_range=0.5, **shape)
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder
