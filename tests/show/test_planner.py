"The planner: every plan keeps its word, and every control."

from dataclasses import replace
import pytest
from scipy.stats import beta
from conflare_nb.conformal.threshold import calibration_size, conformal_rank
from conflare_nb.evidence.planning import PLANNED, PlanWish, plan_row
from conflare_nb.show.planner import SamplePlanner, sample_plan


@pytest.mark.parametrize('two_sided', [False, True])
def test_the_plan_keeps_its_word(two_sided):
    for alpha, eps, delta in [(0.1, 0.05, 0.1), (0.05, 0.02, 0.05), (0.3, 0.03, 0.2)]:
        p = sample_plan(alpha, eps, delta, two_sided)
        k = conformal_rank(p.n, alpha)
        miss = beta.cdf(1 - alpha - eps, k, p.n + 1 - k)
        sizes = [calibration_size(alpha, eps, delta, two_sided, l) for l in (False, True)]
        assert [p.first, p.n] == sizes and miss <= (delta / 2 if two_sided else delta)
        assert p.low >= 1 - alpha - eps and (not two_sided or p.high <= 1 - alpha + eps)


# ---- the widget


def test_a_guarantee_is_chosen():
    w = SamplePlanner(guarantee='groups', share=0.1)
    for name in PLANNED:
        row = plan_row(name, PlanWish())
        w.guarantee, w.share = name, 0.5 if name == 'weights' else 0.1
        wanted = replace(w.shown, guarantee=name, share=w.share)
        assert (w.shown.row.finite, w.shown.row.worthwhile) == (row.finite, row.worthwhile)
        assert w.shown.row == wanted.row and w.to_html() == wanted.html()
        assert (f"{name}: " in repr(w)) == (name != 'threshold')
    for name, bad in dict(guarantee='luck', share=1.0).items():
        with pytest.raises(Exception):
            setattr(w, name, bad)
