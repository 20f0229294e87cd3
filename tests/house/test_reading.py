"The modules read easily: the rules and the figures of tools/reading.py; and the rules find what they are for."

import pytest, reading, telling

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


def test_the_notebooks_tell():
    found = telling.total([telling.measure(path) for path in telling.notebooks()])
    assert found['in_long_runs'] <= telling.MOST_IN_LONG_RUNS
    assert found['words_a_line'] >= telling.LEAST_WORDS


def notebook(kinds):  # cells: export, hidden, example, words
    texts = {
        'd': '#| export\ndef f(): return 1',
        'i': '#| exporti\nimport re',
        'h': '#| hide\nf()',
        'e': 'f()',
        'w': 'Why [this](a.ipynb) one',
    }
    cells = []
    for mark in kinds:
        cell_type = 'markdown' if mark == 'w' else 'code'
        cells.append(dict(cell_type=cell_type, source=[texts[mark]]))
    return cells


@pytest.mark.parametrize(
    'kinds, lengths',
    [('widdhdwed', [3, 1]), ('ddddd', [5]), ('dedwd', [1, 1, 1]), ('wie', [])],
)
def test_a_run_ends_at_words_and_at_examples(kinds, lengths):
    assert telling.runs(notebook(kinds)) == lengths


def test_what_is_told_is_counted():
    cells = notebook('iwde')
    assert telling.words(cells) == 3
    assert telling.exported_lines(cells) == 2
    assert telling.first_example(cells) == 3


# what a rule must find, and what it must leave alone
BAD = {
    'one_statement_a_line': [
        'a = 1; b = 2',
        'if a: b = 1; c = 2',
        'for a in b: c = a',
        'for a in b: c += a',
        'while a: b()',
        'with a: b()',
        'try: a()\nexcept E: pass',
        'if a: b()\nelse: c()',
        'def f(): a = 1; return a',
        'def f(\n  a:int, # one\n): b = a',
    ],
    'no_comprehension_in_a_comprehension': [
        '[[b for b in a] for a in c]',
        '{a: sum(b for b in a) for a in c}',
    ],
    'simple_conditional_expressions': [
        'a if b else c+1',
        'f(a) if b else None',
        '[a] if b else []',
    ],
    'short_functions': ['def f():\n' + '    a()\n' * 21],
    'nothing_private_is_imported': ['from .a import _b', 'from conflare_nb.a import _b'],
    'no_html_in_f_strings': ["f'<p>{a}'", "f'{a}</td>{b}'", "f'<div class=\"{a}\">'", "f'<b{a}>'"],
}
GOOD = {
    'one_statement_a_line': [
        "if a: raise E('é; b')",
        'for a in b: c(a)',
        'def f(a): return a',
        'class E(Exception): pass',
        'try:\n    a()\nexcept E: pass',
        'def f(\n  a:int, # one; two\n)->int: # three\n    b = a\n    return b',
    ],
    'no_comprehension_in_a_comprehension': ['[a for a in b for b in c]', '[f(a) for a in b]'],
    'simple_conditional_expressions': [
        'a if b(c+1) else c.d',
        '-1 if b else None',
        'a if b else []',
    ],
    'short_functions': ['def f():\n    "Says so."\n' + '    a()\n' * 20],
    'nothing_private_is_imported': [
        'from ._a import b',
        'from .a import __version__',
        'from re import _compile',
    ],
    'no_html_in_f_strings': ["'<p>'", "f'{a} < {b} <= c'", "f'{a}->{b}'"],
}


@each_rule
def test_a_rule_finds_what_it_is_for(rule, tmp_path):
    def finds(text):
        path = tmp_path / 'module.py'
        path.write_text(text, encoding='utf-8')
        return bool(reading.broken(rule, [reading.Module(path)]))

    assert [text for text in BAD[rule.__name__] if not finds(text)] == []
    assert [text for text in GOOD[rule.__name__] if finds(text)] == []
