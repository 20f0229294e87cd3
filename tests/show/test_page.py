"What every explorer shares: thresholds that slide, numbers and tables as they are shown, fragments."

import json, re, subprocess, sys
import numpy as np, pytest
from fastcore.xml import P, Safe, Td, Th
from hypothesis import given, strategies as st
from conflare_nb import Calibration, Distance, Hybrid, Margin, Rank, Softmax, conformal_quantile
from conflare_nb.show.alpha import ExplorerView, finite_scores
from conflare_nb.show.page import as_html, asset, fragment, html_table, page_alpha, score_text, score_words

# kilobytes of the script and the styles of each: a copy lies in every saved output
MOST = dict(explorer=48, sets=34, lottery=26, planner=30)
MOST |= dict(exercise=10, prediction=16, matches=10, judging=13, writing=13)
HOSTILE = '</script><img src=x onerror=alert(1)><!-- "&\u2028'
each = pytest.mark.parametrize('name', MOST)


def sliding_over(scores, score=Distance()):
    cal, none = Calibration(scores, {}, score=score), np.array([])
    kept = finite_scores(cal)
    return ExplorerView(**kept, query='?', chunk_scores=none, lengths=none, chunks=[], low=none, high=none)


@given(st.lists(st.floats(0, 2) | st.just(np.inf), min_size=1, max_size=40), st.floats(0.001, 0.999))
def test_a_threshold_is_the_quantile(scores, alpha):
    view = sliding_over(scores)
    k, qhat = view.threshold(alpha)
    assert view.n == len(scores) and qhat == conformal_quantile(np.array(scores), page_alpha(alpha))
    assert (f'k = {k} of n = {view.n}' in view.threshold_words(alpha)) == np.isfinite(qhat)


def test_a_page_knows_what_stands_on_its_axis():
    each = [score_words(score) for score in (Distance(), Rank(), Margin(), Softmax(), Hybrid())]
    assert [w['word'] for w in each] == ['distance', 'rank', 'score', 'score', 'score']
    assert [w['shares'] for w in each] == [False, False, False, True, True]
    assert [w['nearest'] for w in each] == [True, True, True, False, False]
    assert json.loads(json.dumps(each)) == each
    assert (score_text(Rank(), 7.0), score_text(Hybrid(), 7.0)) == ('7', '7.0000')
    assert 'qhat = 2 (k = 1' in sliding_over([2.0, 3.0], Rank()).threshold_words(0.9)


def test_cells_are_escaped_once():
    cells = [[HOSTILE], [Th(HOSTILE)], [Td('a & b', style='text-align:left')], [3]]
    table = as_html(html_table(['<b>'], cells))
    first = '<table><thead><tr><th>&lt;b&gt;</th></tr></thead><tbody><tr><td>&lt;/script&gt;'
    assert table.startswith(first) and '&amp;lt;' not in table
    assert '<td style="text-align:left">a &amp; b</td>' in table and '<td>3</td>' in table
    assert as_html(P(Safe('<i>x</i>')), 'a < b') == '<p><i>x</i></p>a &lt; b'
    assert type(as_html(P('x'))) is str


@each
def test_a_fragment_holds_its_state_and_nothing_ends_it_early(name, state_of):
    page = fragment(name, as_html(P(HOSTILE)), dict(said=HOSTILE))
    assert page.startswith(f'<div data-cfx="{name}"><style>') and page.endswith('</script></div>')
    assert page.lower().count('<script') == page.lower().count('</script') == 2
    assert '<img' not in page and '<!--' not in page
    assert state_of(page) == dict(said=HOSTILE, static=True)


@each
def test_a_script_is_small_and_asks_nobody(name):
    "Nothing is fetched, evaluated or written as HTML."
    js, css = asset(name, 'js'), asset(name, 'css')
    for word in ('innerHTML', 'insertAdjacentHTML', 'eval(', 'fetch(', 'import('):
        assert word not in js
    assert set(re.findall(r'\w+://[^"\']+', js)) <= {'http://www.w3.org/2000/svg'}
    assert '://' not in css and '@import' not in css
    assert len(js) + len(css) <= MOST[name] * 1024


def test_a_page_needs_no_matplotlib_and_a_picture_no_widgets():
    pages = 'import sys; sys.modules.update(matplotlib=None); from conflare_nb.show import '
    pages += 'alpha, lottery, matches, planner, sets'
    picture = 'import sys; sys.modules.update(anywidget=None, ipywidgets=None); '
    picture += 'from conflare_nb.show.plots import plot_scores'
    for code in (pages, picture):
        subprocess.run([sys.executable, '-c', code], check=True)
