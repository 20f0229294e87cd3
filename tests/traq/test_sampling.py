"Sampled answers: killed at any moment, in any batches, from the package's file and live; calibrated, asked, shown."

import math, random, re, shutil, signal, time
from collections import Counter
from dataclasses import replace
from zlib import crc32
import numpy as np, pytest
from conflare_nb import AnswerSetRAG, Distance, Document, Hybrid, KnowledgeBase, Question, Rank
from conflare_nb import beta_band, calibrate_answers, sample_questions
from conflare_nb.conformal.two_steps import Rule
from conflare_nb.documents.reading import Section
from conflare_nb.models.local import TransformersLLM
from conflare_nb.traq.sampling import AnswerSampler, Sampling, answer_prompt, answer_rows, sampled_questions
from conflare_nb.documents.store import hits_of
from conflare_nb.traq.sets import TraqCalibration, answer_set, samples_used
from conflare_nb.models.server import EndpointLLM
from local_server import Flaky, killed, serving
from sampling_worker import Parrot
from nightly import by_day_or_night
from hostile import INTO_TABLES as HOSTILE

inf, HOW = math.inf, Sampling(k=7, pool=3)


@pytest.fixture(scope='module')
def asked(few):
    return [q for q in sample_questions() if q.document in few.documents()][:12]


def texts(questions):
    return [[p.answers.texts for p in q.pool] for q in questions]


def sampled_by(sampler, questions, **kw):
    return sampled_questions(sampler, questions, progress=False, **kw)


def draws(kb, questions, llm=None, how=HOW, **kwargs):
    return texts(sampled_by(AnswerSampler(kb, llm or Parrot(), how, **kwargs), questions))


def recorded(kb):
    return [(r['key'], r['draw'], r['text']) for r in answer_rows(kb).read()]


def copy(kb, folder):
    return KnowledgeBase.open(shutil.copytree(kb.path, folder), kb.embedder)


KILLS = by_day_or_night(2, 6)


@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='nothing is killed this way here')
def test_killed_at_random_it_pays_for_no_recorded_draw_twice(few, asked, mine, tmp_path, begin):
    chance, log, kills = random.Random(0), tmp_path / 'paid.txt', 0
    log.touch()
    chunks = {r['id']: r for r in few.texts()}

    def paid():
        return [tuple(map(int, line.split('\t'))) for line in log.read_text().splitlines()]

    def key(row):
        return crc32(answer_prompt(row['question'], chunks[row['chunk']]).encode())

    def known():
        return [(key(row), row['draw']) for row in answer_rows(mine).read()]

    def start():
        return begin('sampling_worker.sample', mine.path, asked, HOW, log)

    for _ in range(KILLS):
        before, done = set(known()), len(paid())
        process, until = start(), done + 7 * chance.randrange(5) + 1
        while process.is_alive() and len(paid()) < until:
            time.sleep(0.001)
        time.sleep(chance.random() * 0.02)
        kills += killed(process)
        assert not before & set(paid()[done:])  # what was recorded was not drawn again
        assert before <= set(known()) <= set(paid()) and len(known()) == len(set(known()))
    process, before, done = start(), set(known()), len(paid())
    process.join(60)
    assert kills >= KILLS / 2  # a busy machine may let one run end before it is killed
    assert process.exitcode == 0
    assert not before & set(paid()[done:])
    assert len(paid()) - len(known()) <= KILLS * 4 * HOW.k  # a killed batch at most
    whole = copy(few, tmp_path / 'whole')
    assert draws(mine, asked) == draws(whole, asked, batch=1)
    assert sorted(recorded(mine)) == sorted(recorded(whole))


@pytest.mark.parametrize('retries', [8, 0])
def test_a_server_that_fails_often_gives_the_same_samples(few, asked, mine, tmp_path, online, retries):
    "With repetitions at once, and without any in as many runs as it takes; no draw is asked for again once it is recorded."
    faults = ('busy', 'cut') if retries else ('busy', 'cut', 'none')
    server, stops, found = Flaky(Parrot()._reply, faults), 0, None

    def kept():
        return {(key, draw) for key, draw, _ in recorded(mine)}

    with serving(server) as url:
        how = dict(context_window=10**6, retries=retries, backoff=0.001)
        llm = EndpointLLM('parrot', base_url=f'{url}/v1', **how)
        while found is None:
            before, done = kept(), len(server.paid)
            try:
                found = draws(mine, asked[:3], llm)
            except RuntimeError:
                stops += 1
                lost = len(server.paid) - done - len(kept() - before)
                assert before <= kept() and stops < 500
                assert lost < 3 * HOW.k  # what came behind the first failure of a pair
    assert found == draws(copy(few, tmp_path / 'well'), asked[:3])
    assert (stops > 5) == (retries == 0)
    assert len(recorded(mine)) == len(kept())
    if retries:
        assert len(server.paid) == len(set(server.paid)) == len(kept())


