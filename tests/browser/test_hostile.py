"Hostile texts in everything that displays as HTML, in a real browser: none runs, asks anybody, or becomes an element."

import importlib, inspect, json, pkgutil
from dataclasses import replace
import numpy as np, pyarrow as pa, pytest, conflare_nb, docs
from conflare_nb import Calibration, ConformalRetriever, Distance, Exercise, KnowledgeBase, Prediction, Quoter
from conflare_nb import calibrate, calibrate_answers, calibrate_quotes, rank_questions, sample_documents
from conflare_nb import sample_questions
from conflare_nb.traq.assistant import Answers
from conflare_nb.answers.claims import Backed, ClaimCalibration, FilteredAnswer
from conflare_nb.show.claims import ClaimView
from conflare_nb.answers.rag import Answer
from conflare_nb.traq.sameness import cluster_answers
from conflare_nb.traq.sets import AnswerSet, SetAnswer
from conflare_nb.labels.labeling import JudgeCheck
from conflare_nb.labels.people import JudgingView, WritingView
from conflare_nb.evidence.evaluation import crossed_table
from conflare_nb.retrieval.pipeline import PipelineCalibration
from conflare_nb.show.alpha import explorer_view
from conflare_nb.show.desk import judging_html, writing_html
from conflare_nb.show.matches import MatchView
from conflare_nb.show.page import asset
from conflare_nb.app.asking import Asked
from conflare_nb.app.report import Report, write_report
from conflare_nb.app.terminal import Result, found_costs
from conflare_nb.documents.reading import Document, Section
from conflare_nb.retrieval.calibration import Answerer
from conflare_nb.show.dots import Dots
from conflare_nb.show.sets import answer_set_view
from conflare_nb.saving import storable_text
from hostile import TEXTS
from sampled import sampled_question
from web import served, write_page
from nightly import by_day_or_night


class World:
    "What the displays are made of: a small knowledge base and what is measured on it."

    def __init__(self, folder):
        self.folder = folder
        self.kb = KnowledgeBase.create(folder / 'kb', sample_documents()[:4], progress=False)
        self.questions = [q for q in sample_questions() if q.document in self.kb.documents()]
        self.cal = calibrate(self.kb, self.questions[::2], progress=False)
        self.retriever = ConformalRetriever(self.kb, self.cal)
        quoted = calibrate_quotes(self.kb, self.questions[::2], progress=False)
        self.quoter = Quoter(self.kb, quoted)
        self.retrieved = self.retriever.retrieve(self.questions[1].text)
        self.quotes = self.quoter.quote(self.questions[1].text)
        one = self.questions[1]
        self.view = explorer_view(self.retriever, one, max_chunks=3, quoter=self.quoter)
        self.test, self.nearest = map(self.ranked, (self.cal.score, Distance()))
        self.sampled = calibrate_answers([sampled_question(i) for i in range(39)])

    def ranked(self, score):
        return rank_questions(self.kb, self.questions[1::2], progress=False, score=score)


@pytest.fixture(scope='module')
def world(tmp_path_factory):
    return World(tmp_path_factory.mktemp('world'))


def said(t):
    return dict(document=t, title=t, heading=t, text=f'{t} and {t}')


def chunk_of(w, t):
    return replace(w.quotes.first.chunk, id=t, **said(t))


def retrieved(w, t):
    rows = [{**row, 'id': t, **said(t)} for row in w.retrieved.chunks.slice(0, 2).to_pylist()]
    chunks = pa.Table.from_pylist(rows, w.retrieved.chunks.schema)
    promise = replace(w.retrieved.promise, rule=t)
    return replace(w.retrieved, query=t, promise=promise, chunks=chunks)


def quotes(w, t):
    chunk = chunk_of(w, t)
    first = replace(w.quotes.first, chunk=chunk, start=0, end=len(t))
    listed = (first, replace(first, start=len(t) + 5, end=len(chunk.text)))
    promise = replace(w.quotes.promise, rule=t)
    return replace(w.quotes, question=t, first=first, listed=listed, promise=promise)


def answer(w, t):
    return Answer(t, t, (1,), (chunk_of(w, t),), (), w.retrieved, t)


def answer_set(w, t):
    return AnswerSet(t, (SetAnswer((t, t), 3, 0.5, 0.4, (t,), (t,)),), (t,), (t,), t, t)


def answers(w, t):
    return Answers(answer_set(w, t), (chunk_of(w, t),), {t: 3}, 4, 8)


def calibration(w, t):
    return Calibration([0.1] * 20, {'embedder': t}, t, t, unanswerable=2)


def pipeline(w, t):
    return PipelineCalibration([0.1] * 20, {'pipeline': t}, t, t, unanswerable=2)


