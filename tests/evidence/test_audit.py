"The bound, what an audit leaves of alpha, audits that go on as they please, and audits of other labels."

import json, math, shutil
from dataclasses import replace
from fractions import Fraction
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom, binomtest, hypergeom
from conflare_nb import Audited, Calibration, JudgingSession, KnowledgeBase, audit_labels, beta_band, conformal_quantile
from conflare_nb import conformal_rank, draw_audit
from conflare_nb.documents.cutting import Chunk
from conflare_nb.evidence.audit import Audit, OtherLabels, audit_size, gold_truth, person_truth
from conflare_nb.labels.labeling import Label, verdict_rows
from conflare_nb.conformal.betting import betting_limits
from conflare_nb.conformal.threshold import clopper_pearson_upper

inf = math.inf
prop = settings(derandomize=True, deadline=None, max_examples=200)


@pytest.mark.parametrize('m', [1, 2, 5, 20, 59, 100, 400])
@pytest.mark.parametrize('delta', [0.01, 0.05, 0.1, 0.5])
def test_the_bound_holds_with_its_probability_for_every_share(m, delta):
    x = np.arange(m + 1)
    u = clopper_pearson_upper(x, m, delta)
    assert (np.diff(u) > 0).all()
    assert u[0] == pytest.approx(1 - delta ** (1 / m), rel=1e-12)
    assert u[-1] == 1
    grid = np.linspace(1e-4, 1 - 1e-4, 999)  # and just above a bound, where it is worst
    p = np.concatenate([grid, u[:-1] * (1 + 1e-9), u[:-1] * (1 - 1e-9)])[:, None]
    held = (binom.pmf(x, m, p) * (u >= p)).sum(axis=1)
    assert held.min() >= 1 - delta - 1e-9
    assert held[-2 * m : -m].min() < 1 - delta + 1e-6  # there it is exact, not just safe


counts = st.integers(1, 300).flatmap(lambda m: st.tuples(st.just(m), st.integers(0, m)))


@prop
@given(counts, st.sampled_from([0.01, 0.05, 0.2]))
def test_the_bound_equals_scipys(mx, delta):
    m, x = mx
    want = binomtest(x, m).proportion_ci(1 - 2 * delta, 'exact').high if x < m else 1.0
    assert clopper_pearson_upper(x, m, delta) == pytest.approx(want, rel=1e-9)


NO_COUNTS = [(-1, 5), (6, 5), (1.5, 5), (0, 0), (1, 5.0), (True, 5), ('1', 5)]
NO_DELTAS = [(1, 5, delta) for delta in (0, 1)]


@pytest.mark.parametrize('x, m, delta', [*((*bad, 0.05) for bad in NO_COUNTS), *NO_DELTAS])
def test_the_bound_refuses_what_is_no_count(x, m, delta):
    for bound in (clopper_pearson_upper, lambda x, m, delta: Audit(m, x, 400, delta)):
        with pytest.raises(ValueError, match='got'):
            bound(x, m, delta)


@prop
@given(counts, st.integers(1, 999))
def test_what_is_left_is_rounded_down_to_a_billionth(mx, i):
    a = Audit(*mx, among=300)
    left = a.alpha_left(i / 1000)
    exact = Fraction(i, 1000) - Fraction(a.bound)
    assert type(left) is float
    assert 0 <= left
    assert left == 0 or exact - Fraction(3, 10**9) <= Fraction(round(left * 10**9), 10**9) < exact


@prop
@given(st.lists(st.floats(0, 2), max_size=60), counts, st.integers(1, 999))
def test_an_audited_threshold_is_the_one_at_what_is_left(scores, mx, i):
    cal, a, alpha = Calibration(scores, {}), Audit(*mx, among=300), i / 1000
    left, q = a.alpha_left(alpha), cal.qhat(alpha, Audited(a))
    assert q == (conformal_quantile(scores, left) if left else inf) >= cal.qhat(alpha)
    assert type(q) is float
    promise = cal.promise(alpha, Audited(a))
    text = promise.rule
    assert ('cannot support' in text) == (left == 0) and ('infinite' in text) == (q == inf)
    if q < inf:
        assert f'k = {conformal_rank(cal.n, left)} of' in text
    if q == inf:
        assert promise.band is None
    else:
        assert promise.band.high == 1 and promise.band.low <= cal.band(alpha).low + 1e-12


