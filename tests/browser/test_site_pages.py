"The documentation site in a browser: every page, its search, its links and formulas."

import re
import pytest
from playwright.sync_api import expect
import docs
from web import site_pages


def test_every_page(site, page):
    for p in site_pages():
        page.goto(f'{site}/{p}')
        assert page.locator('h1').count() == 1, p
        assert page.title(), p

        def meta(name, by='property'):
            return page.locator(f'meta[{by}="{name}"]').get_attribute('content')

        assert meta('og:title') and meta('og:description'), p
        image = meta('og:image').removeprefix(docs.get_config().doc_url)
        assert (docs.OUT / image).is_file(), image
        assert meta('twitter:card', 'name') == 'summary_large_image', p
    assert page.away == [] and page.errors == []


def test_sidebar_leads_to_every_page(site, page):
    page.goto(f'{site}/index.html')
    hrefs = page.locator('#quarto-sidebar a[href]').evaluate_all('links => links.map(a => a.pathname.slice(1))')
    assert set(site_pages()) <= set(hrefs)


def test_formulas(site, page):
    if not docs.KATEX.exists():
        pytest.skip('no KaTeX here (npm fetches it when the site is built)')
    page.goto(f'{site}/conformal/threshold.html')
    expect(page.locator('.katex').first).to_be_visible()
    assert '\\lceil' not in page.locator('main').inner_text()


def test_search(site, page):
    page.goto(f'{site}/index.html')
    box = page.locator('#quarto-search input').first
    box.click()
    box.press_sequentially('exchangeable')
    hits = page.locator('.smalldocs-search-results a')
    expect(hits.filter(has_text='exchangeable').first).to_be_visible()


@pytest.mark.parametrize('typed, first', [
    ('pdf', 'guides/documents-in-steps'), ('evaluate my rag', 'tutorials/does-it-hold'),
    ('similarity threshold', 'explain/which-threshold'),
    ('conformal_quantile', 'conformal/threshold'), ('beta_band', 'conformal/threshold'),
])  # fmt: skip
def test_lessons_come_first_and_a_name_leads_to_its_page(site, page, typed, first):
    page.goto(f'{site}/explain/faq.html')
    page.locator('#quarto-search input').first.fill(typed)
    hit = page.locator('.smalldocs-search-results a').first
    expect(hit).to_have_attribute('href', re.compile(rf'{first}\.html'))


@pytest.mark.parametrize('keys', ['/', 'Control+k'])
def test_keys_that_search(site, page, keys):
    page.goto(f'{site}/index.html')
    page.keyboard.press(keys)
    box = page.locator('#quarto-search input').first
    expect(box).to_be_focused()
    page.keyboard.type('exchangeable')
    expect(page.locator('.search-result').first).to_be_visible()
    page.keyboard.press('Enter')
    page.wait_for_url(lambda url: not url.endswith('/index.html'))


@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_the_theme_follows_the_reader_and_can_be_toggled(site, page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(f'{site}/tutorials/slide-alpha.html')
    dark = """() => { const n = e => getComputedStyle(e).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number);
        return [document.body, document.querySelector('.cfx'), document.querySelector('#quarto-search input')].map(e => Math.max(...n(e)) < 60) }"""
    figure = page.locator('.cell-output-display img[src^="data:image/png"]').first

    def shown():
        return figure.evaluate('e => getComputedStyle(e).filter')

    assert page.evaluate(dark) == [scheme == 'dark'] * 3
    assert (shown() != 'none') == (scheme == 'dark')
    page.locator('.quarto-color-scheme-toggle').first.click()
    page.wait_for_function(
        f"document.documentElement.classList.contains('quarto-dark') === {str(scheme != 'dark').lower()}"
    )
    assert page.evaluate(dark) == [scheme != 'dark'] * 3
    assert (shown() != 'none') == (scheme != 'dark')
    page.reload()  # what the reader chose is kept
    assert page.evaluate(dark)[0] == (scheme != 'dark')


def test_the_rooms_are_folded_and_open_by_keyboard(site, page):
    page.goto(f'{site}/index.html')
    sidebar = page.locator('#quarto-sidebar')
    expect(sidebar.get_by_role('link', name='Quickstart')).to_be_visible()
    expect(sidebar.locator('a[href$="tutorials/nano.html"]')).to_be_visible()
    for further in ('slide-alpha', 'when-to-say-nothing'):
        expect(sidebar.locator(f'a[href$="tutorials/{further}.html"]')).to_be_hidden()
    head = page.locator('a[href$="retrieval/index.html"]')
    room = sidebar.locator('li', has=head).last
    inside = room.locator('a[href$="retrieval/gate.html"]')
    expect(room).to_be_hidden()
    sidebar.get_by_role('button', name='API', exact=True).focus()
    page.keyboard.press('Enter')
    expect(room).to_be_visible()
    expect(inside).to_be_hidden()
    room.get_by_role('button').focus()
    page.keyboard.press('Enter')
    expect(inside).to_be_visible()
    page.goto(f'{site}/retrieval/gate.html')  # all of the reader's own room is open, and in sight
    expect(page.locator('#quarto-sidebar .active').last).to_be_in_viewport()


def test_no_code_of_a_lesson_is_cut_off_at_1400_px(site, page):
    "Which lines would have to be scrolled to."
    long = """() => [...document.querySelectorAll('div.sourceCode pre')].filter(e => e.scrollWidth > e.clientWidth)
        .map(e => { const lines = e.innerText.split('\\n'); return lines.reduce((a, b) => a.length >= b.length ? a : b) })"""
    found = {}
    for p in site_pages():
        if not p.startswith('tutorials/'):
            continue
        page.goto(f'{site}/{p}')
        if lines := page.evaluate(long):
            found[p] = lines
    assert found == {}, '\n'.join(f'{p}: {line}' for p, lines in found.items() for line in lines)


def test_a_name_leads_to_its_parameters(site, page):
    page.goto(f'{site}/explain/glossary.html')
    page.get_by_role('link', name='conformal_quantile').first.click()
    page.wait_for_url(f'{site}/conformal/threshold.html#conformal_quantile')
    expect(page.locator('.cell', has=page.locator('#conformal_quantile'))).to_contain_text(
        'miscoverage level(s), 0 < alpha < 1'
    )


def test_narrow_screen(site, page):
    page.set_viewport_size({'width': 400, 'height': 900})
    wide, root = [], 'document.documentElement'
    for p in site_pages():
        page.goto(f'{site}/{p}')
        if page.evaluate(f'{root}.scrollWidth > {root}.clientWidth'):
            wide.append(p)
    assert wide == []
