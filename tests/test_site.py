"The documentation site, built offline; and what its builder refuses."

import re
import pytest, yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from smalldocs.layout import KATEX
from conflare_nb._modidx import d
from web import ROOT, site_pages
import docs, finding, folds, modules, plain, tables


def built(page):
    return (docs.OUT / page).read_text(encoding='utf-8')


def told(page):  # its copy for machines, without code
    code = r'^(`{3,})[^`\n]*\n.*?^\1$|^ {4}.*$'
    return re.sub(code, '', built(f'{page}.md'), flags=re.S | re.M)


def shown(page):
    return re.sub('<pre.*?</pre>|<script.*?</script>', '', built(page), flags=re.S)


def test_every_notebook_is_a_page(site):
    notebooks = {p.relative_to(ROOT / 'nbs') for p in (ROOT / 'nbs').rglob('*.ipynb')}
    kept = [p for p in notebooks if not any(part[0] in '._' for part in p.parts)]
    made = [p.with_suffix('.html').as_posix() for p in kept]
    assert site_pages() == sorted(['changelog.html', *made])


def test_the_addresses_in_the_modules_exist(site):
    address = re.compile(r'^Docs: https://[^/]+/[^/]+/(\S+?)"""', re.M)
    texts = [p.read_text(encoding='utf-8') for p in (ROOT / 'conflare_nb').rglob('*.py')]
    addresses = address.findall('\n'.join(texts))
    assert 'conformal/threshold.html.md' in addresses
    assert [a for a in addresses if not (docs.OUT / a).exists()] == []


def test_every_public_method_is_where_the_index_says(site):
    ids = {p.relative_to(docs.OUT.resolve()).as_posix(): h.ids for p, h in docs.pages_of(docs.OUT).items()}
    places = [place.split('#') for symbols in d['syms'].values() for place, _ in symbols.values()]
    methods = [(page, *anchor.rpartition('.')) for page, anchor in places if page in ids]
    shown = [m for m in methods if m[1] in ids[m[0]] and not m[3].startswith('_')]
    assert len(shown) > 300 and [m for m in shown if ''.join(m[1:]) not in ids[m[0]]] == []


def test_every_link_is_one(site):  # a name in backticks that is made a link twice leaves brackets
    left = re.compile(r'\]\([^)\s]+\.(?:ipynb|html)[^)\s]*\)')
    assert [(p, left.findall(shown(p))) for p in site_pages() if left.search(shown(p))] == []


def test_llms_txt_names_every_page_and_its_promise(site):
    text = built('llms.txt')
    found = re.findall(r'^- \[.+\]\(https://[^/]+/[^/]+/(\S+)\): \S', text, re.M)
    assert sorted(found) == sorted(f'{p}.md' for p in site_pages())
    assert [f for f in found if not (docs.OUT / f).is_file()] == []
    assert text.index('## The path') < text.index('## Further') < text.index('## Conformal')


def test_the_changelog_is_edited_where_it_is(site):
    assert '/edit/main/CHANGELOG.md"' in built('changelog.html')


def test_the_copies_hold_texts_and_tables_alone(site):
    # what is marked as code may speak of scripts; a picture lies beside the copy, in a file
    foreign = re.compile(r'<script|<style|<svg|;base64,|<t[dhr]\b|data-cfx')
    assert [(p, foreign.findall(told(p))) for p in site_pages() if foreign.search(told(p))] == []
    assert [p for p in site_pages() if docs.OUTPUT in told(p)] == []
    explorer = built('tutorials/slide-alpha.html.md')
    assert re.search(r'^\| rank \| .*p-value', explorer, re.M) and len(explorer) < 40_000


def test_every_module_says_what_comes_in_and_what_goes_out(site):
    said = 'What comes in, what goes out'
    for name in modules.modules():
        html = built(modules.page_of(name).replace('.ipynb', '.html'))
        head, _, rest = html.partition(said)
        assert rest and said not in rest, name
        # near the top, before the first section
        assert '<h2' not in head.partition('<main')[2], name
        table = rest.partition('</details>')[0]
        assert all(public in table for public in modules.public_names(name)), name


