"What the page for teachers says of the lessons is so, and its slides can be made."

import ast, json, re
from pathlib import Path
from conflare_nb import conformal_rank, min_calibration_size
from nbconvert import SlidesExporter

GUIDES = Path(__file__).resolve().parents[1] / 'nbs/guides'
PATH = 'slide-alpha nano a-good-score your-documents does-it-hold for-whom-does-it-hold'.split()


def text(name, kind='markdown'):
    cells = json.loads((GUIDES / name).read_text(encoding='utf-8'))['cells']
    return '\n\n'.join(''.join(c['source']) for c in cells if c['cell_type'] == kind)


def test_the_slides_are_made_without_a_kernel_and_hold_their_figures():
    html, _ = SlidesExporter(exclude_input=True).from_filename(str(GUIDES / 'slides.ipynb'))
    assert [html.count(s) for s in ('<section><section>', 'src="data:image/png')] == [15, 6]


def test_plans_links_sections_and_quoted_replies():
    names = 'documents-in-steps.ipynb', *(f'../tutorials/{p}.ipynb' for p in PATH)
    page, code = text('teaching.ipynb'), [text(name, 'code') for name in names]
    parts = re.split(r'^## (?:90 minutes|3 hours|What to prepare)$', page, flags=re.M)[1:3]
    assert [sum(map(int, re.findall(r'^\| (\d+) ', p, re.M))) for p in parts] == [90, 180]
    assert all(f'tutorials/{p}.ipynb' in part for p in PATH for part in parts)
    assert all((GUIDES / link).is_file() for link in re.findall(r'\]\(([^):#]+)', page))
    for lesson, said in re.findall(r'\]\((\S+)\), sections? ([\d, andto]+)', page):
        assert all(f'\n## {n}. ' in text(lesson) for n in re.findall(r'\d+', said)), lesson
    replies = {v.value for c in code for v in ast.walk(ast.parse(c)) if hasattr(v, 'value')}
    assert set(re.findall('“(.+?)”', page)) <= replies


def test_the_handout_has_the_places():
    page = (GUIDES / 'handout.html').read_text(encoding='utf-8')
    rows = re.findall('<tr><td>(0[.].+?)</td><td>1 in (.+?)</td><td>(.+?)</td><td>(.+?)</td><td>(.+?)</td>', page)
    assert len(rows) == 5
    for alpha, misses, least, of_20, of_100 in rows:
        places = [conformal_rank(n, float(alpha)) for n in (20, 100)]
        place = 'none: read everything' if places[0] > 20 else str(places[0])
        said = str(round(1 / float(alpha))), str(min_calibration_size(float(alpha))), place, str(places[1])
        assert (misses, least, of_20, of_100) == said