def test_a_bad_judge_breaks_coverage_and_the_audit_repairs_it():
    "Scores are uniform, so a threshold covers as much as it says; a tenth of the labels is too early."
    rng, n, alpha, rate, reps = np.random.default_rng(0), 200, 0.2, 0.1, 1500
    s = rng.uniform(size=(reps, n))
    early = (s > 0.6) & (rng.uniform(size=s.shape) < rate / 0.4)
    t = np.where(early, 0.4 * rng.uniform(size=s.shape), s)
    trusting = np.array([Calibration(row, {}).qhat(alpha) for row in t])
    assert 1 - alpha - rate <= trusting.mean() < 1 - alpha - 0.02
    low = beta_band(n, alpha)[0]
    assert (trusting < low).mean() > 0.1  # where 5% are allowed
    audits = {x: Audit(150, x, among=n) for x in range(151)}
    of = [audits[int(x)] for x in early[:, :150].sum(axis=1)]
    audited = np.minimum([Calibration(row, {}).qhat(alpha, Audited(a)) for row, a in zip(t, of)], 1)
    assert audited.mean() >= 1 - alpha and (audited < low).mean() <= 0.05
    assert np.mean([a.bound for a in of] >= early.mean(axis=1)) >= 0.95


@prop
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(0, 59), st.integers(1, 999))
def test_a_threshold_is_never_below_that_of_the_true_labels_where_the_bound_holds(lot, m, i):
    n, alpha, lot = len(lot), i / 1000, np.array(lot)
    m = m % n + 1
    true = np.random.default_rng(n).permutation(np.arange(1.0, n + 1))
    judged = np.where(lot, true / (n + 1), true)  # as early as can be
    a = Audit(m, int(lot[:m].sum()), among=n)
    if a.bound < lot.mean():
        return
    assert Calibration(judged, {}).qhat(alpha, Audited(a)) >= Calibration(true, {}).qhat(alpha)


def test_the_promise_holds_for_audits_that_stop_when_they_please():
    "Labels, audit and questions drawn anew; the auditor looks on until half of alpha is left or there is nothing more to look at."
    rng, n, alpha, low, reps = (np.random.default_rng(2), 100, 0.2, beta_band(100, 0.2)[0], 3000)
    limits = betting_limits(alpha / 2, n)
    s = rng.uniform(size=(reps, n))
    early = (s > 0.6) & (rng.uniform(size=s.shape) < 0.2)  # 8%
    t = np.where(early, 0.4 * rng.uniform(size=s.shape), s)
    enough = early.cumsum(axis=1) <= limits
    enough[:, -1] = True
    stop = enough.argmax(axis=1)
    x = early.cumsum(axis=1)[np.arange(reps), stop]
    audits = [Audit(int(m) + 1, int(i), among=n) for m, i in zip(stop, x)]
    q = [Calibration(row, {}).qhat(alpha, Audited(a)) for row, a in zip(t, audits)]
    q = np.minimum(q, 1)  # = coverage
    assert q.mean() >= 1 - alpha
    assert (q < low).mean() <= 0.05 + 0.05 + 3 * (0.1 * 0.9 / reps) ** 0.5
    true = [Calibration(row, {}).qhat(alpha) for row in s]
    assert (q >= true).mean() >= 0.95 - 3 * (0.05 * 0.95 / reps) ** 0.5


def test_an_audit_that_grows_goes_on_in_the_same_order(some):
    order = draw_audit(some, len(some), 4)
    truth = {(l.question, l.chunk): i % 4 > 0 for i, l in enumerate(order) if l.chunk}
    grown = [audit_labels(some, truth, m, 4) for m in (8, 16, len(some))]
    assert [a.judged for a in grown] == [8, 16, 31] and [a.among for a in grown] == [31] * 3
    assert grown[0].too_early <= grown[1].too_early <= grown[2].too_early
    assert grown[2].bound == grown[2].too_early / 31  # all were looked at
    assert 'of all 31 with 95% confidence, however often you look' in str(grown[0])


@pytest.fixture(scope='module')
def some(labels):
    lost = Label('lost', 'Lost?', inf, None, None, 'no chunk of the knowledge base answers')
    return [*labels[:30], lost]


def test_every_label_is_drawn_equally_often(some):
    drawn = np.zeros(len(some))
    for seed in range(2000):
        for l in draw_audit(some, 5, seed):
            drawn[some.index(l)] += 1
    p = 5 / len(some)
    assert abs(drawn / 2000 - p).max() < 4.5 * (p * (1 - p) / 2000) ** 0.5
    assert draw_audit(some, 7, 3) == draw_audit(some, 20, 3)[:7] == draw_audit(tuple(some), 7, 3)
    for m in (0, len(some) + 1):
        with pytest.raises(ValueError, match=f'1 to all {len(some)} labels; got {m}'):
            draw_audit(some, m)


def test_labels_of_gold_are_never_too_early(kb, questions, labels, some):
    a = audit_labels(labels, gold_truth(kb, questions, labels))
    assert (a.judged, a.too_early) == (len(labels), 0)
    truth = gold_truth(kb, questions, some)
    other = audit_labels(some, truth)
    assert other == Audit(31, 0, 31, 0.05, other.labels) and other.labels != a.labels


