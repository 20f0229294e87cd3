"The explorer in a real browser: on a page without a kernel, and in JupyterLab with one."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb import Calibration, ConformalRetriever, Document, Hybrid, KnowledgeBase, Question
from conflare_nb import Quoter, Rank, Softmax
from conflare_nb.answers.quotes import QuoteCalibration
from conflare_nb.labels.labeling import Label
from conflare_nb.documents.reading import Section
from conflare_nb.show.alpha import explorer_view
from conflare_nb.show.page import asset, page_alpha
from conflare_nb.words import plural
from web import THEMES, as_page, contrast, cut_off, eventually, fits, kernel, readable, resized, slide, stays_text

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '</script><img src=x onerror="window.hacked=1">'


@pytest.fixture(scope='module')
def kb(tmp_path_factory):
    def storage(i):
        text = f'Keep tablet number {i} in a dry place, {"far " * i}away from children. ' * 3
        return Document(f'd{i}.md', f'Leaflet {i}', (Section('Storage', text),))

    text = f'Keep the tablet dry \U0001f48a. {HOSTILE} ' * 3
    evil = Document('evil.md', HOSTILE, (Section(f'<b>{HOSTILE}', text, 7),))
    docs = [*map(storage, range(12)), evil]
    return KnowledgeBase.create(tmp_path_factory.mktemp('kb'), docs, progress=False)


def known(text, document, heading):  # a question that this section answers
    return Question('q', text, sections=((document, heading),))


@pytest.fixture(scope='module')
def views(kb):
    "One with enough calibration scores, and one with too few for the left of the slider."
    query = f'Where do I keep the tablet? {HOSTILE}'
    d = kb.search(query, 13)['distance'].to_numpy()
    scores = np.interp(np.linspace(0, 12, 120), np.arange(13), d)

    def make(some):
        retriever = ConformalRetriever(kb, Calibration(some, kb.fingerprint()))
        return explorer_view(retriever, known(query, 'evil.md', f'<b>{HOSTILE}'))

    return make(scores), make([*scores[::10], np.inf])


@pytest.fixture(scope='module')
def others(kb):
    "By other scores: most questions have the best of all, and one pool is too small for what answers."
    query = 'Where do I keep the tablet?'

    def make(score, scores, answers, ranks=()):
        labels = tuple(Label('q', '?', s, rank, 'c') for s, rank in zip(scores, ranks))
        cal = Calibration(scores, kb.fingerprint(), labels=labels, score=score)
        retriever = ConformalRetriever(kb, cal)
        return explorer_view(retriever, known(query, answers, 'Storage'), top_k=3)

    ranked = kb.search(query, 13)['document'].to_pylist()
    rest = np.repeat(np.linspace(1.1, 4.2, 6), 5)
    return dict(
        hybrid=make(Hybrid(), [*[0.0] * 130, *rest], ranked[4], [1] * 130 + [2, 3, 4, 5, 6, 7] * 5),
        rank=make(Rank(), [*[1.0] * 90, *np.repeat(np.arange(2, 8), 5)], ranked[2]),
        lost=make(Softmax(pool=3), [*[0.0] * 90, *rest, np.inf, np.inf], ranked[9]),
    )


@pytest.fixture(scope='module')
def quoted(kb, views):
    "A calibration of sentences, and views that know them: of three questions, the last one hostile."
    cal = QuoteCalibration(np.linspace(0, 5, 80), kb.fingerprint())
    texts = ('Where do I keep the tablet?', 'Is it \U0001f48a far away?', views[0].query)
    near = kb.search(texts[0], 6)['distance'].to_numpy()
    scores = np.interp(np.linspace(0, 5, 120), np.arange(6), near)
    scores = Calibration([*scores, 1.0], kb.fingerprint())
    made = [explorer_view(ConformalRetriever(kb, scores), t, quoter=Quoter(kb, cal)) for t in texts]
    return cal, made


def turned(view):
    "The same question with its chunks in another order and farther away."
    return replace(view, chunks=view.chunks[::-1], chunk_scores=view.chunk_scores + 0.05)


