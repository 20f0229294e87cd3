"An exercise without a browser: what it replies, what it refuses, and that its page holds the same."

from fractions import Fraction
import numpy as np, pytest
from hypothesis import given, strategies as st
from conflare_nb.show.exercise import Exercise
from exercises import loss, none, rank, share, which


UNREAD = rank.exercise['unread']['words']
SAID = {  # reply: to which answers of which exercises
    'Right. The new question counts.': [(rank, 90), (rank, np.int64(90))],
    'Right.': [(share, 0.124), (share, Fraction(3, 25)), (which, 'b'), (loss, -3), (none, 0)],
    'Close: count the new question.': [(rank, 89)],
    'Close: a little less.': [(rank, 91), (share, 0.126)],
    'Close: a little more.': [(rank, 85), (loss, -3.2)],
    'Not yet: it is more.': [(rank, 70)],
    'Not yet: it is less.': [(rank, 100), (share, 1), (none, 1)],
    'Close: check the sign.': [(rank, -90), (share, -0.12), (loss, 3)],
    UNREAD: [(rank, '90'), (rank, np.nan), (rank, np.inf)],
    'Close, but 100 times too large: a percentage needs its % sign.': [(share, 12)],
    'Close: this is the other part; subtract it from 1.': [(share, 0.88)],
    'Think of chance.': [(share, 0.5)],
    'Think of b.': [(which, 'a')],
    'Not yet: try another choice.': [(which, 'c')],
    'Choose one of: a; b; c.': [(which, 'd'), (which, 1)],
}  # fmt: skip


@pytest.mark.parametrize('reply', SAID)
def test_replies(reply):
    assert {exercise.check(answer) for exercise, answer in SAID[reply]} == {reply}


@given(st.floats(-1e6, 1e6), st.floats(0, 10), st.floats(-2e6, 2e6))
def test_right_is_what_lies_within_the_tolerance(answer, tolerance, said):
    made = Exercise('?', answer, tolerance=tolerance)
    slack = 1e-9 * max(1, abs(answer))
    if abs(said - answer) <= tolerance:
        assert made.check(said) == 'Right.'
    if abs(said - answer) > tolerance + 2 * slack:
        assert made.check(said) != 'Right.'
    assert made.check(answer) == 'Right.' and made.check(said) != made.exercise['unread']['words']


def test_the_page_holds_the_exercise_and_is_the_same_each_time(state_of):
    page = rank.to_html()
    assert page == rank.to_html() == rank._repr_mimebundle_()[0]['text/html']
    assert state_of(page) == dict(exercise=rank.exercise, given='', static=True)
    hint = '<details><summary>Hint</summary><p style="white-space:pre-wrap">Count.</p></details>'
    assert hint in page and '<code>ceil(100*0.9)</code>' in page
    assert '<li>a</li><li>b</li><li>c</li>' in which.to_html()
    assert '<details>' not in which.to_html()
