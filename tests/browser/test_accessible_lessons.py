"axe-core over every lesson, in light and dark; a file of its own, so that two workers share the work."
import pytest
from web import ROOT, serious_in_both

LESSONS = sorted(p.stem for p in (ROOT/'nbs/tutorials').glob('*.ipynb'))
OWN = {'include': [['main']], 'exclude': [['pre']]}     # what stands around a lesson, and the colours of code, are the same on other pages

OPEN = "addEventListener('DOMContentLoaded', () => document.querySelectorAll('details.reveal').forEach(d => d.open = true))"

@pytest.fixture(scope='module')
def opened(one_page): # a page on which every result stands open
    one_page.add_init_script(OPEN)
    return one_page

@pytest.mark.parametrize('lesson', LESSONS)
def test_a_lesson(site, opened, lesson): assert serious_in_both(opened, f'{site}/tutorials/{lesson}.html', OWN) == ([], [])
