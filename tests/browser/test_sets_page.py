"The explorer of answer sets in a real browser: on a page without a kernel, and in JupyterLab with one."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb.show.page import asset
from conflare_nb.show.sets import answer_set_view
from conflare_nb.traq.sameness import cluster_answers
from conflare_nb.conformal.two_steps import Rule
from conflare_nb.traq.sets import TraqCalibration, answer_set, calibrate_answers
from conflare_nb.traq.alpha_split import set_measures, tabulate
from web import (
    ROOT,
    as_page,
    eventually,
    fits,
    kernel,
    readable,
    served,
    slide,
    stays_text,
    write_notebook,
    write_page,
)
from sampled import sampled_question

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '</script><img src=x onerror="window.hacked=1">'
N = 39
cal = calibrate_answers([sampled_question(i) for i in range(N)])
table = tabulate([sampled_question(i) for i in range(N, 100)])
new = [sampled_question(i) for i in range(100, 106)]


def hostile(q):  # the question with everything that came from outside replaced
    pool = tuple(
        replace(p, id=f'{HOSTILE} {i}', answers=cluster_answers([HOSTILE] * 4 + ['far ' * 40] * 2))
        for i, p in enumerate(q.pool)
    )
    return replace(q, text=f'{HOSTILE} {"and where " * 12}', pool=pool, references=(HOSTILE,))


@pytest.fixture(scope='module')
def views():
    "Questions with test questions beside them; one alone whose texts are hostile; and one without any passage, where no calibration question is in reach."
    evil, lost = hostile(new[0]), TraqCalibration(('a', 'b', 'c'), [np.inf] * 3, [np.inf] * 3, 6)
    nothing = replace(new[0], pool=(replace(new[0].pool[0], score=np.inf),), gold=0)
    return (
        answer_set_view(new, cal, table),
        answer_set_view([evil], cal, texts={p.id: HOSTILE for p in evil.pool}),
        answer_set_view([nothing], lost, table),
    )


@pytest.fixture(scope='module')
def site(views, tmp_path_factory):
    "The views as pages on a server of this machine."
    root = tmp_path_factory.mktemp('site')
    for name, view in zip(('page', 'evil', 'none'), views):
        write_page(root / f'{name}.html', view.html(alpha=0.3))
    with served(root) as url:
        yield url


def _shows(page, view, question, alpha, share):
    "The page shows exactly what the view says."
    s, root = view.at(question, alpha, share), page.locator('.cfx')
    tau = f'{s["tau"]:.4f}' if np.isfinite(s['tau']) else 'inf'
    now = dict(
        question=question,
        alpha=f'{alpha:.9g}',
        share=f'{share:.9g}',
        ranks='{} {}'.format(*s['ranks']),
        tau=tau,
        count=s['count'],
        answers=len(s['found']),
        asked=len(s['found'].asked),
        unbounded=str(bool(s['found'].unbounded)).lower(),
    )
    for name, value in now.items():
        expect(root).to_have_attribute(f'data-{name}', str(value))
    assert page.locator('.cfx-set .cfx-where').all_text_contents() == [
        a.shown for a in s['found'].answers
    ]
    expect(page.locator('.cfx-pool .cfx-asked-now', has_text='not asked')).to_have_count(
        len(s['found'].skipped)
    )
    expect(page.get_by_label('share of alpha')).to_have_attribute(
        'aria-valuetext',
        '{} of {} rank{} for retrieval, {} for the answers'.format(
            s['ranks'][0], sum(s['ranks']), 's' * (sum(s['ranks']) != 1), s['ranks'][1]
        ),
    )


