"Answer sets from samples: files, scores, membership, unbounded sets, early stopping."

import json, math
from dataclasses import replace
from itertools import product
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.traq.sameness import Clusters, cluster_answers, exact_same, rouge1, rouge_same
from conflare_nb.conformal.two_steps import Rule
from conflare_nb.traq.sets import SampledPassage, SampledQuestion, TraqCalibration, answer_set, calibrate_answers
from conflare_nb.traq.sets import count_needed, draws_needed, question_scores, settled, unbounded
from conflare_nb.traq.alpha_split import choose_share, set_measures, tabulate
from simulated import honest, simulated_table

inf = math.inf
prop = settings(derandomize=True, deadline=None, max_examples=40)
SAID = ['red', 'Red.', 'the red', 'blue', 'green', "I don't know", '']


def passage(name, score, texts):
    return SampledPassage(name, score, cluster_answers(texts, exact_same))


def calibrated(s_ret, s_qa, k):
    return TraqCalibration(tuple(map(str, range(len(s_qa)))), s_ret, s_qa, k)


@st.composite
def sampled(draw, k=4, n=(3, 12)):  # questions with everything that can go wrong
    def one(i):
        scores = sorted(draw(st.lists(st.integers(0, 5).map(float), min_size=2, max_size=3)))
        gold = draw(st.sampled_from([None, *range(len(scores))]))
        texts = [draw(st.lists(st.sampled_from(SAID), min_size=k, max_size=k)) for _ in scores]
        if gold is not None and draw(st.booleans()):
            scores = [s for j, s in enumerate(scores) if j != gold] + [inf]
            gold = len(scores) - 1
        pool = tuple(passage(f'p{j}', s, t) for j, (s, t) in enumerate(zip(scores, texts)))
        return SampledQuestion(f'q{i}', '?', pool, gold, ('red', 'crimson'))

    return [one(i) for i in range(draw(st.integers(*n)))]


some_kind = st.sampled_from(['ranks', 'bonferroni', 'pac'])
some_rule = st.tuples(some_kind, st.sampled_from([0.05, 0.2, 0.34, 0.5, 0.7]), st.sampled_from([0.0, 0.25, 0.5, 0.8]))


def plain(cal):
    return cal.ids, cal.s_ret.tolist(), cal.s_qa.tolist(), cal.k, cal.settings


HOSTILE = ["'; DROP TABLE answers; --", '<script>alert(1)</script>', '😀 é \x00 \\ " \n']
a_score = st.tuples(st.floats(-2, 2) | st.just(inf), st.integers(-4, -1) | st.just(inf))


@prop
@given(st.lists(a_score, min_size=1, max_size=8))
def test_a_calibration_comes_back_from_its_file(tmp_path_factory, scores):
    ids = tuple(f'{i} {HOSTILE[i % 3]}' for i in range(len(scores)))
    cal = TraqCalibration(ids, *zip(*scores), 4, dict(model=HOSTILE[0], stop=['\n']))
    path = cal.save(tmp_path_factory.mktemp('cal') / 'cal.json')
    assert plain(TraqCalibration.load(path)) == plain(cal)
    assert 'Infinity' not in path.read_text()
    assert [p.name for p in path.parent.iterdir()] == ['cal.json']


DAMAGED = [
    (dict(schema='conflare_nb.calibration/1'), "'conflare_nb.traq/2' is read"),
    (dict(k=0), 'at least 1; got 0'),
    (dict(k=True), "'k' cannot be True"),
    (dict(k=3), 'from 1 to 3, or inf; got -4'),
    (dict(ids=['a', 1]), r"texts; got \['a', 1\]"),
    (dict(ids=['a', 'a']), 'got 1 ids'),
    (dict(s_ret=[0.1]), '1 and 2 scores'),
    (dict(s_ret=['.1', None]), "number or null; got '.1'"),
    (dict(s_ret=[-inf, None]), '-Infinity is no number'),
    (dict(s_qa=[-1.5, None]), 'got -1.5'),
    (dict(settings=None), "'settings' cannot be None"),
]


