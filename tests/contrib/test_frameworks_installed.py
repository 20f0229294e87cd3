"The adapters in the real LangChain, LlamaIndex and Haystack, each where it is installed: the same chunks, the theorem's coverage, no connection opened."

import asyncio, os, socket, warnings
import numpy as np, pytest

os.environ.setdefault('HAYSTACK_TELEMETRY_ENABLED', 'False')
from conflare_nb.retrieval.calibration import calibrate
from conflare_nb.labels.judges import answering_chunks
from conflare_nb.conformal.threshold import conformal_rank
from conflare_nb.contrib.frameworks import (
    AllKept,
    as_haystack,
    as_haystack_filter,
    as_langchain,
    as_langchain_compressor,
    as_llama_index,
    as_llama_index_postprocessor,
    from_haystack,
    from_langchain,
    from_llama_index,
    langchain_scored,
)
from conflare_nb.retrieval.pipeline import calibrate_pipeline
from conflare_nb.retrieval.retriever import ConformalRetriever, TopKRetriever

pytest_plugins = ['kb_fixtures']


@pytest.fixture(autouse=True)
def no_network(monkeypatch):  # a connection to anywhere but this machine fails the test
    connect = socket.socket.connect

    def refused(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in (
            '127.0.0.1',
            '::1',
        ):
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


def covers(retrieve, asked, answering, higher, score, keeps, k=40, alpha=0.2):
    "Over 500 splits the share within the threshold is k/(n+1); and the framework's own filter keeps those very documents."
    made = dict(score=score, k=k)
    lists = {q.text: retrieve(q.text) for q in asked}
    every = calibrate_pipeline(
        lists.__getitem__,
        asked,
        answering,
        higher,
        'theirs',
        made,
        progress=False,
        unanswerable='include',
    )
    s, n = every.scores, len(asked) // 2
    order = np.random.default_rng(0).random((500, len(s))).argsort(axis=1)
    old, new = order[:, :n], order[:, n:]
    qhat = np.sort(s[old], axis=1)[:, [conformal_rank(n, alpha) - 1]]
    covered = ((s[new] <= qhat) & np.isfinite(s[new])).mean(axis=1)
    promised, error = conformal_rank(n, alpha) / (n + 1), covered.std() / 500**0.5
    print(f'coverage {covered.mean():.4f}, k/(n+1) = {promised:.4f}, standard error {error:.4f}')
    assert np.isfinite(qhat).all() and abs(covered.mean() - promised) < 3 * error
    cal = calibrate_pipeline(
        lists.__getitem__,
        [asked[i] for i in old[0]],
        answering,
        higher,
        'theirs',
        made,
        alpha=alpha,
        progress=False,
        unanswerable='include',
    )
    within = []
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', AllKept)
        for i in new[0][:20]:
            kept = keeps(cal, alpha, asked[i].text)
            assert kept == [row[0] for row in cal.filter(lists[asked[i].text], alpha)]
            within.append(bool(set(kept) & answering[asked[i].id]))
    assert within == [
        bool(x) for x in (s[new[0][:20]] <= cal.qhat(alpha)) & np.isfinite(s[new[0][:20]])
    ]


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
        assert [
            (d.id, d.page_content, d.metadata['p_value'], d.metadata['title']) for d in found
        ] == [(c.id, c.text, c.p_value, c.title) for c in ours]
    assert (
        'vector' not in found[0].metadata
        and len(as_langchain(TopKRetriever(kb, 3)).invoke(text)) == 3
    )


def test_a_threshold_in_langchain(langchain, asked, answering):
    scored = langchain_scored(langchain, k=40)
    classic = pytest.importorskip(
        'langchain_classic.retrievers', reason='pip install "conflare-nb[langchain]"'
    )

    def keeps(cal, alpha, text):
        chain = classic.ContextualCompressionRetriever(
            base_compressor=as_langchain_compressor(cal, alpha), base_retriever=scored
        )
        return [d.id for d in chain.invoke(text)]

    covers(from_langchain(scored), asked, answering, True, 'score', keeps)


def test_langchain_without_scores_is_refused_and_its_stores_stay_as_they_are(
    langchain, asked, answering
):
    from langchain_core.documents import Document

    scored = langchain_scored(langchain, k=5)
    cal = calibrate_pipeline(
        from_langchain(scored),
        asked[:30],
        answering,
        True,
        settings=dict(score='score', k=5),
        alpha=0.5,
        progress=False,
    )
    bare = langchain.as_retriever(search_kwargs=dict(k=5))
    with pytest.raises(
        ValueError, match="the score is 'score', and the document at place 1 has none"
    ):
        as_langchain_compressor(cal, 0.5).compress_documents(
            bare.invoke(asked[0].text), asked[0].text
        )
    assert not any('score' in d.metadata for d in bare.invoke(asked[0].text))
    kept = asyncio.run(
        as_langchain_compressor(cal, 0.5).acompress_documents(
            scored.invoke(asked[0].text), asked[0].text
        )
    )
    assert all(isinstance(d, Document) for d in kept)
    wide = langchain_scored(langchain, k=6).invoke(asked[0].text)
    with pytest.raises(ValueError, match='at most 5 documents came when calibrating; got 6'):
        as_langchain_compressor(cal, 0.5).compress_documents(wide, asked[0].text)


def test_a_score_that_langchain_does_not_give_is_computed(langchain, asked, answering, kb):
    def product(question, texts):
        return (
            kb.embedder.embed_queries([question], progress=False)[0]
            @ np.array([langchain.embeddings.known[t] for t in texts]).T
        )

    bare = langchain.as_retriever(search_kwargs=dict(k=40))

    def keeps(cal, alpha, text):
        return [
            d.id
            for d in as_langchain_compressor(cal, alpha, product).compress_documents(
                bare.invoke(text), text
            )
        ]

    covers(from_langchain(bare, product, True), asked, answering, True, 'product', keeps)


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
        assert [(n.node_id, n.text, n.score, n.metadata['title']) for n in found] == [
            (c.id, c.text, c.p_value, c.title) for c in ours
        ]


def test_a_threshold_in_llama_index(llama, asked, answering, monkeypatch):
    from llama_index.core.query_engine import RetrieverQueryEngine
    from llama_index.core import Settings
    from llama_index.core.llms import MockLLM
    from llama_index.core.response_synthesizers import get_response_synthesizer

    monkeypatch.setattr(
        Settings, '_llm', MockLLM(max_tokens=1)
    )  # else it looks for OpenAI's, though no text is asked for
    retriever = llama.as_retriever(similarity_top_k=40)

    def keeps(cal, alpha, text):
        engine = RetrieverQueryEngine(
            retriever,
            get_response_synthesizer(response_mode='no_text'),
            [as_llama_index_postprocessor(cal, alpha)],
        )
        return [n.node_id for n in engine.query(text).source_nodes]

    covers(from_llama_index(retriever), asked, answering, True, 'score', keeps)


def test_a_node_without_a_score_is_refused(llama, asked, answering):
    from llama_index.core.schema import NodeWithScore, TextNode

    cal = calibrate_pipeline(
        from_llama_index(llama.as_retriever(similarity_top_k=5)),
        asked[:30],
        answering,
        True,
        settings=dict(score='score', k=5),
        alpha=0.5,
        progress=False,
    )
    with pytest.raises(
        ValueError, match="the score is 'score', and the document at place 1 has none"
    ):
        as_llama_index_postprocessor(cal, 0.5).postprocess_nodes(
            [NodeWithScore(node=TextNode(text='x'))], query_str='?'
        )


# --- Haystack


@pytest.fixture(scope='module')
def haystack(kb, stored):
    module = pytest.importorskip('haystack', reason='pip install "conflare-nb[haystack]"')
    from haystack.components.retrievers import InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore(embedding_similarity_function='cosine')
    store.write_documents(
        [module.Document(id=i, content=t, embedding=v) for i, t, v in zip(*stored)]
    )
    return module, InMemoryEmbeddingRetriever(store, top_k=40)


def test_our_retriever_in_haystack(haystack, conformal, questions):
    text = questions[120].text
    pipeline = haystack[0].Pipeline()
    pipeline.add_component('search', as_haystack(conformal))
    found, ours = (
        pipeline.run({'search': {'query': text}})['search']['documents'],
        conformal.retrieve(text).rows(),
    )
    assert [(d.id, d.content, d.score, d.meta['title']) for d in found] == [
        (c.id, c.text, c.p_value, c.title) for c in ours
    ]


def test_a_threshold_in_haystack(haystack, asked, answering, kb):
    module, retriever = haystack
    vectors = dict(
        zip(
            [q.text for q in asked],
            kb.embedder.embed_queries([q.text for q in asked], progress=False).tolist(),
        )
    )

    def ask(text):
        return retriever.run(query_embedding=vectors[text])['documents']

    def keeps(cal, alpha, text):
        pipeline = module.Pipeline()
        pipeline.add_component('belongs', as_haystack_filter(cal, alpha))
        return [
            d.id
            for d in pipeline.run({'belongs': {'query': text, 'documents': ask(text)}})['belongs'][
                'documents'
            ]
        ]

    covers(from_haystack(ask), asked, answering, True, 'score', keeps)


def test_a_saved_haystack_pipeline_comes_back(haystack, asked, answering, kb, tmp_path):
    module, retriever = haystack

    def ask(text):
        return retriever.run(
            query_embedding=kb.embedder.embed_queries([text], progress=False)[0].tolist()
        )['documents']

    cal = calibrate_pipeline(
        from_haystack(ask),
        asked[:30],
        answering,
        True,
        settings=dict(score='score', k=40),
        alpha=0.3,
        progress=False,
    )
    pipeline = module.Pipeline()
    pipeline.add_component('belongs', as_haystack_filter(cal.save(tmp_path / 'cal.json'), 0.3))
    text = pipeline.dumps()
    back = module.Pipeline.loads(text, allowed_modules=['conflare_nb.*'])
    given = {'belongs': {'query': asked[0].text, 'documents': ask(asked[0].text)}}
    assert (
        back.run(given)['belongs']['documents'] == pipeline.run(given)['belongs']['documents']
        and back.dumps() == text
    )
    with pytest.raises(ValueError, match='a calibration that is a file'):
        as_haystack_filter(cal, 0.3).to_dict()
    with pytest.raises(Exception, match='allow'):
        module.Pipeline.loads(text)
    lone = module.Pipeline()
    lone.add_component(
        'search',
        as_haystack(ConformalRetriever(kb, calibrate(kb, asked[:20], progress=False), 0.2)),
    )
    with pytest.raises(Exception, match='(?i)seriali'):
        lone.dumps()


def test_haystack_reports_nothing(haystack):
    from haystack.telemetry import _telemetry

    assert os.environ['HAYSTACK_TELEMETRY_ENABLED'] == 'False' and _telemetry.telemetry is None
