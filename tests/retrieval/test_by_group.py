"Thresholds by group, from calibration through the file to retrieval and its tables."

import numpy as np, pytest
from conflare_nb import OfGroup, Quoter, calibrate, calibrate_quotes, conformal_quantile, coverage_table, p_values
from conflare_nb import rank_questions
from conflare_nb.conformal.groups import group_members, group_threshold


@pytest.fixture(scope='module')
def cal(kb, halves):
    return calibrate(kb, halves[0], progress=False, groups='kind')


def test_a_group_is_a_calibration_of_its_own(cal):
    kinds = np.array(cal.groups)
    for kind in set(cal.groups):
        own, scores = cal.subset(kinds == kind), cal.scores[kinds == kind]
        assert (own.scores == scores).all()
        assert cal.qhat(0.1, OfGroup(kind)) == conformal_quantile(scores, 0.1)
        assert OfGroup(kind).p_values(cal, 2.0, 0.1) == p_values(2.0, scores)
        assert list(own.labels) == [l for l, k in zip(cal.labels, kinds) if k == kind]
        assert (own.fingerprint, own.score, own.groups) == (cal.fingerprint, cal.score, ())
    for kind in [*set(cal.groups), 'never seen']:
        shared = cal.promise(0.1, OfGroup(kind, min_size=30))
        assert shared.n == group_members(cal.groups, kind, 30).sum()
        assert shared.threshold == group_threshold(cal.scores, cal.groups, kind, 0.1, 30)
    assert cal.qhat(0.5, OfGroup('never seen')) == np.inf


def test_the_table_by_group_counts_what_thresholds_do(kb, halves, cal):
    test = rank_questions(kb, halves[1], progress=False)
    kinds = np.array([question.kind for question in test.questions])
    table = coverage_table(cal, test, (0.2, 0.1), by='kind')
    table = table.set_index(['alpha', 'group', 'threshold'])
    for alpha in (0.2, 0.1):
        of_all = test.each(cal.qhat(alpha))
        qhats = np.array([cal.qhat(alpha, OfGroup(kind)) for kind in kinds])
        covered = test.scores <= qhats
        chunks = (test.chunk_scores <= qhats[:, None]).sum(axis=1)
        for kind in set(kinds):
            some = kinds == kind
            pooled, own = (table.loc[(alpha, kind, how)] for how in ('pooled', 'own'))
            means = of_all['coverage'][some].mean(), of_all['chunks'][some].mean()
            assert (pooled.coverage, pooled.chunks) == means
            assert (own.coverage, own.chunks) == (covered[some].mean(), chunks[some].mean())
            assert (own.n, own.m) == (cal.groups.count(kind), some.sum())
        both = table.loc[(alpha, 'all', 'by group')]
        assert both.coverage == pytest.approx(covered.mean())
        assert both.chunks == pytest.approx(chunks.mean())
        pooled = table.loc[(alpha, 'all', 'pooled')].coverage
        assert pooled == pytest.approx(of_all['coverage'].mean())


def test_sentences_of_a_kind(kb, halves):
    cal = calibrate_quotes(kb, halves[0][::2], progress=False, groups='kind')
    quotes = Quoter(kb, cal, 0.2, OfGroup('brand')).quote('What is Plavix for?')
    assert quotes.qhat == conformal_quantile(cal.scores[np.array(cal.groups) == 'brand'], 0.2)
    assert "group 'brand'" in quotes.promise.population
