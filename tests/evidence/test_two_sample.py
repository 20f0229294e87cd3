"Two sets from one source are told apart no more often than promised; a shift is seen and said."

from dataclasses import replace
from itertools import combinations
import numpy as np, pytest
from conflare_nb import Question, compare_questions
from conflare_nb.conformal.clusters import found_p_values
from conflare_nb.evidence.two_sample import Comparison, _auc, _gap, _opening, _out_of_fold
from conflare_nb.evidence.two_sample import _p_covered, _share_within, _TESTED, _tests, holm


def test_statistics_equal_the_libraries():
    from scipy.stats import ks_2samp
    from sklearn.linear_model import Ridge
    from sklearn.metrics import roc_auc_score

    r = np.random.default_rng(0)
    y, v = r.random(90) < 0.4, r.integers(0, 9, 90)
    x, docs = r.normal(size=(90, 12)), r.integers(0, 20, 90).astype(str)
    assert _gap(v, y[None])[0] == pytest.approx(ks_2samp(v[y], v[~y]).statistic)
    assert _auc(x[:, 0][None], y[None])[0] == pytest.approx(roc_auc_score(y, x[:, 0]))
    labels = np.array([y, ~y])
    scores = _out_of_fold(x, docs, labels, np.random.default_rng(1))
    folds = np.random.default_rng(1).permutation(len(set(docs))) % 5
    fold = folds[np.unique(docs, return_inverse=True)[1]]
    for f in range(5):  # no document is seen before, and the sets' sizes say nothing
        m = Ridge(alpha=1.0).fit(x[fold != f], y[fold != f].astype(float))
        centred = m.predict(x[fold == f]) - y[fold != f].mean()
        assert scores[:, fold == f] == pytest.approx(np.array([centred, -centred]))


def test_a_difference_is_reported_between_equal_sets_no_more_often_than_promised():
    "Of five tests one by one some find something in 14 to 18% of such pairs; corrected together in 5%."
    alone, together, pairs, small = 0, 0, 250, {True: 0, False: 0}
    for i in range(pairs):
        r, shared = np.random.default_rng(i), bool(i % 2)  # documents are asked about by both sets
        docs = np.repeat(np.arange(20), 3)
        x = r.normal(size=(20, 8))[docs] + r.normal(size=(60, 8))  # alike within a document
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        theirs = r.random(60) < 0.5 if shared else r.permutation(20)[docs] < 10
        openings, nearest = r.integers(0, 4, 60).tolist(), x[:, 2].round(2)
        p = _tests(theirs, docs, x, r.poisson(9, 60), openings, nearest, i)[1]
        small[shared] += p['auc'] <= 0.1
        alone += min(p.values()) <= 0.05
        together += min(holm(p).values()) <= 0.05
    assert max(small.values()) <= 125 * 0.1 + 3 * (125 * 0.1 * 0.9) ** 0.5
    assert together <= 0.05 * pairs + 3 * (0.05 * 0.95 * pairs) ** 0.5 and alone > 0.1 * pairs


def test_holm():
    "A difference stays if every set of tests that holds it has one by Bonferroni: the closed tests, of which Holm's rule is the short way."
    r = np.random.default_rng(0)
    for n in (1, 2, 3, 5):
        p = dict(enumerate(r.random(n) ** 3))
        sets = [some for size in range(1, n + 1) for some in combinations(range(n), size)]
        bonferroni = {some: min(1, len(some) * min(p[j] for j in some)) for some in sets}
        closed = [max(bonferroni[some] for some in sets if i in some) for i in range(n)]
        assert list(holm(p).values()) == pytest.approx(closed)
        assert list(holm({'x': np.nan, **p}).values())[1:] == list(holm(p).values())
    assert np.isnan(holm({'x': np.nan})['x']) and holm({}) == {}
    errs = [min(holm(dict(enumerate(row))).values()) <= 0.05 for row in r.random((4000, 5))]
    assert abs(np.mean(errs) - (1 - 0.99**5)) < 3 * (0.05 * 0.95 / 4000) ** 0.5


