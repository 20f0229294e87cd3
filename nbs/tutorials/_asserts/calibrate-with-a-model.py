# %% after decc3e7e
assert len(kb.documents()) == 10

# %% after 025d7f04
assert sum(made.counts.values()) == made.asked
assert len(made.questions) == made.counts['kept'] < made.asked/2

# %% after e000752c
assert verdict_rows(kb).read() == rows and all(r in rows for r in before)
assert len({r['key'] for r in rows}) == len(rows)
assert sum(r['calls'] for r in rows) < len(rows)/2

# %% after f3afbcd4
assert len(labels) <= len(made.questions)

# %% after bde1cda5
assert check.n == 3 and check.sources >= check.controls
paid = len(verdict_rows(kb))

# %% after c3a1d6e8
assert len(verdict_rows(kb)) == paid            # every verdict was known
assert cal.qhat(1/(cal.n+2)) == np.inf > qhat
assert (cal.scores == 0).sum() == 15 and np.isinf(cal.scores).sum() == 1 and cal.n == 19

# %% after f03d999a
by_who = (found.loc[who].set_index('alpha') for who in ('model and judge', 'people'))
ours, usual = by_who
assert (ours.qhat > usual.qhat).all() and (ours.coverage > .95).all()
assert usual.qhat[.2] == 0
assert .9 < usual.coverage[.2] < .92 and usual.chunks[.2] == 1 < ours.chunks[.2] < 1.3
assert round(ours.chunks[.1]) == 25 and 1.3 < usual.chunks[.1] < 1.5 and len(kb) == 60

# %% after exmach07
assert min_calibration_size(.05) == 19 and (made.asked, len(made.questions)) == (80, 19)
assert (without.scores >= cal.scores).all()
assert set(again.scores) <= set(cal.scores) and again.n == len(named) == 6
assert again.qhat(.2) == again.scores.max() < again.qhat(.14) == np.inf
tmp.cleanup()
