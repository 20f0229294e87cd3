"Splits keep documents together, and one question a document is drawn fairly."

from collections import Counter
from dataclasses import replace
import pytest
from conflare_nb.labels.question import Question, asked_text, one_per_document, split_questions


@pytest.mark.parametrize('by, name', [('document', 'document'), ('question', 'id')])
def test_splits_are_random_halves_of_documents_or_questions(questions, by, name):
    def split(asked, seed):
        return split_questions(asked, 0.5, seed=seed, by=by)

    a, b = split(questions, 3)
    first, second = ({getattr(q, name) for q in half} for half in (a, b))
    assert sorted(a + b, key=questions.index) == questions and not first & second
    assert abs(len(first) - len(second)) <= 1
    assert split(questions, 3) == (a, b) != split(questions, 4)
    assert split(questions[::-1], 3)[0] == a[::-1]  # the order of the questions plays no part


def test_equal_texts_stand_on_one_side():
    "By way of others, too: a text that is asked about two documents keeps both together."
    asked = [Question(f'{i}', f'Question {i % 40}?') for i in range(120)]
    asked += [Question(f'd{i}', 'How much?', document=f'd{i % 2}.md') for i in range(6)]
    asked += [Question(f'e{i}', f'On {i}?', document='d1.md') for i in range(3)]
    for seed in range(20):
        a, b = split_questions(asked, seed=seed)
        assert sorted(a + b, key=asked.index) == asked
        assert not {q.text for q in a} & {q.text for q in b}
        assert len({q.id[0] in 'de' for q in b if q.document}) <= 1
        assert {q.document for q in a}.isdisjoint({q.document for q in b} - {''})
    a, b = split_questions(asked, by='question')  # as they were asked
    assert abs(len(a) - len(b)) == 1 and {q.text for q in a} & {q.text for q in b}


def test_every_question_of_a_document_is_as_likely():
    three = [Question(f'{d}{i}', '?', document=d) for d in 'xy' for i in range(3)]
    pairs = [tuple(q.id for q in one_per_document(three, seed)) for seed in range(3000)]
    drawn = Counter(id for pair in pairs for id in pair)
    assert set(drawn) == {q.id for q in three}
    assert all(abs(c - 1000) < 5 * (3000 * 2 / 9) ** 0.5 for c in drawn.values())
    assert len(set(pairs)) == 9  # one document's draw says nothing of another's


def test_questions_without_a_document_stand_alone():
    free = [Question(f'{i}', '?') for i in range(4)]
    assert one_per_document(free) == free and one_per_document([]) == []


def test_a_share_is_rounded_and_words_of_the_documents_go_first():
    ten = [Question(f'{i}', f'{i}?', document=f'{i}') for i in range(10)]
    for share, first in [(0.25, 2), (0.26, 3), (0.29, 3), (0.05, 0), (0.98, 10)]:
        assert len(split_questions(ten, share)[0]) == first
    worded = Question('w', '?', 'a week', wording='seven days')
    assert (worded.sought, replace(worded, wording='').sought) == ('seven days', 'a week')
    assert asked_text(['a', 'b', 'a']) == '3 questions (2 distinct texts)'
    assert asked_text(['a', 'b']) == '2 questions'
    with pytest.raises(ValueError, match='has no answer and no section'):
        Question('n', '?', sections=(('a.md', ''),), unanswerable=True)
    places = ('a.md', 'A'), ('b.md', 'B')
    both = Question('b', '?', sections=places, all_of=True)
    assert [part.sections for part in both.parts] == [(place,) for place in places]
