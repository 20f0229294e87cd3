"""Every judge against the known answers of the sample: `python benchmarks/judges.py [questions a half] [working folder] [dtype]`.

Two halves of the sample's documents lend the same number of questions, drawn with SEED; each is judged with its 10 nearest
chunks. The bars of the likelihood judge are chosen on the first half, and every figure is of the second. What was measured
is kept in the working folder, so that a run goes on where it stopped, and more questions can be asked for later.
"""

import json, os, platform, sys, time
from datetime import date
from importlib.metadata import version
from itertools import product
from pathlib import Path
import numpy as np
from scipy.stats import rankdata
from conflare_nb.labels.judges import (
    CompareJudge,
    ContainsJudge,
    LikelihoodJudge,
    YesNoJudge,
    _margins,
    answering_chunks,
    contains_answer,
)
from conflare_nb.labels.labeling import label_questions
from conflare_nb.models.local import TransformersLLM
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.labels.question import split_questions
from conflare_nb.documents.store import KnowledgeBase, hits_of
from conflare_nb.documents.score import Distance

SEED, DEPTH = 0, 10
OUT = Path(__file__).parent / 'results' / 'judges.json'


def knowledge_base(folder):
    return (
        KnowledgeBase.open(folder)
        if KnowledgeBase.is_there(folder)
        else KnowledgeBase.create(folder, sample_documents())
    )


class Measured:
    "What was measured, one JSON line a (measurement, question), in a file that only grows."

    def __init__(self, path):
        self.path, self.lines = path, {}
        for l in path.read_text().splitlines() if path.exists() else []:
            self.lines[tuple(json.loads(l)['key'])] = json.loads(l)

    def __call__(self, what, question, measure):  # the line, with wall and CPU seconds
        if (what, question.id) in self.lines:
            return self.lines[what, question.id]
        wall, cpu = time.perf_counter(), time.process_time()
        line = dict(
            key=[what, question.id], **measure(), wall=time.perf_counter() - wall, cpu=time.process_time() - cpu
        )
        with open(self.path, 'a') as f:
            f.write(json.dumps(line) + '\n')
        self.lines[what, question.id] = line
        return line


def in_batches(judge, q, rows, size):
    "A verdict on each chunk, nearest first, so many at a time."
    said = [v for i in range(0, len(rows), size) for v in judge.judge(q, rows[i : i + size])]
    return dict(
        answers=[v.answers for v in said], score=[v.score for v in said], calls=[v.calls for v in said], batch=size
    )


def likelihoods(judge, q, rows):
    after, without = judge.likelihoods(q, rows)
    return dict(after=after.tolist(), without=without, calls=len(rows) + 1)


def measure(llm, kb, halves, done):
    "For each half and question everything that the judges said, cheapest first."
    asked = [q for half in halves for q in half]
    gold = dict(zip([q.id for q in asked], answering_chunks(kb, asked)))
    judges = dict(
        yes_no=(YesNoJudge(llm), 1), compare=(CompareJudge(llm), 5)
    )  # one after the other is the reference's way

    def of(q):
        rows = hits_of(kb.search(q.text, DEPTH))
        r = dict(
            gold=[chunk.id in gold[q.id] for chunk in rows],
            contains=[contains_answer(chunk.text, q.answer) for chunk in rows],
        )
        return q, rows, r

    halves = [[of(q) for q in half] for half in halves]
    for half in halves:
        for q, rows, r in half:
            r['likelihood'] = done('likelihood', q, lambda: likelihoods(LikelihoodJudge(llm), q, rows))
    for name, (judge, size) in judges.items():  # nothing is chosen for them: the second half suffices
        for q, rows, r in halves[1]:
            r[name] = done(name, q, lambda: in_batches(judge, q, rows, size))
    return [[r for _, _, r in half] for half in halves]


