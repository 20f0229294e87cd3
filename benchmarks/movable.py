"""What it costs that alpha may be moved: `python benchmarks/movable.py [--splits 40] [--seed 0] [--out FILE]`.

The questions of the medication guide are split by document, half of them calibrate, and the others ask. Each alpha is fixed
beforehand, moved in a range, or chosen among stops. Then somebody slides: for each question the smallest alpha is taken whose
list has three chunks at most, and each miss counts 1/alpha. The mean should be at most 1.
"""

import argparse, json
from pathlib import Path
import numpy as np
from conflare_nb import sample_kb, sample_questions
from conflare_nb.conformal.guarantee import Marginal
from conflare_nb.conformal.movable import Movable, Simultaneous, Stops
from conflare_nb.documents.late import LateHybrid
from conflare_nb.documents.score import Distance
from conflare_nb.evidence.evaluation import drawn_splits, rank_questions
from conflare_nb.retrieval.calibration import Calibration

ALPHAS = (0.2, 0.1, 0.05)
RANGE = np.round(np.arange(0.05, 0.401, 0.005), 3)  # where somebody stops who slides
MOST = 3  # chunks that fit
WAYS = {
    'fixed': (Marginal(), ALPHAS),
    'moved': (Movable(0.05, 0.4), ALPHAS),
    'three stops': (Stops(0.05, 0.1, 0.2), ALPHAS),
    'two stops': (Stops(0.1, 0.2), ALPHAS[:2]),
    'table': (Simultaneous(), ALPHAS),
}


def slid(guarantee, cal, test):
    "What each question counts whose alpha is the smallest with a list that fits."
    qhats = guarantee.threshold(cal, RANGE)
    fits = (test.chunk_scores[:, :, None] <= qhats).sum(axis=1) <= MOST
    at = np.where(fits.any(axis=1), fits.argmax(axis=1), RANGE.size - 1)
    return (test.scores > qhats[at]) / RANGE[at]


def results(splits=40, seed=0):
    "A row for each score, way and alpha, and one for each score and who slides."
    kb, questions = sample_kb(), sample_questions()
    found = dict(splits=splits, seed=seed, questions=len(questions), rows=[], slid=[])
    for score in (LateHybrid(), Distance()):
        ranked = rank_questions(kb, questions, progress=False, score=score)
        parts = list(drawn_splits(ranked.questions, splits, seed))
        cals = [Calibration(ranked.scores[first], {}) for first, _ in parts]
        tests = [ranked.take(second) for _, second in parts]
        for way, (guarantee, alphas) in WAYS.items():
            for alpha in alphas:
                each = [t.at(guarantee.threshold(c, alpha)) for c, t in zip(cals, tests)]
                means = {name: float(np.mean([e[name] for e in each])) for name in ('chunks', 'coverage')}
                found['rows'].append(dict(score=score.name, way=way, alpha=alpha) | means)
        for way in ('fixed', 'moved'):
            means = [slid(WAYS[way][0], c, t).mean() for c, t in zip(cals, tests)]
            found['slid'].append(
                dict(score=score.name, way=way, mean=float(np.mean(means)), spread=float(np.std(means)))
            )
    found['c'] = float(np.mean([Movable(0.05, 0.4).terms(c, 0.1).c for c in cals]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--splits', type=int, default=40)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    args = parser.parse_args()
    found = results(args.splits, args.seed)
    for row in found['rows']:
        print(f'{row["score"]:9} {row["way"]:12} {row["alpha"]:<5g} {row["chunks"]:5.2f} chunks, {row["coverage"]:.3f}')
    for row in found['slid']:
        print(
            f'{row["score"]:9} {row["way"]:12} mean of miss/alpha {row["mean"]:.2f}, over splits +- {row["spread"]:.2f}'
        )
    if args.out:
        args.out.write_text(json.dumps(found, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
