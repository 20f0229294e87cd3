"What a calibration says of its own questions is counted by the thresholds of others."

from dataclasses import replace
import numpy as np
from conflare_nb import Hybrid, Question
from conflare_nb.evidence.evaluation import Rankings, crossed_table
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
