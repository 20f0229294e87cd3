"Every score: the theorem's own value, the same numbers on every way, ties, and corpora that are odd."
from dataclasses import replace
import numpy as np, pytest
from conflare_nb.calibration.judges import answering_chunks
from conflare_nb.conformal.threshold import conformal_quantile, conformal_rank
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.scores.hybrid import Hybrid
from conflare_nb.scores.score import Distance, Margin, Rank, Softmax, minus_log_share

pytest_plugins = ['kb_fixtures']
SCORES = [Distance(), Distance(pool=20), Rank(), Rank(pool=20), Margin(), Margin(pool=20), Softmax(), Softmax(pool=None), Hybrid(), Hybrid(pool=None)]
each_score = pytest.mark.parametrize('score', SCORES, ids=str)

@pytest.fixture(scope='module')
def asked(questions): return questions[::3]

@pytest.fixture(scope='module')
def answering(kb, asked): return answering_chunks(kb, asked)

def question_scores(score, kb, asked, answering):
    "The smallest score among the chunks that answer; inf where the pool holds none."
    out = []
    for q, ids in zip(asked, answering):
        rows = score.rank(kb, q.text)
        found = [s for i, s in zip(rows['id'].to_pylist(), rows['score'].to_pylist()) if i in ids]
        out.append(min(found, default=np.inf))
    return np.array(out)

@pytest.mark.slow
@each_score
def test_the_theorems_own_value(score, kb, asked, answering):
    "Coverage over 1,000 splits is k/(n+1) with ties broken at random, and no less with them."
    raw, rng, n, alpha = question_scores(score, kb, asked, answering), np.random.default_rng(0), len(asked)//2, .1
    assert np.isinf(raw).mean() < .05
    covered = {'raw': [], 'broken': []}
    for _ in range(1000):
        order = rng.permutation(len(raw))
        broken = np.unique(np.stack([raw, rng.random(len(raw))]), axis=1, return_inverse=True)[1].astype(float)      # ranks: no two alike
        for name, s in (('raw', raw), ('broken', broken)):
            q = conformal_quantile(s[order[:n]], alpha)
            covered[name].append(np.mean(s[order[n:]] <= q))
    exact = conformal_rank(n, alpha)/(n+1)
    error = np.std(covered['broken'])/np.sqrt(1000)
    assert abs(np.mean(covered['broken'])-exact) < 3*error and np.mean(covered['raw']) > exact-3*error

@each_score
def test_the_same_again_reopened_and_on_disk(score, kb, asked):
    others = [kb, KnowledgeBase.open(kb.path, kb.embedder), KnowledgeBase.open(kb.path, kb.embedder, memory_budget=0)]
    assert [o.in_memory for o in others] == [True, True, False]
    for q in asked[:12]:
        first, *more = [score.rank(o, q.text).select(['id', 'score', 'distance']) for o in others]
        assert all(m.equals(first) for m in more)
        s = first['score'].to_numpy()
        assert (s >= 0).all() and (np.diff(s) >= 0).all()

@each_score
def test_within_is_the_beginning_of_the_ranking(score, kb, asked):
    rows = score.rank(kb, asked[0].text)
    for at in (0, 3, rows.num_rows-1):
        bound = rows['score'][at].as_py()
        ties = int((rows['score'].to_numpy() <= bound).sum())
        assert score.within(kb, asked[0].text, bound)['id'].to_pylist() == rows['id'].to_pylist()[:ties]
    assert score.within(kb, asked[0].text, np.inf).num_rows == rows.num_rows
    with pytest.raises(ValueError, match='NaN'): score.within(kb, asked[0].text, np.nan)

@each_score
def test_its_name_and_settings_tell_it_from_all_others(score):
    assert [s for s in SCORES if s.fingerprint() == score.fingerprint()] == [score]
    assert score.fingerprint()['name'] == type(score).__name__.lower() and replace(score) == score

# --- odd corpora

def made(tmp_path, embedder, texts, name='kb'):
    documents = [Document(f'{i:03d}.md', '', (Section('', t),)) for i, t in enumerate(texts)]
    return KnowledgeBase.create(tmp_path/name, documents, embedder, progress=False)

TEXTS = ['The pool opens at seven.', 'Dogs must be kept on a lead.', 'Покупайте билеты в кассе.', '每天一次。睡前服用。', 'Tickets are sold at the gate.']

@each_score
def test_one_chunk_and_questions_of_no_known_word(score, tmp_path, embedder):
    one = made(tmp_path, embedder, TEXTS[:1])
    few = made(tmp_path, embedder, TEXTS, 'few')
    for question in ('When does the pool open?', 'Xyzzy', '?', '睡前', 'билеты'):
        assert score.rank(one, question).num_rows == 1
        rows = score.rank(few, question)
        assert rows.num_rows == len(TEXTS) and np.isfinite(rows['score'].to_numpy()).all()

def test_every_chunk_twice_halves_the_shares(tmp_path, embedder):
    "Both copies score alike, stand in the order of ids, and have log 2 more than the one had."
    once, twice = made(tmp_path, embedder, TEXTS), made(tmp_path, embedder, [t for t in TEXTS for _ in 'ab'], 'twice')
    score = Softmax(pool=None, keep_first=False)
    one, two = score.rank(once, 'When does the pool open?'), score.rank(twice, 'When does the pool open?')
    np.testing.assert_allclose(two['score'].to_numpy()[::2], one['score'].to_numpy()+np.log(2))
    np.testing.assert_allclose(two['score'].to_numpy()[1::2], two['score'].to_numpy()[::2])
    assert two['id'].to_pylist()[::2] < two['id'].to_pylist()[1::2]
    kept = Softmax(pool=None).rank(twice, 'When does the pool open?')
    assert kept['score'][0].as_py() == 0. and kept['score'][1].as_py() > 0       # of equals the first alone is kept

def test_words_reach_what_is_far(tmp_path, embedder):
    kb = made(tmp_path, embedder, [*TEXTS, *(f'The pool is cleaned on day {i}.' for i in range(20)), 'Xyzzy quux.'])
    far = kb.search('Where is the pool? xyzzy', len(kb))['id'].to_pylist()[:3]
    rows = Hybrid(pool=3).rank(kb, 'Where is the pool? xyzzy')
    assert '025.md#0000' in rows['id'].to_pylist() and '025.md#0000' not in far and rows['words'].to_numpy().max() == 1.

def test_adding_and_deleting_leaves_the_scores(mine, questions):
    before = [Hybrid().rank(mine, q.text) for q in questions[:5]]
    mine.add([Document('zz.md', 'New', (Section('', 'Something else entirely.'),))], progress=False)
    mine.delete('zz.md')
    assert all(Hybrid().rank(mine, q.text).equals(b) for q, b in zip(questions, before))

def test_shares_add_up_and_senseless_settings_are_refused():
    assert np.exp(-minus_log_share(np.array([.3, .9, .1]), .05, False)).sum() == pytest.approx(1)
    assert minus_log_share(np.array([]), .05, True).size == 0 and minus_log_share(np.array([1e4, 0.]), 1e-3, False)[1] == pytest.approx(1e7)
    for make, match in ((lambda: Softmax(T=0), 'T must be above 0'), (lambda: Hybrid(T=-1), 'got -1'), (lambda: Hybrid(words=-.1), 'cannot be negative')):
        with pytest.raises(ValueError, match=match): make()

@each_score
def test_a_pool_holds_something(score, kb):
    with pytest.raises(ValueError, match='at least 1; got 0'): replace(score, pool=0).rank(kb, 'x')
