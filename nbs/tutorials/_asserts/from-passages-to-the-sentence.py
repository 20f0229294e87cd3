# %% after db73cd4d
assert len(there) == 245 and (sum(said_right), len(said_right)) == (1, 8)
assert (sum(quoted_right[:8]), sum(quoted_right), len(drawn)) == (7, 16, 20)
assert said_right[:3] == [True, False, False] and quoted_right[:3] == [True]*3
assert replies[:3] == ['12 weeks', '48 hours', 'no'] and wrong == drawn[4] and said[wrong] == 'no'
assert 'four to six hours' in found[drawn[1]].first.text
assert 'Insulin glargine, If you miss a dose' in found[wrong].first.source

# %% after e3d0a936
[asks] = kb.embedder.read_questions([asked], progress=False)
read = dict(zip(worth, kb.read_closely(list(worth))))
vectors = np.array([read[s.chunk.id].vectors[s.place] for s in pool.sentences])
assert np.allclose(parts.says, .5*vectors.astype(float)@asks.vector.astype(float), atol=1e-5)
assert np.allclose(parts.sum(axis=1), pool.merits)

# %% after 4e7744ae
assert len(pool.sentences) == 57
same = by_chunk[best] == by_chunk[best[0]]
assert same.tolist() == [True]*4+[False]*2
inside = parts.iloc[best[same]]
assert round(float(np.ptp(inside.matches)), 2) == .36 and np.ptp(inside.matches) > 2*np.ptp(inside.says) > .2
assert parts.words.iloc[best].max()/score.words < 1/6
assert round(float(pool.merits[best[0]]-pool.merits[best[1]]), 2) == .13
assert round(float(pool.scores[best[1]]), 1) == 2.8

# %% after ca7afb7a
assert 3 < listed.mean() < 4 and np.median(listed) == 2 and listed.max() == 15
assert not is_right(found[wrong].first, wrong)
assert any('raise the requirement' in quote.text for quote in found[wrong].listed)

# %% after 17815413
import json
from pathlib import Path
assert 60 <= np.median([len(p.sentences) for p in pools]) <= 65
assert table.coverage.between(table['band from'], table['to']).all()
steps = table.sentences.to_numpy()
assert ((steps[2:]/steps[1:-1] > 1.6) & (steps[2:]/steps[1:-1] < 2.4)).all() and steps[0] < 1.1
assert table.coverage.iloc[0] > .75
recorded = Path('../../benchmarks/results/quotes.json')
if recorded.exists():
    said = json.loads(recorded.read_text(encoding='utf-8'))
    assert said['splits'] == 40 and round(said['first']['right'], 3) == .752
    assert all(abs(r['coverage']-(1-r['alpha'])) < .011 for r in said['levels'] if r['alpha'] < .3)
    assert next(r for r in said['levels'] if r['alpha'] == .3)['coverage'] > .72

# %% after 4e1c4818
ratio = both['times as much']
assert ratio.iloc[0].round() == 5 and 1.6 < ratio.iloc[-1] < 1.8 and ratio.is_monotonic_decreasing
assert both.chunks.iloc[2].round(1) == 1.4 and both.sentences.iloc[2].round(1) == 3.4
assert 850 < both['characters of chunks'].iloc[2] < 870 and 375 < both.characters.iloc[2] < 390

# %% after 556ffcdf
assert f'{of_listed:.0%}' == '27%' and .76 < of_first < .8

# %% after 1e110bdd
assert len(lost) == 2 and (ranked.ranks[lost] > 10).all()
assert len(lost) < .1*len(second)

# %% after ce6fedaf
assert in_two == 0 and .15 < as_two < .18
assert label.score == max(two.scores[1:]) > 0

# %% after 85b56358
shown = found[gran]
assert shown.listed[0].p_value == 1 and '<mark>' in shown._repr_html_()
assert gran not in drawn and second[gran].answer == '25 mg'
assert contains_answer(shown.first.text, '25 mg') and 'Empagliflozin' in shown.first.source
assert all(f.listed[0].p_value == 1 for f in found)
right = [is_right(quote, gran) for quote in shown.listed]
assert np.flatnonzero(right).tolist() == [3] and 'Sitagliptin' in shown.listed[3].source

# %% after 8b56937d
def half(alpha): return np.median([(p.scores <= sentence_cal.qhat(alpha)).sum() for p in pools])
steps = np.arange(.05, .5, .05).round(2)
alone = min(alpha for alpha in steps if half(alpha) == 1)                                  # 1
assert [half(a) for a in (.05, .1, .15, .2)] == [4, 2, 1, 1] and alone == .15
three, five = [calibrate_quotes(kb, first, QuoteScore(chunks=k), progress=False)           # 2
               for k in (3, 5)]
beyond, of_five = [int(np.isinf(c.scores).sum()) for c in (three, five)]
assert (beyond, of_five, np.isinf(sentence_cal.scores).sum()) == (13, 4, 1)
assert np.isinf(three.qhat(.05)) and np.isfinite(three.qhat(.1)) and np.isfinite(sentence_cal.qhat(.01))
assert beyond/274 < .05 < (beyond+1)/275