def explorer(w, t):
    marks = dict(sentences=[[0, len(t), 1.0], [len(t) + 5, 2 * len(t) + 5, 0.05]])
    chunks = tuple({**c, 'id': t, **said(t), **marks} for c in w.view.chunks)
    reply = dict.fromkeys(('text', 'query', 'error', 'forecast'), t)
    reply |= dict(alpha=0.1, chunks=1, running=False)
    return replace(w.view, query=t, chunks=chunks).html(reply=reply)


def matches(w, t):
    chunk = chunk_of(w, t)
    one = np.array([1.0]), np.array([[0.4, 0.5]]), np.array([0, 0])
    words = ['', t, ''], ['', t, ' and ', t, '']
    return MatchView(chunk, *words, *one, 0.5, 0.4, np.array([0.4])).html()


def sets(w, t):
    q = sampled_question(50)
    told = cluster_answers([t] * 4 + ['far'] * 2)
    pool = tuple(replace(p, id=f'{t}{i}', answers=told) for i, p in enumerate(q.pool))
    asked = replace(q, id=t, text=t, pool=pool, references=(t,))
    return answer_set_view([asked], w.sampled, texts={p.id: t for p in pool}).html(alpha=0.3)


def judging(w, t):
    chunk = dict(rank=1, id=t, where=t, text=t)
    said = [chunk | dict(answers=answers) for answers in (True, False)]
    far = dict(progress=t, finished=t, done=1, total=3, put_off=1, can_undo=True)
    asked = dict(question=t, answer=t, chunk=chunk, place=t, said=said, can_put_off=True)
    return JudgingView('k', **far, **asked)


def writing(w, t):
    far = dict(progress=t, finished=t, done=1, total=3, put_off=1, can_undo=True)
    asked = dict(question=t, answer=t)
    return WritingView('k', **far, where=t, text=t, written=[asked], note=t, draft=asked)


def report(w, t):
    "The questions are hostile, and the known answers, and what the quotes are from."

    def asking(rankings):
        questions = (replace(q, text=f'{t}\n{i}') for i, q in enumerate(rankings.questions))
        return replace(rankings, questions=tuple(questions))

    retriever, own = ConformalRetriever(w.kb, replace(w.cal, source=t)), asking(w.test)
    table = crossed_table(own, w.nearest, [0.1], splits=2)
    miss = dict(question=own.questions[0], source=t, place=2.0, score=2.0, qhat=1.0, nearest=t)
    path = w.folder / 'report.html'
    told = dict(quoted=((quotes(w, t), t),), promise=t, miss=miss, wrong=t, finding=t, asked=t)
    found = Report(found_costs(table, 0.1), len(own.questions), table=table, report=path, **told)
    write_report(found, retriever, own, notice=t)
    return found._repr_html_() + path.read_text(encoding='utf-8').partition('<body>')[2].partition('</body>')[0]


def exercise(w, t):
    "Once to be typed, once to be chosen, with everything said."
    typed = Exercise(t, 1, replies={1: t}, hint=t, solution=t)
    chosen = Exercise(t, t, choices=[t, f'not {t}'], replies={t: t}, hint=t, solution=t)
    return typed.to_html() + chosen.to_html()


def prediction(w, t):
    return Prediction(t, 1, unit=t, said=t).to_html()


def filtered(w, t):
    claims = tuple(Backed(t, support, t, chunk_of(w, t)) for support in (2.0, -1.0))
    return FilteredAnswer(claims, 0.5, replace(w.retrieved.promise, rule=t))


def claim_explorer(w, t):
    cal = ClaimCalibration([[1.0, 0.2]] * 20, [[True, False]] * 20, {})
    return ClaimView(t, filtered(w, t).claims, cal).html()


class Said(Result):
    def __init__(self, text):
        self.text = text

    def parts(self):
        yield self.text


def asked(w, t):
    return Asked(quotes(w, t), None, (), t, False)


def promise(w, t):
    return replace(w.retrieved.promise, event=t, population=t, rule=t, limits=(t,))


def knowledge_base(w, t):
    return KnowledgeBase.create(w.folder / 'small', [Document(t, t, (Section(t, t),))], progress=False)


def shown(make):
    return lambda w, t: make(w, t)._repr_html_()


def page_of(page, make):
    return lambda w, t: page(make(w, t))


