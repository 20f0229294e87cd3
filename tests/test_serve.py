"A served folder: who may ask, what may be added, and that every answer is of one state."

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
import asyncio, http.client, json, os, re, shutil, socket, time
from urllib.parse import urlsplit
import pytest
from starlette.testclient import TestClient
from conflare_nb.app.live import FolderKeeper, answer_data, state_data
from conflare_nb.app.opened import update_folder
from conflare_nb.app.folder import DocumentFolder
from conflare_nb.app.serve import folder_server
from conflare_nb.app.site import opened_text, web_app
from conflare_nb.app.web import HEADERS, receive_body
from conflare_nb.documents.reading import LIMITS, Document, Section, read_document
from conflare_nb.saving import one_at_a_time
from command import PAPERS
from served_folder import FERRY, ask_in_other_words, calibrated, serving, write_pdf
from nightly import by_day_or_night

OWN = 'http://localhost:8000'
TOKEN = 'a-token-that-nobody-guesses'
QUESTION = 'How long does an opened pen keep?'


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    docs = tmp_path_factory.mktemp('served') / 'docs'
    folder = calibrated(docs)
    write_pdf(docs / 'ferry.pdf', FERRY, 'Nothing else.')
    return folder


@pytest.fixture(scope='module')
def keeper(folder):
    return FolderKeeper(folder)


BEARER = dict(authorization=f'Bearer {TOKEN}')


def client_of(keeper):
    app = web_app(keeper, token=TOKEN)
    return TestClient(app, OWN, headers=BEARER, raise_server_exceptions=False)


@pytest.fixture(scope='module')
def client(keeper):
    return client_of(keeper)


@pytest.fixture
def changing(tmp_path):  # a folder that a test may change
    return calibrated(tmp_path / 'docs')


def ask(client, question=QUESTION, **more):
    reply = client.post('/api/ask', json=dict(question=question, **more))
    assert reply.status_code == 200, reply.text
    return reply.json()


def error(reply, status):
    assert reply.status_code == status, reply.text
    return reply.json()['error']


SITES = [
    (dict(origin=OWN), True),
    (dict(origin='http://evil.example'), False),
    (dict(origin='http://localhost:3000'), False),  # another program on this machine
    (dict(origin='null'), False),
    (dict(origin='http://['), False),
    ({'sec-fetch-site': 'same-origin'}, True),
    ({'sec-fetch-site': 'none'}, True),
    ({'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors'}, False),
    ({'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors'}, False),
    ({'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate'}, False),
]


@pytest.mark.parametrize('headers, ours', SITES)
def test_other_pages_are_refused(client, headers, ours):
    paths = '/api/state', '/api/page?document=ferry.pdf&page=1&width=90'
    requests = [partial(client.get, path) for path in paths]
    requests.append(partial(client.post, '/api/ask', json=dict(question=QUESTION)))
    requests.append(partial(client.put, '/api/files?name=.x', content=b'x'))
    found = [request(headers=headers).status_code for request in requests]
    assert found == ([200, 200, 200, 400] if ours else [403] * 4)


def test_a_link_may_lead_to_the_page_and_to_nothing_else(client):
    link = {'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate'}
    paths = '/', '/api', '/api/state'
    assert [client.get(path, headers=link).status_code for path in paths] == [200, 200, 403]
    assert client.post('/', headers=link).status_code == 403


def test_there_is_no_cors(client):
    asks = {'origin': 'http://evil.example', 'access-control-request-method': 'PUT'}
    for headers in (asks, asks | {'origin': OWN}):
        reply = client.options('/api/files', headers=headers)
        assert not [name for name in reply.headers if name.startswith('access-control')]
        assert reply.status_code in (403, 405)


