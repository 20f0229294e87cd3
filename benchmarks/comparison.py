"""Other libraries' thresholds on the same scores: `python benchmarks/comparison.py [--runs 2000] [--splits 100] [--seed 0] [--out FILE]`.

MAPIE and crepes run through their public interface. TorchCP and puncc, and the published rules of CONFLARE and TRAQ, are
written down in one line each: their own packages are not installed here. Three tables: whose rank is the exact one, what
each rule covers where the truth is known, and what each covers on the medication guide. The page "Comparison" shows them.
"""

import argparse
import json
import math
import platform
import tempfile
import warnings
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from crepes import ConformalRegressor
from mapie.regression import SplitConformalRegressor
from sklearn.dummy import DummyRegressor
from conflare_nb import Distance, KnowledgeBase, calibrate, conformal_quantile, conformal_rank
from conflare_nb import sample_documents, sample_questions, split_questions

LIBRARIES = 'conflare_nb', 'mapie', 'crepes', 'numpy', 'scipy', 'scikit-learn', 'lancedb'
ALPHAS = 0.01, 0.05, 0.1, 0.2, 0.3, 0.5
SIZES = 25, 55, 105, 505
LEVELS = 0.2, 0.1, 0.05

ZERO = DummyRegressor(strategy='constant', constant=0.0).fit([[0.0]], [0.0])  # its residuals are the scores


def mapie(scores: np.ndarray, alpha: float) -> float:
    "The upper end of an interval around 0."
    model = SplitConformalRegressor(ZERO, confidence_level=[1 - alpha])
    model.conformalize(np.zeros((len(scores), 1)), scores)
    return model.predict_interval(np.zeros((1, 1)), allow_infinite_bounds=True)[1][0, 1, 0]


def crepes(scores: np.ndarray, alpha: float) -> float:
    "The upper end of an interval around 0."
    return ConformalRegressor().fit(scores).predict_int(np.zeros(1), confidence=1 - alpha)[0, 1]


def torchcp(scores: np.ndarray, alpha: float) -> float:  # torch.kthvalue
    return scores[math.ceil((len(scores) + 1) * (1 - alpha)) - 1]


def puncc(scores: np.ndarray, alpha: float) -> float:
    return np.quantile(np.append(scores, np.inf), 1 - alpha, method='inverted_cdf')


def higher(scores: np.ndarray, alpha: float) -> float:  # as papers write it down
    return np.quantile(scores, min(1, math.ceil((len(scores) + 1) * (1 - alpha)) / len(scores)), method='higher')


def conflare(scores: np.ndarray, alpha: float) -> float:  # of distances; Figure 3 of the paper, and its code
    return np.percentile(scores, 100 - alpha * 100)


def traq(scores: np.ndarray, alpha: float) -> float:  # its scores are confidences
    return -np.quantile(-scores, alpha, method='lower')


RULES = {
    'conflare_nb': conformal_quantile,
    'MAPIE': mapie,
    'crepes, intervals': crepes,
    'TorchCP': torchcp,
    'puncc': puncc,
    'np.quantile, "higher"': higher,
    'CONFLARE': conflare,
    'TRAQ': traq,
}
RUN = 'conflare_nb', 'MAPIE', 'crepes, intervals'


def ranks(rule: Callable) -> dict:  # shares of the cells
    "On the scores 1 to n the threshold is its rank: exact, one too large, or too small."
    cells = [(n, alpha) for n in range(5, 201) for alpha in ALPHAS if conformal_rank(n, alpha) <= n]
    found = np.array([rule(np.arange(1.0, n + 1), alpha) for n, alpha in cells])
    exact = np.array([conformal_rank(n, alpha) for n, alpha in cells])
    return dict(
        cells=len(cells),
        exact=float(np.mean(found == exact)),
        larger=float(np.mean(found > exact)),
        smaller=float(np.mean(found < exact)),
    )


def on_uniform(rule: Callable, n: int, runs: int, seed: int, alpha: float = 0.1) -> float:
    "Mean coverage where scores are uniform: there a threshold is its own coverage."
    scores = np.sort(np.random.default_rng([seed, n]).uniform(size=(runs, n)), axis=1)
    return float(np.mean([min(rule(row, alpha), 1.0) for row in scores]))


def guide_scores() -> tuple:  # questions, and the distance of each one's first answering chunk
    "The paper's score of all questions of the medication guide."
    questions = sample_questions()
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, sample_documents(), progress=False)
        return questions, calibrate(kb, questions, score=Distance(), progress=False).scores


def on_guide(rule: Callable, scores: np.ndarray, splits: list, alpha: float) -> float:
    "Mean coverage over splits by whole documents."
    covered = []
    for old, new in splits:
        known = np.sort(scores[old])
        lost = np.isinf(known)
        if rule is conflare or rule is traq:
            known = known[~lost]  # both leave such questions out
        covered.append(np.mean(scores[new] <= rule(known, alpha)))
    return float(np.mean(covered))


def figures(runs: int, splits: int, seed: int) -> dict:
    "All three tables."
    questions, scores = guide_scores()
    place = {q.id: i for i, q in enumerate(questions)}
    halves = [
        [[place[q.id] for q in part] for part in split_questions(questions, seed=seed + i)] for i in range(splits)
    ]
    rows = {}
    for name, rule in RULES.items():
        rows[name] = dict(
            run=name in RUN,
            ranks=ranks(rule),
            uniform={n: on_uniform(rule, n, runs, seed) for n in SIZES},
            guide={alpha: on_guide(rule, scores, halves, alpha) for alpha in LEVELS},
        )
        print(name, rows[name], flush=True)
    return dict(questions=len(questions), infinite=int(np.isinf(scores).sum()), half=len(halves[0][0]), rows=rows)


def by_hand(runs: int, seed: int) -> dict:
    "A cut-off moved until 18 of 20 questions in view are covered, and the conformal one."
    looked_at = np.sort(np.random.default_rng([seed, 20]).uniform(size=(runs, 20)), axis=1)
    return dict(
        tuned=float(looked_at[:, 17].mean()), calibrated=float(looked_at[:, conformal_rank(20, 0.1) - 1].mean())
    )


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--runs', type=int, default=2000)
    parser.add_argument('--splits', type=int, default=100)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--out', type=Path, default=Path(__file__).parent / 'results' / 'comparison.json')
    args = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        found = figures(args.runs, args.splits, args.seed)
    about = dict(
        date=date.today().isoformat(),
        python=platform.python_version(),
        runs=args.runs,
        splits=args.splits,
        seed=args.seed,
        versions={name: version(name) for name in LIBRARIES},
    )
    args.out.write_text(
        json.dumps(about | found | dict(by_hand=by_hand(args.runs, args.seed)), indent=1) + '\n', encoding='utf-8'
    )
