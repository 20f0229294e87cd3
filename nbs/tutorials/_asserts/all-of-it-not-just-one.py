# %% after ad1ed78d
assert counted(single).to_dict() == {1: 520, 2: 21, 3: 3}

# %% after c45e6152
assert (measured.n, test.n) == (125, 125) and both_halves.to_dict() == {2: 231, 3: 15, 4: 4}

# %% after 3a742438
assert {k: round(v, 2) for k, v in found_one.items()} | dict(tokens=0) == dict(missed=.44, one=.95, all=.16, chunks=1.49, tokens=0)

# %% after 58567590
assert table.chunks.round(1).tolist() == [1.5, 10.4, 18.9] and table['all'].round(2).tolist() == [.16, .83, .9]
assert table.missed.round(2).tolist() == [.44, .08, .04] and 6.5 < table.chunks.iloc[1]/table.chunks.iloc[0] < 7.5

# %% after 18b0856d
assert 0 < whole.qhat(alpha) <= every

# %% after 38152db1
assert .1-2/126 < shares.mean() <= .1 and round(shares.mean(), 3) == .096
assert .35 < np.mean(shares > alpha) < .5

# %% after a5c4d103
assert least.round(3).tolist() == [.604, .251, .107, .069, .027]
assert tight.qhat == np.inf and not tight.promise and fits.qhat < np.inf
held = test.at(fits.qhat, 1000)
assert round(held['missed'], 3) == .118 and 760 < held['tokens'] < 775
assert '10.0% of the relevant' in str(tight.promise) and 1400 < found_share['tokens'] < 1500

# %% after 79bf5e0f
assert sure.qhat is not None and test.at(sure.qhat)['missed'] < .3 and np.mean(tokens > 1000) < .2
why = greedy.promise.short
assert greedy.qhat is None and 'is shown from 6.9411 on' in why and 'only up to 5.5238' in why

# %% after 205184d2
def least_room(share): # in steps of 500 tokens
    return next(b for b in range(500, 5001, 500) if measured.smallest_alpha(b) <= share)

room = least_room(.05)
pairs = next(n for n in range(1, 80) if risk_threshold([[1., 1.]]*n, .02) < np.inf)
def kept(over): return TestedControl(kb, measured, .3, 1000, over, delta=.01).qhat is not None
fails = [i/20 for i in range(2, 16) if not kept(i/20)][-1]
assert (room, pairs, fails) == (2500, 49, .2)
assert measured.smallest_alpha(2000) > .05 > measured.smallest_alpha(2500)
assert curve.missed[curve.chunks > 3].iloc[0] > .25