def test_a_token_opens_it(keeper):
    app = web_app(keeper, token=TOKEN, cookie='c-1')

    def status(path='/', cookies={}, **headers):
        client = TestClient(app, OWN, cookies=cookies)
        return client.get(path, headers=headers).status_code

    everywhere = ('/', '/api', '/serve.js', '/api/state', '/nothing')
    assert {status(path) for path in everywhere} == {401}
    wrong = (TOKEN[:-1], f'{TOKEN}x', '', TOKEN.upper(), 'é')
    assert {status(f'/?token={token}') for token in wrong} == {401}
    assert status(f'/api/state?token={TOKEN}') == 401  # an address that is passed on holds no token
    assert status('/api/state', authorization=f'Bearer {TOKEN}') == 200
    assert status('/api/state', authorization=f'Bearer {TOKEN[:-1]}') == 401
    assert status('/api/state', {'c-1': TOKEN}) == 200
    assert status('/api/state', {'c-2': TOKEN}) == 401
    client = TestClient(app, OWN)
    given = client.get(f'/?token={TOKEN}').headers['set-cookie']
    assert given == f'c-1={TOKEN}; Path=/; HttpOnly; SameSite=Strict'
    assert client.get('/api/state').status_code == 200  # by the cookie
    assert 'set-cookie' not in TestClient(app, OWN).get('/?token=wrong').headers
    away = dict(origin='http://evil.example')
    evil = client.post('/api/ask', json=dict(question='?'), headers=away)
    assert evil.status_code == 403  # also with the cookie


def test_every_address_takes_a_token_of_its_own(folder, capsys):
    tokens = set()
    for host, name in (('0.0.0.0', socket.gethostname()), ('127.0.0.1', '127.0.0.1'), ('localhost', 'localhost')):
        _, listening, address = folder_server(folder, host, 0, None)
        listening.close()
        assert address.startswith(f'http://{name}:')
        tokens.add(address.partition('/?token=')[2])
    assert len(tokens) == 3 and min(map(len, tokens)) >= 30
    with pytest.raises(ValueError, match='a token is 16 letters'):
        folder.serve(token='secret')
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f'127.0.0.1 port {port} cannot be served at'):
            folder.serve(port=port)
    with pytest.raises(ValueError, match='a port is a number, 0 to 65535; got 70000'):
        folder.serve(port=70000)
    assert capsys.readouterr().out == ''


def test_the_printed_name_is_known_however_it_is_written(folder, monkeypatch):
    monkeypatch.setattr(socket, 'gethostname', lambda: 'Team-Mac')
    server, listening, address = folder_server(folder, '0.0.0.0', 0, TOKEN)
    listening.close()
    assert address.startswith('http://Team-Mac:')
    client = TestClient(server.config.app, headers=BEARER)

    def status(host):
        origin = f'http://{host}:8000'.lower()
        return client.get('/api', headers=dict(host=f'{host}:8000', origin=origin)).status_code

    for host in ('Team-Mac', 'team-mac', 'TEAM-MAC.', 'team-mac.local', 'Team-Mac.local.', 'LOCALHOST'):
        assert status(host) == 200, host
    for host in ('team', 'team-mac.local.example', 'local', 'team-mac.', 'team-mac..'):
        assert (status(host) == 200) == (host == 'team-mac.'), host


def test_what_the_system_refuses_is_a_sentence(changing, tmp_path):
    client = client_of(FolderKeeper(changing))
    words = dict(document='pen.md', cited_text='x', start_char_index=0)
    (changing.docs / 'pen.md').unlink()
    replies = [client.post('/api/passage', json=words)]
    assert error(replies[0], 404) == "no file 'pen.md' in this folder"
    changing.docs.rename(tmp_path / 'elsewhere')
    replies += [client.post('/api/passage', json=words | dict(document='bus.txt')), put(client, 'x.md')]
    assert error(replies[1], 404) == "no file 'bus.txt' in this folder"
    assert error(replies[2], 404) == 'this is not there any more; was the folder moved?'
    asked = dict(question='0', sentence='x')
    assert 'moved' in error(client.post('/api/confirm', json=asked), 404)
    assert not changing.docs.exists()
    (tmp_path / 'elsewhere').rename(changing.docs)
    shutil.rmtree(changing.store / 'updating')
    (changing.store / 'updating/making.lock').mkdir(parents=True)  # nobody foresaw that
    replies += [client.post('/api/confirm', json=asked)]
    assert str(tmp_path) not in error(replies[3], 500)
    for reply in replies:
        assert HEADERS.items() <= dict(reply.headers).items()


