"axe-core over the site, every lesson and everything that slides, in light and dark: nothing serious may be found."

import json
import pytest
from conflare_nb import ConformalRetriever, calibrate, rank_questions, sample_kb, sample_questions
from conflare_nb.app.report import Report, write_report
from conflare_nb.app.terminal import found_costs
from conflare_nb.evidence.evaluation import crossed_table
from web import ROOT, serious, serious_in_both, served, write_page

PAGES = 'index learn changelog conformal/index conformal/threshold show/alpha show/desk'.split()
PAGES += 'explain/faq explain/guarantees guides/your-questions show/gallery'.split()
OURS = ('html-has-lang', 'document-title')  # of the bare page around a fragment


def fragments() -> dict[str, str]:  # notebook -> the fragments with scripts that it shows
    found = {}
    for path in (ROOT / 'nbs/show').glob('*.ipynb'):
        cells = json.loads(path.read_text(encoding='utf-8'))['cells']
        data = [o.get('data', {}) for c in cells for o in c.get('outputs', [])]
        shown = [''.join(d['text/html']) for d in data if 'text/html' in d]
        if scripts := [html for html in shown if 'data-cfx' in html]:
            found[path.stem] = '\n'.join(scripts)
    return found


@pytest.mark.parametrize('at', PAGES)
def test_a_page(site, one_page, at):
    assert serious_in_both(one_page, f'{site}/{at}.html') == ([], [])


LESSONS = sorted(p.stem for p in (ROOT / 'nbs/tutorials').glob('*.ipynb'))
# what is around a lesson, and the colours of code, are the same on other pages
OWN = {'include': [['main']], 'exclude': [['pre']]}

# what follows the theme is one style sheet, and that of each widget
DARK = 'a-good-score answer-sets slide-alpha the-guarantee-is-random your-documents'.split()
OPEN = "addEventListener('DOMContentLoaded', () => document.querySelectorAll('details.reveal').forEach(d => d.open = true))"


@pytest.fixture(scope='module')
def opened(one_page):  # a page on which every result stands open
    one_page.add_init_script(OPEN)
    return one_page


@pytest.mark.parametrize('lesson', [l for l in LESSONS if l not in DARK])
def test_a_lesson(site, opened, lesson):
    opened.emulate_media(color_scheme='light', reduced_motion='reduce')
    opened.goto(f'{site}/tutorials/{lesson}.html')
    assert serious(opened, context=OWN) == []


@pytest.mark.parametrize('lesson', DARK)
def test_a_lesson_in_both_themes(site, opened, lesson):
    assert serious_in_both(opened, f'{site}/tutorials/{lesson}.html', OWN) == ([], [])


@pytest.mark.parametrize('ground, scheme', [('#fff', 'light'), ('#111', 'dark')])
def test_what_slides(page, tmp_path, ground, scheme):
    page.emulate_media(color_scheme=scheme)
    found, bodies = {}, fragments()
    with served(tmp_path) as url:
        for name, body in bodies.items():
            style = f'<style>body {{ background: {ground} }}</style>'
            write_page(tmp_path / f'{name}.html', style + body)
            page.goto(f'{url}/{name}.html')
            page.locator('.cfx').first.wait_for()
            wrong = [w for w in serious(page) if not w.startswith(OURS)]
            found |= {name: wrong} if wrong else {}
    widgets = 'alpha exercise lottery matches page planner prediction sets'
    assert set(widgets.split()) <= bodies.keys()
    assert found == {}


@pytest.mark.parametrize('width', [320, 400])
def test_a_report_on_a_phone_has_a_table_of_costs(page, tmp_path, width):
    kb, questions = sample_kb(), sample_questions()[:60]
    retriever = ConformalRetriever(kb, calibrate(kb, questions, progress=False), 0.1)
    own = rank_questions(kb, questions, progress=False)
    table = crossed_table(own, own, [0.1], splits=2)
    write_report(Report(found_costs(table, 0.1), 60, '', table, tmp_path / 'r.html'), retriever, own)
    page.set_viewport_size(dict(width=width, height=800))
    page.goto((tmp_path / 'r.html').as_uri())
    assert page.locator('.costs tr').last.evaluate('e => getComputedStyle(e).display') == 'table-row'
    assert page.locator('.costs').bounding_box()['width'] <= width
    assert serious(page) == []


def test_a_violation_would_be_found(page):
    page.set_content('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">')
    assert 'image-alt' in ' '.join(serious(page))
