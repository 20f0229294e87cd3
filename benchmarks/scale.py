"""From 10^4 to 10^6 chunks: `python benchmarks/scale.py [--chunks 10000 100000 1000000] [--out FILE]`.

Vectors are those of the medication guide's chunks with noise, so that neighbours are as near as in real texts;
texts are random words (of frequencies as in a language), 80 a chunk. 100 questions: vectors of the guide's questions,
each with eight random words. All ways answer every question in turn, in one process: processor seconds and seconds,
medians; read the ratios, since a busy machine makes seconds longer. Opening is measured in processes of their own,
on disk (`memory_budget=0`): a first one, which sums and counts the words, and a second one, which finds kept what a large one keeps.
From 10^6 on the questions that are timed, and those whose recall is measured, are others than the twenty that chose
how the index is compressed. 10^7 chunks (`--chunks 10000000`) need 60 GB of free disk. Sizes that a run does not measure stay in the file.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time

for lib in ('OMP', 'OPENBLAS', 'MKL', 'VECLIB_MAXIMUM'):
    os.environ.setdefault(f'{lib}_NUM_THREADS', '1')
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb.documents.bm25 import word_index
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.documents.hybrid import Hybrid

QUESTIONS, POOL, NOISE, SEED = 100, 50, 0.5, 0
IN_CHILD, BATCH, BATCHED_AT, NEVER = 20, 16, 100_000, 10**12
CHOSEN_ON = 20  # questions, the first, that chose how the index is compressed, at 10^6
WORDS_HELD = 100_000
FEW_FROM, FEW = 1_000_000, 20  # a size, and how many questions are timed from there on
LIBRARIES = 'lancedb', 'pyarrow', 'numpy', 'scipy'


def guide():
    "Vectors of the guide's chunks, and of some of its questions."
    from conflare_nb.labels.guide import sample_documents, sample_questions

    embedder = Embedder()
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, sample_documents(), embedder, progress=False)
        chunks = kb._source.vectors
    questions = sample_questions()
    drawn = np.random.default_rng(SEED).choice(len(questions), QUESTIONS, replace=False)
    return chunks, embedder.embed_queries([questions[i].text for i in drawn], False)


def noisy(vectors):
    "A maker of unit vectors: drawn ones of these, each with noise of its own."

    def make(rng, many):
        drawn = vectors[rng.integers(len(vectors), size=many)]
        noise = rng.normal(size=drawn.shape) * NOISE / drawn.shape[1] ** 0.5
        both = (drawn + noise).astype(np.float32)
        return both / np.linalg.norm(both, axis=1, keepdims=True)

    return make


def gigabytes(folder):
    "What a folder and all below it hold."
    return sum(file.stat().st_size for file in Path(folder).rglob('*') if file.is_file()) / 1e9


class Clock:
    "Processor seconds and seconds since it was made."

    def __init__(self):
        self.start = time.process_time(), time.perf_counter()

    def read(self):
        "Both, as a dict."
        return dict(processor=time.process_time() - self.start[0], seconds=time.perf_counter() - self.start[1])


def peak():
    "The most memory of this process so far, in GB."
    # ru_maxrss also counts the process that started this one
    try:
        lines = Path('/proc/self/status').read_text().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    return next(int(line.split()[1]) for line in lines if line.startswith('VmHWM')) * 1024 / 1e9


def opened(path, asked):
    "In a process of its own: open on disk, and answer. Prints what it took."
    questions, hybrid = json.loads(Path(asked).read_text()), Hybrid()
    found, whole = dict(imports_gb=peak()), Clock()

    def step(name, make):
        clock = Clock()
        made = make()
        found[name] = clock.read() | dict(peak_gb=peak())
        return made

    kb = step('open', lambda: KnowledgeBase.open(path, Embedder(anew=True), memory_budget=0))
    step('fingerprint', kb.fingerprint)
    found['words_kind'] = type(step('words', lambda: word_index(kb))).__name__
    step('first question', lambda: hybrid.rank(kb, questions[0]['text']))
    found['to first answer'] = whole.read()

    def ask():
        for one in questions:
            hybrid.rank(kb, one['text'], vector=np.array(one['vector'], np.float32))

    step('questions', ask)
    found['peak_gb'] = peak()
    print(json.dumps(found))


def in_child(path, asked):
    "What `opened` measures."
    command = [sys.executable, __file__, '--open', str(path), str(asked)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def indexed(kb, compress):
    "Build an index of vectors, and say what it takes."
    clock = Clock()
    kb._index(min_size=1, compress=compress)
    return clock.read() | dict(gb=gigabytes(Path(kb.path) / 'chunks.lance' / '_indices'))


def counted(kb):
    "The words of a knowledge base on disk, and what it takes to make them."
    kb.fingerprint()
    clock = Clock()
    words = word_index(kb, 0)
    return words, clock.read() | dict(gb=sum(map(gigabytes, Path(kb.path).glob('words-*.lance'))))


def recall(exact, compressed, vectors):
    "How much of the exact pool the compressed index finds, mean and worst question."

    def share(vector):
        want, found = exact.search(vector, POOL), compressed.search_pool(vector, POOL)[0]
        return len({*want['id'].to_pylist()} & {*found['id'].to_pylist()}) / POOL

    shares = [share(vector) for vector in vectors]
    return dict(mean=float(np.mean(shares)), worst=min(shares))


def batched(kb, vectors):
    "Sixteen exact searches on disk: one after the other, and in one call of LanceDB."
    from search_speed import medians

    def search(query):
        return kb._source.scan(query).limit(POOL).select(['id', '_distance']).to_arrow()

    groups = [(vectors[i : i + BATCH],) for i in range(0, len(vectors) - BATCH + 1, BATCH)]
    ways = {
        'one by one': lambda group: [search(vector) for vector in group],
        'in one call': lambda group: search(list(group)),
    }
    took = medians(ways, groups)
    return {name: dict(processor=p, seconds=s) for name, (p, s) in took.items()}


def measure(n, folder, chunks, vectors, done):
    "All figures of one size; `done` gets what there is, once the openings are measured."
    from search_speed import medians, stored, texts

    embedder = Embedder(anew=True)
    asked = list(zip(texts(np.random.default_rng(SEED + 1), QUESTIONS, 8), vectors))
    path, exact_path = folder / 'kb', folder / 'exact'
    if not KnowledgeBase.is_there(path):
        stored(path, n, embedder, noisy(chunks))

    def on_disk(where):
        return KnowledgeBase.open(where, embedder, memory_budget=0)

    out, kb = dict(chunks=n, table_gb=gigabytes(path)), on_disk(path)
    small = n < 1_000_000
    if small:
        shutil.copytree(path, exact_path)
    out['compressed index'] = indexed(kb, 1)
    exact = kb
    if small:
        exact = on_disk(exact_path)
        out['exact index'] = indexed(exact, NEVER)
    (folder / 'asked.json').write_text(
        json.dumps([dict(text=text, vector=vector.tolist()) for text, vector in asked[:IN_CHILD]])
    )
    out['first opening'], out['second opening'] = (in_child(path, folder / 'asked.json') for _ in range(2))
    done(out)
    words, out['stored words'] = counted(kb)
    ways = {
        'words, stored': lambda text, vector: words.ask(text).best(POOL),
        'pool, exact on disk': lambda text, vector: exact.search(vector, POOL),
        'pool, compressed': lambda text, vector: kb.search_pool(vector, POOL),
        'hybrid, on disk': lambda text, vector: Hybrid().rank(kb, text, vector=vector),
    }
    sure = exact
    if n <= 1_000_000:
        sure = held = KnowledgeBase.open(path, embedder, memory_budget=NEVER)
        matrix = held._source.vectors
        ways |= {
            'NumPy scan': lambda text, vector: np.argpartition(-(matrix @ vector), POOL)[:POOL],
            'pool, in memory': lambda text, vector: held.search_pool(vector, POOL),
        }
    if n <= WORDS_HELD:
        held_words = word_index(held, NEVER)
        ways |= {
            'words, held': lambda text, vector: held_words.ask(text).best(POOL),
            'hybrid, in memory': lambda text, vector: Hybrid().rank(held, text, vector=vector),
        }
    if n >= FEW_FROM:
        asked, vectors = asked[CHOSEN_ON:][:FEW], vectors[CHOSEN_ON:]
    if n > 1_000_000:
        vectors = vectors[:FEW]
    out['timed'] = len(asked)
    out['a question'] = {name: dict(processor=p, seconds=s) for name, (p, s) in medians(ways, asked).items()}
    out['recall'] = recall(sure, kb, vectors)
    if n == BATCHED_AT:
        out['batched'] = batched(exact, vectors)
    return out


def rounded(value):
    "The same with four digits of every number that is no whole one."
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, float):
        return float(f'{value:.4g}')
    return value


def processor():
    "What the machine's processor calls itself."
    try:
        lines = Path('/proc/cpuinfo').read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(': ')[1] for line in lines if line.startswith('model name')), platform.machine())


def made_with():
    "What the figures depend on."
    machine = dict(processor=processor(), cores=os.cpu_count(), threads_of_numpy=1)
    return dict(
        date=date.today().isoformat(),
        machine=machine,
        python=platform.python_version(),
        versions={name: version(name) for name in LIBRARIES},
        seed=SEED,
        noise=NOISE,
        pool=POOL,
        questions=QUESTIONS,
    )


def save(file, row):
    "Put the figures of one size into the file, in the place of earlier ones."
    row = rounded(row)
    print(json.dumps(row, indent=1), flush=True)
    if file is None:
        return
    rows = json.loads(file.read_text(encoding='utf-8'))['sizes'] if file.exists() else []
    rows = [one for one in rows if one['chunks'] != row['chunks']]
    rows = sorted([*rows, made_with() | row], key=lambda one: one['chunks'])
    file.write_text(json.dumps(dict(sizes=rows), indent=1) + '\n', encoding='utf-8')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--chunks', type=int, nargs='+', default=[10_000, 100_000, 1_000_000])
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    parser.add_argument('--folder', type=Path, help='where tables stay, and are found by a run that was stopped')
    parser.add_argument('--open', nargs=2, metavar=('FOLDER', 'QUESTIONS'), help='used by the script itself')
    args = parser.parse_args()
    if args.open:
        return opened(*args.open)
    chunks, vectors = guide()
    for n in args.chunks:
        free = shutil.disk_usage(tempfile.gettempdir()).free / 1e9
        if n > 1_000_000 and free < 60:
            raise SystemExit(f'{n:,} chunks need 60 GB of disk; {free:.0f} GB are free')
        with tempfile.TemporaryDirectory() as new:
            folder = Path(new) if args.folder is None else args.folder / str(n)
            save(args.out, measure(n, folder, chunks, vectors, lambda part: save(args.out, part)))


if __name__ == '__main__':
    main()
