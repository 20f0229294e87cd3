"The explorer without a browser: its numbers against the retriever's, its page against hostile texts, its traits."

import html, json, re, subprocess, sys, threading
import numpy as np, pytest
import traitlets as T
from conflare_nb.answers.quotes import Quoter, calibrate_quotes
from conflare_nb.retrieval.calibration import Calibration, calibrate
from conflare_nb.labels.judges import answering_chunks
from conflare_nb.conformal.clusters import rank_bands
from conflare_nb.documents.reading import Document, Section
from conflare_nb.show.alpha import AlphaExplorer, explorer_view
from conflare_nb.show.page import page_alpha
from conflare_nb.retrieval.retriever import ConformalRetriever, TopKRetriever
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.words import plural
from conflare_nb.documents.score import Distance, Margin, Rank, Softmax

HOSTILE = '</script><img src=x onerror=alert(1)><!-- "&\u2028'


@pytest.fixture(scope='module')
def kb(tmp_path_factory):
    return KnowledgeBase.create(
        tmp_path_factory.mktemp('kb'), sample_documents()[:8], progress=False
    )


@pytest.fixture(scope='module')
def questions(kb):
    return [q for q in sample_questions() if q.document in kb.documents()]


@pytest.fixture(scope='module')
def cal(kb, questions):
    return calibrate(kb, questions[::2], progress=False)


@pytest.fixture(scope='module')
def retriever(kb, cal):
    return ConformalRetriever(kb, cal)


@pytest.fixture(scope='module')
def view(retriever, questions):
    return explorer_view(retriever, questions[1])


# ---- the numbers


@pytest.mark.parametrize('lost', [0, 3])
@pytest.mark.parametrize(
    'score',
    [Distance(), Hybrid(), Rank(), Margin(), Softmax(), Hybrid(pool=2)],
    ids=lambda s: f'{s.name}-{s.pool}',
)
def test_every_alpha_is_what_the_retriever_does(kb, questions, score, lost):
    cal = calibrate(kb, questions[::2], progress=False, score=score)
    cal = Calibration(np.append(cal.scores[lost:], [np.inf] * lost), cal.fingerprint, score=score)
    for q in questions[1:6:2]:
        view = explorer_view(ConformalRetriever(kb, cal), q)
        for alpha in [*np.linspace(0.005, 0.995, 34), 1 / (cal.n + 1), 0.5 / (cal.n + 1), 1e-6]:
            r = ConformalRetriever(kb, cal, page_alpha(alpha))
            found, seen = r.retrieve(q.text), view.at(alpha)
            assert (seen['qhat'], seen['chunks'], seen['tokens'], seen['k']) == (
                found.qhat,
                len(found),
                found.tokens,
                r.k_of_n[0],
            )
            if np.isfinite(seen['qhat']):
                assert np.allclose((seen['low'], seen['high']), tuple(r.band), atol=1e-4)
            else:
                assert seen['low'] == seen['high'] == (1 if score.pool is None else None)
            assert seen['answered'] == bool(
                answering_chunks(kb, [q])[0] & set(found.chunks['id'].to_pylist())
            )


def test_chunks_are_the_retrievers(kb, cal, view, questions):
    rows = ConformalRetriever(kb, cal, 0.01).retrieve(view.query).rows()
    for c, r in zip(view.chunks, rows):
        assert [c[name] for name in ('id', 'text', 'score', 'distance', 'p_value')] == [
            r[name] for name in ('id', 'text', 'score', 'distance', 'p_value')
        ]
    pooled = Calibration(cal.scores, cal.fingerprint, score=Hybrid(pool=5))
    everything = explorer_view(ConformalRetriever(kb, pooled), view.query, top_k=10**6)
    top = everything.top(10**6)
    assert (top['chunks'], top['tokens']) == (everything.total, int(everything.lengths[-1]))
    assert everything.total < len(kb)  # the pool is smaller
    assert len(everything.state()['lengths']) == everything.total + 1


