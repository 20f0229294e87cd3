"A model behind an address: order, retries, keys and errors, with a real server on this machine."

import json, time
from threading import Lock
import pytest
from conflare_nb.models.llm import LLM
from conflare_nb.models.server import EndpointLLM, paid_replies
from local_server import message, serving


def events(reply, broken):
    "A reply as a stream, word by word; a broken one has an error in it."
    parts = [dict(choices=[dict(delta=dict(content=w + ' '))]) for w in reply.split()]
    if broken:
        parts[2] = dict(error='out of memory', error_type='generation')
    lines = [b'data: ' + json.dumps(part).encode() for part in [*parts, dict(choices=[])]]
    return b'\n\n'.join([*lines, b'data: [DONE]\n\n'])


BODIES = dict(broken=(500, b'out of memory'), unknown=(404, b'no such model'), bad=(400, b'not this one'))
BODIES = {model: (status, b'{"error": "%s"}' % says) for model, (status, says) in BODIES.items()}


class Chat:
    "An OpenAI-compatible server; the model's name says how it behaves."

    def __init__(self):
        self.lock, self.seen, self.keys, self.now, self.most = Lock(), [], [], 0, 0

    def think(self, seconds):
        "Before it replies: whoever has its reply no longer counts, however late this thread wakes up again."
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(seconds)
        with self.lock:
            self.now -= 1

    def __call__(self, http, asked):
        with self.lock:
            self.seen.append(asked)
            self.keys.append(http.headers['Authorization'])
        text, model = asked['messages'][0]['content'], asked['model']
        pauses = dict(slow=1.5, picky=0.3 if text == 'bad' else 2.5)
        pauses['echo'] = 0.02 * (1 + len(text) % 5)  # later requests may be done first
        self.think(pauses.get(model, 0))
        if model in BODIES or text in BODIES:
            return http.send(*BODIES.get(model) or BODIES[text])
        reply = f'{text} seed {asked["seed"]} T {asked["temperature"]} END of it'
        if not asked.get('stream'):
            return http.send(200, message(reply))
        http.send(200, events(reply, model == 'midway'), Content_Type='text/event-stream')


@pytest.fixture
def chat(online):
    server = Chat()
    with serving(server) as url:
        server.url = f'{url}/v1'
        yield server


def endpoint(chat, model, **kwargs):
    return EndpointLLM(model, base_url=chat.url, **{'retries': 2, 'backoff': 0.01, **kwargs})


def test_replies_keep_their_order(chat):
    prompts = [f'{"x" * (i * 7 % 11)} prompt {i}' for i in range(30)]
    m = endpoint(chat, 'echo', workers=6)
    assert isinstance(m, LLM)
    want = [[f'{p} seed {s} T 0.5' for s in (10, 11)] for p in prompts]
    ask = dict(max_new_tokens=9, temperature=0.5, n=2, seed=10, stop=[' END'])
    assert m.generate(prompts, **ask) == want
    assert 1 < chat.most <= 6
    assert {a['max_tokens'] for a in chat.seen} == {9} and chat.seen[0]['stop'] == [' END']
    chat.seen.clear()
    assert m.generate(['a'], n=3) == [['a seed 0 T 0.0 END of it'] * 3]
    assert len(chat.seen) == 1  # at temperature 0 one request is enough


def test_the_saved_token_stays_here(chat, monkeypatch):
    monkeypatch.setenv('HF_TOKEN', 'hf_secret')
    endpoint(chat, 'echo').generate(['a'])
    endpoint(chat, 'echo', api_key='mine').generate(['a'])
    assert chat.keys == ['Bearer none', 'Bearer mine']


def test_streaming_from_a_server(chat):
    pieces = list(endpoint(chat, 'echo').stream('one two', stop=[' END']))
    assert ''.join(pieces) == 'one two seed 0 T 0.0' and len(pieces) > 3
    with pytest.raises(RuntimeError, match='did not reply as /v1/chat.* does .*out of memory'):
        list(endpoint(chat, 'midway').stream('one two'))


@pytest.mark.parametrize(
    'model, kwargs, requests, message',
    [
        ('broken', {}, 3, r'answered with status 500: .*\(model broken, 3 tries\)'),
        ('unknown', {}, 1, r'answered with status 404: .*\(model unknown, 1 try\)'),
        ('slow', dict(timeout=0.3, retries=1), 2, r'gave no reply within 0.3 s \(.*, 2 tries\)'),
    ],
)
def test_what_a_server_did_wrong_is_said(chat, model, kwargs, requests, message):
    with pytest.raises(RuntimeError, match=f'^{chat.url} {message}'):
        endpoint(chat, model, **kwargs).generate(['a'])
    assert len(chat.seen) == requests


def test_after_an_error_what_is_on_its_way_is_waited_for(chat, capsys):
    "Longer than a second: the slow replies are paid for, and whoever waits is told why."
    with pytest.raises(RuntimeError, match='status 400.*not this one') as failed:
        endpoint(chat, 'picky', workers=3).generate(['bad', 'a', 'b'])
    paid = [[text[:1] for text in texts] for texts in paid_replies(failed.value, 1)]
    assert paid == [[], ['a'], ['b']]
    assert len(chat.seen) == 3
    said = capsys.readouterr().err
    assert 'status 400' in said and 'Waiting up to 60 s for 2 requests under way' in said


def test_a_server_that_is_not_there(online, monkeypatch):
    with serving(lambda *_: None) as url:
        pass  # free again
    gone = EndpointLLM('m', base_url=f'{url}/v1', retries=1, backoff=0.01)
    says = r'cannot be reached \(ConnectError\). Is the server running\? \(model m, 2 tries\)'
    for request in (lambda: gone.generate(['a', 'b']), lambda: list(gone.stream('a'))):
        with pytest.raises(RuntimeError, match=says):
            request()
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', True)
    with pytest.raises(RuntimeError, match='HF_HUB_OFFLINE forbids every request'):
        gone.generate(['a'])