def test_a_folder_that_is_not_calibrated_is_not_served(tmp_path):
    (tmp_path / 'a.md').write_text('Text.')
    with pytest.raises(FileNotFoundError, match='is not calibrated yet. Run: conflare calibrate'):
        DocumentFolder(tmp_path).serve(port=0)


def test_every_response_has_its_headers(client):
    replies = [client.get(path) for path in ('/', '/api', '/serve.js', '/serve.css')]
    replies += [client.get('/nothing'), client.get('/api/ask')]
    replies += [client.get('/', headers=dict(host='evil.example'))]
    replies += [client.post('/api/ask', json=dict(question=' ')), client.get('/api/state')]
    replies += [client.get('/api/page?document=ferry.pdf&page=1&width=90')]
    for reply in replies:
        assert HEADERS.items() <= dict(reply.headers).items(), reply.url
    policy = HEADERS['content-security-policy']
    assert "default-src 'none'" in policy and 'unsafe' not in policy and '*' not in policy
    for page in replies[:2]:
        assert not any(inline in page.text for inline in ('<script>', 'style=', '<style'))


def test_an_answer_is_data(client, keeper):
    answer = ask(client, alpha='1/5')
    first = answer['first']
    location = first['location']
    assert '28 days' in first['text'] and location['document'] == 'pen.md'
    for one in (location, answer['listed'][0]['location']):
        assert client.post('/api/passage', json=one).json()['note'] == ''
    promise = answer['promise']
    assert promise['promised'] is False and 'a promise takes 60 questions, and there are 9' in promise['short']
    assert all(0.2 < quote['p_value'] <= 1 for quote in answer['listed'])  # p/c
    assert answer['state'] == client.get('/api/state').json()['state']
    assert answer['state']['fingerprint'] == keeper.opened.kb.fingerprint()['chunks']


def test_alpha_is_moved_among_the_stops_and_nothing_else(client, keeper):
    state = client.get('/api/state').json()
    assert (state['levels'], state['alpha'], state['unit']) == ([0.05, 0.1, 0.2], 0.1, 'sentences')
    assert ask(client)['alpha'] == 0.1
    answers = [ask(client, alpha=level) for level in state['levels']]
    for answer in answers:  # one list, of one unit, also where its threshold is infinite
        assert answer['unit'] == 'sentences' and answer['promise']['kind'] == 'moved'
        assert not {'chunks', 'explorer', 'quotes'} & answer.keys()
    assert [answer['threshold'] is None for answer in answers] == [True, True, False]
    refused = [dict(alpha=0.3), dict(alpha=0.01), dict(stops='.3'), dict(unit='passages')]
    for asked in refused:
        reply = client.post('/api/ask', json=dict(question=QUESTION, **asked))
        assert 'got' in error(reply, 400)


def test_it_is_the_answer_of_the_folder(client, keeper):
    for question in (QUESTION, 'What is the capital of Peru?'):
        quotes = keeper.opened.quotes(question, 0.2, moved=True)
        answer = ask(client, question, alpha=0.2)
        assert answer['first'] == quotes.first.to_dict()
        assert answer['listed'] == [quote.to_dict() for quote in quotes.listed]
        assert answer['warning'] == keeper.opened.unlike(question)
    assert answer['warning']


