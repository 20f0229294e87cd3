"The documentation site, built offline; and what its builder refuses."
import re
from pathlib import Path
import pytest
from web import ROOT
import docs

def pages() -> list[str]: # of the built site
    return sorted(str(p.relative_to(docs.OUT)) for p in docs.OUT.rglob('*.html'))

@pytest.mark.slow
def test_every_notebook_is_a_page(site):
    notebooks = {p.relative_to(ROOT/'nbs') for p in (ROOT/'nbs').rglob('*.ipynb')}
    assert pages() == sorted(['changelog.html', *(str(p.with_suffix('.html')) for p in notebooks if not any(part[0] in '._' for part in p.parts))])

@pytest.mark.slow
def test_the_addresses_in_the_modules_exist(site):
    found = [re.search(r'^Docs: https://[^/]+/[^/]+/(\S+?)"""', p.read_text(encoding='utf-8'), re.M) for p in (ROOT/'conflare_nb').rglob('*.py')]
    addresses = [m[1] for m in found if m]
    assert 'conformal/threshold.html.md' in addresses
    assert [a for a in addresses if not (docs.OUT/a).exists()] == []

@pytest.mark.slow
def test_every_link_is_one(site): # a name in backticks that is made a link twice leaves brackets
    shown = {p: re.sub(r'<pre.*?</pre>|<script.*?</script>', '', (docs.OUT/p).read_text(encoding='utf-8'), flags=re.S) for p in pages()}
    assert {p: found for p, html in shown.items() if (found := re.findall(r'\]\([^)\s]+\.(?:ipynb|html)[^)\s]*\)', html))} == {}

@pytest.mark.slow
def test_llms_txt_names_every_page_and_its_promise(site):
    text = (docs.OUT/'llms.txt').read_text(encoding='utf-8')
    found = re.findall(r'^- \[.+\]\(https://[^/]+/[^/]+/(\S+)\): \S', text, re.M)
    assert sorted(found) == sorted(f'{p}.md' for p in pages())
    assert [f for f in found if not (docs.OUT/f).is_file()] == []
    assert text.index('## Tutorials') < text.index('## Conformal')

@pytest.mark.slow
def test_the_changelog_is_edited_where_it_is(site):
    assert '/edit/main/CHANGELOG.md"' in (docs.OUT/'changelog.html').read_text(encoding='utf-8')

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

def test_an_output_to_be_predicted_is_folded():
    from nbformat.v4 import new_code_cell, new_notebook, new_output
    def cell(**metadata): return new_code_cell('6*7', metadata=metadata, outputs=[new_output('stream', text='42')])
    nb = new_notebook(cells=[cell(), cell(jupyter=dict(outputs_hidden=True))])
    docs.fold_outputs(nb)
    shown, asked, opened, answer, closed = nb.cells
    assert (len(shown.outputs), len(asked.outputs), len(answer.outputs)) == (1, 0, 1)
    assert opened.source.startswith('<details') and closed.source == '</details>'
    assert answer.source.startswith('#| echo: false')      # the code stays above the fold