@pytest.mark.parametrize('batch, steps', [(1, [7]), (5, [1, 2, 6, 7]), (100, [3, 7])])
def test_draws_do_not_depend_on_batches_order_and_steps(few, asked, mine, tmp_path, batch, steps):
    pairs = [(q.text, c) for q in asked[:5] for c in hits_of(mine.search(q.text, 3))]
    straight = AnswerSampler(copy(few, tmp_path / 'straight'), Parrot(), HOW).draw(pairs)
    sampler = AnswerSampler(mine, Parrot(), HOW, batch)
    random.Random(batch).shuffle(order := list(range(len(pairs))))
    for upto in steps:
        last = sampler.draw([pairs[i] for i in order], upto)
    assert last == [straight[i] for i in order] and sampler.llm.calls == 7 * len(pairs)
    twice = AnswerSampler(copy(few, tmp_path / 'twice'), Parrot(), HOW)
    assert twice.draw(pairs[:1] * 2) == straight[:1] * 2 and twice.llm.calls == 7
    again = AnswerSampler(mine, Parrot(), HOW)
    assert again.draw(pairs) == straight and again.llm.calls == 0
    more = AnswerSampler(mine, Parrot(), replace(HOW, k=9)).draw(pairs)
    assert more[0][:7] == straight[0]  # K is no part of a draw's identity


def test_gold_outside_the_pool_is_sampled_and_out_of_reach(mine, asked):
    one = replace(HOW, pool=1)
    sampled = sampled_by(AnswerSampler(mine, Parrot(), one), asked)
    assert {len(q.pool) for q in sampled} == {1, 2}
    for q in sampled:
        gold = q.pool[q.gold]
        assert q.gold == len(q.pool) - 1 and len(gold.answers.texts) == 7
        assert (gold.score == inf) == (len(q.pool) == 2)
    nowhere = [Question('x', 'Why?', 'words that stand nowhere')]
    (lost,) = sampled_by(AnswerSampler(mine, Parrot(), HOW), nowhere)
    assert lost.gold is None and len(lost.pool) == 3


@pytest.mark.parametrize('score', [Hybrid(), Distance(), Rank(pool=4), Hybrid(words=0.5, pool=7)])
def test_the_pool_is_the_best_by_the_score_which_a_saved_calibration_names(mine, asked, score, tmp_path):
    sampler = AnswerSampler(mine, Parrot(), HOW, score=score)
    for q in asked[:4]:
        best = score.rank(mine, q.text, 3)
        pairs = zip(best['id'].to_pylist(), best['score'].to_pylist())
        assert [(c.id, c.score) for c in sampler.pool(q.text)] == list(pairs)
    sampled = sampled_by(sampler, asked)
    made = calibrate_answers(sampled, settings=sampler.settings())
    cal = TraqCalibration.load(made.save(tmp_path / 'cal.json'))
    rag = AnswerSetRAG(mine, Parrot(), cal, 0.9)
    assert rag.sampler.score == score and rag.sampler.settings() == cal.settings
    got, full = rag.ask(asked[0].text), answer_set(sampled[0], cal, rag.rule)
    assert (got.found.asked, got.found.skipped) == (full.asked, full.skipped)
    other = Distance() if score != Distance() else Hybrid()
    with pytest.raises(ValueError, match='score'):
        AnswerSetRAG(mine, Parrot(), cal, 0.9, score=other)


NAMED = ['Hybrid()', '__import__("os").system("x")', 3, None, ['hybrid'], dict(name='os')]
NAMED += [dict(name='hybrid', words=-1), dict(name='hybrid', T=0)]


def test_a_score_in_a_file_is_data(mine, asked):
    sampler = AnswerSampler(mine, Parrot(), HOW)
    sampled = sampled_by(sampler, asked[:3])
    for named in NAMED:
        cal = calibrate_answers(sampled, settings={**sampler.settings(), 'score': named})
        with pytest.raises(ValueError):
            AnswerSetRAG(mine, Parrot(), cal, 0.9)


@pytest.fixture(scope='module')
def smollm():
    return TransformersLLM('smollm2', device='cpu', dtype='float32', batch_rows=80)


@pytest.fixture(scope='module')
def cached(kb, smollm, tmp_path_factory):  # (sampler, the file's header, sampled questions); to be read, not changed
    sampler = AnswerSampler(copy(kb, tmp_path_factory.mktemp('cached') / 'kb'), smollm)
    head = sampler.load()
    chosen = [q for q in sample_questions() if q.id in set(head['questions'])]
    return sampler, head, sampled_by(sampler, chosen)


def test_a_small_live_run_makes_the_rows_of_the_file(cached, kb, tmp_path):
    sampler, _, sampled = cached
    pairs = [(q.text, c) for q in (sampled[3], sampled[-3]) for c in sampler.pool(q.text)[:2]]
    live = AnswerSampler(copy(kb, tmp_path / 'live'), sampler.llm)
    assert live.draw(pairs) == sampler.draw(pairs)
    one = AnswerSampler(copy(kb, tmp_path / 'other'), sampler.llm, batch=1)
    for upto in (5, 10):  # one pair at a time, in two steps
        assert one.draw(pairs[:1], upto) == [t[:upto] for t in live.draw(pairs[:1])]