@pytest.mark.parametrize('change, says', DAMAGED)
def test_a_file_that_is_none_says_why(tmp_path, change, says):
    path = TraqCalibration(('a', 'b'), [0.1, inf], [-4, inf], 4).save(tmp_path / 'x.json')
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ValueError, match='x.json is no calibration of answer sets: .*' + says):
        TraqCalibration.load(path)


RIGHT, WRONG = 'keep it 14 days', 'keep it 28 days'


def overlap(a, b):
    return rouge1(a, b) > 0.7  # .75 for these two: one cluster for whoever looks at words alone


def adversarial(rng, i, k=20):
    "A question whose right answer is mostly the rarer wording of one cluster."
    share = rng.beta(1, 3)
    u = rng.uniform(size=k)
    said = np.select([u < 0.9 * share, u < 0.9], [RIGHT, WRONG], 'ask a pharmacist').tolist()
    score = float(rng.uniform())

    def question(same):
        pool = (SampledPassage('p', score, cluster_answers(said, same)),)
        return SampledQuestion(f'q{i}', '?', pool, 0, (RIGHT,))

    return question


@pytest.mark.parametrize('same', [overlap, rouge_same()])
def test_what_is_shown_is_right_as_often_as_is_promised(same):
    "By any member and the most frequent wording, 79% were covered here, and 12% had a right answer to read."
    rng, shown, covered, held = np.random.default_rng(0), [], [], []
    for _ in range(12):
        questions = [make(same) for make in (adversarial(rng, i) for i in range(140))]
        order = rng.permutation(140)
        cal = calibrate_answers([questions[i] for i in order[:40]], exact_same)
        for q in (questions[i] for i in order[40:]):
            found = answer_set(q, cal, Rule('ranks', 40, 0.25, 0.2), same)
            shown.append(any(RIGHT in a.shown for a in found.answers))
            covered.append(found.covers((RIGHT,), exact_same))
            held.append(shown[-1] or bool(found.unbounded))
    assert shown == covered and np.mean(held) >= 0.75 - 3 * math.sqrt(0.75 * 0.25 / 12 / 40)
    if same is not overlap:
        assert np.mean(shown) > 0.7


def test_several_right_clusters_count_by_the_largest():
    "An answer stays by its own cluster: what is shown is covered only if the score is that of one of them."
    said = ['red', 'red', 'scarlet', 'scarlet', 'scarlet', 'blue', 'blue', 'blue', 'blue']
    pool = (passage('a', 0.0, said),)
    q = SampledQuestion('q', '?', pool, 0, ('red', 'scarlet'))
    assert question_scores(q, exact_same) == (0.0, -3)
    cal = calibrate_answers([replace(q, id=f'q{i}') for i in range(9)], exact_same)
    found = answer_set(q, cal, Rule('ranks', 9, 0.4), exact_same)
    assert not found.unbounded and found.covers(('red', 'scarlet'), exact_same)
    assert {a.shown for a in found.answers} == {'blue', 'scarlet'}


def test_a_cluster_is_right_by_its_leader():
    same = lambda a, b: a[0] == b[0]
    cal = calibrated(np.zeros(9), np.full(9, -1), 3)
    for said, score in ((['ax', 'ay', 'ay'], (0.0, inf)), (['ay', 'ax', 'ax'], (0.0, -3))):
        pool = (SampledPassage('p', 0.0, cluster_answers(said, same)),)
        q = SampledQuestion('q', '?', pool, 0, ('ay',))
        found = answer_set(q, cal, Rule('ranks', 9, 0.4), same)
        (answer,) = found.answers
        assert question_scores(q, exact_same) == score and answer.shown == said[0]
        assert found.covers(('ay',), exact_same) == np.isfinite(score[1])


