"What a calibration says of its own questions can fail: it is counted by the thresholds of others."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb.retrieval.calibration import calibrate
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.labels.question import Question
from conflare_nb.evidence.evaluation import Rankings, covered_by_others, crossed_table, rank_labels
from conflare_nb.retrieval.retriever import ConformalRetriever
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.app.terminal import cost_cells, finding_text, first_miss, miss_text

pytest_plugins = ['kb_fixtures']


def ranked(scores, documents, texts):
    "Rankings of which only the scores matter."
    names = zip(range(len(scores)), texts, documents)
    asked = [Question(f'{i}', text, document=document) for i, text, document in names]
    nothing = np.zeros((len(scores), 0))
    return Rankings(asked, np.array(scores), np.ones(len(scores)), nothing, nothing)


def test_each_is_tested_without_what_it_shares_a_document_or_its_words_with():
    rng = np.random.default_rng(0)
    documents = np.array(['', 'a', 'b', 'c', 'd'])[rng.integers(5, size=60)].tolist()
    texts = [f'on {document}, {i}' for i, document in enumerate(documents)]
    texts[5] = texts[17] = texts[41] = 'asked again'
    scores = np.where(rng.uniform(size=60) < 0.05, np.inf, rng.uniform(size=60).round(2))
    one = ranked(scores, documents, texts)
    together = np.eye(60, dtype=bool)
    for i in range(60):
        for j in range(60):
            same = documents[i] and documents[i] == documents[j] or texts[i] == texts[j]
            together[i, j] |= bool(same)
    for _ in range(6):
        together = together @ together  # by way of others
    for alpha in (0.1, 0.3):
        found = covered_by_others(one, alpha).tolist()
        qhats = [conformal_quantile(scores[~together[i]], alpha) for i in range(60)]
        assert found == [bool(score <= qhat) for score, qhat in zip(scores, qhats)]


@pytest.mark.parametrize('hard, missed', [(5, 10), (10, 10), (40, 40), (50, 50)])
def test_the_count_sees_documents_that_the_others_know_nothing_of(hard, missed):
    "By their own threshold nine are missed whatever the scores are; here it is every hard question."
    scores = np.random.default_rng(hard).uniform(size=100) + 10 * (np.arange(100) < hard)
    documents = ['hard'] * hard + [f'{i}' for i in range(100 - hard)]
    one = ranked(scores, documents, [f'{i}' for i in range(100)])
    assert (scores > conformal_quantile(scores, 0.1)).sum() == 9
    found = ~covered_by_others(one, 0.1)
    assert found[:hard].all() and abs(found.sum() - missed) <= 1


def test_the_report_says_by_which_thresholds(kb, questions):
    some = questions[:60]
    cal = calibrate(kb, some, progress=False)
    retriever, own = ConformalRetriever(kb, cal, 0.2), rank_labels(kb, cal, some, progress=False)
    *_, said = miss_text(first_miss(retriever, own, crossed=True))
    missed = int((~covered_by_others(own, 0.2)).sum())
    assert said == (
        f'{missed} of {len(own)} questions are missed, each tested by questions that share neither '
        'its document nor its words, as if its document were new, which costs a few misses more; '
        f'alpha allows {0.2 * len(own):.1f} on average.'
    )
    *_, tested = miss_text(first_miss(retriever, own))  # as if they had not calibrated
    assert 'questions are missed; alpha allows' in tested


@pytest.mark.parametrize('shared, counted', [(2, False), (28, False), (30, True), (60, True)])
def test_misses_are_counted_where_the_count_can_fail(kb, questions, shared, counted):
    "Questions that share nothing miss as many as alpha allows, whatever their scores are."
    cal = calibrate(kb, questions[:60], progress=False)
    scores = np.random.default_rng(0).uniform(size=60) + 10 * cal.qhat(0.2) + 1
    documents = [f'{i // 2 if i < shared else i}' for i in range(60)]
    own = ranked(scores, documents, [question.text for question in cal.scored_labels])
    own = replace(own, ranks=np.full(60, np.inf))
    miss = first_miss(ConformalRetriever(kb, cal, 0.2), own, crossed=True)
    assert (miss.missed is not None) == counted


def test_what_lies_outside_of_the_pool_is_covered_by_no_sentence():
    "By the theorem all 40 are covered, since the whole pool is retrieved; 10 of them are not in it."
    scores = np.where(np.arange(40) < 10, np.inf, np.arange(40) / 40)
    one = ranked(scores, [''] * 40, [f'{i}' for i in range(40)])
    ranks = np.where(np.isinf(scores), np.inf, 1.0)
    deep = np.tile(np.arange(1.0, 4.0), (40, 1))
    one = replace(one, ranks=ranks, chunk_scores=deep, tokens=deep, score=Hybrid())
    each = one.each(np.inf)
    assert each['coverage'].all() and (each['answered'] == np.isfinite(scores)).all()
    assert (one.each(0.5)['answered'] == one.each(0.5)['coverage']).all()
    table = crossed_table(one, one, (0.1,), splits=40)
    threshold = table.iloc[0].to_dict()
    assert (threshold['infinite'], threshold['coverage']) == (1, 1)
    assert abs(threshold['answered'] - 30 / 40) < 0.06  # of 40 draws of 8
    _, covers, band, *_ = cost_cells(threshold)
    assert (covers, band) == (f'{threshold["answered"]:.1%}', 'the whole pool')
    said = finding_text(table, 0.1)
    assert f'covers {covers} of' in said and '100.0%' not in said
    assert '(the threshold is infinite: the whole pool is retrieved)' in said
