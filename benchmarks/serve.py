"""How a served folder holds up: `python benchmarks/serve.py [--questions 200] [--askers 16]`.

A server of its own process (`conflare serve`) has the medication guide, calibrated with half of its questions. One asker
is alone; then sixteen ask at once; then sixteen ask while one document is written anew again and again, which
calibrates the folder each time. Every question is new to the server, so it is embedded. Read the ratios to the asker who
is alone: milliseconds belong to one machine. A number is written into the document, so that every answer shows which
document it is from: no answer may hold another one than its state does. With `--questions 4000` that makes
21,000 questions; the server's memory (Linux only) stands in each row.
"""

import argparse
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit
import numpy as np
from conflare_nb.app.folder import DocumentFolder
from conflare_nb.app.opened import measure_folder
from conflare_nb.documents.late import LateHybrid
from conflare_nb.documents.reading import read_folder
from conflare_nb.labels.guide import sample_path, sample_questions

SERVE = (
    'import sys; from conflare_nb import DocumentFolder; DocumentFolder(sys.argv[1]).serve(port=0, token=sys.argv[2])'
)
TOKEN = 'a' * 16  # of a server that lives for this run, on this machine
FERRY = 'The ferry to the island leaves from pier number {number}. It takes an hour.'
ABOUT = 'From which pier number does the ferry to the island leave'


def made(home: Path) -> DocumentFolder:
    "The guide, calibrated, with one document more."
    docs = home / 'docs'
    shutil.copytree(sample_path() / 'documents', docs)
    (docs / 'ferry.txt').write_text(FERRY.format(number=1000))
    folder = DocumentFolder(docs)
    kb = folder.current(read_folder(docs))
    measure_folder(folder, kb, sample_questions()[::2], LateHybrid(), source='guide')
    return folder


def served(folder: DocumentFolder) -> tuple:  # (the process, the port)
    "The server, with no vectors from before and one thread a matrix product."
    env = {**os.environ, 'OMP_NUM_THREADS': '1'}
    command = [sys.executable, '-c', SERVE, str(folder.docs), TOKEN]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    address = process.stdout.readline().split()[-1]
    return process, urlsplit(address).port


def asker(port: int, texts, ended=lambda: False) -> list:  # (seconds, state, text of the answer)
    "Ask one question after the other over one connection."
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=120)
    found = []
    for text in texts:
        if ended():
            break
        body = json.dumps(dict(question=text, alpha=0.1))
        start = time.perf_counter()
        connection.request(
            'POST', '/api/ask', body, {'content-type': 'application/json', 'authorization': f'Bearer {TOKEN}'}
        )
        reply = connection.getresponse()
        text = reply.read().decode()
        assert reply.status == 200, text
        found.append((time.perf_counter() - start, json.loads(text)['state'], text))
    return found


def together(port: int, askers: int, questions: int, new) -> tuple:  # (answers, seconds)
    "So many askers at once, with so many questions each."
    start = time.perf_counter()
    with ThreadPoolExecutor(askers) as pool:
        texts = [[new() for _ in range(questions)] for _ in range(askers)]
        runs = [pool.submit(asker, port, some) for some in texts]
        answers = [answer for run in runs for answer in run.result()]
    return answers, time.perf_counter() - start


def writing(port: int, folder: DocumentFolder, ended: Event) -> int:  # how often it was taken up
    "Write the document anew as soon as the last change is taken up."
    known = asker(port, ['Where?'])[0][1]
    for number in count(1001):
        (Path(folder.docs) / 'ferry.txt').write_text(FERRY.format(number=number))
        while (now := asker(port, ['Where?'])[0][1]) == known:
            if ended.wait(0.5):
                return number - 1001
        known = now


def mixed(answers: list) -> int:
    "How many answers hold another number than the first one of their state."
    numbers = {}
    wrong = 0
    for _, state, text in answers:
        said = frozenset(word[:4] for word in text.split('pier number ')[1:])
        said = frozenset(word for word in said if word.isdigit())
        wrong += len(said) != 1 or numbers.setdefault(state['fingerprint'], said) != said
    apart = len(set(numbers.values())) == len(numbers)
    return wrong if apart else len(answers)


def figures(answers: list, seconds: float) -> dict:
    "Questions a second, median and 95th percentile of the seconds of one."
    took = [one for one, *_ in answers]
    return dict(
        rate=len(answers) / seconds, median=np.median(took), p95=np.quantile(took, 0.95),
        longest=max(took), mixed=mixed(answers), states=len({a[1]['fingerprint'] for a in answers}),
    )  # fmt: skip


def memory(process) -> float:  # MB
    "What a process holds in memory; NaN where the system does not say."
    status = Path(f'/proc/{process.pid}/status')
    lines = status.read_text().split('\n') if status.exists() else ()
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith('VmRSS:')), np.nan)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--questions', type=int, default=200, help='in each of the three runs')
    parser.add_argument('--askers', type=int, default=16)
    asked = parser.parse_args()
    numbers = count()

    def new():
        return f'{ABOUT}, asks passenger {next(numbers)}?'

    with tempfile.TemporaryDirectory() as home:
        folder = made(Path(home))
        process, port = served(folder)
        try:
            together(port, 1, 10, new)  # what loads at first
            each = -(-asked.questions // asked.askers)
            found, held = {}, []
            for name, askers, some in (
                ('the first ones', 1, asked.questions // 4), ('one asker', 1, asked.questions),
                (f'{asked.askers} at once', asked.askers, each),
            ):  # fmt: skip
                found[name] = figures(*together(port, askers, some, new))
                held.append(memory(process))
            ended = Event()
            with ThreadPoolExecutor(1) as pool:
                writer = pool.submit(writing, port, folder, ended)
                while True:  # until a change was taken up at least
                    rounds = 3 * each
                    answers = together(port, asked.askers, rounds, new)
                    if len({answer[1]['fingerprint'] for answer in answers[0]}) > 1 or writer.done():
                        break
                ended.set()
                found['the same, and a writer'] = figures(*answers)
                held.append(memory(process))
                taken = writer.result()
        finally:
            process.terminate()
            process.wait()
    alone = found['one asker']
    for (name, row), megabytes in zip(found.items(), held):
        ratios = f'{row["rate"] / alone["rate"]:.2f} x the rate, {row["p95"] / alone["p95"]:.1f} x the p95'
        print(
            f'{name:<24}{row["rate"]:6.1f} questions a second, median {1e3 * row["median"]:.0f} ms, '
            f'p95 {1e3 * row["p95"]:.0f} ms, longest {1e3 * row["longest"]:.0f} ms: {ratios}; '
            f'{row["states"]} state(s), {row["mixed"]} answers mixed; {megabytes:.0f} MB'
        )
    print(f'changes taken up while sixteen asked: {taken}')
    assert not any(row['mixed'] for row in found.values())


if __name__ == '__main__':
    main()
