"The documentation site, built offline and opened in a browser; and what its builder refuses."
import re
from pathlib import Path
import pytest
from web import ROOT
from playwright.sync_api import expect
import docs

def pages() -> list[str]: # of the built site
    return sorted(str(p.relative_to(docs.OUT)) for p in docs.OUT.rglob('*.html'))

def test_every_notebook_is_a_page(site):
    notebooks = {p.relative_to(ROOT/'nbs') for p in (ROOT/'nbs').rglob('*.ipynb')}
    assert pages() == sorted(['changelog.html', *(str(p.with_suffix('.html')) for p in notebooks if not any(part[0] in '._' for part in p.parts))])

def test_the_addresses_in_the_modules_exist(site):
    found = [re.search(r'^Docs: https://[^/]+/[^/]+/(\S+?)"""', p.read_text(encoding='utf-8'), re.M) for p in (ROOT/'conflare_nb').rglob('*.py')]
    addresses = [m[1] for m in found if m]
    assert 'conformal/threshold.html.md' in addresses
    assert [a for a in addresses if not (docs.OUT/a).exists()] == []

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

def test_every_link_is_one(site): # a name in backticks that is made a link twice leaves brackets
    shown = {p: re.sub(r'<pre.*?</pre>|<script.*?</script>', '', (docs.OUT/p).read_text(encoding='utf-8'), flags=re.S) for p in pages()}
    assert {p: found for p, html in shown.items() if (found := re.findall(r'\]\([^)\s]+\.(?:ipynb|html)[^)\s]*\)', html))} == {}

def test_sidebar_leads_to_every_page(site, page):
    page.goto(f'{site}/index.html')
    hrefs = page.locator('#quarto-sidebar a[href]').evaluate_all('links => links.map(a => a.pathname.slice(1))')
    assert set(pages()) <= set(hrefs)

def test_llms_txt_names_every_page_and_its_promise(site):
    text = (docs.OUT/'llms.txt').read_text(encoding='utf-8')
    found = re.findall(r'^- \[.+\]\(https://[^/]+/[^/]+/(\S+)\): \S', text, re.M)
    assert sorted(found) == sorted(f'{p}.md' for p in pages())
    assert [f for f in found if not (docs.OUT/f).is_file()] == []
    assert text.index('## Tutorials') < text.index('## API')

def test_the_changelog_is_edited_where_it_is(site):
    assert '/edit/main/CHANGELOG.md"' in (docs.OUT/'changelog.html').read_text(encoding='utf-8')

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

# ---- the builder

URL = 'https://example.org/lib/'

def test_broken_links_are_found(tmp_path):
    (tmp_path/'sub').mkdir()
    (tmp_path/'a.html').write_text(
        '<h1 id="top">A</h1><a href="sub/b.html#here">b</a><a href="#top">up</a><a href="https://example.org">away</a>'
        '<a href="sub/c.html">c</a><a href="sub/b.html#there">b</a><img src="x.png"><script src="//example.org/y.js"></script>')
    (tmp_path/'sub/b.html').write_text('<p id="here"><a href="../a.html#top">a</a><img src="data:image/png;base64,AA==">')
    (tmp_path/'s.css').write_text('@font-face { src: url("f.woff2?1") } a { background: url(data:image/png;base64,AA==) }')
    assert docs.check_links(tmp_path) == [
        'a.html: asks another host: //example.org/y.js', 'a.html: broken anchor: sub/b.html#there', 'a.html: broken asset: x.png',
        'a.html: broken link: sub/c.html', 's.css: broken asset: f.woff2?1']

def test_a_site_needs_no_other_host(tmp_path):
    from smalldocs.layout import KATEX
    assert docs.KATEX_NPM.partition('@')[2] in KATEX
    (tmp_path/'sub').mkdir()
    (tmp_path/'s.css').write_text('@import url("https://example.org/css?family=A;B&display=swap");a{}')
    katex = f'<link rel="stylesheet" href="{KATEX}/katex.min.css"><script src="{KATEX}/katex.min.js" defer></script>'
    for p in ('a.html', 'sub/b.html'): (tmp_path/p).write_text(katex+f'<a href="{URL}a.html">a</a>')
    docs.localise(tmp_path, URL, katex=False)
    assert docs.check_links(tmp_path) == []
    assert (tmp_path/'sub/b.html').read_text() == '<a href="../a.html">a</a>'
    assert (tmp_path/'s.css').read_text() == 'a{}'

@pytest.mark.parametrize('notebook, readme', [
    ('[a](conformal/threshold.ipynb#p_values)', f'[a]({URL}conformal/threshold.html#p_values)'),
    ('[t](tutorials/quickstart.ipynb)', f'[t]({URL}tutorials/quickstart.html)'),
    ('![p](images/explorer.png)', '![p](nbs/images/explorer.png)'),
    ('<img width="9" src="images/explorer.png">', '<img width="9" src="nbs/images/explorer.png">'),
    ('![b](https://example.org/b.svg) [c](https://example.org/x)', '![b](https://example.org/b.svg) [c](https://example.org/x)')])
def test_links_of_the_readme(notebook, readme): assert docs.relink(notebook, URL) == readme

def test_pictures_of_the_readme_exist():
    text = (ROOT/'README.md').read_text(encoding='utf-8')
    for ref in re.findall(r'(?:!\[[^\]]*\]\(|<img [^>]*?src=")(?!https?:)([^)\s"]+)', text): assert (ROOT/Path(ref)).is_file(), ref
