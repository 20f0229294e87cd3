"Two models in a real browser, on a page without a kernel."

import numpy as np, pytest
from conflare_nb.show.two_models import TwoModels, model_view
from conflare_nb.words import plural
from web import fits, resized, slide, stays_text

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '</script><img src=x onerror="window.hacked=1"> a model with a long name'


def made(name, scale=1, shift=0, n=60, lost=0, seed=0):
    rng = np.random.default_rng(seed)
    cal, test, chunks = rng.beta(3, 4, n), rng.beta(3, 4, 40), rng.beta(5, 3, (40, 30))
    scores = np.append(scale * cal[lost:] + shift, [np.inf] * lost)
    return model_view(name, scores, scale * test + shift, scale * chunks + shift)


@pytest.fixture(scope='module')
def pairs():
    "Two models on two scales; and two with few questions, one of which nothing answers."
    return dict(
        page=(made('sharp'), made('coarse', 50, -70, 45, 3, 1)),
        few=(made(HOSTILE, n=5), model_view('none', [np.inf] * 4, [0.2], [[0.2, 0.3]])),
    )


@pytest.fixture(scope='module')
def site(pairs, publish):
    return publish({name: TwoModels(*pair).html() for name, pair in pairs.items()})


def _band(low, high, tied):
    "Rounded outwards, as a page shows it; from below only where scores tie."
    least = _percent(np.floor(low * 1000 + 1e-6) / 1000)
    if tied:
        return f'at least {least}'
    return f'{least} to {_percent(np.ceil(high * 1000 - 1e-6) / 1000)}'


def _shows(page, views, alphas):
    "The page shows of both models exactly what their views say."
    for view, alpha, box in zip(views, alphas, page.locator('.cfx-model').all()):
        s, d = view.at(alpha), view.digits
        finite = np.isfinite(s['qhat'])
        qhat = f'{s["qhat"]:.{d}f}'
        expect(box).to_have_attribute('data-alpha', f'{alpha:.9g}')
        expect(box).to_have_attribute('data-qhat', qhat)
        limit = qhat.replace('-', '−') if finite else 'infinite'
        tested = plural(view.tested, 'question')
        for i, said in enumerate(
            (
                f'{s["chunks"]:.1f} of {view.total:g}',
                f'{_percent(s["coverage"])} of {tested}',
                _band(s['low'], s['high'], s['tied'])
                if finite
                else 'every question with an answer',
                f'{limit} (k = {s["k"]} of n = {view.n})',
            )
        ):
            expect(box.locator('td').nth(i)).to_have_text(said)
        expect(box.locator('.cfx-qhat')).to_have_text(f'qhat {limit}')
        said = f'alpha {alpha:.9g}, {s["chunks"]:.1f} chunks'
        expect(box.locator('input[type=range]')).to_have_attribute('aria-valuetext', said)


def _percent(share):
    return f'{100 * round(share, 3):.6g}%'


def _alphas(page):
    return [float(b.get_attribute('data-alpha')) for b in page.locator('.cfx-model').all()]


def _place(page, view, nth, value):  # (x, y) of a score in the window
    "Where a score lies, by the labels of two ticks; `inf` has a label of its own."
    chart = page.locator('.cfx-scores').nth(nth)
    labels = chart.evaluate("""s => [...s.querySelectorAll('text[text-anchor=middle]')]
        .map(t => { const b = t.getBoundingClientRect(); return [t.textContent, b.x + b.width/2] })""")
    at = {float(t.replace('−', '-')): x for t, x in labels if 'better' not in t}
    y = chart.bounding_box()['y'] + 90
    if value == np.inf:
        return at[np.inf], y
    a, b = sorted(k for k in at if np.isfinite(k))[:2]
    return at[a] + (value - a) / (b - a) * (at[b] - at[a]), y


def _drag(page, view, nth, *values):
    "Press on the line, move to some scores, let go."
    box = page.locator('.cfx-model').nth(nth)
    x, y = _place(page, view, nth, float(box.get_attribute('data-qhat')))
    page.mouse.move(x, y)
    page.mouse.down()
    for v in values:
        page.mouse.move(*_place(page, view, nth, v), steps=3)
    page.mouse.up()


