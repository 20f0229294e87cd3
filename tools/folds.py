"""Fold what a reader is asked to predict: results that JupyterLab shows on a click (`outputs_hidden`).

What a reader is to notice would give them away: a lesson folds it in its text, and a page shows both in one fold.
"""

import re

CODE_FOLD = re.compile(r'^#\| *code-fold: *true\n', re.M)
SUMMARY = re.compile(r'^#\| *code-summary: *"(.*)"\n', re.M)
SHOW = 'Show what comes out'
SOLUTION = 'Solution in code'
NOTICE = '<details><summary>What to notice</summary>'  # a lesson's text opens with it


def hidden(cell) -> bool:  # whether its outputs are to be predicted
    "Whether JupyterLab keeps a cell's outputs closed."
    return bool(cell.metadata.get('jupyter', {}).get('outputs_hidden') and cell.get('outputs'))


def markdown(text: str):
    "A cell of text."
    from nbformat.v4 import new_markdown_cell

    return new_markdown_cell(text)


def results(cell):
    "A cell's outputs, without its code."
    from nbformat.v4 import new_code_cell

    return new_code_cell('#| echo: false\n' + cell.source, outputs=cell.outputs)


def summary(cell) -> str:  # of the fold that the cell opens
    "A solution is called so; all else is what comes out."
    return SOLUTION if f'"{SOLUTION}"' in cell.source else SHOW


def unfolded(cell):
    "A solution, whose code stands open in its fold."
    if summary(cell) == SOLUTION:
        cell.source = SUMMARY.sub('', CODE_FOLD.sub('', cell.source))
    return cell


def reveal(title: str) -> str:  # as a page draws it
    "The beginning of a fold."
    return f'<details class="reveal"><summary>{title}</summary>'


def explanation(text: str) -> tuple[str, str]:  # (the explanation, what follows)
    "What is folded at the beginning of a text, and the rest."
    if not text.startswith(NOTICE):
        return '', text
    noticed, _, rest = text.removeprefix(NOTICE).partition('</details>')
    return noticed.strip(), rest.strip()


def fold_outputs(nb):
    "Results that follow each other stand in one fold, with the paragraph that explains them."
    cells, inside = [], []

    def close():
        if inside:
            cells.extend([*inside, markdown('</details>')])
        inside.clear()

    def fold(cell):
        if not inside:
            inside.append(markdown(reveal(summary(cell))))
        inside.append(unfolded(cell))

    for cell in nb.cells:
        if hidden(cell) and (inside or CODE_FOLD.search(cell.source)):
            fold(cell)
        elif hidden(cell):
            shown, cell.outputs = results(cell), []
            cells.append(cell)
            fold(shown)
        elif inside and cell.cell_type == 'markdown':
            first, cell.source = explanation(cell.source)
            if first:
                inside.append(markdown(first))
            close()
            if cell.source.strip():
                cells.append(cell)
        else:
            close()
            cell.source = cell.source.replace(NOTICE, reveal('What to notice'))
            cells.append(cell)
    close()
    nb.cells = cells
