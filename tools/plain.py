"""What an output in HTML says, as Markdown: for the copies of the pages that language models read.

Scripts, styles and controls say nothing there. Tables, headings, lists, links and texts do.
"""

import html
import re
from bs4 import BeautifulSoup, Comment, NavigableString, Tag

SILENT = {'script', 'style', 'svg', 'template', 'button', 'input', 'select', 'textarea', 'progress', 'canvas', 'img'}
STRONG = {'b': '**', 'strong': '**', 'mark': '**', 'i': '*', 'em': '*', 'code': '`'}
BLOCKS = {
    'div',
    'p',
    'section',
    'article',
    'figure',
    'figcaption',
    'form',
    'details',
    'summary',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'blockquote',
    'pre',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
}
HEADINGS = {f'h{n}' for n in range(1, 7)}


def line(text: str) -> str:
    "A text on one line; what was escaped stays escaped, so that no text of a document becomes a tag."
    return html.escape(re.sub(r'\s+', ' ', text), quote=False)


def inline(node) -> str:
    "What a node says within a line."
    if isinstance(node, Comment):
        return ''
    if isinstance(node, NavigableString):
        return line(node)
    if node.name in SILENT:
        return ''
    if node.name == 'br':
        return ' '
    said = ''.join(map(inline, node.children))
    around = STRONG.get(node.name, '')
    if not said.strip():
        return said
    if node.name == 'a' and node.get('href'):
        return f'[{said}]({node["href"]})'
    between = ' ' if node.name in BLOCKS | {'td', 'th'} else ''
    return f'{between}{around}{said}{around}{between}'


def tidy(text: str) -> str:
    "Single spaces, none at the ends."
    return re.sub(r' +', ' ', text).strip()


def row(cells: list) -> str:
    "One row of a Markdown table."
    said = [tidy(inline(cell)).replace('|', r'\|') for cell in cells]
    return '| ' + ' | '.join(said) + ' |'


def table(node: Tag) -> str:
    "A Markdown table; the head is the first row, or the rows of the head one above the other."
    rows = [tr.find_all(['td', 'th'], recursive=False) for tr in node.find_all('tr')]
    rows = [cells for cells in rows if cells]
    if not rows:
        return ''
    wide = max(map(len, rows))
    first, *rest = [row(cells) + ' |' * (wide - len(cells)) for cells in rows]
    caption = [tidy(inline(node.caption))] if node.caption else []
    return '\n'.join([*caption, first, '|' + ' --- |' * wide, *rest])


def blocks(node: Tag) -> list[str]:
    "The paragraphs of a node, its tables and its headings."
    found, words = [], ''
    for child in node.children:
        name = getattr(child, 'name', None)
        inner = name in BLOCKS or name == 'table' or name and child.find(['table', *BLOCKS])
        if not inner or name in SILENT:
            words += inline(child)
            continue
        found += [tidy(words), *block(child)]
        words = ''
    return [text for text in [*found, tidy(words)] if text]


def block(node: Tag) -> list[str]:
    "The paragraphs that one element makes."
    if node.name == 'table':
        return [table(node)]
    if node.name == 'pre':
        return ['    ' + html.escape(node.get_text(), quote=False).strip().replace('\n', '\n    ')]
    said = blocks(node)
    if node.name == 'li':
        return ['- ' + ' '.join(said)]
    if node.name in HEADINGS:
        return [f'#### {" ".join(said)}']
    if node.name == 'summary':
        return [f'**{" ".join(said)}**'.replace('****', '')]
    return said


def markdown(output: str) -> str:
    "The Markdown of an output."
    return '\n\n'.join(blocks(BeautifulSoup(output, 'html.parser')))
