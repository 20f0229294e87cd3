# %% after 6ef93d13
assert len(patients) > 250 and len(users) > 250

# %% after 5a1fe62b
assert ours.n == 150 and .84 < found < .86 < low-.04

# %% after f436f629
best = [np.mean(s == 0) for s in (ours.scores, asked.scores)]
assert np.round(best, 2).tolist() == [.95, .83]

# %% after a130ca1b
assert warned.auc > .75 and warned.p['auc'] < .05 and warned.covered < warned.band[0]

# %% after 1b278fa1
assert .4 < fine.auc < .6 and fine.p['auc'] > .05
assert fine.band[0] <= fine.covered <= fine.band[1]

# %% after e2cfa14f
assert low <= kept['coverage'] <= high and kept['chunks'] < 2

# %% after 73f44ef5
assert len(made.questions) == 20

# %% after 7a4d88dc
assert there['coverage'] > .95 and there['chunks'] > 15*kept['chunks']

# %% after ac721ac4
lost = ['template', 'template, smaller alpha', 'template and 25 real ones']
assert helps.index[helps.promise == 'broken'].tolist() == lost
assert .9 < helps.coverage['template, smaller alpha'] < .92
assert helps.chunks['written by the small model'] > 2*helps.chunks['all real ones']

# %% after 7cdbcef3
widths = spread[.95]-spread[.05]
assert abs(spread[.5] - .9).max() < .05 and widths.idxmax() == 'one question a document'
assert abs(widths.iloc[0]-widths.iloc[1]) < .02

# %% after exusers7
small = compare_questions(template[:15], users, kb)                              # 1
assert np.isnan(small.auc) and 'too few' in small.verdict
assert back['coverage'] > .95                                                    # 2
easy = rank_questions(kb, template, progress=False).at(qhat)
assert (round(easy['chunks'], 1), round(back['chunks'], 1)) == (1.0, 1.3)
assert round(back['coverage'], 3) == .993
said = compare_questions(whole, users, kb)                                       # 3
assert said.covered < said.band[0] and over['coverage'] > .95
assert over['chunks'] > 2*kept['chunks']
assert round(over['coverage'], 3) == .996 and round(over['chunks'], 1) == 6.2
