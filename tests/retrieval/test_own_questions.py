"What a calibration says of its own questions is counted by the thresholds of others."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb import ConformalRetriever, Hybrid, Question, sample_calibration, sample_kb, sample_questions
from conflare_nb.evidence.evaluation import Rankings, crossed_table, rank_labels
from conflare_nb.app.report import Report, write_report
from conflare_nb.conformal.movable import table_band
from conflare_nb.app.terminal import cost_cells, finding_text, found_costs, table_note


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
    some = cost_cells(threshold | dict(infinite=0.9))  # finite by chance in some of the splits
    assert (some[2], threshold['band_low']) == ('the whole pool', 1)
    said = finding_text(table.assign(infinite=0.9), 0.1, one.questions)
    assert f'the whole pool is retrieved, and an answer is in it for {covers} of them' in said


@pytest.mark.parametrize('lost', [0, 20])
def test_a_page_says_how_many_answers_are_within_its_threshold(tmp_path, lost):
    "It said 1-alpha of them also where the threshold is infinite, and 20 of 100 are in no pool."
    kb, asked = sample_kb(), sample_questions()[:100]
    cal = sample_calibration(questions=asked)
    own = rank_labels(kb, cal, asked, progress=False)
    cal = replace(cal, scores=[*cal.scores[lost:], *[np.inf] * lost], labels=(), documents=())
    retriever = ConformalRetriever(kb, cal, 0.1)
    table = crossed_table(own, own, (0.1,), splits=2)
    found = Report(found_costs(table, 0.1), 100, '', table, tmp_path / 'r.html')
    page = write_report(found, retriever, own).read_text(encoding='utf-8')
    within = int(np.sum(np.isfinite(cal.scores) & (cal.scores <= retriever.qhat)))
    assert f'{within} of the 100 calibration questions have an answer ' in page
    assert (within == 80, 'It is infinite at alpha=0.1' in page) == (lost == 20, lost == 20)
    assert 'At least a share' not in page


def test_the_band_beside_random_splits_is_the_thresholds_own():
    "The one of the splits held 1.000 of the true coverages and was .158 wide; this one promises .9."
    chance, held, widths = np.random.default_rng(5), [], []
    for scores in chance.uniform(size=(300, 100)):
        one = ranked(scores, [''] * 100, [f'{i}' for i in range(100)])
        one = replace(one, chunk_scores=scores[:, None], tokens=scores[:, None])
        row = crossed_table(one, one, (0.1,), splits=20).iloc[0]
        held.append(row.band_low <= np.sort(scores)[90] <= row.band_high)  # rank 91 of 100
        widths.append(row.band_high - row.band_low)
    assert abs(np.mean(held) - 0.9) < 4 * 0.0173  # sd sqrt(.9*.1/300)
    assert len(set(widths)) == 1


@pytest.mark.parametrize('promised', [True, False])
def test_a_table_says_that_random_splits_cannot_fail(promised):
    "Whatever the questions are, k/(n+1) of them come out on average."
    one = ranked(np.arange(40.0), [''] * 40, [f'{i}' for i in range(40)])
    one = replace(one, chunk_scores=one.scores[:, None], tokens=one.scores[:, None])
    said = ' '.join(table_note(crossed_table(one, one, splits=2), promised).split())
    assert (f'cover at least {np.floor(1000 * table_band(40, 0.2)) / 10:.1f}% at 0.2' in said) == promised
    assert 'cannot fail, by construction' in said
    assert ('if every label is right' in said, 'same guarantee' in said) == (not promised, promised)
