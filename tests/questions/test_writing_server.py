"Questions written by a model behind an address that is slow and fails often: killed and resumed, nothing is paid for twice."

import multiprocessing, os, re, signal, sys, time
from collections import Counter
import pytest
from conflare_nb.models.server import EndpointLLM
from conflare_nb.questions.keeping import question_rows
from conflare_nb.questions.writing import generate_questions, question_prompt
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


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='no SIGKILL here')
def test_killed_runs_pay_a_bad_server_once(copy, monkeypatch):
    "Slow, and failing at three requests in ten: of what was written down nothing is asked again, by no run."
    monkeypatch.setenv('OMP_NUM_THREADS', '1')
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(sys.path))
    context = multiprocessing.get_context('forkserver')
    context.set_forkserver_preload(['labeling_worker'])
    from labeling_worker import by_server, write_by_server as worker

    kb, kills, seen = copy('killed'), 0, []
    server, titles = (
        Flaky(reply, ('busy', 'cut', 'later'), pause=0.03),
        {t['id']: t['title'] for t in kb.texts()},
    )
    with serving(server) as url:

        def start():
            p = context.Process(target=worker, args=(kb.path, url, 40, 4))
            p.start()
            return p

        for _ in range(4):
            run, until = start(), len(server.paid) + 7
            while len(server.paid) < until and run.is_alive():
                time.sleep(0.005)
            run.kill()
            run.join()
            kills += run.exitcode == -signal.SIGKILL
            time.sleep(0.3)  # what it sent has arrived
            seen.append(
                (
                    {question_prompt(titles[row['chunk']], row['sentence']) for row in written(kb)},
                    len(server.asked),
                )
            )
        end = generate_questions(kb, by_server(url), 40, batch=4, progress=False)
        assert (
            end.calls
            and not generate_questions(kb, by_server(url), 40, batch=4, progress=False).calls
        )
    for known, before in seen:
        assert not known & {prompt for prompt, _ in server.asked[before:]}
    times = Counter(server.paid)
    assert kills >= 3 and seen[-1][0] and len(server.asked) > len(server.paid)
    assert sum(times.values()) - len(times) <= 4 * kills  # a batch, whose rows are written together
    assert len(written(kb)) == len(times) and len(end.questions) == 40
    with serving(Flaky(reply, ('well',))) as url:
        calm = generate_questions(copy('calm'), by_server(url), 40, batch=4, progress=False)
    assert (calm.questions, calm.counts) == (end.questions, end.counts)


def test_a_failing_server_is_paid_once_in_as_many_runs_as_it_takes(small):
    "Nothing is repeated within a run, so that each of them ends at its first failure; what others replied meanwhile is kept."
    stops, made = 0, None
    server = Flaky(reply, ('busy', 'cut', 'none'))
    with serving(server) as url:
        while made is None:
            try:
                made = generate_questions(
                    small,
                    EndpointLLM('m', base_url=f'{url}/v1', workers=4, retries=0),
                    12,
                    progress=False,
                )
            except RuntimeError:
                stops += 1
            assert stops < 200
    assert (
        stops >= 2
        and len(server.paid) == len(set(server.paid)) == len(written(small))
        and len(made.questions) == 12
    )
