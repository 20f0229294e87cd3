"A model behind an address: order, retries, keys and errors, with a real server on this machine."

import json, time
from threading import Lock
import pytest
from conflare_nb.models.llm import LLM
from conflare_nb.models.local import TransformersLLM, smollm2_dir
from conflare_nb.models.server import EndpointLLM, paid_replies
from local_server import serving


class Chat:
    "An OpenAI-compatible server; the model's name says how it behaves."

    def __init__(self):
        self.lock, self.seen, self.keys, self.now, self.most = Lock(), [], [], 0, 0

    def __call__(self, http, asked):
        with self.lock:
            self.seen.append(asked)
            self.keys.append(http.headers['Authorization'])
            count = len(self.seen)
        self.reply(http, asked, count)

    def think(self, seconds):
        "Before it replies: whoever has its reply no longer counts, however late this thread wakes up again."
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(seconds)
        with self.lock:
            self.now -= 1

    def reply(self, http, asked, count):
        text, model = asked['messages'][0]['content'], asked['model']
        if model == 'busy' and count < 3:
            return http.send(429, b'{"error": "too many requests"}')
        if model == 'broken':
            return http.send(500, b'{"error": "out of memory"}')
        if model == 'unknown':
            return http.send(404, b'{"error": "no such model"}')
        if model == 'page':
            return http.send(200, b'<html>hello</html>')
        if model == 'empty':
            return http.send(200, b'{"choices": []}')
        if model == 'slow':
            time.sleep(1.5)
        if model == 'picky':
            time.sleep(0.3 if text == 'bad' else 2.5)
        if text == 'bad':
            return http.send(400, b'{"error": "not this one"}')
        if model == 'echo':
            self.think(0.02 * (1 + len(text) % 5))  # later requests may be done first
        reply = f'{text} seed {asked["seed"]} T {asked["temperature"]} END of it'
        if not asked.get('stream'):
            return http.send(
                200,
                json.dumps(
                    {'choices': [{'message': {'role': 'assistant', 'content': reply}}]}
                ).encode(),
            )
        events = [{'choices': [{'delta': {'content': w + ' '}}]} for w in reply.split()] + [
            {'choices': []}
        ]
        if model == 'midway':
            events[2] = {'error': 'out of memory', 'error_type': 'generation'}
        http.send(
            200,
            b''.join(b'data: ' + json.dumps(e).encode() + b'\n\n' for e in events)
            + b'data: [DONE]\n\n',
            Content_Type='text/event-stream',
        )


@pytest.fixture
def chat(monkeypatch):
    monkeypatch.setattr(
        'huggingface_hub.constants.HF_HUB_OFFLINE', False
    )  # the server is on this machine
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
    assert m.generate(prompts, max_new_tokens=9, temperature=0.5, n=2, seed=10, stop=[' END']) == [
        [f'{p} seed {s} T 0.5' for s in (10, 11)] for p in prompts
    ]
    assert 1 < chat.most <= 6
    assert {a['max_tokens'] for a in chat.seen} == {9} and chat.seen[0]['stop'] == [' END']
    chat.seen.clear()
    assert (
        m.generate(['a'], n=3) == [['a seed 0 T 0.0 END of it'] * 3] and len(chat.seen) == 1
    )  # at temperature 0 one request is enough


def test_the_saved_token_stays_here(chat, monkeypatch):
    monkeypatch.setenv('HF_TOKEN', 'hf_secret')
    endpoint(chat, 'echo').generate(['a'])
    endpoint(chat, 'echo', api_key='mine').generate(['a'])
    assert chat.keys == ['Bearer none', 'Bearer mine']


def test_streaming_from_a_server(chat):
    pieces = list(endpoint(chat, 'echo').stream('one two', stop=[' END']))
    assert ''.join(pieces) == 'one two seed 0 T 0.0' and len(pieces) > 3
    with pytest.raises(
        RuntimeError, match='did not reply as /v1/chat/completions does .*out of memory'
    ):
        list(endpoint(chat, 'midway').stream('one two'))


def test_a_busy_server_is_asked_again(chat):
    assert endpoint(chat, 'busy').generate(['a'])[0][0].startswith('a seed 0')
    assert len(chat.seen) == 3


@pytest.mark.parametrize(
    'model, kwargs, requests, message',
    [
        ('broken', {}, 3, r'answered with status 500: .*\(model broken, 3 tries\)'),
        ('unknown', {}, 1, r'answered with status 404: .*\(model unknown, 1 try\)'),
        (
            'slow',
            dict(timeout=0.3, retries=1),
            2,
            r'gave no reply within 0.3 s \(model slow, 2 tries\)',
        ),
        ('page', {}, 1, r'did not reply as /v1/chat/completions does'),
        ('empty', {}, 1, r'did not reply as /v1/chat/completions does'),
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
    assert [[text[:1] for text in texts] for texts in paid_replies(failed.value)] == [
        [],
        ['a'],
        ['b'],
    ]
    assert len(chat.seen) == 3
    said = capsys.readouterr().err
    assert 'status 400' in said and 'Waiting up to 60 s for 2 replies under way' in said


def test_a_server_that_is_not_there(monkeypatch):
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)
    with serving(lambda *_: None) as url:
        pass  # free again
    gone = EndpointLLM('m', base_url=f'{url}/v1', retries=1, backoff=0.01)
    for request in (lambda: gone.generate(['a', 'b']), lambda: list(gone.stream('a'))):
        with pytest.raises(
            RuntimeError,
            match=r'cannot be reached \(ConnectError\). Is the server running\? \(model m, 2 tries\)',
        ):
            request()
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', True)
    with pytest.raises(RuntimeError, match='HF_HUB_OFFLINE forbids every request'):
        gone.generate(['a'])


def test_tokens_of_a_server_are_estimated_or_counted(llm):
    m = EndpointLLM('m', base_url='http://127.0.0.1:1/v1', context_window=100)
    assert m.count_tokens(['', 'abcd']) == [16, 18]
    with pytest.raises(
        ValueError,
        match='prompt 0 has 66 tokens and may be continued by 64: 130 do not fit .* of m, which holds 100',
    ):
        m.generate(['a' * 150])
    counted = EndpointLLM('m', base_url='http://127.0.0.1:1/v1', tokenizer=str(smollm2_dir()))
    assert counted.count_tokens(['Hello']) == TransformersLLM(chat=True).count_tokens(['Hello'])
    with pytest.raises(NotImplementedError, match='no probability of a given text'):
        m.score('a', [' b'])