def test_enough_questions_are_promised(tmp_path):
    keeper = FolderKeeper(calibrated(tmp_path / 'docs', times=8))
    assert answer_data(keeper.opened, QUESTION, 0.1)['promise']['promised']
    state = state_data(keeper)
    assert state['missing'] == [] and state['questions'] == 72 and 66 <= state['within'] <= 72


def test_mistakes_are_told_in_a_sentence(client):
    def refused(status=400, **asked):
        return error(client.post('/api/ask', **asked), status)

    def of(**asked):
        return refused(json=asked)

    as_json = {'content-type': 'application/json'}
    assert of(question=' ') == "a question needs words; got ' '"
    assert of() == "a question needs words; got ''"
    assert of(question='x' * 2001) == 'a question has at most 2000 characters; got 2001'
    assert 'must lie strictly between 0 and 1; got 1' in of(question='Why?', alpha=1)
    assert 'alpha is a number' in of(question='Why?', alpha='many')
    assert "got 'kind'" in of(question='Why?', kind='x')
    assert "got 'question'" in of(question=['Why?'])
    assert 'half a character' in refused(content=b'{"question": "\\ud800"}', headers=as_json)
    assert 'is there twice' in refused(content=b'{"question": "a", "question": "b"}', headers=as_json)
    assert 'no number in JSON' in refused(content=b'{"alpha": NaN}', headers=as_json)
    assert 'nested' in refused(content=b'[' * 90_000, headers=as_json)
    assert 'a request is a JSON object' in refused(json=[1])
    assert 'got' in refused(415, content=b'{}', headers={'content-type': 'text/plain'})
    assert 'at most 100,000 bytes' in refused(413, content=b' ' * 100_001, headers=as_json)
    assert error(client.get('/nothing'), 404) and error(client.get('/api/ask'), 405)


def alone(coroutine):  # what it gives, in a thread without a loop: a browser's tests leave one
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def test_a_body_that_does_not_come_is_not_waited_for():
    class Slow:
        async def stream(self):
            yield b'x'
            await asyncio.Event().wait()

    with pytest.raises(Exception, match='longer than 0.01 seconds'):
        alone(receive_body(Slow(), lambda part: None, 9, seconds=0.01))


def test_what_is_described_is_what_is_there(client, keeper):
    routes = {route.path: route.methods - {'HEAD'} for route in web_app(keeper, token=TOKEN).routes}
    described = re.findall(r'<h2><code>(\w+) (\S+)</code></h2>', client.get('/api').text)
    known = {path: method for method, path in described}
    ours = {path: methods for path, methods in routes.items() if path.startswith('/api/')}
    assert {path: {method} for path, method in known.items()} == ours


def opened(client, keeper, **change):
    text = read_document(keeper.folder.docs / 'pen.md', 'pen.md').text
    words = 'Unopened pens go in the fridge'
    location = dict(document='pen.md', cited_text=words, start_char_index=text.index(words))
    return client.post('/api/passage', json=location | change)


def test_a_passage_is_marked_at_its_own_place(client, keeper):
    found = opened(client, keeper).json()
    assert found['sections'][-1]['parts'][1] == 'Unopened pens go in the fridge'
    assert found['note'] == ''
    starts = [dict(start_char_index=start) for start in (1, -30, 10**9)]
    for change in (dict(cited_text='A pen keeps.'), *starts):
        found = opened(client, keeper, **change).json()
        assert 'nothing is marked' in found['note']
        assert all(len(section['parts']) == 1 for section in found['sections'])


def test_the_second_of_two_like_passages_is_marked():
    twice = Document('a.md', 'A', (Section('S', 'Shake it. Then wait. Shake it.'),))
    found = opened_text(twice, dict(cited_text='Shake it.', start_char_index=21))
    assert found['sections'][0]['parts'] == ['Shake it. Then wait. ', 'Shake it.', '']
    two = Document('a.md', 'A', (Section('', 'One.'), Section('', 'Two.')))
    across = opened_text(two, dict(cited_text='One.\n\nTwo.', start_char_index=0))
    assert 'nothing is marked' in across['note']