@pytest.fixture(scope='module')
def site(views, others, quoted, publish):
    first, few = views
    pages = {name: view.html(alpha=0.2) for name, view in others.items()}
    pages |= dict(page=first.html(alpha=0.2), few=few.html(alpha=0.2))
    brand = f"the group 'brand{HOSTILE}'"
    brand = replace(first, group_label=brand, population=f'questions of {brand}, as was said')
    pages |= dict(group=brand.html(alpha=0.2))
    rest = [replace(turned(first), query=HOSTILE), replace(few, query='Another?')]
    reply = dict(text='Yes.', query=first.query, alpha=0.2, chunks=1, running=False, error='')
    reply |= dict(forecast='A model reads 70 tokens.')
    pages |= dict(several=first.html(alpha=0.2, others=rest, reply=reply))
    first, *rest = quoted[1]
    pages |= dict(quoted=first.html(alpha=0.2, others=rest, most=13))
    pages |= dict(bare=replace(first, promised=False).html(alpha=0.2))
    return publish(pages)


def opened(page, address):
    page.goto(address)
    page.locator('.cfx-numbers > summary').click()


def _shows(page, view, alpha, slides=False):
    s, chunks = view.at(alpha, slides), page.locator('.cfx-chunks')
    now = dict(alpha=f'{alpha:g}', n=s['chunks'], tokens=s['tokens'], qhat=f'{s["qhat"]:.4f}')
    for name, value in now.items():
        expect(chunks).to_have_attribute(f'data-{name}', str(value))
    held = page.locator('.cfx-chunk').count()
    expect(page.locator('.cfx-chunk:visible')).to_have_count(min(s['chunks'], held))
    said = f'alpha {alpha:g}, {plural(s["chunks"], "passage")}'
    expect(page.locator('input[type=range]')).to_have_attribute('aria-valuetext', said)


def test_it_slides_on_a_page(site, views, page):
    page.goto(f'{site}/page.html')
    view = views[0]
    _shows(page, view, 0.2)
    line, strip = page.locator('.cfx-stop'), page.locator('.cfx-strip')
    at_first = line.get_attribute('transform')
    note = page.get_by_text('The guarantee holds for an alpha chosen beforehand')
    expect(note).to_be_hidden()
    slide(page, 'ArrowRight', 5)  # five scores farther
    _shows(page, view, 0.16)
    expect(note).to_be_visible()
    expect(line).not_to_have_attribute('transform', at_first)
    slide(page, 'End', 1)
    _shows(page, view, 0.005)
    slide(page, 'Home', 1)
    _shows(page, view, 0.5)
    strip.click(position=dict(x=strip.bounding_box()['width'] - 3, y=20))  # the line itself is pulled
    _shows(page, view, 0.005)
    page.get_by_label('alpha, as a number').fill('.123')
    _shows(page, view, 0.123)
    page.get_by_label('alpha, as a number').fill('1/3')  # exact, and stays as it was typed
    expect(page.locator('.cfx-chunks')).to_have_attribute('data-alpha', '0.333333333')
    exact = str(view.at(page_alpha(1 / 3))['chunks'])
    expect(page.locator('.cfx-chunks')).to_have_attribute('data-n', exact)
    expect(page.get_by_label('alpha, as a number')).to_have_value('1/3')
    page.get_by_label('alpha, as a number').fill('.123')
    page.get_by_label('alpha, as a number').fill('7')  # not an alpha: nothing moves
    expect(page.get_by_label('alpha, as a number')).to_have_attribute('aria-invalid', 'true')
    _shows(page, view, 0.123)
    assert page.errors == [] and page.away == []