# name of a class, or of a function that gives HTML -> (world, text) -> HTML
DISPLAYS = dict(
    Answerer=shown(lambda w, t: object.__new__(type('Held', (Answerer,), dict(promise=promise(w, t))))),
    Result=shown(lambda w, t: Said(t)),
    Dots=lambda w, t: Dots(np.arange(130.0), [t] * 130).to_html(),
    JudgeCheck=shown(lambda w, t: JudgeCheck(t, 10, 9, 1)),
    judging_html=page_of(judging_html, judging),
    writing_html=page_of(writing_html, writing),
)
DISPLAYS |= dict(ClaimExplorer=claim_explorer, AlphaExplorer=explorer, WordMatches=matches, AnswerSetExplorer=sets)
DISPLAYS |= dict(Exercise=exercise, Prediction=prediction, Report=report)
SHOWN = dict(Retrieved=retrieved, Quotes=quotes, Answer=answer, FilteredAnswer=filtered, AnswerSet=answer_set)
SHOWN |= dict(Answers=answers, Asked=asked, Promise=promise, KnowledgeBase=knowledge_base, Calibration=calibration)
SHOWN |= dict(QuoteCalibration=lambda w, t: replace(w.quoter.cal, source=t, created=t), PipelineCalibration=pipeline)
DISPLAYS |= {name: shown(make) for name, make in SHOWN.items()}

# these hold numbers and no text of anybody's
NUMBERS = {'CoverageLottery', 'SamplePlanner', 'YourCoverage'}


# widgets with a kernel, which show more than their pages: name of the script -> (world, text) -> their state
def state_of(page):
    return json.loads(page.split('<script type="application/json">')[1].split('</script>')[0])


def pressed(view, t):
    return dict(view=view.state(), heard=dict(count=1, error=t))


def asking(t):
    return dict(query=t, questions=[t, t], can_ask=True, error=t)


LIVE = dict(
    explorer=lambda w, t: {**state_of(explorer(w, t)), **asking(t)},
    exercise=lambda w, t: {**state_of(exercise(w, t)), 'given': '1'},
    prediction=lambda w, t: dict(entries={t: dict(low=1, high=2, truth=3, unit=t)}, where=t),
    judging=lambda w, t: pressed(judging(w, t), t),
    writing=lambda w, t: pressed(writing(w, t), t),
)


REPRS = tuple(f'_repr_{kind}_' for kind in ('html', 'mimebundle', 'markdown', 'svg', 'latex'))
BASES = {'PageWidget', 'JudgingWidget', 'WritingWidget'}  # their pages are functions of their own


def is_display(name, x):
    shows = inspect.isclass(x) and name not in BASES and any(hasattr(x, r) for r in REPRS)
    for base in (Answerer, Result):  # whose face others have
        shows = shows and (x is base or getattr(x, '_repr_html_', None) is not base._repr_html_)
    return shows or name.endswith('_html')


def displayed():
    "Names of all that displays itself as HTML, or makes HTML: a widget is displayed by its page."
    found = set()
    names = [m.name for m in pkgutil.walk_packages(conflare_nb.__path__, 'conflare_nb.')]
    for module in map(importlib.import_module, names):
        own = {n: getattr(module, n) for n in getattr(module, '__all__', ())}
        found |= {n for n, x in own.items() if is_display(n, x) and x.__module__ == module.__name__}
    return found


def test_every_display_is_in_the_list():
    assert displayed() <= set(DISPLAYS) | NUMBERS, displayed() - set(DISPLAYS) - NUMBERS


FOREIGN = 'img, iframe, object, embed, base, link:not([rel=icon]), meta:not([charset]):not([name]), math, video, audio, animate, foreignObject, x-y, a[href^="javascript:" i], [src], [srcdoc], [action]'
LOOK = """foreign => {
    const all = [...document.querySelectorAll('*')];
    const handlers = all.filter(e => [...e.attributes].some(a => /^on/i.test(a.name)));
    const scripts = [...document.scripts].filter(s => !['module', 'application/json'].includes(s.type));
    const styles = [...document.querySelectorAll('style')].filter(s => /evil\\.example/.test(s.textContent));
    const own = e => e.matches('.katex math');
    const odd = [...document.querySelectorAll(foreign), ...handlers, ...scripts, ...styles].filter(e => !own(e));
    const texts = [...document.querySelectorAll('[data-nth]')].map(e => [e.dataset.nth, e.textContent.includes('mark' + e.dataset.nth)]);
    return { hacked: window.hacked ?? 0, odd: odd.map(e => e.outerHTML.slice(0, 300)), unseen: texts.filter(t => !t[1]).map(t => t[0]), seen: texts.length };
}"""
TYPESET = """() => renderMathInElement(document.body, { throwOnError: false, delimiters: [['$$', '$$', true], ['$', '$', false], ['\\\\(', '\\\\)', false]].map(([left, right, display]) => ({ left, right, display })) })"""
OPEN = """() => { document.querySelectorAll("details").forEach(d => d.open = true);
    return new Promise(f => setTimeout(f, 50)) }"""


