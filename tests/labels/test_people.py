"A person's verdicts and questions without a browser: what is asked, what is kept, what is taken back."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb import Distance, Document, JudgingSession, KnowledgeBase, LateHybrid, Question
from conflare_nb import Rank, answering_chunks, label_questions, sample_questions
from conflare_nb.documents.reading import Section
from conflare_nb.labels.labeling import Label, verdict_rows
from conflare_nb.labels.people import WritingSession, _joined
from conflare_nb.labels.question_store import kept_questions, question_rows, question_to_row


@pytest.fixture
def questions(mine):
    return [q for q in sample_questions() if q.document in mine.documents()][:40:4]


@pytest.fixture
def right(mine, questions):
    return {q.text: ids for q, ids in zip(questions, answering_chunks(mine, questions))}


def judge(session, right, most=10**6):
    "Answer rightly what is asked, so many times."
    for _ in range(most):
        if not (at := session.view()).key:
            return
        session.answer(at.chunk['id'] in right[at.question])


def rows(mine):
    return verdict_rows(mine).read()


@pytest.mark.parametrize('seed', range(3))
def test_any_order_of_steps_ends_with_the_right_labels(mine, questions, right, seed):
    "Wrong verdicts taken back, questions put off, the session closed and opened: the labels are those of the known answers."
    rng = np.random.default_rng(seed)
    session = JudgingSession(mine, questions, "Ann O'Neill", depth=5)
    while (at := session.view()).key:
        match rng.choice(['judge', 'slip', 'put off', 'reopen'], p=[0.6, 0.2, 0.1, 0.1]):
            case 'judge':
                session.answer(at.chunk['id'] in right[at.question])
            case 'slip':
                session.answer(at.chunk['id'] not in right[at.question])
                assert session.undo() == at
            case 'put off':
                if at.can_put_off:
                    assert session.put_off().question != at.question and session.undo() == at
                    session.put_off()
            case 'reopen':
                session = JudgingSession(mine, questions, "Ann O'Neill", depth=5)
        said = [r['key'] for r in rows(mine)]
        assert len(said) == len(set(said))
    assert session.labels() == label_questions(mine, questions, depth=5, progress=False)
    assert {r['judge'] for r in rows(mine)} == {"person:Ann O'Neill"}
    assert session.view().done == session.view().total == len(questions)
    looked_at = sum(l.rank or 5 for l in session.labels())
    assert len(rows(mine)) == looked_at  # one verdict a chunk


@pytest.mark.parametrize('score', [Distance(), Rank(), LateHybrid()], ids=lambda s: s.name)
def test_the_walk_goes_in_the_order_of_the_score(mine, questions, right, score):
    session = JudgingSession(mine, questions, 'Ann', depth=5, score=score)
    asked = []
    while (at := session.view()).key:
        if at.question == questions[0].text:
            asked.append(at.chunk['id'])
        session.answer(at.chunk['id'] in right[at.question])
    assert asked == score.rank(mine, questions[0].text, 5)['id'].to_pylist()[: len(asked)] and asked
    assert session.labels() == label_questions(mine, questions, depth=5, progress=False, score=score)
    said = {r['key'] for r in rows(mine)}  # and holds for every other order
    assert JudgingSession(mine, questions, 'Ann', depth=5, score=Distance()).view().key not in said


def test_nothing_is_asked_twice(mine, questions, right):
    judge(walk := JudgingSession(mine, questions, 'Ann', depth=5), right)
    n, found = len(rows(mine)), [l for l in walk.labels() if l.chunk]
    again = [Question('new', q.text) for q in questions]
    for items, depth in ((found, 30), (questions[::-1], 3), (again, 5)):
        # not in an audit, not in another order, nor under another id
        assert JudgingSession(mine, items, 'Ann', depth=depth).view().key == ''
    assert JudgingSession(mine, found, 'Bob').view().key and len(rows(mine)) == n
    deeper = JudgingSession(mine, questions, 'Ann', depth=8)
    assert deeper.view().key == '' or deeper.view().chunk['rank'] == 6  # only what was not reached


def test_an_audit_is_known_in_the_walk(mine, questions):
    first = LateHybrid().rank(mine, questions[0].text, 2).to_pylist()
    second = Label('a', questions[0].text, first[1]['score'], 2, first[1]['id'])
    audit = JudgingSession(mine, [second], 'Ann')
    audit.answer(True)
    walk = JudgingSession(mine, questions[:2], 'Ann', depth=5)
    assert walk.view().chunk['rank'] == 1
    assert not walk.view().can_undo  # the audit's verdict is not the walk's to take back
    assert walk.answer(False).question == questions[1].text and walk.labels()[0].rank == 2
    assert walk.undo().chunk['id'] == first[0]['id'] and len(rows(mine)) == 1


