"""The papers' harmonic mean of two p-values, for the table of methods; its level is approximate (Wilson 2019)."""

from dataclasses import dataclass
import numpy as np
from scipy.stats import landau
from conflare_nb.traq.alpha_split import mean_cost

LAW = landau(loc=np.log(2) + 0.874367040387922, scale=np.pi / 2)


@dataclass(frozen=True)
class Harmonic:
    "Which pairs stay by the weighted harmonic mean of their p-values."

    alpha: float
    share: float = 0.5  # weight of retrieval

    def __call__(self, p_ret, p_qa):
        p_ret, p_qa = np.asarray(p_ret, dtype=float), np.asarray(p_qa, dtype=float)
        return self.share / p_ret + (1 - self.share) / p_qa <= LAW.isf(self.alpha)


def cheapest(table, rows, alpha):
    "The rule whose weight gives these questions the fewest clusters; of equal ones the one nearest a half."
    rules = [Harmonic(alpha, share) for share in (np.arange(1, 20) / 20).tolist()]
    return min(rules, key=lambda rule: (mean_cost(table, rows, rule), abs(rule.share - 0.5)))
