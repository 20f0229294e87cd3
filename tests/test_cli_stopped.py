"Ctrl-C, and replies that break off: an end at once, one line, and what was paid for is kept."

import json, signal, subprocess, sys
from contextlib import suppress
from threading import Event, Lock
import pytest
from command import ENV, conflare_here, done, errors, with_questions
from local_server import serving

ONLINE = {key: value for key, value in ENV.items() if key != 'HF_HUB_OFFLINE'}
SENTENCES = ['The red pen keeps for 28 days in a warm room.', 'The blue pen keeps for 30 days in the fridge.']
SENTENCES += ['A new needle is screwed on before every single use.', 'Used needles go into the yellow box at once.']


@pytest.fixture
def here(tmp_path):  # documents and questions, calibrated by their answers
    papers = {f'{i}.md': f'# Leaflet {i}\n\n{text}\n' for i, text in enumerate(SENTENCES)}
    asked = {f'How long does pen {i} keep?': '28 days' for i in range(9)}
    return with_questions(tmp_path, papers, asked)


class Stuck:
    "Answers some requests, then says nothing any more; `stuck` is set when somebody waits."

    def __init__(self, well, reply='No.', status=200):
        self.well, self.reply, self.status = well, reply, status
        self.seen, self.stuck, self.go, self.lock = 0, Event(), Event(), Lock()

    def __call__(self, http, asked):
        with self.lock:
            self.seen += 1
            count = self.seen
        if count <= self.well:
            reply = dict(choices=[dict(message=dict(content=self.reply))])
            return http.send(200, json.dumps(reply).encode())
        self.stuck.set()
        if self.status != 200:
            return http.send(self.status, b'busy', Retry_After='100')
        if asked['stream']:
            http.wfile.write(b'HTTP/1.1 200 OK\r\n\r\n: wait\n\n')
        self.go.wait(60)


def stopped(server, *args):
    "What a command says after Ctrl-C while it waits for a server; well below the minute that a reply may take."

    def listen():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background

    with serving(server) as url:
        command = [sys.executable, '-m', 'conflare_nb', *map(str, args), '--llm', f'{url}/v1#m']
        pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process = subprocess.Popen(command, env=ONLINE, preexec_fn=listen, **pipes)
        try:
            assert server.stuck.wait(200), process.poll()
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.5)  # the client is in its read, or in its pause
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=15)
        finally:
            process.kill()
            server.go.set()
    assert process.returncode == 130 and 'Traceback' not in err, err
    assert err.splitlines()[-1] == 'stopped'
    return out


def rows(here, table):
    import lancedb

    store = lancedb.connect(str(here / 'docs' / '.conflare'))
    return store.open_table(table).to_arrow().to_pylist()


on_windows = pytest.mark.skipif(sys.platform == 'win32', reason='signals differ')
pytestmark = [pytest.mark.slow, on_windows]


@pytest.mark.parametrize('status', [200, pytest.param(503, marks=pytest.mark.nightly)])
def test_a_stopped_judge_keeps_its_verdicts(here, status, monkeypatch):
    judged = [here / 'docs', '--questions', here / 'q.jsonl', '--judge', 'yesno']
    stopped(Stuck(5, status=status), 'calibrate', *judged)
    assert len(rows(here, 'labels')) == 5
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)
    with serving(well := Stuck(10**6)) as url:
        conflare_here('calibrate', *judged, '--llm', f'{url}/v1#m')
    # none of the five was asked for again
    assert well.seen == 9 * len(SENTENCES) - 5 == len(rows(here, 'labels')) - 5


QUESTION = 'Question: How long does the red pen keep in a room that is warm?\nAnswer: 28 days'
RED = 'How long does the red pen keep?'


def test_stopped_writing_keeps_what_was_written(here):
    stopped(Stuck(2, QUESTION), 'questions', here / 'docs', '-n', 3, '--out', here / 'made.csv')
    assert len(rows(here, 'questions')) == 2


def test_a_stopped_answer(here):
    done('calibrate', here / 'docs', '--questions', here / 'q.jsonl')
    out = stopped(Stuck(0), 'ask', RED, here / 'docs', '--context-window', 4096)
    assert '28 days' in out  # the quotes are there


def test_half_an_answer_is_an_error(here, monkeypatch):
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)
    done('calibrate', here / 'docs', '--questions', here / 'q.jsonl')
    for body in (
        b'',
        b'data: {"choices": [{"delta": {"content": "It keeps"}}]}\n\n',
        b'data: {"choices":[]}\n\n',
        b'{"choices": [{"message": {"content": "28 days"}}]}',
    ):
        with serving(lambda http, asked: http.send(200, body)) as url:
            secret = url.replace('://', '://me:my-pass-word@')
            asked = ('ask', RED, here / 'docs', '--context-window', 4096)
            r = conflare_here(*asked, '--llm', f'{secret}/v1#m')
        (line,) = errors(r)
        assert r.returncode == 2 and line.startswith(f'error: {url}/v1 ') and 'not whole' in line
        assert 'It keeps' not in r.stdout.replace(SENTENCES[0], '')
        assert 'my-pass-word' not in r.stdout + r.stderr


def test_a_password_is_stored_nowhere(here, monkeypatch):
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)
    with serving(Stuck(10**6, QUESTION)) as url:
        llm = url.replace('://', '://me:my-pass-word@') + '/v1?key=my-other-key#m'
        done('questions', here / 'docs', '-n', 1, '--out', here / 'made.csv', '--llm', llm)
        r = conflare_here('calibrate', here / 'docs', '--questions', here / 'q.jsonl', '--judge', 'yesno', '--llm', llm)
    kept = b''.join(path.read_bytes() for path in (here / 'docs').rglob('*') if path.is_file())
    assert f'"{url}/v1#m"'.encode() in kept, r.stderr
    for secret in ('my-pass-word', 'my-other-key'):
        assert secret.encode() not in kept and secret not in r.stdout + r.stderr
