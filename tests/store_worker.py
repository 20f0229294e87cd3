"What tests of several writers start, at the same moment, and kill: processes that write into one folder."

import json, multiprocessing, os, signal, sys, time, warnings
import lancedb, pyarrow  # noqa: F401 (loaded before the fork)
from conflare_nb.documents.store import KnowledgeBase, Rows
from conflare_nb.saving import write_whole
from letters import Letters, doc, generation
from knowledge import make_kb

warnings.filterwarnings("ignore", "lancedb fork support")  # nothing of it runs before the fork
COLUMNS = dict(key='string', writer='string')


def create(folder, g, embedded, limit=None):  # of generation g; no file may have more than `limit` bytes
    if limit is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    make_kb(folder, generation(g, 600), Letters(4096, said=embedded.set))


def create_until_embedded(folder):  # dies of its own hand, with nothing written yet
    dies = Letters(4096, said=lambda: os.kill(os.getpid(), signal.SIGKILL))
    KnowledgeBase.create(folder, generation(1, 600), dies, progress=False)


def overwrite(folder, g, said):  # `said`: events that it sets on its way
    documents = generation(g, 1500)
    said['started'].set()
    make_kb(folder, documents, Letters(2048, said=said['embedded'].set))
    said['done'].set()
    time.sleep(60)  # till it is killed


def make(folder, g, ready):  # as `create`, all at once; what each got is of its own generation
    documents = generation(g, 300)
    ready.wait()
    kb = KnowledgeBase.create(folder, documents, Letters(), progress=False)
    assert {chunk.text.split()[0] for chunk in kb.texts()} == {str(g)}


def opened(place, options=None, **how):  # options: of a bucket
    return KnowledgeBase.open(place, Letters(), storage_options=options, **how)


def add(place, options, documents, ready):
    kb = opened(place, options)
    ready.wait()
    kb.add(documents, progress=False)


def add_for_ever(place, options, written, said):  # `written`: the documents acknowledged
    kb = opened(place, options)
    for i in range(1000):
        kb.add([doc(f'{i:03d}.md', f'document {i}')], progress=False)
        with open(written, 'a') as f:
            f.write(f'{i:03d}.md\n')
        said.set()


def add_slowly(folder, n, ready):  # the same document again and again, each time with one text more
    kb = opened(folder)
    ready.wait()
    for i in range(1, n + 1):
        kb.add([doc('a.md', *[f'{i} texts'] * i)], progress=False)


def append(place, options, writer, n, ready):  # n times a row of one's own, from the first of all
    rows = Rows(opened(place, options), 'rows', COLUMNS)
    ready.wait()
    for i in range(n):
        rows.add([dict(key=str(i), writer=writer)])


def search(folder, n, ready):  # what was opened stays as it was; what is opened is whole
    kb = opened(folder, memory_budget=0)
    held = opened(folder)
    first = [one.search('texts', 50).to_pylist() for one in (kb, held)]
    ready.wait()
    for _ in range(n):
        assert [one.search('texts', 50).to_pylist() for one in (kb, held)] == first
        texts = [chunk.text for chunk in opened(folder).texts() if chunk.document == 'a.md']
        assert texts == [f'{len(texts)} texts'] * len(texts)


def write(path, text, n, ready):
    ready.wait()
    for i in range(n):
        write_whole(path, json.dumps([text, i, 'x' * 200_000]))


def forks(loaded='store_worker'):  # processes in which a module is loaded already
    os.environ |= dict(OMP_NUM_THREADS='1', PYTHONPATH=os.pathsep.join(sys.path))
    context = multiprocessing.get_context('forkserver')
    context.set_forkserver_preload([loaded])
    return context


def at_once(*tasks):  # (function, arguments), begun at the same moment; how each ended
    context = forks()
    ready = context.Barrier(len(tasks))
    processes = [context.Process(target=function, args=(*args, ready)) for function, *args in tasks]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    return [process.exitcode for process in processes]


def killed(task, *args, after, word='embedded'):  # how a process ended that was killed `after` seconds after its word
    context = forks()
    said = context.Event()
    process = context.Process(target=task, args=(*args, said))
    process.start()
    assert said.wait(60), f'it never was {word}'
    time.sleep(after)
    process.kill()
    process.join()
    return process.exitcode
