"The contradiction viewer in a real browser, on a page without a kernel."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb import Distance, Hybrid
from conflare_nb.show.contradictions import ContradictionView
from web import fits, resized, slide, stays_text

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '</script><img src=x onerror="window.hacked=1">'
SCORES = np.linspace(0.2, 0.7, 99)
DISTANCES = [(0.31, 0.33), (0.66, 0.41), (0.69, 0.9), (0.25, 0.28), (0.5, 0.61)]


def _side(i, j, d):  # the nearer of two has the smaller rank
    rank = 1 + 3 * (d == max(DISTANCES[i]))
    text = f'In year {j} the advice is number {i}. ' * 8
    place = dict(document=f'note-{i}-{j}.md', title=f'Advice {i}', heading='What to do', text=text)
    return dict(**place, score=d, rank=rank, nearest=rank, beyond=int(np.searchsorted(SCORES, d)))


def _view():
    "Five questions with two sides each."
    sides = tuple(tuple(_side(i, j, d) for j, d in enumerate(p)) for i, p in enumerate(DISTANCES))
    asked = tuple(f'What is the advice about matter {i}, {"all in all " * 12}?' for i in range(5))
    names = ('newer note', 'older note')
    calibration = dict(score=Distance(), scores=SCORES, infinite=0)
    return ContradictionView(asked, sides, names, 40, 4, **calibration)


def _evil(view):
    "One question, with hostile texts on its three sides, and too few scores for most of the slider."
    said = dict.fromkeys(('document', 'title', 'heading', 'text'), HOSTILE)
    three = (*view.sides[1], view.sides[2][0])
    sides = tuple({**side, **said, 'beyond': min(side['beyond'], 3)} for side in three)
    evil = dict(questions=(HOSTILE,), sides=(sides,), names=(HOSTILE,) * 3)
    return replace(view, **evil, scores=SCORES[:3], infinite=1)


def _pooled(view):
    "By meaning and words: the best chunk has the score 0, some sides are not in the pool, top-k has another order."

    def side(i, j, s):
        score = (0.0, np.inf)[j] if i == 2 else j * (1.5 + i)
        lost = score == np.inf
        beyond = 100 if lost else int(np.searchsorted(SCORES * 5, score))
        place = dict(rank=None if lost else 1 + j, nearest=7 - j, beyond=beyond)
        return {**s, 'score': score, **place}

    sides = tuple(tuple(side(i, j, s) for j, s in enumerate(p)) for i, p in enumerate(view.sides))
    return replace(view, sides=sides, score=Hybrid(), scores=SCORES * 5)


@pytest.fixture(scope='module')
def views():
    return dict(page=(v := _view()), evil=_evil(v), pooled=_pooled(v))


@pytest.fixture(scope='module')
def site(views, publish):
    return publish({name: view.html(alpha=0.2) for name, view in views.items()})


def _shows(page, view, question, alpha):
    "The page shows exactly what the view says."
    s, root = view.at(alpha), page.locator('.cfx')
    qhat, within = f'{s["qhat"]:.4f}', s['tallies']['within qhat']
    now = dict(question=question, alpha=f'{alpha:g}', k=s['k'], qhat=qhat)
    for name, value in (now | dict(tally=' '.join(map(str, within)))).items():
        expect(root).to_have_attribute(f'data-{name}', str(value))
    inside = [x['beyond'] < s['k'] for x in view.sides[question]]
    cards = [
        f'{"retrieved" if i else "left out"} · rank {x["rank"]} of {view.total} · distance {x["score"]:.4f}'
        for i, x in zip(inside, view.sides[question])
    ]
    assert page.locator('.cfx-said-so').all_text_contents() == cards
    words = page.locator('.cfx-sides .cfx-words').all_text_contents()
    assert words == [x['text'] for x in view.sides[question]]
    for where in ('.cfx-left section > svg', '.cfx-sides'):
        expect(page.locator(f'{where} .cfx-out')).to_have_count(inside.count(False))
    rows = [row.split('\t') for row in page.locator('.cfx tbody').inner_text().split('\n')]
    assert rows == [[rule, *map(str, tally)] for rule, tally in s['tallies'].items()]
    both, one, neither = within
    words = f'both sides: {both} of {len(view.sides)}; one: {one}; neither: {neither}'
    this = ('neither', 'one', 'both sides')[sum(inside)]
    expect(page.locator('.cfx-summary')).to_have_text(
        f'qhat = {qhat} (k = {s["k"]} of n = {view.n}). '
        f'Retrieved for this question: {this}. For all questions, {words}.'
    )
    slider = page.get_by_label('alpha the share of misses')
    expect(slider).to_have_attribute('aria-valuetext', f'alpha {alpha:g}, {words}')
    expect(page.locator('.cfx-saved')).to_have_text(view.questions[question].strip())


