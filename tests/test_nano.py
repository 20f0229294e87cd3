"The lesson that shows the whole method keeps its word: a hundred lines, without the package."

import json, re
from pathlib import Path

LESSON = Path(__file__).resolve().parents[1] / 'nbs/tutorials/nano.ipynb'
SAMPLE = {'Embedder, sample_questions', 'sample_path'}  # all that is imported before the comparison
APART = ('#| hide', '#| echo: false', '# Run on the page')  # the last: an exercise


def shown():  # the lines of the method
    cells = json.loads(LESSON.read_text(encoding='utf-8'))['cells']
    code = [''.join(c['source']) for c in cells if c['cell_type'] == 'code']
    *ours, comparison = [text for text in code if not text.startswith(APART)]
    assert 'import ConformalRetriever' in comparison and comparison.count('assert') == 6
    return [l for text in ours for l in text.splitlines() if l.strip() and l[:2] != '#|']


def test_a_hundred_lines_without_the_package_or_a_class():
    lines = shown()
    assert len(lines) <= 100 and max(map(len, lines)) <= 88
    imports = [re.match(r'from conflare_nb\S* import (.+)', line) for line in lines]
    assert {found[1] for found in imports if found} == SAMPLE
    assert not [line for line in lines if line.startswith('class ')]