@pytest.mark.parametrize('score', [Hybrid(), Distance()], ids=lambda s: s.name)
def test_top_k_goes_by_the_ranking_that_is_shown(kb, questions, score):
    "A k that is given, and the calibrated one at every alpha, as `TopKRetriever` finds them."
    cal = calibrate(kb, questions[::2], progress=False, score=score)
    for q in questions[1:20:6]:
        view = explorer_view(ConformalRetriever(kb, cal), q)
        answers = answering_chunks(kb, [q])[0]
        tops = [(k, TopKRetriever(kb, k, cal)) for k in (1, 3, 5)]
        for alpha in (0.5, 0.2, 0.1, 0.001):
            calibrated = TopKRetriever(kb, cal=cal, alpha=alpha)
            assert view.calibrated_k(alpha) == calibrated.k
            tops.append((calibrated.k, calibrated))
        for k, top in tops:
            found = top.retrieve(q.text)
            answered = bool(answers & set(found.chunks['id'].to_pylist()))
            assert view.top(k) == dict(chunks=len(found), tokens=found.tokens, answered=answered)
    assert view.calibrated_k(0.001) == np.inf
    k = view.calibrated_k(0.1)
    assert f'Of the same ranking, calibrated k = {k}: ' in view.table(alpha=0.1)


def test_without_labels_there_is_no_calibrated_k(kb, cal, questions):
    bare = Calibration(cal.scores, cal.fingerprint, score=cal.score)
    view = explorer_view(ConformalRetriever(kb, bare), questions[1].text)
    assert view.calibrated_k(0.1) is None and view.state()['ks'] is None
    assert view.top(3)['answered'] is None
    assert 'Of the same ranking, top-5: ' in view.table(alpha=0.1)


def test_an_answer_outside_the_pool_is_said(kb, cal, questions):
    small = Calibration(cal.scores, cal.fingerprint, score=Softmax(pool=1))
    outside = [
        q
        for q in questions[1:60:2]
        if not any(c['answers'] for c in explorer_view(ConformalRetriever(kb, small), q).chunks)
    ]
    view = explorer_view(ConformalRetriever(kb, small), outside[0])
    assert (
        (view.answer_ranks, view.total) == ((), 1)
        and view.outside >= 1
        and view.at(0.001)['answered'] is False
    )
    assert f'Chunks that answer and are not in the pool: {view.outside}.' in view.table(alpha=0.1)
    far = Calibration(cal.scores, cal.fingerprint, score=Distance())
    everywhere = explorer_view(ConformalRetriever(kb, far), outside[0])
    assert (
        everywhere.outside == 0
        and len(everywhere.answer_ranks) == view.outside
        and 'not in the pool' not in everywhere.table(alpha=0.1)
    )


def test_the_boundary_chunk_is_inside(cal, retriever):
    for label in cal.labels[:5]:
        assert label.score < np.inf
        view = explorer_view(retriever, label.text)
        k = int(np.searchsorted(view.scores, label.score))
        assert view.within[k] >= label.rank


@pytest.mark.parametrize('score', [Distance(), Hybrid()], ids=lambda s: s.name)
@pytest.mark.parametrize('scores', [[], [np.inf], [np.inf] * 3, [0.4], [0.4, 0.4, 0.4], [0.0, 2.0]])
def test_odd_calibrations(kb, scores, score):
    cal = Calibration(scores, kb.fingerprint(), score=score)
    view = explorer_view(ConformalRetriever(kb, cal), 'How long does it keep?')
    for alpha in (0.001, 0.3, 0.5, 0.999):
        found, seen = ConformalRetriever(kb, cal, alpha).retrieve(view.query), view.at(alpha)
        assert (seen['qhat'], seen['chunks'], seen['tokens']) == (
            found.qhat,
            len(found),
            found.tokens,
        )
        json.dumps(view.state(), allow_nan=False)
        view.html(alpha=alpha)


def test_few_texts_keep_the_numbers(view, retriever):
    few = explorer_view(retriever, view.query, max_chunks=3)
    assert len(few.chunks) == 3 and few.at(0.05) == {**view.at(0.05), 'answered': None}
    assert (
        len(view.state(most=2)['chunks']) == 2
        and view.state(most=2)['within'] == view.state()['within']
    )
    found = view.at(0.001)['chunks']
    assert 'and 2 more' in view.table(alpha=0.001, most=found - 2) and found > 2


def test_known_answers(kb, questions, retriever):
    r = retriever
    assert explorer_view(r, questions[1].text).at(0.1)['answered'] is None
    assert explorer_view(r, questions[1].text, relevant=set()).at(0.001)['answered'] is False
    assert explorer_view(r, questions[1].text, relevant={'nowhere'}).answer_ranks == ()
    every = explorer_view(r, questions[1].text, relevant={c['id'] for c in kb.texts()})
    assert every.answer_ranks == tuple(range(1, every.total + 1)) and all(
        c['answers'] for c in every.chunks
    )
    assert every.outside == len(kb) - every.total


