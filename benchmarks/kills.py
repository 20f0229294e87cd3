"""Work that is killed at random moments: `python benchmarks/kills.py [--kills 20] [--only create,add] [--out FILE]`.

Seven kinds of work run in processes of their own, each killed (SIGKILL) at a random moment of the time that it takes
here when nobody kills it, again and again. After every kill somebody else opens what is there. `whole`: the work was
done, or what stood there before stands there still, or (a first time) there is nothing. `part`: some of the rows that
are written one batch after the other. `lost`: something that was recorded before the kill and is not after it, or a
knowledge base or file that cannot be opened. `double`: rows that stand there twice, or recorded work that was done
again. In the end the work is run to its end and has to be complete.
"""

import argparse
import json
import multiprocessing
import os
import platform
import random
import shutil
import signal
import sys
import tempfile
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'tests')]


def create(work):
    from conflare_nb.documents.store import KnowledgeBase
    from conflare_nb.labels.guide import sample_documents
    from labeling_worker import EMBEDDER

    KnowledgeBase.create(work / 'kb', sample_documents()[:10], EMBEDDER, progress=False)


def add(work):
    from conflare_nb.documents.store import KnowledgeBase
    from conflare_nb.labels.guide import sample_documents
    from labeling_worker import EMBEDDER

    KnowledgeBase.open(work / 'kb', EMBEDDER).add(sample_documents()[:16], progress=False)


def sentences(work):
    from sentence_worker import make

    make(work / 'kb', work / 'paid')


def calibrate(work):
    from conflare_nb.retrieval.calibration import calibrate as measured
    from conflare_nb.documents.store import KnowledgeBase
    from labeling_worker import EMBEDDER

    measured(KnowledgeBase.open(work / 'kb', EMBEDDER), asked(work), progress=False).save(work / 'out' / 'new.json')


def label(work):
    from labeling_worker import label as worker

    worker(work / 'kb', asked(work), work / 'paid')


def sample(work):
    from conflare_nb.traq.sampling import Sampling
    from sampling_worker import sample as worker

    worker(work / 'kb', asked(work)[:8], Sampling(k=7, pool=3), work / 'paid')


# --- what is there


def asked(work):
    from conflare_nb.labels.guide import sample_documents, sample_questions

    held = {document.path for document in sample_documents()[:6]}
    return [question for question in sample_questions() if question.document in held][:24]


def opened(work):
    from conflare_nb.documents.store import KnowledgeBase
    from labeling_worker import EMBEDDER

    return KnowledgeBase.open(work / 'kb', EMBEDDER)


def chunks(work):
    from conflare_nb.documents.store import KnowledgeBase

    if not KnowledgeBase.is_there(work / 'kb'):
        return []
    kb = opened(work)
    assert len(kb) == len(kb.texts())
    return [chunk.id for chunk in kb.texts()]


def rows(work, table, names):
    import lancedb
    from conflare_nb.documents.tables import Tables

    if not Tables(work / "kb").has(table):
        return []
    held = lancedb.connect(work / 'kb').open_table(table).to_arrow().select(names)
    return [tuple(row.values()) for row in held.to_pylist()]


def kept_sentences(work):
    return rows(work, 'sentences', ['key'])


def kept_labels(work):
    return rows(work, 'labels', ['question', 'chunk'])


def kept_draws(work):
    return rows(work, 'answers', ['key', 'draw'])


def saved(work):
    from conflare_nb.retrieval.calibration import Calibration

    found = sorted((work / 'out').glob('*.json'))
    return [(file.name, *Calibration.load(file).scores.tolist()) for file in found]


# work, what is there, whether it is there all at once, whether it is begun anew every time
KINDS = dict(
    create=(create, chunks, True, True),
    add=(add, chunks, True, True),
    sentences=(sentences, kept_sentences, False, False),
    calibrate=(calibrate, saved, True, True),
    label=(label, kept_labels, False, False),
    sample=(sample, kept_draws, False, False),
)


