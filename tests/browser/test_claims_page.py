"Sentences that fade, in a real browser, by keyboard, on a page without a kernel, light and dark."

import numpy as np, pytest
from conflare_nb.answers.claims import Backed, ClaimCalibration
from conflare_nb.conformal.guarantee import MeanRisk
from conflare_nb.documents.cutting import Chunk
from conflare_nb.show.claims import LEVELS, ClaimView
from web import cut_off

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '</script><img src=x onerror="window.hacked=1"> is <b>bold</b>'


@pytest.fixture(scope='module')
def view():
    rng = np.random.default_rng(0)
    supported = (rng.random((60, 4)) > 0.2).tolist()
    supports = (rng.normal(size=(60, 4)) + np.array(supported)).round(3).tolist()
    chunk = Chunk('a#0', 'a.md', 'A', HOSTILE, text=HOSTILE)
    given = enumerate([2.5, 1.5, 0.5, -1])
    claims = [Backed(f'{HOSTILE} number {i}', x, HOSTILE, chunk) for i, x in given]
    return ClaimView(f'What? {HOSTILE}', tuple(claims), ClaimCalibration(supports, supported, {}))


@pytest.fixture(scope='module')
def site(view, publish):
    return publish(dict(page=view.html()))


def _shows(page, view, alpha, loss):
    threshold = view.cal.threshold(alpha, MeanRisk(loss))
    kept = [claim.support > threshold for claim in view.claims]
    expect(page.locator('.cfx-summary')).to_have_text(f'{sum(kept)} of 4 sentences are kept.')
    marks = page.locator('.cfx-claims .cfx-rank').all_text_contents()
    assert marks == [['dropped', 'kept'][one] for one in kept]
    empty = view.cal.at(threshold)['empty']
    expect(page.locator('.cfx')).to_contain_text(f'{100 * empty:.0f}% are left empty')


def test_sentences_fade_by_keyboard(site, view, page):
    page.goto(f'{site}/page.html')
    _shows(page, view, 0.1, 'any')
    page.keyboard.press('Tab')
    page.keyboard.press('Tab')
    slider = page.locator('input[type=range]')
    expect(slider).to_be_focused()
    for key, alpha in [('End', 0.5), ('Home', 0.01), ('ArrowRight', 0.015)]:
        page.keyboard.press(key)
        _shows(page, view, alpha, 'any')
    page.locator('.cfx-number').fill('0.2')
    _shows(page, view, 0.2, 'any')
    page.get_by_label('few of the kept').check()
    _shows(page, view, 0.2, 'share')
    assert not page.evaluate('window.hacked') and page.locator('.cfx img').count() == 0


@pytest.mark.parametrize('scheme', ['light', 'dark'])
@pytest.mark.parametrize('width', [1400, 400])
def test_nothing_is_cut_off(site, page, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(dict(width=width, height=800))
    page.goto(f'{site}/page.html')
    expect(page.locator('.cfx-claims li')).to_have_count(4)
    assert not cut_off(page)


def test_every_level_is_the_calibrations_own(view):
    for loss, rows in view.state()['levels'].items():
        for alpha, (threshold, kept, empty) in zip(LEVELS, rows, strict=True):
            found = view.cal.threshold(float(alpha), MeanRisk(loss))
            assert (np.inf if threshold is None else threshold) == max(found, -1e9)
            rates = view.cal.at(found)
            assert [kept, empty] == [round(rates[name], 4) for name in ('kept', 'empty')]
