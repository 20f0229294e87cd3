"What a calibration says of its own questions is counted by the thresholds of others."

from dataclasses import replace
import numpy as np
import pytest
from conflare_nb import ConformalRetriever, Hybrid, Question
from conflare_nb import sample_calibration, sample_kb, sample_questions
from conflare_nb.evidence.evaluation import Rankings, crossed_table, rank_labels
from conflare_nb.app.report import write_report
from conflare_nb.app.terminal import cost_cells, finding_text

pytest_plugins = ['kb_fixtures']


def ranked(scores, documents, texts):
    "Rankings of which only the scores matter."
    names = zip(range(len(scores)), texts, documents)
    asked = [Question(f'{i}', text, document=document) for i, text, document in names]
    nothing = np.zeros((len(scores), 0))
    return Rankings(asked, np.array(scores), np.ones(len(scores)), nothing, nothing)


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
    said = finding_text(table, 0.1, one.questions)
    assert f', {covers} of' in said and '100.0%' not in said
    assert '(the threshold is infinite: the whole pool is retrieved)' in said


@pytest.mark.parametrize('lost', [0, 20])
def test_a_page_says_how_many_answers_are_within_its_threshold(tmp_path, lost):
    "It said 1-alpha of them also where the threshold is infinite, and 20 of 100 are in no pool."
    kb, asked = sample_kb(), sample_questions()[:100]
    cal = sample_calibration(questions=asked)
    own = rank_labels(kb, cal, asked, progress=False)
    cal = replace(cal, scores=[*cal.scores[lost:], *[np.inf] * lost], labels=(), documents=())
    retriever = ConformalRetriever(kb, cal, 0.1)
    table = crossed_table(own, own, (0.1,), splits=2)
    page = write_report(tmp_path / 'r.html', retriever, own, table).read_text(encoding='utf-8')
    within = int(np.sum(np.isfinite(cal.scores) & (cal.scores <= retriever.qhat)))
    assert f'{within} of the 100 calibration questions have an answer ' in page
    assert (within == 80, 'It is infinite at alpha=0.1' in page) == (lost == 20, lost == 20)
    assert 'At least a share' not in page
