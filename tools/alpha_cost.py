"""Record what the embedded model answers from contexts of growing size: `python tools/alpha_cost.py [-n 30] [--store FOLDER] [--out FILE]`.

The medication guide's questions are split by leaflet. One half calibrates. Of the other half those that ask for a number or a time
can be asked, since the embedded model can answer little else; -n of them, drawn with --seed, are answered at temperature 0, in
float32, from every context that an alpha or a k gives them (always their m nearest chunks, and as many of these as fit), from the
chunk that answers alone, and from nothing. The same context is asked about once. Every answer is a row in the store, so that a run
that was stopped goes on: the same command, 22 minutes in all on one processor core.
"""

import argparse, gzip, hashlib, json, os, platform, random, time
from datetime import date
from importlib.metadata import version
from pathlib import Path
from conflare_nb.retrieval.calibration import calibrate
from conflare_nb.evidence.evaluation import rank_questions
from conflare_nb.labels.judges import answering_chunks
from conflare_nb.models.local import TransformersLLM
from conflare_nb.answers.rag import UNKNOWN, ConformalRAG, rag_prompt, reply_text
from conflare_nb.labels.guide import sample_path, sample_questions
from conflare_nb.labels.question import split_questions
from conflare_nb.documents.score import Distance
from conflare_nb.documents.store import Rows, chunks_of
from samples import LIBRARIES, knowledge_base, number_questions

ALPHAS, KS, SPLIT = (0.5, 0.3, 0.2, 0.1), (1, 5), 1


def contexts(rag, q, sizes, gold):
    "{what is shown: its rows} for one question; a number m stands for the m nearest chunks."
    near = chunks_of(rag.retriever.search(q.text, max(sizes)))
    shown = {m: near[:m] for m in sorted({rag.fit(q.text, near[:m]) for m in sizes})}
    return {'nothing': [], **shown, 'gold': gold}


def batches(prompts, most=3000):
    "(prompt, tokens) pairs, short ones first, in groups of so many tokens: what prompts begin alike is read once a group."
    group = []
    for p, n in sorted(prompts.items(), key=lambda pn: pn[1]):
        if group and n * (len(group) + 1) > most:
            yield group
            group = []
        group.append((p, n))
    if group:
        yield group


def ask_all(rag, prompts, rows):
    "{prompt: row with its reply}; a group's answers are written in one step, its processor seconds shared by its prompts."
    key = lambda p: hashlib.sha256(
        json.dumps([rag.llm.name, rag.max_new_tokens, rag.stop, p]).encode()
    ).hexdigest()[:32]
    known = {r['key']: r for r in rows.read()}
    for group in batches({p: n for p, n in prompts.items() if key(p) not in known}):
        start = time.process_time()
        replies = rag.llm.generate([p for p, _ in group], rag.max_new_tokens, stop=rag.stop)
        seconds = (time.process_time() - start) / len(group)
        new = [
            dict(key=key(p), tokens=n, seconds=seconds, text=r)
            for (p, n), (r,) in zip(group, replies)
        ]
        rows.add(new)
        known.update({r['key']: r for r in new})
        print(f'{len(group)} x {group[0][1]:,} tokens answered, {seconds:.1f} s each', flush=True)
    return {p: known[key(p)] for p in prompts}


def choose(n, seed):
    "(questions to calibrate with, n of the others that ask for a number or a time); a larger n takes the same questions and more."
    first, second = split_questions(sample_questions(), seed=SPLIT)
    fit = {q.id for q in number_questions()}
    order = [q for q in second if q.id in fit]
    random.Random(seed).shuffle(order)
    return first, order[:n]


def answering(kb, questions):
    "For each question its nearest chunk that answers, as a row."
    for q, ids in zip(questions, answering_chunks(kb, questions)):
        yield next(r for r in chunks_of(kb.search(q.text, len(kb))) if r['id'] in ids)


