"The explorer of answer sets in a real browser: on a page without a kernel, and in JupyterLab with one."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb.show.sets import answer_set_view
from conflare_nb.traq.sameness import cluster_answers
from conflare_nb.traq.sets import TraqCalibration, calibrate_answers
from conflare_nb.traq.alpha_split import tabulate
from web import ROOT, eventually, fits, kernel, resized, slide
from sampled import sampled_question

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '</script><img src=x onerror="window.hacked=1">'
N = 39
new = [sampled_question(i) for i in range(100, 106)]


def hostile(q):  # the question with everything that came from outside replaced
    said = cluster_answers([HOSTILE] * 4 + ['far ' * 40] * 2)
    pool = tuple(replace(p, id=f'{HOSTILE} {i}', answers=said) for i, p in enumerate(q.pool))
    return replace(q, text=f'{HOSTILE} {"and where " * 12}', pool=pool, references=(HOSTILE,))


@pytest.fixture(scope='module')
def views():
    "Questions with test questions beside them; one alone whose texts are hostile; and one without any passage, where no calibration question is in reach."
    cal = calibrate_answers([sampled_question(i) for i in range(N)])
    table = tabulate([sampled_question(i) for i in range(N, 100)])
    evil, lost = hostile(new[0]), TraqCalibration(('a', 'b', 'c'), [np.inf] * 3, [np.inf] * 3, 6)
    nothing = replace(new[0], pool=(replace(new[0].pool[0], score=np.inf),), gold=0)
    evil = answer_set_view([evil], cal, texts={p.id: HOSTILE for p in evil.pool})
    return answer_set_view(new, cal, table), evil, answer_set_view([nothing], lost, table)


@pytest.fixture(scope='module')
def site(views, publish):
    return publish({n: v.html(alpha=0.3) for n, v in zip(('page', 'evil', 'none'), views)})


def _shows(page, view, question, alpha, share):
    s, root = view.at(question, alpha, share), page.locator('.cfx')
    tau = f'{s["tau"]:.4f}' if np.isfinite(s['tau']) else 'inf'
    found = s['found']
    now = dict(question=question, alpha=f'{alpha:.9g}', share=f'{share:.9g}', tau=tau)
    now |= dict(ranks='{} {}'.format(*s['ranks']), count=s['count'], answers=len(found))
    now |= dict(asked=len(found.asked), unbounded=str(bool(found.unbounded)).lower())
    for name, value in now.items():
        expect(root).to_have_attribute(f'data-{name}', str(value))
    listed = page.locator('.cfx-set .cfx-where').all_text_contents()
    assert listed == [a.shown for a in found.answers]
    skipped = page.locator('.cfx-pool .cfx-asked-now', has_text='not asked')
    expect(skipped).to_have_count(len(found.skipped))
    m_ret, m_qa = s['ranks']
    ranks = 'rank' if m_ret + m_qa == 1 else 'ranks'
    said = f'{m_ret} of {m_ret + m_qa} {ranks} for retrieval, {m_qa} for the answers'
    expect(page.get_by_label('share of alpha')).to_have_attribute('aria-valuetext', said)


def test_both_sliders_move_on_a_page(site, views, page):
    page.goto(f'{site}/page.html')
    view, line = views[0], page.locator('.cfx-left svg').first.locator('.cfx-line')
    _shows(page, view, 0, 0.3, 0.5)
    at_first = line.get_attribute('d')
    note = page.get_by_text('The guarantee holds for an alpha and a share chosen beforehand')
    expect(note).to_be_hidden()
    slide(page, 'ArrowLeft', 10)
    _shows(page, view, 0, 0.25, 0.5)
    expect(note).to_be_visible()
    slide(page, 'ArrowRight', 2, nth=1)  # a step is a rank: from 5 of 10 to 7
    _shows(page, view, 0, 0.25, 0.7)
    for key, share in (('End', 1.0), ('Home', 0.0)):  # one step has no threshold left
        slide(page, key, 1, nth=1)
        _shows(page, view, 0, 0.25, share)
        expect(page.locator('.cfx-summary')).to_have_text('The set is everything.')
        assert line.get_attribute('d') != at_first
        spent = 'All of alpha is spent on one step'
        expect(page.locator('.cfx-alpha .cfx-hint')).to_contain_text(spent)
    page.get_by_label('share, as a number').fill('.4')
    page.get_by_label('alpha, as a number').fill('.123')
    _shows(page, view, 0, 0.123, 0.4)
    for name in ('alpha', 'share'):  # nothing moves
        field = page.get_by_label(f'{name}, as a number')
        for bad in ('1.2', ''):
            field.fill(bad)
            expect(field).to_have_attribute('aria-invalid', 'true')
            _shows(page, view, 0, 0.123, 0.4)
    assert page.errors == [] and page.away == []


