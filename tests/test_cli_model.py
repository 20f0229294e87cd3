"The `conflare` command with a language model that writes and judges: thirty documents, calibrated without a human."

import re, shutil
import pandas as pd, pytest
from command import conflare, conflare_here
from conflare_nb.retrieval.calibration import Calibration
from conflare_nb.labels.question_store import kept_questions
from conflare_nb.labels.files import load_questions
from conflare_nb.labels.guide import sample_path
from conflare_nb.documents.store import KnowledgeBase

pytestmark = pytest.mark.model


@pytest.fixture(scope='module')
def thirty(tmp_path_factory):
    "Thirty documents and nothing else."
    docs = tmp_path_factory.mktemp('thirty')
    for p in sorted((sample_path() / 'documents').glob('*'))[:30]:
        shutil.copy(p, docs)
    return docs


@pytest.fixture(scope='module')
def calibrated(thirty):
    "One command, no human: what it said."
    r = conflare('calibrate', thirty, '-n', 3, '--seed', 1)
    assert r.returncode == 0, r.stderr
    return r.stdout


def test_thirty_documents_are_calibrated_by_one_command_without_a_human(thirty, calibrated):
    for said in (
        r'3 questions kept of \d+ sentences asked about; smollm2 was called \d+ times',
        r'^  kept +3 ',
        r'^  answer not in the chunk +\d+   e\.g\. ',  # what was filtered
        r'Judge likelihood.*: accepts the chunk that a question was written from in \d of 3',
    ):
        assert re.search(said, calibrated, re.M), calibrated
    cal = Calibration.load(thirty / '.conflare' / 'calibration.json')
    assert cal.n == 3 and cal.source == 'questions by smollm2'
    assert cal.judge.startswith('likelihood/1 smollm2 ')
    shown = f'qhat = {cal.qhat(0.2):.4f} at alpha=0.2'
    assert shown in calibrated or 'qhat is infinite at alpha=0.2' in calibrated


def test_nothing_is_paid_for_twice(thirty, calibrated):
    r = conflare_here('calibrate', thirty, '-n', 3, '--seed', 1)
    assert 'smollm2 was called 0 times' in r.stdout
    assert r.stdout.splitlines()[-4:] == calibrated.splitlines()[-4:]


def test_questions_are_written_for_a_review(thirty, calibrated, tmp_path):
    made = tmp_path / 'made.csv'
    r = conflare_here('calibrate', thirty, '-n', 3, '--seed', 1, '--review', made)
    assert r.returncode == 0, r.stderr
    with pytest.raises(ValueError, match='a person writes yes or no under "keep"'):
        load_questions(made)  # a draft
    draft = pd.read_csv(made, dtype=str)
    assert len(draft['passage'].dropna()) == 3
    advised = f'conflare calibrate {thirty} --questions {made}'
    assert r.stdout.rstrip().endswith(advised)
    draft.assign(keep='yes').to_csv(made, index=False)
    made = load_questions(made)
    kept = kept_questions(KnowledgeBase.open(thirty / '.conflare'))
    assert [q.text for q in made] == [q.text for q in kept]
    assert all(q.answer and q.document for q in made)
