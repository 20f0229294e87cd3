"Questions come back from the table as they were kept."

from dataclasses import replace
from conflare_nb import KnowledgeBase, Question
from conflare_nb.labels.question_store import kept_questions, question_rows, question_to_row

pytest_plugins = ['kb_fixtures']


def test_kept_questions_come_back_whole(small):
    sections = ('d.md', 'A > B'), ('e.md', '')
    odd = Question('1', "Who's \u2028 'there'; --?", 'x"y', sections, 'd.md', 'k')
    half = Question('2', 'Half \ud800?', 'a', (), 'd.md', '', 'd.md#0001')
    song = Question('3', 'Who sang it?', document='d.md', unanswerable=True)
    question_rows(small).add([question_to_row(q, 'person') for q in (odd, half, song)])
    again = kept_questions(KnowledgeBase.open(small.path, small.embedder))
    assert again == [odd, replace(half, text='Half ??'), song]