def look(page, url, count, typeset=False):
    "No text of this page does anything but be read."
    asked = []
    page.on('dialog', lambda d: (asked.append(d.message), d.dismiss()))
    page.goto(url)
    if typeset:
        page.evaluate(TYPESET)
    waiting = '[...document.querySelectorAll("[data-cfx]")].some(e => !e.dataset.done)'
    page.wait_for_function(f'!{waiting}')
    page.evaluate(OPEN)
    found = page.evaluate(LOOK, FOREIGN)
    assert found == dict(hacked=0, odd=[], unseen=[], seen=count)
    assert (asked, page.away, page.errors) == ([], [], [])


def nth(t):
    return t[4:7]


def wrapped(t, body):
    return f'<div data-nth="{nth(t)}">{body}</div>'


@pytest.fixture(scope='module')
def root(tmp_path_factory):
    return tmp_path_factory.mktemp('pages')


@pytest.fixture(scope='module')
def address(root):
    with served(root) as url:
        yield url


# each display a third of them, another third than the next
EVERY = by_day_or_night(3, 1)


def texts_for(name):
    "Halves of characters reach no search and no table, so no object that is displayed by itself; pages stand them. A report takes a second."
    if name == 'Report':
        return [t for t in TEXTS if t == storable_text(t)][::20]
    some = TEXTS[len(name) % EVERY :: EVERY]
    if name[0].isupper():
        return [t for t in some if t == storable_text(t)]
    return some


def test_what_is_not_escaped_is_seen(root, address, page):
    "The check itself: the same texts as they are."
    write_page(root / 'raw.html', ''.join(wrapped(t, t) for t in TEXTS[:8]))
    with pytest.raises(AssertionError):
        look(page, f'{address}/raw.html', 8)
    assert page.evaluate('window.hacked') and page.away


@pytest.mark.parametrize('name', DISPLAYS)
def test_no_text_runs(world, root, address, page, name):
    made = [wrapped(t, DISPLAYS[name](world, t)) for t in texts_for(name)]
    for i in range(0, len(made), 75):
        write_page(root / f'{name}{i}.html', ''.join(made[i : i + 75]))
        look(page, f'{address}/{name}{i}.html', len(made[i : i + 75]))


# What a kernel's widget does: the module drawn with a state, and nobody at the other end
DRAW = """<script type="module">
const { default: widget } = await import(URL.createObjectURL(new Blob([JSON.parse(document.getElementById('module').textContent)], { type: 'text/javascript' })));
for (const host of document.querySelectorAll('[data-cfx]')) {
    const state = JSON.parse(host.querySelector('script').textContent);
    const model = { get: name => state[name], set(name, value) { state[name] = value }, on() {}, off() {}, save_changes() {}, send() {} };
    widget.render({ model, el: host.querySelector('div') });
    host.dataset.done = 1;
}
</script>"""


def as_data(x, **attributes):
    told = ''.join(f' {k}="{v}"' for k, v in attributes.items())
    data = json.dumps(x).replace('<', '\\u003c')
    return f'<script type="application/json"{told}>{data}</script>'


@pytest.mark.parametrize('name', LIVE)
def test_no_text_runs_beside_a_kernel(world, root, address, page, name):
    "What stands in no saved page: a field to type in, a list of questions, what went wrong."
    texts = TEXTS[::3]

    def live(t):
        state = {k: v for k, v in LIVE[name](world, t).items() if k != 'static'}
        return wrapped(t, f'<div data-cfx="live">{as_data(state)}<div></div></div>')

    made = list(map(live, texts))
    module = asset(name, 'js')
    write_page(root / f'live-{name}.html', ''.join([*made, as_data(module, id='module'), DRAW]))
    look(page, f'{address}/live-{name}.html', len(texts))


@pytest.mark.parametrize('name', ['Quotes', 'Answers', 'AlphaExplorer'])
def test_no_formula_runs(world, root, address, page, name):
    "The site typesets what stands between dollars, in outputs, too."
    if not docs.KATEX.exists():
        pytest.skip('no KaTeX here (npm fetches it when the site is built)')
    texts = texts_for(name)
    files = (docs.KATEX / f for f in ('katex.min.js', 'contrib/auto-render.min.js'))
    scripts = (f'<script type="module">{f.read_text(encoding="utf-8")}</script>' for f in files)
    made = [wrapped(t, DISPLAYS[name](world, t)) for t in texts]
    write_page(root / f'tex-{name}.html', ''.join([*scripts, *made]))
    look(page, f'{address}/tex-{name}.html', len(texts), typeset=True)
