"""How long `KnowledgeBase.search_within` takes, beside a bare NumPy scan and beside Chroma: `python benchmarks/search.py [chunks ...]`.

All contenders answer the same queries in turn in one process, so that whatever slows the machine slows them alike; what counts are the ratios.
"""

import os, sys, tempfile, time

for lib in ('OMP', 'OPENBLAS', 'MKL', 'VECLIB_MAXIMUM'):
    os.environ.setdefault(f'{lib}_NUM_THREADS', '1')  # two threads wait for each other on a busy machine
import numpy as np
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.embedding import Embedder
from conflare_nb.retrieval.retriever import conformal_filter
from conflare_nb.documents.store import KnowledgeBase, _rows
from conflare_nb.documents.tables import Tables

DIM, WITHIN, QUERIES, CHROMA_AT = (384, 20, 30, 10_000)  # WITHIN chunks lie within the threshold of each query


def unit(n, seed):
    v = np.random.default_rng(seed).normal(size=(n, DIM)).astype(np.float32)
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def stored(path, vectors, embedder):  # as KnowledgeBase.create stores them, without embedding a text
    config = dict(
        schema=1,
        embedder=embedder.name,
        embedding=embedder.fingerprint(),
        chunker=dict(budget=254, overlap=1, with_header=True),
        states=False,
    )
    chunks = [
        Chunk(f'{i // 10:06d}.md#{i % 10:04d}', f'{i // 10:06d}.md', 'Title', 'Heading', None, f'passage {i} ' * 40, 80)
        for i in range(len(vectors))
    ]
    Tables(path).db.create_table('chunks', _rows(config, chunks, [dict(vector=v) for v in vectors], embedder.dim))
    memory, disk = (KnowledgeBase.open(path, embedder), KnowledgeBase.open(path, embedder, memory_budget=0))
    disk._index(min_size=0)
    return memory, disk


def scan(vectors, query, threshold):  # positions of the hits, nearest first
    d = 1 - vectors @ query
    near = np.flatnonzero(d <= threshold)
    return near[np.argsort(d[near])]


def chroma(vectors, kb):  # asks for everything and filters then, as the papers' code does
    import chromadb

    c = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False)).create_collection(
        f'c{len(vectors)}', metadata={'hnsw:space': 'cosine'}
    )
    texts = kb.texts()
    for i in range(0, len(texts), 5000):
        part = texts[i : i + 5000]
        c.add(ids=[r['id'] for r in part], documents=[r['text'] for r in part], embeddings=vectors[i : i + 5000])
    return lambda q, t: conformal_filter(
        c.query(query_embeddings=[q], n_results=len(texts)), [dict(cosine_distance=t)], 0.5
    )


def contenders(vectors, memory, disk):
    fs = {
        'NumPy scan': lambda q, t: scan(vectors, q, t),
        'in memory': memory.search_within,
        'on disk': disk.search_within,
    }
    return fs | ({'Chroma': chroma(vectors, memory)} if len(vectors) == CHROMA_AT else {})


def medians(fs, queries, vectors):  # seconds, after a first round that does not count
    times = {name: [] for name in fs}
    for i, q in enumerate([queries[0], *queries]):
        t = float(np.partition(1 - vectors @ q, WITHIN - 1)[WITHIN - 1])
        for name, f in fs.items():
            start = time.perf_counter()
            hits = f(q, t)
            times[name].append(time.perf_counter() - start)
            assert i == 0 or abs(len(hits) - WITHIN) <= 1, (
                name,
                len(hits),
            )  # the last bits of a distance may move the boundary
    return {name: float(np.median(ts[1:])) for name, ts in times.items()}


def main(sizes):
    embedder = Embedder()
    for n in sizes:
        vectors = unit(n, seed=n)
        with tempfile.TemporaryDirectory() as d:
            got = medians(contenders(vectors, *stored(d, vectors, embedder)), unit(QUERIES, seed=1), vectors)
        print(
            f'{n:>7,} chunks: '
            + ', '.join(f'{name} {s * 1e3:.1f} ms ({s / got["NumPy scan"]:.1f} x the scan)' for name, s in got.items()),
            flush=True,
        )
        if 'Chroma' in got:
            print(
                f'{"":>15} Chroma takes {got["Chroma"] / got["in memory"]:.0f} x as long as in memory, {got["Chroma"] / got["on disk"]:.0f} x as long as on disk'
            )


if __name__ == '__main__':
    main([int(a) for a in sys.argv[1:]] or [10_000, 50_000, 100_000])