# ---- the page


@pytest.fixture(scope='module')
def hostile(tmp_path_factory, kb):
    docs = [
        Document('evil.md', HOSTILE, (Section(HOSTILE, f'Take it with water. {HOSTILE}', 3),)),
        Document('good.md', 'Good', (Section('', 'Keep it dry.'),)),
    ]
    small = KnowledgeBase.create(
        tmp_path_factory.mktemp('hostile'), docs, kb.embedder, progress=False
    )
    return ConformalRetriever(small, Calibration([0.2, 0.3, 0.4, 0.5], small.fingerprint()))


def test_a_page_needs_no_matplotlib_and_a_picture_no_widgets():
    page = "import sys; sys.modules.update(matplotlib=None); from conflare_nb.show.alpha import explorer_view"
    picture = "import sys; sys.modules.update(anywidget=None, ipywidgets=None); from conflare_nb.show.plots import plot_scores"
    for code in (page, picture):
        subprocess.run([sys.executable, '-c', code], check=True)


# ---- the sentences


@pytest.fixture(scope='module')
def quoter(kb, questions):
    return Quoter(kb, calibrate_quotes(kb, questions[::2], progress=False))


@pytest.mark.parametrize('score', [Hybrid(), Distance()], ids=lambda s: s.name)
def test_sentences_with_a_larger_p_are_those_quoted(kb, questions, quoter, score):
    retriever = ConformalRetriever(kb, calibrate(kb, questions[::2], progress=False, score=score))
    for q in questions[1:6:2]:
        view = explorer_view(retriever, q, quoter=quoter)
        for alpha in (0.5, 0.2, 0.1, 0.05, 1e-4):
            listed = {
                (x.chunk.id, x.start, x.end)
                for x in Quoter(kb, quoter.cal, alpha).quote(q.text).listed
            }
            seen = {
                (c['id'], start, end)
                for c in view.chunks
                for start, end, p in c['sentences']
                if p > alpha
            }
            assert seen == listed and sum(p > alpha for p in view.quoted) == len(listed)
        state = view.state(2)
        assert [c['sentences'] for c in state['chunks']] == [
            c['sentences'] for c in view.chunks[:2]
        ] and len(state['quoted']) == len(view.quoted)
        assert len(Quoter(kb, quoter.cal, 1e-4).quote(q.text).listed) == len(view.quoted)


def test_the_table_marks_what_is_quoted(kb, cal, questions, quoter, retriever):
    view = explorer_view(retriever, questions[1], quoter=quoter)
    for alpha in (0.2, 0.02):
        best = {c['id'] for c in view.chunks[: min(10, view.at(alpha)['chunks'])]}
        listed = Quoter(kb, quoter.cal, alpha).quote(view.query).listed
        shown = re.findall('<mark>(.*?)</mark>', view.table(alpha=alpha), re.S)
        assert len(shown) == sum(x.chunk.id in best for x in listed) and (shown or alpha > 0.1)
        assert f'with a promise of their own ({len(listed)} in all)' in view.table(alpha=alpha)


def test_without_a_quoter_nothing_changes(questions, view, quoter, retriever):
    state, marked = (
        view.state(),
        explorer_view(retriever, questions[1], quoter=quoter).state(),
    )
    assert 'quoted' not in state and '<mark>' not in view.table(alpha=0.05)
    del marked['quoted'], marked['sentences']
    for chunk in marked['chunks']:
        del chunk['sentences']
    assert json.dumps(marked) == json.dumps(state)
    assert 'quoted' not in AlphaExplorer(retriever, questions[1]).view


def test_a_quoter_over_other_documents_is_refused(hostile, quoter):
    with pytest.raises(
        ValueError, match='another knowledge base; calibrate again: calibrate_quotes'
    ):
        explorer_view(hostile, 'water?', quoter=quoter)


