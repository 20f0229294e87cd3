"The explorer without a browser: its numbers against the retriever's, its page, its traits."

import html, json, re, threading
import numpy as np, pytest
from conflare_nb import AlphaExplorer, ByDocument, Calibration, ConformalRAG, ConformalRetriever, Distance, Hybrid
from conflare_nb import Margin, Question, Quoter, Rank, Softmax, TopKRetriever, answering_chunks, calibrate_quotes
from conflare_nb.answers.quotes import QuoteCalibration
from conflare_nb.retrieval.gate import nearest_distances
from conflare_nb.show.alpha import explorer_view
from conflare_nb.show.page import page_alpha
from sampling_worker import Writer


@pytest.fixture(scope='module')
def view(retriever, questions):
    return explorer_view(retriever, questions[1])


def agrees(kb, cal, view, alpha, answers=None):
    found = ConformalRetriever(kb, cal, page_alpha(alpha)).retrieve(view.query)
    seen = view.at(alpha)
    assert (seen['qhat'], seen['chunks'], seen['tokens']) == (found.qhat, len(found), found.tokens)
    if answers is not None:
        assert seen['answered'] == bool(answers & set(found.chunks['id'].to_pylist()))
    return seen


@pytest.mark.parametrize('lost', [0, 3])
@pytest.mark.parametrize(
    'score', [Distance(), Hybrid(), Rank(), Margin(), Softmax(), Hybrid(pool=2)], ids=lambda s: f'{s.name}-{s.pool}'
)
def test_every_alpha_is_what_the_retriever_does(kb, questions, calibrated, score, lost):
    scores = np.append(calibrated(score).scores[lost:], [np.inf] * lost)
    cal = Calibration(scores, kb.fingerprint(), score=score)
    for q in questions[1:6:4]:
        view = explorer_view(ConformalRetriever(kb, cal), q)
        answers = answering_chunks(kb, [q])[0]
        for alpha in [*np.linspace(0.005, 0.995, 16), 1 / (cal.n + 1), 0.5 / (cal.n + 1), 1e-6]:
            seen = agrees(kb, cal, view, alpha, answers)
            r = ConformalRetriever(kb, cal, page_alpha(alpha))
            assert seen['k'] == r.promise.rank
            if np.isfinite(seen['qhat']):
                band = r.promise.band
                assert np.allclose((seen['low'], seen['high']), tuple(band), atol=1e-4)
                assert (seen['high'] == 1) == band.tied
            else:
                assert seen['low'] == seen['high'] == (1 if score.pool is None else None)


def test_chunks_are_the_retrievers(kb, cal, view):
    rows = ConformalRetriever(kb, cal, 0.01).retrieve(view.query).rows()
    names = ('id', 'text', 'score', 'distance', 'p_value')
    for chunk, row in zip(view.chunks, rows):
        assert [chunk[name] for name in names] == [row[name] for name in names]
    pooled = Calibration(cal.scores, cal.fingerprint, score=Hybrid(pool=5))
    everything = explorer_view(ConformalRetriever(kb, pooled), view.query, top_k=10**6)
    tokens = int(everything.lengths[-1])
    assert everything.top(10**6) == dict(chunks=everything.total, tokens=tokens, answered=None)
    assert everything.total < len(kb)  # the pool is smaller
    assert len(everything.state()['lengths']) == everything.total + 1


@pytest.mark.parametrize('score', [Hybrid(), Distance()], ids=lambda s: s.name)
def test_top_k_goes_by_the_ranking_that_is_shown(kb, questions, calibrated, score):
    "A k that is given, and the calibrated one at every alpha, as `TopKRetriever` finds them."
    cal = calibrated(score)
    for q in questions[1:20:9]:
        view = explorer_view(ConformalRetriever(kb, cal), q)
        answers = answering_chunks(kb, [q])[0]
        tops = [(k, TopKRetriever(kb, k, cal)) for k in (1, 3, 5)]
        for alpha in (0.5, 0.2, 0.1, 0.001):
            calibrated_top = TopKRetriever(kb, cal=cal, alpha=alpha)
            assert view.calibrated_k(alpha) == calibrated_top.k
            tops.append((calibrated_top.k, calibrated_top))
        for k, top in tops:
            found = top.retrieve(q.text)
            answered = bool(answers & set(found.chunks['id'].to_pylist()))
            assert view.top(k) == dict(chunks=len(found), tokens=found.tokens, answered=answered)
    assert view.calibrated_k(0.001) == np.inf
    k = view.calibrated_k(0.1)
    assert f'On the same ranking, a calibrated k = {k} takes ' in view.table(alpha=0.1)


def test_without_labels_there_is_no_calibrated_k(kb, cal, questions):
    bare = Calibration(cal.scores, cal.fingerprint, score=cal.score)
    view = explorer_view(ConformalRetriever(kb, bare), questions[1].text)
    assert view.calibrated_k(0.1) is None and view.state()['ks'] is None
    assert view.top(3)['answered'] is None
    assert 'On the same ranking, top-5 takes ' in view.table(alpha=0.1)


