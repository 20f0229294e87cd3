"A notebook in a real JupyterLab: its figures, and its widget in step with the kernel."

import pytest
from web import eventually, kernel

expect = pytest.importorskip('playwright.sync_api').expect


@pytest.fixture
def ran(lab, page):
    "Run a notebook; nothing in it warns, and nothing goes wrong in the page."

    def run(notebook):
        lab.run(page, notebook)
        assert page.locator('.jp-OutputArea-output img').count() > 0
        stderr = '[data-mime-type="application/vnd.jupyter.stderr"]'
        assert page.locator(f'.jp-RenderedText{stderr}').count() == 0

    yield run
    assert page.errors == [] and page.away == []


def test_the_lottery_runs(ran, page):
    ran('show/lottery.ipynb')
    lottery = page.get_by_role('group', name='Coverage lottery')
    words = page.locator('.jp-MarkdownCell').count()
    lottery.get_by_role('button', name='Draw 10', exact=True).click()
    page.keyboard.press('3')
    page.keyboard.press('1')  # not JupyterLab's keys for headings
    expect(lottery).to_have_attribute('data-draws', '211')
    eventually(page, 'w.draws', 211)
    mean = float(lottery.get_attribute('data-mean'))
    assert abs(kernel(page, 'w.shown.coverage.mean()') - mean) < 2e-6
    kernel(page, '1', 'w.n = 120')
    expect(lottery).to_have_attribute('data-n', '120')
    assert page.locator('.jp-MarkdownCell').count() == words


def test_the_planner_runs(ran, page):
    ran('show/planner.ipynb')
    planner = page.get_by_role('group', name='Sample-size planner').first  # shown twice
    kernel(page, '1', "p.guarantee = 'threshold'; p.alpha = .1; p.two_sided = True")
    expect(planner).to_have_attribute('data-n', str(kernel(page, 'p.shown.n')))
    planner.get_by_label('confidence').select_option(label='80%')
    eventually(page, 'p.delta', 0.2)
    expect(planner).to_have_attribute('data-n', str(kernel(page, 'p.shown.n')))


def test_a_lesson_keeps_what_explains_a_prediction_closed(lab, page):
    lab.run(page, 'tutorials/nano.ipynb')
    notice = page.locator('.jp-RenderedMarkdown details').first
    notice.scroll_into_view_if_needed()
    answer = notice.get_by_text('It is 89.0%')
    expect(answer).to_be_hidden()
    notice.get_by_text('What to notice').click()
    expect(answer).to_be_visible()


def test_the_first_lesson_begins_with_its_slider(lab, page):
    "Slide too far, and the chunk that answers is gone; folded is only what a box asks for first."
    lab.run(page, 'tutorials/slide-alpha.ipynb')
    folded = page.locator('.jp-RenderedMarkdown details summary').all_inner_texts()
    assert set(folded) == {'What to notice'} and len(folded) <= page.locator('.cfx form').count()
    assert page.locator('.jp-OutputArea-output img').count() == 3
    chunks = page.locator('.cfx-chunks').first
    chunks.scroll_into_view_if_needed()
    for alpha, n in {0.2: 3, 0.25: 2, 0.1: 17}.items():
        kernel(page, '1', f'explorer.alpha = {alpha}')
        expect(chunks).to_have_attribute('data-n', str(n))
        assert (kernel(page, 'explorer.shown.at(explorer.alpha)["chunks"]'), n) == (n, n)
    asked = page.locator('.cfx-chunk:visible', has_text='answers')
    expect(asked.first).to_be_visible()
    ours = [e for e in page.errors if '/images/open-' not in e]  # the links' pictures stay behind
    assert ours == [] and page.away == []