def test_columns_of_numbers_are_marked_on_the_pages(site):
    html = built('guides/alpha-and-cost.html')
    head = re.search(r'<table border="1" class="dataframe">\s*<thead>.*?</thead>', html, re.S)[0]
    # and one row says both
    assert re.search(r'<th[^>]*>alpha</th>\s*<th class="number"[^>]*>coverage</th>', head)


URL = 'https://example.org/lib/'


def test_broken_links_are_found(tmp_path):
    (tmp_path / 'sub').mkdir()
    (tmp_path / 'a.html').write_text(
        '<h1 id="top">A</h1><a href="sub/b.html#here">b</a><a href="#top">up</a><a href="https://example.org">away</a>'
        '<a href="sub/c.html">c</a><a href="sub/b.html#there">b</a><img src="x.png"><script src="//example.org/y.js"></script>'
    )
    data = 'data:image/png;base64,AA=='
    (tmp_path / 'sub/b.html').write_text(f'<p id="here"><a href="../a.html#top">a</a><img src="{data}">')
    (tmp_path / 's.css').write_text('@font-face { src: url("f.woff2?1") } a { background: url(%s) }' % data)
    assert docs.check_links(tmp_path) == [
        'a.html: asks another host: //example.org/y.js',
        'a.html: broken anchor: sub/b.html#there',
        'a.html: broken asset: x.png',
        'a.html: broken link: sub/c.html',
        's.css: broken asset: f.woff2?1',
    ]


def test_a_name_that_no_page_shows_is_no_link(tmp_path):
    shown = '<a href="b.html#Public"><code>Public</code></a>'
    hidden = '<a href="b.html#_own"><code>_own()</code></a>'
    bare = '<a href="b.html#gone">`<code>_own</code>`</a>'
    (tmp_path / 'a.html').write_text(f'{shown} {hidden} {bare}')
    (tmp_path / 'b.html').write_text('<h1 id="Public">Public</h1>')
    docs.unlink_helpers(tmp_path)
    assert (tmp_path / 'a.html').read_text() == f'{shown} <code>_own()</code> {bare}'
    assert docs.check_links(tmp_path) == ['a.html: broken anchor: b.html#gone']


def test_a_site_needs_no_other_host(tmp_path):
    assert docs.KATEX_NPM.partition('@')[2] in KATEX
    (tmp_path / 'sub').mkdir()
    (tmp_path / 's.css').write_text('@import url("https://example.org/css?family=A;B&display=swap");a{}')
    katex = f'<link rel="stylesheet" href="{KATEX}/katex.min.css"><script src="{KATEX}/katex.min.js" defer></script>'
    for p in ('a.html', 'sub/b.html'):
        (tmp_path / p).write_text(katex + f'<a href="{URL}a.html">a</a>')
    docs.localise(tmp_path, URL, katex=False)
    assert docs.check_links(tmp_path) == []
    assert (tmp_path / 'sub/b.html').read_text() == '<a href="../a.html">a</a>'
    assert (tmp_path / 's.css').read_text() == 'a{}'


@pytest.mark.parametrize(
    'notebook, readme',
    [
        ('[a](conformal/threshold.ipynb#p_values)', '[a](nbs/conformal/threshold.ipynb)'),
        (f'[`LateHybrid`]({URL}documents/late.html#latehybrid)', '[`LateHybrid`](nbs/documents/late.ipynb)'),
        (f'[site]({URL})', f'[site]({URL})'),
        (f'[how]({docs.REPOSITORY}benchmarks/scores.py)', '[how](benchmarks/scores.py)'),
        ('![p](images/dots.png)', '![p](nbs/images/dots.png)'),
        ('<img width="9" src="images/p.png">', '<img width="9" src="nbs/images/p.png">'),
        ('![b](https://example.org/b.svg)', '![b](https://example.org/b.svg)'),
    ],
)
def test_links_of_the_readme(notebook, readme):
    assert docs.relink(notebook, URL) == readme