def test_an_answer_outside_the_pool_is_said(kb, cal, questions):
    def seen(q, score):
        own = Calibration(cal.scores, cal.fingerprint, score=score)
        return explorer_view(ConformalRetriever(kb, own), q)

    views = ((q, seen(q, Softmax(pool=1))) for q in questions[1:60:2])
    q, view = next((q, v) for q, v in views if not any(c['answers'] for c in v.chunks))
    assert (view.answer_ranks, view.total) == ([], 1) and view.outside >= 1
    assert view.at(0.001)['answered'] is False
    said = f'Chunks that answer but lie outside the pool: {view.outside}.'
    assert said in view.table(alpha=0.1)
    everywhere = seen(q, Distance())
    assert (everywhere.outside, len(everywhere.answer_ranks)) == (0, view.outside)
    assert 'not in the pool' not in everywhere.table(alpha=0.1)


@pytest.mark.parametrize('score', [Distance(), Hybrid()], ids=lambda s: s.name)
@pytest.mark.parametrize('scores', [[], [np.inf], [np.inf] * 3, [0.4], [0.4, 0.4, 0.4], [0.0, 2.0]])
def test_odd_calibrations(kb, scores, score):
    cal = Calibration(scores, kb.fingerprint(), score=score)
    view = explorer_view(ConformalRetriever(kb, cal), 'How long does it keep?')
    for alpha in (0.001, 0.3, 0.5, 0.999):
        agrees(kb, cal, view, alpha)
        json.dumps(view.state(), allow_nan=False)
        view.html(alpha=alpha)


def test_few_texts_keep_the_numbers(view, retriever):
    few = explorer_view(retriever, view.query, max_chunks=3)
    assert len(few.chunks) == 3 and few.at(0.05) == {**view.at(0.05), 'answered': None}
    short = view.state(most=2)
    assert len(short['chunks']) == 2 and short['within'] == view.state()['within']
    found = view.at(0.001)['chunks']
    assert 'and 2 more' in view.table(alpha=0.001, most=found - 2) and found > 2


def test_known_answers(kb, questions, retriever):
    def seen(*sections):
        return explorer_view(retriever, Question('q', questions[1].text, sections=sections))

    assert explorer_view(retriever, questions[1].text).at(0.1)['answered'] is None
    assert (seen().at(0.001)['answered'], seen().answer_ranks) == (False, [])
    every = seen(*{(c['document'], c['heading']) for c in kb.texts()})
    assert every.answer_ranks == list(range(1, every.total + 1))
    assert all(c['answers'] for c in every.chunks)
    assert every.outside == len(kb) - every.total


GRID = [0.5, 0.2, 0.1, 0.05, 0.04, 1 / 3, 2 / 7, 1e-4]
MARKED = 'Marked: sentences that may answer; {} listed, with a promise of their own, {} of them'


@pytest.fixture(scope='module')
def quote_cal(kb, questions):
    return calibrate_quotes(kb, questions[::2], progress=False)


@pytest.fixture(scope='module')
def quoter(kb, quote_cal):
    return Quoter(kb, quote_cal, 0.3)


def listed(kb, cal, alpha, question):
    found = Quoter(kb, cal, page_alpha(alpha)).quote(question.text).listed
    return {(quote.chunk.id, quote.start, quote.end) for quote in found}


def test_a_sentence_is_marked_where_the_quoter_lists_it(kb, cal, questions, quote_cal):
    "At every alpha, on both sides of every rank, with ties and without a finite threshold."
    tied = QuoteCalibration(quote_cal.scores.round(), kb.fingerprint())
    few = QuoteCalibration([0.0, 1.0, 1.0, np.inf], kb.fingerprint())
    none = QuoteCalibration([np.inf] * 3, kb.fingerprint())
    for quotes in (quote_cal, tied, few, none):
        places = np.arange(1, min(quotes.n, 12) + 1) / (quotes.n + 1)
        for question in questions[1:8:3]:
            view = explorer_view(ConformalRetriever(kb, cal), question, quoter=Quoter(kb, quotes))
            for alpha in (*GRID, *places, *(places - 1e-9), *(places + 1e-9)):
                sentences = [(c['id'], *s) for c in view.chunks for s in c['sentences']]
                marked = {(name, start, end) for name, start, end, p in sentences if p > alpha}
                there = listed(kb, quotes, alpha, question)
                assert marked == there and sum(p > alpha for p in view.quoted) == len(there)
            if quotes is none:
                assert len(there) == len(view.quoted) > 3


