# %% after 5a1d0004
rest = rank_questions(kb, others, score=Distance(), progress=False)
def read(q, alpha):
    return int((rest.chunk_scores[others.index(q)] <= cal.qhat(alpha)).sum())
def found_at(q): return int(rest.ranks[others.index(q)])
free = [explorer.shown.at(.2, slides)['chunks'] for slides in (False, True)]
assert free == [3, 17] and explorer.shown.known[16] == sorted(cal.labels, key=lambda l: l.score)[16].text
assert (len(kb), len(questions), len(twenty), len(others)) == (300, 544, 20, 524)
assert [read(bones, a) for a in (.25, .2, .1)] == [2, 3, 17] and found_at(bones) == 3
nearest = [r['title'] for r in retriever.retrieve(bones.text).rows()[:3]]
assert nearest == ['Alendronic acid', 'Alendronic acid', 'Omeprazole']
assert conformal_rank(20, .2) == 17 and (read(dose, .2), read(toes, .2)) == (45, 0)

# %% after 5a1d0008
assert (round(by_score[0].score, 2), round(by_score[-1].score, 2)) == (.29, .67)

# %% after 5a1d0012
at = {a: conformal_rank(20, a) for a in (.5, .2, .15, .1, .05, .04)}
assert at == {.5: 11, .2: 17, .15: 18, .1: 19, .05: 20, .04: 21}
assert cal.qhat(.2) == np.sort(cal.scores)[16] and cal.qhat(.04) == np.inf

# %% after 5a1d0017
assert round(covered.mean(), 3) == .851 and sum(d <= qhat) == 3
assert (sizes.min(), np.median(sizes), sizes.max()) == (0, 6, 87)
assert (round(rest.scores[others.index(toes)], 3), round(qhat, 3)) == (.583, .564)
assert (f'{beta_band(20, .2)[0]:.0%}', f'{beta_band(20, .2)[1]:.0%}') == ('66%', '93%')
low, high = (explorer.view[end][16] for end in ('low', 'high'))     # at the 17th score
assert (np.floor(1000*low), np.ceil(1000*high)) == (645, 935)
assert len({q.document for q in twenty}) == 18

# %% after 5a1d0022
assert np.abs(share-1/21).max() < .008 and abs((place <= 17).mean() - 17/21) < .01
assert abs((place <= 16).mean() - 16/21) < .01 and 16/21 < .8 and len(set(pool)) == 544

# %% after 5a1d0032
assert [round(found[k-1], 3) for k in (1, 5, 7, 64)] == [.62, .924, .956, 1]
assert rest.ranks.max() == 64 and np.sum(rest.ranks == 64) == 1
assert table.values.tolist() == [[1, 45, 'yes'], [3, 3, 'yes'], [13, 17, 'no']]
assert found[9] > .98
named = [(c['document'], c['heading']) for c in kb.texts() if 'Macrobid' in c['text']]
assert len(named) == 1 and named[0] not in brand.sections
assert sorted(rest.ranks)[-2] > 25

# %% after 5a1d0044
assert conformal_quantile(ranks, .2) == 4

# %% after 5a1d0047
assert out.round(2).values.tolist() == [
    [.96, 8, 8, 8, 8], [.98, 48.03, 178, 130, 99], [.97, 2.18, 10, 1, 6]]
assert late.ranks.tolist() == [4] and round(read) == 39
assert round(new.covered(back).mean(), 2) == .97
assert not {q.document for q in first} & {q.document for q in second}

# %% after 5a1d0041
assert conformal_quantile(ten, .2) == 5 and sorted(ten)[7] == 3                # 1
assert conformal_rank(99, .01) == 99 and conformal_rank(98, .01) == 99         # 2