def test_two_sessions_at_once(mine, questions):
    one, two = (JudgingSession(mine, questions, 'Ann', depth=5) for _ in range(2))
    one.answer(True)
    assert two.view().done == 0 and two.answer(False).done == 1  # what was said first stands
    assert [r['answers'] for r in rows(mine)] == [True]
    assert two.answer(False).said
    assert one.labels()[1].reason == 'not judged to the end: 1 of 5 chunks'
    one.undo()
    assert [r['answers'] for r in rows(mine)] == [False]


def test_what_is_open_counts_as_open(mine, questions, right):
    session = JudgingSession(mine, questions, 'Ann', depth=4)
    for _ in range(5):
        session.put_off()
    assert (session.view().put_off, session.view().done) == (5, 0)
    judge(session, right, 1)
    labels = session.labels()
    assert [l.question for l in labels] == [q.id for q in questions]
    assert not any(np.isfinite(l.score) for l in labels[:5])
    order = [q.text for q in questions]
    rest = label_questions(mine, questions[5:], depth=4, progress=False)
    judge(session, right, sum(l.rank or 4 for l in rest) - 1)
    assert session.view().question == order[0]  # in the order in which they were put off
    session.put_off()
    assert session.view().question == order[1] and session.view().put_off == 5
    last = JudgingSession(mine, questions[:1], 'Bob')
    with pytest.raises(ValueError, match='nothing else is left'):
        last.put_off()


def test_a_passage_is_the_text_of_its_section(embedder, tmp_path):
    forms = 'tablet syrup cream spray drops patch inhaler powder'.split() * 12
    said = 'Sentence number {} says that the {} is kept in a dry place, away from light.'
    text = ' '.join(said.format(i, form) for i, form in enumerate(forms))
    docs = [Document('a.md', 'A', (Section('Storage', text, 4),))]
    mine = KnowledgeBase.create(tmp_path / 'long', docs, embedder, progress=False)
    session = WritingSession(mine, n=5)
    at = session.view()
    assert len(mine) > 3 and session.n == 1
    assert (at.text, at.where) == (text, 'A › Storage › page 4')
    session.write('Which one?', mark='Sentence number 60 says')
    texts = {r['id']: r['text'] for r in mine.texts()}
    assert 'Sentence number 60' in texts[kept_questions(mine)[0].chunk]


def test_what_is_kept(mine):
    session = WritingSession(mine, n=4)
    at = session.view()
    words = ' '.join(at.text.split()[3:7])
    session.write('  What  is\nthis? ', f' {words} ', at.text[5:40])
    q = kept_questions(mine, 'person')[0]
    chunk = next(r for r in mine.texts() if r['id'] == q.chunk)
    section = (chunk['document'], chunk['heading'])
    assert q == Question(q.id, 'What is this?', words, (section,), section[0], chunk=q.chunk)
    assert answering_chunks(mine, [q])[0] == {q.chunk}
    assert session.view().note == 'Kept. The text contains the answer.'
    for text, answer in (('And that?', ''), ('Or this?', 'nowhere to be read')):
        assert 'word for word' in session.write(text, answer).note
    written = [w['question'] for w in WritingSession(mine, n=4).view().written]
    assert written == ['Or this?', 'And that?', 'What is this?']
    assert len({q.chunk for q in kept_questions(mine)}) == 3
    with pytest.raises(ValueError, match="must be in the text; got 'on the moon'"):
        session.write('Where?', mark='on the moon')
    back = session.undo()
    assert (back.note, back.done) == ('Taken back.', 2)
    assert back.draft == dict(question='Or this?', answer='nowhere to be read')


def test_twelve_characters_in_common_are_no_chance():
    assert _joined(['one: abcdefghijkl', 'abcdefghijkl two']) == 'one: abcdefghijkl two'
    assert _joined(['one: abcdefghijk', 'abcdefghijk two']) == 'one: abcdefghijk\n\nabcdefghijk two'


def test_what_is_kept_by_others_is_not_written_again_and_not_taken_back(mine):
    own = Question('own', 'How long does it keep?', 'a month', wording='four weeks')
    question_rows(mine).add([question_to_row(own, 'mine.csv')])
    session = WritingSession(mine, n=3)
    with pytest.raises(ValueError, match="exists already: 'How long does it keep"):
        session.write('HOW LONG does it keep')
    with pytest.raises(ValueError, match='no question was written'):
        session.undo()
    assert session.view().done == 0 and kept_questions(mine) == [own]
    newer, refused = replace(own, answer='a year'), replace(own, id='no')
    question_rows(mine).add([question_to_row(newer, 'mine.csv')])
    question_rows(mine).add([question_to_row(refused, 'mine.csv') | dict(reason='duplicate')])
    assert kept_questions(mine) == [newer] and kept_questions(mine, 'person') == []  # the latest counts