def test_a_line_that_may_be_moved_stands_farther_away(site, views, page):
    page.goto(f'{site}/page.html')
    view, number = views[0], page.get_by_label('alpha, as a number')
    number.fill('.01')
    price = f'I slide {view.at(0.05, True)["chunks"]} passages at 5%'
    page.get_by_role('radio', name=price).check()  # .01 may not be chosen
    _shows(page, view, 0.05, True)
    most = np.ceil(40 * float(view.moved.factor(view.n)))
    for said in ('A miss counts 20.', f'at most {most:g}% of such questions are missed'):
        expect(page.get_by_text(said)).to_be_visible()
    expect(page.locator('.cfx').get_by_text('You allow')).to_have_count(0)
    number.fill('.41')
    expect(number).to_have_attribute('aria-invalid', 'true')
    slide(page, 'Home', 1)
    _shows(page, view, 0.4, True)
    page.get_by_role('radio', name='fixed').check()
    _shows(page, view, 0.4)


def test_an_answer_that_is_lost_leaves_its_place(site, page):
    page.goto(f'{site}/rank.html')  # the third answers
    page.get_by_label('alpha, as a number').fill('.1')
    said, ghost = page.locator('.cfx-verdict'), page.get_by_text('The answer was here: passage 3.')
    expect(said).to_have_text('You allow 1 miss in 10. Reads 5 passages. Found.')
    for key, lost in (('Home', True), ('End', False)):
        slide(page, key, 1)
        expect(ghost).to_be_visible(visible=lost)
        expect(said).to_contain_text('Missed: one of the ' if lost else 'Found.')


def test_a_group_is_named(site, views, page):
    opened(page, f'{site}/group.html')
    group = f"the group 'brand{HOSTILE}'"
    heading = page.get_by_role('heading', name='Calibration scores')
    expect(heading).to_have_text(f'Calibration scores of {group}')
    for said in (
        f'of questions of {group}, as was said, a chunk that answers',
        f'score of each of {views[0].n} calibration questions of {group}: ',
    ):
        expect(page.locator('.cfx')).to_contain_text(said)
    _shows(page, views[0], 0.2)
    assert page.evaluate('window.hacked') is None
    assert page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    page.goto(f'{site}/page.html')
    assert page.locator('.cfx').text_content().count('the group') == 0 and page.errors == []


@pytest.mark.parametrize('name', ['hybrid', 'rank', 'lost'])
def test_it_slides_over_any_score(site, others, page, name):
    page.goto(f'{site}/{name}.html')
    view, chart = others[name], page.locator('.cfx-strip')
    for alpha in (0.2, 0.5, 0.1, 0.02, 0.001):
        page.get_by_label('alpha, as a number').fill(f'{alpha:g}')
        _shows(page, view, alpha)
        within = int((view.scores <= view.threshold(alpha)[1]).sum())
        beyond = view.n - within if np.isfinite(view.threshold(alpha)[1]) else 0
        assert chart.get_attribute('aria-label').endswith(f' Scores beyond qhat: {beyond}.')
    expect(chart).to_contain_text('first' if name == 'rank' else 'fits best')
    expect(chart.locator('.cfx-dot, .cfx-tower')).to_have_count(1 if view.n > 150 else view.n)
    assert page.errors == []


def test_shares_stand_beside_their_logarithms(site, others, page):
    opened(page, f'{site}/hybrid.html')
    page.get_by_label('alpha, as a number').fill('.1')
    qhat = others['hybrid'].at(0.1)['qhat']
    share = f'{float(f"{100 * np.exp(-qhat):.2g}"):g}%'
    expect(page.locator('.cfx-summary')).to_contain_text(f'qhat = {qhat:.2f}, share {share} (k = ')
    expect(page.locator('.cfx-num').first).to_have_text('0.00  best chunk  p 1.00')
    expect(page.get_by_text('best first, with score and p-value')).to_be_visible()
    expect(page.get_by_text('A score of 0 means that the best chunk answers.')).to_be_visible()
    page.locator('.cfx-chunk summary').first.click()
    distance = others['hybrid'].chunks[0]['distance']
    expect(page.locator('.cfx-id').first).to_contain_text(f'distance {distance:.2f}')
    opened(page, f'{site}/rank.html')
    page.get_by_label('alpha, as a number').fill('.1')
    qhat = f'qhat = {others["rank"].at(0.1)["qhat"]:.0f} (k = '
    expect(page.locator('.cfx-summary')).to_contain_text(qhat)
    expect(page.get_by_text('nearest first, with rank and p-value')).to_be_visible()


