"Guarantees as values: each is its theorem, p-values agree with thresholds, and what nobody proved cannot be made."

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.conformal.abstain import gate_threshold, gated_scores
from conflare_nb.conformal.guarantee import Audited, ByDocument, Gated, Marginal, MeanRisk
from conflare_nb.conformal.guarantee import OfGroup, Pac, Unproved, Withheld, check_guarantee
from conflare_nb.conformal.groups import group_threshold
from conflare_nb.conformal.movable import Movable, Simultaneous, Stops, table_band
from conflare_nb.conformal.new_documents import new_document_threshold
from conflare_nb import Alpha, Calibration, conformal_quantile, conformal_rank
from conflare_nb.errors import Refused
from conflare_nb.evidence.audit import Audit
from conflare_nb.retrieval.gate import Gate


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
    scores = np.where(rng.uniform(size=n) < 0.1, np.inf, rng.integers(0, 9, n))  # ties, and some lost
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
    own = scores[dose], np.array(documents)[dose]
    yield OfGroup('dose', inner=ByDocument()), lambda alpha: new_document_threshold(*own, alpha)
    yield Gated(gate), lambda alpha: conformal_quantile(gated(alpha), alpha)
    yield Audited(audit), lambda alpha: left(alpha, lambda a: conformal_quantile(scores, a))
    yield (Audited(audit, Gated(gate)), lambda alpha: left(alpha, lambda a: conformal_quantile(gated(a), a)))


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


RANGES = [Movable(0.05, 0.4), Stops(0.4, 0.05, 0.2, 0.1, 0.1), Movable(0.01, 0.5), Stops(0.1, 0.2)]


def counted(moved, c, n):
    "What a miss counts at most, for each p-value that n questions can give, exactly."
    levels = [level.exact for level in moved.levels]
    for k in range(1, n + 2):
        least = Fraction(k, n + 1) / c  # a miss at this level and above
        if isinstance(moved, Stops):
            least = min((level for level in levels if level >= least), default=1)
        if least <= levels[-1]:
            yield 1 / max(least, levels[0])


@pytest.mark.parametrize('moved', RANGES, ids=str)
def test_alpha_is_multiplied_by_the_largest_that_is_proved(moved):
    least = 1 / (1 + np.log(moved.levels[-1] / moved.levels[0]))
    if isinstance(moved, Stops):
        least = 1 / (1 + sum(1 - a / b for a, b in pairwise(moved.levels)))
    assert -1e-12 <= least - moved.factor() < 1e-9
    for n in (1, 2, 9, 20, 39, 60, 272):
        c = moved.factor(n)
        assert sum(counted(moved, c, n)) <= n + 1 and c >= moved.factor()
        more = c + Fraction(2, 10**8)
        assert sum(counted(moved, more, n)) > n + 1 or more > 1
    for alpha in moved.levels:
        sizes = [n for n in range(700) if conformal_rank(n, Alpha(moved.factor(n) * alpha.exact)) > n]
        assert moved.needed(alpha) == sizes[-1] + 1
    with pytest.raises(Refused, match='alpha may be moved .* got 0.6'):
        moved.threshold(world(60, 0)[0], 0.6)


@settings(deadline=None, max_examples=40)
@given(st.integers(12, 90), st.integers(0, 99), st.sampled_from(RANGES[:2]))
def test_what_is_moved_is_its_inner_one_at_c_alpha_and_nested(n, seed, moved):
    cal, gate, audit = world(n, seed)
    grid = np.append(np.arange(-1, 10, 0.5), np.inf)
    shut = Gated(Gate(gate.nearest, '', {}, unanswerable=gate.nearest[:12], eps=0.5))
    allowed = [inner for inner, _ in all_of(cal, gate, audit) if is_moved(inner)]
    for inner in [*allowed, shut, Audited(audit, shut)]:
        outer = type(moved)(*moved.levels, inner=inner)
        core, seen, _ = inner.innermost(cal, 0.1)
        c = moved.factor(None if core == ByDocument() else seen.n)
        for alpha in (0.05, 0.1, 0.2, 0.4):
            terms = outer.terms(cal, alpha)
            assert terms.qhat == inner.threshold(cal, Alpha(c * Alpha(alpha).exact)), inner
            assert (terms.alpha, terms.kind, terms.band, terms.c) == (alpha, 'moved', None, float(c))
            above = outer.p_values(cal, grid, alpha) > alpha
            assert ((grid <= terms.qhat) >= above).all(), inner
            assert terms.audit or ((grid <= terms.qhat) == above).all(), inner
        fixed = inner.threshold(cal, np.arange(1, 60) / 100)
        assert (fixed[1:] <= fixed[:-1]).all(), inner


def is_moved(inner):
    "Whether it is valid at each level over calibration sets, and nested."
    gate = getattr(inner, 'gate', None)
    alike = (type(inner) in {Marginal, ByDocument} or inner == MeanRisk('any')) or type(gate) is Gate
    return alike or (type(inner) in {OfGroup, Audited} and is_moved(inner.inner))


PROVED = {OfGroup: {Marginal, Pac, ByDocument}, Gated: {Marginal}, Audited: {Marginal, Gated, MeanRisk}}


def test_what_nobody_has_proved_cannot_be_made():
    gate, audit = Half(np.array([0.1, 0.2])), Audit(1, 0, 2)
    inner = [Marginal(), Pac(), ByDocument(), OfGroup('a'), Gated(gate), Audited(audit)]
    inner += [MeanRisk('any'), Withheld(('why',)), Simultaneous(), Movable(), Stops(0.1, 0.2)]
    shut = Gated(Gate(np.array([0.1]), '', {}, unanswerable=[0.2], eps=0.5))
    more = [shut, MeanRisk('share'), Audited(audit, shut), OfGroup('a', inner=Pac())]
    for one, outer in product(inner + more, (Movable, Stops)):
        if is_moved(one):
            assert outer(0.1, 0.2, inner=one).inner is one
            continue
        with pytest.raises(Unproved, match=f'nothing is proved of {outer.__name__} around '):
            outer(0.1, 0.2, inner=one)
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


@pytest.mark.parametrize('n,delta', [(12, 0.2), (60, 0.1), (272, 0.05)])
def test_a_table_holds_at_once(n, delta):
    drawn = np.sort(np.random.default_rng(n).uniform(size=(20_000, n)), axis=1)
    alphas = np.arange(10, 401) / 1000
    alphas = alphas[conformal_rank(n, alphas) <= n]
    covers = drawn[:, conformal_rank(n, alphas) - 1]
    assert abs((covers >= table_band(n, alphas, delta)).all(axis=1).mean() - (1 - delta)) < 0.01
    cal, _, _ = world(n, 0)
    terms = Simultaneous(delta).terms(cal, 0.3)
    assert (terms.counts, terms.n) == ('document', len({*cal.documents}))
