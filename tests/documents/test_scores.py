"Every score: the theorem's own value, the same numbers on every way, ties, and corpora that are odd."

import json, os, subprocess, sys
from dataclasses import replace
import numpy as np, pyarrow as pa, pytest
from conflare_nb import Distance, Document, Hybrid, LateHybrid, Margin, Rank, Softmax
from conflare_nb import answering_chunks, conformal_quantile, conformal_rank, rank_questions
from conflare_nb.documents.bm25 import word_index
from conflare_nb.documents.reading import Section
from conflare_nb.documents.score import minus_log_share
from knowledge import make_kb, reopened

KINDS = (Distance, Rank, Margin)
SCORES = [kind(pool=pool) for kind in KINDS for pool in (None, 20)]
SCORES += [kind(pool=pool) for kind in (Softmax, Hybrid, LateHybrid) for pool in (50, None)]
each_score = pytest.mark.parametrize('score', SCORES, ids=str)


@pytest.fixture(scope='module')
def asked(questions):
    return questions[::3]


@pytest.fixture(scope='module')
def answering(kb, asked):
    return answering_chunks(kb, asked)


def question_scores(score, kb, asked, answering):
    "The smallest score among the chunks that answer; inf where the pool holds none."
    out = []
    for q, ids in zip(asked, answering):
        rows = score.rank(kb, q.text)
        found = [s for i, s in zip(rows['id'].to_pylist(), rows['score'].to_pylist()) if i in ids]
        out.append(min(found, default=np.inf))
    return np.array(out)


@pytest.mark.parametrize('budget', [2e9, 0], ids=['in memory', 'on disk'])
@each_score
def test_the_theorems_own_value(score, budget, kb, asked, answering):
    "Coverage over 1,000 splits is k/(n+1) with ties broken at random, and no less with them."
    kb = reopened(kb, memory_budget=budget)
    assert kb.in_memory == (budget > 0)
    raw = question_scores(score, kb, asked, answering)
    rng, n, alpha = np.random.default_rng(0), len(asked) // 2, 0.1
    assert np.isinf(raw).mean() < 0.05
    covered = {'raw': [], 'broken': []}
    for _ in range(1000):
        order = rng.permutation(len(raw))
        pairs = np.stack([raw, rng.random(len(raw))])
        broken = np.unique(pairs, axis=1, return_inverse=True)[1].astype(float)  # no two alike
        for name, s in (('raw', raw), ('broken', broken)):
            q = conformal_quantile(s[order[:n]], alpha)
            covered[name].append(np.mean(s[order[n:]] <= q))
    exact = conformal_rank(n, alpha) / (n + 1)
    error = np.std(covered['broken']) / np.sqrt(1000)
    assert abs(np.mean(covered['broken']) - exact) < 3 * error
    assert np.mean(covered['raw']) > exact - 3 * error


@each_score
def test_the_same_again_reopened_and_on_disk(score, kb, asked):
    others = [kb, reopened(kb), reopened(kb, memory_budget=0)]
    assert [o.in_memory for o in others] == [True, True, False]
    for q in asked[:12]:
        first, *more = [score.rank(o, q.text).select(['id', 'score', 'distance']) for o in others]
        assert all(m.equals(first) for m in more)
        s = first['score'].to_numpy()
        assert (s >= 0).all() and (np.diff(s) >= 0).all()


@each_score
def test_in_a_batch_as_alone(score, kb, asked):
    batch = rank_questions(kb, asked[:5], progress=False, score=score)
    for q, scores in zip(asked, batch.chunk_scores):
        alone = score.rank(kb, q.text)
        assert scores[: alone.num_rows].tolist() == alone['score'].to_pylist()
        for depth in (1, 7) if score.by_distance else ():
            assert score.rank(kb, q.text, depth).equals(alone[:depth])


WITH_THREADS = '''
import json, sys
import numpy as np
from threadpoolctl import threadpool_limits
from conflare_nb.documents.bm25 import word_index
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.documents.stored import stored_score
path, vectors, threads, asked, scores = json.loads(sys.argv[1])
said = []
with threadpool_limits(threads):
    for budget, most in ((2e9, 10**6), (0, 10**6), (0, 10)):
        kb = KnowledgeBase.open(path, memory_budget=budget)
        words = word_index(kb, most=most)
        for question, vector in zip(asked, np.load(vectors)):
            said.append([words.ask(question).best(50).tolist(), words.ask(question).shares(range(40)).tolist()])
            for score in map(stored_score, scores):
                rows = score.rank(kb, question, vector=vector)
                said.append([rows['id'].to_pylist(), rows['score'].to_pylist()])
print(json.dumps(said))
'''


def test_one_thread_and_two_say_the_same(kb, asked, tmp_path):
    "In memory, with the vectors on disk, and with the words there as well."
    texts = [q.text for q in asked[:6]]
    np.save(tmp_path / 'vectors.npy', kb.embedder.embed_queries(texts, False))
    word_index(reopened(kb), most=10)
    kinds = 'OMP_NUM', 'OPENBLAS_NUM', 'MKL_NUM', 'RAYON_NUM', 'LANCE_CPU', 'LANCE_IO'
    settings = [s.fingerprint() for s in SCORES]
    said = []
    for threads in (1, 2):
        env = os.environ | {f'{kind}_THREADS': f'{threads}' for kind in kinds}
        ask = json.dumps([kb.path, f'{tmp_path}/vectors.npy', threads, texts, settings])
        run = [sys.executable, '-c', WITH_THREADS, ask]
        r = subprocess.run(run, env=env, capture_output=True, text=True)
        assert r.returncode == 0, r.stderr
        said.append(json.loads(r.stdout.splitlines()[-1]))
    assert said[0] == said[1] and len(said[0]) == 3 * 6 * (len(SCORES) + 1)


