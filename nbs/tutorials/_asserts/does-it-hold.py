# %% after holdplot
assert farthest < .07 and inside == 1
lean, left = found-(1-alphas), 1-alphas < .695
assert (lean[left] > .01).all() and (abs(lean[~left]) < .02).all()

# %% after holdmany
assert abs(many.mean()-.9) < .01 and .3 < np.mean(many < .9) < .6
assert round(many.min(), 2) == .81 and round(many.max(), 2) == .96
assert .11 < beyond < .135 and round(200*beyond) == 24

# %% after holdkind
assert np.ptp(kinds.coverage) > .1 and kinds.index[0] == 'colloquial'
expected = np.array([empirical_band(cal.n, .1, asked) for asked in kinds.asked])
beyond = (kinds.coverage < expected[:,0]) | (kinds.coverage > expected[:,1])
assert kinds.index[beyond].tolist() == ['colloquial', 'name']
assert .09 < expected[0, 0]-kinds.coverage.iloc[0] < .13
assert round(1/(1-.9**6-6*.1*.9**5)) == 9
from scipy.stats import betabinom
assert (cal.n, round(19*kinds.coverage.iloc[0])) == (274, 13)
so_low = betabinom.cdf(13, 19, 248, 27)
assert round(so_low, 2) == .01 and round(1-(1-so_low)**6, 2) == .06

# %% after 0014ff99
assert own > cal.qhat(.1) and apart >= together+.15

# %% after holdleaf
assert round(np.median(lucky[:,0]), 2) == .70 and leaflets.coverage.min() < .7
lowest, highest = np.quantile(lucky, [.05, .95], axis=0)
inside = (leaflets.coverage > lowest-.01) & (leaflets.coverage < highest+.01)
assert inside.all()

# %% after holdtopi
outside = (topics.coverage < topics.band_low) | (topics.coverage > topics.band_high)
assert len(topics) == 11 and not outside.any()
assert abs(np.average(topics.coverage, weights=topics.asked)-.9) < .02

# %% after holdrefu
then, now = aging.itertuples()
assert now.coverage == then.coverage and now.chunks > then.chunks
assert before.n == 132 and round(then.coverage, 3) == .838
assert around[0] < then.coverage < around[1]
assert np.round(around, 2).tolist() == [.82, .96]

# %% after 08b76800
for table in tables.values():
    assert (table.band_low < table.coverage).all()
    assert (table.coverage < table.band_high).all()
assert tables['default'].band_high.iloc[0] == 1
assert (tables['distance'].chunks > 8*tables['default'].chunks).all()

# %% after 9ff47125
always = np.mean(by_closely.scores == 0)
assert .825 < always < .835 and np.isclose(level[alphas > .165], always).all()
from_77 = alphas < .235
assert ((low <= level) & (level <= high))[from_77].all()
assert 12 < (tables['distance'].chunks/tables['default'].chunks)[1] < 14

# %% after d5b91ed6
assert place == 3 and round(kinds.coverage['colloquial'], 2) == .68
assert round(default_kinds.coverage['colloquial'], 2) == .89
edges = np.array([empirical_band(closely.n, .1, m) for m in default_kinds.asked])
assert default_kinds.coverage['brand'] >= edges[0, 0] and edges[0, 0] > .82
over = default_kinds.coverage > edges[:, 1]
assert default_kinds.index[over].tolist() == ['name']
assert (default_kinds.coverage >= edges[:, 0]).all()

# %% after d089b536
then, now = default_aging.itertuples()
assert round((then.coverage-now.coverage)*len(aged)) == 2 and len(aged) == 142
small_folder.cleanup()

# %% after 48ec9e15
more = costs.new_chunks/costs.usual_chunks
assert costs.usual_chunks.round(1).tolist() == [1.0, 1.3, 1.8]
assert costs.new_chunks.round(1).tolist() == [1.0, 1.6, 3.9]
assert (costs.new >= 1-costs.alpha).all()
assert (costs.usual.round(2) == 1-costs.alpha)[1:].all() and costs.usual[0] > .82
assert more[0] < 1.02 and 1.15 < more[1] < 1.22 and 2.1 < more[2] < 2.3

# %% after exholdk4
assert cal.n == 274 and (enough[0], missed[-1]) == (134, 180)                     # 1
least = by(kind, .2).iloc[0]                                                     # 2
assert least.name == 'colloquial' and round(least.coverage, 3) == .579
assert round(kinds.coverage.iloc[0], 3) == .684
assert (round(1-.9**6, 3), round(1-.9**6-6*.1*.9**5, 3)) == (.469, .114)         # 3