def test_another_question_needs_no_kernel(site, views, page):
    page.goto(f'{site}/page.html')
    missed = page.get_by_text('Missed: one of the 30% that you allow.')
    page.get_by_label('Question', exact=True).focus()
    for i in range(6):
        _shows(page, views[0], i, 0.3, 0.5)
        expect(missed).to_be_visible(visible=views[0].misses(i, 0.3, 0.5))
        page.keyboard.press('ArrowDown')
    assert page.errors == [] and page.away == []


def test_what_stays_is_marked_and_said(site, views, page):
    page.goto(f'{site}/page.html')
    page.get_by_label('Question', exact=True).select_option(index=5)
    s = views[0].at(5, 0.3, 0.5)
    passages = [p for p in new[5].pool if p.id in s['found'].asked]
    stays = [sum(c >= s['count'] for c in p.answers.counts) for p in passages]
    expect(page.get_by_role('img', name='in the set', exact=True)).to_have_count(sum(stays))
    folded = [len(p.answers) - n for n, p in zip(stays, passages)]  # beyond four, three are seen
    visible = sum(stays) + sum(3 if n > 4 else n for n in folded)
    expect(page.locator('.cfx-said:visible')).to_have_count(visible)
    for item in page.locator('.cfx-pool summary').all()[: len(passages)]:
        item.click()
    expect(page.locator('.cfx-said:visible')).to_have_count(sum(len(p.answers) for p in passages))
    assert sum(stays) > 0 and max(folded) > 4
    k_ret, k_qa = (f'(k = {N + 1 - m} of n = {N})' for m in s['ranks'])
    cuts = (f'passages score ≤ tau = {s["tau"]:.4f} {k_ret}', f'answers at least {s["count"]} of 6 samples {k_qa}')
    for i, said in enumerate(cuts):
        expect(page.locator('.cfx-cut').nth(i)).to_have_text(said)
    cells = page.locator('.cfx tbody tr').first.locator('td').all_text_contents()
    assert cells[:2] == [f'{s["expected"]["rouge"]:.2f}', f'{s["expected"]["requests"]:.2f}']
    first = page.locator('.cfx-set .cfx-chunk').first
    first.locator('summary').focus()
    page.keyboard.press('Enter')
    expect(first.locator('.cfx-id')).to_contain_text(f'sampled: “{s["found"].answers[0].texts[0]}”')


def test_why_the_set_is_everything(site, page):
    page.goto(f'{site}/page.html')
    why, alpha = page.locator('.cfx-alpha .cfx-hint'), page.get_by_label('alpha, as a number')
    alpha.fill('.03')
    few = f'{N} questions are too few for this alpha and this share; about 66 are needed.'
    expect(why).to_contain_text(few)
    alpha.fill('.1')  # 2 ranks each, and 2 questions each out of reach
    for lost in ('the right passage was not in the pool', 'none of the sampled answers was right'):
        expect(why).to_contain_text(f'For 2 of {N} calibration questions, {lost}')
    cells = page.locator('.cfx tbody tr').first.locator('td')
    expect(cells).to_have_text(['all', '4.00', '—', '100%'])
    assert page.errors == []


@pytest.mark.parametrize('name', ['page', 'evil', 'none'])
def test_no_sideways_scrolling(site, page, name):
    page.goto(f'{site}/{name}.html')
    for width in resized(page, 1400, 700, 400):
        fits(page, width)
    assert page.errors == []


CELLS = [
    f"""import sys; sys.path.insert(0, {str(ROOT / 'tests')!r})
from sampled import sampled_question
from conflare_nb.traq.sets import calibrate_answers
from conflare_nb.traq.alpha_split import tabulate
from conflare_nb.show.sets import AnswerSetExplorer
some = lambda *r: [sampled_question(i) for i in range(*r)]
w = AnswerSetExplorer(some(100, 106), calibrate_answers(some({N})), tabulate(some({N}, 100)))""",
    'w',
]


def test_lab_slides_both_ways(run_cells, views):
    page, view = run_cells(CELLS), views[0]
    page.wait_for_selector('.cfx-pool')
    _shows(page, view, 0, 0.2, 0.5)
    slide(page, 'ArrowRight', 20)
    eventually(page, 'w.alpha', 0.3)
    slide(page, 'ArrowLeft', 2, nth=1)
    eventually(page, 'w.share', 4 / 12)
    _shows(page, view, 0, 0.3, 4 / 12)
    page.get_by_label('Question', exact=True).select_option(index=3)
    eventually(page, 'w.question', 3)
    kernel(page, '1', 'w.alpha, w.share, w.question = .4, .75, 1')
    _shows(page, view, 1, 0.4, 0.75)
    assert kernel(page, 'len(w.found)') == len(view.at(1, 0.4, 0.75)['found'])
    assert page.errors == []
