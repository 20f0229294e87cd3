"The adapters in the real LangChain, LlamaIndex and Haystack, each where it is installed: the same chunks, the theorem's coverage, no connection opened."

import asyncio, os, socket
import pytest
from covering import calibrated, covers

os.environ.setdefault('HAYSTACK_TELEMETRY_ENABLED', 'False')
from conflare_nb.retrieval.calibration import calibrate
from conflare_nb.labels.judges import answering_chunks
from conflare_nb.contrib.frameworks import as_haystack, as_haystack_filter, as_langchain
from conflare_nb.contrib.frameworks import as_langchain_compressor, as_llama_index
from conflare_nb.contrib.frameworks import as_llama_index_postprocessor, as_pipeline
from conflare_nb.retrieval.retriever import ConformalRetriever, TopKRetriever

pytest_plugins = ['kb_fixtures']


@pytest.fixture(autouse=True)
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


@pytest.fixture(scope='module')
def asked(questions):
    return questions[::3]


@pytest.fixture(scope='module')
def answering(kb, asked):
    return dict(zip([q.id for q in asked], answering_chunks(kb, asked)))


@pytest.fixture(scope='module')
def conformal(kb, questions):
    return ConformalRetriever(kb, calibrate(kb, questions[:100], progress=False), 0.1)


@pytest.fixture(scope='module')
def stored(kb):
    rows = kb.table.to_arrow()
    return rows['id'].to_pylist(), rows['text'].to_pylist(), rows['vector'].to_pylist()


def facts(chunks):
    return [(c.id, c.text, c.p_value, c.title) for c in chunks]


# --- LangChain


@pytest.fixture(scope='module')
def langchain(kb, stored, asked):
    pytest.importorskip('langchain_core', reason='pip install "conflare-nb[langchain]"')
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    class Ours(Embeddings):
        def embed_documents(self, texts):
            return [self.known[text] for text in texts]

        def embed_query(self, text):
            return kb.embedder.embed_queries([text], progress=False)[0].tolist()

    ids, texts, vectors = stored
    Ours.known = dict(zip(texts, vectors))
    store = InMemoryVectorStore(Ours())
    store.add_texts(texts, ids=ids)
    return store


def test_our_retriever_in_langchain(langchain, conformal, questions, kb):
    from langchain_core.retrievers import BaseRetriever

    text = questions[120].text
    theirs, ours = as_langchain(conformal), conformal.retrieve(text).rows()
    assert isinstance(theirs, BaseRetriever)
    for found in (theirs.invoke(text), asyncio.run(theirs.ainvoke(text)), theirs.batch([text])[0]):
        known = [(d.id, d.page_content, d.metadata['p_value'], d.metadata['title']) for d in found]
        assert known == facts(ours)
    assert 'vector' not in found[0].metadata
    assert len(as_langchain(TopKRetriever(kb, 3)).invoke(text)) == 3


def test_a_threshold_in_langchain(langchain, asked, answering):
    from langchain_core.runnables import chain

    @chain
    def scored(text):
        found = langchain.similarity_search_with_score(text, k=40)
        return [d.model_copy(update=dict(metadata=d.metadata | dict(score=s))) for d, s in found]

    says = 'pip install "conflare-nb[langchain]"'
    classic = pytest.importorskip('langchain_classic.retrievers', reason=says)

    def keeps(cal, alpha, text):
        compressor = as_langchain_compressor(cal, alpha)
        within = classic.ContextualCompressionRetriever
        within = within(base_compressor=compressor, base_retriever=scored)
        return [d.id for d in within.invoke(text)]

    covers(as_pipeline(scored.invoke), asked, answering, keeps)


# --- LlamaIndex


@pytest.fixture(scope='module')
def llama(kb, stored):
    pytest.importorskip('llama_index.core', reason='pip install "conflare-nb[llama-index]"')
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.schema import TextNode

    class Ours(BaseEmbedding):
        def _get_query_embedding(self, query):
            return kb.embedder.embed_queries([query], progress=False)[0].tolist()

        async def _aget_query_embedding(self, query):
            return self._get_query_embedding(query)

        def _get_text_embedding(self, text):
            raise AssertionError('every node has its vector')

    nodes = [TextNode(id_=i, text=t, embedding=v) for i, t, v in zip(*stored)]
    return VectorStoreIndex(nodes, embed_model=Ours())


