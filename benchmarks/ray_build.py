"""What it costs to spread the making of a knowledge base: `python benchmarks/ray_build.py [--chunks 100000] [--out FILE]`.

The embedder counts letters, so that nearly all that is measured is the way around the model: reading, cutting, giving
out, sending back, writing. Each way makes the same knowledge base of documents of random words, ten chunks each, in
turn and in a process of its own: `KnowledgeBase.create`, then Ray with one worker and with two. Wall seconds, and
processor seconds of the program with its workers, without Ray's own start. Needs the extra `ray`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
import psutil
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.reading import Document, Section
from conflare_nb.contrib.ray import create_with_ray
from conflare_nb.documents.store import KnowledgeBase

WORDS, SECTIONS, DIM, WAYS = 80, 10, 384, ('one process', 'Ray, 1 worker', 'Ray, 2 workers')


class Cheap(Embedder):
    "Counts characters; a word is a token."

    dim, max_tokens = DIM, 250

    def __init__(self):
        super().__init__('cheap')

    def fingerprint(self):
        return dict(weights='cheap', max_tokens=self.max_tokens)

    def count_tokens(self, texts):
        return [len(text.split()) for text in texts]

    def embed_passages(self, texts, progress=True):
        counts = [np.bincount(np.frombuffer(text.encode(), np.uint8), minlength=DIM)[:DIM] for text in texts]
        vectors = np.array(counts, np.float32).reshape(-1, DIM) + 0.01
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def documents(chunks):
    "Documents of random words, a section a chunk."
    rng = np.random.default_rng(0)
    for i in range(chunks // SECTIONS):
        texts = [' '.join(f'w{n}' for n in row) for row in rng.integers(30_000, size=(SECTIONS, WORDS))]
        yield Document(f'{i:06d}.md', 'Title', tuple(Section(f'Heading {j}', text) for j, text in enumerate(texts)))


def spent():
    "Processor seconds of this process and of all that belong to a local Ray."
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(p.cpu_times()[:2]) for p in processes)


def measure(way, chunks):
    "Make it in one way."
    given, workers = list(documents(chunks)), WAYS.index(way)
    if workers:
        import ray

        ray.init('local', num_cpus=2, include_dashboard=False)
    with tempfile.TemporaryDirectory() as folder:
        used, start = spent(), time.perf_counter()
        if workers:
            kb = create_with_ray(folder, given, Cheap(), workers=workers, progress=False, states=False)
        else:
            kb = KnowledgeBase.create(folder, given, Cheap(), progress=False, states=False)
        wall = time.perf_counter() - start
        print(json.dumps(dict(wall=wall, processor=spent() - used, chunks=len(kb), sum=kb.fingerprint()['chunks'])))


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument('--chunks', type=int, default=100_000)
    ap.add_argument('--out', default=Path(__file__).parent / 'results' / 'ray_build.json')
    ap.add_argument('--way', choices=WAYS)
    asked = ap.parse_args()
    if asked.way:
        return measure(asked.way, asked.chunks)
    found = {}
    for way in WAYS:
        command = [sys.executable, __file__, '--way', way, '--chunks', str(asked.chunks)]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        found[way] = json.loads(said.splitlines()[-1])
        print(way, found[way], flush=True)
    assert len({(one['chunks'], one['sum']) for one in found.values()}) == 1
    first = found[WAYS[0]]
    for one in found.values():
        one['wall_ratio'], one['processor_ratio'] = (round(one[k] / first[k], 2) for k in ('wall', 'processor'))
        for name in ('wall', 'processor'):
            one[name] = round(one[name], 1)
    versions = {name: version(name) for name in ('ray', 'lancedb', 'pyarrow', 'numpy')}
    result = dict(
        date=str(date.today()),
        versions=versions,
        cores=os.cpu_count(),
        load=round(os.getloadavg()[1], 1),
        chunks=first['chunks'],
        ways=found,
    )
    Path(asked.out).write_text(json.dumps(result, indent=1) + '\n')


if __name__ == '__main__':
    main()
