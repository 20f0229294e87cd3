# %% after idea0009
assert f'{(ranked.ranks <= 5).mean():.0%}' == '92%'
first_twenty = guide.scores[np.random.default_rng(1).permutation(544)[:20]]
line = np.sort(first_twenty)[16]
read = (ranked.chunk_scores <= line).sum(axis=1)
assert ((read <= 1).mean() > .1, (read >= 28).mean() > .1) == (True, True)
