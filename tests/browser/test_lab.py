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
    lab.run(page, 'tutorials/one-picture.ipynb')
    notice = page.locator('.jp-RenderedMarkdown details').first
    notice.scroll_into_view_if_needed()
    answer = notice.locator('strong', has_text='17th')
    expect(answer).to_be_hidden()
    notice.get_by_text('What to notice').click()
    expect(answer).to_be_visible()