def test_what_the_readme_shows_and_links_to_is_in_the_clone():
    text = (ROOT / 'README.md').read_text(encoding='utf-8')
    links = re.findall(r'(?:\]\(|<img [^>]*?src=")([^)\s"]+)', text)
    away = [link for link in links if '://' in link]
    site = docs.get_config().doc_url
    assert away.count(site) == 1 and {one for one in away if 'arxiv.org' not in one} == {site}
    for link in {*links} - {*away}:
        assert (ROOT / link).is_file(), link


def staged(*cells):  # the sources of the page's cells
    nb = new_notebook(cells=list(cells))
    folds.fold_outputs(nb)
    return [cell.source for cell in nb.cells]


def asked(source='6*7', closed=True):
    metadata = dict(jupyter=dict(outputs_hidden=True)) if closed else {}
    return new_code_cell(source, metadata=metadata, outputs=[new_output('stream', text='42')])


def test_an_output_to_be_predicted_is_folded():
    shown, code, opened, answer, closed = staged(asked(closed=False), asked())
    assert (shown, code) == ('6*7', '6*7')  # the code stays above the fold
    assert opened.startswith('<details') and closed == '</details>'
    assert answer.startswith('#| echo: false')


def test_results_in_a_row_are_one_fold_with_their_explanation():
    drawing = '#| code-fold: true\n#| code-summary: "Draw it"\nplot()'
    last = '## What next\n\n**Predict:** and then?'
    after = folds.markdown(f'{folds.NOTICE}\n\nForty-two.\n\n</details>\n\n{last}')
    sources = staged(asked(), asked(drawing), after)
    assert sources[1].startswith('<details')
    assert sources[3:] == [drawing, 'Forty-two.', '</details>', last]


@pytest.mark.parametrize('text', ['## What next', 'Now **Predict:** how many?', 'Here they are:'])
def test_only_what_a_lesson_folds_joins_the_results(text):
    assert staged(asked(), folds.markdown(text))[-2:] == ['</details>', text]


def test_what_to_notice_behind_an_open_result_is_a_fold_of_its_own():
    folded = f'{folds.NOTICE}\n\nForty-two.\n\n</details>'
    *_, last = staged(asked(), asked(closed=False), folds.markdown(folded))
    assert last == folded.replace('<details>', '<details class="reveal">')


def test_a_solution_is_one_fold_below_its_form():
    solved = asked('#| code-fold: true\n#| code-summary: "Solution in code"\n6*7')
    exercise = asked("#| echo: false\nExercise('6 times 7?', 42)", closed=False)
    form, opened, solution, closed = staged(exercise, solved)
    assert 'Exercise(' in form and 'Solution in code' in opened and solution == '6*7'


NUMBERS = '3.2|-0.5|87.0% to 93.0%|220 of 274|inf|NaN||1,024 MB|83% (.042)|5 ✓|5.5e+03|1e-05'
OTHERS = 'pen.md#0001|2 hours|q001|2026-09-14|10:30|yes'


def test_what_may_stand_in_a_column_of_numbers():
    assert [said for said in NUMBERS.split('|') if not tables.numeric(said)] == []
    assert [said for said in OTHERS.split('|') if tables.numeric(said)] == []
    assert tables.numeric('0.5808 (k = 248 of n = 274)')


