"axe-core over every lesson, in light and dark; a file of its own, so that two workers share the work."
import pytest
from web import ROOT, serious_in_both

LESSONS = sorted(p.stem for p in (ROOT/'nbs/tutorials').glob('*.ipynb'))
OWN = {'include': [['main']], 'exclude': [['pre']]}     # what stands around a lesson, and the colours of code, are the same on other pages

@pytest.mark.parametrize('lesson', LESSONS)
def test_a_lesson(site, one_page, lesson): assert serious_in_both(one_page, f'{site}/tutorials/{lesson}.html', OWN) == ([], [])
