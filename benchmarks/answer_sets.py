"""The papers' table of methods on real questions: `python benchmarks/answer_sets.py [pubmedqa.jsonl [questions [dtype [working folder]]]]`.

The medication guide, from the samples that come with the package. And, where its file is given, PubMedQA: the paragraphs of
the drawn questions' abstracts are the documents, any paragraph of a question's own abstract is gold, the answer is yes, no or
maybe, and in place of samples stand the model's own probabilities of the three, in thousandths. What was scored is kept in
the working folder, so that a run goes on where it stopped. PubMedQA's passages are ranked as the papers do, by distance; the
guide's by the library's default. Figures of data that are not measured in a run stay as they were.
"""

import json, os, platform, sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
import numpy as np
import pandas as pd
from tqdm.auto import tqdm
from conflare_nb.traq.sameness import cluster_answers, exact_same
from conflare_nb.conformal.threshold import empirical_band
from conflare_nb.documents.reading import Document, Section
from conflare_nb.labels.labeling import label_questions
from conflare_nb.models.local import TransformersLLM
from conflare_nb.labels.question import Question
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.traq.sampling import AnswerSampler, sampled_questions
from conflare_nb.documents.store import KnowledgeBase, hits_of
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance
from conflare_nb.traq.sets import SampledPassage, SampledQuestion
from conflare_nb.conformal.two_steps import Rule
from conflare_nb.traq.alpha_split import choose_share, set_measures, tabulate
from harmonic import Harmonic, cheapest

SEED, POOL, K, ALPHAS, SPLITS, PARTS = 0, 5, 1000, (0.1, 0.2, 0.3, 0.4), 10, (0.3, 0.3)
SCORES = {'Medication guide': Hybrid(), 'PubMedQA, yes, no or maybe': Distance()}
OUT = Path(__file__).parent / 'results' / 'answer_sets.json'
WORDS = ('yes', 'no', 'maybe')
PROMPT = 'Decide from the abstract whether the answer is yes, no or maybe.\n\nAbstract: {}\nQuestion: {}\nAnswer (yes, no or maybe):'


def guide(llm, score):
    "The medication guide's committed samples."
    with TemporaryDirectory() as folder:
        sampler = AnswerSampler(KnowledgeBase.create(folder, sample_documents()), llm, score=score)
        known = set(sampler.load()['questions'])
        return sampled_questions(sampler, [q for q in sample_questions() if q.id in known])


def abstracts(file, n):
    "`n` questions of PubMedQA drawn with SEED: documents, `Question`s, decisions."
    with open(file, encoding='utf-8') as f:
        rows = [json.loads(l) for l in f]
    rows = [rows[i] for i in np.random.default_rng(SEED).permutation(len(rows))[:n]]
    docs = [
        Document(r['pubmed_id'], '', tuple(Section(f'{i}', p) for i, p in enumerate(r['paragraphs']))) for r in rows
    ]
    ask = [
        Question(
            r['pubmed_id'],
            r['question'],
            document=r['pubmed_id'],
            sections=tuple((r['pubmed_id'], f'{i}') for i in range(len(r['paragraphs']))),
        )
        for r in rows
    ]
    return docs, ask, [r['decision'] for r in rows]


def thousandths(logp):
    "Probabilities of the three words as whole thousandths that add up to K: the largest remainders are rounded up."
    share = K * np.exp(logp - np.logaddexp.reduce(logp))
    whole = np.floor(share).astype(int)
    whole[np.argsort(whole - share, kind='stable')[: K - whole.sum()]] += 1
    return whole.tolist()


class Scores:
    "Log-probabilities of the three words, one JSON line a (question, passage), in a file that only grows."

    def __init__(self, llm, path):
        self.llm, self.path = llm, path
        self.known = (
            {(r['question'], r['chunk']): r['logp'] for r in map(json.loads, path.read_text().splitlines())}
            if path.exists()
            else {}
        )

    def __call__(self, question, row):
        key = question.id, row['id']
        if key not in self.known:
            self.known[key] = self.llm.score(
                PROMPT.format(row['text'], question.text), [f' {w}' for w in WORDS]
            ).tolist()
            with open(self.path, 'a') as f:
                f.write(json.dumps(dict(question=question.id, chunk=row['id'], logp=self.known[key])) + '\n')
        return cluster_answers(
            [w for w, c in zip(WORDS, thousandths(np.array(self.known[key]))) for _ in range(c)], exact_same
        )


def pubmedqa(llm, score, file, n, work):
    "PubMedQA's questions with the model's distribution over the three words for each passage of the pool, and for gold."
    docs, ask, decisions = abstracts(file, n)
    kb = (
        KnowledgeBase.open(work / f'kb-{n}')
        if KnowledgeBase.is_there(work / f'kb-{n}')
        else KnowledgeBase.create(work / f'kb-{n}', docs)
    )
    said, chunks = Scores(llm, work / f'scores-{llm.dtype}.jsonl'), {r['id']: r for r in kb.texts()}

    def of(q, label, decision):
        rows = hits_of(score.rank(kb, q.text, POOL))
        found, gold = [(row, row.score) for row in rows], min(label.rank - 1, POOL)
        if gold == POOL:
            found.append((chunks[label.chunk], np.inf))
        return SampledQuestion(
            q.id, q.text, tuple(SampledPassage(row.id, s, said(q, row)) for row, s in found), gold, (decision,)
        )

    return [of(*x) for x in zip(tqdm(ask, desc='scoring'), label_questions(kb, ask, score=score), decisions)]


