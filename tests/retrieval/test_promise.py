"A promise as data: every kind of it goes through JSON, and says without a sentence whether it holds."

import json, math
from dataclasses import fields, replace
import numpy as np, pytest
from conflare_nb import Alpha, Calibration, ConformalRetriever, Promise, RiskControl, TopKRetriever
from conflare_nb import calibrate
from conflare_nb.evidence.audit import Audit
from conflare_nb.retrieval.risk_control import score_relevant

pytest_plugins = ['kb_fixtures']


def as_data(promise):
    "What another program reads."
    data = json.loads(json.dumps(promise.to_dict(), allow_nan=False))
    assert {field.name for field in fields(Promise)} < set(data)
    assert (data['promised'], data['missing']) == (bool(promise), list(promise.missing))
    assert (data['short'], data['exact']) == (promise.short, str(promise))
    assert data['everything'] == (promise.threshold == math.inf)
    assert data['alpha'] == promise.alpha and data['level'] == 1 - promise.alpha
    return data


SCORES = np.linspace(0, 1, 30)
ONE_DOCUMENT = ('a.md',) * 30


@pytest.mark.parametrize(
    'cal, band',
    [
        (Calibration(SCORES, {}), True),
        (Calibration(SCORES, {}, documents=ONE_DOCUMENT), False),  # too few to say
        (Calibration(np.zeros(30), {}), True),  # ties
        (Calibration(np.where(SCORES > 0.95, np.inf, SCORES), {}), True),  # some out of reach
    ],
)
def test_what_is_not_known_is_none(cal, band):
    data = as_data(cal.promise(Alpha('1/5')))
    assert data['promised'] and not data['everything'] and data['n'] == 30
    known = ['low', 'high'] if band else []
    assert [name for name in ('low', 'high') if data['band'][name] is not None] == known


def test_what_is_missing_is_data(few, mine, questions):
    asked = [question for question in questions if question.document in few.documents()]
    retriever = ConformalRetriever(mine, calibrate(mine, asked, progress=False), 0.2)
    assert as_data(retriever.promise)['promised']
    audited = ConformalRetriever(mine, replace(retriever.cal, judge='x'), 0.2, Audit(1000, 0, 1000))
    assert as_data(audited.promise)['audit']
    mine.delete(asked[0].document)
    gone = as_data(retriever.promise)  # made anew
    assert not gone['promised'] and gone['missing']
    top = as_data(TopKRetriever(mine, 3).promise)
    assert not top['promised'] and top['threshold'] is None and not top['everything']
    relevant = score_relevant(few, asked[:20], progress=False)
    assert as_data(RiskControl(few, relevant, 0.2).promise)['kind'] == 'mean'
