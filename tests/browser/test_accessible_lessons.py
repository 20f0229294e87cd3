"axe-core over every lesson, and over one with each widget in the dark; a file of its own, so that two workers share the work."

import pytest
from web import ROOT, serious, serious_in_both

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
