"The documentation site, built offline; and what its builder refuses."

import re
from pathlib import Path
import pytest
from web import ROOT
import docs, folds, modules, plain, tables


def pages() -> list[str]:  # of the built site
    return sorted(str(p.relative_to(docs.OUT)) for p in docs.OUT.rglob('*.html'))


@pytest.mark.slow
def test_every_notebook_is_a_page(site):
    notebooks = {p.relative_to(ROOT / 'nbs') for p in (ROOT / 'nbs').rglob('*.ipynb')}
    assert pages() == sorted(
        [
            'changelog.html',
            *(
                str(p.with_suffix('.html'))
                for p in notebooks
                if not any(part[0] in '._' for part in p.parts)
            ),
        ]
    )


@pytest.mark.slow
def test_the_addresses_in_the_modules_exist(site):
    found = [
        re.search(r'^Docs: https://[^/]+/[^/]+/(\S+?)"""', p.read_text(encoding='utf-8'), re.M)
        for p in (ROOT / 'conflare_nb').rglob('*.py')
    ]
    addresses = [m[1] for m in found if m]
    assert 'conformal/threshold.html.md' in addresses
    assert [a for a in addresses if not (docs.OUT / a).exists()] == []


@pytest.mark.slow
def test_every_link_is_one(site):  # a name in backticks that is made a link twice leaves brackets
    shown = {
        p: re.sub(
            r'<pre.*?</pre>|<script.*?</script>',
            '',
            (docs.OUT / p).read_text(encoding='utf-8'),
            flags=re.S,
        )
        for p in pages()
    }
    assert {
        p: found
        for p, html in shown.items()
        if (found := re.findall(r'\]\([^)\s]+\.(?:ipynb|html)[^)\s]*\)', html))
    } == {}


@pytest.mark.slow
def test_llms_txt_names_every_page_and_its_promise(site):
    text = (docs.OUT / 'llms.txt').read_text(encoding='utf-8')
    found = re.findall(r'^- \[.+\]\(https://[^/]+/[^/]+/(\S+)\): \S', text, re.M)
    assert sorted(found) == sorted(f'{p}.md' for p in pages())
    assert [f for f in found if not (docs.OUT / f).is_file()] == []
    assert text.index('## Tutorials') < text.index('## Conformal')


@pytest.mark.slow
def test_the_changelog_is_edited_where_it_is(site):
    assert '/edit/main/CHANGELOG.md"' in (docs.OUT / 'changelog.html').read_text(encoding='utf-8')


@pytest.mark.slow
def test_the_copies_hold_texts_and_tables_alone(site):
    told = {
        p: re.sub(
            r'^(`{3,})[^`\n]*\n.*?^\1$|^ {4}.*$',
            '',
            (docs.OUT / f'{p}.md').read_text(encoding='utf-8'),
            flags=re.S | re.M,
        )
        for p in pages()
    }
    # what is marked as code may speak of scripts; a picture lies beside the copy, in a file
    assert {
        p: found
        for p, text in told.items()
        if (found := re.findall(r'<script|<style|<svg|;base64,', text))
    } == {}
    assert {
        p: found for p, text in told.items() if (found := re.findall(r'<t[dhr]\b|data-cfx', text))
    } == {}
    assert docs.OUTPUT not in ''.join(told.values())
    explorer = (docs.OUT / 'tutorials/one-picture.html.md').read_text(encoding='utf-8')
    assert re.search(r'^\| rank \| .*p-value', explorer, re.M) and len(explorer) < 40_000


@pytest.mark.slow
def test_every_module_says_what_comes_in_and_what_goes_out(site):
    for name in modules.modules():
        html = (docs.OUT / modules.page_of(name)).with_suffix('.html').read_text(encoding='utf-8')
        head, _, rest = html.partition('What comes in, what goes out')
        assert rest and 'What comes in, what goes out' not in rest, name
        assert '<h2' not in head.partition('<main')[2], (
            name
        )  # near the top, before the first section
        public = modules.public_names(name)
        assert all(n in rest.partition('</details>')[0] for n in public), name


@pytest.mark.slow
def test_columns_of_numbers_are_marked_on_the_pages(site):
    html = (docs.OUT / 'tutorials/alpha-and-cost.html').read_text(encoding='utf-8')
    head = re.search(r'<table border="1" class="dataframe">\s*<thead>.*?</thead>', html, re.S)[0]
    assert re.search(
        r'<th[^>]*>alpha</th>\s*<th class="number"[^>]*>coverage</th>', head
    )  # and one row says both


# ---- the builder

URL = 'https://example.org/lib/'


