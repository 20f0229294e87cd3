"""What a folder of unchanged files costs: `python benchmarks/folder.py [--files 5000] [--out FILE]`.

Small generated Markdown files are taken up once. Then two things are timed, and beside each the way that reads
everything: `looking` whether anything has changed (`DocumentFolder.look`, against reading and cutting every file and
comparing the chunks), `added` a file more (`DocumentFolder.refresh`, against reading every file and adding all).
The ratios are of one run on one machine; `read` counts the documents read in each way.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from conflare_nb.app.folder import DocumentFolder
from conflare_nb.documents.reading import read_folder
from conflare_nb.documents.store import KnowledgeBase

WORDS = 'pen pool bus dog ticket fridge hour week opens keeps needs warm cold free early late'.split()
READ = []  # documents that were opened


def watch(event, given):
    if event == 'open' and str(given[0]).endswith('.md') and not given[2] & os.O_WRONLY:
        READ.append(given[0])


def timed(work, times=5):  # (median seconds, documents opened)
    found = []
    for _ in range(times):
        READ.clear()
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return statistics.median(found), len(set(READ))


def written(docs, name, chance):
    text = ' '.join(chance.choices(WORDS, k=12))
    (docs / f'{name}.md').write_text(f'# Leaflet {name}\n{text}.\n')


def measured(docs, files):
    chance = random.Random(0)
    for i in range(files):
        written(docs, i, chance)
    folder = DocumentFolder(docs)
    kb, _ = folder.refresh()
    kb.fingerprint()
    time.sleep(2.1)  # so that no time is fresh
    folder.look(kb)
    looking, opened = timed(lambda: folder.look(kb))
    reading, all_opened = timed(lambda: kb.changed(read_folder(docs)), times=1)
    written(docs, 'one more', chance)
    adding, added = timed(folder.refresh, times=1)
    written(docs, 'and another', chance)
    whole, all_added = timed(lambda: KnowledgeBase.open(folder.store).add(read_folder(docs)), 1)
    return dict(
        files=files,
        looking=dict(seconds=looking, read=opened, everything=reading, of=all_opened, times=reading / looking),
        added=dict(seconds=adding, read=added, everything=whole, of=all_added, times=whole / adding),
    )


def main(files, out):
    sys.addaudithook(watch)
    docs = Path(tempfile.mkdtemp())
    try:
        found = json.dumps(measured(docs, files), indent=1)
    finally:
        shutil.rmtree(docs)
    print(found)
    if out:
        Path(out).write_text(found + '\n')


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split(':')[0])
    parser.add_argument('--files', type=int, default=5000)
    parser.add_argument('--out')
    main(**vars(parser.parse_args()))
