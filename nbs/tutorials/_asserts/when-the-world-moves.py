# %% after f468eca5
assert len(questions) == 544 and by_kind.index[0] == 'brand'
assert by_kind['mean']['brand'] < .85 < .95 < by_kind['mean']['name']
assert round(by_kind['size']['brand']/544, 2) == .15
old = covered(scores, qhat)
of_brand, of_others = (np.mean(old[(kinds == 'brand') == named]) for named in (True, False))
moved = .9*of_brand + .1*of_others
assert (round(of_brand, 2), round(of_others, 2), round(moved, 2)) == (.8, .92, .81)

# %% after 113b26f7
assert two.coverage.round(2).tolist() == [.82, .92]
assert two.n_eff.round().tolist() == [272, 51]
assert 1.3 < two.chunks['known']/two.chunks['plain'] < 1.5
assert two.spread['known'].round(2) == .07 and round(share, 2) == .15

# %% after 881c6ed1
got = all_ways.coverage
assert got.round(2).tolist() == [.82, .92, .92, .85] and got['classified']-got['plain'] < .04
assert all_ways.chunks['classified'] > all_ways.chunks['known']

# %% after feab4b39
assert on_brands < .3

# %% after c17f1e2a
assert after == 45 and money[:150].max() < 3
days = np.array(monitor.state.days)
hit = covered(monitor.state.scores, monitor.state.qhat)
assert hit[:150].mean() > .85 and hit[150:].mean() < .55

# %% after 4dc65ffc
assert wolf <= .05 < .1 < evenings

# %% after e0bf8ebd
assert 1/8 < noticed < 1/5

# %% after 13802ada
half = np.where(brand, .5/share, .5/(1-share))                                       # 1
n_half = effective_size(half[split(0)[0]])
assert n_half > 2*effective_size(w[split(0)[0]])
strict = DriftMonitor(kb, spring, delta=.01)        # 2: its rows are the same
later = strict.alarm-monitor.alarm
phone = [on_a_telephone(q) for q in stream[150:240]]                                 # 3
anew = calibrate(kb, phone[:60], progress=False)
back = rank_questions(kb, phone[60:], progress=False).at(anew.qhat(.1))
hits_back = round(30*back['coverage'])
assert back['coverage'] > .75 and anew.qhat(.1) > spring.qhat(.1)
assert (round(n_half), later, hits_back) == (142, 13, 29)
