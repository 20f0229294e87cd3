"The modules read easily: the rules and the figures of tools/reading.py; and the rules find what they are for."

import pytest, reading

FOUND = reading.modules([reading.ROOT / 'conflare_nb'])
FIGURES = reading.figures(FOUND)
each_rule = pytest.mark.parametrize('rule', reading.RULES, ids=lambda rule: rule.__name__)


@each_rule
def test_a_rule_is_kept(rule):
    wrong = reading.broken(rule, FOUND)
    assert not wrong, '\n'.join(wrong)


@pytest.mark.parametrize('figure, limit', reading.LIMITS.items())
def test_a_figure_is_kept(figure, limit):
    assert FIGURES[figure] <= limit
