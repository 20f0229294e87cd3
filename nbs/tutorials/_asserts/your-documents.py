# %% after ydcalib1
from conflare_nb import conformal_rank
assert len(known) == 109
assert [conformal_rank(109, alpha) for alpha in (.1, .05)] == [99, 105]
assert '(k = 99 of n = 109)' in str(calibrated) and '(k = 105 of n = 109)' in str(calibrated)

# %% after ydasked3
assert 'unlike the calibration questions' in str(folder.ask('My router blinks red. How do I reset it?'))

# %% after ydreport
assert report.promised and '60 chunks' in str(calibrated)
costs = [round(report.costs[name], 1) for name in ('passages', 'fixed_k', 'by_distance')]
assert costs == [1.1, 2, 5.5] and round(report.costs['found'], 3) == .908

# %% after ydmended1
assert not any('recycl' in path.read_text() for path in docs.glob('*.md'))
assert not folder.ask(packs).unlike

# %% after ydmended3
assert folder.ask(packs).quotes.first.text == missing
