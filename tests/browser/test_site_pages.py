"The documentation site in a browser: every page, its search, its links and formulas."
import pytest
from playwright.sync_api import expect
import docs

def pages() -> list[str]: # of the built site
    return sorted(str(p.relative_to(docs.OUT)) for p in docs.OUT.rglob('*.html'))

def test_every_page(site, page):
    for p in pages():
        page.goto(f'{site}/{p}')
        assert page.locator('h1').count() == 1, p
        assert page.title(), p
        meta = {k: page.locator(f'meta[property="og:{k}"]').get_attribute('content') for k in ('title', 'description', 'image')}
        assert meta['title'] and meta['description'], p
        assert (docs.OUT/meta['image'].removeprefix(docs.get_config().doc_url)).is_file(), meta
        assert page.locator('meta[name="twitter:card"]').get_attribute('content') == 'summary_large_image', p
    assert page.away == [] and page.errors == []

def test_sidebar_leads_to_every_page(site, page):
    page.goto(f'{site}/index.html')
    hrefs = page.locator('#quarto-sidebar a[href]').evaluate_all('links => links.map(a => a.pathname.slice(1))')
    assert set(pages()) <= set(hrefs)

def test_formulas(site, page):
    if not docs.KATEX.exists(): pytest.skip('no KaTeX here (npm fetches it when the site is built)')
    page.goto(f'{site}/conformal/threshold.html')
    expect(page.locator('.katex').first).to_be_visible()
    assert '\\lceil' not in page.locator('main').inner_text()

def test_search(site, page):
    page.goto(f'{site}/index.html')
    box = page.locator('#quarto-search input').first
    box.click(); box.press_sequentially('exchangeable')
    expect(page.locator('.smalldocs-search-results a').filter(has_text='conformal').first).to_be_visible()

def test_a_name_leads_to_its_parameters(site, page):
    page.goto(f'{site}/index.html')
    page.get_by_role('link', name='conformal_quantile').first.click()
    page.wait_for_url(f'{site}/conformal/threshold.html#conformal_quantile')
    expect(page.locator('.cell', has=page.locator('#conformal_quantile'))).to_contain_text('miscoverage level(s), 0 < alpha < 1')

def test_narrow_screen(site, page):
    page.set_viewport_size({'width': 400, 'height': 900})
    wide = []
    for p in pages():
        page.goto(f'{site}/{p}')
        if page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'): wide.append(p)
    assert wide == []