def test_broken_links_are_found(tmp_path):
    (tmp_path / 'sub').mkdir()
    (tmp_path / 'a.html').write_text(
        '<h1 id="top">A</h1><a href="sub/b.html#here">b</a><a href="#top">up</a><a href="https://example.org">away</a>'
        '<a href="sub/c.html">c</a><a href="sub/b.html#there">b</a><img src="x.png"><script src="//example.org/y.js"></script>'
    )
    (tmp_path / 'sub/b.html').write_text(
        '<p id="here"><a href="../a.html#top">a</a><img src="data:image/png;base64,AA==">'
    )
    (tmp_path / 's.css').write_text(
        '@font-face { src: url("f.woff2?1") } a { background: url(data:image/png;base64,AA==) }'
    )
    assert docs.check_links(tmp_path) == [
        'a.html: asks another host: //example.org/y.js',
        'a.html: broken anchor: sub/b.html#there',
        'a.html: broken asset: x.png',
        'a.html: broken link: sub/c.html',
        's.css: broken asset: f.woff2?1',
    ]


def test_a_name_that_no_page_shows_is_no_link(tmp_path):
    shown, hidden = (
        '<a href="b.html#Public"><code>Public</code></a>',
        '<a href="b.html#_own"><code>_own()</code></a>',
    )
    written = (
        '<a href="b.html#gone">`<code>_own</code>`</a> <a href="b.html#gone"><code>_own</code></a>'
    )
    (tmp_path / 'a.html').write_text(f'{shown} {hidden} {written}')
    (tmp_path / 'b.html').write_text('<h1 id="Public">Public</h1>')
    docs.unlink_helpers(tmp_path)
    assert (tmp_path / 'a.html').read_text() == f'{shown} <code>_own()</code> {written}'
    assert docs.check_links(tmp_path) == ['a.html: broken anchor: b.html#gone']


def test_a_site_needs_no_other_host(tmp_path):
    from smalldocs.layout import KATEX

    assert docs.KATEX_NPM.partition('@')[2] in KATEX
    (tmp_path / 'sub').mkdir()
    (tmp_path / 's.css').write_text(
        '@import url("https://example.org/css?family=A;B&display=swap");a{}'
    )
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
        ('[a](conformal/threshold.ipynb#p_values)', f'[a]({URL}conformal/threshold.html#p_values)'),
        ('[t](tutorials/quickstart.ipynb)', f'[t]({URL}tutorials/quickstart.html)'),
        ('![p](images/explorer.png)', '![p](nbs/images/explorer.png)'),
        (
            '<img width="9" src="images/explorer.png">',
            '<img width="9" src="nbs/images/explorer.png">',
        ),
        (
            '![b](https://example.org/b.svg) [c](https://example.org/x)',
            '![b](https://example.org/b.svg) [c](https://example.org/x)',
        ),
    ],
)
def test_links_of_the_readme(notebook, readme):
    assert docs.relink(notebook, URL) == readme


def test_pictures_of_the_readme_exist():
    text = (ROOT / 'README.md').read_text(encoding='utf-8')
    for ref in re.findall(r'(?:!\[[^\]]*\]\(|<img [^>]*?src=")(?!https?:)([^)\s"]+)', text):
        assert (ROOT / Path(ref)).is_file(), ref


def staged(*cells):  # the sources of the page's cells
    from nbformat.v4 import new_notebook

    nb = new_notebook(cells=list(cells))
    folds.fold_outputs(nb)
    return nb.cells


def asked(source='6*7', closed=True):
    from nbformat.v4 import new_code_cell, new_output

    metadata = dict(jupyter=dict(outputs_hidden=True)) if closed else {}
    return new_code_cell(source, metadata=metadata, outputs=[new_output('stream', text='42')])


def test_an_output_to_be_predicted_is_folded():
    shown, code, opened, answer, closed = staged(asked(closed=False), asked())
    assert (len(shown.outputs), len(code.outputs), len(answer.outputs)) == (1, 0, 1)
    assert opened.source.startswith('<details') and closed.source == '</details>'
    assert answer.source.startswith('#| echo: false')  # the code stays above the fold


def test_results_in_a_row_are_one_fold_with_their_explanation():
    drawing = '#| code-fold: true\n#| code-summary: "Draw it"\nplot()'
    after = folds.markdown(
        f'{folds.NOTICE}\n\nForty-two.\n\n</details>\n\n## What next\n\n**Predict:** and then?'
    )
    sources = [c.source for c in staged(asked(), asked(drawing), after)]
    assert sources[1].startswith('<details') and sources[3:] == [
        drawing,
        'Forty-two.',
        '</details>',
        '## What next\n\n**Predict:** and then?',
    ]


@pytest.mark.parametrize('text', ['## What next', 'Now **Predict:** how many?', 'Here they are:'])
def test_only_what_a_lesson_folds_joins_the_results(text):
    assert [c.source for c in staged(asked(), folds.markdown(text))][-2:] == ['</details>', text]


