"Judging and writing without a browser: pages against hostile texts, and every press."

import json
import pytest
from conflare_nb.labels.labeling import verdict_rows
from conflare_nb.labels.people import JudgingSession, WritingSession
from conflare_nb.labels.guide import sample_questions
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
    press(w, 'answer', answers=False)
    press(w, 'put_off')
    assert (w.view['put_off'], w.heard) == (1, dict(count=2, error=''))
    press(w, 'sing')
    assert w.heard['error'] == "Nothing was kept (KeyError): 'sing'"
    for _ in range(4):
        press(w, 'answer', answers=True)
    assert w.view['finished'].startswith('All 3') and 'JudgingWidget: 3 of 3' in repr(w)
    assert 'Nothing more is asked' in w.heard['error'] and len(rows(kb)) == 4
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