def by_likelihood(r, within, gain, contains):
    "What the likelihood judge says about one question: answers, scores, calls."
    if contains and any(r['contains']):
        return dict(
            answers=r['contains'],
            score=[1.0 if c else -1.0 for c in r['contains']],
            calls=[0] * DEPTH,
            batch=DEPTH,
            cpu=0.0,
        )
    m = _margins(np.array(r['likelihood']['after']), r['likelihood']['without'], within, gain)
    return dict(
        answers=(m >= 0).tolist(),
        score=m.tolist(),
        calls=[r['likelihood']['calls'], *[0] * (DEPTH - 1)],
        batch=DEPTH,
        cpu=r['likelihood']['cpu'],
    )


def first(answers):
    return answers.index(True) + 1 if True in answers else np.inf


def auc(yes, score):
    "Probability that a chunk that answers scores above one that does not, ties counted half."
    yes, ranks = np.array(yes), rankdata(score)
    return float((ranks[yes].sum() - yes.sum() * (yes.sum() + 1) / 2) / (yes.sum() * (~yes).sum()))


def shares(judged, gold):
    "How the labels err: too early is what the guarantee suffers from, the others cost a longer context."
    judged, gold = np.array(judged), np.array(gold)
    return dict(
        too_early=float(np.mean(judged < gold)),
        too_late=float(np.mean((judged > gold) & np.isfinite(judged))),
        not_found=float(np.mean((judged > gold) & np.isinf(judged))),
    )


def fooled(judged, gold):
    "Share of questions for which a wrong chunk is accepted once the right ones are left out of the batch."
    return float(np.mean([any(a and not g for a, g in zip(said, yes)) for said, yes in zip(judged, gold)]))


def lacking(half, within, gain, contains):
    "What the likelihood judge says of the wrong chunks, when only these are in the batch."

    def of(r):
        wrong = np.flatnonzero(~np.array(r['gold']))
        left = dict(
            contains=[r['contains'][i] for i in wrong],
            likelihood={**r['likelihood'], 'after': np.array(r['likelihood']['after'])[wrong]},
        )
        out = np.zeros(DEPTH, bool)
        out[wrong] = by_likelihood(left, within, gain, contains)['answers']
        return out

    return [of(r) for r in half]


