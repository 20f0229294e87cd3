"Questions written by a model behind an address that is slow and fails often: killed and resumed, nothing is paid for twice."

import multiprocessing, os, re, signal, sys, time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import pytest
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.models.server import EndpointLLM
from conflare_nb.labels.question_store import kept_questions, question_rows
from conflare_nb.labels.writing import generate_questions, question_prompt
from local_server import Flaky, serving

pytest_plugins = ['kb_fixtures']


@pytest.fixture(autouse=True)
def online(monkeypatch):
    monkeypatch.setattr(
        'huggingface_hub.constants.HF_HUB_OFFLINE', False
    )  # the server is on this machine


def reply(prompt, seed):
    "A question on each sentence, by rule, or none."
    title, sentence = re.findall(r'Topic: (.*)\nSentence: (.*)\n', prompt)[-1]
    words = re.findall(r'\w+', sentence)
    if len(words) % 3 == 0:
        return 'I cannot help with that.'
    return f'Question: What should people on {title} know about {words[0]} and {max(words[:-2], key=len)}?\nAnswer: {" ".join(words[-2:])}'


def written(kb):
    return question_rows(kb).read("origin = 'generated'")


def keys_of(kb):
    return {row['key'] for row in written(kb)}


@pytest.fixture
def start(monkeypatch):  # a run in a process of its own
    monkeypatch.setenv('OMP_NUM_THREADS', '1')
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(sys.path))
    context = multiprocessing.get_context('forkserver')
    context.set_forkserver_preload(['labeling_worker'])
    from labeling_worker import write_by_server

    def start(*args):
        process = context.Process(target=write_by_server, args=args)
        process.start()
        return process

    return start


def killed(run, server, more):
    "Kill a run after so many more replies; whether there was a run to kill."
    until = len(server.paid) + more
    while len(server.paid) < until and run.is_alive():
        time.sleep(0.005)
    run.kill()
    run.join()
    time.sleep(0.3)  # what it sent has arrived
    return run.exitcode == -signal.SIGKILL


KILLS = pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='no SIGKILL here')
WORKERS = 4  # of every run


def calm(kb, seed=0):
    "What a run makes that nothing stops."
    from labeling_worker import by_server

    with serving(Flaky(reply, ('well',))) as url:
        made = generate_questions(kb, by_server(url), 40, seed=seed, progress=False)
    return made.questions, made.counts


@pytest.mark.slow
@KILLS
def test_killed_runs_pay_a_bad_server_once(copy, start):
    "Slow, and failing at three requests in ten: a reply that was written down is asked for by no run again."
    from labeling_worker import by_server

    kb, kills, seen = copy('killed'), 0, []
    titles = {t['id']: t['title'] for t in kb.texts()}
    server = Flaky(reply, ('busy', 'cut', 'later'), pause=0.03)
    with serving(server) as url:
        for _ in range(4):
            kills += killed(start(kb.path, url, 40, 16), server, 7)
            known = {question_prompt(titles[row['chunk']], row['sentence']) for row in written(kb)}
            seen.append((known, len(server.asked)))
        end = generate_questions(kb, by_server(url), 40, progress=False)
        again = generate_questions(kb, by_server(url), 40, progress=False)
    assert end.calls and not again.calls and again.questions == end.questions
    for known, before in seen:
        assert not known & {prompt for prompt, _ in server.asked[before:]}
    times = Counter(server.paid)
    assert kills >= 3 and seen[-1][0] and len(server.asked) > len(server.paid)
    assert sum(times.values()) - len(times) <= WORKERS * kills  # those that were on their way
    assert len(keys_of(kb)) == len(times)
    assert (end.questions, end.counts) == calm(copy('calm'))


@pytest.mark.slow
@KILLS
def test_two_runs_at_once_killed_in_turn_pay_a_bad_server_once(copy, start):
    "Two runs on one folder: only what a kill caught on its way is asked for again."
    kb, kills = copy('two'), 0
    server = Flaky(reply, ('busy', 'cut', 'later'), pause=0.03)
    with serving(server) as url:
        runs = [start(kb.path, url, 40, 16) for _ in range(2)]
        for turn in range(4):
            kills += killed(runs[turn % 2], server, 10)
            runs[turn % 2] = start(kb.path, url, 40, 16)
        for run in runs:
            run.join(120)
    times = Counter(server.paid)
    assert [run.exitcode for run in runs] == [0, 0] and kills >= 3
    assert sum(times.values()) - len(times) <= WORKERS * kills
    assert len(keys_of(kb)) == len(times)
    assert {q.id for q in kept_questions(kb)} == {q.id for q in calm(copy('calm'))[0]}


@pytest.mark.parametrize('seeds', [(0, 0), (0, 1)])
def test_two_runs_at_once_ask_every_prompt_once(copy, seeds):
    "In the same order, and in another one."
    from labeling_worker import by_server

    kb, server = copy('two'), Flaky(reply, ('well',), pause=0.01)
    together = Barrier(2)

    def write(seed):
        mine = KnowledgeBase.open(kb.path, kb.embedder)
        together.wait()
        return generate_questions(mine, by_server(url), 40, seed=seed, progress=False)

    with serving(server) as url, ThreadPoolExecutor(2) as pool:
        made = list(pool.map(write, seeds))
    assert len(server.asked) == len(set(server.asked)) == len(keys_of(kb))
    assert all(one.calls for one in made) and sum(one.calls for one in made) == len(server.asked)
    if seeds == (0, 0):
        assert made[0].questions == made[1].questions and made[0].counts == made[1].counts


def test_a_run_of_a_server_keeps_each_reply_as_it_comes(small):
    "Of one batch, while a reply is still on its way, the others are written down."
    from labeling_worker import by_server

    class Slow(Flaky):
        def __call__(self, http, asked):
            if len(self.asked) == 9:
                self.rows = len(keys_of(small))
            super().__call__(http, asked)

    server = Slow(reply, ('well',))
    with serving(server) as url:
        generate_questions(small, by_server(url), 10, batch=16, progress=False)
    assert server.rows >= 9 - WORKERS


def test_a_failing_server_is_paid_once_in_as_many_runs_as_it_takes(small):
    "Nothing is repeated within a run, so that each of them ends at its first failure; what others replied meanwhile is kept."
    stops, made = 0, None
    server = Flaky(reply, ('busy', 'cut', 'none'))
    with serving(server) as url:
        llm = EndpointLLM('m', base_url=f'{url}/v1', workers=4, retries=0)
        while made is None:
            try:
                made = generate_questions(small, llm, 12, progress=False)
            except RuntimeError:
                stops += 1
            assert stops < 200
    assert stops >= 2 and len(made.questions) == 12
    assert len(server.paid) == len(set(server.paid)) == len(keys_of(small))
