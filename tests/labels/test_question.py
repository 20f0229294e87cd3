"Splits keep documents together, and one question a document is drawn fairly."

from collections import Counter
import pytest
from conflare_nb.labels.question import Question, asked_text, one_per_document
from conflare_nb.labels.question import question_clusters, split_questions

pytest_plugins = ['kb_fixtures']

# --- splits


def test_splits_are_random_halves_of_documents_or_questions(questions):
    for by, key in (('document', lambda q: q.document), ('question', lambda q: q.id)):
        a, b = split_questions(questions, 0.5, seed=3, by=by)
        assert sorted(a + b, key=questions.index) == questions and not {key(q) for q in a} & {
            key(q) for q in b
        }
        assert abs(len({key(q) for q in a}) - len({key(q) for q in b})) <= 1
        assert (
            split_questions(questions, 0.5, seed=3, by=by)
            == (a, b)
            != split_questions(questions, 0.5, seed=4, by=by)
        )
        assert (
            split_questions(questions[::-1], 0.5, seed=3, by=by)[0] == a[::-1]
        )  # the order of the questions plays no part
    for kw in (dict(share=0), dict(share=1), dict(by='kind')):
        with pytest.raises(ValueError, match='got'):
            split_questions(questions, **kw)


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


def test_many_documents_with_one_text_are_found_together_at_once():
    asked = [Question(f'{i}', 'How much?', document=f'{i}.md') for i in range(20_000)]
    assert set(question_clusters(asked)) == {0}


# --- one question a document


@pytest.mark.parametrize('seed', range(5))
def test_one_question_of_each_document(questions, seed):
    drawn = one_per_document(questions, seed)
    assert [q.document for q in drawn] == list(dict.fromkeys(q.document for q in drawn)) and {
        q.document for q in drawn
    } == {q.document for q in questions}
    assert (
        drawn
        == [q for q in questions if q in drawn]
        == one_per_document(questions[::-1], seed)[::-1]
    )
    assert drawn != one_per_document(questions, seed + 1)


def test_every_question_of_a_document_is_as_likely():
    three = [Question(f'{d}{i}', '?', document=d) for d in 'xy' for i in range(3)]
    drawn = Counter(q.id for seed in range(3000) for q in one_per_document(three, seed))
    assert set(drawn) == {q.id for q in three} and all(
        abs(c - 1000) < 5 * (3000 * 2 / 9) ** 0.5 for c in drawn.values()
    )
    pairs = Counter(tuple(q.id for q in one_per_document(three, seed)) for seed in range(3000))
    assert len(pairs) == 9  # one document's draw says nothing of another's


def test_questions_without_a_document_stand_alone():
    free = [Question(f'{i}', '?') for i in range(4)]
    assert one_per_document(free) == free and one_per_document([]) == []


def test_what_is_asked_and_what_differs():
    assert asked_text(['a', 'b']) == '2 questions' and asked_text(['a']) == '1 question'
    assert asked_text(['a', 'b', 'c', 'd'] * 15) == '60 questions (4 distinct texts)'
    assert asked_text(['a', 'a']) == '2 questions (1 distinct text)'
