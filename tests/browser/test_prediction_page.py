"Predictions in a real browser, by keyboard: locked, kept, counted and taken along; and in JupyterLab."

import json
import pytest
from playwright.sync_api import expect
from conflare_nb import Prediction, YourCoverage, conformal_quantile
from conflare_nb.show.prediction import kept_predictions, predictions_file
from web import eventually, readable, write_notebook

TEN = [Prediction(f'Share `{i}`?', 85.1, unit='%', digits=1, said='So.') for i in range(10)]
STORE = 'conflare_nb predictions'


@pytest.fixture(scope='module')
def site(publish):
    body = ''.join(p.to_html() for p in (*TEN, YourCoverage()))
    fold = '<details class="reveal"><summary>Show what comes out</summary>It came out.</details>'
    folded = TEN[0].to_html() + fold + TEN[1].to_html() + '<h2>Next</h2>' + fold
    return publish(dict(page=body, one=TEN[0].to_html(), folded=folded))


def form(page, i=0):
    return page.get_by_role('group', name='Prediction').nth(i)


def said(page, i=0):
    return form(page, i).get_by_role('status')


def coverage(page):
    return page.get_by_role('group', name='Your coverage')


def lock(page, i, *numbers):
    "Type numbers into a form, and lock them, by keys alone."
    form(page, i).locator('input').first.focus()
    for number in numbers:
        page.keyboard.type(number)
        page.keyboard.press('Tab')
    page.keyboard.press('Enter')  # on the button


@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_lock_reveal_reload_and_count(site, page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.route('**/*', lambda route: route.fulfill(
        response=(got := route.fetch()), body=got.text().replace('<html>', f'<html style="color-scheme: {scheme}">')))  # fmt: skip
    page.goto(f'{site}/page.html')
    dark = scheme == 'dark'
    expect(coverage(page)).to_contain_text('No interval is locked yet')
    lock(page, 0, '9', '1')
    expect(said(page)).to_have_text('The second number must be larger than the first.')
    expect(form(page).get_by_label('from')).to_have_attribute('aria-invalid', 'true')
    assert '85.1' not in form(page).inner_text()
    form(page).get_by_label('from').fill(',8')
    form(page).get_by_label('to').fill('.9')
    expect(said(page)).to_have_text('You say: 80% to 90%.')
    readable(page, dark, 'legend, .cfx-hint, .cfx-verdict')
    page.keyboard.press('Enter')
    revealed = 'It is 85.1%. Your interval, 80% to 90%, covers it. So.'
    expect(said(page)).to_have_text(revealed)
    expect(said(page)).to_be_focused()
    expect(form(page).get_by_role('button')).to_be_hidden()
    form(page).get_by_label('to').focus()
    page.keyboard.type('99')
    page.keyboard.press('Enter')
    for i in range(1, 9):
        lock(page, i, '60', '65' if i < 8 else '95')
    expect(said(page, 3)).to_have_text('It is 85.1%. Your interval, 60% to 65%, misses it: too low. So.')
    page.reload()
    expect(said(page)).to_have_text(revealed)
    expect(form(page).get_by_label('to')).to_have_value('90')
    expect(said(page, 9)).to_have_text('')
    expect(coverage(page)).to_contain_text('2 of your 9 intervals held the number: 22%.')
    expect(coverage(page)).to_contain_text('place ⌈10 × .9⌉ = 9 of 9. Widen each interval at both')
    expect(coverage(page)).to_contain_text('by 4.02 of its own width, so that it is 9.04 times as wide')
    readable(page, dark, '.cfx-verdict, .cfx-words, table th, table td, table .cfx-no, a')
    for width in (1400, 400):
        page.set_viewport_size({'width': width, 'height': 1000})
        assert page.evaluate('document.documentElement.scrollWidth') <= width
    assert page.errors == [] and page.away == []


def test_a_lock_opens_what_comes_out_below_its_own_box(site, page):
    page.goto(f'{site}/folded.html')
    opened = lambda: page.locator('details.reveal').evaluate_all('all => all.map(d => d.open)')
    lock(page, 1, '60', '65')  # the next fold is behind a heading: another section's
    assert opened() == [False, False]
    lock(page, 0, '80', '90')
    assert opened() == [True, False]
    page.reload()
    expect(said(page)).to_contain_text('covers it')
    assert opened() == [True, False]


def test_with_fewer_than_nine_it_is_everything(site, page):
    page.goto(f'{site}/page.html')
    lock(page, 0, '80', '90')
    expect(coverage(page)).to_contain_text('1 of your 1 interval held the number: 100%')
    expect(coverage(page)).to_contain_text('⌈2 × .9⌉ = 2 of 1, and there is no such place')
    expect(coverage(page)).to_contain_text('everything, from −∞ to ∞')


def test_what_is_taken_along_is_what_python_reads(site, page, tmp_path, monkeypatch):
    page.goto(f'{site}/page.html')
    for i in range(10):
        lock(page, i, '60', f'{61 + 3 * i}')
    with page.expect_download() as started:
        coverage(page).get_by_role('link', name='Download them').focus()
        page.keyboard.press('Enter')
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path))
    started.value.save_as(predictions_file())
    kept = kept_predictions()
    assert kept['Share `9`?'] == dict(low=60, high=88, truth=85.1, unit='%')
    misses = [(85.1 - p['high']) / (p['high'] - p['low']) for p in kept.values()]
    words = f'by {conformal_quantile(misses, 0.1):.2f} of its own width'
    expect(coverage(page)).to_contain_text(words)
    assert len(kept) == 10 and YourCoverage().entries == kept
    assert page.away == []


