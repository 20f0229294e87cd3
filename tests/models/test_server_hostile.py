"A server that means no good, or is broken: half a reply is none, nobody waits for ever, and no key goes anywhere."

import json, threading, time, traceback
import pytest
from conflare_nb import CompareJudge, Question, label_questions, load_llm
from conflare_nb.labels.labeling import verdict_rows
from conflare_nb.errors import ServerError
from conflare_nb.models.server import EndpointLLM, paid_replies, shown_address
from local_server import message, serving


pytestmark = pytest.mark.usefixtures('online')  # the server is on this machine


def event(content, **more):
    data = json.dumps(dict(choices=[dict(delta=dict(content=content), **more)]))
    return f'data: {data}\n\n'.encode()


DONE = b'data: [DONE]\n\n'


def asked_of(url, **settings):
    return EndpointLLM('m', base_url=f'{url}/v1', **{'retries': 2, 'backoff': 0.01, **settings})


def replying(body, status=200, **headers):
    return lambda http, asked: http.send(status, body, **headers)


def generate(llm):
    return llm.generate(['a'])


def stream(llm):
    return list(llm.stream('a'))


def refused(body, ask, says, **settings):
    "What a server with this body is refused for; it is asked once."
    seen = []

    def answer(http, asked):
        seen.append(asked)
        http.send(200, body)

    with serving(answer) as url, pytest.raises(ServerError) as caught:
        ask(asked_of(url, **settings))
    said = str(caught.value)
    assert says in said and said.startswith(url) and len(seen) == 1, said


ENDLESS = [event('It keeps') + rest for rest in (b'', b'data: {"choices": [', b'data: [DONE')]
ENDLESS += [b'', b'\n\n', b'data: {"choices":[]}\n\n', b': still here\n\n', b'event: done\n\n']
ENDLESS += [message('28 days'), b'<html>28 days</html>']


@pytest.mark.parametrize('body', ENDLESS)
def test_a_stream_without_an_end_is_no_answer(body):
    says = r'ends without a finish reason or \[DONE\]|JSONDecodeError'
    with serving(replying(body)) as url, pytest.raises(ServerError, match=says):
        stream(asked_of(url))


@pytest.mark.parametrize(
    'body, says',
    [
        (b'data: {"choices":[]}\n\n' + DONE, 'no choice in it'),
        (DONE, 'no choice in it'),
        (event('a', finish_reason='abort') + DONE, 'broken off: abort'),
        (event('a', finish_reason=5) + DONE, 'finish reason is no text but int'),
        (event({'text': 'a'}) + DONE, 'no text but dict'),
        (b'data: {"choices": {"0": 1}}\n\n' + DONE, 'KeyError'),
        (b'data: {"choices": [{"delta": "a"}]}\n\n' + DONE, 'AttributeError'),
        (b'data: [1]\n\n' + DONE, 'a JSON object was expected; got list'),
        (b'data: {"a": Infinity}\n\n' + DONE, 'no number in JSON'),
        (b'data: ' + b'[' * 100_000 + b'\n\n', 'nested too deeply'),
        (b'data: "\xff"\n\n' + DONE, 'UnicodeDecodeError'),
        (event('a') + b'data: {"error": {"message": "out of memory"}}\n\n' + DONE, 'out of memory'),
        (b'data: {"n": ' + b'9' * 5000 + b'}\n\n' + DONE, 'ValueError'),
    ],
)
def test_every_event_of_a_stream_is_checked(body, says):
    refused(body, stream, says)


def test_whole_streams_are_answers():
    usage = b'data: {"choices": [], "usage": {"total_tokens": 5}}\n\n'
    role = b'data: {"choices": [{"delta": {"role": "assistant", "content": null}}]}\r\n\r\n'
    last = b'data: {"choices": [{"delta": {}, "finish_reason": "length"}]}\n\n'
    for body in (
        role + event('28 ') + event('days') + usage + DONE,
        event('28 days', finish_reason='stop'),
        role + event('28 days') + last,
        b': ping\n\nevent: x\n' + event('28 days', logprobs=None) + DONE.strip(),
    ):
        with serving(replying(body)) as url:
            assert ''.join(stream(asked_of(url))) == '28 days'
    with serving(replying(last + DONE)) as url:
        assert stream(asked_of(url)) == []  # nothing was said, and that is whole


@pytest.mark.parametrize(
    'body, says',
    [
        (b'', 'JSONDecodeError'),
        (b'{"choices": []}', 'no choice in it'),
        (b'{}', "KeyError: 'choices'"),
        (message(None), 'no text but NoneType'),
        (b'{"choices": [null]}', 'AttributeError'),
        (b'{"choices": [{}]}', "KeyError: 'message'"),
        (message('Yes', finish_reason='error'), 'broken off: error'),
        (message('Yes')[:-5], 'JSONDecodeError'),
        (b'{"error": "no memory"}', 'no memory'),
        (event('Yes') + DONE, 'JSONDecodeError'),
    ],
)
def test_every_part_of_a_reply_is_checked(body, says):
    refused(body, generate, says)


