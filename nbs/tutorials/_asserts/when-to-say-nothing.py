# %% after c5490f66
assert (len(rainbow), rainbow.closed) == (1, '')
first_text = next(iter(rainbow.rows())).text
assert 'tablets are round' in first_text and 'rainbow' not in first_text.lower()

# %% after 987b4acd
assert answerable.max() < far['foreign'].min()
assert np.median(far['near']) < np.quantile(answerable, .98)
assert far['illnesses'].min() < np.quantile(answerable, .95)

# %% after nothingt
assert (without[0].mean() > .9) and (with_gate[0].mean() > .9)
assert (round(without[1].mean(), 1), round(with_gate[1].mean(), 1)) == (1.4, 1.5)
assert .05 < with_gate[1].mean()-without[1].mean() < .1
assert retriever.qhat < gated.qhat < np.inf and 'may cause 5 of the 27' in gate.text(.1)

# %% after 6237dc80
closed = table[['near', 'illnesses', 'foreign']]*40
assert closed.loc['fifth'].tolist() == [12, 27, 40]
assert closed.loc['half'].tolist() == [21, 35, 40]
assert (table.answerable*272).round().tolist() == [3, 7]

# %% after d311f583
assert costs.lost.round(3).tolist() == [.011, .018, 0]
assert costs.coverage.round(3).tolist() == [.893, .886, .904]

# %% after 479d8b15
assert wrongly['near'] > .5 and wrongly['illnesses'] < .04
assert strict['near'].qhat == np.inf > strict['illnesses'].qhat

# %% after baa487a0
assert (empty.near*40).tolist() == [25, 18, 12]
assert (empty.illnesses*40).tolist() == [38, 35, 27] and (empty.foreign == 1).all()
assert empty.answerable.is_monotonic_decreasing

# %% after nothins3
assert alone.qhat == np.inf and len(alone.retrieve(second[0].text)) >= 50        # 1
assert enough[0] == 49 and (smallest, finite(.4)) == (.45, False)                # 2, 3