def test_what_a_pool_cannot_see_is_said(site, others, page):
    opened(page, f'{site}/lost.html')
    page.get_by_label('alpha, as a number').fill('.001')
    said = 'Reads the whole pool: 3 passages. Missed: what answers is not in the pool.'
    expect(page.locator('.cfx-verdict')).to_contain_text(said)
    covered = 'Every question that a chunk in the pool answers is covered; the others are not.'
    for said in (covered, 'how many there are is not known'):
        expect(page.get_by_text(said)).to_be_visible()
    expect(page.get_by_text('Everything is retrieved, so')).to_have_count(0)
    expect(page.locator('.cfx tbody tr').first).to_contain_text('✗ not in the pool')
    assert page.locator('.cfx-band').count() == 0


def test_every_row_reads_the_ranking_that_is_shown(site, others, page):
    opened(page, f'{site}/rank.html')
    rows = page.locator('.cfx tbody tr')
    expect(rows.nth(1).get_by_role('button')).to_have_text('✓ yes, rank 3')
    page.goto(f'{site}/hybrid.html')
    page.get_by_label('alpha, as a number').fill('.001')
    view = others['hybrid']
    rank = view.answer_ranks[0]
    found_by = (view.at(0.001), view.top(view.calibrated_k(0.001)), view.top(3))
    for row, found in enumerate(found_by):
        said = f'✓ yes, rank {rank}' if found['answered'] else '✗ no'
        expect(rows.nth(row)).to_contain_text(said)
        expect(rows.nth(row).locator('td').nth(1)).to_have_text(f'{found["tokens"]:,}')
    expect(rows.nth(1)).to_contain_text('calibrated k = ')
    expect(rows.nth(1)).to_contain_text('≥ 99.9%')
    expect(rows.nth(2)).to_contain_text('top-3')
    expect(rows.nth(2)).to_contain_text('none')


def test_another_question_of_a_saved_page(site, views, page):
    "By keyboard; what was answered belongs to its question."
    page.goto(f'{site}/several.html')
    choice, best = page.get_by_label('Question'), page.locator('.cfx-chunk .cfx-text').first
    text = page.locator('.cfx-words')
    held = [views[0].chunks[0], views[0].chunks[::-1][0], views[1].chunks[0]]
    expect(page.locator('.cfx-question')).to_contain_text('the slider and 3 questions work')
    expect(text).to_have_text('Yes.')
    expect(page.locator('.cfx-reply')).to_contain_text('A model reads 70 tokens.')
    choice.focus()
    for i, view in ((1, turned(views[0])), (2, views[1]), (0, views[0])):
        page.keyboard.press('ArrowDown' if i else 'Home')
        expect(choice).to_have_value(str(i))
        _shows(page, view, 0.2)
        assert best.text_content() == held[i]['text']
        expect(text).to_be_visible(visible=i == 0)
    slide(page, 'ArrowLeft', 10)
    choice.select_option('2')
    _shows(page, views[1], 0.285)  # alpha stays
    assert page.evaluate('window.hacked') is None and page.errors == [] and page.away == []


def test_every_host_is_drawn_once(views, publish, page):
    "The same explorer twice, each with its script, after one whose state cannot be read and one of another name."
    whole = views[0].html(alpha=0.2)
    broken = '<div data-cfx="explorer"><div>a table</div><script type="application/json">{</script></div>'
    other = '<div data-cfx="none"><div>another</div></div>'
    many = publish(dict(many=broken + other + whole + views[1].html(alpha=0.3)))
    page.goto(f'{many}/many.html')
    expect(page.locator('.cfx')).to_have_count(2)
    expect(page.locator('[data-cfx=none]')).to_have_text('another')
    again = "async js => { await import(URL.createObjectURL(new Blob([js], { type: 'text/javascript' }))) }"
    page.evaluate(again, asset('explorer', 'js'))
    expect(page.locator('.cfx')).to_have_count(2)
    alphas = [c.get_attribute('data-alpha') for c in page.locator('.cfx-chunks').all()]
    assert alphas == ['0.2', '0.3']
    assert len(page.errors) == 1 and 'JSON' in page.errors[0]