def test_sentences_slide_as_the_quoter_lists_them(kb, cal, questions, quoter):
    retriever, known = ConformalRetriever(kb, cal), 0
    for q in questions[1:10:2]:
        view = explorer_view(retriever, q, quoter=quoter)
        sentences, tried = view.sentences, quoter.try_on([q])[0][1]
        for alpha in (0.5, 0.2, 0.1, 0.05, 1 / (quoter.cal.n + 1), 0.5 / (quoter.cal.n + 1)):
            alpha = page_alpha(alpha)
            quotes, seen = Quoter(kb, quoter.cal, alpha).quote(q.text), view.sentences.at(alpha)
            texts = [x.text for x in quotes.listed]
            assert (seen['qhat'], seen['chunks'], seen['tokens']) == (
                quotes.qhat,
                len(quotes),
                sum(kb.embedder.count_tokens(texts)),
            )
            assert [s.text for s in sentences.sentences[: seen['chunks']]] == texts
            assert list(sentences.p_values[: len(texts)]) == [x.p_value for x in quotes.listed]
            if np.isfinite(quotes.qhat):
                assert np.allclose(
                    (seen['low'], seen['high']), tuple(quoter.cal.band(alpha)), atol=1e-4
                )
            else:
                assert seen['low'] is seen['high'] is None  # what answers may stand elsewhere
            assert seen['answered'] == (tried.score <= quotes.qhat and np.isfinite(tried.score))
        if tried.rank:
            assert (
                sentences.answer_ranks[0] == tried.rank
                or sentences.chunk_scores[tried.rank - 1] == tried.score
            )
        known += bool(sentences.answer_ranks)
    assert known
    assert explorer_view(retriever, q.text, quoter=quoter).sentences.answer_ranks is None


def quoter_bands(quoter):
    return rank_bands(quoter.cal.scores, quoter.cal.clusters)


def test_a_band_of_every_rank_where_scores_tie(kb, cal, questions):
    retriever = ConformalRetriever(kb, cal)
    view = explorer_view(retriever, questions[1].text)
    for alpha in (0.5, 0.3, 0.1):
        seen, band = view.at(alpha), cal.band(alpha)
        assert np.allclose((seen['low'], seen['high']), tuple(band), atol=2e-4)
        assert (seen['high'] == 1) == band.tied
    assert view.at(0.5)['high'] == 1  # most scores are 0


def test_a_page_holds_the_sentences_in_few_bytes(kb, questions, quoter, retriever):
    near = explorer_view(retriever, questions[1], quoter=quoter)
    far = explorer_view(
        ConformalRetriever(kb, calibrate(kb, questions[::2], progress=False, score=Distance())),
        questions[1],
        quoter=quoter,
    )
    for view, most in ((near, 40), (near, 1), (far, 2), (far, None)):
        state = view.state(most)
        own = state['sentences']
        texts = []
        for passage, start, end in own['places']:
            held = own['passages'][passage]
            if isinstance(held, int):
                held = state['chunks'][held]
            texts.append((held['id'], held['text'][start:end]))
        assert texts == [(s.chunk.id, s.text) for s in view.sentences.sentences]
        assert own['score']['pool'] and len(own['places']) == len(state['quoted'])
        shown = [own.get(end, state[end]) for end in ('low', 'high')]  # its own, or those of chunks
        assert np.allclose(shown, quoter_bands(quoter), atol=2e-4)
    assert len(json.dumps(near.state(40)['sentences'])) < 8_000


def test_sentences_are_a_table_for_readers_without_scripts(kb, cal, questions, quoter, retriever):
    view = explorer_view(retriever, questions[1], quoter=quoter)
    for alpha in (0.2, 0.02):
        listed = Quoter(kb, quoter.cal, alpha).quote(view.query).listed
        table = view.table(alpha=alpha, most=100, unit='sentences')
        assert [html.unescape(x) for x in re.findall('<mark>(.*?)</mark>', table, re.S)] == [
            x.text for x in listed
        ]
        assert f': {plural(len(listed), "sentence")}, ' in table
    with pytest.raises(ValueError, match='where there is a quoter'):
        explorer_view(retriever, questions[1]).table(alpha=0.1, unit='sentences')


# ---- the widget


def test_traits(questions, retriever):
    w = AlphaExplorer(retriever, questions=questions[:4])
    assert (w.query, w.questions, w.alpha, w.can_ask) == (
        questions[0].text,
        [q.text for q in questions[:4]],
        0.1,
        False,
    )
    assert (
        w.view == w.shown.state() and w.view['answer_ranks']
    )  # a `Question` among the examples is known
    w.query = 'something nobody has labelled'
    assert w.view['query'] == w.query and w.view['answer_ranks'] is None
    w.query = questions[2].text
    assert w.view['answer_ranks']
    for bad in (0, 1, -0.1, 3, np.nan):
        with pytest.raises(ValueError, match='strictly between 0 and 1'):
            w.alpha = bad
    assert w.alpha == 0.1
    with pytest.raises(ValueError, match='needs words'):
        w.query = ''
    assert w.query == w.view['query'] == questions[2].text and 'needs words' in w.error
    w.query = questions[3].text
    assert w.error == ''