def test_a_pdf_is_marked_on_its_page(client, keeper):
    text = 'The boat leaves at ten past nine from the northern pier.'
    location = dict(document='ferry.pdf', start_page_number=1, cited_text=text)
    found = opened(client, keeper, **location).json()
    assert found['page'] == 1 and found['note'] == '' and found['rectangles']
    assert all(0 <= x <= 1 for box in found['rectangles'] for x in box)
    missing = opened(client, keeper, **location | dict(start_page_number=2)).json()
    assert missing['rectangles'] == [] and 'nothing is marked' in missing['note']
    reply = client.get('/api/page', params=dict(document='ferry.pdf', page=1, width=300, version=found['version']))
    assert reply.headers['content-type'] == 'image/png' and reply.content[:4] == b'\x89PNG'
    old = dict(document='ferry.pdf', page=1, width=300, version='1-1')  # marks of another file
    assert 'has changed; open it again' in error(client.get('/api/page', params=old), 409)
    beyond = client.get('/api/page?document=ferry.pdf&page=9&width=90')
    assert 'has pages 1 to 2; got 9' in error(beyond, 400)
    ferry = 'document=ferry.pdf'
    for query in ('document=pen.md&page=1&width=90', f'{ferry}&page=1&width=9000', ferry):
        error(client.get(f'/api/page?{query}'), 400)


NO_FILES = '../secret.md', '/etc/hostname', '.conflare/calibration.json', '..', '', 'no.md', 'pen.md\0'


@pytest.mark.parametrize('name', NO_FILES)
def test_only_files_of_the_folder_are_opened(client, keeper, folder, name):
    (folder.docs.parent / 'secret.md').write_text('Secret.')
    assert 'no file' in error(opened(client, keeper, document=name), 404)
    error(client.get('/api/page', params=dict(document=name, page=1, width=90)), 404)


def test_no_link_leads_out_of_the_folder(changing, tmp_path):
    """One that was there, and one that came after the documents were read, in place of a file or of its folder."""
    docs, outside = changing.docs, tmp_path / 'outside'
    for place in (outside, docs / 'below'):
        place.mkdir()
        write_pdf(place / 'a.pdf', FERRY)
        (place / 'a.md').write_text(f'Secret of {place.name}.')
    (docs / 'out.md').symlink_to(outside / 'a.md')
    (docs / 'inside.md').symlink_to(docs / 'below/a.md')
    client = client_of(FolderKeeper(changing))

    def found(name):
        location = dict(document=name, cited_text='x', start_char_index=0)
        asked = dict(document=name, page=1, width=90)
        passage = client.post('/api/passage', json=location)
        assert 'Secret of outside' not in passage.text
        return passage.status_code, client.get('/api/page', params=asked).status_code

    names = ('out.md', 'inside.md', 'below/a.md', 'below/a.pdf')
    assert [found(name) for name in names] == [(404, 404), (200, 400), (200, 400), (200, 200)]
    (docs / 'below').rename(tmp_path / 'below')
    (docs / 'below').symlink_to(outside)
    (docs / 'pen.md').unlink()
    (docs / 'pen.md').symlink_to(outside / 'a.md')
    (docs / 'bus.txt').unlink()
    os.mkfifo(docs / 'bus.txt')
    assert {found(name) for name in (*names, 'pen.md', 'bus.txt')} == {(404, 404)}


def put(client, name, body=b'Cats need a basket.', **more):
    return client.put('/api/files', params=dict(name=name, **more), content=body)


def wait_for(found, seconds=60):
    end = time.time() + seconds
    while not (it := found()) and time.time() < end:
        time.sleep(0.05)
    assert it
    return it


@contextmanager
def live(folder):  # yields a client of an application that keeps up to date
    with client_of(FolderKeeper(folder, seconds=0.2)) as client:
        yield client


