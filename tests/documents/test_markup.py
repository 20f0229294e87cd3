"No two numbers of a page become one, whatever stands between them, and what nobody sees is not read."

import re
import pytest
from hypothesis import given, strategies as st
from conflare_nb.documents.markup import page_parts
from random_texts import prop

PAGES = {  # a page -> its last text
    '10<sup>6</sup> H<sub>2</sub>O 101<sub>2</sub>': '10⁶ H2O 101₂',
    '30<sup><a href="#c2">2</a></sup> countries': '30 [2] countries',
    '<div>Price</div><span>12</span><option>Red</option>7': 'Price\n12\nRed\n7',
    'Dose: <s>10 mg</s> 5 mg<i hidden>7</i>': 'Dose: 5 mg',
    'Seen.<div role=tabpanel hidden>One click away.</div>': 'Seen.\nOne click away.',
    '<body hidden><p>until a script shows it': 'until a script shows it',
    '<table><tr><th>A<th>B<tr><td rowspan=2>EU<td>7<tr><td>7</table>': 'A: EU; B: 7\n\nA: EU; B: 7',
    '<table><tr><td>Name<td>Anna<tr><td>Age<td>35</table>': 'Name; Anna\n\nAge; 35',
    '<table><tr><th>A<th>B<th>C<tr><td>7<td>7<td></table>': 'C\n\nA: 7; B: 7',
    'x<sup><a href="#n">1</a></sup><p id=n>1. Note.': '[1] Note.',
    '<style>.a{vertical-align:super}</style>3<span class=a>2</span> 7<input>7': '3² 7 7',
    '<i role=row><span role=cell>7</span><span style="display:block">7</span></i>': '7\n7',
}  # fmt: skip
WAYS = [f'<{tag}>%s</{tag}>' for tag in ('sup', 'sub', 'td', 'h2', 'button', 's')] + ['<li>%s', '<dd>%s']
WAYS += [
    '<sup><a href="#n">%s</a></sup>',
    '<mfrac><mn>%s</mn><mn>%s</mn></mfrac>',
    '<msup><mn>%s</mn><mn>%s</mn></msup>',
]
PLAIN = str.maketrans('⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉', '0123456789' * 2)
NUMBER = re.compile('[0-9]+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[₀₁₂₃₄₅₆₇₈₉]+')


@pytest.mark.parametrize('page', PAGES)
def test_what_a_page_says(page):
    assert page_parts(page)[1][-1][2] == PAGES[page]


@prop
@given(st.lists(st.tuples(st.sampled_from(WAYS), st.integers(10, 999)), max_size=8))
def test_no_two_numbers_become_one(pieces):
    page = ''.join(way.replace('%s', str(number)) for way, number in pieces)
    texts = [' '.join(part[1:]) for part in page_parts(page)[1]]
    read = {one.translate(PLAIN) for text in texts for one in NUMBER.findall(text)}
    assert read <= {str(number) for _, number in pieces}


def test_a_heading_has_no_sign_and_its_notes_go_with_it():
    page = '<h2 id=e>Dose<a href="#d">¶</a><a href="#e">Lien</a></h2>5<sup><a href="#n">1</a></sup> mg<h2>Refs</h2><p id=n>Adults.'
    assert page_parts(page)[1][1:] == [(2, 'Dose', '5 [1] mg'), (1, 'Notes', '[1] Adults.')]
