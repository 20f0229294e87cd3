"""What a GPU makes of it: `python benchmarks/gpu.py [--small] [--embedder FOLDER] [--out FILE]`.

A language model in Mistral 7B's shape with random weights (it says nothing, at the speed of the real one) is written to
a temporary folder (15 GB), loaded through `TransformersLLM` in bfloat16 and in four bits, and asked for single replies,
batches, a stream and scores, with the memory that each takes. MiniLM's architecture embeds passages of 250 tokens on the
GPU and on the CPU of the same machine. Every ratio is against a named alternative in the same run.

--small: a model of a few million parameters, to try the script where there is no GPU. --embedder: a sentence-transformers
folder whose weights may be missing; random ones are put in their place.
"""

import argparse
import gc
import json
import platform
import sys
import tempfile
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from conflare_nb.documents.embedding import Embedder
from conflare_nb.models.local import TransformersLLM

SHAPES = {
    'mistral-7b': dict(
        vocab_size=32768,
        hidden_size=4096,
        intermediate_size=14336,
        num_hidden_layers=32,
        num_attention_heads=32,
        num_key_value_heads=8,
        max_position_embeddings=32768,
    ),
    'small': dict(
        vocab_size=2048,
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
    ),
}
PROMPT_WORDS = 500  # of one token each
NEW_TOKENS = 64
GPU = torch.cuda.is_available()


# ---- a model that says nothing


def tokenizer():
    "Words of the form w17, one token each, with Mistral's marks and template."
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = ['<unk>', '<s>', '</s>', *(f'w{i}' for i in range(2000))]
    tok = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token='<unk>'))
    tok.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=tok, bos_token='<s>', eos_token='</s>', unk_token='<unk>')


def write_model(folder: Path, shape: str):
    "A Mistral model with random weights, as transformers saves one."
    from transformers import MistralConfig, MistralForCausalLM

    torch.manual_seed(0)
    config = MistralConfig(**SHAPES[shape], bos_token_id=1, eos_token_id=None, dtype='bfloat16')
    with torch.device('cuda' if GPU else 'cpu'):
        torch.set_default_dtype(torch.bfloat16)
        model = MistralForCausalLM(config)
        torch.set_default_dtype(torch.float32)
    model.generation_config.eos_token_id = None
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    parameters = sum(p.numel() for p in model.parameters())
    del model
    return parameters


def prompts(n: int, seed: int) -> list:
    "Different texts of the same length."
    rng = np.random.default_rng(seed)
    return [' '.join(f'w{i}' for i in rng.integers(0, 2000, PROMPT_WORDS)) for _ in range(n)]


# ---- measuring


def gib(n: int) -> float:
    return round(n / 2**30, 2)


def clear():
    "Give back what is not held any more, and count the peak from here."
    gc.collect()
    if GPU:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def peak() -> float | None:
    "The largest memory since `clear`, in GiB."
    return gib(torch.cuda.max_memory_allocated()) if GPU else None


def seconds(work) -> float:
    "How long it takes, with the GPU's queue empty at both ends."
    if GPU:
        torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    if GPU:
        torch.cuda.synchronize()
    return time.perf_counter() - start


def best(work, times: int = 3) -> float:
    "The shortest of several runs behind a first one that does not count."
    work()
    return min(seconds(work) for _ in range(times))


# ---- the language model


def generated(llm, rows: int) -> dict:
    "Replies of full length to `rows` prompts at once."
    asked = prompts(rows, rows)
    took = best(lambda: llm.generate(asked, max_new_tokens=NEW_TOKENS))
    return dict(rows=rows, seconds=round(took, 3), tokens_a_second=round(rows * NEW_TOKENS / took, 1), peak_gib=peak())


def by_transformers(llm, rows: int) -> float:
    "Tokens a second of transformers' own `generate` on the same model and prompts: the alternative."
    ids = torch.tensor([llm._encode(p) for p in prompts(rows, rows)], device=llm._model.device)

    def work():
        with torch.inference_mode():
            llm._model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=NEW_TOKENS,
                min_new_tokens=NEW_TOKENS,
                do_sample=False,
                pad_token_id=0,
            )

    return round(rows * NEW_TOKENS / best(work), 1)


def first_piece(llm) -> float:
    "Seconds until a stream shows something."
    (prompt,) = prompts(1, 77)
    next(iter(llm.stream(prompt, max_new_tokens=NEW_TOKENS)))
    return round(seconds(lambda: next(iter(llm.stream(prompt, max_new_tokens=NEW_TOKENS)))), 3)