def test_too_few_questions_are_said(site, views, page):
    page.goto(f'{site}/few.html')
    slide(page, 'End', 1)
    _shows(page, views[1], 0.05)
    expect(page.locator('.cfx-verdict')).to_contain_text('Reads everything: 13 passages.')
    few = '13 questions are too few for alpha = 0.05; at least 19 are needed.'
    expect(page.get_by_text(few)).to_be_visible()
    page.get_by_label('alpha, as a number').fill('.1')
    nothing = 'For 1 of 13 questions, no chunk that answers was found.'
    expect(page.get_by_text(nothing)).to_be_visible()
    assert page.errors == []


def _marks(page, kb, cal, view, alpha):
    "What is marked in the chunks that are shown is what the quoter lists there."
    found = Quoter(kb, cal, alpha).quote(view.query).listed
    shown = {chunk['id'] for chunk in view.chunks[: view.at(alpha)['chunks']]}
    here = [quote.text for quote in found if quote.chunk.id in shown]
    marks = page.locator('.cfx-chunk:visible mark')
    expect(marks).to_have_count(len(here))
    assert sorted(marks.all_text_contents()) == sorted(here)
    own = ', with a promise of their own'
    said = f'marked: sentences that may answer; {len(found)} listed{own}, {len(here)} of them in'
    expect(page.locator('.cfx')).to_contain_text(f'{said} the chunks shown')
    return len(here), len(found)


def test_listed_sentences_are_marked(site, kb, quoted, page):
    "By keyboard, beside emoji, for every question of the page; texts stay texts."
    cal, views = quoted
    page.goto(f'{site}/quoted.html')
    seen = {_marks(page, kb, cal, views[0], 0.2)}
    for alpha, key, times in ((0.16, 'ArrowRight', 5), (0.005, 'End', 1), (0.5, 'Home', 1)):
        slide(page, key, times)
        seen.add(_marks(page, kb, cal, views[0], alpha))
    assert len(seen) > 2 and any(here < all for here, all in seen)
    slide(page, 'End', 1)
    choice = page.get_by_label('Question', exact=True)
    choice.focus()
    for i in (1, 2):
        page.keyboard.press('ArrowDown')
        expect(choice).to_have_value(str(i))
        here, _ = _marks(page, kb, cal, views[i], 0.005)
        assert here > 3
    texts = page.locator('.cfx-chunk:visible .cfx-text').all_text_contents()
    assert texts == [chunk['text'] for chunk in views[2].chunks[: len(texts)]]
    assert any('\U0001f48a' in text for text in page.locator('mark').all_text_contents())
    stays_text(page)


def test_marks_without_a_promise_and_pages_without_marks(site, page):
    opened(page, f'{site}/bare.html')
    for said in ('of them in the chunks shown', 'These thresholds promise nothing.'):
        expect(page.get_by_text(said)).to_be_visible()
    slide(page, 'ArrowRight', 1)
    for word in ('promise of their own', 'guarantee', 'For at least', 'Coverage', '≥ '):
        expect(page.locator('.cfx').get_by_text(word)).to_have_count(0)
    page.goto(f'{site}/page.html')
    expect(page.locator('.cfx-chunks')).to_be_visible()
    assert page.locator('mark:visible').count() == 0 and page.errors == []


@pytest.mark.parametrize('dark', [False, True])
def test_marks_are_seen_in_both_themes_and_on_a_phone(site, page, dark):
    page.emulate_media(color_scheme='dark' if dark else 'light')
    as_page(page, 'style="color-scheme: light dark"', 'quoted')
    page.goto(f'{site}/quoted.html')
    ratio, _ = contrast(page, '.cfx-chunk mark', '.cfx-chunk mark')
    assert ratio >= 4.5
    for width in resized(page, 400):
        fits(page, width)
        mark = page.locator('.cfx-chunk:visible mark').last
        mark.scroll_into_view_if_needed()
        expect(mark).to_be_in_viewport()  # not cut off with the end of its text


