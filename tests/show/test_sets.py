"The explorer of answer sets without a browser: its numbers against sets and measures computed directly, its page against hostile texts, its traits."

import json, subprocess, sys
from dataclasses import replace
import numpy as np, pytest
from conflare_nb.show.sets import AnswerSetExplorer, answer_set_view
from conflare_nb.traq.sameness import cluster_answers, exact_same
from conflare_nb.conformal.two_steps import Rule, rank_splits
from conflare_nb.traq.sets import (
    SampledPassage,
    SampledQuestion,
    TraqCalibration,
    answer_set,
    calibrate_answers,
)
from conflare_nb.traq.alpha_split import set_measures, tabulate
from sampled import sampled_question

HOSTILE = '</script><img src=x onerror=alert(1)><!-- "&\u2028'
N = 24
cal = calibrate_answers([sampled_question(i) for i in range(N)])
table = tabulate([sampled_question(i) for i in range(60)])  # the first of them calibrated
new = [sampled_question(i) for i in range(100, 110)]
SPLITS = [
    (alpha, m / max(b, 1), (m, b - m))
    for b in range(13)
    for alpha in [(b + 0.5) / (N + 1)]
    for m in range(b + 1)
    if b or not m
]


@pytest.fixture(scope='module')
def view():
    return answer_set_view(new, cal, table, texts={'p0': 'the first passage'})


# ---- the numbers


def test_every_split_is_seen():
    assert {s[2] for s in SPLITS if s[2] != (0, 0)} == {
        tuple(r) for b in range(1, 13) for r in rank_splits(N, (b + 0.5) / (N + 1)).tolist()
    }


@pytest.mark.parametrize('b', range(13))
def test_at_every_split_it_is_the_set_and_the_measures(view, b):
    for alpha, share, ranks in (s for s in SPLITS if sum(s[2]) == b):
        rule = Rule('ranks', N, alpha, share)
        measures = set_measures(table, np.arange(N, 60), cal, rule)
        for i, q in enumerate(new):
            seen = view.at(i, alpha, share)
            assert seen['found'] == answer_set(q, cal, rule) and (
                seen['tau'],
                seen['count'],
            ) == cal.thresholds(rule)
            assert seen['ranks'] == (ranks if b else (0, 0))
            assert seen['expected'] == pytest.approx({k: measures[k] for k in seen['expected']})


def test_alphas_between_the_splits(view):
    for alpha in np.linspace(0.005, 0.5, 34):
        for share in (0, 0.05, 0.3, 1 / 3, 0.5, 0.77, 1):
            assert view.at(0, alpha, share)['found'] == answer_set(
                new[0], cal, Rule('ranks', N, alpha, share)
            )


def test_whole_numbers_alone_decide(view):
    "What a page computes from the state: passages above one rank, clusters above another."
    state = view.state()
    for alpha, share, (m_ret, m_qa) in SPLITS:
        rule = Rule('ranks', N, alpha, share)
        tau, count = cal.thresholds(rule)
        assert (state['taus'][N - m_ret] if m_ret else None) == (
            round(tau, 4) if np.isfinite(tau) else None
        )
        assert (state['counts'][N - m_qa] if m_qa else 0) == count
        for q, s in zip(new, state['questions']):
            found, asked = answer_set(q, cal, rule), [p for p in s['passages'] if p['rank'] > m_ret]
            stays = {}
            for p in asked:
                for c in p['clusters']:
                    if c['rank'] > m_qa:
                        stays.setdefault(c['meaning'], []).append((c['count'], p['id'], c['right']))
            assert found.asked == tuple(p['id'] for p in asked)
            assert sorted(
                (max(x[0] for x in y), tuple(dict.fromkeys(x[1] for x in y)))
                for y in stays.values()
            ) == sorted((a.count, a.passages) for a in found.answers)
            assert any(x[2] for y in stays.values() for x in y) == found.covers(q.references)


def test_dots_are_the_calibration_questions(view):
    for alpha, share, (m_ret, m_qa) in SPLITS:
        tau, count = cal.thresholds(Rule('ranks', N, alpha, share))
        inside = (cal.s_ret <= tau) & (-cal.s_qa >= count if count else True)
        assert [d[2] > m_ret and d[3] > m_qa for d in view.state([])['dots']] == inside.tolist()


def test_the_state_is_json(view):
    state = view.state()
    assert json.loads(json.dumps(state, allow_nan=False)) == state
    assert (
        view.state([3])['questions'] == [state['questions'][3]]
        and state['questions'][3]['passages'][0]['text'] == 'the first passage'
    )
    gold = next(i for i, q in enumerate(new) if q.gold == 4)  # outside the pool: never shown
    assert [p['gold'] for p in state['questions'][gold]['passages']] == [False] * 4


