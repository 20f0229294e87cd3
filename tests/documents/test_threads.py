"Threads that ask while another one writes through the same handle: every answer is that of a state that existed, and no handle is left broken."

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
import pytest, stress
from conflare_nb import Hybrid, KnowledgeBase, Question, calibrate, rank_questions
from conflare_nb.answers.quotes import QuoteScore, labelled_pools
from conflare_nb.traq.sampling import AnswerSampler, Sampling
from conflare_nb.documents import bm25
from conflare_nb.documents.bm25 import word_index
from conflare_nb.retrieval.gate import nearest_distances
from conflare_nb.retrieval.risk_control import score_relevant
from letters import Letters, doc
from sampling_worker import Parrot
from knowledge import make_kb

DOCS = [doc(f'{i}.md', *(f'text {j} of number {i}' for j in range(4))) for i in range(6)]


@pytest.fixture(params=[2e9, 0], ids=['memory', 'disk'])
def kb(request, tmp_path):
    return make_kb(tmp_path, DOCS, memory_budget=request.param)


@pytest.mark.parametrize('memory', [2e9, 0], ids=['memory', 'disk'])
def test_sixteen_that_ask_and_one_that_writes(memory):
    seen = stress.races(1, memory)
    assert set(seen) == {'rounds', 'threads', 'broken handles', 'of a state', 'refused'}
    assert seen["broken handles"] == 0 and seen["refused"] and seen["of a state"] > 30


def asked(kb):  # the documents of what is found
    return Hybrid(pool=3).rank(kb, 'text of number 5')['document'].to_pylist()


@pytest.mark.parametrize('ask', [asked, word_index])
def test_words_begun_before_a_write_are_not_kept_for_what_came_after(kb, monkeypatch, ask):
    begun, written = Event(), Event()
    count = bm25.index_words

    def slowly(texts):
        index = count(texts)
        begun.set()
        written.wait(20)
        return index

    monkeypatch.setattr(bm25, 'index_words', slowly)
    with ThreadPoolExecutor(1) as pool:
        early = pool.submit(ask, kb)
        begun.wait(20)
        kb.delete('4.md', '5.md')
        written.set()
        found = early.result()  # of the state in which it was asked
        assert '5.md' in found if ask is asked else len(found) == 24
    assert len(word_index(kb)) == len(kb) == 16 and '5.md' not in asked(kb)


def test_a_snapshot_stays_and_cannot_be_written_to(kb):
    held = kb.snapshot()
    texts, found, print_ = held.texts(), Hybrid().rank(held, 'number 3'), held.fingerprint()
    kb.delete('3.md')
    kb.add([doc('new.md', 'something new')], progress=False)
    assert (held.texts(), held.fingerprint()) == (texts, print_) and held.snapshot() is held
    assert Hybrid().rank(held, 'number 3').equals(found) and held.documents() != kb.documents()
    assert len(held.read_closely([chunk.id for chunk in texts])) == 24
    for write in (lambda: held.add(DOCS), lambda: held.delete('1.md')):
        with pytest.raises(ValueError, match='a snapshot cannot change: write to the knowledge'):
            write()
    with pytest.raises(ValueError, match='cannot be modified'):
        held._state.table.delete('true')


def test_parts_are_of_the_state_in_which_they_were_begun(kb):
    parts = kb.parts(['id'], 5)
    first = next(parts)
    kb.delete('2.md', '3.md')
    ids = [*first['id'].to_pylist(), *(i for part in parts for i in part['id'].to_pylist())]
    assert len(ids) == 24 and '3.md#0003' in ids


def test_several_threads_write_through_one_handle_one_after_the_other(kb):
    ready = Barrier(6)

    def write(i):
        ready.wait()
        kb.add([doc(f'more {i}.md', f'more {i}')], progress=False)
        kb.delete(f'{i}.md')

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    assert kb.documents() == [f'more {i}.md' for i in range(6)]
    assert KnowledgeBase.open(kb.path, Letters()).fingerprint() == kb.fingerprint()


def once(write):  # a function that does it at its first call
    left = [write]
    return lambda: left and left.pop()()


QUESTIONS = [Question(f'q{i}', f'number {i}', f'text 1 of number {i}') for i in range(6)]
QUIET = dict(progress=False)


def calibrated(kb):
    cal = calibrate(kb, QUESTIONS, **QUIET)
    return cal.scores.tolist(), cal.fingerprint


MEASURED = {  # what is measured, in plain values
    'calibrate': calibrated,
    'rank_questions': lambda kb: rank_questions(kb, QUESTIONS, **QUIET).scores.tolist(),
    'labelled_pools': lambda kb: [(l, p.scores.tolist()) for p, l in labelled_pools(kb, QUESTIONS, **QUIET)],
    'score_relevant': lambda kb: [row.tolist() for row in score_relevant(kb, QUESTIONS, **QUIET).relevant],
    'pool_of': lambda kb: QuoteScore().pool_of(kb, 'number 5').scores.tolist(),
    'nearest_distances': lambda kb: nearest_distances(kb, ['number 5', 'text 5']).tolist(),
}


@pytest.mark.parametrize('measure', MEASURED.values(), ids=MEASURED)
def test_what_is_measured_while_somebody_writes_is_of_one_state(kb, measure):
    before = measure(kb)
    kb.embedder.said = once(lambda: kb.delete('5.md'))  # when the questions are embedded
    assert measure(kb) == before and '5.md' not in kb.documents()
    assert measure(kb) != before


def test_a_sampler_stays_at_the_state_in_which_it_was_made(kb):
    sampler = AnswerSampler(kb, Parrot(), Sampling(k=2, pool=2))
    settings, pool = sampler.settings(), [chunk.id for chunk in sampler.pool('number 5')]
    kb.delete('5.md')
    assert sampler.settings() == settings
    assert [chunk.id for chunk in sampler.pool('number 5')] == pool