def language_model(folder: Path, four_bit: bool, batches: tuple) -> dict:
    "Load once, then replies, a stream and scores."
    clear()
    llm = TransformersLLM(folder, load_in_4bit=four_bit, batch_rows=max(batches))
    loading = seconds(lambda: llm._model)
    weights = gib(torch.cuda.memory_allocated()) if GPU else None
    found = dict(
        bits=4 if four_bit else 16,
        device=str(llm._model.device),
        dtype=str(llm._model.dtype),
        load_seconds=round(loading, 1),
        weights_gib=weights,
    )
    found['generate'] = []
    for rows in batches:
        clear()
        found['generate'].append(generated(llm, rows))
    found['transformers_tokens_a_second'] = {rows: by_transformers(llm, rows) for rows in (1, max(batches))}
    found['first_piece_seconds'] = first_piece(llm)
    (prompt,) = prompts(1, 5)
    answers = [' w1 w2', ' w3 w4 w5', ' w6', ' w7 w8']
    found['score_seconds'] = round(best(lambda: llm.score(prompt, answers)), 3)
    found['scores'] = [round(float(s), 3) for s in llm.score(prompt, answers)]
    alone = llm.generate(prompts(3, 9)[:1], max_new_tokens=NEW_TOKENS)
    together = llm.generate(prompts(3, 9), max_new_tokens=NEW_TOKENS)[:1]
    found['same_alone_and_in_a_batch'] = alone == together
    found['same_twice'] = together == llm.generate(prompts(3, 9), max_new_tokens=NEW_TOKENS)[:1]
    return found


# ---- the embedder


def with_weights(folder: Path, to: Path) -> Path:
    "A copy of a sentence-transformers folder, with random weights where it has none."
    import shutil
    from transformers import AutoConfig, AutoModel

    shutil.copytree(folder, to)
    if not list(to.glob('*.safetensors')):
        torch.manual_seed(0)
        AutoModel.from_config(AutoConfig.from_pretrained(to)).save_pretrained(to)
    return to


def embedding(folder: Path, passages: int) -> dict:
    "Passages of about 250 tokens a second, by device and batch."
    words = 'keep your tablets dry and out of the reach of children below twenty five degrees'.split()
    rng = np.random.default_rng(0)
    texts = [' '.join(rng.choice(words, 200)) for _ in range(passages)]
    found = []
    for device, sizes in (('cuda', (32, 128, 512)), ('cpu', (32,))):
        if device == 'cuda' and not GPU:
            continue
        some = texts if device == 'cuda' else texts[: max(64, passages // 40)]
        for size in sizes:
            embedder = Embedder(folder, device=device, batch_size=size, anew=True)
            embedder.embed_passages(some[:64], progress=False)
            took = seconds(lambda: embedder.embed_passages(some, progress=False))
            found.append(dict(device=device, batch=size, passages_a_second=round(len(some) / took, 1)))
    vectors = {}
    for device in ('cuda', 'cpu'):
        if device == 'cuda' and not GPU:
            continue
        vectors[device] = Embedder(folder, device=device, anew=True).embed_passages(texts[:32], progress=False)
    apart = float(np.abs(vectors['cuda'] - vectors['cpu']).max()) if GPU else None
    return dict(rates=found, largest_difference_of_devices=apart, cpu_threads=torch.get_num_threads())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--small', action='store_true', help='a small model, to try the script')
    parser.add_argument('--embedder', type=Path, help='a sentence-transformers folder; default: no embedding')
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    args = parser.parse_args()
    shape = 'small' if args.small else 'mistral-7b'
    machine = torch.cuda.get_device_name() if GPU else platform.processor() or platform.machine()
    versions = {name: version(name) for name in ('torch', 'transformers', 'sentence-transformers', 'numpy')}
    figures = dict(
        date=date.today().isoformat(),
        machine=machine,
        python=platform.python_version(),
        versions=versions,
        shape=shape,
        prompt_tokens=PROMPT_WORDS,
        new_tokens=NEW_TOKENS,
    )

    def keep():
        text = json.dumps(figures, indent=1)
        if args.out:
            args.out.write_text(text + '\n', encoding='utf-8')
        return text

    with tempfile.TemporaryDirectory() as d:
        if args.embedder:
            figures['embedding'] = embedding(with_weights(args.embedder, Path(d) / 'embedder'), 8000 if GPU else 200)
            print(keep(), flush=True)
        figures['parameters'] = write_model(Path(d) / shape, shape)
        figures['models'] = []
        for four_bit in (False, True) if GPU else (False,):
            figures['models'].append(language_model(Path(d) / shape, four_bit, (1, 8, 32) if GPU else (1, 4)))
            print(keep(), flush=True)
    full, *four = figures['models']
    print(
        f"batches of {full['generate'][-1]['rows']} against single prompts: "
        f"{full['generate'][-1]['tokens_a_second'] / full['generate'][0]['tokens_a_second']:.1f} x"
    )
    for rows, rate in full['transformers_tokens_a_second'].items():
        ours = next(g['tokens_a_second'] for g in full['generate'] if g['rows'] == rows)
        print(f'{rows} prompt(s) against transformers\' own generate: {ours / rate:.2f} x')
    if four:
        print(
            f"4 bits against 16: {four[0]['weights_gib'] / full['weights_gib']:.2f} x the memory of weights, "
            f"{four[0]['generate'][0]['tokens_a_second'] / full['generate'][0]['tokens_a_second']:.2f} x the speed"
        )


if __name__ == '__main__':
    main()