PAPERS = {  # name: (method, whether the split is chosen)
    'CCPS-B': ('ranks', True),
    'CCPS-H': ('harmonic', True),
    'Bonf': ('bonferroni', False),
    'HMP': ('harmonic', False),
    'TRAQ-P': ('pac', True),
    'Bonf-P': ('pac', False),
}


def split_of(n, seed):
    "Positions of the questions that choose, that calibrate and that test, in one random split."
    ends = np.round(np.cumsum(PARTS) * n).astype(int)
    return np.split(np.random.default_rng(seed).permutation(n), ends)


def rule_of(table, choosing, cal, alpha, name):
    "The rule of a method for a calibration; its share of alpha is chosen on other questions."
    method, chosen = PAPERS[name]
    if method == 'harmonic':
        return cheapest(table, choosing, alpha) if chosen else Harmonic(alpha)
    if chosen:
        return choose_share(table, choosing, alpha, method).rule(cal)
    return Rule(method, cal.n, alpha)


def measured_once(table, seed, alpha, name):
    "The measures of one method on one random split."
    choosing, calibrating, test = split_of(len(table), seed)
    cal = table.calibration(calibrating)
    rule = rule_of(table, choosing, cal, alpha, name)
    found = set_measures(table, test, cal, rule)
    return dict(alpha=alpha, method=name, **found, share=rule.share)


def over_splits(rows, by):
    "Means over splits of rows that are equal in some columns, and their standard deviations."
    groups = pd.DataFrame(rows).groupby(by, sort=False)
    return groups.mean().join(groups.std(ddof=0).add_prefix('± '))


def compare_methods(table):
    "Coverage and cost of every method: means over splits, and their standard deviations."
    rows = [measured_once(table, seed, alpha, name) for alpha in ALPHAS for name in PAPERS for seed in range(SPLITS)]
    return over_splits(rows, ['alpha', 'method'])


def figures(questions, same, match):
    "Reach, and the table of methods."
    table = tabulate(questions, same, match)
    cal = table.calibration(np.arange(len(table)))
    n, test = int(round(PARTS[1] * len(table))), len(table) - int(round(sum(PARTS) * len(table)))
    frame = compare_methods(table).reset_index()
    rows = [{**r, 'band_low': empirical_band(n, r['alpha'], test)[0]} for r in frame.to_dict('records')]
    return dict(
        questions=len(table),
        calibration=n,
        test=test,
        k=cal.k,
        gold_in_pool=cal.reach[0],
        right_sample=cal.reach[1],
        rows=rows,
    )


def markdown(name, f):
    head = '| alpha | method | held | band from | sampled | pair | clusters | everything | requests |\n|---|---|---|---|---|---|---|---|---|\n'
    row = lambda r: (
        f'| {r["alpha"]:g} | {r["method"]} | {r["held"]:.3f} ± {r["± held"]:.3f} | {r["band_low"]:.3f} | {r["covered"]:.3f} | {r["pair"]:.3f} | {r["clusters"]:.1f} ± {r["± clusters"]:.1f} '
        f'| {r["unbounded"]:.0%} | {r["requests"]:.1f} |\n'
    )
    return (
        f'## {name}\n\n{f["questions"]} questions, of which {f["calibration"]} calibrate and {f["test"]} test, {SPLITS} splits; K = {f["k"]}. '
        f'The {POOL} best passages by {f["score"]["name"]}, {f["date"]}. Gold passage in the pool: {f["gold_in_pool"]:.0%}; some right answer among those sampled from it: {f["right_sample"]:.0%}.\n\n'
        + head
        + ''.join(row(r) for r in f['rows'])
        + '\n'
    )


def made(dtype):
    "When and with what figures were made."
    versions = {p: version(p) for p in ('conflare_nb', 'torch', 'transformers', 'lancedb', 'numpy', 'scipy')}
    return dict(
        date=date.today().isoformat(),
        dtype=dtype,
        threads=os.environ.get('OMP_NUM_THREADS', ''),
        python=platform.python_version(),
        versions=versions,
    )


def main(file=None, n=300, dtype='float32', work='answer-sets-work'):
    work = Path(work)
    about = dict(seed=SEED, pool=POOL, splits=SPLITS, parts=PARTS)
    found = json.loads(OUT.read_text())['data'] if OUT.exists() else {}

    def measured(name, dtype, questions, *compare):
        score = SCORES[name]
        found[name] = {
            **made(dtype),
            'score': score.fingerprint(),
            **figures(questions(TransformersLLM(dtype=dtype), score), *compare),
        }

    measured('Medication guide', 'float32', guide, *_words())
    if file:
        work.mkdir(exist_ok=True)
        measured(
            'PubMedQA, yes, no or maybe',
            dtype,
            lambda llm, score: pubmedqa(llm, score, file, int(n), work),
            exact_same,
            exact_same,
        )
    OUT.write_text(json.dumps(dict(about, data=found), indent=1) + '\n')
    OUT.with_suffix('.md').write_text(
        f'# Answer sets, method by method\n\nsmollm2, seed {SEED}.\n\n'
        + ''.join(markdown(k, f) for k, f in found.items())
    )
    print(OUT.with_suffix('.md').read_text())


def _words():
    "Same and match of the library's defaults."
    from conflare_nb.traq.sameness import rouge_match, rouge_same

    return rouge_same(), rouge_match()


if __name__ == '__main__':
    main(*sys.argv[1:])