def test_an_added_file_is_taken_up(changing):
    with live(changing) as client:
        before = client.get('/api/state').json()
        assert put(client, 'cats.md').json() == dict(name='cats.md')
        wait_for(lambda: client.get('/api/state').json()['state'] != before['state'])
        answer = ask(client, 'May I bring cats?')
        assert answer['first']['text'] == 'Cats need a basket.'
        assert client.get('/api/state').json()['documents'] == before['documents'] + 1
        (changing.docs / 'cats.md').unlink()  # by somebody else
        first = before['state']['fingerprint']
        wait_for(lambda: client.get('/api/state').json()['state']['fingerprint'] == first)


def test_what_cannot_be_taken_up_is_told_and_answers_go_on(changing):
    papers = [changing.docs / name for name in PAPERS]
    with live(changing) as client:
        before = ask(client)
        for paper in papers:
            paper.rename(paper.with_name(f'.{paper.name}'))
        problem = wait_for(lambda: client.get('/api/state').json()['problem'])
        assert 'no text found' in problem and ask(client) == before
        for paper in papers:
            paper.with_name(f'.{paper.name}').rename(paper)
        wait_for(lambda: not client.get('/api/state').json()['problem'])
        assert ask(client)['listed'] == before['listed']


def test_an_answer_in_other_words_is_confirmed(changing):
    ask_in_other_words(changing)
    with live(changing) as client:
        before = client.get('/api/state').json()
        (offer,) = before['offers']
        assert (offer['question'], offer['answer']) == ('w', 'four weeks')
        asked = dict(question='w', sentence=offer['sentence'])
        for wrong in (dict(question='v'), dict(sentence='Cats.'), dict(sentence='')):
            assert 'on offer' in error(client.post('/api/confirm', json=asked | wrong), 400)
        assert client.post('/api/confirm', json=asked).json() == dict(question='w')
        wait_for(lambda: not client.get('/api/state').json()['offers'])
        after = client.get('/api/state').json()
        assert after['questions'] == before['questions'] + 1
    assert changing.asked().questions[-1].wording == offer['sentence']


def test_a_calibration_by_a_command_is_taken_up(changing):
    with live(changing) as client:
        before = client.get('/api/state').json()['state']['calibrated']
        file = changing.measured / 'calibration.json'
        file.write_text(file.read_text().replace(before, '2020-01-01T00:00:00+00:00'))
        wait_for(lambda: client.get('/api/state').json()['state']['calibrated'].startswith('2020'))


def test_a_name_that_is_taken_stays(changing):
    client = client_of(FolderKeeper(changing))
    before = (changing.docs / 'pen.md').read_bytes()
    assert 'pen.md is there already' in error(put(client, 'pen.md'), 409)
    assert (changing.docs / 'pen.md').read_bytes() == before
    assert put(client, 'pen.md', replace='yes').status_code == 200
    (kept,) = changing.store.glob('replaced/*/pen.md')
    assert kept.read_bytes() == before
    assert (changing.docs / 'pen.md').read_bytes() == b'Cats need a basket.'


def test_names_that_some_systems_take_for_one_are_one(changing):
    client = client_of(FolderKeeper(changing))
    composed, apart = 'caf\u00e9.md', 'cafe\u0301.md'
    assert put(client, 'x.Md').json() == dict(name='x.Md')
    assert put(client, apart).json() == dict(name=composed)
    for name, there in (('x.MD', 'x.Md'), ('X.MD', 'x.Md'), ('PEN.md', 'pen.md'), ('CAFE\u0301.md', composed)):
        assert error(put(client, name), 409).startswith(f'{there} is there already')
    assert put(client, 'X.md', b'Dogs.', replace='yes').json() == dict(name='x.Md')
    assert (changing.docs / 'x.Md').read_text() == 'Dogs.'
    (changing.docs / 'u\u0308.md').write_text('As a Mac names it.')
    assert 'is there already' in error(put(client, '\u00fc.md'), 409)
    before = sorted(changing.docs.iterdir())
    for name in 'CON.md/con.tar.md/Lpt1.md/nul .md/x?.md/x*.md/<b>.md/x|.md/x".md/x.md./x.md '.split('/'):
        assert 'by its plain name' in error(put(client, name), 400)
    assert sorted(changing.docs.iterdir()) == before