def test_the_line_is_dragged_and_snaps_to_a_score(site, pairs, page):
    page.goto(f'{site}/page.html')
    a, b = pairs['page']
    _shows(page, (a, b), (0.1, 0.1))
    expect(page.locator('.cfx-summary')).to_have_text(
        f'At alpha = 0.1: {a.at(0.1)["chunks"]:.1f} chunks with sharp, {b.at(0.1)["chunks"]:.1f} with coarse; they cover {_percent(a.at(0.1)["coverage"])} and {_percent(b.at(0.1)["coverage"])}.'
    )
    _drag(page, a, 0, a.scores[10], a.scores[29] + 1e-4)
    alphas = _alphas(page)
    assert a.at(alphas[0])['k'] == 30
    assert alphas[0] == alphas[1] == 0.51  # (61-30)/61 = .508 and a bit more
    _shows(page, (a, b), alphas)
    _drag(page, b, 1, b.scores[4])
    alphas = _alphas(page)
    assert b.at(alphas[1])['k'] == 5 and alphas[0] == alphas[1]
    _shows(page, (a, b), alphas)
    _drag(page, b, 1, np.inf)  # beyond all scores: three of 45 are infinite
    alphas = _alphas(page)
    assert b.at(alphas[1])['k'] == 43
    _shows(page, (a, b), alphas)
    note = 'The guarantee holds for a model and an alpha chosen beforehand'
    expect(page.get_by_text(note)).to_be_visible()
    assert page.errors == [] and page.away == []


def test_without_the_tick_each_moves_alone(site, pairs, page):
    page.goto(f'{site}/page.html')
    a, b = pairs['page']
    same = page.get_by_label('same alpha for both')
    expect(same).to_be_checked()
    same.uncheck()
    _shows(page, (a, b), (0.1, 0.1))
    _drag(page, b, 1, b.scores[20])
    alphas = _alphas(page)
    assert alphas[0] == 0.1 and b.at(alphas[1])['k'] == 21
    slide(page, 'ArrowRight', 4, nth=0)
    _shows(page, (a, b), (0.12, alphas[1]))
    expect(page.locator('.cfx-summary')).to_contain_text(
        f'sharp at qhat {a.at(0.12)["qhat"]:.4f}: {a.at(0.12)["chunks"]:.1f} chunks, '
    )
    same.focus()
    page.keyboard.press('Space')  # together again, at the first one's alpha
    _shows(page, (a, b), (0.12, 0.12))
    assert page.errors == []


def test_by_keyboard(site, pairs, page):
    page.goto(f'{site}/page.html')
    slide(page, 'ArrowLeft', 4, nth=1)
    _shows(page, pairs['page'], (0.08, 0.08))
    for key, alpha in (('End', 0.5), ('Home', 0.01)):
        slide(page, key, 1)
        _shows(page, pairs['page'], (alpha, alpha))
    page.get_by_label('alpha of coarse, as a number').fill('.123')
    _shows(page, pairs['page'], (0.123, 0.123))
    page.get_by_label('alpha of sharp, as a number').fill('2')
    sharp = page.get_by_label('alpha of sharp, as a number')
    expect(sharp).to_have_attribute('aria-invalid', 'true')
    _shows(page, pairs['page'], (0.123, 0.123))
    for label in ('alpha of sharp', 'alpha of coarse'):
        expect(page.get_by_role('slider', name=label)).to_be_visible()


def test_a_finger_drags_sideways_and_scrolls_down(site, pairs, page):
    page.goto(f'{site}/page.html')
    a, chart = pairs['page'][0], page.locator('.cfx-scores').first
    assert chart.evaluate('e => getComputedStyle(e).touchAction') == 'pan-y'
    (x, y), (to, _) = _place(page, a, 0, a.at(0.1)['qhat']), _place(page, a, 0, a.scores[9])
    client = page.context.new_cdp_session(page)
    touch = lambda kind, *at: client.send(
        'Input.dispatchTouchEvent', dict(type=kind, touchPoints=[dict(x=x, y=y) for x, y in at])
    )
    client.send('Emulation.setTouchEmulationEnabled', dict(enabled=True))
    touch('touchStart', (x, y))
    for i in range(1, 9):
        touch('touchMove', (x + (to - x) * i / 8, y))
    touch('touchEnd')
    expect(page.locator('.cfx-model').first.locator('td').last).to_contain_text('k = 10 of')
    assert page.errors == []


def test_too_few_questions_and_hostile_names(site, pairs, page):
    page.goto(f'{site}/few.html')
    _shows(page, pairs['few'], (0.1, 0.1))
    expect(page.locator('.cfx-model .cfx-heading').first).to_have_text(HOSTILE)
    _drag(page, pairs['few'][0], 0, pairs['few'][0].scores[2])
    assert pairs['few'][0].at(_alphas(page)[0])['k'] == 3
    stays_text(page)


@pytest.mark.parametrize('name', ['page', 'few'])
def test_no_sideways_scrolling(site, page, name):
    page.goto(f'{site}/{name}.html')
    for width in resized(page, 1400, 400):
        tops = [b.bounding_box()['y'] for b in page.locator('.cfx-model').all()]
        assert (tops[0] == tops[1]) == (width == 1400)
        fits(page, width)
