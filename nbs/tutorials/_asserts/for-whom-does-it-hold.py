# %% after 26d3e826
assert pooled.coverage.idxmin() == 'colloquial' and pooled.m['colloquial'] == 22
assert pooled.m['brand'] == 46
other = coverage_table(*half(every, seed=1), (.1,), by='kind')
other = other[other.threshold == 'pooled'].set_index('group')
assert other.coverage.idxmin() == 'brand'

# %% after 87fddc52
covered = by_default.xs('pooled', level='threshold').coverage
assert covered.idxmin() == 'brand' and .78 < covered['brand'] < .81
assert covered.drop('brand').idxmin() == 'colloquial' and .82 < covered['colloquial'] < .84
assert abs(1-covered['colloquial']-1/6) < .02 and abs(1-covered['brand']-1/5) < .02
assert covered['all']-covered['purpose'] < .02
assert covered['name'] > .96 and .89 < covered['all'] < .91

# %% after 786c3b4a
assert '44). ' in str(found.promise) and 'counted as 40 ' in str(found.promise)
assert found.qhat == qhat == cal.qhat(.1, OfGroup('brand'))
assert "of the group 'brand'" in found.promise.population

# %% after f1b6d9c2
views = {name: explorer_view(way, asked) for name, way in ways.items()}
assert views['of brand names'].group_label == "the group 'brand'" and not views['of all'].group_label
assert views['of all'].answer_ranks == [4] and asked.kind == 'brand'
assert f"{cal.qhat(.2, OfGroup('brand')):.2f}" == '2.19'
assert f'{np.exp(-2.19):.0%}' == '11%'
counts = {k: np.array([v.at(a)['chunks'] for a in levels]) for k, v in views.items()}
assert (counts['of brand names'][levels <= .25] >= 4).all() and counts['of brand names'][levels > .3].max() < 4
assert counts['of all'][0] == 4 and (counts['of all'][levels > .15] == 1).all()
assert (counts['of brand names'] >= counts['of all']).all()
assert [view.at(.2)['chunks'] for view in views.values()] == [4, 1]

# %% after 453f4ed8
own = both.coverage['six thresholds']
assert own.drop('name').between(.895, .92).all() and round(own['name'], 2) == .94
one, six = both.chunks['one threshold'], both.chunks['six thresholds']
assert six['name'] < 1.005 < 1.2 < one['name'] < 1.25 and 3.9 < six['colloquial'] < 4.3
assert round(one['all'], 1) == 1.4 and round(six['all'], 1) == 1.6
assert 1.17 < six['all']/one['all'] < 1.23 and six['multi'] < one['multi']
assert 1.3 < six['brand']/one['brand'] < 1.35
assert 2.9 < six['colloquial']/one['colloquial'] < 3.3
assert round(by_default.n['colloquial', 'own']) == 22 and np.ceil(23*.9) == 21

# %% after 4a76ad4b
worst = distance.xs('pooled', level='threshold').coverage
assert worst.idxmin() == 'colloquial' and .73 < worst.min() < .78
assert distance.xs('own', level='threshold').coverage.min() > .89
of_all = distance.loc['all'].chunks
assert 1.05 < of_all['by group']/of_all['pooled'] < 1.15 and 17 < of_all['pooled'] < 19

# %% after b454b4ce
own_strict = strict.drop('pooled', level='threshold').droplevel('threshold')
assert least == 49
assert (own_strict.infinite[['brand', 'colloquial', 'multi', 'situation']] == 1).all()
assert (own_strict.infinite[['name', 'purpose']] == 0).all()
pools = own_strict.chunks[['brand', 'colloquial', 'multi', 'situation']]
assert pools.between(82.5, 85.5).all() and len(kb) == 300
assert round(own_strict.infinite['all'], 2) == .46

# %% after 742a7fd3
others = shared.xs('others', level='threshold')
assert (others.infinite < .01).all() and others.chunks.max() < 25
assert others.coverage.idxmin() == 'colloquial' and others.coverage.min() < .98

# %% after c1326666
assert questions_for_groups(shares, 9) > 9/min(shares.values())

# %% after 6b573c0c
assert means[1] > .9 and round(means[50], 2) == .83

# %% after exwhom04
assert min_calibration_size(.01) == 99
enough = kinds.value_counts() >= 99
assert sorted(enough.index[enough]) == ['name', 'purpose']                        # 1
assert kinds.value_counts().iloc[2] == 84
assert lengths.coverage.round(3).to_dict() == dict(long=.902, short=1., all=.907)  # 2
assert lengths.m.to_dict() == dict(long=256, short=14, all=270)
sizes = pd.Series(cal.groups).value_counts()                                      # 3
assert sorted(sizes.index[sizes < 60]) == ['brand', 'colloquial', 'multi', 'situation']
assert (cal.promise(.05, OfGroup('brand', 60)).n, cal.n, sizes['brand']) == (131, 274, 44)