def begun(folder, kind, base):  # a folder in which the work can begin
    work = Path(tempfile.mkdtemp(dir=folder))
    (work / 'out').mkdir()
    if kind != 'create':
        shutil.copytree(base, work / 'kb')
    return work


def paid(work):
    file = work / 'paid'
    return file.read_text().splitlines() if file.exists() else []


def run(context, task, work, after=None):  # seconds, and whether it was killed
    process = context.Process(target=task, args=(work,))
    start = time.perf_counter()
    process.start()
    process.join(after)
    if process.is_alive() and after is not None:
        process.kill()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL), f'{task.__name__} ended with {process.exitcode}'
    return time.perf_counter() - start, process.exitcode != 0


def measured(context, folder, kind, base, kills):
    task, there, at_once, anew = KINDS[kind]
    chance = random.Random(0)
    run(context, task, begun(folder, kind, base))  # what is loaded once is loaded now
    alone = begun(folder, kind, base)
    before = there(alone)
    seconds, _ = run(context, task, alone)
    whole = sorted(set(there(alone)))
    found = dict(kills=0, ended=0, whole=0, part=0, lost=0, double=0, left=0)
    work = begun(folder, kind, base)
    while found['kills'] < kills and found['ended'] < 2 * kills:
        if anew or len(set(there(work))) == len(whole):
            work = begun(folder, kind, base)
        old, done = there(work), len(paid(work))
        _, killed = run(context, task, work, chance.random() * seconds)
        found['kills' if killed else 'ended'] += 1
        try:
            now = there(work)
        except Exception as error:
            print(kind, repr(error), flush=True)
            found['lost'] += 1
            continue
        if not at_once:
            found['lost'] += not set(old) <= set(now)
        state = 'whole' if sorted(set(now)) == whole or now == before else 'part'
        if at_once and state == 'part':
            found['lost'] += 1
        found[state] += 1
        twice = len(now) - len(set(now))
        new = paid(work)[done:]
        if kind == 'label':
            twice += len({'\t'.join(row) for row in old} & set(new))
        found['double'] += twice + len(new) - len(set(new))
        found['left'] += len(list(work.rglob('*.part')))
    run(context, task, work)
    assert sorted(set(there(work))) == whole and len(there(work)) == len(whole), f'{kind} did not end whole'
    return found | dict(seconds=round(seconds, 2))


def main(kills, only, out):
    from conflare_nb.documents.store import KnowledgeBase
    from conflare_nb.labels.guide import sample_documents
    from labeling_worker import EMBEDDER

    os.environ |= dict(OMP_NUM_THREADS='1', PYTHONPATH=os.pathsep.join(sys.path))
    context = multiprocessing.get_context('forkserver')
    context.set_forkserver_preload(
        [
            'kills',
            'labeling_worker',
            'sentence_worker',
            'sampling_worker',
            'conflare_nb.traq.sampling',
            'conflare_nb.retrieval.retriever',
        ]
    )
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / 'base'
        KnowledgeBase.create(base, sample_documents()[:6], EMBEDDER, progress=False)
        KnowledgeBase.create(Path(folder) / 'warm', sample_documents()[:16], EMBEDDER, progress=False)
        import kills as tasks  # by its name, so that other processes find the work

        for kind in only or KINDS:
            found[kind] = tasks.measured(context, folder, kind, base, kills)
            print(f'{kind:10}', ', '.join(f'{name} {value}' for name, value in found[kind].items()), flush=True)
    about = dict(date=str(date.today()), python=platform.python_version(), lancedb=version('lancedb'), kills=kills)
    if not out:
        return
    if only and Path(out).exists():
        found = json.loads(Path(out).read_text())['found'] | found
    Path(out).write_text(json.dumps(dict(about=about, found=found), indent=1) + '\n')


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split(':')[0])
    parser.add_argument('--kills', type=int, default=20)
    parser.add_argument('--only', type=lambda text: text.split(','))
    parser.add_argument('--out')
    main(**vars(parser.parse_args()))
