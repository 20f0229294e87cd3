"The guide runs all adapters in the real LangChain, LlamaIndex and Haystack, where they are installed, and opens no connection."

import asyncio, os, socket
from pathlib import Path
import pytest
from conflare_nb import ConformalRetriever, calibrate
from conflare_nb.contrib.frameworks import as_langchain, as_llama_index


os.environ.setdefault('HAYSTACK_TELEMETRY_ENABLED', 'False')
GUIDE = Path(__file__).parents[2] / 'nbs/guides/other-frameworks.ipynb'


@pytest.fixture
def no_network(monkeypatch):  # a connection to anywhere but this machine fails the test
    connect = socket.socket.connect

    def refused(self, address):
        here = self.family not in (socket.AF_INET, socket.AF_INET6)
        if not here and address[0] not in ('127.0.0.1', '::1'):
            pytest.fail(f'a connection to {address}')
        return connect(self, address)

    monkeypatch.setattr(socket.socket, 'connect', refused)
    monkeypatch.setattr(socket.socket, 'connect_ex', refused)

    def looked_up(host, *args, **kw):
        pytest.fail(f'{host} was looked up')

    monkeypatch.setattr(socket, 'getaddrinfo', looked_up)


@pytest.mark.slow
def test_the_guide_runs_and_opens_no_connection(no_network):
    for package in ('langchain_classic', 'llama_index.core', 'haystack'):
        says = 'pip install ".[langchain,llama-index,haystack]"'
        pytest.importorskip(package, reason=says)
    from haystack.telemetry import _telemetry
    from nbdev.test import test_nb

    done, _ = test_nb(GUIDE, force_flags=['big'])
    assert done
    assert os.environ['HAYSTACK_TELEMETRY_ENABLED'] == 'False' and _telemetry.telemetry is None


FRAMEWORKS = {  # how a question is asked at once, and later
    'langchain_core': (as_langchain, 'invoke', 'ainvoke'),
    'llama_index.core': (as_llama_index, 'retrieve', 'aretrieve'),
}


@pytest.mark.parametrize('package', FRAMEWORKS)
def test_sixteen_tasks_at_once_get_what_one_gets(kb, questions, package):
    pytest.importorskip(package, reason='pip install ".[langchain,llama-index,haystack]"')
    adapter, now, later = FRAMEWORKS[package]
    cal = calibrate(kb, questions[::2], progress=False)
    retriever = adapter(ConformalRetriever(kb, cal, alpha=0.2))
    asked = [question.text for question in questions[1:65:2]] * 2

    async def tasks():
        room = asyncio.Semaphore(16)

        async def one(text):
            async with room:
                return await getattr(retriever, later)(text)

        return await asyncio.gather(*map(one, asked))

    def shown(found):
        return [getattr(one, 'page_content', None) or one.text for one in found]

    wanted = [shown(getattr(retriever, now)(text)) for text in asked]
    assert list(map(shown, asyncio.run(tasks()))) == wanted and len(set(map(str, wanted))) > 20
