"An exercise without a browser: what it replies, what it refuses, and that its page holds the same."

import json, shutil, subprocess
from fractions import Fraction
from itertools import product
from pathlib import Path
import numpy as np, pytest
from hypothesis import given, strategies as st
from conflare_nb.show.exercise import _read_number, Exercise

SCRIPTS = Path(__file__).resolve().parents[2] / 'js'
REPLIES = {89: 'Close: count the new question.', 90: 'The new question counts.'}
rank = Exercise('Which rank?', 90, replies=REPLIES, hint='Count.', solution='`ceil(100*0.9)`')
share = Exercise('Which share?', 0.12, tolerance=0.005, replies={0.5: 'Think of chance.'})
which = Exercise('Which?', 'b', choices=['a', 'b', 'c'], replies={'a': 'Think of b.'})
loss = Exercise('Which loss?', -3)
none = Exercise('How many?', 0)

# ---- replies


@pytest.mark.parametrize(
    'exercise, answer, reply',
    [
        (rank, 90, 'Right. The new question counts.'),
        (rank, '90', 'Right. The new question counts.'),
        (rank, np.int64(90), 'Right. The new question counts.'),
        (rank, 89, 'Close: count the new question.'),
        (rank, 91, 'Close: it is a little less.'),
        (rank, 85, 'Close: it is a little more.'),
        (rank, 70, 'Not yet: it is more.'),
        (rank, 100, 'Not yet: it is less.'),
        (rank, '-90', 'Close: think of the sign.'),
        (rank, '1e2', rank.exercise['unread']['words']),
        (rank, '9,000', rank.exercise['unread']['words']),
        (rank, np.nan, rank.exercise['unread']['words']),
        (rank, np.inf, rank.exercise['unread']['words']),
        (share, '12%', 'Right.'),
        (share, '12,4 %', 'Right.'),
        (share, '0.126', 'Close: it is a little less.'),
        (share, Fraction(3, 25), 'Right.'),
        (share, 12, 'Close, but 100 times too large: percent need the sign %.'),
        (share, '88%', 'Close: think of the other part, 1 minus this.'),
        (share, 0.5, 'Think of chance.'),
        (share, -0.12, 'Close: think of the sign.'),
        (share, 1, 'Not yet: it is less.'),
        (which, 'b', 'Right.'),
        (which, 'a', 'Think of b.'),
        (which, 'c', 'Not yet: think of the others.'),
        (which, 'd', 'Choose one of: a; b; c.'),
        (which, 1, 'Choose one of: a; b; c.'),
        (loss, '\u22123', 'Right.'),
        (loss, 3, 'Close: think of the sign.'),
        (loss, -3.2, 'Close: it is a little more.'),
        (none, 0, 'Right.'),
        (none, '1', 'Not yet: it is less.'),
    ],
)
def test_replies(exercise, answer, reply):
    assert exercise.check(answer) == reply


# fmt: off
@pytest.mark.parametrize('text, number', [
    ('.5', 0.5), ('5.', 5), ('1.234', 1.234), ('0,050', 0.05), ('1234', 1234), ('1,2345', 1.2345),
    ('12,34', 12.34), (' +7 ', 7), ('7\u00a0%', 0.07), ('1,234', None), ('12,345', None),
    ('1,234,567', None), ('1,234.5', None), ('', None), ('.', None), ('%', None), ('1 2', None),
    ('5\n', None), ('٣', None), ('--1', None), ('1/3', None),
])
# fmt: on
def test_what_a_text_says(text, number):
    assert _read_number(text) == number


@given(st.floats(-1e6, 1e6), st.floats(0, 10), st.floats(-2e6, 2e6))
def test_right_is_what_lies_within_the_tolerance(answer, tolerance, said):
    made = Exercise('?', answer, tolerance=tolerance)
    slack = 1e-9 * max(1, abs(answer))
    if abs(said - answer) <= tolerance:
        assert made.check(said) == 'Right.'
    if abs(said - answer) > tolerance + 2 * slack:
        assert made.check(said) != 'Right.'
    assert made.check(answer) == 'Right.' and made.check(said) != made.exercise['unread']['words']


