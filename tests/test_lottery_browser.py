"The lottery and the planner in a real browser, on a page without a kernel."
import numpy as np, pytest
from scipy.stats import beta, betabinom
from conflare_nb.conformal import conformal_rank
from conflare_nb.lottery import _lottery_asset, _planner_asset, coverage_lottery, lottery_html, plan_html, sample_plan
from browser import contrast, eventually, kernel, served, slide, write_notebook, write_page

expect = pytest.importorskip('playwright.sync_api').expect
POOL = np.sort(np.random.default_rng(0).beta(4, 6, 200))
NAMES = 'crowd', 'pool', 'few', 'plan'

@pytest.fixture(scope='module')
def pages(tmp_path_factory):
    root = tmp_path_factory.mktemp('lottery')
    views = lottery_html(coverage_lottery(50, .1, 0)), lottery_html(coverage_lottery(60, .1, 30, [*POOL, np.inf])), lottery_html(coverage_lottery(8, .1, 3)), plan_html(sample_plan())
    for name, body in zip(NAMES, views): write_page(root/f'{name}.html', body)
    with served(root) as url: yield url

def _agrees(page, draws, scores=None):
    "The page shows what Python draws with the same numbers."
    expect(page.locator('.cfx')).to_have_attribute('data-draws', str(draws))
    d = page.locator('.cfx').evaluate('e => ({...e.dataset})')
    view = coverage_lottery(int(d['n']), float(d['alpha']), draws, scores, int(d['seed']))
    assert int(d['inside']) == view.inside
    assert np.allclose([float(d['low']), float(d['high'])], [view.low, view.high], atol=2e-6)
    if draws: assert abs(float(d['mean'])-view.coverage.mean()) < 2e-6
    return d

def test_drawing_by_mouse_and_keys(pages, page):
    page.goto(f'{pages}/crowd.html')
    summary = page.locator('.cfx-summary')
    expect(summary).to_contain_text('Nothing is drawn yet.'); expect(summary).to_contain_text('exactly 90.2%')
    page.get_by_role('button', name='Draw 1', exact=True).click()
    _agrees(page, 1)
    page.keyboard.press('2')
    _agrees(page, 11)
    page.keyboard.press('3')
    _agrees(page, 111)
    expect(summary).to_contain_text('111 draws, mean coverage')
    page.keyboard.press('0')
    assert _agrees(page, 0)['seed'] == '1'
    page.get_by_role('button', name='Draw 100', exact=True).press('Enter')
    _agrees(page, 100)
    for _ in range(20): page.keyboard.press('3')
    _agrees(page, 2000)
    expect(page.get_by_role('button', name='Draw 1', exact=True)).to_be_disabled()
    assert page.errors == [] and page.away == []

def test_the_dials_of_the_lottery(pages, page):
    page.goto(f'{pages}/pool.html')
    world = [*POOL, np.inf]
    _agrees(page, 30, world)
    n = page.get_by_label('n questions in a calibration set'); n.focus()
    for _ in range(5): page.keyboard.press('ArrowRight')
    assert _agrees(page, 30, world)['n'] == '65'
    page.get_by_label('alpha accepted share of misses').focus(); page.keyboard.press('ArrowRight'); page.keyboard.press('ArrowRight')
    assert _agrees(page, 30, world)['alpha'] == '0.11'
    page.get_by_label('n, as a number').fill('123')                          # digits typed here draw nothing
    assert _agrees(page, 30, world)['n'] == '123'
    page.get_by_label('n, as a number').fill('201')
    expect(page.get_by_label('n, as a number')).to_have_attribute('aria-invalid', 'true')
    assert _agrees(page, 30, world)['n'] == '123'
    assert page.errors == []

def test_too_few_are_said(pages, page):
    page.goto(f'{pages}/few.html')
    expect(page.locator('.cfx-summary')).to_contain_text('at least 9 are needed')
    page.get_by_label('n, as a number').fill('9')
    expect(page.locator('.cfx-summary')).to_contain_text('mean coverage')
    _agrees(page, 3)
    assert page.errors == []

def test_the_controls_of_the_planner(pages, page):
    page.goto(f'{pages}/plan.html')
    root = page.locator('.cfx')
    def agrees(n_of):
        d = root.evaluate('e => ({...e.dataset})')
        p = sample_plan(float(d['alpha']), float(d['eps']), float(d['delta']), d['sides'] == '2')
        assert [int(d[k]) for k in ('n', 'first', 'finite')] == [p.n, p.first, p.finite] and np.allclose([float(d['low']), float(d['high'])], [p.low, p.high], atol=2e-6)
        expect(page.locator('.cfx-needed')).to_contain_text(f'{p.n:,} question')
        assert d[n_of[0]] == n_of[1]
    agrees(('alpha', '0.1'))
    page.get_by_label('wanted').select_option('true'); agrees(('sides', '2'))
    page.get_by_label('confidence').select_option(label='99%'); agrees(('delta', '0.01'))
    page.get_by_label('eps shortfall').focus(); page.keyboard.press('ArrowLeft'); agrees(('eps', '0.045'))
    page.get_by_label('alpha, as a number').fill('.02'); agrees(('alpha', '0.02'))
    page.get_by_label('alpha accepted share').focus(); page.keyboard.press('End'); agrees(('alpha', '0.5'))
    page.get_by_label('eps, as a number').fill('.9')
    expect(page.get_by_label('eps, as a number')).to_have_attribute('aria-invalid', 'true')
    assert page.errors == [] and page.away == []