def test_what_to_notice_behind_an_open_result_is_a_fold_of_its_own():
    folded = f'{folds.NOTICE}\n\nForty-two.\n\n</details>'
    *_, last = staged(asked(), asked(closed=False), folds.markdown(folded))
    assert last.source == folded.replace('<details>', '<details class="reveal">')


def test_a_solution_is_one_fold_below_its_form():
    solved = asked('#| code-fold: true\n#| code-summary: "Solution in code"\n6*7')
    form, opened, solution, closed = staged(
        solved, asked("#| echo: false\nExercise('6 times 7?', 42)", closed=False)
    )
    assert (
        'Exercise(' in form.source
        and 'Solution in code' in opened.source
        and solution.source == '6*7'
    )


@pytest.mark.parametrize(
    'said, numeric',
    [
        ('3.2', True),
        ('-0.5', True),
        ('87.0% to 93.0%', True),
        ('220 of 274', True),
        ('inf', True),
        ('NaN', True),
        ('', True),
        ('1,024 MB', True),
        ('83% (.042)', True),
        ('0.5808 (k = 248 of n = 274)', True),
        ('5 ✓', True),
        ('5.5e+03', True),
        ('1e-05', True),
        ('pen.md#0001', False),
        ('2 hours', False),
        ('q001', False),
        ('2026-09-14', False),
        ('10:30', False),
        ('yes', False),
    ],
)
def test_what_may_stand_in_a_column_of_numbers(said, numeric):
    assert tables.numeric(said) == numeric


def test_columns_of_numbers():
    page = (
        '<script>"<table><tr><td>1</td></tr></table>"</script><pre><table><tr><td>1</td></tr></table></pre>'
        '<table><thead><tr><th colspan="2">both</th><th>n</th></tr></thead><tbody>'
        '<tr><th rowspan="2">a</th><td>one</td><td class="x">1.5</td></tr><tr><td>two</td><td style="a">inf</td></tr></tbody></table>'
    )
    marked = tables.mark_numbers(page)
    assert marked.count('number') == 3 and marked.startswith(page[: page.index('<table><thead>')])
    assert [
        f'<{tag}>' in marked
        for tag in ('th class="number"', 'td class="number x"', 'td class="number" style="a"')
    ] == [True] * 3
    assert (
        tables.mark_numbers('<table><tr><td></td></tr></table>')
        == '<table><tr><td></td></tr></table>'
    )  # nothing is no number


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
    assert plain.markdown(html).split('\n\n') == [
        '**Is it?** Yes, &lt;script&gt; it is.',
        '| n | who |\n| --- | --- |\n| 1 | a\\|b c |',
        '- one',
        '- [two](x.html)',
        '**more**',
        'less',
    ]


def test_a_module_between_the_others():
    box = modules.box('retrieval.gate')
    assert (
        'conformal ([abstain](../conformal/abstain.ipynb), ' in box
        and '[saving](../saving.ipynb)' in box
    )
    assert 'used by retrieval ([retriever](retriever.ipynb))' in box
    assert (
        '| [`Gate`](#gate) | A rule that closes before retrieval when a question is far from every chunk. |'
        in box
    )
    assert 'needs no other module' in modules.box(
        'conformal.threshold'
    ) and '<details open>' not in modules.box('conformal.threshold')
    assert '[the command line](app/cli.ipynb)' in modules.box(
        'saving'
    ) and '`BLUE`, `RED` and `GREEN`' in modules.box('show.plots')


def test_the_box_stands_after_the_question():
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    for cells in (
        [new_markdown_cell('Why?\n\n## Because'), new_code_cell('1')],
        [new_markdown_cell('Why?'), new_code_cell('1')],
    ):
        nb = new_notebook(cells=cells)
        modules.insert(nb, 'retrieval.gate')
        assert [cell.source.strip()[:10] for cell in nb.cells] in (
            ['Why?', '::: {.ways', '## Because', '1'],
            ['Why?', '::: {.ways', '1'],
        )


def test_the_sidebar_opens_with_the_lessons_and_folds_the_rooms():  # the tracks are open: rooms lie one level deeper
    import yaml

    menu = yaml.safe_load((ROOT / '_quarto.yml').read_text(encoding='utf-8'))['website']['sidebar'][
        'contents'
    ]
    names = [entry['section'] for entry in menu if isinstance(entry, dict)]
    assert names == [
        'Tutorials: understand',
        'Tutorials: use',
        'Tutorials: go deep',
        'How to',
        'Explain',
        'API',
    ]
    assert [e['section'].lower() for e in menu[-2]['contents'] if isinstance(e, dict)] == list(
        docs.rooms.ROOMS
    )
