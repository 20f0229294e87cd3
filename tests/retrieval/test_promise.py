"A promise as data: every kind of it goes through JSON, and says without a sentence whether it holds."

import json, math, shutil
from dataclasses import fields, replace
import numpy as np, pytest
from conflare_nb import Alpha, Audited, Calibration, ConformalRetriever, Distance, Document, KnowledgeBase, LateHybrid
from conflare_nb import Promise, RiskControl, TopKRetriever, calibrate, calibrate_quotes
from conflare_nb.documents.reading import Section
from conflare_nb.evidence.audit import Audit
from conflare_nb.retrieval.risk_control import score_relevant


def as_data(promise):
    data = json.loads(json.dumps(promise.to_dict(), allow_nan=False))
    assert {field.name for field in fields(Promise)} < set(data)
    assert (data['promised'], data['missing']) == (bool(promise), list(promise.missing))
    assert (data['short'], data['exact']) == (promise.short, str(promise))
    assert data['status'] == promise.status
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
    assert data['status'] == 'promised' and data['n'] == 30
    known = ['low', 'high'] if band else []
    assert [name for name in ('low', 'high') if data['band'][name] is not None] == known


def test_what_is_missing_is_data(few, mine, asked):
    retriever = ConformalRetriever(mine, calibrate(mine, asked, progress=False), 0.2)
    assert as_data(retriever.promise)['promised']
    audited = ConformalRetriever(mine, replace(retriever.cal, judge='x'), 0.2, Audited(Audit(1000, 0, 1000)))
    assert as_data(audited.promise)['audit']
    mine.delete(asked[0].document)
    gone = as_data(retriever.promise)  # made anew
    assert not gone['promised'] and gone['missing']
    top = as_data(TopKRetriever(mine, 3).promise)
    assert top['status'] == 'nothing' and top['threshold'] is None
    relevant = score_relevant(few, asked[:20], progress=False)
    assert as_data(RiskControl(few, relevant, 0.2).promise)['kind'] == 'mean'


def test_an_infinite_threshold_has_one_rule(few, asked):
    "Whatever made it infinite: all of the knowledge base is given, or nothing is promised."
    for scores in ([0.1] * 8, [0.1] * 15 + [math.inf] * 5):  # too few; too many out of reach
        cal = Calibration(scores, few.fingerprint())
        for score, status in ((Distance(), 'everything'), (LateHybrid(), 'nothing')):
            promise = ConformalRetriever(few, replace(cal, score=score), 0.1).promise
            assert (promise.threshold, promise.status, bool(promise)) == (math.inf, status, False)
            assert as_data(promise)['promised'] is False
            lost = sum(math.isinf(s) for s in scores)
            assert (f'for {lost} of {len(scores)}' in promise.short) == (lost > 0)
        quotes = calibrate_quotes(few, asked[:20], progress=False)
        quotes = replace(quotes, scores=scores, labels=(), documents=())
        assert quotes.promise(0.1).status == 'nothing'
    assert cal.promise(0.5).status == 'promised'


def test_documents_that_were_mended_for_the_questions_are_said(tmp_path, few, asked):
    "A page that is written for a missed question, and the same questions again."
    asked = asked[:30]
    kb = KnowledgeBase.open(shutil.copytree(few.path, tmp_path / 'kb'), few.embedder)
    first = calibrate(kb, asked, progress=False)
    other_judge = replace(first, passages=dict.fromkeys(first.passages, 'other'))  # same documents
    assert calibrate(kb, asked, progress=False, before=other_judge).moved == ()
    worst = asked[int(np.argmax(first.scores))]
    kb.add([Document('faq.md', 'Questions', (Section('', f'{worst.text} {worst.answer}.'),))], progress=False)
    bare = [replace(question, document='', sections=()) for question in asked]
    second = calibrate(kb, bare, progress=False, before=first)
    assert 0 < len(second.moved) < 30 and calibrate(kb, bare, progress=False, before=second).moved == second.moved
    said = str(second.promise(0.2))
    assert f'the answers to {len(second.moved)} calibration question' in said and 'fresh ones' in said
    assert 'fresh ones' not in str(first.promise(0.2))