def test_what_is_received_lies_in_the_store_and_goes(changing, tmp_path):
    docs = changing.docs

    def halves():
        return [file for file in docs.rglob('*') if file.is_file() and b'Half of a sec' in file.read_bytes()]

    head = 'PUT /api/files?name=x.md HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999999\r\n'
    with serving(changing, token=TOKEN) as address:
        with socket.create_connection(('127.0.0.1', urlsplit(address).port)) as sent:
            sent.sendall(f'{head}authorization: Bearer {TOKEN}\r\n\r\n{"Half of a sec" * 9999}'.encode())
            (half,) = wait_for(halves)
            assert half.parent.parent == changing.store and half.parent.stat().st_mode & 0o77 == 0
        wait_for(lambda: not half.parent.exists())
    left = changing.store / 'received-x/x.md', docs / f'.conflare-{"0f" * 8}'  # by a kill
    for again in (lambda: update_folder(changing, purge=True), lambda: client_of(FolderKeeper(changing)).__enter__()):
        left[0].parent.mkdir()
        for file in left:
            file.write_bytes(b'Half of a sec')
        again()
        assert not any(path.exists() for path in (left[0].parent, *left))


def test_a_store_on_another_disk_takes_files(tmp_path):
    docs = tmp_path / 'docs'
    other = Path('/dev/shm')
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip('there is no other disk')
    with TemporaryDirectory(dir=other) as store:
        folder = calibrated(docs, store=store)
        client = client_of(FolderKeeper(folder))
        for replace in ('no', 'yes'):
            assert put(client, 'x.md', replace=replace).status_code == 200
        assert sorted(path.name for path in docs.iterdir()) == sorted([*PAPERS, 'x.md'])


def test_links_and_folders_are_left_alone(changing, tmp_path):
    client = client_of(FolderKeeper(changing))
    secret = tmp_path / 'secret.md'
    secret.write_text('Secret.')
    (changing.docs / 'link.md').symlink_to(secret)
    (changing.docs / 'nowhere.md').symlink_to(tmp_path / 'nowhere')
    (changing.docs / 'folder.md').mkdir()
    for name in ('link.md', 'nowhere.md', 'folder.md'):
        assert 'only files are replaced' in error(put(client, name, replace='yes'), 400)
    assert secret.read_text() == 'Secret.' and not (tmp_path / 'nowhere').exists()


def test_the_limits_are_those_of_a_folder(client, folder, monkeypatch):
    before = sorted(folder.docs.iterdir())
    for name, body, says in [
        ('../x.md', b'Text.', 'by its plain name'),
        ('x.exe', b'MZ', 'files of type .md'),
        ('x.md', b'', 'x.md: no text in it'),
        ('x.md', b'a\n' * 500_001, 'x.md: too large, 500,001 nodes'),
    ]:
        assert says in error(put(client, name, body), 400)
    monkeypatch.setitem(LIMITS, 'bytes', 1000)
    assert 'at most 1,000 bytes' in error(put(client, 'x.md', b'x' * 1001), 413)
    assert sorted(folder.docs.iterdir()) == before  # no part of a file is left


def raw(address, method, path, body=None, **headers):
    "A request as it is, with any headers: (status, JSON)."
    connection = http.client.HTTPConnection('127.0.0.1', urlsplit(address).port, timeout=60)
    token = urlsplit(address).query.removeprefix('token=')
    headers = dict(authorization=f'Bearer {token}') | headers
    connection.request(method, path, body and json.dumps(body), headers)
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read() or 'null')