def test_what_it_begins_with(kb, cal, questions, retriever):
    assert AlphaExplorer(retriever).query == cal.labels[0].text
    assert AlphaExplorer(retriever, questions[1].text, questions).view['answer_ranks']
    with pytest.raises(ValueError, match='got neither'):
        AlphaExplorer(
            ConformalRetriever(kb, Calibration(cal.scores, cal.fingerprint, score=cal.score))
        )


def test_the_widget_knows_the_sentences(kb, cal, questions, quoter, retriever):
    w = AlphaExplorer(retriever, questions[1], alpha=0.2, quoter=quoter)
    assert w.view['quoted'] == list(w.shown.quoted)
    w.query = questions[3].text
    listed = Quoter(kb, quoter.cal, 0.2).quote(w.query).listed
    assert sum(p > 0.2 for p in w.view['quoted']) == len(listed) and '<mark>' in w.to_html()


def test_the_unit_is_switched_from_the_kernel(questions, quoter, retriever):
    w = AlphaExplorer(retriever, questions[1], alpha=0.2, quoter=quoter)
    assert (w.unit, w.can_quote, w.can_ask) == (
        'chunks',
        True,
        False,
    ) and '"unit": "chunks"' in w.to_html()
    w.unit = 'sentences'
    assert '"unit": "sentences"' in w.to_html() and ' sentence, ' in w.to_html()
    with pytest.raises(T.TraitError):
        w.unit = 'words'
    assert w.unit == 'sentences'
    with pytest.raises(ValueError, match='needs a quoter'):
        AlphaExplorer(retriever, questions[1], unit='sentences')
    plain = AlphaExplorer(retriever, questions[1])
    with pytest.raises(ValueError, match='needs a quoter'):
        plain.unit = 'sentences'
    with pytest.raises(ValueError, match='nothing to quote with'):
        plain.quote()


def test_the_first_quote_is_shown(kb, cal, questions, quoter, retriever):
    w = AlphaExplorer(retriever, questions[1], alpha=0.2, quoter=quoter)
    first = w.quote().first
    assert w.quotes == Quoter(kb, quoter.cal, 0.2).quote(questions[1].text)
    assert (w.reply['text'], w.reply['source'], w.reply['chunks'], w.reply['running']) == (
        first.text,
        first.source,
        len(w.quotes),
        False,
    )
    w._message(dict(type='quote', query=questions[3].text, alpha=0.1))
    assert (w.query, w.alpha, w.reply['text']) == (
        questions[3].text,
        0.1,
        Quoter(kb, quoter.cal, 0.1).quote(questions[3].text).first.text,
    )


def test_what_is_written_from_is_what_is_shown(questions, quoter, retriever):
    w = AlphaExplorer(
        retriever,
        questions[1],
        alpha=0.2,
        quoter=quoter,
        answer=lambda query, found: (f'{r["text"]}\n' for r in found.rows()),
    )
    w.ask().join(30)
    assert (
        w.reply['text'].splitlines()[0] == w.retrieved.rows()[0]['text'].splitlines()[0]
        and w.reply['unit'] == 'chunk'
    )
    w.unit = 'sentences'
    w.ask().join(30)
    assert w.reply['text'] == ''.join(f'{x.text}\n' for x in w.quotes.listed) and (
        w.reply['unit'],
        w.reply['chunks'],
    ) == ('sentence', len(w.quotes))


def test_a_page_holds_some_of_the_other_questions(questions, quoter, retriever):
    r, five = retriever, questions[1:9:2]
    w = AlphaExplorer(
        r, questions[1], questions=[*five, ' ', 'How long does it keep?'], alpha=0.2, saved=4
    )
    views = [explorer_view(r, q) for q in five]
    assert w.to_html() == w.shown.html(alpha=0.2, others=views[1:4]) and AlphaExplorer(
        r, questions[1], five, 0.2, saved=1
    ).to_html() == w.shown.html(alpha=0.2)
    data = json.loads(
        w.to_html().split('<script type="application/json">')[1].split('</script>')[0]
    )
    texts = [c['text'] for c in (*data['view']['chunks'], *data['texts'])]
    assert (
        data['view'] == views[0].state(12)
        and len(texts) == len(set(texts))
        and not {'scores', 'low', 'n', 'score'} & set(data['others'][0])
    )
    assert len(w.to_html()) < 2 * len(w.shown.html(alpha=0.2)) and [
        o['query'] for o in data['others']
    ] == [q.text for q in five[1:]]
    blank = AlphaExplorer(r, questions[1], questions=[' '])
    assert blank.to_html() == blank.shown.html()
    with pytest.raises(ValueError, match='the question that is shown, too; got 0'):
        AlphaExplorer(r, questions[1], saved=0)


