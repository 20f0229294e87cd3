# %% after f7fee447
assert np.unique(scores).size == scores.size == 544
assert .05 < ben-anna < .1 and anna < .9 < ben

# %% after 5e0c2a91
assert abs(many.coverage.mean()-many.mean) < .01 and .35 < below < .45
assert many.mean == 46/51 and (many.coverage < .82).sum() > 1

# %% after c032b83b
assert .45 < rows[200]['width']/rows[50]['width'] < .6
assert np.round(bands[20], 2).tolist() == [.78, .98] and 170 < many.inside < 190

# %% after 59b3682b
assert round(widths[100], 3) == .097 and round(widths[50], 3) == .134
assert np.round(bands[100], 3).tolist() == [.848, .945]

# %% after ca64df49
assert carl.qhat == np.inf and len(found) == len(kb)

# %% after a558b5d7
assert largest.k == 8 and abs(largest.coverage.mean()-8/9) < .01 and 8/9 < .9
assert np.round(beta_band(9, .1), 2).tolist() == [.72, .99]
assert least == {.2: 4, .1: 9, .05: 19, .02: 49, .01: 99}

# %% after 7b41d6f0
assert (plan.n, plan.first, closer.n) == (60, 15, 1500)
assert plan.low >= .85 > beta_band(19, .1, .8)[0]

# %% after 9ae9f754
assert sample_plan(alpha=.05, eps=.02, delta=.05).n == 360

# %% after fc9f69fa
assert out['k of 100'].tolist() == [91, 95]
exact, pac = out['sets below 90%']
assert .4 < exact < .5 and pac < .1

# %% after 0d2d58f8
low, high = beta_band(99, .01)                                                      # 1
assert min_calibration_size(.01) == 99 and .9695 < low < .9705 and .9985 < high < .9995
assert (both_sides.first, both_sides.n) == (176, 185)                               # 2
assert .75 <= both_sides.low and both_sides.high <= .85
drawn = coverage_lottery(50, .1, 2000).coverage                                     # 3
assert abs(np.mean(drawn < .85) - beta(46, 5).cdf(.85)) < .02
assert round(beta(46, 5).cdf(.85), 2) == .11
