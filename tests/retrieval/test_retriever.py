"Retrieval by any score: what is retrieved, its p-values, and top-k beside it."

import math
from dataclasses import replace
import numpy as np, pytest
from conflare_nb.conformal.movable import Movable
from conflare_nb.errors import Refused
from conflare_nb.retrieval.retriever import records_threshold, answer_ranks
from conflare_nb import ConformalRetriever, Distance, Hybrid, Margin, Rank, Softmax, TopKRetriever, calibrate

SCORES = [Hybrid(), Distance(), Rank(), Margin(), Softmax(), Distance(pool=20), Hybrid(pool=None)]


@pytest.fixture(scope='module', params=SCORES, ids=repr)
def cal(request, kb, halves):
    return calibrate(kb, halves[0][::3], progress=False, score=request.param)


@pytest.mark.parametrize('alpha', [0.3, 0.1])
def test_the_set_is_the_threshold_and_the_p_value(kb, cal, halves, alpha):
    retriever = ConformalRetriever(kb, cal, alpha)
    for question in halves[1][::60]:
        found = retriever.retrieve(question.text)
        every = cal.score.rank(kb, question.text)
        inside = every['score'].to_numpy() <= retriever.reach
        assert found.chunks['id'].to_pylist() == every['id'].to_pylist()[: inside.sum()]
        assert ((cal.p_value(every['score'].to_numpy()) > alpha) == inside).all()
        assert found.chunks['rank'].to_pylist() == [*range(1, len(found) + 1)] and not found.closed
        similarity = 1 - found.chunks['distance'].to_numpy()
        assert found.chunks['similarity'].to_numpy() == pytest.approx(similarity)


def test_a_calibrated_k_says_what_it_promises_and_covers(kb, cal, halves):
    top = TopKRetriever(kb, cal=cal, alpha=0.1)
    ranks = answer_ranks(cal)
    places = {q.id: place for place, q in enumerate(halves[0])}
    texts = [halves[0][places[label.question]].text for label in cal.scored_labels]
    assert top.k == np.sort(ranks)[math.ceil(0.9 * (cal.n + 1)) - 1]
    assert top.promise and 'For at least 90% of answerable questions' in top.promise.short
    assert f'{top.k} chunks by {cal.score.name}, calibrated' in top.promise.rule
    for text, rank, label in list(zip(texts, ranks, cal.scored_labels))[::15]:
        found = top.retrieve(text)
        assert (label.chunk in found.chunks['id'].to_pylist()) == (rank <= top.k)
        assert found.alpha == 0.1 and found.promise == top.promise


def test_a_record_without_an_answer_counts_as_infinite():
    "19 records at alpha=.1: the 18th smallest, so one without an answer leaves a threshold and two leave none."
    distances = [i / 20 for i in range(19)]
    for lost, qhat in ((1, 17 / 20), (2, math.inf)):
        found = distances[: 19 - lost] + [None] * lost
        assert records_threshold([dict(cosine_distance=d) for d in found], 0.1) == qhat


@pytest.mark.parametrize('empty', ['', '  ', '\n'])
def test_a_question_without_words_is_refused_by_every_way_in(kb, cal, empty):
    searches = (
        kb.search,
        kb.search_pool,
        lambda text: kb.search_within(text, 0.5),
        lambda text: cal.score.rank(kb, text),
    )
    for ask in (*searches, ConformalRetriever(kb, cal, 0.1).retrieve, TopKRetriever(kb).retrieve):
        with pytest.raises(ValueError) as refused:
            ask(empty)
        assert str(refused.value) == f'a question needs words; got {empty!r}'


@pytest.mark.parametrize('score, off', [(Distance(), 1.4e-7), (Hybrid(), 1.9e-6), (Margin(), 2.8e-7)])
def test_another_processors_rounding_loses_no_question(kb, halves, score, off):
    "Calibrated where every score came out a hair smaller: questions exactly at the threshold are kept."
    cal = calibrate(kb, halves[0][::2], progress=False, score=score)
    there = replace(cal, scores=np.maximum(cal.scores - off, 0), labels=())
    at = [label for label in cal.labels if 0 < label.score < np.inf]
    ranks = np.searchsorted(np.sort(cal.scores), [label.score for label in at], side='right')
    for label, rank in list(zip(at, ranks))[:40]:
        alpha = 1 - (rank - 0.5) / (cal.n + 1)  # the threshold is this question's own score
        retriever = ConformalRetriever(kb, there, alpha)
        assert retriever.qhat < label.score <= retriever.reach
        found = {chunk.id: chunk for chunk in retriever.retrieve(label.text).rows()}
        assert found[label.chunk].p_value > alpha
        assert all((chunk.p_value > alpha) for chunk in found.values())


def test_alpha_is_moved_only_where_that_is_promised(kb, cal, halves):
    question = halves[1][0].text
    moved = ConformalRetriever(kb, cal, 0.05, Movable(0.05, 0.4)).at(0.2)
    found = moved.retrieve(question).chunks
    fixed = cal.p_value(found['score'].to_numpy() - cal.slack)
    assert moved.qhat == cal.qhat(moved.terms.c * 0.2) and min(found['p_value'].to_pylist()) > 0.2
    assert np.allclose(found['p_value'].to_numpy(), np.minimum(fixed / moved.terms.c, 1))
    with pytest.raises(Refused, match='may not become 0.2 after looking'):
        ConformalRetriever(kb, cal, 0.1).at(0.2)
