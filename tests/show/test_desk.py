"Judging and writing without a browser: pages against hostile texts, and every press."

import json
from conflare_nb.labels.labeling import verdict_rows
from conflare_nb.labels.people import JudgingSession, WritingSession
from conflare_nb.show.desk import JudgingWidget, judging_html, writing_html


def test_pages_say_that_a_kernel_is_needed(mine, asked):
    judging, writing = JudgingSession(mine, asked[:40:4], 'Ann'), WritingSession(mine)
    for page in (judging_html(judging.view()), writing_html(writing.view())):
        assert 'needs a kernel' in page and '<button' not in page
    before = judging_html(judging.view())
    assert judging_html(judging.answer(False)) == judging_html(judging.view()) != before


def press(w, type, **more):
    w._message(dict(type=type, key=w.view['key'], **more))


def test_the_judging_desk(mine, asked):
    w = JudgingWidget(JudgingSession(mine, asked[:12:4], 'Ann', depth=4))
    assert w.view == json.loads(json.dumps(w.session.view().state()))
    press(w, 'answer', answers=False)
    press(w, 'put_off')
    assert (w.view['put_off'], w.heard) == (1, dict(count=2, error=''))
    press(w, 'sing')
    assert w.heard['error'] == "Nothing was kept (KeyError): 'sing'"
    for _ in range(4):
        press(w, 'answer', answers=True)
    assert w.view['finished'].startswith('All 3') and 'JudgingWidget: 3 of 3' in repr(w)
    assert 'Nothing more is asked' in w.heard['error'] and len(verdict_rows(mine)) == 4
    assert w.to_html() == judging_html(w.session.view())