@prop
@given(st.lists(st.integers(0, 7), min_size=1, max_size=30), some_rule)
def test_membership_is_on_whole_samples(best, r):
    cal = calibrated(np.arange(len(best)), [-b if b else inf for b in best], 7)
    rule = Rule(r[0], cal.n, r[1], r[2])
    tau, count = cal.thresholds(rule)
    for c in range(8):
        assert rule(1.0, cal.p_qa(c)) == (c >= count) or not rule.levels[0] < 1
    for s in (*cal.s_ret, inf, -1):
        assert rule(cal.p_ret(s), 1.0) == (s <= tau) or not rule.levels[1] < 1
    for s in cal.s_ret:
        need = count_needed(cal, rule, s)
        stays = [bool(rule(cal.p_ret(s), cal.p_qa(c))) for c in range(1, 8)]
        assert stays == [c >= need for c in range(1, 8)]


@prop
@given(sampled(), some_rule)
def test_table_and_sets_agree(questions, r):
    half = len(questions) // 2 + 1
    cal = calibrate_answers(questions[:half], exact_same)
    rule, rest = Rule(r[0], cal.n, r[1], r[2]), questions[half:]
    if not rest:
        return
    table = tabulate(questions, exact_same, exact_same)
    got = set_measures(table, np.arange(half, len(questions)), cal, rule)
    sets = [answer_set(q, cal, rule, exact_same) for q in rest]
    covered = [s.covers(q.references, exact_same) for s, q in zip(sets, rest)]
    everything = [bool(s.unbounded) for s in sets]
    want = dict(unbounded=everything, covered=covered, held=np.logical_or(everything, covered))
    want |= dict(rouge=[len(s) for s in sets], requests=[len(s.asked) for s in sets])
    want |= dict(answers=[sum(len(a.texts) for a in s.answers) for s in sets])
    for name, values in want.items():
        assert got[name] == pytest.approx(np.mean(values)), name
    assert got['clusters'] >= got['rouge']
    assert got['covered'] >= got['pair'] - 1e-12
    for s in sets:
        p = [a.p for a in s.answers]
        assert p == sorted(p, reverse=True) and all(x > sum(rule.levels) - 1e-9 for x in p)
        assert all(a.share == a.count / cal.k for a in s.answers)


def test_too_many_infeasible_questions_make_the_set_everything():
    def cal(lost, n=59):
        s_qa = np.r_[np.full(lost, inf), -np.arange(1, n - lost + 1)]
        return calibrated(np.linspace(0, 1, n), s_qa, n)

    def why(lost, *rule):
        return unbounded(cal(lost), Rule(*rule))

    ranks = 'ranks', 59, 0.1  # 3 ranks for each step
    assert [bool(why(lost, *ranks)) for lost in range(5)] == [False] * 3 + [True] * 2
    assert 'for 3 of 59 calibration questions none of the answers was right' in why(3, *ranks)
    few = 'there are not enough questions: 59, and this alpha and share need about 119'
    assert why(0, 'pac', 59, 0.05) == few
    q = SampledQuestion('q', '?', (passage('p', 0.0, ['red'] * 59),))
    got = answer_set(q, cal(3), Rule(*ranks))
    assert not got.promise and 'the true set is everything' in str(got.promise) and len(got) == 1


def test_returning_only_samples_from_an_unbounded_set_does_not_cover():
    table = simulated_table(2000, infeasible=0.3, outside=0.0)
    cal, rule = honest(table, np.arange(60), None, 0.2)
    got = set_measures(table, np.arange(60, 2000), cal, rule)
    assert got['unbounded'] == 1 and got['covered'] < 0.72  # asked for .8
    rule = choose_share(table, np.arange(60, 120), 0.2).rule(cal)  # no split can help
    assert set_measures(table, np.arange(120, 2000), cal, rule)['unbounded'] == 1


