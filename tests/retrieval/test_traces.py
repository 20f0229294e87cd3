"Spans: one for each question, with numbers and without its words."

import math
import pytest
from conflare_nb import ConformalRetriever, Quoter, calibrate, calibrate_quotes

sdk = pytest.importorskip('opentelemetry.sdk.trace')


@pytest.fixture(scope='module')
def spans():
    from opentelemetry import trace
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept = InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace.set_tracer_provider(provider)
    return kept


def test_each_question_is_a_span(few, asked, spans):
    cal, quote_cal = (make(few, asked, progress=False) for make in (calibrate, calibrate_quotes))
    text = asked[0].text
    for alpha in (0.1, 0.001):  # the second threshold is infinite
        spans.clear()
        retriever, quoter = ConformalRetriever(few, cal, alpha), Quoter(few, quote_cal, alpha)
        found, quotes = retriever.retrieve(text), quoter.quote(text)
        retrieved, quoted = [dict(span.attributes) for span in spans.get_finished_spans()]
        names = [span.name for span in spans.get_finished_spans()]
        assert names == ['conflare_nb.retrieve', 'conflare_nb.quote']
        assert retrieved['conflare_nb.count'] == len(found)
        assert quoted['conflare_nb.count'] == len(quotes)
        assert retrieved['conflare_nb.p_value'] == found.chunks['p_value'][0].as_py()
        for said, by in ((retrieved, retriever), (quoted, quoter)):
            assert said['conflare_nb.alpha'] == alpha
            assert said.get('conflare_nb.threshold', math.inf) == by.qhat
            assert said['conflare_nb.chunks'] == few.fingerprint()['chunks']
            assert text not in str(said)