def test_every_split_in_the_browser_is_the_set_itself(page):
    "Same texts, counts, p-values, passages and order as `answer_set`; same means as `set_measures`; for all splits and many alphas."
    view = answer_set_view(new, cal, table)
    cases = [((b + 0.5) / (N + 1), m / b) for b in range(1, 21) for m in range(b + 1)] + [
        (a, s) for a in np.linspace(0.01, 0.5, 50).tolist() for s in (0.05, 0.35, 0.5, 0.85)
    ]
    js = (
        "async ([js, state, cases]) => { const m = await import(URL.createObjectURL(new Blob([js], { type: 'text/javascript' })));"
        " return cases.map(([a, s]) => state.questions.map((q, i) => { const x = m.default.at(state, i, a, s); return { ...x, tau: x.tau < Infinity ? x.tau : null } })) }"
    )
    page.goto('data:text/html,<p>')
    for case, got in zip(
        cases, page.evaluate(js, [asset('sets', 'js'), view.state(), [list(c) for c in cases]])
    ):
        rule = Rule('ranks', N, *case)
        tau, count = cal.thresholds(rule)
        means = set_measures(table, np.arange(len(table)), cal, rule)
        for q, x in zip(new, got):
            found, ids = answer_set(q, cal, rule), [p.id for p in q.pool]
            assert [
                (
                    a['text'],
                    a['count'],
                    a['share'],
                    a['p'],
                    [ids[i] for i in a['passages']],
                    a['right'],
                )
                for a in x['answers']
            ] == [
                (
                    a.shown,
                    a.count,
                    a.share,
                    a.p,
                    list(a.passages),
                    replace(found, answers=(a,)).covers(q.references),
                )
                for a in found.answers
            ]
            assert (x['unbounded'], x['asked'], x['count'], x['tau']) == (
                bool(found.unbounded),
                len(found.asked),
                count,
                round(tau, 4) if np.isfinite(tau) else None,
            )
            assert x['expected'] == pytest.approx({k: means[k] for k in x['expected']})


def test_both_sliders_move_on_a_page(site, views, page):
    page.goto(f'{site}/page.html')
    view, line = views[0], page.locator('.cfx-left svg').first.locator('.cfx-line')
    _shows(page, view, 0, 0.3, 0.5)
    at_first = line.get_attribute('d')
    slide(page, 'ArrowLeft', 10)
    _shows(page, view, 0, 0.25, 0.5)
    slide(page, 'ArrowRight', 2, nth=1)  # a step is a rank: from 5 of 10 to 7
    _shows(page, view, 0, 0.25, 0.7)
    for key, share in (('End', 1.0), ('Home', 0.0)):  # one step has no threshold left
        slide(page, key, 1, nth=1)
        _shows(page, view, 0, 0.25, share)
        expect(page.locator('.cfx-summary')).to_have_text('The set is everything.')
        assert line.get_attribute('d') != at_first
        expect(page.locator('.cfx-alpha .cfx-hint')).to_contain_text(
            'All of alpha is spent on one step'
        )
    page.get_by_label('share, as a number').fill('.4')
    page.get_by_label('alpha, as a number').fill('.123')
    _shows(page, view, 0, 0.123, 0.4)
    for name, bad in (
        ('alpha', '.6'),
        ('alpha', ''),
        ('share', '1.2'),
        ('share', ''),
    ):  # nothing moves
        page.get_by_label(f'{name}, as a number').fill(bad)
        expect(page.get_by_label(f'{name}, as a number')).to_have_attribute('aria-invalid', 'true')
        _shows(page, view, 0, 0.123, 0.4)
    assert page.errors == [] and page.away == []


def test_another_question_needs_no_kernel(site, views, page):
    page.goto(f'{site}/page.html')
    page.get_by_label('Question', exact=True).focus()
    for i in (1, 2, 3):
        page.keyboard.press('ArrowDown')
        _shows(page, views[0], i, 0.3, 0.5)
    assert page.errors == [] and page.away == []


def test_what_stays_is_marked_and_said(site, views, page):
    page.goto(f'{site}/page.html')
    page.get_by_label('Question', exact=True).select_option(index=5)
    s = views[0].at(5, 0.3, 0.5)
    passages = [p for p in new[5].pool if p.id in s['found'].asked]
    stays = [sum(c >= s['count'] for c in p.answers.counts) for p in passages]
    expect(page.get_by_role('img', name='in the set', exact=True)).to_have_count(sum(stays))
    expect(page.locator('.cfx-said:visible')).to_have_count(
        sum(
            n + (3 if len(p.answers) - n > 4 else len(p.answers) - n)
            for n, p in zip(stays, passages)
        )
    )
    for item in page.locator('.cfx-pool summary').all()[: len(passages)]:
        item.click()
    expect(page.locator('.cfx-said:visible')).to_have_count(sum(len(p.answers) for p in passages))
    assert sum(stays) > 0 and any(len(p.answers) - n > 4 for n, p in zip(stays, passages))
    expect(page.locator('.cfx-cut').nth(0)).to_have_text(
        f'passages score ≤ tau = {s["tau"]:.4f} (k = {N + 1 - s["ranks"][0]} of n = {N})'
    )
    expect(page.locator('.cfx-cut').nth(1)).to_have_text(
        f'answers at least {s["count"]} of 6 samples (k = {N + 1 - s["ranks"][1]} of n = {N})'
    )
    cells = page.locator('.cfx tbody tr').first.locator('td').all_text_contents()
    assert cells[:2] == [f'{s["expected"]["rouge"]:.2f}', f'{s["expected"]["requests"]:.2f}']
    first = page.locator('.cfx-set .cfx-chunk').first
    first.locator('summary').focus()
    page.keyboard.press('Enter')
    expect(first.locator('.cfx-id')).to_contain_text(f'sampled: “{s["found"].answers[0].texts[0]}”')