def test_a_reply_that_is_cut_is_asked_for_again():
    seen = []

    def answer(http, asked):
        seen.append(asked)
        body = message('28 days')
        if len(seen) < 3:
            http.send_response(200)
            http.send_header('Content-Length', str(len(body)))
            http.end_headers()
            http.wfile.write(body[:20])
            return
        http.send(200, body)

    with serving(answer) as url:
        assert generate(asked_of(url)) == [['28 days']]
    assert len(seen) == 3


QUESTIONS = [Question('q', 'How long?', '28 days')]


def test_nothing_half_passes(mine):
    half = message('It keeps 28', finish_reason='abort')
    with serving(replying(half)) as url, pytest.raises(ServerError, match='broken off'):
        label_questions(mine, QUESTIONS, CompareJudge(asked_of(url)), progress=False)
    assert verdict_rows(mine).read() == []
    with serving(replying(b'{"choices": [{"message": {"content": "28 \\ud800 days"}}]}')) as url:
        assert generate(asked_of(url)) == [['28 ? days']]


def test_a_reply_of_any_size_is_not_read():
    refused(b' ' * 2_000_000, generate, 'exceeds 356,000 bytes')
    refused(message('x' * 5_000), generate, 'more than 3,048 characters for 64 tokens')
    refused(b': x\n' * 500_000 + DONE, stream, 'exceeds 1,124,000 bytes')
    refused(event('x' * 5_000) * 3 + DONE, stream, 'more than 9,192 characters for 256 tokens')


def drip(http, begun):
    "Say something every tenth of a second, for as long as anybody listens, for 20 seconds at most."
    http.wfile.write(begun)
    for _ in range(200):
        time.sleep(0.1)
        http.wfile.write(event('x') if b'200 OK\r\n\r\n' in begun else b'X')
        http.wfile.flush()


STARTS = ['', '200 OK\r\nX-Slow: ', '200 OK\r\n\r\n', '500 Sorry\r\n\r\n']


@pytest.mark.parametrize('ask', [generate, stream])
@pytest.mark.parametrize('first', STARTS)
def test_a_byte_now_and_then_is_no_reply(first, ask):
    begun, says = f'HTTP/1.1 {first}'.encode(), r'whole reply within 0.6 s \(model m, 1 try\)'
    with serving(lambda http, asked: drip(http, begun)) as url:
        with pytest.raises(ServerError, match=says):
            ask(asked_of(url, deadline=0.6, timeout=30))


class Busy:
    "Says when to come back, once."

    def __init__(self, wait, status=429):
        self.wait, self.status, self.times = wait, status, []

    def __call__(self, http, asked):
        self.times.append(time.time())
        if len(self.times) == 1:
            return http.send(self.status, b'later', Retry_After=self.wait)
        http.send(200, message('ok'))


NO_TIMES = ['0', '-5', 'nan', 'soon', 'Fri, 31 Dec 9999 23:59:59 GMT', '1e9', '\xc2\xb2']


@pytest.mark.parametrize('wait, least', [('1', 1), *((wait, 0) for wait in NO_TIMES)])
@pytest.mark.parametrize('status', [429, 503])
def test_who_asks_for_patience_gets_it(wait, least, status):
    server = Busy(wait, status)
    with serving(server) as url:
        assert generate(asked_of(url)) == [['ok']]
    first, second = server.times
    assert second - first >= least  # never sooner


@pytest.mark.parametrize('wait', ['3600', '9' * 400])
def test_no_more_patience_than_the_deadline(wait):
    server = Busy(wait)
    says = r'status 429 \(try again after: .*\(model m, 1 try\)'
    with serving(server) as url, pytest.raises(ServerError, match=says):
        generate(asked_of(url, deadline=30))
    assert len(server.times) == 1


def test_what_waits_in_threads_is_left_behind():
    "A stop ends the call, after `timeout` also while it waits for a server, at once between two tries; what came is handed over."
    gate, seen = threading.Event(), []

    def answer(http, asked):
        text = asked['messages'][0]['content']
        seen.append(text)
        if text == 'wrong':
            return http.send(404, b'')
        if text == 'never':
            gate.wait(30)
        http.send(503 if text == 'busy' else 200, message(f'{text} {asked["seed"]}'))

    with serving(answer) as url:
        llm = asked_of(url, retries=3, backoff=60, workers=5, timeout=2)
        with pytest.raises(ServerError, match='status 404') as caught:
            llm.generate(['good', 'wrong', 'never', 'busy', 'fine'], temperature=0.5, n=2)
        gate.set()
    assert paid_replies(caught.value, 2)[:4] == [['good 0', 'good 1'], [], [], []]
    assert paid_replies(ValueError(), 2) == [] and seen.count('busy') <= 2