@each_score
def test_within_is_the_beginning_of_the_ranking(score, kb, asked):
    rows = score.rank(kb, asked[0].text)
    for at in (0, 3, rows.num_rows - 1):
        bound = rows['score'][at].as_py()
        ties = int((rows['score'].to_numpy() <= bound).sum())
        assert score.within(kb, asked[0].text, bound)['id'].equals(rows['id'][:ties])
    assert score.within(kb, asked[0].text, np.inf).num_rows == rows.num_rows
    with pytest.raises(ValueError, match='NaN'):
        score.within(kb, asked[0].text, np.nan)
    with pytest.raises(ValueError, match='pool counts chunks, 1 or more'):
        replace(score, pool=0)


def made(tmp_path, embedder, texts, name='kb'):
    documents = [Document(f'{i:03d}.md', '', (Section('', t),)) for i, t in enumerate(texts)]
    return make_kb(tmp_path / name, documents, embedder)


TEXTS = [
    'The pool opens at seven.', 'Dogs must be kept on a lead.', 'Покупайте билеты в кассе.',
    '每天一次。睡前服用。', 'Tickets are sold at the gate.',
]  # fmt: skip


@each_score
def test_questions_of_no_known_word_one_chunk_and_none(score, tmp_path, embedder):
    one = made(tmp_path, embedder, TEXTS[:1])
    few = made(tmp_path, embedder, [*TEXTS, '.', '\u200b x', 'word ' * 600], 'few')
    for question in ('When does the pool open?', 'Xyzzy', '?', '睡前', 'x' * 3000):
        assert score.rank(one, question).num_rows == 1
        rows = score.rank(few, question)
        assert rows.num_rows == len(few) and np.isfinite(rows['score'].to_numpy()).all()
    one.delete(*one.documents())
    for empty in (one, reopened(one), reopened(one, memory_budget=0)):
        rows = score.rank(empty, 'When does the pool open?')
        assert rows.num_rows == 0 and 'score' in rows.column_names
        assert score.within(empty, 'When?', np.inf).num_rows == 0


ASKED = 'When does the pool open?'


def test_every_chunk_twice_halves_the_shares(tmp_path, embedder):
    "Both copies score alike, stand in the order of ids, and have log 2 more than the one had."
    copies = made(tmp_path, embedder, [text for text in TEXTS for _ in 'ab'], 'twice')
    both = made(tmp_path, embedder, TEXTS), copies
    one, two = (Softmax(pool=None, keep_first=False).rank(kb, ASKED) for kb in both)
    twice = two['score'].to_numpy()
    np.testing.assert_allclose(twice[::2], one['score'].to_numpy() + np.log(2))
    np.testing.assert_allclose(twice[1::2], twice[::2])
    assert two['id'].to_pylist()[::2] < two['id'].to_pylist()[1::2]
    for score in (Softmax(pool=None), Hybrid(pool=None)):
        kept = score.rank(copies, ASKED)['score'].to_pylist()
        assert kept[0] == 0 < kept[1]  # of equals the first alone is kept


def test_the_best_scores_0_wherever_it_stands():
    scores = minus_log_share(np.array([1.0, 3.0, 2.0]), 1.0, keep_first=True)
    assert scores[1] == 0 and np.argsort(scores).tolist() == [1, 2, 0] and (scores >= 0).all()
    shares = np.exp(-minus_log_share(np.array([0.3, 0.9, 0.1]), 0.05, False))
    assert shares.sum() == pytest.approx(1) and minus_log_share(np.array([]), 0.05, True).size == 0
    assert minus_log_share(np.array([1e4, 0.0]), 1e-3, False)[1] == pytest.approx(1e7)


def test_words_add_to_similarity_by_their_weight():
    "Two chunks equally far: the one with the words is worth `words` more, and its share follows."
    rows = pa.table(dict(distance=[0.4, 0.4, 0.1], words=[0.0, 1.0, 0.5]))
    score = Hybrid(words=0.2)
    assert score.merits('?', rows) == pytest.approx([0.6, 0.8, 1.0])
    first, second, _ = Hybrid(words=0.2, T=0.1, keep_first=False).formula('?', rows)
    assert first - second == pytest.approx(0.2 / 0.1)


def test_words_reach_what_is_far(tmp_path, embedder):
    days = [f'The pool is cleaned on day {i}.' for i in range(20)]
    kb, asked = made(tmp_path, embedder, [*TEXTS, *days, 'Xyzzy quux.']), 'Where is the pool? xyzzy'
    far = kb.search(asked, len(kb))['id'].to_pylist()[:3]
    rows = Hybrid(pool=3).rank(kb, asked)
    assert '025.md#0000' in {*rows['id'].to_pylist()} - {*far}
    assert rows['words'].to_numpy().max() == 1.0