def test_an_empty_set_is_said(site, views, page):
    page.goto(f'{site}/page.html')
    assert not len(views[0].at(0, 0.3, 0.5)['found']) and len(views[0].at(5, 0.3, 0.5)['found'])
    empty = page.get_by_text('The set is empty, and the question one of the misses.')
    expect(empty).to_be_visible()
    page.get_by_label('Question', exact=True).select_option(index=5)
    expect(empty).to_be_hidden()


def test_why_the_set_is_everything(site, page):
    page.goto(f'{site}/page.html')
    why, alpha = page.locator('.cfx-alpha .cfx-hint'), page.get_by_label('alpha, as a number')
    alpha.fill('.03')
    expect(why).to_contain_text(
        f'{N} questions are too few for this alpha and this share, about 66 are needed.'
    )
    alpha.fill('.1')  # 2 ranks each, and 2 questions each out of reach
    expect(why).to_contain_text(
        f'For 2 of {N} calibration questions the right passage was not in the pool'
    )
    expect(why).to_contain_text(f'For 2 of {N} calibration questions none of the answers was right')
    expect(page.locator('.cfx tbody tr').first.locator('td')).to_have_text(
        ['all', '4.00', '—', '100%']
    )
    assert page.errors == []


def test_what_comes_from_outside_stays_text(site, page):
    page.goto(f'{site}/evil.html')
    expect(page.locator('.cfx-set .cfx-where').first).to_have_text(HOSTILE)
    expect(page.locator('.cfx-pool .cfx-where').first).to_have_text(f'{HOSTILE} 0')
    expect(page.locator('.cfx-saved')).to_contain_text(HOSTILE)
    expect(page.locator('.cfx-pool .cfx-text').first).to_have_text(HOSTILE)
    assert (
        page.get_by_label('Question', exact=True).count() == 0
        and not page.get_by_text('On test questions').is_visible()
    )
    stays_text(page)


def test_the_note_comes_with_the_first_move(site, page):
    page.goto(f'{site}/page.html')
    note = page.get_by_text('The guarantee is for an alpha and a share chosen beforehand')
    expect(note).to_be_hidden()
    slide(page, 'ArrowRight', 1, nth=1)
    expect(note).to_be_visible()


@pytest.mark.parametrize('width', [400, 700, 1400])
@pytest.mark.parametrize('name', ['page', 'evil', 'none'])
def test_no_sideways_scrolling(site, page, width, name):
    page.set_viewport_size({'width': width, 'height': 1000})
    page.goto(f'{site}/{name}.html')
    fits(page, width)
    assert page.errors == []


@pytest.mark.parametrize(
    'scheme,page_is,dark',
    [
        ('light', '', False),
        ('dark', '', False),
        ('dark', 'style="color-scheme: light dark"', True),
        ('light', 'data-bs-theme="dark"', True),
        ('dark', 'data-bs-theme="light"', False),
    ],
)
def test_light_and_dark_as_the_page(site, page, scheme, page_is, dark):
    page.emulate_media(color_scheme=scheme)
    as_page(page, page_is)
    page.goto(f'{site}/page.html')
    readable(
        page,
        dark,
        '.cfx-summary, .cfx-hint, .cfx-where, .cfx-num, .cfx-yes, .cfx-said:not(.cfx-in), .cfx-off .cfx-where, .cfx-asked-now',
    )


# ---- in JupyterLab

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


@pytest.fixture(scope='module')
def notebook(lab, one_page, tmp_path_factory):
    "The notebook, run: one page for all tests of this part."
    file = write_notebook(tmp_path_factory.mktemp('notebook') / 'sets.ipynb', CELLS)
    page = one_page
    lab.run(page, file)
    page.wait_for_selector('.cfx-pool')
    return page


def test_lab_slides_both_ways(notebook, views):
    page, view = notebook, views[0]
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
