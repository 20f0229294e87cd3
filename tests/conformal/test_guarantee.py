"Guarantees as values: each is its theorem, p-values agree with thresholds, and what nobody proved cannot be made."

from dataclasses import dataclass, replace
from itertools import product
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.conformal.abstain import gate_threshold, gated_scores
from conflare_nb.conformal.guarantee import Audited, ByDocument, Gated, Marginal, MeanRisk
from conflare_nb.conformal.guarantee import OfGroup, Pac, Unproved, Withheld, check_guarantee
from conflare_nb.conformal.groups import group_threshold
from conflare_nb.conformal.new_documents import new_document_threshold
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.evidence.audit import Audit
from conflare_nb.retrieval.calibration import Calibration


@dataclass(frozen=True, eq=False)
class Half:
    "A gate that takes half of alpha."

    nearest: np.ndarray

    def check(self, cal):
        pass

    def threshold(self, alpha):
        return gate_threshold(self.nearest, alpha, 0.5) if alpha else np.inf


def world(n, seed):
    rng = np.random.default_rng(seed)
    scores = np.where(
        rng.uniform(size=n) < 0.1, np.inf, rng.integers(0, 9, n)
    )  # ties, and some lost
    documents = tuple(rng.choice(list('abcdef'), n).tolist())
    groups = tuple(rng.choice(['name', 'dose', 'rare'], n, p=[0.5, 0.45, 0.05]).tolist())
    cal = Calibration(scores, {}, documents=documents, groups=groups)
    return cal, Half(rng.uniform(size=n)), Audit(n // 2, 0, n)


def all_of(cal, gate, audit):
    "Every guarantee that can be made of scores, and its threshold by hand."
    scores, documents, groups = cal.scores, cal.documents, cal.groups

    def gated(alpha):
        return gated_scores(scores, gate.nearest, gate.threshold(alpha))

    def left(alpha, found):
        return found(audit.alpha_left(alpha)) if audit.alpha_left(alpha) else np.inf

    dose = np.array(groups) == 'dose'
    yield Marginal(), lambda alpha: conformal_quantile(scores, alpha)
    yield Pac(0.2), lambda alpha: conformal_quantile(scores, alpha, 'pac', 0.2)
    yield ByDocument(), lambda alpha: new_document_threshold(scores, documents, alpha)
    yield OfGroup('dose', 9), lambda alpha: group_threshold(scores, groups, 'dose', alpha, 9)
    yield (
        OfGroup('dose', inner=ByDocument()),
        lambda alpha: new_document_threshold(scores[dose], np.array(documents)[dose], alpha),
    )
    yield Gated(gate), lambda alpha: conformal_quantile(gated(alpha), alpha)
    yield Audited(audit), lambda alpha: left(alpha, lambda a: conformal_quantile(scores, a))
    yield (
        Audited(audit, Gated(gate)),
        lambda alpha: left(alpha, lambda a: conformal_quantile(gated(a), a)),
    )


@settings(deadline=None)
@given(st.integers(12, 80), st.integers(0, 99), st.sampled_from([0.05, 0.1, 0.3, 0.5]))
def test_each_is_its_theorem_and_its_p_values_agree(n, seed, alpha):
    cal, gate, audit = world(n, seed)
    grid = np.append(np.arange(-1, 10, 0.5), np.inf)
    for guarantee, by_hand in all_of(cal, gate, audit):
        terms = Withheld(('nobody looked',), guarantee).terms(cal, alpha)
        assert terms.qhat == guarantee.threshold(cal, alpha) == by_hand(alpha), guarantee
        assert (terms.band is None) == (terms.qhat == np.inf or terms.kind == 'pac')
        assert terms.withheld == ('nobody looked',) and terms.alpha == alpha
        if terms.left and terms.kind == 'share':
            p = guarantee.p_values(cal, grid, alpha)
            assert ((p > terms.left) == (grid <= terms.qhat)).all(), guarantee


PROVED = {
    OfGroup: {Marginal, Pac, ByDocument},
    Gated: {Marginal},
    Audited: {Marginal, Gated, MeanRisk},
}


def test_what_nobody_has_proved_cannot_be_made():
    gate, audit = Half(np.array([0.1, 0.2])), Audit(1, 0, 2)
    inner = [Marginal(), Pac(), ByDocument(), OfGroup('a'), Gated(gate), Audited(audit)]
    inner += [MeanRisk('any'), Withheld(('why',))]
    make = {OfGroup: lambda i: OfGroup('a', inner=i), Gated: lambda i: Gated(gate, i)}
    make[Audited] = lambda i: Audited(audit, i)
    for (outer, around), one in product(make.items(), inner):
        if type(one) in PROVED[outer]:
            assert around(one).inner is one
            continue
        with pytest.raises(Unproved, match=f'{outer.__name__} around {type(one).__name__}: '):
            around(one)
    with pytest.raises(Unproved, match='min_size=9 counts questions'):
        OfGroup('a', 9, ByDocument())
    with pytest.raises(Unproved, match="not by how much the loss 'share' changes"):
        Audited(audit, MeanRisk('share'))


def test_what_is_no_guarantee_is_refused_by_its_type():
    cal, _, audit = world(20, 0)
    for ask in (cal.qhat, cal.promise, cal.band):
        with pytest.raises(TypeError, match='guarantee must be a Guarantee; got the Audit'):
            ask(0.1, audit)
    with pytest.raises(ValueError, match='of 20 of these 20 it is not known'):
        check_guarantee(ByDocument(), replace(cal, documents=()))


def test_what_is_lost_is_counted_without_the_gate():
    cal, gate, _ = world(60, 1)
    lost = int(np.isinf(cal.scores).sum())
    terms = Gated(gate).terms(cal, 0.5)
    assert np.isinf(Gated(gate).behind(cal, 0.5)[0].scores).sum() > lost == terms.lost > 0
