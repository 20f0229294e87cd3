"The lottery and the planner in a real browser, on a page without a kernel."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb.evidence.planning import PLANNED
from conflare_nb.show.lottery import coverage_lottery
from conflare_nb.show.planner import sample_plan
from web import resized, slide

expect = pytest.importorskip('playwright.sync_api').expect
POOL = np.sort(np.random.default_rng(0).beta(4, 6, 200))


@pytest.fixture(scope='module')
def page(one_page):
    "One page for all tests of this file, which note no error."
    yield one_page
    assert one_page.errors == [] and one_page.away == []


@pytest.fixture(scope='module')
def pages(publish):
    lotteries = dict(crowd=(50, 0.1, 0), pool=(60, 0.1, 30, [*POOL, np.inf]), few=(8, 0.1, 3))
    plans = dict(plan=sample_plan(), far=sample_plan(0.01, 0.005))
    plans |= dict(kinds=sample_plan(0.05, guarantee='groups', share=0.2))
    views = {name: coverage_lottery(*given).html() for name, given in lotteries.items()}
    views |= {name: plan.html() for name, plan in plans.items()}
    return publish(views | {'all': ''.join(views.values())})


def _agrees(page, draws, scores=None):
    expect(page.locator('.cfx')).to_have_attribute('data-draws', str(draws))
    d = page.locator('.cfx').evaluate('e => ({...e.dataset})')
    view = coverage_lottery(int(d['n']), float(d['alpha']), draws, scores, int(d['seed']))
    assert int(d['inside']) == view.inside
    assert np.allclose([float(d['low']), float(d['high'])], [view.low, view.high], atol=2e-6)
    if draws:
        assert abs(float(d['mean']) - view.coverage.mean()) < 2e-6
    return d


def test_drawing_by_mouse_and_keys(pages, page):
    page.goto(f'{pages}/crowd.html')
    summary = page.locator('.cfx-summary')
    expect(summary).to_contain_text('Nothing has been drawn yet.')
    expect(summary).to_contain_text('mean coverage is 46/51 = 90.2%')
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
    for _ in range(20):
        page.keyboard.press('3')
    _agrees(page, 2000)
    for name in ('Draw 1', 'Draw 100'):
        expect(page.get_by_role('button', name=name, exact=True)).to_be_disabled()
    page.keyboard.press('0')  # the keys go on where nothing more is drawn
    _agrees(page, 0)
    assert page.errors == []


def test_the_dials_of_the_lottery(pages, page):
    page.goto(f'{pages}/pool.html')
    world = [*POOL, np.inf]
    _agrees(page, 30, world)
    slide(page, 'ArrowRight', 5)
    assert _agrees(page, 30, world)['n'] == '65'
    slide(page, 'ArrowRight', 2, nth=1)
    assert _agrees(page, 30, world)['alpha'] == '0.11'
    page.get_by_label('n, as a number').fill('123')  # digits typed here draw nothing
    assert _agrees(page, 30, world)['n'] == '123'
    for bad in ('201', '', '1.5'):
        page.get_by_label('n, as a number').fill(bad)
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
        assert [int(d[k]) for k in ('n', 'first', 'finite')] == [p.n, p.first, p.finite]
        assert np.allclose([float(d['low']), float(d['high'])], [p.low, p.high], atol=2e-6)
        expect(page.locator('.cfx-needed')).to_contain_text(f'{p.n:,} question')
        assert d[n_of[0]] == n_of[1]

    agrees(('alpha', '0.1'))
    page.get_by_label('coverage should be').select_option('true')
    agrees(('sides', '2'))
    page.get_by_label('confidence').select_option(label='99%')
    agrees(('delta', '0.01'))
    slide(page, 'ArrowLeft', 1, nth=1)
    agrees(('eps', '0.045'))
    page.get_by_label('alpha, as a number').fill('.02')
    agrees(('alpha', '0.02'))
    slide(page, 'End', 1)
    agrees(('alpha', '0.5'))
    page.get_by_label('eps, as a number').fill('.9')
    expect(page.get_by_label('eps, as a number')).to_have_attribute('aria-invalid', 'true')
    assert page.errors == []


def test_a_guarantee_is_chosen(pages, page):
    page.goto(f'{pages}/kinds.html')
    root = page.locator('.cfx')

    def agrees(name, **wish):
        d = root.evaluate('e => ({...e.dataset})')
        assert d['guarantee'] == name and all(float(d[key]) == value for key, value in wish.items())
        view = sample_plan(float(d['alpha']), float(d['eps']), float(d['delta']))
        if name != 'threshold':
            row = replace(view, guarantee=name, share=float(d['share'])).row
            assert [int(d['finite']), int(d['n'])] == [row.finite, row.worthwhile]
            needed = f'{row.worthwhile:,} {row.unit[:-1]}'
            expect(page.locator('.cfx-needed')).to_contain_text(needed)
        shown = name == 'threshold'
        assert page.get_by_label('coverage should be').is_visible() == shown
        assert page.get_by_text('Coverage against').is_visible() == shown
        asks = name in ('groups', 'weights')
        assert page.get_by_label('share, as a number').is_visible() == asks
        assert page.locator('.cfx-chosen').text_content().startswith(name)

    agrees('groups', alpha=0.05, share=0.2)
    page.get_by_label('share, as a number').fill('.35')
    agrees('groups', share=0.35)
    slide(page, 'ArrowRight', 2, nth=2)
    agrees('groups', share=0.37)
    for name in PLANNED:
        page.get_by_label('guarantee', exact=True).select_option(name)
        agrees(name)
    page.get_by_label('guarantee', exact=True).select_option('weights')
    agrees('weights', share=0.5)
    page.get_by_label('alpha, as a number').fill('.2')
    agrees('weights', alpha=0.2)
    page.get_by_label('share, as a number').fill('1')
    expect(page.get_by_label('share, as a number')).to_have_attribute('aria-invalid', 'true')
    assert page.errors == []


def test_narrow_and_wide(pages, page):
    page.goto(f'{pages}/all.html')
    for width in resized(page, 400, 700, 1400):
        assert page.evaluate('document.documentElement.scrollWidth') <= width
        ends = page.evaluate(
            "[...document.querySelectorAll('.cfx')].flatMap(w => { const b = w.getBoundingClientRect(); return [...w.querySelectorAll('svg text')].map(t => t.getBoundingClientRect()).map(r => Math.min(r.left - b.left, b.right - r.right)) })"
        )
        assert len(ends) > 60 and min(ends) >= 0
    assert page.errors == []
