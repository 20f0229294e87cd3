"""How well the notebooks of the modules tell their story, in figures: `python tools/telling.py [--each]`.

An exported cell wants a sentence or an example near it. A run is a row of exported definitions with neither between
them; hidden cells and cells that only import do not count. The exit status is 1 where a figure is missed.
"""

import argparse
import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONG = 5  # definitions in a row that nobody wants to read
MOST_IN_LONG_RUNS = 8  # % of all exported definitions
LEAST_WORDS = 5  # words of prose for each exported line

EXPORTED = re.compile(r'^#\|\s*exporti?s?\b', re.M)
HIDDEN = re.compile(r'^#\|\s*hide\b', re.M)


def kind(cell: dict) -> str:  # 'words', 'example', 'export', or '' for what a reader does not see
    "What a cell is to a reader."
    text = ''.join(cell['source'])
    if cell['cell_type'] == 'markdown':
        return 'words'
    if EXPORTED.search(text):
        return '' if only_imports(text) else 'export'
    if HIDDEN.search(text) or not text.strip() or text.startswith('#| default_exp'):
        return ''
    return 'example'


def only_imports(text: str) -> bool:
    "Whether a cell does nothing but import."
    return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.parse(text).body)


def runs(cells: list[dict]) -> list[int]:
    "The length of every row of exported definitions."
    found, length = [], 0
    for found_kind in filter(None, map(kind, cells)):
        if found_kind == 'export':
            length += 1
        elif length:
            found.append(length)
            length = 0
    return found + [length] * bool(length)


def exported_lines(cells: list[dict]) -> int:
    "Lines of exported cells that are not empty, without their marks."
    count = 0
    for cell in cells:
        text = ''.join(cell['source'])
        if cell['cell_type'] == 'code' and EXPORTED.search(text):
            count += sum(
                bool(line.strip()) and not line.startswith('#|') for line in text.splitlines()
            )
    return count


def words(cells: list[dict]) -> int:
    "Words of prose, without the targets of links."
    prose = '\n'.join(''.join(cell['source']) for cell in cells if cell['cell_type'] == 'markdown')
    return len(re.sub(r'\]\([^)]*\)|<[^>]*>', ' ', prose).split())


def first_example(cells: list[dict]) -> int | None:  # counted from 1
    "The place of the first example among the cells that a reader sees."
    seen = [found for found in map(kind, cells) if found]
    return seen.index('example') + 1 if 'example' in seen else None


def measure(path: Path) -> dict:
    "The figures of one notebook."
    cells = json.loads(path.read_text(encoding='utf-8'))['cells']
    lengths = runs(cells)
    return dict(
        name=path.relative_to(ROOT / 'nbs').as_posix(),
        exports=sum(lengths),
        in_long_runs=sum(length for length in lengths if length >= LONG),
        longest=max(lengths, default=0),
        words=words(cells),
        lines=exported_lines(cells),
        first_example=first_example(cells),
    )


def notebooks() -> list[Path]:
    "The notebooks that define modules."
    found = sorted((ROOT / 'nbs').rglob('*.ipynb'))
    return [
        path
        for path in found
        if '#| default_exp' in path.read_text(encoding='utf-8') and 'checkpoint' not in path.name
    ]


def total(rows: list[dict]) -> dict:
    "The figures of all notebooks together."
    exports = sum(row['exports'] for row in rows)
    return dict(
        exports=exports,
        in_long_runs=round(100 * sum(row['in_long_runs'] for row in rows) / exports, 1),
        longest=max(row['longest'] for row in rows),
        words_a_line=round(
            sum(row['words'] for row in rows) / sum(row['lines'] for row in rows), 2
        ),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--each', action='store_true', help='a line for each notebook')
    rows = [measure(path) for path in notebooks()]
    if parser.parse_args().each:
        for row in sorted(rows, key=lambda row: -row['in_long_runs']):
            print(
                '{in_long_runs:3} of {exports:3} in long runs, longest {longest:2}'.format(**row),
                end='; ',
            )
            print(
                '{words:5} words, {lines:4} lines, example at {first_example}: {name}'.format(**row)
            )
    found = total(rows)
    print(f'exported definitions in runs of {LONG} and more: {found["in_long_runs"]}%', end=' ')
    print(f'(at most {MOST_IN_LONG_RUNS}), longest {found["longest"]}')
    print(
        f'words of prose for each exported line: {found["words_a_line"]} (at least {LEAST_WORDS})'
    )
    return int(found['in_long_runs'] > MOST_IN_LONG_RUNS or found['words_a_line'] < LEAST_WORDS)


if __name__ == '__main__':
    sys.exit(main())
