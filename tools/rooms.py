"""The pages of the rooms, nbs/<room>/index.ipynb: what goes in and out, drawn, and a table of the room's modules.

tools/export.py renews both; the table is made of the notebooks' own titles and promises, in the order of the sidebar.
"""

import json
from pathlib import Path
import yaml
from fastcore.xml import ft, to_xml
from nbs import ROOT

NBS = ROOT / 'nbs'

# room -> what comes in, what goes out
ROOMS = {
    'conformal': (
        ['nonconformity scores of the calibration questions', 'alpha, the share that may be missed'],
        ['a threshold', 'p-values', 'the band of its coverage', 'how many questions it takes'],
    ),
    'documents': (
        ['text, Markdown, HTML and PDF files', 'an embedding model', 'a question'],
        ['chunks and their vectors, in LanceDB', 'chunks ranked for a question', 'a score for each chunk'],
    ),
    'models': (
        ['a folder, a name on the hub, a server', 'prompts'],
        ['replies, streamed or sampled', 'how probable a reply is', 'how many tokens a prompt takes'],
    ),
    'labels': (
        ['questions, or a model to write them', 'a knowledge base', 'a judge: words, a model or you'],
        ['questions with known answers', 'which chunk answers what', 'every verdict, kept'],
    ),
    'retrieval': (
        ['labelled questions', 'a knowledge base', 'alpha'],
        ['a calibration, to save and share', 'every chunk within the threshold', 'the promise in words'],
    ),
    'answers': (
        ['a question', 'the retrieved chunks', 'a language model, if you like'],
        ['the sentence that answers, quoted', 'an answer with its sources'],
    ),
    'traq': (
        ['a question', 'the retrieved chunks', 'a language model, asked several times'],
        ['a set of answers with a promise', 'how alpha is split between the steps'],
    ),
    'evidence': (
        ['a calibration', 'other questions', 'people who check a few labels'],
        [
            'coverage and cost',
            'how far to trust the judge',
            'an alarm when the world changes',
            'what goes wrong, what helps',
        ],
    ),
    'show': (
        ['calibrations and retrieved chunks', 'answers'],
        ['pictures', 'sliders, live and on any page', 'desks for judging and writing'],
    ),
    'contrib': (
        ['your vector store or framework', 'many machines'],
        ['its results, cut at a threshold', 'a large knowledge base'],
    ),
    'app': (
        ['a folder of documents', 'your questions, or none'],
        ['answers on the command line', 'checks and a diagnosis', 'a report in one file'],
    ),
}

# ---- the drawing

WIDE, HIGH, GAP, EDGE, ROOM = 270, 34, 10, 16, 140  # a box, the space around it, the room itself
ARROW = 40
WIDTH = 2 * (EDGE + WIDE + ARROW) + ROOM
INK, LINE, FILL, ACCENT = '#1f2328', '#57606a', '#f6f8fa', '#1b5fae'


def box(x: float, y: float, width: float, height: float, text: str, fill: str, ink: str, stroke: str):
    "A rectangle around a text."
    rect = ft('rect', x=x, y=y, width=width, height=height, rx=6, fill=fill, stroke=stroke)
    middle = dict(x=x + width / 2, y=y + height / 2, fill=ink)
    return rect, ft('text', text, text_anchor='middle', dominant_baseline='central', **middle)


def column(texts: list[str], x: float, height: float) -> list[tuple]:  # (middle, shapes) of each
    "Boxes under each other, in the middle of the drawing's height."
    top = (height - len(texts) * (HIGH + GAP) + GAP) / 2
    tops = [top + i * (HIGH + GAP) for i in range(len(texts))]
    return [(y + HIGH / 2, box(x, y, WIDE, HIGH, text, FILL, INK, LINE)) for y, text in zip(tops, texts)]


def arrow(x: float, y: float) -> tuple:
    "A line to the right that ends in a head."
    tip = x + ARROW - 4
    line = ft('path', d=f'M{x + 4} {y} H{tip - 6}', fill='none', stroke=LINE, stroke_width=1.5)
    return line, ft('path', d=f'M{tip - 8} {y - 5} L{tip} {y} L{tip - 8} {y + 5} z', fill=LINE)


