"Two models without a browser: their numbers against those computed directly, the page, the traits."

import json
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb import Hybrid, Rank, conformal_quantile, conformal_rank, empirical_band
from conflare_nb.conformal.clusters import Band
from conflare_nb.show.two_models import ModelComparison, TwoModels, model_view

rng = np.random.default_rng(0)
CAL = np.append(rng.beta(3, 4, 37), [np.inf] * 3)
TEST = np.append(rng.beta(3, 4, 28), [np.inf] * 2)
ALL = rng.beta(5, 3, (30, 17))
ALPHAS = [*np.linspace(0.005, 0.995, 34), 1 / 41, 2 / 41, 0.5 / 41, 1e-6, 1 - 1e-9]


def made(name='A', scale=1, shift=0):
    return model_view(name, scale * CAL + shift, scale * TEST + shift, scale * ALL + shift)


# ---- the numbers


@pytest.mark.parametrize('alpha', ALPHAS)
def test_every_alpha_is_what_its_threshold_does(alpha):
    seen, q = made().at(alpha), conformal_quantile(CAL, alpha)
    assert (seen['k'], seen['qhat']) == (conformal_rank(40, alpha), q)
    assert seen['coverage'] == ((TEST <= q) & np.isfinite(TEST)).mean()
    assert seen['chunks'] == pytest.approx((ALL <= q).sum(axis=1).mean(), abs=1e-12)
    band = empirical_band(40, alpha, 30) if np.isfinite(q) else (1, 1)
    assert (seen['low'], seen['high']) == band


some = st.integers(0, 6) | st.just(np.inf)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(
    st.lists(some, min_size=1, max_size=12),
    st.lists(some, min_size=1, max_size=5),
    st.integers(0, 99),
)
def test_ties_and_infinities(cal, test, seed):
    chunks = np.random.default_rng(seed).integers(0, 7, (len(test), 3))
    view = model_view('x', cal, test, chunks)
    rows = [view.at((view.n + 1.5 - k) / (view.n + 1)) for k in range(1, view.n + 1)]
    assert [r['qhat'] for r in rows] == sorted(cal)
    for key in ('qhat', 'coverage', 'chunks', 'low'):
        assert all(a[key] <= b[key] for a, b in zip(rows, rows[1:]))
    ends = [r['high'] for r in rows if not r['tied']]  # where scores tie there is no upper end
    assert ends == sorted(ends) and all(r['high'] == 1 for r in rows if r['tied'])
    assert rows[0]['chunks'] == (chunks <= min(cal)).sum() / len(test)
    json.dumps(view.state(), allow_nan=False)


def test_only_the_order_matters():
    "The same ranks on another scale: same coverage, same chunks, another number."
    a, b = made(), made(scale=50, shift=-70)
    for alpha in ALPHAS:
        assert {**a.at(alpha), 'qhat': 0} == {**b.at(alpha), 'qhat': 0}
    assert b.at(0.5)['qhat'] == pytest.approx(50 * a.at(0.5)['qhat'] - 70)


# fmt: off
# fmt: on


def test_the_state_has_the_decimals_that_are_shown():
    for scale, shift, digits in ((1, 0, 4), (50, -70, 2), (0.02, 0, 5), (1e6, 0, 0)):
        view = made(scale=scale, shift=shift)
        state = view.state()
        assert json.loads(json.dumps(state, allow_nan=False)) == state
        assert state['digits'] == view.digits == digits and len(set(state['scores'])) > 30
        rounded = 0.5 * 10**-digits + 1e-12
        assert np.allclose(state['scores'], view.scores, atol=rounded, rtol=0)
    assert '-0.0' not in json.dumps(model_view('x', [-0.0, -1.0], [0.2], [[-0.0]]).state())


def test_a_pool_ends_where_it_ends():
    "What is not in a pool is not retrieved, by no threshold; what an infinite one covers is not known."
    pools = ALL.copy()
    pools[:10, 9:] = np.nan
    view = model_view('pooled', CAL, TEST, pools, Hybrid())
    for alpha in ALPHAS:
        seen, q = view.at(alpha), conformal_quantile(CAL, alpha)
        assert seen['chunks'] == pytest.approx((pools <= q).sum(axis=1).mean(), abs=1e-12)
    assert view.total == pytest.approx((10 * 9 + 20 * 17) / 30)
    assert view.at(0.01)['low'] is view.at(0.01)['high'] is None
    state = view.state()
    assert json.loads(json.dumps(state, allow_nan=False)) == state
    assert state['score']['pool'] and state['total'] == 14.3
    ranks = model_view('ranks', [1, 2, 3], [2], [[1, 2, 3]], Rank())
    page = TwoModels(view, ranks).html(alpha=0.01)
    assert 'every question with an answer in the pool' in page and '14.3 of 14.3<' in page
    with pytest.raises(ValueError, match='got 1 NaN among 1'):
        model_view('x', CAL, [np.nan], [[0.2]])


# ---- the page and the picture


def test_a_table_without_scripts(state_of):
    s, page = made().at(0.2), TwoModels(made(), made('B', 50, -70)).html(alpha=0.2)
    thresholds = f'{s["qhat"]:.4f} (k = 33 of n = 40)', f'{50 * s["qhat"] - 70:.2f} (k = 33'
    measured = f'{s["coverage"]:.1%}', str(Band(s['low'], s['high'])), f'{s["chunks"]:.1f} of 17'
    for words in ('<th>A</th>', '<th>B</th>', *thresholds, *measured):
        assert words in page
    assert state_of(page)['linked'] is True
    assert 'infinite (k = 41 of n = 40)' in TwoModels(made(), made()).html(alpha=0.01)


def test_the_picture_says_the_same():
    import matplotlib.pyplot as plt

    none = model_view('nothing $x_$ answers', [np.inf] * 4, [np.inf], [[0.2]])
    for a, b, alpha in ((made(), made('B', 50, -70), 0.2), (made(), none, (0.5, 0.01))):
        axes = TwoModels(a, b).plot(alpha)
        for view, at, ax in zip((a, b), np.broadcast_to(alpha, 2), axes):
            s = view.at(at)
            lines = [line.get_xdata()[0] for line in ax.lines]
            assert lines == [q for q in [s['qhat']] if np.isfinite(q)]
            assert sum(bar.get_height() for c in ax.containers for bar in c) == view.scores.size
            for words in (view.name, f'covers {s["coverage"]:.1%}', f'chunks {s["chunks"]:.1f}'):
                assert words in ax.get_title(loc='left')
        axes[0].figure.canvas.draw()
        plt.close(axes[0].figure)
    assert 'and 4 infinite' in axes[1].get_xlabel()


# ---- the widget


def test_shown_as_page_and_as_text():
    w = ModelComparison(made(), made('B'), (0.3, 0.05))
    two = TwoModels(made(), made('B'))
    assert w.to_html() == two.html(alpha=(0.3, 0.05))
    w.linked = True
    assert w.to_html() == two.html(alpha=0.3)
    chunks = f'{made().at(0.3)["chunks"]:.1f} chunks at alpha=0.3'
    assert repr(w) == f"ModelComparison: 'A' {chunks}, 'B' {chunks}"
