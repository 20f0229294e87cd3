"""Thresholds for groups that overlap, against one for all and one for each group: what the worst group gets, and what it costs.

    python benchmarks/conditional.py [--pubmedqa FILE] --out benchmarks/results/conditional.json

Every question is ranked once; then half of the documents calibrate and the other half tests, in 20 random splits. The groups
that are looked at are the guide's kinds of questions. PubMedQA has no kinds: there long questions (more words than the median)
and far ones (nearest chunk farther than the median) are looked at, which overlap. Features are known before the answer is.
"""

import argparse
import json
import tempfile
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb import Distance, Embedder, KnowledgeBase, LateHybrid
from conflare_nb import conformal_quantile, rank_questions, sample_documents, sample_questions
from conflare_nb.conformal.conditional import conditional_threshold
from conflare_nb.conformal.groups import group_threshold
from conflare_nb.saving import write_whole
from scores import pubmedqa

ALPHA = 0.1
SPLITS = 20


def guide():
    "(documents, questions) of the medication guide."
    return sample_documents(), [q for q in sample_questions() if not q.unanswerable]


def measured(documents, questions):
    "Scores, scores of all chunks, and what is known of each question: its kind, length and nearest distance."
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, documents, Embedder(), progress=False)
        found = rank_questions(kb, questions, score=LateHybrid(), progress=False)
        near = rank_questions(kb, questions, score=Distance(), progress=False).chunk_scores[:, 0]
    asked = found.questions
    words = np.array([len(q.text.split()) for q in asked])
    return dict(
        scores=found.scores, chunks=found.chunk_scores, near=near, words=words,
        kinds=np.array([q.kind for q in asked]), documents=np.array([q.document for q in asked]))  # fmt: skip


def groups_of(data):
    "{name: which questions are in it}: kinds where there are any, else long and far questions."
    if len(set(data['kinds'])) > 1:
        return {str(kind): data['kinds'] == kind for kind in np.unique(data['kinds'])}
    return dict(long=data['words'] > np.median(data['words']), far=data['near'] > np.median(data['near']))


def ways(data, groups):
    "{name: a function of (who calibrates, a new question) that gives a threshold}."
    ones = np.ones((len(data['scores']), 1))
    membership = np.column_stack(list(groups.values())).astype(float)
    cells = np.array([''.join('01'[int(x)] for x in row) for row in membership])

    def conditional(features):
        def threshold(first, i):
            return conditional_threshold(data['scores'][first], features[first], features[i], ALPHA)

        return threshold

    def each(first, i):
        return group_threshold(data['scores'][first], cells[first], cells[i], ALPHA)

    near = data['near'][:, None]
    return {
        'one for all': lambda first, i: conformal_quantile(data['scores'][first], ALPHA),
        'one for each group': each,
        'conditional: groups': conditional(np.hstack([ones, membership])),
        'conditional: nearest distance': conditional(np.hstack([ones, near])),
        'conditional: both': conditional(np.hstack([ones, membership, near])),
    }


def tried(data, groups, threshold, first, test):
    "(coverage, chunks, coverage of each group) of the half that tests."
    qhats = np.array([threshold(first, i) for i in test])
    covered = data['scores'][test] <= qhats
    chunks = (data['chunks'][test] <= qhats[:, None]).sum(axis=1).mean()
    return [covered.mean(), chunks, *(covered[inside[test]].mean() for inside in groups.values())]


def table(documents, questions):
    "A row for each way."
    data = measured(documents, questions)
    groups = groups_of(data)
    names = np.unique(data['documents'])
    rows = {name: [] for name in ways(data, groups)}
    for seed in range(SPLITS):
        half = np.random.default_rng(seed).permutation(names)[: len(names) // 2]
        inside = np.isin(data['documents'], half)
        for name, threshold in ways(data, groups).items():
            halves = np.flatnonzero(inside), np.flatnonzero(~inside)
            rows[name].append(tried(data, groups, threshold, *halves))
    found = []
    for name, some in rows.items():
        coverage, chunks, *of_groups = np.mean(some, axis=0).round(3).tolist()
        found.append(dict(way=name, coverage=coverage, chunks=chunks, worst=min(of_groups)))
        print(found[-1], dict(zip(groups, of_groups)))
    return found


def main(pubmedqa_file, out):
    "Measure, and write the tables."
    sets = dict(guide=table(*guide()))
    if pubmedqa_file:
        sets['pubmedqa'] = table(*pubmedqa(Path(pubmedqa_file)))
    found = dict(
        made_by='benchmarks/conditional.py', date=str(date.today()), alpha=ALPHA, splits=SPLITS,
        versions={name: version(name) for name in ('numpy', 'scipy')}, sets=sets)  # fmt: skip
    if out:
        write_whole(out, json.dumps(found, indent=1) + '\n')


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pubmedqa', default='', dest='pubmedqa_file')
    parser.add_argument('--out', default='')
    main(**vars(parser.parse_args()))