def figures(said, gold, without=None):
    "One row of the table; `said` holds a dict a question. Calls and seconds of a question are those of walking to the first accepted chunk."
    yes, flat, ranks = (
        np.concatenate(gold),
        np.concatenate([s['answers'] for s in said]),
        [first(s['answers']) for s in said],
    )
    walked = [min(DEPTH, -(-r // s['batch']) * s['batch']) for r, s in zip(ranks, said)]
    calls = [sum(s['calls'][: int(w)]) for s, w in zip(said, walked)]
    cpu = [s['cpu'] * w / DEPTH for s, w in zip(said, walked)]
    return dict(
        auc=auc(yes, np.concatenate([s['score'] for s in said])),
        accuracy=float(np.mean(yes == flat)),
        **shares(ranks, [first(g) for g in gold]),
        fooled=fooled(without or [s['answers'] for s in said], gold),
        cpu_seconds_a_verdict=float(np.mean([s['cpu'] for s in said]) / DEPTH),
        calls_a_question=float(np.mean(calls)),
        cpu_seconds_a_question=float(np.mean(cpu)),
    )


def choose(half):
    "The bars with the least sum of wrong labels and fooled batches on the first half, without the help of contained answers; of equals the first."
    gold = [r['gold'] for r in half]

    def wrong(within, gain):
        judged = [first(by_likelihood(r, within, gain, False)['answers']) for r in half]
        return sum(shares(judged, [first(g) for g in gold]).values()) + fooled(lacking(half, within, gain, False), gold)

    grid = {(w, g): wrong(w, g) for w, g in product((0.25, 0.1, 0.5), (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))}
    return min(grid, key=lambda bars: round(grid[bars], 9)), grid


def free(kb):
    "The contains judge on every question, through the library."
    questions = sample_questions()
    walked = dict(progress=False, score=Distance())  # in the order in which all the others are judged
    gold, judged = (
        label_questions(kb, questions, depth=30, **walked),
        label_questions(kb, questions, ContainsJudge(), **walked),
    )
    rank = lambda labels: [l.rank or np.inf for l in labels]
    return dict(questions=len(questions), depth=30, **shares(rank(judged), rank(gold)))


def main(n=60, work='judges-work', dtype='float32'):
    work = Path(work)
    work.mkdir(exist_ok=True)
    kb, llm = knowledge_base(work / 'kb'), TransformersLLM(dtype=dtype)
    rng = np.random.default_rng(SEED)
    halves = [
        [half[i] for i in rng.permutation(len(half))[: int(n)]]
        for half in split_questions(sample_questions(), 0.5, SEED)
    ]
    chosen_on, half = measure(llm, kb, halves, Measured(work / f'measured-{dtype}.jsonl'))
    (within, gain), grid = choose(chosen_on)
    gold, library = [r['gold'] for r in half], LikelihoodJudge(llm)
    found = [
        dict(answers=r['contains'], score=[float(c) for c in r['contains']], calls=[0] * DEPTH, batch=DEPTH, cpu=0.0)
        for r in half
    ]
    likely = lambda w, g, contains: figures(
        [by_likelihood(r, w, g, contains) for r in half], gold, lacking(half, w, g, contains)
    )
    rows = {
        'contains': figures(found, gold),
        'compare': figures([r['compare'] for r in half], gold),
        'yes or no': figures([r['yes_no'] for r in half], gold),
        'likelihood': likely(library.within, library.gain, True),
        'likelihood, no contained answers': likely(library.within, library.gain, False),
        'likelihood, bars of the first half': likely(within, gain, False),
    }
    reference = dict(calls_a_question=DEPTH, cpu_seconds_a_question=float(np.mean([r['yes_no']['cpu'] for r in half])))
    OUT.write_text(
        json.dumps(
            dict(
                date=date.today().isoformat(),
                seed=SEED,
                questions=len(half),
                depth=DEPTH,
                pairs=len(half) * DEPTH,
                model=llm.name,
                dtype=dtype,
                threads=os.environ.get('OMP_NUM_THREADS', ''),
                python=platform.python_version(),
                versions={p: version(p) for p in ('conflare_nb', 'torch', 'transformers', 'lancedb', 'numpy')},
                library=dict(within=library.within, gain=library.gain),
                chosen=dict(within=within, gain=gain, wrong={f'{w:g}/{g:g}': x for (w, g), x in grid.items()}),
                answered_within_depth=float(np.mean([any(g) for g in gold])),
                judges=rows,
                reference=reference,
                contains_on_all=free(kb),
            ),
            indent=1,
        )
        + '\n'
    )
    OUT.with_suffix('.md').write_text(table(json.loads(OUT.read_text())))
    print(OUT.with_suffix('.md').read_text())


def table(r):
    "The results as Markdown."
    head = '| judge | AUC | accuracy | too early | too late | not found | fooled | CPU s a verdict | calls a question | CPU s a question |\n|---|---|---|---|---|---|---|---|---|---|\n'
    row = lambda n, f: (
        f'| {n} | {f["auc"]:.3f} | {f["accuracy"]:.3f} | {f["too_early"]:.1%} | {f["too_late"]:.1%} | {f["not_found"]:.1%} | {f["fooled"]:.1%} | {f["cpu_seconds_a_verdict"]:.3f} '
        f'| {f["calls_a_question"]:.1f} | {f["cpu_seconds_a_question"]:.2f} |\n'
    )
    ref = f'| the reference: yes or no to every chunk | | | | | | | | {r["reference"]["calls_a_question"]:.1f} | {r["reference"]["cpu_seconds_a_question"]:.2f} |\n'
    return (
        f'{r["questions"]} questions of the second half x {r["depth"]} nearest chunks, {r["model"]} in {r["dtype"]}, seed {r["seed"]}, {r["date"]}.\n\n'
        + head
        + ''.join(row(n, f) for n, f in r['judges'].items())
        + ref
    )


if __name__ == '__main__':
    main(*sys.argv[1:])