def test_right_or_everything_is_what_holds():
    "Of bounded sets alone nothing is promised: 30 questions, alpha=.2, 8% without passage and 8% without a right answer."
    rng = np.random.default_rng(0)
    u, v, lost = rng.uniform(size=(3, 20_000, 31))
    s_ret = np.where(lost < 0.08, inf, u)
    s_qa = np.where((lost >= 0.08) & (lost < 0.16), inf, -1 - np.floor(99 * (1 - v)))
    rule = Rule('ranks', 30, 0.2)
    tau, least = (np.sort(s[:, :-1], axis=1)[:, 30 - 3] for s in (s_ret, s_qa))  # 3 of 6 ranks each
    for i in range(100):
        cal = calibrated(s_ret[i, :-1], s_qa[i, :-1], 100)
        assert cal.thresholds(rule) == (tau[i], max(-least[i], 0))
        assert bool(unbounded(cal, rule)) == np.isinf([tau[i], least[i]]).any()
    everything = np.isinf(tau) | np.isinf(least)
    asked = s_ret[:, -1], s_qa[:, -1]
    right = (asked[0] <= tau) & (asked[1] <= least) & np.isfinite(asked).all(axis=0)
    held, given_bounded = np.mean(right | everything), right[~everything].mean()  # about .92, .75
    assert held >= 0.8 and given_bounded < 0.8 - 3 * math.sqrt(0.16 / (~everything).sum())
    assert 0.73 < given_bounded < 0.77 and 0.29 < np.mean(~everything) < 0.33


VOICES = 'keep it in the fridge for days', 'do not freeze it after opening'
VOICES = *VOICES, 'below 25 degrees in a cold place'
ODD = 'keep it in the fridge for 14 28 days do not freeze below 25 degrees c cold place after opening'.split()


def first(answers, d):
    return Clusters(answers.texts[:d], answers.labels[:d])


def fuzzed(rng, i, k=8):
    "A question whose answers are near misses of each other."

    def text():
        words = VOICES[rng.integers(3)].split()
        for _ in range(rng.integers(3)):
            words[rng.integers(len(words))] = ODD[rng.integers(len(ODD))]
        return ' '.join(words)

    said = [text() for _ in range(6)] + ["I don't know"]

    def told():
        return cluster_answers([said[min(int(rng.exponential(1.6)), 6)] for _ in range(k)])

    scores = np.sort(rng.uniform(size=3)).tolist()
    pool = tuple(SampledPassage(f'p{j}', s, told()) for j, s in enumerate(scores))
    return SampledQuestion(f'q{i}', '?', pool, int(rng.integers(2)), (said[int(rng.integers(3))],))


def test_stopping_early_changes_nothing_that_is_counted():
    "3,000 sets, stopped and whole: the same clusters stay, in the same words, and the set is right or not as it was."
    rng, stopped, covered = np.random.default_rng(0), 0, 0
    listed = lambda s: sorted((t, a.passages) for a in s.answers for t in a.leaders)
    for world in range(100):
        questions = [fuzzed(rng, i) for i in range(60)]
        cal = calibrate_answers(questions[:30], exact_same)
        rule = Rule(('ranks', 'bonferroni')[world % 2], 30, 0.5)
        for q in questions[30:]:
            draws = [draws_needed(p.answers, count_needed(cal, rule, p.score)) for p in q.pool]
            stopped += sum(d < 8 for d in draws)
            cut = tuple(replace(p, answers=first(p.answers, d)) for p, d in zip(q.pool, draws))
            whole, part = answer_set(q, cal, rule), answer_set(replace(q, pool=cut), cal, rule)
            assert listed(part) == listed(whole)
            assert (part.asked, part.unbounded) == (whole.asked, whole.unbounded)
            right = whole.covers(q.references, exact_same)
            assert part.covers(q.references, exact_same) == right
            covered += right
    assert stopped > 1000 and 600 < covered < 2700


@prop
@given(st.lists(st.integers(-1, 2), max_size=5), st.integers(0, 3), st.integers(1, 8))
def test_settled_means_that_no_continuation_matters(labels, left, need):
    drawn, k = len(labels), len(labels) + left
    counts = lambda ls: np.bincount([l for l in ls if l >= 0], minlength=8)
    now = counts(labels)
    stays = lambda ls: tuple((counts(ls) >= need).tolist())
    ends = {stays([*labels, *more]) for more in product(range(-1, 6), repeat=left)}
    certain = settled([c for c in now.tolist() if c], drawn, k, need)
    assert certain == (ends == {stays(labels)})