PAGES = ['page', 'few', 'hybrid', 'rank', 'lost', 'quoted']


@pytest.mark.parametrize('name', PAGES)
def test_no_sideways_scrolling(site, page, name):
    page.goto(f'{site}/{name}.html')
    for width in resized(page, 1400, 700, 400):
        fits(page, width, keys=('Home',))


@pytest.mark.parametrize('scheme, page_is, dark', THEMES)
def test_light_and_dark_as_the_page(site, page, scheme, page_is, dark):
    page.emulate_media(color_scheme=scheme)
    as_page(page, page_is)
    page.goto(f'{site}/page.html')
    readable(page, dark, '.cfx-allowed, .cfx-hint, .cfx-where, .cfx-num, .cfx-yes, .cfx-price')


CELLS = [
    """import time
from conflare_nb.retrieval.calibration import calibrate
from conflare_nb.retrieval.retriever import ConformalRetriever
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.question import Question
from conflare_nb.show.alpha import AlphaExplorer
from conflare_nb.documents.hybrid import Hybrid
kb = KnowledgeBase.create('kb', sample_documents()[:8], progress=False)
questions = [q for q in sample_questions() if q.document in kb.documents()]
cal = calibrate(kb, questions[:80], progress=False, score=Hybrid())
def answer(query, found):
    for word in ('It says: ' + found.rows()[0]['text']).split()[:40]:
        time.sleep(.1)
        yield word + ' '
w = AlphaExplorer(ConformalRetriever(kb, cal), questions[-1], questions=questions[-5:], alpha=.2, answer=answer)
retrieve = lambda: ConformalRetriever(kb, cal, w.alpha).retrieve(w.query)""",
    'w',
]


@pytest.fixture(scope='module')
def notebook(run_cells):
    page = run_cells(CELLS)
    page.wait_for_selector('.cfx-chunks')
    return page


_alpha = lambda page: float(page.locator('.cfx-chunks').get_attribute('data-alpha'))


def _agrees(page):
    "The page shows what the kernel's own retriever finds; the kernel knows the page's alpha."
    found = "(lambda r: [len(r), r.tokens, f'{r.qhat:.4f}', w.alpha])(retrieve())"
    n, tokens, qhat, alpha = kernel(page, found)
    chunks = page.locator('.cfx-chunks')
    for name, value in dict(alpha=f'{alpha:g}', n=n, tokens=tokens, qhat=qhat).items():
        expect(chunks).to_have_attribute(f'data-{name}', str(value))
    expect(page.locator('.cfx-chunk:visible')).to_have_count(n)
    return n


def test_lab_slides_by_keyboard(notebook):
    page = notebook
    n = _agrees(page)
    cell = page.evaluate('window.jupyterapp.shell.currentWidget.content.activeCellIndex')
    slide(page, 'ArrowRight', 10)
    eventually(page, 'w.alpha', _alpha(page))
    assert _agrees(page) > n
    slide(page, 'ArrowDown', 4)
    slide(page, 'ArrowUp', 2)  # Lab's own keys for moving between cells
    eventually(page, 'w.alpha', _alpha(page))
    assert page.evaluate('window.jupyterapp.shell.currentWidget.content.activeCellIndex') == cell
    first = page.locator('.cfx-chunk').first  # Enter would open the cell for editing
    first.locator('summary').focus()
    page.keyboard.press('Enter')
    expect(first.locator('.cfx-id')).to_be_visible()
    assert page.evaluate('window.jupyterapp.shell.currentWidget.content.mode') == 'command'
    assert page.errors == []


