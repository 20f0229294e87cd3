# %% after class006
assert conformal_rank(20, alpha) == 17 and conformal_rank(20, .04) == 21 and line == conformal_quantile(scores[known], alpha)
assert [f'{x:.0%}' for x in (17/21, 16/21)] == ['81%', '76%'] and .8*20 == 16 and round(.8*21, 1) == 16.8

# %% after class010
assert (len(new), read.min(), np.median(read), read.max()) == (524, 0, 6, 87) and f'{covered.mean():.1%}' == '85.1%'

# %% after class014
assert (f'{low:.0%}', f'{high:.0%}', f'{rounds.mean():.0%}', f'{np.mean(rounds < .8):.0%}') == ('64%', '93%', '81%', '43%')
assert [f'{x:.0%}' for x in np.quantile([coverage(272, seed) for seed in range(500)], [.05, .95])] == ['74%', '86%']

# %% after class018
two = [tried(ranked), tried(default)]
assert [round(each['passages read'], 1) for each in two] == [6.2, 1] and [f"{each['found']:.0%}" for each in two] == ['78%', '85%']
assert conformal_quantile(default.scores[half], alpha) == default.scores.min() == 0

# %% after class024
found = table.groupby('kind').found.mean()
assert (found.idxmin(), round(found['brand'], 2), round(found['name'], 2), found.max()) == ('brand', .54, .95, found['name'])
