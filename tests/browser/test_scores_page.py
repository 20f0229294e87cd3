"Scores beside each other in a real browser, on a page without a kernel, and in JupyterLab."

import pytest
from conflare_nb import Calibration, Distance, Document, Hybrid, KnowledgeBase, Rank, Softmax
from conflare_nb import calibrate, sample_documents, sample_questions
from conflare_nb.documents.reading import Section
from conflare_nb.show.scores import score_view
from conflare_nb.words import plural
from web import eventually, kernel, resized, slide, stays_text, write_notebook

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '</script><img src=x onerror="window.hacked=1"> and a <b>bold</b> claim'


@pytest.fixture(scope='module')
def kb(tmp_path_factory):
    folder = tmp_path_factory.mktemp('kb')
    return KnowledgeBase.create(folder, sample_documents()[:8], progress=False)


@pytest.fixture(scope='module')
def views(kb):
    "Four scores on the guide; and one on a document that would like to be markup, with too few questions."
    questions = [q for q in sample_questions() if q.document in kb.documents()]
    scores = (Hybrid(), Distance(), Rank(), Softmax())
    cals = [calibrate(kb, questions[::2], progress=False, score=s) for s in scores]
    evil = Document('evil.md', HOSTILE, (Section(HOSTILE, f'Take it with water. {HOSTILE}'),))
    small = KnowledgeBase.create(f'{kb.path}-evil', [evil], kb.embedder, progress=False)
    few = Calibration([0.2, 0.3], small.fingerprint())
    return dict(
        page=score_view(kb, cals, [*questions[1:6:2], 'When does the library open?'], most=4),
        few=score_view(small, {HOSTILE: few}, [f'With water? {HOSTILE}']),
    )


@pytest.fixture(scope='module')
def site(views, publish):
    return publish({name: view.html() for name, view in views.items()})


def _columns(page):
    return page.locator('.cfx-compared-scores > section').all()


def _shows(page, view, question, alpha):
    "The page shows exactly what the view says."
    columns = view.columns[view.questions[question]]
    for (name, seen), column, box in zip(view.at(question, alpha).items(), columns, _columns(page)):
        chunks = seen['chunks']
        expect(box).to_have_attribute('data-n', str(chunks))
        expect(box).to_have_attribute('data-tokens', str(seen['tokens']))
        expect(box.locator('.cfx-heading')).to_have_text(name)
        size = plural(chunks, 'chunk') + plural(seen['tokens'], 'token')
        expect(box.locator('.cfx-size')).to_have_text(size)
        expect(box.locator('li:visible')).to_have_count(min(chunks, len(column.chunks)))
        expect(box.locator('.cfx-answer .cfx-yes')).to_have_count(int(seen['answered'] is True))
        expect(box.locator('.cfx-answer .cfx-no')).to_have_count(int(seen['answered'] is False))
        paths = (box.locator(path).get_attribute('d') for path in ('.cfx-within', '.cfx-mark'))
        drawn = [path.count('M') for path in paths]
        right = [rank for rank in column.answer_ranks or () if rank <= chunks]
        assert drawn == [chunks - len(right), len(right)]
        listed = "x => x.map(e => e.classList.contains('cfx-answers'))"
        marked = box.locator('li:visible').evaluate_all(listed)
        assert marked == [rank in right for rank in range(1, len(marked) + 1)]
        rest = chunks - len(column.chunks)
        more = f'and {rest} more, counted but not listed' if rest > 0 else ''
        expect(box.locator(':scope > .cfx-hint').last).to_have_text(more)


def test_slider_and_question(site, views, page):
    page.goto(f'{site}/page.html')
    view = views['page']
    _shows(page, view, 0, 0.1)
    slide(page, 'ArrowLeft', 12)
    _shows(page, view, 0, 0.04)
    expect(page.locator('.cfx-summary')).to_contain_text('Chunks at alpha = 0.04: hybrid ')
    expect(
        page.get_by_text('chosen beforehand, not for ones picked because they look good here')
    ).to_be_visible()
    for question in (2, 3, 1):
        page.get_by_label('Question').select_option(str(question))
        _shows(page, view, question, 0.04)
    page.get_by_label('alpha, as a number').fill('.3')
    _shows(page, view, 1, 0.3)
    page.get_by_label('alpha, as a number').fill('2')
    expect(page.get_by_label('alpha, as a number')).to_have_attribute('aria-invalid', 'true')
    _shows(page, view, 1, 0.3)
    slide(page, 'Home', 1)
    _shows(page, view, 1, 0.01)
    assert page.errors == [] and page.away == []


def test_too_few_questions_and_hostile_texts(site, views, page):
    page.goto(f'{site}/few.html')
    _shows(page, views['few'], 0, 0.1)
    expect(page.locator('.cfx-saved')).to_have_text(f'With water? {HOSTILE}')
    few = 'No finite threshold, so everything is kept. 2 questions are too few for alpha = 0.1; at least 9'
    expect(page.locator('section > .cfx-hint').nth(1)).to_contain_text(few)
    slide(page, 'End', 1)
    _shows(page, views['few'], 0, 0.5)
    stays_text(page)


def test_columns_on_a_screen_and_rows_on_a_phone(site, page):
    page.goto(f'{site}/page.html')
    for width in resized(page, 1400, 800, 400):
        tops = [round(box.bounding_box()['y']) for box in _columns(page)]
        assert len(set(tops)) == (4 if width == 400 else 1)
        for key in ('Home', 'End'):
            slide(page, key, 1)
            assert page.evaluate('document.documentElement.scrollWidth') <= width


CODE = """
import tempfile
from conflare_nb.retrieval.calibration import calibrate
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.documents.score import Distance, Rank
from conflare_nb.show.scores import ScoreExplorer
home = tempfile.TemporaryDirectory()
kb = KnowledgeBase.create(home.name, sample_documents()[:3], progress=False)
qs = [q for q in sample_questions() if q.document in kb.documents()]
w = ScoreExplorer(kb, [calibrate(kb, qs[::2], progress=False, score=s) for s in (Distance(), Rank())], qs[1:6:2])
w
"""


@pytest.mark.slow
def test_in_jupyterlab(lab, page, tmp_path):
    lab.run(page, write_notebook(tmp_path / 'scores.ipynb', [CODE]))
    slide(page, 'ArrowRight', 2)
    eventually(page, 'w.alpha', 0.11)
    page.get_by_label('Question', exact=True).select_option('2')
    eventually(page, 'w.question', 2)
    kernel(page, '1', 'w.alpha = .3; w.question = 1')
    expect(page.locator('.cfx').first).to_have_attribute('data-alpha', '0.3')
    expect(page.get_by_label('Question', exact=True)).to_have_value('1')
    assert page.errors == []