def test_columns_of_numbers():
    page = (
        '<script>"<table><tr><td>1</td></tr></table>"</script><pre><table><tr><td>1</td></tr></table></pre>'
        '<table><thead><tr><th colspan="2">both</th><th>n</th></tr></thead><tbody>'
        '<tr><th rowspan="2">a</th><td>one</td><td class="x">1.5</td></tr><tr><td>two</td><td style="a">inf</td></tr></tbody></table>'
    )
    marked = tables.mark_numbers(page)
    assert marked.count('number') == 3 and marked.startswith(page[: page.index('<table><thead>')])
    for tag in ('th class="number"', 'td class="number x"', 'td class="number" style="a"'):
        assert f'<{tag}>' in marked
    nothing = '<table><tr><td></td></tr></table>'  # is no number
    assert tables.mark_numbers(nothing) == nothing


def test_the_name_of_the_rows_joins_the_names_of_the_columns():
    import pandas as pd

    frame = pd.DataFrame({'n': [1, 2]}, index=pd.Index(['x', 'y'], name='kind'))
    joined = tables.join_heads(frame.to_html())
    assert re.findall(r'<th>(\w*)</th>', joined.partition('</thead>')[0]) == ['kind', 'n']
    two = frame.rename_axis(columns='measure')  # here both rows say something in the first place
    assert tables.join_heads(two.to_html()) == two.to_html()


def test_an_output_in_words():
    html = (
        '<style>a</style><script>b</script><div><p><b>Is it?</b><br>Yes, &lt;script&gt; it is.</p><button>go</button>'
        '<table><thead><tr><th>n</th><th>who</th></tr></thead><tbody><tr><td>1</td><td>a|b<div>c</div></td></tr></tbody></table>'
        '<ul><li>one</li><li><a href="x.html">two</a></li></ul><details><summary>more</summary>less</details></div>'
    )
    table = '| n | who |\n| --- | --- |\n| 1 | a\\|b c |'
    rest = ['- one', '- [two](x.html)', '**more**', 'less']
    assert plain.markdown(html).split('\n\n') == ['**Is it?** Yes, &lt;script&gt; it is.', table, *rest]


def test_a_module_between_the_others():
    gate, threshold = modules.box('retrieval.gate'), modules.box('conformal.threshold')
    about = 'A rule that closes before retrieval when a question is far from every chunk.'
    assert 'conformal ([abstain](../conformal/abstain.ipynb), ' in gate
    assert '[saving](../saving.ipynb)' in gate
    assert 'used by retrieval ([retriever](retriever.ipynb))' in gate
    assert f'| [`Gate`](#gate) | {about} |' in gate
    assert 'needs no other module' in threshold and '<details open>' not in threshold
    assert '[the command line](app/cli.ipynb)' in modules.box('saving')
    assert '`BLUE`, `RED` and `GREEN`' in modules.box('show.plots')


@pytest.mark.parametrize('question', ['Why?\n\n## Because', 'Why?'])
def test_the_box_stands_after_the_question(question):
    nb = new_notebook(cells=[new_markdown_cell(question), new_code_cell('1')])
    modules.insert(nb, 'retrieval.gate')
    starts = [cell.source.strip()[:10] for cell in nb.cells]
    assert starts == ['Why?', '::: {.ways', *question.split('\n\n')[1:], '1']


def test_the_sidebar_opens_with_the_path_and_folds_the_rest():
    "Sections are open, and what lies one level deeper is folded: other lessons, and the rooms."
    menu = yaml.safe_load((ROOT / '_quarto.yml').read_text(encoding='utf-8'))
    parts = [e for e in menu['website']['sidebar']['contents'] if isinstance(e, dict)]
    assert [e['section'] for e in parts] == ['The path', 'How to', 'Explain', 'Reference']
    assert [e['section'] for e in parts[0]['contents'] if isinstance(e, dict)] == ['Further']
    (api,) = [e for e in parts[-1]['contents'] if isinstance(e, dict)]
    assert api['section'] == 'API'
    rooms = [e['section'].lower() for e in api['contents'] if isinstance(e, dict)]
    assert rooms == list(docs.rooms.ROOMS)


def test_what_people_type_leads_to_pages_that_exist():
    assert [p for p in finding.WORDS if not (ROOT / f'nbs/{p}.ipynb').is_file()] == []
