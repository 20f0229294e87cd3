"Questions written by a model behind an address that is slow and fails often: killed and resumed, nothing is paid for twice."

import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import pytest
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.question_store import kept_questions, question_rows
from conflare_nb.labels.writing import generate_questions, question_prompt
from labeling_worker import by_server
from model_prompts import question_on
from local_server import Flaky, killed, serving
from nightly import by_day_or_night

pytestmark = pytest.mark.usefixtures('online')
WORKERS = 4  # of every run


def reply(prompt, seed):
    return question_on(prompt, lambda sentence: 'I cannot help with that.')


def written(kb):
    return question_rows(kb).read("origin = 'generated'")


def keys_of(kb):
    return {row['key'] for row in written(kb)}


def write(kb, url, n=40, retries=9, **settings):
    return generate_questions(kb, by_server(url, retries=retries), n, progress=False, **settings)


TURNS = by_day_or_night(2, 4)


@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='no SIGKILL here')
def test_two_runs_at_once_killed_in_turn_pay_a_bad_server_once(copy, begin):
    "Slow, and failing at three requests in ten: what was written down is asked for by no run again, only what a kill caught on its way."
    kb, kills, seen = copy('two'), 0, []
    titles = {t['id']: t['title'] for t in kb.texts()}
    server = Flaky(reply, ('busy', 'cut', 'later'), pause=0.03)
    with serving(server) as url:
        runs = [begin('labeling_worker.write_by_server', kb.path, url, 40, 16) for _ in range(2)]
        for turn in range(TURNS):
            kills += killed(runs[turn % 2], server, 10)
            known = {question_prompt(titles[row['chunk']], row['sentence']) for row in written(kb)}
            seen.append((known, len(server.asked)))
            runs[turn % 2] = begin('labeling_worker.write_by_server', kb.path, url, 40, 16)
        for run in runs:
            run.join(120)
        assert [run.exitcode for run in runs] == [0, 0] and kills >= TURNS - 1
        end = write(kb, url)
    for known, before in seen:
        assert known and not known & {prompt for prompt, _ in server.asked[before:]}
    times = Counter(server.paid)
    assert len(server.asked) > len(server.paid)
    assert sum(times.values()) - len(times) <= WORKERS * kills
    assert len(keys_of(kb)) == len(times)
    with serving(Flaky(reply, ('well',))) as url:
        calm = write(copy('calm'), url)
    assert (end.questions, end.counts, end.calls) == (calm.questions, calm.counts, 0)
    assert {q.id for q in kept_questions(kb)} == {q.id for q in calm.questions}


@pytest.mark.parametrize('seeds', [(0, 0), (0, 1)])
def test_two_runs_at_once_ask_every_prompt_once(copy, seeds):
    "In the same order, and in another one."
    kb, server = copy('two'), Flaky(reply, ('well',), pause=0.01)
    together = Barrier(2)

    def run(seed):
        mine = KnowledgeBase.open(kb.path, kb.embedder)
        together.wait()
        return write(mine, url, seed=seed)

    with serving(server) as url, ThreadPoolExecutor(2) as pool:
        made = list(pool.map(run, seeds))
    assert len(server.asked) == len(set(server.asked)) == len(keys_of(kb))
    assert sum(one.calls for one in made) == len(server.asked)
    if seeds == (0, 0):
        assert made[0].questions == made[1].questions and made[0].counts == made[1].counts


def test_a_run_of_a_server_keeps_each_reply_as_it_comes(small):
    "Of one batch, while a reply is still on its way, the others are written down."

    class Slow(Flaky):
        def __call__(self, http, asked):
            if len(self.asked) == 9:
                self.rows = len(keys_of(small))
            super().__call__(http, asked)

    server = Slow(reply, ('well',))
    with serving(server) as url:
        write(small, url, 10, batch=16)
    assert server.rows >= 9 - WORKERS


def test_a_failing_server_is_paid_once_in_as_many_runs_as_it_takes(small):
    "Nothing is repeated within a run, so that each of them ends at its first failure; what others replied meanwhile is kept."
    stops, made = 0, None
    server = Flaky(reply, ('busy', 'cut', 'none'))
    with serving(server) as url:
        while made is None:
            try:
                made = write(small, url, 12, retries=0)
            except RuntimeError:
                stops += 1
            assert stops < 200
    assert stops >= 2 and len(made.questions) == 12
    assert len(server.paid) == len(set(server.paid)) == len(keys_of(small))
