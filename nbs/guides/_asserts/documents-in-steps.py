# %% after 1e28710d
assert len(rows) == 327

# %% after 23266740
if is_sample:
    assert len(documents) == 30 and len(said) == 2

# %% after 018bb417
if is_sample:
    assert chunks.tokens.max() <= kb.embedder.max_tokens and 100 < len(kb) < 200

# %% after 40cf721e
if is_sample:
    assert len(never) == 5 and {document[l.question] for l in never} == {'aspirin.pdf'}

# %% after 9125f8d5
if is_sample:
    assert .8 < (cal.scores == 0).mean() < .85 and sum(r <= 2 for r in found_at) > 145

# %% after ee008920
if is_sample:
    assert enough == 52 and len(labels) == 164
    assert (len(drawn), len(with_chunk)) == (60, 59)

# %% after daa29730
if is_sample:
    assert [q.id for q in questions] == [s.id for s in sample]
    known = [as_pdf(q, s) for q, s in zip(questions, sample)]
    truth = gold_truth(kb, known, with_chunk)
    assert all(truth[l.question, l.chunk] for l in with_chunk)

# %% after aec65b6d
from scipy.stats import hypergeom
as_printed = is_sample and audit.too_early == 0    # not if you said no to a label
if as_printed:
    assert (f'{audit.bound:.1%}', f'{.1-audit.bound:.3f}') == ('4.3%', '0.057')
    assert audit.bound == 7/164
    missed = [hypergeom.pmf(0, 164, early, 60) for early in (7, 8)]
    assert round(1/missed[0]) == 26 and 40 < 1/missed[1] < 44 and 3/60 == .05

# %% after 722ed9c9
if as_printed:
    assert cal.qhat(.1) < retriever.qhat < np.inf
    k = np.ceil((cal.n+1)*(1-audit.alpha_left(.1)))
    assert (k, cal.n, np.isinf(cal.scores).sum()) == (156, 164, 5)

# %% after 8fd2c16a
if as_printed:
    assert low < found['coverage'] < high and trusting['coverage'] > .9
    trusted = empirical_band(cal.n, .1, len(test))
    assert trusted[0] < trusting['coverage'] < trusted[1]
    shares = [trusting['coverage'], found['coverage'], 1-left]
    assert [f'{x:.1%}' for x in shares] == ['92.6%', '95.7%', '94.3%']
    assert not np.isinf(test.scores).any() and np.isinf(cal.scores).sum() == 5
    assert .35 < found['chunks']-trusting['chunks'] < .45 and found['chunks'] < 2

# %% after edbbca10
if as_printed:
    assert np.isfinite(test.scores).all()

# %% after b8cbbbc3
if is_sample:
    assert part in asked.text
    right = [r for r in answer.given if contains_answer(r['text'], asked.answer)]
    assert any(r['page'] == 2 for r in right)

# %% after 83d8ab3b
if as_printed:
    assert len(foreign.retrieved) > 0
    nearest = [min(r['distance'] for r in a.given) for a in (foreign, answer)]
    assert np.round(nearest, 2).tolist() == [.88, .56]
    assert len(foreign.given) == 5 and f'{before:.2f}' == '0.56'
    assert f'{max(r["distance"] for r in foreign.given):.2f}' == '1.02'

# %% after 7e7afa44
if as_printed:
    assert again.qhat == retriever.qhat and kept.score == cal.score
    assert again.retrieve(asked.text).rows() == retriever.retrieve(asked.text).rows()

# %% after 4d2e32d3
if is_sample:
    assert guide[6].path == 'aspirin.md' and renewed == 6 and len(said) == 1

# %% after e8a0efaf
if as_printed:
    to_look_at = session.view().total - session.view().done
    assert 0 < to_look_at < 10 and np.isinf(new.scores).sum() == 0

# %% after 7c21d5e5
if as_printed:
    assert now.qhat < retriever.qhat

# %% after 3487cf3d
assert audit_size(.1, .08, among=164) == 95                                   # 1
if as_printed:
    without = Calibration(cal.scores[np.isfinite(cal.scores)], kb.fingerprint())
    assert without.qhat(.1) < cal.qhat(.1)                                    # 2
    # 3: the bound, and a place for the new question and each lost one
    first = retriever.terms.audit
    limit = first.bound + (1+len(never))/(cal.n+1)
    bound, one, six = first.bound, 1/(cal.n+1), (1+len(never))/(cal.n+1)
    shares = [bound, six, limit, bound+one, bound+5*one]
    assert [round(share, 3) for share in shares] == [.043, .036, .079, .049, .073]
    assert round(bound+one, 4) == .0487
    assert 1 < (.05-bound)*(cal.n+1) < 2
    least = cal.qhat(limit-1e-6, Audited(first)), cal.qhat(limit+1e-6, Audited(first))
    assert least[0] == np.inf > least[1]
