"Exercises in a real browser: on a page without a kernel, without scripts, and in JupyterLab."

import pytest
from playwright.sync_api import expect
from conflare_nb.show.exercise import Exercise
from web import contrast, eventually, write_notebook

HELP = dict(hint='Count them all.', solution='`ceil(100 * 0.9)` = 90')
RANK = Exercise('Which `rank`?', 90, replies={89: 'Close: count the new question.'}, **HELP)
ALL = 'To all of them, on average over many calibration sets and many questions.'
ONE = dict(choices=['to one', 'to all'], replies={'to one': 'Think of what is random.'})
WHICH = Exercise('To whom does it apply?', 'to all', **ONE, solution=ALL)


@pytest.fixture(scope='module')
def site(publish):
    return publish(dict(page=RANK.to_html() + WHICH.to_html()))


def said(page, i=0):
    return page.get_by_role('status').nth(i)


def test_a_number_by_keyboard(site, page):
    page.goto(f'{site}/page.html')
    field = page.get_by_label('Which rank?')
    field.focus()
    for typed, reply, wrong in (
        ('ninety', 'Type one number', 'true'),
        ('89', 'Close: count the new question.', 'true'),
        ('90,0', 'Right.', 'false'),
        ('9000%', 'Right.', 'false'),
        ('70', 'Not yet: it is more.', 'true'),
    ):
        field.fill(typed)
        page.keyboard.press('Enter')
        expect(said(page)).to_contain_text(reply)
        expect(field).to_have_attribute('aria-invalid', wrong)
    expect(said(page)).to_have_text('Not yet: it is more.')
    field.fill('1')
    page.keyboard.press('Enter')
    # the third that is wrong; what is no number does not count
    expect(said(page)).to_have_text('Not yet: it is more. The hint may help.')
    expect(page.get_by_text('Count them all.')).to_be_hidden()
    assert page.url.endswith('page.html') and page.errors == [] and page.away == []


def test_the_solution_is_where_the_focus_goes(site, page):
    page.goto(f'{site}/page.html')
    page.get_by_label('Which rank?').focus()
    for _ in range(3):
        page.keyboard.press('Tab')
    page.keyboard.press('Enter')
    focused = page.locator('*:focus')
    expect(focused).to_have_text('ceil(100 * 0.9) = 90')
    expect(focused.locator('code')).to_have_text('ceil(100 * 0.9)')


def test_a_choice_by_keyboard(site, page):
    page.goto(f'{site}/page.html')
    group = page.get_by_role('radiogroup', name='To whom does it apply?')
    page.get_by_role('button', name='Check').nth(1).click()
    expect(said(page, 1)).to_have_text('Choose one of: to one; to all.')
    page.get_by_label('to one').focus()
    page.keyboard.press('Space')
    page.keyboard.press('Enter')
    expect(said(page, 1)).to_have_text('Think of what is random.')
    expect(group).to_have_attribute('aria-invalid', 'true')
    page.keyboard.press('ArrowDown')
    page.keyboard.press('Enter')
    expect(said(page, 1)).to_have_text('Right.')
    expect(group).to_have_attribute('aria-invalid', 'false')
    expect(said(page)).to_have_text('')
    assert page.errors == []


def test_without_scripts(site, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f'{site}/page.html')
    expect(page.get_by_text('Which rank?')).to_be_visible()
    expect(page.get_by_role('listitem')).to_have_text(['to one', 'to all'])
    page.get_by_text('Worked solution').first.click()
    expect(page.get_by_text('ceil(100 * 0.9) = 90')).to_be_visible()
    expect(page.get_by_text('Count them all.')).to_be_hidden()
    context.close()


@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_it_reads_well(site, page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(f'{site}/page.html')
    page.get_by_label('Which rank?').fill('90')
    page.keyboard.press('Enter')
    page.get_by_text('Worked solution').nth(1).click()
    for selector in ('form > label', '.cfx-verdict', 'summary', '.cfx-words'):
        assert contrast(page, selector)[0] >= 4.5, selector
    for width in (1400, 400):
        page.set_viewport_size({'width': width, 'height': 1000})
        assert page.evaluate('document.documentElement.scrollWidth') <= width


def test_in_jupyterlab(lab, page, tmp_path):
    code = "from conflare_nb.show.exercise import Exercise\nmade = Exercise('How many?', 4)\nmade"
    lab.run(page, write_notebook(tmp_path / 'exercise.ipynb', [code]))
    page.get_by_label('How many?').fill('4,0')
    page.keyboard.press('Enter')
    expect(page.locator('.cfx-verdict')).to_have_text('Right.')
    eventually(page, 'made.given', '4,0')
    eventually(page, 'setattr(made, "given", "5") or made.given', '5')
    expect(page.get_by_label('How many?')).to_have_value('5')
    expect(page.locator('.cfx-verdict')).to_have_text('Not yet: it is less.')
