# %% after 5d81c97e
assert (qhat['early'], qhat['true'], qhat['late']) == (.6, .8, .9)
assert covered == dict(true=8, early=6, late=9)

# %% after 857c3090
good, half, any_word = measured.early
assert good < .02 and .125 < half < .2 < any_word < .3 and (measured.late < .02).all()
close = rank_questions(kb, questions, progress=False)
by_close = label_questions(kb, questions, judges['half the words'], progress=False)
early_close = np.mean([l.score < s for l, s in zip(by_close, close.scores)])
assert round(early_close, 2) == .07 and round(np.mean(close.scores == 0), 2) == .83

# %% after judgemod
assert (before, behind, len(few)) == (0, 3, 8) and np.mean(every.scores == 0) > .7
assert sum(r['calls'] for r in mine) == 48

# %% after a74d3c7f
assert (g.rank, len(reasons)) == (9, 5)

# %% after 469936bb
share = audit.too_early/100
assert share < audit.bound < share+.11
assert audit.bound > measured.early['half the words'] > share

# %% after 2297ab53
assert cal.qhat(.3) < cal.qhat(.3, Audited(audit)) < np.inf == cal.qhat(.1, Audited(audit))
assert cal.qhat(.3) == 0 and (audit.judged, audit.too_early) == (100, 12)

# %% after 27ec59be
assert .15 < misled['textbook'] < .2 and .02 < misled['bets'] <= .05

# %% after c7903226
assert retriever.qhat == cal.qhat(.3, Audited(audit)) and cal.qhat(.3) == 0

# %% after b650e9b0
assert trusting.mean() < .77 < .8 <= audited.mean() and abs(gold.mean()-.8) < .02

# %% after 05550cce
coverage, chunks = price['coverage'], price['chunks a question']
poor = ['half the words', 'any of the words']
assert (coverage.audited >= .8).all() and (coverage.trusted[poor] < .77).all()
assert .13 < chunks.audited['contains']-chunks['true labels']['contains'] < .19
assert chunks.audited['half the words'] > 20*chunks['true labels']['half the words']
whole_pool = np.isfinite(every.chunk_scores).sum(axis=1).mean()
assert (splits['any of the words'][:,1,2] > 80).all() and 80 < whole_pool < 86
assert coverage.trusted.min() > .73 and round(np.mean(every.scores == 0), 2) == .74
assert np.mean(splits['half the words'][:,1,2] > 60) > .5
def trusting_close(alpha):
    "Mean coverage by the default score, labels trusted."
    judged, covered = np.array([l.score for l in by_close]), []
    for seed in range(200):
        old, new = np.array_split(np.random.default_rng(seed).permutation(len(judged)), 2)
        covered.append(close.covered(Calibration(judged[old], {}).qhat(alpha))[new].mean())
    return np.mean(covered)
assert trusting_close(.2) > .83 and trusting_close(.1) < .885

# %% after 94bfe937
assert plan.loc[.1].tolist() == [65, 203, 378, 919] and plan.loc[.2].iloc[2] == 105
assert (plan.diff(axis=1).iloc[:,1:] >= 0).all(axis=None)

# %% after exjudge5
assert round(forty.bound, 3) == .077 and round(forty.alpha_left(.1), 3) == .023
assert Audit(25, 0, among=272).alpha_left(.1) == 0
assert Calibration([.1, .2, np.inf], {}).qhat(.3) == np.inf
assert whole.judged == 272 and whole.bound == 1/272
assert round(whole.alpha_left(.1), 4) == .0963