def test_our_retriever_in_llama_index(llama, conformal, questions):
    text = questions[120].text
    theirs, ours = as_llama_index(conformal), conformal.retrieve(text).rows()
    for found in (theirs.retrieve(text), asyncio.run(theirs.aretrieve(text))):
        known = [(n.node_id, n.text, n.score, n.metadata['title']) for n in found]
        assert known == facts(ours)


def test_a_threshold_in_llama_index(llama, asked, answering, monkeypatch):
    from llama_index.core.query_engine import RetrieverQueryEngine
    from llama_index.core import Settings
    from llama_index.core.llms import MockLLM
    from llama_index.core.response_synthesizers import get_response_synthesizer

    # else it looks for OpenAI's, though no text is asked for
    monkeypatch.setattr(Settings, '_llm', MockLLM(max_tokens=1))
    retriever = llama.as_retriever(similarity_top_k=40)

    def keeps(cal, alpha, text):
        silent = get_response_synthesizer(response_mode='no_text')
        behind = [as_llama_index_postprocessor(cal, alpha)]
        engine = RetrieverQueryEngine(retriever, silent, behind)
        return [n.node_id for n in engine.query(text).source_nodes]

    covers(as_pipeline(retriever.retrieve), asked, answering, keeps)


# --- Haystack


@pytest.fixture(scope='module')
def haystack(kb, stored):
    module = pytest.importorskip('haystack', reason='pip install "conflare-nb[haystack]"')
    from haystack.components.retrievers import InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore(embedding_similarity_function='cosine')
    rows = [module.Document(id=i, content=t, embedding=v) for i, t, v in zip(*stored)]
    store.write_documents(rows)
    return module, InMemoryEmbeddingRetriever(store, top_k=40)


def test_our_retriever_in_haystack(haystack, conformal, questions):
    text = questions[120].text
    pipeline = haystack[0].Pipeline()
    pipeline.add_component('search', as_haystack(conformal))
    found = pipeline.run({'search': {'query': text}})['search']['documents']
    known = [(d.id, d.content, d.score, d.meta['title']) for d in found]
    assert known == facts(conformal.retrieve(text).rows())


@pytest.fixture(scope='module')
def ask(haystack, kb):
    def ask(text):
        vector = kb.embedder.embed_queries([text], progress=False)[0].tolist()
        return haystack[1].run(query_embedding=vector)['documents']

    return ask


def test_a_threshold_in_haystack(haystack, ask, asked, answering):
    def keeps(cal, alpha, text):
        pipeline = haystack[0].Pipeline()
        pipeline.add_component('belongs', as_haystack_filter(cal, alpha))
        given = {'belongs': {'query': text, 'documents': ask(text)}}
        return [d.id for d in pipeline.run(given)['belongs']['documents']]

    covers(as_pipeline(ask), asked, answering, keeps)


def test_a_saved_haystack_pipeline_comes_back(haystack, ask, asked, answering, kb, tmp_path):
    module, _ = haystack
    cal = calibrated(as_pipeline(ask), asked[:30], answering, alpha=0.3)
    pipeline = module.Pipeline()
    pipeline.add_component('belongs', as_haystack_filter(cal.save(tmp_path / 'cal.json'), 0.3))
    text = pipeline.dumps()
    back = module.Pipeline.loads(text, allowed_modules=['conflare_nb.*'])
    given = {'belongs': {'query': asked[0].text, 'documents': ask(asked[0].text)}}
    kept, again = (p.run(given)['belongs']['documents'] for p in (pipeline, back))
    assert kept == again and back.dumps() == text
    with pytest.raises(Exception, match='allow'):
        module.Pipeline.loads(text)
    own = ConformalRetriever(kb, calibrate(kb, asked[:20], progress=False), 0.2)
    for in_memory in (as_haystack_filter(cal, 0.3), as_haystack(own)):
        lone = module.Pipeline()
        lone.add_component('one', in_memory)
        with pytest.raises(Exception, match='(?i)seriali'):
            lone.dumps()


def test_haystack_reports_nothing(haystack):
    from haystack.telemetry import _telemetry

    assert os.environ['HAYSTACK_TELEMETRY_ENABLED'] == 'False' and _telemetry.telemetry is None
