"""Documents mended for the questions that were missed, then calibrated on the same questions: `python benchmarks/mended.py`.

Half of the guide's questions calibrate, the other half are asked later. In each round the words of every calibration
question that is missed go into a section that answers it, and the same questions calibrate again. `--out FILE` keeps the
coverage of the later questions in each round, and how many labels had moved by then.
"""

import argparse, json, platform, tempfile
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb import KnowledgeBase, Question, calibrate, conformal_quantile
from conflare_nb import rank_questions, sample_documents, sample_questions, split_questions
from conflare_nb.documents.hybrid import Hybrid

LIBRARIES = ('numpy', 'lancedb', 'sentence-transformers')


def mended(documents: dict, missed: list[Question]) -> list:
    "The documents that change: the words of each missed question stand in a section that answers it."
    changed = {}
    for question in missed:
        path, heading = question.sections[0]
        document = changed.get(path, documents[path])
        sections = [
            replace(one, text=f'{one.text} {question.text}') if one.heading == heading else one
            for one in document.sections
        ]
        changed[path] = replace(document, sections=tuple(sections))
    return list(changed.values())


def rounds(seed: int, count: int, alpha: float) -> list[dict]:
    "What the threshold covers of the later questions, before and after each round."
    ours, later = split_questions(sample_questions(), seed=seed, by='question')
    documents, found, before = {one.path: one for one in sample_documents()}, [], None
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, list(documents.values()), progress=False)
        for _ in range(count + 1):
            cal = calibrate(kb, ours, score=Hybrid(), before=before, progress=False)
            qhat = conformal_quantile(cal.scores, alpha)
            asked = rank_questions(kb, later, score=Hybrid(), progress=False)
            promise = cal.promise(alpha)
            found.append(
                dict(
                    coverage=round(float(np.mean(asked.scores <= qhat)), 3),
                    qhat=round(float(qhat), 4),
                    moved=len(cal.moved),
                    said=bool(promise.limits),
                    least=round(promise.band.low, 3),
                )
            )
            texts = {label.text for label in cal.scored_labels if label.score > qhat}
            new = mended(documents, [one for one in ours if one.text in texts])
            documents |= {one.path: one for one in new}
            kb.add(new, progress=False)
            before = cal
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--seeds', type=int, default=3)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--alpha', type=float, default=0.1)
    parser.add_argument('--out', type=Path)
    asked = parser.parse_args()
    rows = []
    for seed in range(asked.seeds):
        rows.append(dict(seed=seed, rounds=rounds(seed, asked.rounds, asked.alpha)))
        print(seed, *(f'{one["coverage"]:.3f} ({one["moved"]} moved)' for one in rows[-1]['rounds']))
    if asked.out:
        about = dict(date=date.today().isoformat(), python=platform.python_version(), alpha=asked.alpha)
        about |= dict(versions={name: version(name) for name in LIBRARIES}, rows=rows)
        asked.out.write_text(json.dumps(about, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
