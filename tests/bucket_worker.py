"What tests of a bucket start in processes of their own: writers that share nothing but the store."

import lancedb, pyarrow  # noqa: F401 (loaded before the fork)
from conflare_nb.documents.store import KnowledgeBase, Rows
from letters import Letters, doc
from store_worker import COLUMNS


def opened(place, options, **kw):
    return KnowledgeBase.open(place, Letters(), storage_options=options, **kw)


def append(place, options, writer, n, ready):  # n times a row of one's own, from the first of all
    rows = Rows(opened(place, options), 'rows', COLUMNS)
    ready.wait()
    for i in range(n):
        rows.add([dict(key=str(i), writer=writer)])


def add(place, options, documents, ready):
    kb = opened(place, options)
    ready.wait()
    kb.add(documents, progress=False)


def add_for_ever(
    place, options, written, said
):  # a document after the other; `written` counts those acknowledged
    kb = opened(place, options)
    for i in range(1000):
        kb.add([doc(f'{i:03d}.md', f'document {i}')], progress=False)
        with open(written, 'a') as f:
            f.write(f'{i:03d}.md\n')
        said.set()