def test_how_often_the_share_within_the_threshold_is_called_different(times=600):
    "Also where questions come in bunches about documents; taken for independent, too often."
    r = np.random.default_rng(4)
    alone, bunches = (np.arange(50), np.arange(40)), (np.arange(50) // 10, np.arange(40) // 10)
    hard = [r.normal(size=(times, 5)).repeat(10, 1), r.normal(size=(times, 4)).repeat(10, 1)]
    alike = [0.7 * shared + 0.7 * r.normal(size=shared.shape) for shared in hard]
    free = [r.random((times, 50)), r.random((times, 40))]

    def called(sets, about):
        found = [_p_covered(a, about[0], b, about[1], 0.2) <= 0.05 for a, b in zip(*sets)]
        return np.mean(found)

    most = 0.05 + 3 * (0.05 * 0.95 / times) ** 0.5
    assert max(called(free, alone), called(alike, bunches)) <= most < called(alike, alone)
    assert _p_covered(r.random(5), np.arange(5), r.random(40), np.arange(40), 0.1) == 1
    one = *[x for a, b in zip(free, alone) for x in (a[0], b)], 0.2
    assert _p_covered(*one) == min(1, 2 * min(found_p_values(*one)))
    found = _share_within(np.array([1, 2, 3, 2.5]), np.array([[False] * 3 + [True]]), 0.5)
    assert found.tolist() == [0 - 2 / 4]  # ours are three, and their rank 2 is exceeded


@pytest.mark.parametrize('theirs_are', [0.0, 1.0])
def test_more_coverage_is_a_difference_as_less_is(theirs_are):
    r = np.random.default_rng(0)
    theirs, docs, x = np.arange(60) < 30, np.arange(60), r.normal(size=(60, 4))
    near = np.where(theirs, theirs_are, r.random(60))
    p = _tests(theirs, docs, x, r.poisson(9, 60), ['what'] * 60, near, alpha=0.5)[1]
    assert p['covered'] == 1 / 500  # rarer than all relabellings, of which it is one


def test_the_kind_of_a_question_is_that_of_its_last_sentence():
    asked = {
        'What a day. I am 70! How MANY can I take?': 'how many',
        'How is it stored? Can I freeze it?': 'yes or no',
        'And in winter, what do I do': 'what',
        'How far': 'how',
        'Tell me, is it safe?': 'yes or no',
        'The dose, please.': 'other',
    }
    assert {text: _opening(text) for text in asked} == asked


def test_a_verdict_says_where_two_sets_differ_most():
    "'what' is frequent in both, and 'why' sets them apart."
    kinds = ['what'] * 8 + ['how'] * 2, ['what'] * 7 + ['why'] * 3
    lengths, near = (np.array([5, 7]), np.array([9, 9])), (np.arange(10.0), np.arange(10.0))
    p = dict.fromkeys(_TESTED, 0.04)
    few = Comparison(lengths, kinds, near, 0.7, p, 0.1, 0.7, (0.8, 1.0))
    assert 'Ours have 6 words in the median, theirs 9.' in few.verdict
    assert 'Of ours 0% ask "why", of theirs 30%.' in few.verdict
    assert 'A classifier tells which set' in few.verdict and 'expect too little coverage' in few.verdict
    assert 'expect more coverage than asked for' in replace(few, covered=0.95).verdict


def test_few_questions_are_called_few(kb, questions):
    c = compare_questions(questions[:3], questions[10:60], kb)
    assert np.isnan(c.auc) and 'nan' not in c.verdict
    assert 'too few to tell' in c.verdict and 'says little' in c.verdict
    assert np.isnan(c.p['length']) and 0 < c.p['covered'] <= 1  # this needs no relabelling
    enough = [replace(q, document=f'{i % 5}') for i, q in enumerate(questions[:40])]
    assert compare_questions(enough[:20], enough[20:], kb).auc > 0
    one = [replace(q, document='one') for q in questions[:80]]
    same = compare_questions(one[:40], one[40:], kb)
    assert np.isnan(same.auc)  # all about one document: no fold without it
    with pytest.raises(ValueError, match='got 0 and 3'):
        compare_questions([], questions[:3], kb)


def test_questions_without_documents_stand_by_themselves(kb, questions):
    c = compare_questions([Question(q.id, q.text) for q in questions[:60]], questions[60:120], kb)
    assert not np.isnan(c.auc)
