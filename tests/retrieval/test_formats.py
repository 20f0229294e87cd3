"""Files that were written before open as they did, and are saved as they were; but for calibrations of answer sets by
any member, which are refused since what is counted is what is shown.

What tests/data holds was made of the first six documents of the medication guide, of sampled answers of `Parrot`, and of
24 questions of tests/sampled.py. Where a format changes on purpose, its schema gets a new number and these files stay.
"""

import gzip, json, math
from pathlib import Path
import pytest
from conflare_nb import Calibration, Distance, sample_questions
from conflare_nb.traq.sampling import AnswerSampler, Sampling, sampled_questions, save_answers
from conflare_nb.evidence.audit import Audit
from conflare_nb.traq.alpha_split import Choice
from conflare_nb.traq.sets import TraqCalibration
from conflare_nb.documents.stored import stored_score
from sampling_worker import Parrot

pytest_plugins = ['kb_fixtures']
DATA = Path(__file__).resolve().parents[1] / 'data'


def written(path):
    return json.loads(path.read_text(encoding='utf-8'))


@pytest.mark.parametrize(
    'kind, name',
    [
        (Calibration, 'calibration'),
        (Audit, 'audit'),
        (Choice, 'choice'),
        (TraqCalibration, 'answer_calibration'),
    ],
)
def test_what_is_opened_and_saved_is_the_same_file(kind, name, tmp_path):
    old = DATA / f'{name}.json'
    new = kind.load(old).save(tmp_path / 'new.json')
    assert written(new) == written(old)


def test_a_calibration():
    cal = Calibration.load(DATA / 'calibration.json')
    assert (cal.n, len(cal.labels), cal.source) == (9, 9, 'gold answers, of six documents')
    assert cal.qhat(0.2) == 0.7528460428863528
    assert cal.qhat(0.3) == 0.5783838403652305
    assert cal.qhat(0.1) == math.inf
    assert (cal.labels[1].rank, cal.labels[1].chunk) == (4, 'aciclovir.md#0003')
    lost = cal.labels[-1]
    assert lost.score == math.inf
    assert lost.rank is None
    assert lost.chunk is None
    assert lost.reason == 'no chunk of the knowledge base answers'


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
    assert audit.judged == 5
    assert audit.too_early == 0
    assert audit.delta == 0.05
    assert audit.labels == '669a1696f0ec9029'
    audit.check(Calibration.load(DATA / 'calibration.json'))  # it was drawn from these labels
    assert audit.bound == pytest.approx(1 - 0.05 ** (1 / 5), abs=1e-12)


def test_a_choice_of_a_share():
    choice = Choice.load(DATA / 'choice.json')
    assert choice.method == 'ranks'
    assert choice.alpha == 0.3
    assert choice.share == 5 / 7
    assert choice.cost == 'clusters'
    assert len(choice.trace) == 8 and min(choice.trace, key=lambda tried: tried[1]) == (5 / 7, 2.25)
    assert choice.ids == tuple(f'q{i}' for i in range(24))


def test_a_calibration_of_answer_sets():
    cal = TraqCalibration.load(DATA / 'answer_calibration.json')
    assert stored_score(cal.settings['score']) == Distance()
    assert cal.n == 24
    assert cal.k == 6
    assert cal.settings['model'] == 'parrot'
    assert cal.settings['sampling']['stop'] == ['\n']
    assert [i for i in range(24) if math.isinf(cal.s_ret[i])] == [3, 23] and math.isinf(cal.s_qa[7])
    assert (cal.s_ret[0], cal.s_qa[0]) == (0.5416666666666666, -3.0)


def lines(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def test_sampled_answers(mine, tmp_path):
    llm = Parrot()
    sampler = AnswerSampler(mine, llm, Sampling(k=3, pool=2), score=Distance())
    head = sampler.load(DATA / 'answers.jsonl.gz')
    assert head['questions'] == ['q001', 'q002']
    assert head['made'] == '2026-11-22'
    assert head['settings'] == sampler.settings()
    asked = [q for q in sample_questions() if q.id in head['questions']]
    sampled = sampled_questions(sampler, asked, progress=False)
    assert llm.calls == 0  # all were known
    assert sampled[0].pool[0].answers.texts == ('What it is', 'What it', 'is')
    again = save_answers(sampler, sampled, tmp_path / 'again.jsonl.gz', made='2026-11-22')
    assert lines(again) == lines(DATA / 'answers.jsonl.gz')


def test_samples_by_distance_are_none_by_another_score(mine):
    with pytest.raises(ValueError, match="score.name .calibrated on 'distance', now 'hybrid'"):
        AnswerSampler(mine, Parrot(), Sampling(k=3, pool=2)).load(DATA / 'answers.jsonl.gz')