def test_calibrate_save_load_ask(cached, tmp_path):
    sampler, _, sampled = cached
    order = np.random.default_rng(0).permutation(len(sampled))
    first, second = [sampled[i] for i in order[:70]], [sampled[i] for i in order[70:]]
    made = calibrate_answers(first, settings=sampler.settings())
    cal = TraqCalibration.load(made.save(tmp_path / 'cal.json'))
    rag = AnswerSetRAG(sampler.kb, sampler.llm, cal, rule=Rule('ranks', cal.n, 0.7, 0.4))
    covered, drawn = [], Counter()
    for q in second:
        got, full = rag.ask(q.text), answer_set(q, cal, rag.rule)
        used = samples_used(q, cal, rag.rule, rag.step)
        assert (got.drawn, got.fixed) == (used['stopped'], used['fixed'])
        assert (got.found.asked, got.found.skipped) == (full.asked, full.skipped)
        kept = sum(len(a.texts) for a in got.found.answers)
        assert sum(got.left_out.values()) <= got.drawn - kept  # or stays under another passage
        assert abs(len(got) - len(full)) <= 1  # a link that was not drawn
        covered.append(got.found.covers(q.references))
        drawn.update(used)
    assert drawn['stopped'] <= drawn['gated'] < drawn['fixed']
    assert np.mean(covered) >= beta_band(cal.n, 0.7, 0.99)[0] - 3 * math.sqrt(0.24 / len(second))
    far = AnswerSetRAG(sampler.kb, sampler.llm, cal, alpha=0.05).ask(second[0].text)
    assert 'Nothing is promised: the true set is everything' in far._repr_html_()
    assert far.found.unbounded and not far.found.promise


class Sure(Parrot):
    def _reply(self, prompt, seed):
        usual = random.Random(f'{seed} {prompt}').random() < 0.8
        return super()._reply(prompt, 0 if usual else seed)


def test_sampling_stops_where_nothing_can_change_and_goes_on_where_it_stopped(few, mine, asked, tmp_path):
    how = Sampling(k=10, pool=4)
    ids, sizes = tuple(map(str, range(20))), -np.repeat([10, 9, 8, 6, 4], 4)
    settings = AnswerSampler(mine, Sure(), how).settings()
    cal = TraqCalibration(ids, np.linspace(0.2, 0.9, 20), sizes, 10, settings)
    saved, whole = 0, copy(few, tmp_path / 'whole')
    for q in asked:
        one = AnswerSetRAG(mine, Sure(), cal, 0.5, step=1).ask(q.text)
        all_at_once = AnswerSetRAG(whole, Sure(), cal, 0.5, step=10).ask(q.text)
        told = lambda s: ([set(a.passages) for a in s.answers], {a.leaders[0] for a in s.answers}, s.asked)
        assert told(one.found) == told(all_at_once.found)
        assert all_at_once.drawn == 10 * len(one.found.asked) and one.fixed == 40
        saved += all_at_once.drawn - one.drawn
    assert saved > 0 and len(answer_rows(mine)) == len(answer_rows(whole)) - saved
    later = AnswerSampler(mine, Sure(), how)
    pairs = [(q.text, c) for q in asked for c in later.pool(q.text)]
    assert later.draw(pairs) == AnswerSampler(whole, Sure(), how).draw(pairs)
    assert sorted(recorded(mine)) == sorted(recorded(whole))


class Hostile(Parrot):
    name = HOSTILE[0]

    def _reply(self, prompt, seed):
        return HOSTILE[seed % len(HOSTILE)] + '\ud800'


def test_texts_are_data(embedder, tmp_path):
    sections = [Section(t[:30], f'{t} It is kept for {i} days.') for i, t in enumerate(HOSTILE)]
    docs = [Document(f'{i}.md', t[:20], (s,)) for i, (t, s) in enumerate(zip(HOSTILE, sections))]
    kb = KnowledgeBase.create(tmp_path / 'kb', docs, embedder, progress=False)
    questions = [Question(f'{i}', t, f'kept for {i} days') for i, t in enumerate(HOSTILE)]
    sampler = AnswerSampler(kb, Hostile(), replace(HOW, k=6))
    sampled = sampled_by(sampler, questions)
    assert draws(kb, questions, Parrot(), replace(HOW, k=6)) != texts(sampled)
    assert AnswerSampler(kb, Hostile(), replace(HOW, k=6)).known == sampler.known
    cal = calibrate_answers(sampled, settings=sampler.settings())
    for alpha in (0.3, 0.9):
        got = AnswerSetRAG(kb, Hostile(), cal, alpha).ask(HOSTILE[1])
        tags = set(re.findall(r'<\s*(\w+)', got._repr_html_()))
        assert tags <= set('p b table thead tbody tr th td details summary ul li small'.split())
        assert not re.search(r'<[^>]*\bon\w+=', got._repr_html_())
