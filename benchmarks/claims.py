"""What a guarantee for claims costs: which share of them is kept, and how many answers are left empty, over many splits.

    python benchmarks/claims.py --folder DATA --out benchmarks/results/claims.json

DATA is the folder `data` of the public repository n4feng/ResponseQualityAssessment (answers of a large model to medical
questions, with claims, a similarity of each, and a label that another model gave): Medlfqav2 in its folders out and raw. The
weights of `back_claims` were chosen on kqa_silver_wogold and live_qa; medication_qa and kqa_golden took no part. Half of the
answers calibrate and the other half tests, in 100 random splits.
"""

import argparse
import json
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb.answers.claims import ClaimCalibration, back_claims
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.embedding import Embedder
from conflare_nb.saving import write_whole
from conflare_nb.words import progress_bar

CHOSEN_ON = ('kqa_silver_wogold', 'live_qa')
REPORTED = ('medication_qa', 'kqa_golden')
ALPHAS = (0.2, 0.1, 0.05)
SPLITS = 100


def read_set(folder, name):
    "(claims, the similarities in the file, labels, what the answer should rest on) of each answer with claims."
    answers = json.loads((folder / f'out/Medlfqav2/{name}_similarity_subclaims.jsonl').read_text())
    sources = json.loads((folder / f'raw/Medlfqav2/{name}_ref_docs.txt').read_text())
    for answer in answers:
        claims = answer['subclaims']
        if not claims:
            continue
        labels = [claim['annotations'][0]['annotation'] == 'S' for claim in claims]
        given = [Chunk('', text=text) for text in sources[answer['query']] if text.strip()]
        similarities = [claim['scores'][0]['score'] for claim in claims]
        yield [claim['subclaim'] for claim in claims], similarities, labels, given


def area(supports, labels):
    "How often a supported claim has more support than an unsupported one (AUC)."
    from scipy.stats import mannwhitneyu

    supports, labels = np.concatenate(supports), np.concatenate(labels)
    good, bad = supports[labels], supports[~labels]
    return mannwhitneyu(good, bad).statistic / (good.size * bad.size)


def halves(n, splits=SPLITS, seed=0):
    "Which answers calibrate, of each split."
    rng = np.random.default_rng(seed)
    for _ in range(splits):
        yield np.isin(np.arange(n), rng.permutation(n)[: n // 2])


def part(supports, labels, inside):
    "A calibration by some of the answers."
    places = np.flatnonzero(inside)
    return ClaimCalibration([supports[i] for i in places], [labels[i] for i in places], {})


def price(supports, labels, alpha, loss):
    "Means over the splits: what tests kept, left empty, and lost."
    rows = []
    for calibrates in halves(len(labels)):
        threshold = part(supports, labels, calibrates).threshold(alpha, loss)
        found = part(supports, labels, ~calibrates).at(threshold)
        rows.append([found['kept'], found['empty'], found[loss]])
    kept, empty, lost = np.mean(rows, axis=0)
    return dict(loss=loss, alpha=alpha, kept=round(kept, 3), empty=round(empty, 3), mean_loss=round(lost, 4))


def of_set(folder, name, embedder):
    "The table of one set of answers."
    claims, similarities, labels, given = zip(*read_set(folder, name))
    scored = progress_bar(zip(claims, given), name, total=len(claims))
    ours = [[one.support for one in back_claims(texts, chunks, embedder)] for texts, chunks in scored]
    every = np.concatenate(labels)
    about = dict(answers=len(claims), claims=len(every), unsupported=round(1 - every.mean(), 4))
    about['answers_with_one'] = round(float(np.mean([not all(row) for row in labels])), 3)
    for way, supports in dict(support=ours, similarity=similarities).items():
        rows = [price(supports, labels, alpha, loss) for loss in ('any', 'share') for alpha in ALPHAS]
        about[way] = dict(auc=round(float(area(supports, labels)), 3), rows=rows)
        print(name, way, about[way]['auc'])
        for row in rows:
            print('  ', row)
    return about


def main(folder, out):
    "Measure every set, and write the tables."
    embedder = Embedder()
    sets = {name: of_set(Path(folder), name, embedder) for name in (*REPORTED, *CHOSEN_ON)}
    found = dict(
        made_by='benchmarks/claims.py', date=str(date.today()), seed=0, splits=SPLITS,
        versions={name: version(name) for name in ('numpy', 'torch')},
        labels='a model\'s, as the files have them', chosen_on=CHOSEN_ON, sets=sets)  # fmt: skip
    if out:
        write_whole(out, json.dumps(found, indent=1) + '\n')


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--folder', required=True)
    parser.add_argument('--out', default='')
    main(**vars(parser.parse_args()))