def test_the_state_holds_the_sentences_in_full(retriever, questions, quoter, view):
    marked = explorer_view(retriever, questions[1], quoter=quoter)
    state = marked.state(most=3)
    assert [c['sentences'] for c in state['chunks']] == [c['sentences'] for c in marked.chunks[:3]]
    assert state["quoted"] == marked.quoted and json.loads(json.dumps(state)) == state
    bare = view.state(most=3)
    assert 'quoted' not in bare and 'sentences' not in bare['chunks'][0]
    del state['quoted'], bare['moved']  # the list of sentences does not move
    for chunk in state['chunks']:
        del chunk['sentences']
    assert state == bare and '<mark>' not in view.table(0.05)


def test_the_table_marks_what_is_listed(kb, retriever, questions, quote_cal, quoter):
    view = explorer_view(retriever, questions[1], quoter=quoter)
    edge = max(p for p in view.quoted if p < 0.5)  # at its own p-value a sentence is not listed
    for alpha, most in ((0.3, 10), (0.05, 2), (0.001, 100), (edge, 10)):
        shown = view.chunks[: min(most, view.at(alpha)['chunks'])]
        texts = {chunk['id']: chunk['text'] for chunk in shown}
        there = listed(kb, quote_cal, alpha, questions[1])
        want = [texts[name][start:end] for name, start, end in there if name in texts]
        table = view.table(alpha, most)
        marks = re.findall('<mark>(.*?)</mark>', table, re.DOTALL)
        assert sorted(map(html.unescape, marks)) == sorted(want)
        assert MARKED.format(len(there), len(want)) in table


def test_a_quoter_for_new_documents_is_refused(kb, questions, retriever, quote_cal):
    with pytest.raises(ValueError, match='slides over thresholds of all questions'):
        AlphaExplorer(retriever, questions[1], quoter=Quoter(kb, quote_cal, guarantee=ByDocument()))


def test_what_it_begins_with(cal, questions, retriever):
    assert AlphaExplorer(retriever).query == cal.labels[0].text
    assert AlphaExplorer(retriever, questions[1].text, questions).view['answer_ranks']


def test_a_page_holds_some_of_the_other_questions(questions, retriever, state_of):
    asked = [*questions[1:9:2], ' ', 'How long does it keep?', 'And for whom?']
    w = AlphaExplorer(retriever, questions[1], questions=asked, alpha=0.2)
    near = nearest_distances(retriever.kb, [label.text for label in retriever.cal.labels])
    views = [explorer_view(retriever, q, nearest=near) for q in asked if q != ' ']
    page, alone = w.to_html(), w.shown.html(alpha=0.2)
    assert page == w.shown.html(alpha=0.2, others=views[1:5])
    data = state_of(page)
    texts = [c['text'] for c in (*data['view']['chunks'], *data['texts'])]
    assert data['view'] == views[0].state(12) and len(texts) == len(set(texts))
    assert not {'scores', 'low', 'n', 'score'} & set(data['others'][0])
    assert [other['query'] for other in data['others']] == [v.query for v in views[1:5]]
    assert len(page) < 2 * len(alone)
    blank = AlphaExplorer(retriever, questions[1], questions=[' '])
    assert blank.to_html() == blank.shown.html()


def test_an_answer_comes_in_pieces_while_the_rest_goes_on(questions, retriever):
    go, seen = threading.Event(), []

    def answer(query, found):
        yield f'{len(found)} '
        assert go.wait(30)
        yield query

    w = AlphaExplorer(retriever, questions[1], alpha=0.2, answer=answer)
    w.observe(lambda c: seen.append(c.new), 'reply')
    n, asked, writer = len(w.retrieved), questions[1].text, w.ask()
    assert w.ask() is writer  # one answer at a time
    w.alpha, w.query = 0.05, questions[3].text  # the slider and the box are free
    assert w.view['query'] == questions[3].text
    go.set()
    writer.join(30)
    about = dict(query=asked, alpha=0.2, chunks=n)
    assert w.reply == dict(text=f'{n} {asked}', **about, running=False, error='')
    assert [r['text'] for r in seen if r['running']][:2] == ['', f'{n} '] and seen[0]['running']


@pytest.mark.parametrize('window, said', [(10**6, 'reads'), (40, 'guarantee does not hold')])
def test_what_a_model_would_read_is_said_before_it_begins(questions, window, said, retriever):
    words, seen = Writer(), []
    words.name, words.context_window = f'words of {window}', window
    answer = ConformalRAG(retriever, words).stream
    w = AlphaExplorer(retriever, questions[1], alpha=0.2, answer=answer)
    w.observe(lambda change: seen.append(change.new), 'reply')
    w.ask().join(30)
    told = next(r for r in seen if r['running'] and 'forecast' in r)
    assert told['text'] == '' and said in told['forecast'] and not w.reply['error']
    assert told['forecast'] == w.reply['forecast'] and 'chunks' in told['forecast']
    assert told['forecast'] in w.to_html()
