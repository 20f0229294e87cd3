# %% after 3ba3b81d
assert len(chunks) == 300 and ids[25] == 'amoxicillin.md#0001' and ids == sorted(ids)

# %% after 73fbcf3b
assert chunk_vectors.shape == (300, 384) and question_vectors.shape == (544, 384)

# %% after 0e9389f8
assert distances.shape == (544, 300) and distances.min() > 0

# %% after 74f25982
assert np.isfinite(scores).all() and len(set(scores)) == 544
assert np.mean(depth == 1) > .5 and depth.max() == 64

# %% after 49b146cc
assert len(cal) == 272 and ceil(273*Fraction(9, 10)) == 246
assert (scores[cal] <= qhat).sum() == 246
assert ceil(10*(1-.7)) == 4 and ceil(10*(1-Fraction('.7'))) == 3
assert np.isinf(threshold(scores[cal], .003))
percents, rights = (50, 20, 10, 5), [.6, .9, 1., np.inf]     # the rows above
assert [threshold(ten, p/100) for p in percents] == rights
assert Fraction(str(.1)) == Fraction(1, 10) != Fraction(.1)

# %% after 83b90d0b
assert round(np.mean(sizes), 1) == 14.7 and (min(sizes), max(sizes)) == (0, 100)

# %% after 92ca1221
assert covered.sum() == 242 and round(covered.mean(), 3) == .89
for j, c in zip(new, covered): assert c == answers[j, retrieve(j, qhat)].any()

# %% after 5488eea9
assert abs(theorem.sum()-1) < 1e-9 and abs(theorem @ np.arange(m+1)/m - k/(n+1)) < 1e-9
assert 1-alpha <= k/(n+1) <= 1-alpha+1/(n+1) and abs(coverage.mean()-k/(n+1)) < .002
assert abs(np.mean(coverage < .85)-theorem[:ceil(.85*m)].sum()) < .01
assert (round(low, 3), round(high, 3)) == (.857, .941)
nine = round(low*m), round(high*m)
assert abs(theorem[nine[0]:nine[1]+1].sum()-.9) < .02
from itertools import permutations
rows = set(permutations('NCNCN'))
before = [''.join(row).rindex('C')-1 for row in rows]    # N before the second C
assert (before.count(2), len(rows), comb(3, 2)*comb(1, 1), comb(5, 3)) == (3, 10, 3, 10)
assert [before.count(j) for j in range(4)] == [1, 2, 3, 4]
assert theorem.argmax()/m > 1-alpha + 1/(n+1)     # the strip is left of the peak
by_count = theorem[ceil(.88*m):int(.92*m)+1].sum()
assert abs(by_count-close) < .02 and round(close, 3) == .558

# %% after 2c26847b
few = [threshold(scores[cal[:n]], .1) for n in (8, 9, 10)]
assert np.isinf(few[0])
assert few[1:] == [scores[cal[:9]].max(), scores[cal[:10]].max()]
assert len(retrieve(new[0], np.inf)) == 300

# %% after nanomove2
worst = [np.where(p > .4*c, 0, 1/np.maximum(p/c, .05)).mean() for c in (1, .324)]
assert round(worst[0], 1) == 3.3 and round(worst[1], 1) == 1.1 and .324 <= 1/(1+np.log(8)) < .325

# %% after 37610601
holds = [questions[j].answer in quoted for j, quoted in zip(new, quotes)]
assert holds == [True, False, True]
assert quotes[1].startswith('Sumatriptan') and 'umatriptan' in asked[new[1]]

# %% after c4bb7e7d
folder.cleanup()
margin = distances - distances.min(axis=1, keepdims=True)
scored = np.where(answers, margin, np.inf).min(axis=1)
line = threshold(scored[cal], alpha)
read = (margin[new] <= line).sum(axis=1)
assert sum(scored[new] <= line) == 243 and round(243/272, 3) == .893
assert round(read.mean(), 1) == 4.4 and (read.min(), read.max()) == (1, 35)
assert round((margin <= line).sum(axis=1).mean(), 1) == 4.5
assert line > 0 == min(scored)
