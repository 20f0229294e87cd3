"The explorer of answer sets without a browser: its numbers against sets and measures computed directly, its page, its traits."

import json
from dataclasses import replace
import numpy as np, pytest
from conflare_nb.show.sets import answer_set_view
from conflare_nb.traq.sameness import cluster_answers, exact_same
from conflare_nb.conformal.two_steps import Rule
from conflare_nb.traq.sets import SampledPassage, SampledQuestion, TraqCalibration, answer_set, calibrate_answers
from conflare_nb.traq.alpha_split import set_measures, tabulate
from sampled import sampled_question

N = 24
cal = calibrate_answers([sampled_question(i) for i in range(N)])
table = tabulate([sampled_question(i) for i in range(60)])  # the first of them calibrated
new = [sampled_question(i) for i in range(100, 110)]
# every alpha up to one half, with every number of its ranks for retrieval
SPLITS = [((b + 0.5) / (N + 1), m / max(b, 1), (m, b - m)) for b in range(13) for m in range(b + 1)]


@pytest.fixture(scope='module')
def view():
    return answer_set_view(new, cal, table, texts={'p0': 'the first passage'})


def test_at_every_split_it_is_the_set_and_the_measures(view):
    "In the browser it is, too: tests/show/test_scripts.py."
    for alpha, share, ranks in SPLITS:
        rule = Rule('ranks', N, alpha, share)
        measures = set_measures(table, np.arange(N, 60), cal, rule)
        for i, q in enumerate(new):
            seen = view.at(i, alpha, share)
            assert (seen['found'], seen['ranks']) == (answer_set(q, cal, rule), ranks)
            assert (seen['tau'], seen['count']) == cal.thresholds(rule)
            assert seen['expected'] == pytest.approx({k: measures[k] for k in seen['expected']})


def test_alphas_between_the_splits(view):
    for alpha in np.linspace(0.005, 0.5, 34):
        for share in (0, 0.05, 0.3, 1 / 3, 0.5, 0.77, 1):
            found = answer_set(new[0], cal, Rule('ranks', N, alpha, share))
            assert view.at(0, alpha, share)['found'] == found


def test_dots_are_the_calibration_questions(view):
    for alpha, share, (m_ret, m_qa) in SPLITS:
        tau, count = cal.thresholds(Rule('ranks', N, alpha, share))
        inside = (cal.s_ret <= tau) & (-cal.s_qa >= count if count else True)
        assert [d[2] > m_ret and d[3] > m_qa for d in view.state()['dots']] == inside.tolist()


def test_the_state_is_json(view):
    state = view.state()
    assert json.loads(json.dumps(state, allow_nan=False)) == state
    assert state['questions'][3]['passages'][0]['text'] == 'the first passage'
    gold = next(i for i, q in enumerate(new) if q.gold == 4)  # outside the pool: never shown
    assert [p['gold'] for p in state['questions'][gold]['passages']] == [False] * 4


def test_without_test_questions_and_without_answers():
    bare = answer_set_view([replace(new[0], references=(), gold=None)], cal)
    s = bare.state()
    assert bare.at(0, 0.2, 0.5)['expected'] is None
    assert (s['tested'], s['sums'], s['questions'][0]['known']) == (0, [], False)
    assert {c['right'] for p in s['questions'][0]['passages'] for c in p['clusters']} == {None}
    assert 'test questions' not in bare.table()


ODD = [([0.5], [-3]), ([np.inf], [np.inf]), ([0.5] * 5, [-6] * 5)]
ODD += [([np.inf] * 4, [-6, -1, -1, np.inf])]


@pytest.mark.parametrize('s_ret, s_qa', ODD)
def test_odd_calibrations(s_ret, s_qa):
    odd = TraqCalibration(tuple(f'c{i}' for i in range(len(s_ret))), s_ret, s_qa, 6)
    nothing = (SampledPassage('p', 0.5, cluster_answers(["I don't know"] * 6)),)
    asked = new[0], SampledQuestion('silent', '?', nothing)
    view = answer_set_view(list(asked), odd, table)
    json.dumps(view.state(), allow_nan=False)
    for alpha in (0.001, 0.2, 0.34, 0.5):
        for share in (0, 0.5, 1):
            rule = Rule('ranks', odd.n, alpha, share)
            for i, q in enumerate(asked):
                assert view.at(i, alpha, share)['found'] == answer_set(q, odd, rule)
                view.html(question=i, alpha=alpha, share=share)


def test_another_way_to_be_the_same():
    strict = answer_set_view(new, cal, table, same=exact_same, match=exact_same)
    found = answer_set(new[0], cal, Rule('ranks', N, 0.4), exact_same)
    assert strict.at(0, 0.4, 0.5)['found'] == found


def test_a_page_holds_the_view_and_where_the_controls_are(view, state_of):
    shown = dict(view=view.state(), question=7, alpha=0.3, share=0.25, static=True)
    assert state_of(view.html(question=7, alpha=0.3, share=0.25)) == shown
