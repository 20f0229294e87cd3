"Questions about which everything is known, and what a way to a rule really covers on them (the lesson: nbs/explain/shortcuts.ipynb)."

import numpy as np
from conflare_nb.traq.alpha_split import CLUSTERS, PASSAGES, SampleTable
from conflare_nb.conformal.threshold import p_values
from conflare_nb.conformal.two_steps import Rule


def simulated_table(n: int, seed=0, k=1000, pool=5, outside=0.04, infeasible=0.04, opposed=True) -> SampleTable:
    "`n` questions, the first passage of each pool gold; opposed: what is easy to find is hard to answer."
    rng = np.random.default_rng(seed)
    hard_to_find = rng.uniform(size=n)
    hard_to_answer = 1 - hard_to_find if opposed else rng.uniform(size=n)
    score, share = rng.uniform(size=(2, n, pool))
    score[:, 0] = np.where(hard_to_find > 1 - outside, np.inf, hard_to_find)
    share[:, 0] = np.where(hard_to_answer > 1 - infeasible, 0, 1 - hard_to_answer)
    count = np.ceil(k * share).astype(int)
    question, place = np.nonzero(np.isfinite(score))
    said = count[question, place]
    of = np.flatnonzero(said)
    own = np.arange(of.size)  # every answer has a meaning of its own
    ids, s_qa = np.array([f'q{i}' for i in range(n)]), np.where(count[:, 0] > 0, -count[:, 0], np.inf)
    passages = np.rec.fromarrays([question, score[question, place]], dtype=PASSAGES)
    clusters = np.rec.fromarrays([question[of], of, said[of], place[of] == 0, own], dtype=CLUSTERS)
    return SampleTable(ids, score[:, 0], s_qa, k, passages, clusters)


def honest(table, rows, other, alpha):
    "All questions, exact ranks, half of the budget for each step."
    return table.calibration(rows), Rule('ranks', len(rows), alpha)


def pair_coverage(table, way, alpha: float = 0.2, n: int = 60, reps: int = 200, seed: int = 0) -> np.ndarray:
    "Share of the remaining questions whose gold passage and right answer are both kept; hopeless questions count as missed."
    rng = np.random.default_rng(seed)

    def once():
        rows, other, rest = np.split(rng.permutation(len(table)), [n, 2 * n])
        cal, rule = way(table, rows, other, alpha)
        s_ret, s_qa = table.s_ret[rest], table.s_qa[rest]
        inside = rule(p_values(s_ret, cal.s_ret), p_values(s_qa, cal.s_qa))
        return np.mean(inside & np.isfinite(s_ret) & np.isfinite(s_qa))

    return np.array([once() for _ in range(reps)])
