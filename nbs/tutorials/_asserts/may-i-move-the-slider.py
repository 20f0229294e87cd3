# %% after mov1e007
mean = np.mean([each.mean() for each in cheated])
assert 1.28 < mean < 1.29

# %% after mov1e010
assert 1.2 < boxes.mean() < 1.35 and .3 < boxes.std() < .5 and .15 < np.mean(boxes < 1) < .35

# %% after mov1e013
assert round(c, 3) == .325 and abs(20*p[0] + f.sum()*(p[1]-p[0]) - 1) < .01

# %% after mov1e016
mean = np.mean([each.mean() for each in kept])
assert .52 < mean < .54 and round(float(moved.factor(272)), 3) == .338

# %% after mov1e019
assert (prices.fixed.round(2).tolist(), prices.moved.round(2).tolist()) == ([1., 1.35, 1.8], [1.59, 2.25, 3.94])
assert prices['three stops'].round(2).tolist() == [1.35, 1.8, 2.8]

# %% after mov1e023
assert 'at most 13.6%' in sliding.promise.short or 13 < 100*sliding.terms.c*.4 < 14
