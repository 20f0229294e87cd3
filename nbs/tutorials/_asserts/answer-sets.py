# %% after 911970ca
assert once < ever and (round(once, 2), round(ever, 2)) == (.27, .74) and not found.unbounded

# %% after 8cf28a2a
assert m['held'] == m['bounded'] and .79 < m['held'] < .81 and m['requests'] < 2 and 15 < m['rouge'] < 25

# %% after 9a0968c5
assert smallest == .35 and f'{hopeless:.0%}' == '28%'

# %% after 8f222ebf
assert f'{honest:.0%} {short:.0%}' == '100% 82%'

# %% after 73c08550
assert np.allclose(result.held, result.bounded+result.unbounded)
assert (result.held > 1-result.index.get_level_values('alpha')-.05).all()

# %% after a7b3bd35
promised = 1-sampled.index.to_numpy()
assert (sampled.held > promised-.03).all() and (sentences.held > promised-.03).all()
assert (sampled.unbounded[:.3] == 1).all() and .3 < sampled.unbounded[.6] < .4
assert (sentences.unbounded == 0).all() and 1.8 < sentences.listed[.1] < 2.05
assert 1.05 < sentences.listed[.2] < 1.15 and (sentences.listed[.3:] == 1).all()
assert .785 < sentences.covered[.6] < .795 and (sentences.covered > sampled.covered).all()
assert 16 < sampled.listed.min() < 17 and 34 < sampled.listed.max() < 35
assert 27 < sampled.replies.min() < 28

# %% after 4cdbee2f
assert saved.stopped <= saved.gated <= saved.fixed == 100 and 34 < saved.gated < 35

# %% after 881c705c
u, v, lost = np.random.default_rng(0).uniform(size=(3, 50_000, 31))
s_ret, s_qa = np.where(lost < .08, np.inf, u), np.where((lost >= .08) & (lost < .16), np.inf, v)
tau, least = (np.sort(s[:,:-1], axis=1)[:,27] for s in (s_ret, s_qa))      # 3 of the 6 ranks each
finite = np.isfinite(tau) & np.isfinite(least)
both_pass = (s_ret[:,-1] <= tau) & (s_qa[:,-1] <= least)
right = both_pass & np.isfinite(s_ret[:,-1]) & np.isfinite(s_qa[:,-1])
assert .74 < right[finite].mean() < .76 and .915 < np.mean(right | ~finite) < .925
both = calibrate_answers([questions[i] for i in [*opt, *calrows]])                             # 1
lost = np.mean(~np.isfinite(both.s_ret) | ~np.isfinite(both.s_qa))
floor = min(a for a in levels if any(not unbounded(both, Rule('ranks', both.n, a, s)) for s in splits))
assert both.n == 80 and floor >= lost and abs(floor-smallest) <= .11
strict = calibrate_answers([questions[i] for i in calrows], rouge_match(.5))                   # 2
reach = strict.reach[1]
assert reach < cal.reach[1]
strange = lambda a, b: False                                                                   # 3
one, two = (answer_set(questions[test[0]], cal, rag.rule, s) for s in (rouge_same(), strange))
assert len(one) <= len(two) and one.covers(questions[test[0]].references) == two.covers(questions[test[0]].references)
assert (floor, round(reach, 2)) == (.3, .44)