# ---- what is refused


@pytest.mark.parametrize(
    'arguments, message',
    [
        (dict(answer='a'), "must be a number from -1e\\+300; got 'a'"),
        (dict(answer=np.nan), 'got nan'),
        (dict(answer=np.inf), 'got inf'),
        (dict(answer=1, replies={'b': ''}), "got 'b'"),
        (dict(answer=1, tolerance=-0.1), 'tolerance must be a number from 0; got -0.1'),
        (dict(answer='a', choices=['a', 'a']), r"different texts; got \['a', 'a'\]"),
        (dict(answer='c', choices=['a', 'b']), "got 'c'"),
        (dict(answer='a', choices=['a', 'b'], replies={'d': 'No.'}), "got 'd'"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Exercise('?', **arguments)


# ---- the page and the script


def test_the_page_holds_the_exercise_and_is_the_same_each_time(state_of):
    page = rank.to_html()
    assert page == rank.to_html() == rank._repr_mimebundle_()[0]['text/html']
    assert state_of(page) == dict(exercise=rank.exercise, given='', static=True)
    hint = '<details><summary>Hint</summary><p style="white-space:pre-wrap">Count.</p></details>'
    assert hint in page and '<code>ceil(100*0.9)</code>' in page
    assert '<li>a</li><li>b</li><li>c</li>' in which.to_html()
    assert '<details>' not in which.to_html()


NODE = """
import { readFileSync } from 'node:fs';
const { script, rows } = JSON.parse(readFileSync(0, 'utf8'));
const { read, replyTo } = await import(script);
console.log(JSON.stringify(rows.map(([exercise, text]) => {
  const place = exercise.choices.indexOf(text);
  const number = exercise.choices.length ? (place < 0 ? null : place) : read(text);
  return [number, replyTo(exercise, number).words];
})));
"""


def test_the_script_replies_as_the_call():
    node = shutil.which('node')
    if not node:
        pytest.skip('node is not installed')
    signs = ['', '-', '+', '\u2212', ' ', '\u00a0', '\u2212\u2212']
    bodies = '0 1 12 0.12 0,12 .12 ,12 12. 12, 0.125 0.1250001 1,234 1,2345 0,123 12,345.6 90 89'
    bodies = [*bodies.split(), *'1234567 1e3 1.2.3 ٣ 0x10 Infinity NaN'.split(), '', '9' * 400]
    ends = ['', '%', ' %', '\u202f% ', '%%', '\n', '\t']
    texts = list(map(''.join, product(signs, bodies, ends)))
    rows = [(e, t) for e in (rank, share, loss, none) for t in texts]
    rows += [(which, t) for t in ('a', 'b', 'c', 'd', '')]
    said = [(e.exercise, t) for e, t in rows]
    asked = json.dumps(dict(script=(SCRIPTS / 'exercise.js').as_uri(), rows=said))
    command = [node, '--input-type=module', '-e', NODE]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding='utf-8')
    assert done.returncode == 0, done.stderr
    want = [[e._place(t), e.check(t)] for e, t in rows]
    beyond = (np.inf, -np.inf)  # JSON says null
    finite = [[None if n in beyond else n, words] for n, words in want]
    assert len({words for _, words in want}) > 10 and finite != want
    answers = zip(rows, finite, json.loads(done.stdout))
    assert [found for found in answers if found[1] != found[2]] == []


# ---- the widget


def test_traits():
    made = Exercise('?', 1, hint='One.')
    assert made.exercise['offer'] == 'The hint may help.'
    assert Exercise('?', 1, solution='1').exercise['offer'] == 'The worked solution may help.'
    assert Exercise('?', 1).exercise['offer'] == ''
    made.given = '2'
    assert made.check(made.given) == 'Not yet: it is less.' and repr(made) == 'Exercise: ?'
