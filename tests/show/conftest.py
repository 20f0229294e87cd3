"What the explorers' tests share: eight documents of the sample, calibrated, and what a page holds."

import json
import pytest
from conflare_nb import ConformalRetriever, KnowledgeBase, calibrate, sample_documents, sample_questions


@pytest.fixture(scope='session')
def kb(tmp_path_factory):  # not to be changed
    folder = tmp_path_factory.mktemp('kb')
    return KnowledgeBase.create(folder, sample_documents()[:8], progress=False)


@pytest.fixture(scope='session')
def questions(kb):
    return [q for q in sample_questions() if q.document in kb.documents()]


@pytest.fixture(scope='session')
def calibrated(kb, questions):  # (score) -> `Calibration`, by every second question
    made = {}

    def by(score):
        if repr(score) not in made:
            made[repr(score)] = calibrate(kb, questions[::2], progress=False, score=score)
        return made[repr(score)]

    return by


@pytest.fixture(scope='session')
def cal(kb, questions):
    return calibrate(kb, questions[::2], progress=False)


@pytest.fixture(scope='session')
def retriever(kb, cal):
    return ConformalRetriever(kb, cal)


@pytest.fixture(scope='session')
def state_of():  # (page) -> what the script of a page is given
    def read(page):
        return json.loads(page.split('<script type="application/json">')[1].split('</script>')[0])

    return read
