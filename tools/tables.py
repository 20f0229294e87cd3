"""Mark the columns of numbers in the tables of a page, so that a style sheet can set them on the right.

pandas, Markdown and the package's own HTML write tables of three kinds; what they share is HTML.
"""

import html
import re
from operator import and_

TABLE = re.compile(r'(?P<apart><(script|pre)\b.*?</\2>)|<table\b.*?</table>', re.S)
HEAD = re.compile(r'<thead\b.*?</thead>', re.S)
ROW = re.compile(r'<tr\b.*?</tr>', re.S)
CELL = re.compile(r'<(?P<tag>t[dh])(?P<attributes>\b[^>]*)>(?P<inside>.*?)</(?P=tag)>', re.S)
POWER = re.compile(r'(?<=\d)e[+-]?\d+')  # of ten
WORDS = {'', 'of', 'to', 'inf', 'nan', 'k', 'n', 'kb', 'mb', 'gb', 'ms', 's'}  # which numbers may have beside them


def text(inside: str) -> str:
    "What a cell says."
    return html.unescape(re.sub(r'<[^>]*>', ' ', inside)).strip()


def numeric(said: str) -> bool:
    "Whether a cell may stand in a column of numbers: `3.2`, `5.5e+03`, `87% to 93%`, `inf`, or nothing; no date may."
    words = re.findall(r'[^\W\d_]+', POWER.sub('', said.lower()))
    return WORDS.issuperset(words) and not re.search(r'[#/:]|\d-\d', said)


def span(attributes: str, name: str) -> int:
    "How many columns or rows a cell takes."
    found = re.search(rf'{name}="?(\d+)', attributes)
    return int(found[1]) if found else 1


def placed(rows: list[str]) -> list[tuple[int, int, re.Match]]:  # (row, first column, cell)
    "Every cell with its place; one that reaches down keeps the next rows' cells out of its column."
    found, taken = [], set()
    for y, row in enumerate(rows):
        x = 0
        for cell in CELL.finditer(row):
            while (y, x) in taken:
                x += 1
            found.append((y, x, cell))
            wide, high = span(cell['attributes'], 'colspan'), span(cell['attributes'], 'rowspan')
            taken |= {(y + down, x + right) for down in range(high) for right in range(wide)}
    return found


def number_columns(cells: list[tuple]) -> set[int]:
    "The columns whose data are numbers, one at least."
    said = {}
    for _, x, cell in cells:
        if cell['tag'] == 'td':
            said.setdefault(x, []).append(text(cell['inside']))
    return {x for x, texts in said.items() if all(map(numeric, texts)) and re.search(r'\d', ''.join(texts))}


def marked(cell: re.Match) -> str:
    "The cell with the class `number`."
    tag, attributes, inside = cell.groups()
    if 'class="' in attributes:
        attributes = attributes.replace('class="', 'class="number ', 1)
    else:
        attributes = f' class="number"{attributes}'
    return f'<{tag}{attributes}>{inside}</{tag}>'


def filled(row: str) -> list[bool]:
    "Which cells of a row say something."
    return [bool(text(cell['inside'])) for cell in CELL.finditer(row)]


def join_head(head: re.Match) -> str:
    "pandas writes the name of the rows under the names of the columns: where no cell says both, one row says all."
    rows = ROW.findall(head[0])
    if len(rows) < 2:
        return head[0]
    upper, lower = filled(rows[-2]), filled(rows[-1])
    if len(upper) != len(lower) or any(map(and_, upper, lower)) or 'span' in rows[-2]:
        return head[0]
    below = iter(CELL.finditer(rows[-1]))
    of = dict(zip([cell.start() for cell in CELL.finditer(rows[-2])], below))

    def fuller(cell):
        return cell[0] if text(cell['inside']) else of[cell.start()][0]

    joined = CELL.sub(fuller, rows[-2])
    return head[0].replace(rows[-2], joined).replace(rows[-1], '')


def join_heads(output: str) -> str:
    "An output in HTML whose tables have as few rows in their heads as can be."
    return HEAD.sub(join_head, output)


def mark_table(table: str) -> str:
    "A table whose columns of numbers are marked, the cells of the head with them."
    rows = ROW.findall(table)
    cells = placed(rows)
    columns = number_columns(cells)
    for y, row in enumerate(rows):
        of = {cell.start(): x for row_of, x, cell in cells if row_of == y}

        def renew(cell):
            alone = of[cell.start()] in columns and span(cell['attributes'], 'colspan') == 1
            return marked(cell) if alone else cell[0]

        rows[y] = CELL.sub(renew, row)
    fresh = iter(rows)
    return ROW.sub(lambda _: next(fresh), table)


def mark_numbers(page: str) -> str:
    "A page of HTML with the columns of numbers marked in all of its tables."
    return TABLE.sub(lambda m: m[0] if m['apart'] else mark_table(m[0]), page)