def test_forgotten(site, page):
    page.goto(f'{site}/page.html')
    lock(page, 0, '80', '90')
    coverage(page).get_by_role('button', name='Forget them all').focus()
    page.keyboard.press('Enter')
    expect(coverage(page)).to_contain_text('No interval is locked yet')
    page.reload()
    expect(form(page).get_by_label('to')).to_have_value('')


@pytest.mark.parametrize('kept', ['{', '[1]', '{"q": {"low": 2, "high": 1, "truth": 1, "unit": ""}}'])
def test_a_broken_store_is_said_and_not_written_over(site, page, kept):
    page.goto(f'{site}/one.html')
    page.evaluate('([name, kept]) => localStorage.setItem(name, kept)', [STORE, kept])
    page.goto(f'{site}/page.html')
    expect(coverage(page).get_by_role('alert')).to_contain_text('cannot be read')
    lock(page, 0, '80', '90')
    expect(said(page)).to_contain_text('covers it')
    expect(form(page).get_by_role('alert')).to_contain_text('cannot be read')
    assert page.evaluate('name => localStorage.getItem(name)', STORE) == kept
    coverage(page).get_by_role('button', name='Forget them all').click()
    expect(coverage(page)).to_contain_text('No interval is locked yet')
    assert page.errors == []


def test_without_a_store_the_lock_holds_while_the_page_is_open(site, page):
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })")
    page.goto(f'{site}/page.html')
    lock(page, 0, '80', '90')
    expect(said(page)).to_contain_text('covers it')
    expect(form(page).get_by_role('alert')).to_contain_text('keeps nothing')
    expect(coverage(page).get_by_role('alert')).to_contain_text('keeps nothing')
    assert page.errors == []


def test_what_is_kept_is_text(site, page):
    page.goto(f'{site}/one.html')
    kept = {'<img src=x onerror=hacked=1>': dict(low=1, high=2, truth=3, unit='<b>')}
    page.evaluate('([name, kept]) => localStorage.setItem(name, kept)', [STORE, json.dumps(kept)])
    page.goto(f'{site}/page.html')
    expect(coverage(page)).to_contain_text('<img src=x onerror=hacked=1>')
    assert page.locator('img').count() == 0 and page.evaluate('window.hacked') is None


def test_without_scripts(site, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f'{site}/one.html')
    expect(page.get_by_text('Share 0?')).to_be_visible()
    expect(page.get_by_text('85.1% So.')).to_be_hidden()
    page.get_by_text('The number').click()
    expect(page.get_by_text('85.1% So.')).to_be_visible()
    context.close()


def test_in_jupyterlab(lab, page, tmp_path):
    cells = ["import os; os.environ['CONFLARE_HOME'] = 'kept'\nfrom conflare_nb import Prediction, YourCoverage"]
    cells += ["made = Prediction('Share?', 85.1, digits=1)\nmade", 'YourCoverage()']
    lab.run(page, write_notebook(tmp_path / 'prediction.ipynb', cells))
    lock(page, 0, '80', '90')
    expect(said(page)).to_have_text('It is 85.1. Your interval, 80 to 90, covers it.')
    eventually(page, 'made.given', [80, 90])
    file = lab.folder / 'kept/predictions.json'
    assert json.loads(file.read_text())['predictions'] == {'Share?': dict(low=80, high=90, truth=85.1, unit='')}
    page.evaluate("window.jupyterapp.commands.execute('runmenu:run-all')")
    expect(coverage(page)).to_contain_text('1 of your 1 interval held the number')
    expect(coverage(page)).to_contain_text('kept/predictions.json')
    expect(form(page).get_by_label('to')).to_have_value('90')