def test_it_listens(folder):
    as_json = {'content-type': 'application/json'}
    with serving(folder, token=TOKEN) as address:
        assert address.endswith(f'/?token={TOKEN}')
        assert raw(address, 'GET', '/api/state', authorization='')[0] == 401
        assert raw(address, 'GET', '/api/state', host='evil.example')[0] == 403
        asked = dict(question=QUESTION, alpha=0.2)
        status, answer = raw(address, 'POST', '/api/ask', asked, **as_json)
        assert status == 200 and '28 days' in answer['first']['text']


def test_who_asks_nothing_keeps_nobody_out(folder):
    with serving(folder, token=TOKEN) as address, ExitStack() as opened:

        def connect(sends):
            made = socket.create_connection(('127.0.0.1', urlsplit(address).port), timeout=60)
            opened.enter_context(made).sendall(sends)
            return made

        def is_ended(one):
            with suppress(ConnectionResetError):
                while one.recv(999):
                    pass
            return True

        idle = [connect(b'GET /api/state HTTP/1.1\r\nhost: localhost\r\n') for _ in range(300)]
        assert raw(address, 'GET', '/api/state')[0] == 200
        idle[-2].sendall(b'\r\n')
        assert idle[-2].recv(99).startswith(b'HTTP/1.1 401')  # the oldest gave way
        assert is_ended(idle[0])
        waits = connect(b'PUT / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n')
        reply = waits.recv(9999)
        assert reply.startswith(b'HTTP/1.1 401')
        waits.sendall(b'x')
        assert is_ended(waits) and is_ended(idle[-1])  # their time is over
        reply = connect(b'no request\r\n\r\n').recv(9999).decode().lower()
        assert reply.startswith('http/1.1 400')
        assert all(f'{name}: {says}'.lower() in reply for name, says in HEADERS.items())


def test_the_state_waits_for_no_reader(changing):
    client = client_of(FolderKeeper(changing))
    asked = dict(question='0', sentence='x')
    with ThreadPoolExecutor(4) as pool:
        with one_at_a_time(changing.store / 'updating'):
            slow = [pool.submit(client.post, '/api/confirm', json=asked) for _ in range(4)]
            assert client.get('/api/state').status_code == 200
            assert not any(one.done() for one in slow)
        assert {one.result().status_code for one in slow} == {400}


def test_sixteen_ask_while_documents_change_and_no_state_is_mixed(changing):
    "The number in the document, the sum of the chunks and the time of the calibration belong together."
    file = changing.docs / 'pen.md'
    numbers = ['28 days', '31 days', '45 days', '60 days'][: by_day_or_night(2, 4)]
    done = []

    def state(address):
        return raw(address, 'GET', '/api/state')[1]['state']

    def reader(address):
        found = []
        while not done:
            asked = dict(question=QUESTION, alpha=0.2)
            status, answer = raw(address, 'POST', '/api/ask', asked, **{'content-type': 'application/json'})
            assert status == 200, answer
            texts = json.dumps([answer['first'], answer['listed']])
            found.append((answer['state'], [number for number in numbers if number in texts]))
        return found

    with serving(changing) as address, ThreadPoolExecutor(16) as pool:
        running = [pool.submit(reader, address) for _ in range(16)]
        states = [state(address)]
        for before, after in zip(numbers, numbers[1:]):
            file.write_text(file.read_text().replace(before, after))
            wait_for(lambda: state(address) not in states, 120)
            states.append(state(address))
        done.append(True)
        answers = [answer for run in running for answer in run.result()]
    there = {state['fingerprint'] for state in states[:-1]}
    assert there <= {answer['fingerprint'] for answer, _ in answers}
    for answer, said in answers:
        assert said == [numbers[states.index(answer)]]