def test_it_slides_by_keyboard(site, views, page):
    page.goto(f'{site}/page.html')
    view, line = views['page'], page.locator('.cfx-left section > svg .cfx-line')
    note = page.get_by_text('The guarantee holds for an alpha chosen beforehand')
    at_first = line.get_attribute('d')
    _shows(page, view, 0, 0.2)
    expect(note).to_be_hidden()
    slide(page, 'ArrowRight', 40)
    _shows(page, view, 0, 0.4)
    expect(note).to_be_visible()
    assert line.get_attribute('d') != at_first
    slide(page, 'Home', 1)
    _shows(page, view, 0, 0.01)
    page.get_by_label('alpha, as a number').fill('.9')
    _shows(page, view, 0, 0.9)
    page.get_by_label('alpha, as a number').fill('2')  # not an alpha: nothing moves
    expect(page.get_by_label('alpha, as a number')).to_have_attribute('aria-invalid', 'true')
    _shows(page, view, 0, 0.9)
    assert page.errors == [] and page.away == []


def test_another_question(site, views, page):
    page.goto(f'{site}/page.html')
    page.get_by_label('Question', exact=True).select_option(index=1)
    _shows(page, views['page'], 1, 0.2)
    for key, want in (('Next', 2), ('Previous', 1), ('Previous', 0), ('Previous', 4), ('Next', 0)):
        page.get_by_label(f'{key} question').focus()
        page.keyboard.press('Enter')
        _shows(page, views['page'], want, 0.2)
    page.get_by_label('Question', exact=True).focus()
    page.keyboard.press('ArrowDown')
    _shows(page, views['page'], 1, 0.2)
    assert page.errors == []


def test_sides_by_another_score(site, views, page):
    page.goto(f'{site}/pooled.html')
    said, line = page.locator('.cfx-said-so'), page.locator('.cfx-left section > svg')
    assert said.all_text_contents() == [
        'retrieved · rank 1 · score 0.0000, best chunk · by distance rank 7 of 40',
        'retrieved · rank 2 · score 1.5000, share 22% · by distance rank 6 of 40',
    ]
    expect(line).to_contain_text('-log of its share (lower = better)')
    expect(line).not_to_contain_text('inf')
    page.get_by_label('Question', exact=True).select_option(index=2)
    slide(page, 'Home', 1)
    page.get_by_label('alpha, as a number').fill('.001')
    tallies = (
        'Retrieved for this question: one. '
        'For all questions, both sides: 4 of 5; one: 1; neither: 0.'
    )
    expect(page.locator('.cfx-summary')).to_have_text(f'The whole pool is retrieved. {tallies}')
    assert said.all_text_contents()[1] == 'left out · not in the pool; by distance rank 6 of 40'
    expect(line).to_contain_text('inf')
    assert 'not in the pool, left out' in line.get_attribute('aria-label') and page.errors == []


def test_what_comes_from_outside_stays_text(site, page):
    page.goto(f'{site}/evil.html')
    assert page.locator('.cfx-sides .cfx-words').all_text_contents() == [HOSTILE] * 3
    assert page.locator('.cfx-saved').text_content() == HOSTILE
    heads = page.locator('.cfx thead th').all_text_contents()
    assert heads == ['', 'all sides', 'some', 'none']
    everything = 'Everything is retrieved. Retrieved for this question: all sides.'
    expect(page.locator('.cfx-summary')).to_contain_text(everything)
    side = page.locator('.cfx-left')
    expect(side).to_contain_text('For 1 of 4 questions, no chunk that answers was found.')
    slide(page, 'Home', 1)
    few = '4 questions are too few for alpha = 0.01; at least 99 are needed.'
    expect(side).to_contain_text(few)
    stays_text(page)


@pytest.mark.parametrize('name', ['page', 'evil', 'pooled'])
def test_no_sideways_scrolling(site, page, name):
    page.goto(f'{site}/{name}.html')
    for width in resized(page, 1400, 400):
        fits(page, width, ':is(text, path)')
        tops = [page.locator('.cfx-sides li').nth(i).bounding_box()['y'] for i in (0, 1)]
        assert (tops[0] == tops[1]) == (width == 1400)  # cards side by side, or one below the other
