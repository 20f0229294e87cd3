"Questions come back from the table as they were kept, and each is kept once."

from dataclasses import replace
import pytest
from conflare_nb.labels.question import Question
from conflare_nb.labels.question_store import keep_questions, kept_questions
from conflare_nb.documents.store import KnowledgeBase

pytest_plugins = ['kb_fixtures']


def test_kept_questions_come_back_whole_and_once(small):
    sections = ('d.md', 'A > B'), ('e.md', '')
    odd = Question('1', "Who's \u2028 'there'; --?", 'x"y', sections, 'd.md', 'k')
    qs = [odd, Question('2', 'Half \ud800?', 'a', (), 'd.md', '', 'd.md#0001')]
    assert keep_questions(small, qs, 'mine') == 2 and keep_questions(small, qs + qs, 'mine') == 0
    again = kept_questions(KnowledgeBase.open(small.path, small.embedder))
    assert again == [odd, replace(qs[1], text='Half ??')]
    better = Question('1', 'Who is there?', 'nobody', (), 'd.md')
    assert keep_questions(small, [better], 'mine') == 1
    assert kept_questions(small, 'mine')[0] == better
    again = Question('3', 'Who is there?', 'nobody')  # the same under another id: asked again
    assert keep_questions(small, [again], 'person') == 1
    assert kept_questions(small, 'person') == [again]
    with pytest.raises(ValueError, match="'1' is kept already, with origin 'mine'"):
        keep_questions(small, [better], 'person')
    with pytest.raises(ValueError, match='origin says'):
        keep_questions(small, [better], '')
