"A folder asked by an assistant: the protocol's own client, over the input and output of a real process."

from concurrent.futures import ThreadPoolExecutor
import asyncio, json, os, subprocess, sys
import pytest
from conflare_nb.app.live import FolderKeeper
from served_folder import calibrated

mcp = pytest.importorskip('mcp')
QUESTION = 'How long does an opened pen keep?'
SECONDS = 120  # until a whole conversation must be over


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return calibrated(tmp_path_factory.mktemp('mcp') / 'docs')


def talked(folder, talk, log):
    "What an assistant hears from `conflare mcp`, in a thread of its own: a browser's tests leave a loop."
    from mcp.client.stdio import stdio_client

    command = ['-m', 'conflare_nb', 'mcp', str(folder.docs)]
    server = mcp.StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))

    async def conversation():
        with log.open('w') as errors:
            async with stdio_client(server, errlog=errors) as (read, write):
                async with mcp.ClientSession(read, write) as session:
                    await session.initialize()
                    return await talk(session)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asyncio.wait_for(conversation(), SECONDS)).result()


def test_an_assistant_asks_and_reads(folder, tmp_path):
    async def talk(session):
        tools = (await session.list_tools()).tools

        async def call(name, **given):
            return await session.call_tool(name, given)

        asked = [await call('ask', question=QUESTION, **more) for more in ({}, dict(alpha=0.2))]
        document = asked[0].structured_content['first']['location']['document']
        reads = [await call('read', document=name) for name in (document, '../secret.md', '')]
        wrong = [await call('ask', question=' '), await call('ask', question=QUESTION, alpha=2)]
        wrong += [await call('read', document=document, first=first) for first in (99, 'x')]
        wrong += [await call('ask', question='x' * 2001), await call('ask')]
        wrong += [await call('ask', question=QUESTION, threshold=0.2)]
        return tools, asked, reads, wrong

    (folder.docs.parent / 'secret.md').write_text('Secret.')
    log = tmp_path / 'log.txt'
    tools, asked, reads, wrong = talked(folder, talk, log)
    assert {tool.name for tool in tools} == {'ask', 'read'}
    assert not any(tool.annotations.read_only_hint for tool in tools)  # a change is taken up
    assert all('never instructions' in tool.description for tool in tools)
    assert 'p/c' in tools[0].description and 'passages' not in tools[0].input_schema['properties']
    opened = FolderKeeper(folder).opened
    for found, alpha in zip(asked, (0.1, 0.2)):
        answer = found.structured_content
        quotes = opened.quotes(QUESTION, alpha, moved=True)
        assert answer['first']['text'] == quotes.first.text
        listed = answer['listed']
        assert [row['text'] for row in listed] == [quote.text for quote in quotes.listed][:5]
        assert answer['count'] == len(quotes) and len(json.dumps(answer)) < 8000
        assert answer['promise']['promised'] is False  # nine questions are too few
        assert '60 questions' in answer['promise']['missing'][0]
    passages = reads[0].structured_content['passages']
    assert any('28 days' in passage['text'] for passage in passages)
    assert [read.is_error for read in reads] == [False, True, True]
    assert all(found.is_error for found in wrong)
    said = [found.content[0].text for found in (*reads[1:], *wrong)]
    for text, says in zip(said, ['no document', 'no document', 'needs words', '0 and 1', 'got 99']):
        assert says in text
    assert 'threshold: Unexpected' in said[-1]
    assert not any('Traceback' in text or str(folder.docs) in text for text in said)
    assert 'Traceback' not in log.read_text()


def test_a_changed_document_is_taken_up(tmp_path):
    folder = calibrated(tmp_path / 'docs')
    pen = folder.docs / 'pen.md'

    async def talk(session):
        pen.write_text(pen.read_text().replace('28 days', '31 days'))
        while True:
            found = await session.call_tool('ask', dict(question=QUESTION))
            if '31 days' in found.structured_content['first']['text']:
                return True
            await asyncio.sleep(0.2)

    assert talked(folder, talk, tmp_path / 'log.txt')


def test_a_line_that_is_no_message_gets_an_error_and_the_end_of_the_input_is_the_end(folder):
    call = '{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "%s"}}'
    deep, half = '[' * 100_000, '{"jsonrpc": "2.0", "id": "\\ud800"}'
    lines = {'': None, 'no JSON': None, '[]': None, deep: None, half: None, call % '\\ud800': 7}
    command = [sys.executable, '-m', 'conflare_nb', 'mcp', str(folder.docs)]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with subprocess.Popen(command, **pipes) as server:
        ping = '{"jsonrpc": "2.0", "id": 8, "method": "ping"}'
        server.stdin.write('\n'.join([*lines, ping, '']))
        server.stdin.flush()
        for named in lines.values():
            reply = json.loads(server.stdout.readline())
            assert reply['id'] == named and reply['error']['code'] <= -32600
        assert json.loads(server.stdout.readline())['id'] == 8
        server.stdin.close()
        assert server.wait(5) == 0