def record(kb, n, seed, alphas, ks):
    "(head, rows): what is said about the file, and one row for each question and context."
    first, chosen = choose(n, seed)
    cal = calibrate(kb, first, progress=False, score=Distance())  # the papers' score
    test = rank_questions(kb, chosen, progress=False, score=Distance())
    rag = ConformalRAG(kb, TransformersLLM('smollm2', dtype='float32'))
    sizes = [{*ks, *((d <= cal.qhat(a)).sum().item() for a in alphas)} for d in test.chunk_scores]
    shown = {
        q: contexts(rag, q, s, [gold]) for q, s, gold in zip(chosen, sizes, answering(kb, chosen))
    }
    prompt = {
        (q, m): rag_prompt(q.text, rows) for q in chosen for m, rows in shown[q].items() if m != 0
    }
    tokens = dict(zip(texts := list(dict.fromkeys(prompt.values())), rag.llm.count_tokens(texts)))
    print(
        f'{len(prompt)} questions with a context, {len(texts)} different, {sum(tokens.values()):,} tokens',
        flush=True,
    )
    said = ask_all(
        rag,
        tokens,
        Rows(
            kb,
            'context_answers',
            dict(key='string', tokens='int32', seconds='float64', text='string'),
        ),
    )
    head = dict(
        questions=[q.id for q in chosen],
        seed=seed,
        split=SPLIT,
        alphas=alphas,
        ks=ks,
        model=rag.llm.name,
        max_new_tokens=rag.max_new_tokens,
        temperature=0,
        dtype='float32',
        knowledge_base=kb.fingerprint(),
        contexts=len(texts),
        seconds=round(sum(said[t]['seconds'] for t in texts)),
    )
    return head, [
        answer_row(q, m, said[prompt[q, m]] if m != 0 else None)
        for q, c in shown.items()
        for m in c
    ]


def answer_row(q, shown, said):
    "A row of the file, the reply as `ConformalRAG.ask` gives it; where nothing was retrieved, the model was not asked."
    if said is None:
        return dict(question=q.id, shown=shown, tokens=0, seconds=0.0, reply=UNKNOWN)
    return dict(
        question=q.id,
        shown=shown,
        tokens=said['tokens'],
        seconds=round(said['seconds'], 2),
        reply=reply_text(said['text']),
    )


if __name__ == '__main__':
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument(
        '--store',
        type=Path,
        default=Path('.samples'),
        help='folder in which the answers are kept (default: %(default)s)',
    )
    p.add_argument('-n', type=int, default=30, help='questions (default: %(default)s)')
    p.add_argument(
        '--seed', type=int, default=0, help='of the choice of questions (default: %(default)s)'
    )
    p.add_argument(
        '--alphas',
        type=float,
        nargs='+',
        default=ALPHAS,
        help='levels of the distance rule (default: %(default)s)',
    )
    p.add_argument(
        '--ks',
        type=int,
        nargs='+',
        default=KS,
        help='fixed numbers of chunks (default: %(default)s)',
    )
    p.add_argument(
        '--out',
        type=Path,
        default=sample_path() / 'context_answers.jsonl.gz',
        help='file to write (default: the one in the package)',
    )
    args = p.parse_args()
    head, rows = record(
        knowledge_base(args.store), args.n, args.seed, list(args.alphas), list(args.ks)
    )
    head |= dict(
        date=date.today().isoformat(),
        threads=int(os.environ.get('OMP_NUM_THREADS', os.cpu_count())),
        versions={'python': platform.python_version(), **{l: version(l) for l in LIBRARIES}},
    )
    args.out.write_bytes(
        gzip.compress(
            ''.join(json.dumps(r, ensure_ascii=False) + '\n' for r in [head, *rows]).encode(),
            mtime=0,
        )
    )
    print(
        f'{len(rows)} answers to {len(head["questions"])} questions, {head["seconds"]:,} s of processor, {args.out.stat().st_size:,} bytes in {args.out.name}'
    )
