"Judging and writing in JupyterLab, by the keyboard of a real browser."

import pytest
from web import cut_off, kernel

expect = pytest.importorskip('playwright.sync_api').expect
MODE = 'window.jupyterapp.shell.currentWidget.content.mode'
CELLS = [
    """from conflare_nb.documents.reading import Document, Section
from conflare_nb.labels.labeling import verdict_rows
from conflare_nb.labels.people import JudgingSession, WritingSession
from conflare_nb.labels.question_store import kept_questions
from conflare_nb.labels.question import Question
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.show.desk import JudgingWidget, WritingWidget
hostile = '</script><img src=x onerror="window.hacked=1"><b>bold</b>'
docs = [Document(f'd{i}.md', f'Leaflet {i}', (Section('Storage', f'Keep tablet number {i} in a dry place. '*3),)) for i in range(5)]
docs.append(Document('evil.md', hostile, (Section(hostile, f'Where is the tablet kept? {hostile}', 7),)))
kb = KnowledgeBase.create('kb', docs, progress=False)
questions = [Question('a', f'Where is the tablet kept? {hostile}', hostile), Question('b', 'Where do I keep tablet number 3?', 'a dry place'), Question('c', 'Is tablet number 4 kept dry?')]
rows = lambda: [[r['question'], r['chunk'], r['answers']] for r in verdict_rows(kb).read()]
session, writing = JudgingSession(kb, questions, 'Ann', depth=3), WritingSession(kb, n=3)""",
    'JudgingWidget(session)',
    'WritingWidget(writing)',
]


@pytest.fixture(scope='module')
def notebook(run_cells):
    page = run_cells(CELLS)
    page.get_by_role('group', name='Judging').wait_for()
    page.get_by_role('group', name='Writing questions').wait_for()
    return page


def _press(page, key):
    page.keyboard.press(key)
    expect(page.locator('.cfx-desk').first).to_have_attribute('aria-busy', 'false')


def test_it_judges_by_keys(notebook):
    page = notebook
    desk = page.get_by_role('group', name='Judging')
    question, place = desk.locator('.cfx-asked'), desk.locator('article .cfx-hint')
    listed, done = desk.locator('.cfx-list li'), desk.get_by_text('questions judged')
    first = kernel(page, 'session.view().chunk["text"]')
    expect(desk.locator('article .cfx-passage')).to_have_text(first)
    question.click()
    _press(page, 'n')
    expect(place).to_have_text('chunk 2 of at most 3, best first')
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text('✗ no')
    expect(done).to_have_text('0 of 3 questions judged')
    assert kernel(page, 'rows()') == [['a', 'evil.md#0000', False]]
    _press(page, 'u')
    expect(place).to_have_text('chunk 1 of at most 3, best first')
    assert kernel(page, 'rows()') == []
    _press(page, 'y')
    expect(question).to_have_text('Where do I keep tablet number 3?')
    expect(done).to_have_text('1 of 3 questions judged')
    assert kernel(page, 'rows()') == [['a', 'evil.md#0000', True]]
    assert page.evaluate(MODE) == 'command' and page.errors == []


def test_buttons_do_what_the_keys_do(notebook):
    page = notebook
    _press(page, 'u')
    desk = page.get_by_role('group', name='Judging')
    question = desk.locator('.cfx-asked')
    desk.get_by_role('button', name='Later').click()
    expect(desk.get_by_text('1 put off')).to_have_text('0 of 3 questions judged, 1 put off')
    expect(question).to_have_text('Where do I keep tablet number 3?')
    desk.get_by_role('button', name='No').click()
    expect(desk.locator('.cfx-list li')).to_have_count(1)
    summary = desk.locator('.cfx-list summary')
    summary.focus()
    page.keyboard.press('Enter')  # what was judged can be read again
    expect(desk.locator('.cfx-list .cfx-passage')).to_be_visible()
    assert page.evaluate(MODE) == 'command'
    _press(page, 'y')  # and the keys go on from there
    expect(question).to_have_text('Is tablet number 4 kept dry?')
    assert page.evaluate("document.activeElement.matches('.cfx-desk')")
    for key in 'nnn':
        _press(page, key)
    expect(desk.get_by_text('questions judged')).to_have_text('2 of 3 questions judged, 1 put off')
    expect(desk.get_by_role('button', name='Later')).to_have_attribute('aria-disabled', 'true')
    _press(page, 'l')
    _press(page, 'y')
    expect(question).to_have_text(
        'All 3 questions are judged: a chunk answers 2 of them; for 1, none of the best 3 does.'
    )
    expect(desk.locator('article')).to_be_hidden()
    n = kernel(page, 'len(rows())')
    _press(page, 'y')
    _press(page, 'n')  # nothing is asked any more
    assert kernel(page, 'len(rows())') == n == 6
    assert page.errors == []


def test_a_question_is_written(notebook):
    page = notebook
    desk = page.get_by_role('group', name='Writing questions')
    question, answer = desk.get_by_label('Question', exact=True), desk.get_by_label('Short answer')
    text = desk.get_by_role('region', name='Document')
    desk.get_by_role('button', name='Keep').click()
    expect(desk.get_by_role('alert')).to_have_text("A question needs words; got ''")
    expect(text).to_have_text(kernel(page, 'writing.view().text'))
    question.fill('Must it be dry?')
    question.press('Enter')
    answer.press_sequentially('a dry place, yes and no')  # y and n are letters here
    text.evaluate("""e => { const r = document.createRange(), at = e.textContent.indexOf('tablet');
        r.setStart(e.firstChild, at); r.setEnd(e.firstChild, at + 6); getSelection().removeAllRanges(); getSelection().addRange(r) }""")
    desk.get_by_role('button', name='Mark selected words').click()
    expect(desk.locator('mark')).to_have_text('tablet')
    answer.press('Enter')
    expect(desk.get_by_text('questions written')).to_have_text('1 of 3 questions written')
    expect(desk.get_by_text('Kept.')).to_contain_text('the whole section counts')
    expect(question).to_have_value('')
    expect(question).to_be_focused()
    expect(desk.locator('mark')).to_have_count(0)
    kept = "[[q.text, q.answer, len(q.sections), q.chunk[-5:]] for q in kept_questions(kb, 'person')]"
    assert kernel(page, kept) == [['Must it be dry?', 'a dry place, yes and no', 1, '#0000']]
    question.fill('must it be DRY')
    desk.get_by_role('button', name='Keep').click()
    again = "This question exists already: 'Must it be dry?'"
    expect(desk.get_by_role('alert')).to_have_text(again)
    expect(question).to_have_value('must it be DRY')  # nothing typed is lost
    desk.get_by_role('button', name='Undo the last one').click()
    expect(question).to_have_value('Must it be dry?')
    expect(answer).to_have_value('a dry place, yes and no')
    assert kernel(page, "len(kept_questions(kb))") == 0
    assert page.errors == []


@pytest.mark.parametrize('width', [1400, 800])
def test_no_part_is_cut_off(notebook, width):
    page = notebook
    page.set_viewport_size({'width': width, 'height': 1000})
    page.wait_for_timeout(500)
    assert cut_off(page, '.cfx-desk') == []
