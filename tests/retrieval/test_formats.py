"""Files that were written before open as they did, and are saved as they were; but for calibrations of answer sets by
any member, which are refused since what is counted is what is shown.

What tests/data holds was made of the first six documents of the medication guide, of sampled answers of `Parrot`, and of
24 questions of tests/sampled.py. Where a format changes on purpose, its schema gets a new number and these files stay.
"""

import json, math
from pathlib import Path
import pytest
from conflare_nb import Calibration, Distance, sample_questions
from conflare_nb.evidence.audit import Audit
from conflare_nb.traq.sets import TraqCalibration
from conflare_nb.documents.stored import stored_score

DATA = Path(__file__).resolve().parents[1] / 'data'


def written(path):
    return json.loads(path.read_text(encoding='utf-8'))


@pytest.mark.parametrize(
    'kind, name', [(Calibration, 'calibration'), (Audit, 'audit'), (TraqCalibration, 'answer_calibration')]
)
def test_what_is_opened_and_saved_is_the_same_file(kind, name, tmp_path):
    old = DATA / f'{name}.json'
    new = kind.load(old).save(tmp_path / 'new.json')
    assert written(new) == written(old)


def test_a_calibration():
    cal = Calibration.load(DATA / 'calibration.json')
    assert (cal.n, len(cal.labels), cal.source) == (9, 9, 'gold answers, of six documents')
    qhats = [math.inf, 0.7528460428863528, 0.5783838403652305]
    assert cal.qhat([0.1, 0.2, 0.3]).tolist() == qhats
    assert (cal.labels[1].rank, cal.labels[1].chunk) == (4, 'aciclovir.md#0003')
    lost, why = cal.labels[-1], 'no chunk of the knowledge base answers'
    assert (lost.score, lost.rank, lost.chunk, lost.reason) == (math.inf, None, None, why)


def test_a_calibration_still_belongs_to_the_same_documents(few):
    "Documents are read, cut, embedded and identified as they were."
    cal = Calibration.load(DATA / 'calibration.json')
    cal.check(few)
    asked = {q.id: q for q in sample_questions()}
    for label in cal.labels[:-1]:
        found = few.search(asked[label.question].text, label.rank).to_pylist()[-1]
        assert found['id'] == label.chunk
        assert found['distance'] == pytest.approx(label.score, abs=1e-6)


def test_an_audit():
    audit = Audit.load(DATA / 'audit.json')
    assert (audit.judged, audit.too_early, audit.delta) == (5, 0, 0.05)
    audit.check(Calibration.load(DATA / 'calibration.json'))  # it was drawn from these labels
    assert (audit.among, audit.bound) == (5, 0.0)  # all were looked at


def test_a_calibration_of_answer_sets():
    cal = TraqCalibration.load(DATA / 'answer_calibration.json')
    assert stored_score(cal.settings['score']) == Distance()
    assert (cal.n, cal.k, cal.settings['model']) == (24, 6, 'parrot')
    assert cal.settings['sampling']['stop'] == ['\n']
    assert [i for i in range(24) if math.isinf(cal.s_ret[i])] == [3, 23] and math.isinf(cal.s_qa[7])
    assert (cal.s_ret[0], cal.s_qa[0]) == (0.5416666666666666, -3.0)