def test_lab_follows_thekernel(notebook):
    page = notebook
    kernel(page, '1', 'w.alpha = .3')
    expect(page.locator('.cfx-chunks')).to_have_attribute('data-alpha', '0.3')
    expect(page.get_by_label('alpha, as a number')).to_have_value('0.3')
    _agrees(page)
    kernel(page, '1', 'w.query = questions[0].text')
    expect(page.locator('.cfx textarea')).to_have_value(kernel(page, 'questions[0].text'))
    _agrees(page)
    # a search that fails says so, and what was shown stays
    kernel(page, '1', "try: w.query = ' '\nexcept ValueError: pass")
    error = "The search failed: a question needs words; got ' '"
    expect(page.locator('.cfx-error').first).to_have_text(error)
    expect(page.locator('.cfx')).to_have_attribute('aria-busy', 'false')
    _agrees(page)
    kernel(page, '1', 'w.query = questions[1].text')
    expect(page.locator('.cfx-error').first).to_be_hidden()
    assert page.errors == []


def test_lab_searches_a_typed_question(notebook):
    page = notebook
    box, first = page.locator('.cfx textarea'), page.locator('.cfx-chunk .cfx-where').first
    before, unknown = first.text_content(), page.locator('.cfx tbody td', has_text='unknown')
    box.fill('Do these blood thinner capsules go in a pill organiser?')
    box.press('Enter')
    expect(page.locator('.cfx')).to_have_attribute('aria-busy', 'false')
    expect(first).not_to_have_text(before)
    assert kernel(page, 'w.query') == 'Do these blood thinner capsules go in a pill organiser?'
    _agrees(page)
    expect(unknown).to_have_count(3)  # nobody has said what answers it
    page.locator('.cfx-dot').last.hover()
    expect(page.locator('.cfx-tip')).not_to_be_empty()
    page.locator('.cfx-dot').last.click()
    eventually(page, 'w.query == max(cal.labels, key=lambda label: label.score).text', True)
    page.get_by_label('Examples').select_option(index=2)
    expect(box).to_have_value(kernel(page, 'questions[-4].text'))
    expect(unknown).to_have_count(0)
    assert kernel(page, 'w.query == questions[-4].text')
    _agrees(page)
    assert page.errors == []


def test_lab_answers_while_the_slider_moves(notebook):
    page = notebook
    kernel(page, '1', 'w.alpha = .2')
    expect(page.locator('.cfx-chunks')).to_have_attribute('data-alpha', '0.2')
    page.get_by_role('button', name='Write').click()
    text = page.locator('.cfx-words')
    expect(text).to_contain_text('It says')
    slide(page, 'ArrowRight', 1)  # while it is written
    assert _alpha(page) < 0.2
    expect(page.get_by_role('button', name='Stop')).to_be_visible()
    expect(page.get_by_role('button', name='Write')).to_be_visible()
    assert text.text_content() == kernel(page, 'w.reply["text"]')
    assert len(text.text_content().split()) > 20
    expect(page.locator('.cfx-reply')).to_contain_text('at alpha = 0.2, from')
    eventually(page, 'w.alpha', _alpha(page))
    page.get_by_role('button', name='Write').click()  # and stopped
    page.get_by_role('button', name='Stop').click()
    expect(page.get_by_role('button', name='Write')).to_be_visible()
    assert len(text.text_content().split()) < 20
    assert page.errors == []


@pytest.mark.parametrize('width', [1400, 900, 800])
def test_lab_in_a_narrow_window(notebook, width):
    page = notebook
    page.set_viewport_size({'width': width, 'height': 1000})
    page.wait_for_timeout(500)
    assert cut_off(page) == []


def test_lab_in_the_dark(notebook):
    page = notebook
    theme = "'apputils:change-theme', { theme: 'JupyterLab Dark' }"
    page.evaluate(f'window.jupyterapp.commands.execute({theme})')
    page.wait_for_selector('body[data-jp-theme-light="false"]', state='attached')
    page.wait_for_timeout(500)
    readable(page, True, '.cfx-allowed, .cfx-hint, .cfx-where, .cfx-num')
    assert page.errors == []