IMPORT = "const lib = (await import(URL.createObjectURL(new Blob([js], { type: 'text/javascript' })))).default;"

def test_the_laws_in_the_browser_are_exact(page):
    page.goto('data:text/html,<p>')
    cells = [(n, a, m) for n in (1, 9, 20, 99, 500, 1000) for a in (.01, .1, .3, .5) for m in (0, 37, 544)]
    js = f"async ([js, cells]) => {{ {IMPORT} return cells.map(([n, a, m]) => {{ const l = lib.coverageLaw(n, a, m); return [l.quantile(.05), l.quantile(.95), l.cdf(.85)] }}) }}"
    got = page.evaluate(js, [_lottery_asset('js'), cells])
    for (n, a, m), (low, high, cdf) in zip(cells, got):
        k = conformal_rank(n, a)
        if k > n:
            assert (low, high, cdf) == (1, 1, 0)
            continue
        law = beta(k, n+1-k) if not m else betabinom(m, k, n+1-k)
        assert np.allclose([low, high], law.ppf([.05, .95])/(m or 1), atol=1e-9) and abs(cdf-law.cdf(np.floor(.85*m) if m else .85)) < 1e-9

def test_the_sizes_in_the_browser_are_exact(page):
    page.goto('data:text/html,<p>')
    cells = [(a, e, d, s) for a in (.01, .05, .1, 1/3, .5) for e in (.015, .05, .2) for d in (.2, .1, .01) for s in (False, True)]
    got = page.evaluate(f"async ([js, cells]) => {{ {IMPORT} return cells.map(([a, e, d, b]) => {{ const s = lib.sizesNeeded(a, e, b ? d / 2 : d, b); return [s.n, s.first] }}) }}", [_planner_asset('js'), cells])
    assert got == [[p.n, p.first] for p in (sample_plan(*c) for c in cells)]

@pytest.mark.parametrize('scheme', ['light', 'dark'])
@pytest.mark.parametrize('name', NAMES)
def test_narrow_and_wide_light_and_dark(pages, page, name, scheme):
    page.emulate_media(color_scheme=scheme)
    for width in (400, 1400):
        page.set_viewport_size({'width': width, 'height': 900})
        page.goto(f'{pages}/{name}.html')
        assert page.evaluate('document.documentElement.scrollWidth') <= width
        assert page.evaluate("Math.max(...[...document.querySelectorAll('.cfx svg text')].map(t => t.getBoundingClientRect().right))") <= width
        unnamed = "[...document.querySelectorAll('.cfx :is(input, select, button, svg[role=img])')].filter(e => !(e.labels?.length || e.textContent.trim() || e.getAttribute('aria-label'))).length"
        assert page.evaluate(unnamed) == 0
    assert page.errors == []

# ---- in JupyterLab

CELLS = ["from conflare_nb.lottery import CoverageLottery, SamplePlanner\nw, p = CoverageLottery(n=50, alpha=.1), SamplePlanner()", 'w', 'p']

def test_lab_and_kernel_show_the_same(lab, page, tmp_path):
    lab.run(page, write_notebook(tmp_path/'lottery.ipynb', CELLS))
    lottery, planner = page.get_by_role('group', name='Coverage lottery'), page.get_by_role('group', name='Sample-size planner')
    lottery.get_by_role('button', name='Draw 10', exact=True).click()
    page.keyboard.press('3'); page.keyboard.press('1')                        # not JupyterLab's keys for headings
    expect(lottery).to_have_attribute('data-draws', '111')
    eventually(page, 'w.draws', 111)
    assert abs(kernel(page, 'w.shown.coverage.mean()')-float(lottery.get_attribute('data-mean'))) < 2e-6
    kernel(page, '1', 'w.n = 200; p.alpha = .05; p.two_sided = True')
    expect(lottery).to_have_attribute('data-n', '200')
    expect(planner).to_have_attribute('data-n', str(kernel(page, 'p.shown.n')))
    planner.get_by_label('confidence').select_option(label='95%')
    eventually(page, 'p.delta', .05)
    expect(planner).to_have_attribute('data-n', str(kernel(page, 'p.shown.n')))
    assert page.locator('.jp-MarkdownCell').count() == 0 and page.errors == []
