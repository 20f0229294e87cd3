"""How long a question takes by `Hybrid` and by `LateHybrid`, beside the search within a distance: `python benchmarks/search_speed.py [chunks ...]`.

Chunks are random unit vectors with random words (of frequencies as in a language: Zipf), questions eight words each.
Both ways answer the same questions in turn in one process, timed in processor seconds, so that a busy machine counts
less; what counts is the ratio, without and with embedding the
question. The distance lets 20 chunks through, the hybrid score scores its pool, and the late one reads its twenty best closely, by
random states of tokens that are stored. Below stand the parts of a question. Default sizes: 10,000 and 100,000.
"""

import os
import sys
import tempfile
import time

for lib in ('OMP', 'OPENBLAS', 'MKL', 'VECLIB_MAXIMUM'):
    os.environ.setdefault(f'{lib}_NUM_THREADS', '1')  # threads that wait for each other on a busy machine
import numpy as np
from conflare_nb.documents.bm25 import word_index
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.store import KnowledgeBase, _rows
from conflare_nb.documents.tables import Tables
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.late import LateHybrid
from conflare_nb.documents.sentences import state_row
from conflare_nb.documents.tokens import ReadChunk

DIM, WITHIN, QUESTIONS, WORDS, VOCABULARY, SEED = 384, 20, 40, 80, 30_000, 0
STEP = 20_000  # chunks written at once


def unit(rng, n):
    "Random vectors of length 1."
    vectors = rng.normal(size=(n, DIM)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def texts(rng, n, words):
    "Texts of random words; the word of rank r is about 1/r as frequent as the first."
    ranks = np.exp(rng.random((n, words)) * np.log(VOCABULARY)).astype(int)
    names = np.array([f'w{rank}' for rank in range(VOCABULARY + 1)], dtype=object)
    return [' '.join(names[row]) for row in ranks]


def read(rng, vector, tokens=150, sentences=6):
    "What close reading would keep of a chunk, by chance."
    states = rng.integers(-127, 128, size=(tokens, 128), dtype=np.int8)
    number = np.arange(tokens) * sentences // tokens
    row = state_row(ReadChunk(states, number.astype(np.int16), unit(rng, sentences)))
    return dict(vector=vector, **row)


def stored(path, n, embedder, vectors=unit, states=False):
    "A knowledge base of n chunks of random words, stored as `KnowledgeBase.create` does, without embedding a text."
    rng = np.random.default_rng(SEED)
    config = dict(
        schema=1,
        embedder=embedder.name,
        embedding=embedder.fingerprint(),
        chunker=dict(budget=254, overlap=1, with_header=True),
        states=states,
    )
    db, table = Tables(path).db, None
    for start in range(0, n, STEP):
        many = min(STEP, n - start)
        chunks = [
            Chunk(f'{i // 10:07d}.md#{i % 10:04d}', f'{i // 10:07d}.md', 'Title', 'Heading', None, text, WORDS)
            for i, text in enumerate(texts(rng, many, WORDS), start)
        ]
        made = [dict(vector=vector) for vector in vectors(rng, many)]
        if states:
            made = [read(rng, **one) for one in made]
        rows = _rows(config, chunks, made, embedder.dim)
        if table is None:
            table = db.create_table('chunks', rows)
        else:
            table.add(rows)
    return KnowledgeBase.open(path, embedder)


def medians(ways, asked):
    "Median processor seconds and seconds of each way over what is asked, after two rounds that do not count."
    times = {name: [] for name in ways}
    for one in [*asked[:2], *asked]:
        for name, way in ways.items():
            start = time.process_time(), time.perf_counter()
            way(*one)
            times[name].append((time.process_time() - start[0], time.perf_counter() - start[1]))
    return {name: tuple(np.median(each[2:], axis=0).tolist()) for name, each in times.items()}


def main(sizes):
    embedder = Embedder(anew=True)
    rng = np.random.default_rng(SEED + 1)
    questions, vectors = texts(rng, QUESTIONS, 8), unit(rng, QUESTIONS)
    hybrid, late = Hybrid(), LateHybrid()

    def anew(score, kb, question):
        vars(embedder).pop('_question', None)  # what it remembers of questions
        return score.rank(kb, question)

    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            kb = stored(folder, n, embedder, states=True)
            start = time.process_time()
            words = word_index(kb)
            built = time.process_time() - start
            limits = [float(kb.search(v, WITHIN)['distance'][-1].as_py()) for v in vectors]

            def pool(q, v, t):
                return kb.search_pool(v, 50, words.ask(q).best(50))

            ways = {
                'distance': lambda q, v, t: kb.search_within(v, t),
                'hybrid': lambda q, v, t: hybrid.rank(kb, q, vector=v),
                'hybrid, embedding': lambda q, v, t: anew(hybrid, kb, q),
                'late, embedding': lambda q, v, t: anew(late, kb, q),
                'late': lambda q, v, t: late.rank(kb, q),
                'nearest 50': lambda q, v, t: kb.search(v, 50),
                'words': lambda q, v, t: words.ask(q).best(50),
                'words and pool': pool,
            }
            both = medians(ways, list(zip(questions, vectors, limits)))
            took = {name: processor for name, (processor, _) in both.items()}
        print(
            f'{n:,} chunks ({words}, made in {built:.1f} s): hybrid takes {took["hybrid"] / took["distance"]:.2f} x the distance, '
            f'late takes {took["late, embedding"] / took["hybrid, embedding"]:.2f} x the hybrid with the embedding of the question'
        )
        for name, seconds in took.items():
            print(f'  {name:<22}{seconds * 1e3:8.2f} ms')
        print(flush=True, end='')


if __name__ == '__main__':
    main([int(a) for a in sys.argv[1:]] or [10_000, 100_000])
