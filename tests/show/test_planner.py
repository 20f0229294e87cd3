"The planner: every plan keeps its word, and every control."

import pytest
from scipy.stats import beta
from conflare_nb.conformal.threshold import calibration_size, conformal_rank
from conflare_nb.show.planner import sample_plan


@pytest.mark.parametrize('two_sided', [False, True])
def test_the_plan_keeps_its_word(two_sided):
    for alpha, eps, delta in [(0.1, 0.05, 0.1), (0.05, 0.02, 0.05), (0.3, 0.03, 0.2)]:
        p = sample_plan(alpha, eps, delta, two_sided)
        k = conformal_rank(p.n, alpha)
        miss = beta.cdf(1 - alpha - eps, k, p.n + 1 - k)
        sizes = [calibration_size(alpha, eps, delta, two_sided, l) for l in (False, True)]
        assert [p.first, p.n] == sizes and miss <= (delta / 2 if two_sided else delta)
        assert p.low >= 1 - alpha - eps and (not two_sided or p.high <= 1 - alpha + eps)
