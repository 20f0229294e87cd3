"The strip of dots in a real browser: by keyboard, by hand, and the mean that was promised."

import numpy as np, pytest
from playwright.sync_api import expect
from conflare_nb.show.dots import Dots
from web import serious, stays_text

SCORES = np.random.default_rng(3).gamma(3, size=600).round(2)  # with ties
ROUNDS = 150


@pytest.fixture(scope='module')
def site(publish):
    hostile = ['<img src=x onerror=alert(1)>'] * 600
    lost = [*SCORES[:500], *[np.inf] * 100]
    return publish(dict(page=Dots(SCORES).to_html(), lost=Dots(lost, hostile).to_html()))


def test_the_promised_mean_by_keyboard(site, page):
    page.emulate_media(reduced_motion='reduce')
    page.goto(f'{site}/page.html')
    slider = page.get_by_role('slider', name='You accept')
    slider.focus()
    page.keyboard.press('ArrowRight')
    expect(page.get_by_text('5 misses in 21 (alpha 24%)')).to_be_visible()
    said, found = page.get_by_role('status').locator('b'), []
    for _ in range(ROUNDS):
        page.keyboard.press('Tab')  # to Ask
        page.keyboard.press('Enter')
        found.append(int(said.inner_text().split(' of 100')[0]))
        page.keyboard.press('Tab')  # to Draw
        page.keyboard.press('Enter')
        page.keyboard.press('Shift+Tab')
        page.keyboard.press('Shift+Tab')
    error = np.std(found) / np.sqrt(ROUNDS)
    assert abs(np.mean(found) / 100 - 16 / 21) < 3 * error / 100 + 0.01  # ties cover a little more
    assert len(set(found)) > 10 and page.errors == [] and page.away == []


def test_the_line_by_hand(site, page):
    page.emulate_media(reduced_motion='reduce')
    page.goto(f'{site}/page.html')
    strip = page.locator('.cfx-strip').bounding_box()
    page.mouse.click(strip['x'] + strip['width'] - 3, strip['y'] + 60)
    expect(page.get_by_role('status')).to_contain_text('read everything')
    page.get_by_role('button', name='Ask').click()
    expect(page.get_by_role('status')).to_contain_text('100 of 100 found')
    page.mouse.click(strip['x'] + 20, strip['y'] + 60)
    expect(page.get_by_role('status')).to_contain_text('dot 11 of 20')


def test_it_plays_once_unless_it_is_touched(site, page):
    page.goto(f'{site}/page.html')
    expect(page.get_by_role('status')).to_contain_text('of 100 found', timeout=15_000)
    expect(page.locator('.cfx-dot[data-kind=new]')).to_have_count(100)
    page.reload()
    page.get_by_role('slider').press('ArrowLeft')
    page.wait_for_timeout(4_000)
    expect(page.get_by_role('status')).to_contain_text('dot 18 of 20')


@pytest.mark.parametrize('width', [400, 1400])
def test_it_fits_and_reads_well(site, page, width):
    page.set_viewport_size(dict(width=width, height=800))
    page.emulate_media(reduced_motion='reduce')
    page.goto(f'{site}/lost.html')
    page.get_by_role('button', name='Ask').click()
    assert page.evaluate('document.documentElement.scrollWidth') <= width
    assert page.get_by_role('status').bounding_box()['y'] < 700
    assert serious(page, context='.cfx') == []
    stays_text(page)