KEY, PASSWORD = 'sk-abcdef-123456', 'my-pass-word'


@pytest.mark.parametrize('status', [301, 302, 303, 307, 308])
@pytest.mark.parametrize('ask', [generate, stream])
def test_nothing_travels_to_another_address(status, ask):
    elsewhere = []

    def thief(http, asked):
        elsewhere.append(http.headers)
        http.send(200, message('stolen'))

    with serving(thief) as other:
        to = f'{other}/v1/chat/completions?{KEY}'
        for place, points in ((to, "points to '127.0.0.1'"), ('http://[bad', 'points to')):
            with serving(replying(b'', status, Location=place)) as url:
                with pytest.raises(ServerError, match=f'with status {status} and {points}') as e:
                    ask(asked_of(url, api_key=KEY))
                assert KEY not in str(e.value)
    assert elsewhere == []


def heard(url, ask=generate, **settings):
    "All that can be seen of an error."
    with pytest.raises(ServerError) as caught:
        ask(load_llm(f'{url}/v1?token={PASSWORD}x#m', **{'retries': 0, **settings}))
    return ''.join(traceback.format_exception(caught.value)) + repr(caught.value)


@pytest.mark.parametrize('ask', [generate, stream])
def test_a_key_that_is_echoed_is_not_shown(ask):
    def echo(http, asked):
        said = json.dumps(dict(error=f'{http.path} {http.headers["Authorization"]} {KEY}'))
        http.send(200 if ask is stream else 401, f'data: {said}\n'.encode())

    with serving(echo) as url:
        with_password = url.replace('://', f'://me:{PASSWORD}@')
        for address in (url, with_password):
            assert '***' in (said := heard(address, ask, api_key=KEY))
            assert KEY not in said
            assert PASSWORD not in said
    assert PASSWORD not in heard(with_password) and 'cannot be reached' in heard(with_password)


def test_a_password_opens_the_server_and_is_not_shown():
    seen = []

    def answer(http, asked):
        seen.append((http.headers['Authorization'], http.path))
        http.send(200, message('ok'))

    with serving(answer) as url:
        address = url.replace('://', f'://me:{PASSWORD}@')
        llm = EndpointLLM('m', base_url=f'{address}/v1?a=b')
        assert generate(llm) == [['ok']] and llm.base_url == f'{url}/v1'
        generate(EndpointLLM('m', base_url=address, api_key=f'{KEY}\n'))
    keys, paths = zip(*seen)
    assert keys == ('Basic bWU6bXktcGFzcy13b3Jk', f'Bearer {KEY}')
    assert paths == ('/v1/chat/completions?a=b', '/v1/chat/completions')
    with pytest.raises(ValueError, match='a server is named with its model') as caught:
        load_llm(f'http://me:{PASSWORD}@host/v1?key={KEY}')
    assert PASSWORD not in str(caught.value) and KEY not in str(caught.value)
    shown = shown_address(f'http://me:{PASSWORD}@host:80/v1?key={KEY}#m')
    assert (shown, shown_address('a/b')) == ('http://host:80/v1#m', 'a/b')


def test_a_key_in_a_reply_is_neither_shown_nor_kept(mine):
    def answer(http, asked):
        said = f'28 days {http.headers["Authorization"]} and no more'
        if not asked['stream']:
            return http.send(200, message(said))
        http.send(200, b''.join(event(c) for c in said) + DONE)

    with serving(answer) as url:
        llm = asked_of(url, api_key=KEY)
        assert generate(llm) == [['28 days Bearer *** and no more']]
        assert ''.join(pieces := stream(llm)) == '28 days Bearer *** and no more'
        assert len(pieces) > 5
        label_questions(mine, QUESTIONS, CompareJudge(llm), progress=False)
    rows = verdict_rows(mine).read()
    assert rows and KEY not in str(rows) and '***' in str(rows)


def test_an_error_page_does_not_steer_a_terminal():
    def angry(http, asked):
        http.send(401, 'no \x1b[31mkey\x1b]0;title\x07 \u202e here'.encode())

    with serving(angry) as url:
        with pytest.raises(ServerError) as wrong:
            EndpointLLM('m', f'{url}/v1').generate(['Hello'], 4)
    assert 'status 401' in str(wrong.value) and str(wrong.value).isprintable()