def test_retrieved_is_what_is_shown(questions, retriever):
    w = AlphaExplorer(retriever, questions[1], alpha=0.3)
    for w.alpha in (0.3, 0.07):
        seen = w.shown.at(w.alpha)
        assert (len(w.retrieved), w.retrieved.tokens, w.retrieved.qhat, w.retrieved.alpha) == (
            seen['chunks'],
            seen['tokens'],
            seen['qhat'],
            w.alpha,
        )


# ---- asking


def test_an_answer_comes_in_pieces_while_the_rest_goes_on(questions, retriever):
    go, seen = threading.Event(), []

    def answer(query, found):
        yield f'{len(found)} '
        assert go.wait(30)
        yield query

    w = AlphaExplorer(retriever, questions[1], alpha=0.2, answer=answer)
    w.observe(lambda c: seen.append(c.new), 'reply')
    n, writer = len(w.retrieved), w.ask()
    assert w.ask() is writer  # one answer at a time
    w.alpha, w.query = 0.05, questions[3].text  # the slider and the box are free
    assert w.view['query'] == questions[3].text
    go.set()
    writer.join(30)
    assert w.reply == dict(
        text=f'{n} {questions[1].text}',
        query=questions[1].text,
        alpha=0.2,
        chunks=n,
        unit='chunk',
        running=False,
        error='',
    )
    assert [r['text'] for r in seen if r['running']][:2] == ['', f'{n} '] and seen[0]['running']


@pytest.mark.parametrize('window, said', [(10**6, 'reads'), (40, 'guarantee does not hold')])
def test_what_a_model_would_read_is_said_before_it_begins(
    questions, quoter, window, said, retriever
):
    class Words:
        name, context_window = f'words of {window}', window

        def count_tokens(self, texts):
            return [len(text.split()) for text in texts]

        def stream(self, prompt, max_new_tokens, stop):
            yield from ('it ', 'depends')

    w, seen = (
        AlphaExplorer(retriever, questions[1], alpha=0.2, quoter=quoter, llm=Words()),
        [],
    )
    w.observe(lambda change: seen.append(change.new), 'reply')
    w.ask().join(30)
    told = [r for r in seen if r['running'] and 'forecast' in r]
    assert (
        told[0]['text'] == ''
        and said in told[0]['forecast']
        and w.reply['forecast'] == told[0]['forecast']
        and not w.reply['error']
    )
    assert 'chunks' in w.reply['forecast'] and w.reply['forecast'] in w.to_html()
    w.unit = 'sentences'
    w.ask().join(30)
    assert 'quoted sentences' in w.reply['forecast']


def test_an_answer_can_be_stopped_and_can_fail(questions, retriever):
    first = threading.Event()

    def endless(query, found):
        while True:
            first.set()
            yield 'on and '

    w = AlphaExplorer(retriever, questions[1], answer=endless)
    writer = w.ask()
    assert first.wait(30)
    w._message({'type': 'stop'})
    writer.join(30)
    assert not writer.is_alive() and not w.reply['running'] and not w.reply['error']

    def broken(query, found):
        raise RuntimeError(HOSTILE)

    w = AlphaExplorer(retriever, questions[1], answer=broken)
    w.ask().join(30)
    assert w.reply['error'] == f'No answer (RuntimeError): {HOSTILE}' and not w.reply['running']
    with pytest.raises(ValueError, match='nobody to ask'):
        AlphaExplorer(retriever, questions[1]).ask()


def test_the_browsers_button_brings_its_question(questions, retriever):
    w = AlphaExplorer(retriever, questions[1], answer=lambda q, found: [q])
    w._message({'type': 'ask', 'query': questions[5].text, 'alpha': 0.3})
    w._thread.join(30)
    assert (w.query, w.alpha, w.reply['text'], w.reply['alpha']) == (
        questions[5].text,
        0.3,
        questions[5].text,
        0.3,
    )