def test_without_test_questions_and_without_answers():
    bare = answer_set_view([replace(new[0], references=(), gold=None)], cal)
    s = bare.state()
    assert bare.at(0, 0.2, 0.5)['expected'] is None and (
        s['tested'],
        s['sums'],
        s['questions'][0]['known'],
    ) == (0, [], False)
    assert {c['right'] for p in s['questions'][0]['passages'] for c in p['clusters']} == {None}
    assert 'test questions' not in bare.table()


@pytest.mark.parametrize(
    's_ret, s_qa',
    [
        ([0.5], [-3]),
        ([np.inf], [np.inf]),
        ([np.inf] * 4, [-6, -1, -1, np.inf]),
        ([0.5] * 5, [-6] * 5),
    ],
)
def test_odd_calibrations(s_ret, s_qa):
    odd = TraqCalibration(tuple(f'c{i}' for i in range(len(s_ret))), s_ret, s_qa, 6)
    silent = SampledQuestion(
        'silent', '?', (SampledPassage('p', 0.5, cluster_answers(["I don't know"] * 6)),)
    )
    view = answer_set_view([new[0], silent], odd, table)
    json.dumps(view.state(), allow_nan=False)
    for alpha in (0.001, 0.2, 0.34, 0.5):
        for share in (0, 0.5, 1):
            for i, q in enumerate((new[0], silent)):
                assert view.at(i, alpha, share)['found'] == answer_set(
                    q, odd, Rule('ranks', odd.n, alpha, share)
                )
                view.html(question=i, alpha=alpha, share=share)


def test_what_does_not_belong_together_is_refused():
    with pytest.raises(ValueError, match="1 of those to explore did, such as 'q3'"):
        answer_set_view([sampled_question(3)], cal)
    with pytest.raises(ValueError, match=r'the same number of times; got \[6, 8\]'):
        answer_set_view(new, cal, tabulate([sampled_question(50, 8)]))
    with pytest.raises(ValueError, match='all 5 test questions calibrated'):
        answer_set_view(new, cal, table.take(np.arange(5)))
    assert answer_set_view(new, cal, table).tested == 60 - N


def test_another_way_to_be_the_same():
    strict = answer_set_view(new, cal, table, same=exact_same, match=exact_same)
    assert strict.at(0, 0.4, 0.5)['found'] == answer_set(
        new[0], cal, Rule('ranks', N, 0.4), exact_same
    )


# ---- the page


def test_a_page_with_some_questions(view):
    data = lambda page: json.loads(
        page.split('<script type="application/json">')[1].split('</script>')[0]
    )
    few = data(view.html(question=7, alpha=0.3, share=0.25, most=2))
    assert [q['text'] for q in few['view']['questions']] == [new[i].text for i in (0, 1, 7)]
    assert (few['question'], few['alpha'], few['share'], few['static']) == (2, 0.3, 0.25, True)
    assert data(view.html())['view'] == view.state()


def test_no_matplotlib_is_needed_for_a_page():
    code = "import sys; sys.modules.update(matplotlib=None)\nfrom conflare_nb.show.sets import answer_set_view"
    subprocess.run([sys.executable, '-c', code], check=True)


# ---- the widget


def test_controls():
    w = AnswerSetExplorer(new, cal, table)
    assert (w.alpha, w.share, w.question) == (0.2, 0.5, 0) and w.view == w.shown.state()
    for w.alpha in (0.45, 0.08):
        for w.share in (0.2, 1.0):
            for w.question in (4, 1):
                assert w.found == answer_set(new[w.question], cal, w.rule) and w.rule == Rule(
                    'ranks', N, w.alpha, w.share
                )
    for name, bad, says in (
        ('alpha', 0, 'got 0'),
        ('alpha', 0.51, 'got 0.51'),
        ('alpha', np.nan, 'got nan'),
        ('share', 1.01, 'got 1.01'),
        ('share', -0.1, 'got -0.1'),
        ('question', -1, 'got -1'),
        ('question', 10, 'got 10'),
    ):
        with pytest.raises(ValueError, match=says):
            setattr(w, name, bad)
    assert (w.alpha, w.share, w.question) == (0.08, 1.0, 1)
    with pytest.raises(ValueError, match='got none'):
        AnswerSetExplorer([], cal)


def test_shown_as_widget_as_page_and_as_text():
    w = AnswerSetExplorer(new, cal, table, alpha=0.3, share=0.25)
    w.question = 2
    data = w._repr_mimebundle_()[0]
    assert {'text/html', 'application/vnd.jupyter.widget-view+json'} <= set(data)
    assert data['text/html'] == w.to_html() == w.shown.html(question=2, alpha=0.3, share=0.25)
    assert repr(w) == f'AnswerSetExplorer at alpha=0.3, share=0.25: {w.found!r}'
