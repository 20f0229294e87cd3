"Words that light up, in a real browser, on a page without a kernel, and in JupyterLab."

import pytest
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.show.matches import match_view
from web import cut_off, eventually, kernel, resized, stays_text, write_notebook

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '</script><img src=x onerror="window.hacked=1"> and a <b>bold</b> claim'


@pytest.fixture(scope='module')
def view(tmp_path_factory):
    text = f'Keep insulin \U0001f48a in the fridge. {HOSTILE} An open pen lasts four weeks.'
    documents = [Document('pen.md', 'Pen', (Section('Storage', text),))]
    kb = KnowledgeBase.create(tmp_path_factory.mktemp('kb'), documents, progress=False)
    return match_view(kb, f'How many weeks does the \U0001f48a pen keep? {HOSTILE}')


@pytest.fixture(scope='module')
def site(view, publish):
    return publish(dict(page=view.html(word=0)))


def _shows(page, view, word):
    best = view.best[word]
    words, found = view.asked[1::2], view.passage[1::2]
    lit = page.locator('.cfx-passage [data-cosine]')
    expect(lit).to_have_count(1)
    expect(lit).to_have_text(found[best])
    expect(lit).to_have_attribute('data-cosine', f'{view.cosines[word, best]:.2f}')
    expect(page.locator('.cfx-word[aria-pressed=true]')).to_have_text(words[word])
    summary = page.locator('.cfx-summary')
    expect(summary).to_contain_text(f'“{words[word]}” counts ')
    expect(summary).to_contain_text(f'“{found[best]}”, cosine {view.cosines[word, best]:.2f}.')
    shades = page.locator('.cfx-passage span').evaluate_all(
        "x => x.map(e => parseFloat(e.style.getPropertyValue('--shade')))"
    )
    assert len(shades) == len(found) and shades[best] == max(shades)


def test_words_light_up_by_keyboard(site, view, page):
    page.goto(f'{site}/page.html')
    _shows(page, view, 0)
    page.keyboard.press('Tab')
    expect(page.get_by_label('word by word')).to_be_focused()
    page.keyboard.press('Tab')
    expect(page.locator('.cfx-word').first).to_be_focused()
    last = len(view.weights) - 1
    keys = [('ArrowRight', 1), ('ArrowDown', 2), ('ArrowLeft', 1), ('End', last)]
    for key, word in [*keys, ('ArrowRight', last), ('ArrowUp', last - 1), ('Home', 0)]:
        page.keyboard.press(key)
        _shows(page, view, word)
    page.locator('.cfx-word').nth(2).hover()
    _shows(page, view, 2)
    leads = ''.join(page.locator('.cfx-led').all_text_contents())
    lead = int(view.sentences.argmax())
    assert leads == ''.join(word for word, place in zip(view.passage[1::2], view.places) if place == lead)
    assert page.away == []
    stays_text(page)


def test_one_vector_each_is_one_number(site, view, page):
    page.goto(f'{site}/page.html')
    page.get_by_label('word by word').focus()
    page.keyboard.press('ArrowLeft')
    expect(page.get_by_label('one mean vector each')).to_be_checked()
    said = f'One mean vector each: cosine {view.similarity:.2f}.'
    expect(page.locator('.cfx-summary')).to_contain_text(said)
    assert page.locator('[data-cosine], .cfx-word:enabled').count() == 0
    shades = "x => x.every(e => e.style.getPropertyValue('--shade') === '0%')"
    assert page.locator('.cfx-passage span').evaluate_all(shades)
    expect(page.get_by_text('MX')).to_be_hidden()
    page.keyboard.press('ArrowRight')
    _shows(page, view, 0)
    expect(page.get_by_text(f'MX {view.match:.2f}')).to_be_visible()


def test_texts_are_whole_and_nothing_runs(site, view, page):
    page.goto(f'{site}/page.html')
    assert page.locator('.cfx-asked').text_content() == ''.join(view.asked)
    assert page.locator('.cfx-passage').text_content() == ''.join(view.passage)
    assert HOSTILE in ''.join(view.passage)
    stays_text(page)


def test_no_sideways_scrolling(site, view, page):
    page.goto(f'{site}/page.html')
    for width in resized(page, 1400, 700, 400):
        for i in range(len(view.weights)):
            page.locator('.cfx-word').nth(i).focus()
            assert page.evaluate('document.documentElement.scrollWidth') <= width
        assert cut_off(page) == []


CODE = """
import tempfile
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.show.matches import WordMatches
home = tempfile.TemporaryDirectory()
pen = Document('pen.md', 'Pen', (Section('Storage', 'Keep it in the fridge. It lasts four weeks.'),))
kb = KnowledgeBase.create(home.name, [pen], progress=False)
w = WordMatches(kb, 'How many weeks does it keep?')
w.word = 0
w
"""


@pytest.mark.slow
def test_in_jupyterlab(lab, page, tmp_path):
    lab.run(page, write_notebook(tmp_path / 'matches.ipynb', [CODE]))
    page.locator('.cfx-word').first.focus()
    page.keyboard.press('ArrowRight')
    page.keyboard.press('ArrowRight')
    eventually(page, 'w.word', 2)
    page.get_by_label('one mean vector each').check()
    eventually(page, 'w.mean', True)
    kernel(page, '1', 'w.mean = False; w.word = 4')
    expect(page.locator('.cfx-word[aria-pressed=true]')).to_have_text('it')
    assert page.errors == []