def test_what_is_asked_again_shares_the_verdict_of_its_words():
    said = [('a', 'q', 'How?', 'c', True), ('a', 'q', 'How?', 'd', True), ('a', 's', 'Why?', 'c', True)]
    said.insert(1, ('b', 'r', 'How?', 'c', False))  # the same words, and the "no" counts
    names = 'judge', 'question', 'text', 'chunk', 'answers'
    rows = [dict(zip(names, (f'person:{who}', *rest))) for who, *rest in said]
    again = [Label(f'again{i}', 'How?', 0.1, 1, chunk) for i, chunk in enumerate('cd')]
    truth = person_truth(rows, labels=[*again, Label('q', 'How?', 0.1, 1, 'c')])
    assert [truth['again0', 'c'], truth['again1', 'd'], truth['q', 'c']] == [False, True, False]
    assert truth['s', 'c'] and ('again0', 'd') not in truth


def test_a_person_looks_at_the_drawn_labels(kb, some, tmp_path):
    mine = KnowledgeBase.open(shutil.copytree(kb.path, tmp_path / 'kb'), kb.embedder)
    drawn = draw_audit(some, 31)  # all of them, the one without a chunk too
    asked = JudgingSession(mine, [l for l in drawn if l.chunk], 'ann')
    truth = lambda: person_truth(verdict_rows(mine).read(), mine.texts())
    asked.answer(False)
    asked.undo()
    for i in range(30):
        with pytest.raises(ValueError, match=f'{30 - i} of the 31 labels drawn are not judged yet'):
            audit_labels(some, truth())
        asked.answer(i > 1)
    a = audit_labels(some, truth())
    assert (a.judged, a.too_early) == (31, 2)
    assert Calibration([l.score for l in some], {}, labels=tuple(some)).qhat(0.5, Audited(a)) < inf
    more = {drawn[0].chunk: ' Not any more.'}
    changed = [replace(c, text=c.text + more.get(c.id, '')) for c in mine.texts()]
    gone = truth().keys() - person_truth(verdict_rows(mine).read(), changed).keys()
    assert gone == {(l.question, l.chunk) for l in drawn if l.chunk == drawn[0].chunk} != set()


PLANS = [(0.1, 0.05, 0, 300), (0.2, 0.1, 0.02, 150), (0.2, 0.05, 0.1, 400)]


@pytest.mark.parametrize('alpha, left, rate, among', PLANS)
def test_the_planned_size_is_the_smallest_that_does(alpha, left, rate, among):
    def chance(m):  # that so much is left, summed over all outcomes
        x = np.arange(m + 1)
        audits = [Audit(m, int(i), among=among) for i in x]
        kept = np.array([a.alpha_left(alpha) >= left for a in audits])
        return hypergeom.pmf(x, among, round(rate * among), m) @ kept

    m = audit_size(alpha, left, rate, among=among)
    assert chance(m) >= 0.8 and all(chance(i) < 0.8 for i in range(m - 15, m))


GOOD = dict(schema='conflare_nb.audit/3', judged=10, too_early=1, delta=0.05, labels='', texts='', among=20)
WRONG = dict(schema=['other/1', 'conflare_nb.audit/1'], judged=[0, '10', 10.5, 10**400, True], too_early=[11, None])
WRONG |= dict(delta=[0, 'x'], more=[1], labels=[5, None], among=[9, '20', 20.5, True, None])
BAD = [json.dumps({**GOOD, name: value}) for name, values in WRONG.items() for value in values]
BAD += [json.dumps({k: v for k, v in GOOD.items() if k != name}) for name in GOOD]
BAD += ['[]', '', 'null', '[' * 100_000, '\0']


@pytest.mark.parametrize('text', BAD, ids=range(len(BAD)))
def test_a_file_that_is_no_audit_is_refused(tmp_path, text):
    file = tmp_path / 'a.json'
    with pytest.raises(FileNotFoundError, match='no audit at'):
        Audit.load(file)
    file.write_text(text)
    with pytest.raises(ValueError, match=r'a\.json is no audit: '):
        Audit.load(file)


def test_an_audit_ends_with_the_texts_that_it_was_about():
    labels = [Label(f'{i}', f'{i}?', 0.0, 1, f'{i}') for i in range(4)]
    cal = Calibration([label.score for label in labels], {}, labels=tuple(labels))
    chunks = [Chunk(f'{i}', text=f'Text {i}.') for i in range(5)]
    truth = {(f'{i}', f'{i}'): True for i in range(4)}
    audit = audit_labels(labels, truth, chunks=chunks)
    audit.check(cal, chunks)
    audit.check(cal, [*chunks[:4], Chunk('4', text='Other.')])  # no label names it
    with pytest.raises(OtherLabels, match='passages have changed since this audit'):
        audit.check(cal, [*chunks[:3], Chunk('3', text='Text 3 is wrong.')])
