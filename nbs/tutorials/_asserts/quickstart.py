# %% after 6368019e
assert len(for_calibration) + len(for_test) > 500

# %% after cf606652
assert .82 < first < .84 and .975 < five < .985 and 20 < test.ranks.max() < 100

# %% after 282908c0
assert .83 < np.mean(cal.scores == 0) < .85 and np.mean(cal.scores > qhat) < .1

# %% after 401d05fd
rows = found.rows()
assert len(rows) == 2 and all(r['score'] <= qhat for r in rows)
from conflare_nb import answering_chunks
answers = answering_chunks(kb, [question])[0]
assert [r['id'] in answers for r in rows] == [False, True]
near = kb.search(question.text, 5)['id'].to_pylist()
assert not answers & set(near)

# %% after 1921f97e
assert ((table.coverage > table.band_low) & (table.coverage < table.band_high)).all()
at_10 = table[table.alpha == .1].iloc[0]
assert .05 < at_10.band_high - at_10.band_low < .12 and table.band_high[0] == 1
assert table.chunks.round(1).tolist() == [1, 1.4, 1.8] and table.k.tolist() == [1, 2, 4]
assert table.k_coverage.round(3).tolist() == [.83, .907, .981] and round(table.coverage[0], 2) == .83
assert cal.qhat(.2) == 0 and set((test.chunk_scores <= qhat).sum(axis=1)) == {1, 2, 3, 4}

# %% after a7d4913f
assert ((old.coverage > old.band_low) & (old.coverage < old.band_high)).all()
times = old.chunks/table.chunks
assert ((times > 8) & (times < 20)).all() and times.round().tolist() == [8, 13, 19]

# %% after 3dd35654
from conflare_nb import answering_chunks, empirical_band
from conflare_nb.labels.judges import contains_answer
low, high = empirical_band(quotes.n, .1, len(for_test))
assert low < held < high and 3 < number < 4 and np.isfinite(quoter.qhat)
firsts = [quoter.quote(q.text).first for q in for_test]
known = answering_chunks(kb, for_test)
right = np.mean([f.chunk.id in ids and contains_answer(f.text, q.answer)
                 for f, q, ids in zip(firsts, for_test, known)])
assert .77 < right < .79

# %% after d39f9dd9
assert len(answer.given) == len(answer.retrieved) == 1

# %% after 971f6154
import json
from pathlib import Path
recorded = Path('../../benchmarks/results/gpu.json')
if recorded.exists():
    wide, narrow = json.loads(recorded.read_text(encoding='utf-8'))['models']
    one = [m['generate'][0] for m in (wide, narrow)]
    assert [m['rows'] for m in one] == [1, 1] and 13 < one[0]['peak_gib'] < 14 and 4 < one[1]['peak_gib'] < 5
    assert all(2 < m['seconds'] < 3.5 for m in one)
assert load_llm('mistral').name == 'mistralai/Mistral-7B-Instruct-v0.3'

# %% after 5a5476b8
from conflare_nb import Calibration
assert min_calibration_size(.01) == 99
few, enough = (Calibration(cal.scores[:n], cal.fingerprint) for n in (98, 99))
assert few.qhat(.01) == np.inf > enough.qhat(.01)
assert .68 < np.mean(sizes == 1) < .7 and np.all((test.chunk_scores <= cal.qhat(.2)).sum(axis=1) == 1)
