"What tests of many workers start and kill: a cluster on the loopback address, embedders that count or die, and a program that gives out work."

import os, re, signal, sys, threading, time
from pathlib import Path
import lancedb
from letters import Letters, doc

WORDS = list(enumerate(('cold', 'warm', 'dry')))
NAMES = [f'{i:02d}.md' for i in range(30)]
DOCS = [doc(name, *(f'{word} {name}#{j} keeps {word * j}.' for j, word in WORDS)) for name in NAMES]


def anew(path):
    return doc(path, *(f'Another {path}#{j}.' for j in range(3)))  # a document that has changed


def start():  # two workers on this machine, or the cluster that RAY_ADDRESS names; what is set here is read when Ray is imported
    os.environ |= dict(RAY_AUTH_MODE='disabled', RAY_USAGE_STATS_ENABLED='0', OMP_NUM_THREADS='1')
    os.environ['PYTHONPATH'] = os.pathsep.join([str(Path(__file__).with_name('ray_path')), *sys.path])
    os.environ['RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER'] = '0'  # the loopback address, on Linux too
    import ray.data

    if 'RAY_ADDRESS' in os.environ:
        ray.init()
    else:
        start_here(ray)
    return ray


def start_here(ray):  # its processes have 15 seconds to report; where they were late, once more
    how = dict(num_cpus=2, include_dashboard=False, object_store_memory=200_000_000)
    try:
        ray.init('local', **how)
    except Exception as error:
        print(f'Ray starts again: {error}', file=sys.stderr)
        ray.shutdown()
        ray.init('local', **how)


class Counted(Letters):
    "Writes down what it embeds: the names in the texts, a line each."

    def __init__(self, log, seconds=0):
        super().__init__()
        self.log, self.seconds = str(log), seconds

    def read_passages(self, texts, progress=True):
        time.sleep(self.seconds * len(texts))
        with open(self.log, 'a') as f:
            f.writelines(f'{name}\n' for text in texts for name in re.findall(r'\w+\.md#\d', text))
        return super().read_passages(texts, progress)


class Dies(Letters):
    "Kills the process that it is in, the first time."

    def __init__(self, mark):
        super().__init__()
        self.mark = str(mark)

    def embed_sentences(self, texts, progress=True):
        try:
            open(self.mark, 'x').close()
        except FileExistsError:
            return super().embed_sentences(texts, progress)
        os.kill(os.getpid(), signal.SIGKILL)


class Other(Letters):
    "Another model on every machine but this process."

    def __init__(self):
        super().__init__()
        self.at = os.getpid()

    def fingerprint(self):
        weights = 'letters' if os.getpid() == self.at else 'others'
        return super().fingerprint() | dict(weights=weights)


def staging(kb):  # the tables in the making
    return [name for name in lancedb.connect(kb).list_tables().tables if name.startswith('making')]


def written(kb):  # the documents that are stored in one
    tables = [lancedb.connect(kb).open_table(name).to_arrow() for name in staging(kb)]
    return {path for table in tables for path in table['document'].to_pylist()}


def die_when_something_is_written(kb):
    while not written(kb):
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == '__main__':  # the program that gives out work, until it is killed
    from conflare_nb.contrib import ray as spread

    start()
    spread._SECONDS = 0  # whatever comes is written
    kb, log = sys.argv[1:]
    threading.Thread(target=die_when_something_is_written, args=[kb], daemon=True).start()
    spread.create_with_ray(kb, DOCS, Counted(log, 0.1), progress=False)
