"What tests of other frameworks share: lists that cover as the theorem says, and the very documents that a framework's filter keeps."

import warnings
import numpy as np
from conflare_nb import calibrate_pipeline, conformal_rank
from conflare_nb.contrib.frameworks import AllKept


def calibrated(retrieve, asked, answering, higher=True, score='score', k=40, alpha=0.1, **kw):
    made = dict(score=score, k=k)
    return calibrate_pipeline(retrieve, asked, answering, higher, 'theirs', made, alpha=alpha, progress=False, **kw)


def covers(retrieve, asked, answering, keeps, higher=True, score='score', k=40, alpha=0.2, tied=False):
    "Over 500 splits the share within the threshold is k/(n+1), or above where scores tie; and the framework's own filter keeps those very documents."
    lists = {q.text: retrieve(q.text) for q in asked}
    how = dict(higher=higher, score=score, k=k, unanswerable='include')
    s = calibrated(lists.__getitem__, asked, answering, **how).scores
    n = len(asked) // 2
    order = np.random.default_rng(0).random((500, len(s))).argsort(axis=1)
    old, new = order[:, :n], order[:, n:]
    qhat = np.sort(s[old], axis=1)[:, [conformal_rank(n, alpha) - 1]]
    covered = ((s[new] <= qhat) & np.isfinite(s[new])).mean(axis=1)
    promised, error = conformal_rank(n, alpha) / (n + 1), covered.std() / 500**0.5
    print(f'coverage {covered.mean():.4f}, k/(n+1) = {promised:.4f}, standard error {error:.4f}')
    assert np.isfinite(qhat).all() and covered.mean() > promised - 3 * error
    if not tied or len(set(s)) > 0.98 * len(s):
        assert covered.mean() < promised + 3 * error
    first, second = [asked[i] for i in old[0]], [asked[i] for i in new[0][:20]]
    cal = calibrated(lists.__getitem__, first, answering, alpha=alpha, **how)
    for q, within in zip(second, s[new[0]] <= cal.qhat(alpha)):
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', AllKept)
            kept = keeps(cal, alpha, q.text)
        found = lists[q.text]
        assert kept == [row[0] for row in cal.filter(found, alpha)]
        inside = {row[0] for row in found} & answering[q.id]
        assert bool(set(kept) & answering[q.id]) == bool(within and inside)