def drawing(room: str) -> str:  # SVG on a ground of its own: it reads on light and dark pages
    "What comes into a room and what goes out of it."
    ins, outs = ROOMS[room]
    height = max(len(ins), len(outs)) * (HIGH + GAP) - GAP + 2 * EDGE
    left = EDGE + WIDE + ARROW
    right = left + ROOM
    shapes = [ft('rect', x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=8, fill='#ffffff', stroke='#d0d7de')]
    for y, boxed in column(ins, EDGE, height):
        shapes += [*boxed, *arrow(EDGE + WIDE, y)]
    for y, boxed in column(outs, right + ARROW, height):
        shapes += [*boxed, *arrow(right, y)]
    shapes += box(left, EDGE, ROOM, height - 2 * EDGE, room, ACCENT, '#ffffff', ACCENT)
    svg = ft(
        'svg',
        ft('title', words(room)),
        *shapes,
        xmlns='http://www.w3.org/2000/svg',
        role='img',
        viewBox=f'0 0 {WIDTH} {height}',
        width=WIDTH,
        height=height,
        font_size=14,
        font_family='Helvetica, Arial, Liberation Sans, sans-serif',
    )
    return to_xml(svg).replace('viewbox=', 'viewBox=')  # fastcore writes attributes as HTML does


def words(room: str) -> str:
    "The drawing for those who do not see it."
    ins, outs = ROOMS[room]
    return f'Into {room} come {listed(ins)}. Out of it come {listed(outs)}.'


def listed(texts: list[str]) -> str:
    "The texts as a sentence lists them."
    *first, last = texts
    return f'{"; ".join(first)}; and {last}'


# ---- the table


def entries(menu: list) -> list[dict]:
    "The sections of a sidebar, with those inside them."
    found = []
    for entry in menu:
        if isinstance(entry, dict):
            found += [entry, *entries(entry['contents'])]
    return found


def sidebar() -> list[dict]:
    "The sections of the site's sidebar."
    web = yaml.safe_load((ROOT / '_quarto.yml').read_text(encoding='utf-8'))['website']
    return entries(web['sidebar']['contents'])


def pages_of(room: str) -> list[str]:  # paths in nbs/
    "The notebooks of a room, in the order of the sidebar."
    entry = next(e for e in sidebar() if e.get('href') == f'{room}/index.ipynb')
    return entry['contents']


def promise(notebook: Path) -> tuple[str, str]:
    "The title of a notebook and the sentence after `>`."
    cells = json.loads(notebook.read_text(encoding='utf-8'))['cells']
    lines = ''.join(cells[0]['source']).splitlines()

    def after(mark):
        return next(line for line in lines if line.startswith(mark)).removeprefix(mark)

    return after('# '), after('> ')


def table(room: str) -> str:  # Markdown
    "Each module with its promise."
    rows = ['| module | what it is about |', '|:--|:--|']
    for page in pages_of(room):
        title, said = promise(NBS / page)
        rows.append(f'| [{title}]({Path(page).name}) | {said} |')
    return '\n'.join(rows)


# ---- the page


def made(room: str) -> dict:  # {id of a cell: its text}
    "The cells of a room's page that are made here."
    file = f'../images/rooms/{room}.svg'
    return {'drawing': f'[![{words(room)}]({file})]({file})', 'modules': table(room)}  # a link: no caption


def page(room: str) -> str:  # the text of the notebook
    "A room's page with these cells as they should be."
    nb = json.loads((NBS / room / 'index.ipynb').read_text(encoding='utf-8'))
    texts = made(room)
    for cell in nb['cells']:
        if cell['id'] in texts:
            cell['source'] = texts[cell['id']].splitlines(keepends=True)
    return json.dumps(nb, indent=1, ensure_ascii=False, sort_keys=True) + '\n'


def renew() -> list[str]:  # the files that changed
    "Write the pages and the drawings of all rooms where they are not current."
    texts = {NBS / room / 'index.ipynb': page(room) for room in ROOMS}
    texts |= {NBS / f'images/rooms/{room}.svg': drawing(room) for room in ROOMS}
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding='utf-8') != text]
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(texts[path], encoding='utf-8')
    return [str(path.relative_to(ROOT)) for path in stale]
