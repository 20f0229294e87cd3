"Judging and writing without a browser: pages against hostile texts, and every press."

import json
import pytest
from conflare_nb.labels.labeling import verdict_rows
from conflare_nb.labels.people import JudgingSession, WritingSession
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_questions
from conflare_nb.labels.question import Question
from conflare_nb.show.desk import JudgingWidget, WritingWidget, judging_html, writing_html

pytest_plugins = ['kb_fixtures']
HOSTILE = '</style></script><img src=x onerror=alert(1)><!-- "&\'\u2028'


@pytest.fixture
def kb(mine):
    return mine


@pytest.fixture
def questions(kb):
    return [q for q in sample_questions() if q.document in kb.documents()][:40:4]


def rows(kb):
    return verdict_rows(kb).read()


# ---- pages


@pytest.fixture
def hostile(embedder, tmp_path):
    docs = [
        Document('evil.md', HOSTILE, (Section(HOSTILE, f'Take it with water. {HOSTILE}', 3),)),
        Document('good.md', 'Good', (Section('', 'Keep it dry.'),)),
    ]
    return KnowledgeBase.create(tmp_path / 'hostile', docs, embedder, progress=False)


def test_nothing_from_outside_becomes_markup(hostile):
    session = JudgingSession(hostile, [Question('q', f'With water? {HOSTILE}', HOSTILE)], HOSTILE)
    pages = [session.view(), session.answer(False), session.answer(True)]
    pages = list(map(judging_html, pages))
    writing = WritingSession(hostile, n=2)
    views = [writing.view(), writing.write(HOSTILE, HOSTILE)]
    mark = HOSTILE[:20] if HOSTILE in writing.view().text else ''
    views.append(writing.write(f'{HOSTILE} again', '', mark))
    pages += map(writing_html, views)
    for page in pages:
        assert not any(tag in page for tag in ('<img', '<script', '<!--'))
        assert page.count('</style>') == 1
    assert '&lt;img' in pages[0] and '&lt;img' in pages[4] and rows(hostile)


def test_pages_say_that_a_kernel_is_needed(kb, questions):
    judging, writing = JudgingSession(kb, questions, 'Ann'), WritingSession(kb)
    for page in (judging_html(judging.view()), writing_html(writing.view())):
        assert 'needs a kernel' in page and '<button' not in page
    after = judging_html(judging.answer(False))
    assert after == judging_html(judging.view()) and '✗ no' in after


# ---- widgets


def press(w, type, **more):
    w._message(dict(type=type, key=w.view['key'], **more))


def test_the_judging_desk(kb, questions):
    w = JudgingWidget(JudgingSession(kb, questions[:3], 'Ann', depth=4))
    assert w.view == json.loads(json.dumps(w.session.view().state()))
    old = w.view['key']
    press(w, 'answer', answers=False)
    assert (w.view['chunk']['rank'], w.heard) == (2, dict(count=1, error=''))
    w._message(dict(type='answer', answers=True, key=old))  # pressed twice: this was about the old
    assert (w.view['chunk']['rank'], len(rows(kb)), w.heard['count']) == (2, 1, 2)
    press(w, 'put_off')
    assert w.view['put_off'] == 1
    for _ in range(3):
        press(w, 'undo')
    assert w.view['key'] == old
    assert w.heard['error'] == 'Nothing to take back: nothing has been judged here yet'
    press(w, 'sing')
    assert w.heard['error'] == "Nothing was kept (KeyError): 'sing'"
    for _ in range(3):
        press(w, 'answer', answers=True)
    assert w.view['finished'].startswith('All 3') and 'JudgingWidget: 3 of 3' in repr(w)
    press(w, 'answer', answers=True)
    assert 'Nothing more is asked' in w.heard['error']
    assert w.to_html() == judging_html(w.session.view())


def test_the_writing_desk(kb):
    w = WritingWidget(WritingSession(kb, n=2))

    def write(question, answer=''):
        press(w, 'write', question=question, answer=answer, mark='')

    write('')
    assert (w.heard['error'], w.view['done']) == ("A question needs words; got ''", 0)
    write('Why?', 'because')
    assert w.view['written'] == [dict(question='Why?', answer='because')]
    assert w.heard['error'] == '' and w.view['can_undo']
    press(w, 'put_off')
    assert w.view['progress'] == '1 of 2 questions written, 1 put off'
    press(w, 'undo')
    assert w.view['draft'] == dict(question='Why?', answer='because') and w.view['done'] == 0
    write('Why so?')
    write('How?')
    assert w.view['finished'] == 'All 2 questions are written.' and not w.view['key']
    assert w.to_html() == writing_html(w.session.view())
