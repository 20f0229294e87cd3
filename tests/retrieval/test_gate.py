"A gate before a retriever: bound to its calibration, counted in its promise, on the sample and by many splits."

import json, math
from dataclasses import replace
import numpy as np, pytest
from conflare_nb import Audited, Calibration, ConformalRetriever, Distance, Gated, LateHybrid, Question, calibrate
from conflare_nb import calibrate_gate, conformal_quantile, sample_documents, sample_unanswerable
from conflare_nb.evidence.audit import Audit
from conflare_nb.conformal.abstain import gate_threshold, gated_scores
from conflare_nb.labels.guide import sample_path
from conflare_nb.retrieval.gate import Gate, nearest_distances

inf = math.inf


@pytest.fixture(scope='module')
def cal(kb, labels, halves):
    own = {q.id for q in halves[0]}
    mine = tuple(label for label in labels if label.question in own)
    scores = [label.score for label in mine]
    return Calibration(scores, kb.fingerprint(), labels=mine, score=LateHybrid())


@pytest.fixture(scope='module')
def gate(kb, cal):
    return calibrate_gate(kb, cal, progress=False)


@pytest.fixture(scope='module')
def nearest(kb, questions):
    return nearest_distances(kb, [q.text for q in questions])


def test_the_nearest_distance_is_the_same_alone_and_in_a_batch(kb, cal, gate, nearest, questions):
    for i in (0, 100, 543):
        assert nearest[i] == nearest_distances(kb, [questions[i].text])[0]
    where = {q.id: i for i, q in enumerate(questions)}
    assert np.array_equal(gate.nearest, nearest[[where[label.question] for label in cal.labels]])
    ranked = Distance().rank(kb, questions[7].text, 1)
    assert nearest[7] == ranked['distance'][0].as_py()


def test_an_empty_knowledge_base_is_infinitely_far(mine):
    mine.delete(*[d.path for d in sample_documents()[:6]])
    assert len(mine) == 0 and nearest_distances(mine, ['anything'])[0] == inf


def test_it_fits_no_other_calibration(kb, cal, gate, few, halves):
    gate.check(cal)
    first, second, *rest = cal.labels
    for labels in ((second, first, *rest), (replace(first, text='Something else?'), second, *rest)):
        with pytest.raises(ValueError, match='made from other questions'):
            ConformalRetriever(kb, replace(cal, labels=labels), guarantee=Gated(gate))
    with pytest.raises(ValueError, match='kept 0 labels'):
        calibrate_gate(kb, replace(cal, labels=()))
    with pytest.raises(ValueError, match='another knowledge base'):
        gate.check(replace(cal, fingerprint=few.fingerprint()))
    with pytest.raises(ValueError, match='another knowledge base'):
        calibrate_gate(few, cal)


def test_a_gate_closes_by_its_own_share():
    near = np.linspace(0, 1, 249)
    for share, closes in ((None, 5), (0.2, 5), (0.5, 13), (0.0, 0)):
        gate = Gate(near, '', {}, share)
        assert np.sum(near >= gate.threshold(0.1)) == closes  # of the 25 ranks of alpha


def test_questions_set_apart_have_no_part_in_it(kb, halves):
    texts, some = sample_unanswerable('foreign')[:3], halves[0][::20]
    foreign = [Question(f'x{i}', text, 'not in the guide') for i, text in enumerate(texts)]
    apart, plain = (calibrate(kb, [*more, *some], progress=False) for more in (foreign, []))
    gate = calibrate_gate(kb, apart, progress=False)
    assert apart.unanswerable == 3 and gate.nearest.size == apart.n == len(some)
    assert np.array_equal(gate.nearest, calibrate_gate(kb, plain, progress=False).nearest)
    assert ConformalRetriever(kb, apart, guarantee=Gated(gate)).qhat == ConformalRetriever(kb, plain).qhat
    assert Gated(gate).behind(apart, 0.1)[0].unanswerable == 3


def test_closed_and_open(kb, cal, gate):
    free, gated = ConformalRetriever(kb, cal), ConformalRetriever(kb, cal, guarantee=Gated(gate))
    assert free.terms.gate is None and free.qhat <= gated.qhat < inf
    assert free.promise.limits == ()
    for text in sample_unanswerable('foreign')[:5]:
        found, more = gated.retrieve(text), free.retrieve(text)
        assert found.closed and len(found) == 0 == found.tokens and found.rows() == []
        assert 'do not seem to hold an answer' in found.closed and len(more) > 0
        assert 'an answer is retrieved, or the whole pool is' in found.promise.short
        assert found.chunks.schema == more.chunks.schema
    for label in cal.labels[:5]:
        found, more = gated.retrieve(label.text), free.retrieve(label.text)
        assert not found.closed and 'the gate closes beyond' in found.promise.limits[-1]
        assert found.chunks['id'].to_pylist()[: len(more)] == more.chunks['id'].to_pylist()
        assert min(found.chunks['p_value'].to_pylist()) > 0.1
    page = gated.retrieve('<script>alert(1)</script> Why is the moon so far away?')._repr_html_()
    assert '<script>' not in page and '&lt;script&gt;' in page and '<table' not in page
    assert 'Nothing is retrieved.' in page and 'do not seem to hold' in page


def test_an_audit_takes_its_part_first(kb, cal, gate):
    audit = Audit(400, 4, 1000)
    left = audit.alpha_left(0.1)
    retriever = ConformalRetriever(kb, cal, 0.1, Audited(audit, Gated(gate)))
    closes = gate_threshold(gate.nearest, left)
    assert 0 < left < 0.1 and gate.threshold(retriever.terms.left) == closes > gate.threshold(0.1)
    scores = gated_scores(cal.scores, gate.nearest, closes)
    assert retriever.qhat == conformal_quantile(scores, left) and retriever.promise.band.high == 1
    assert 'unless the audit misled' in retriever.promise.short
    assert 'the gate closes beyond' in retriever.promise.limits[-1]
    hopeless = ConformalRetriever(kb, cal, 0.1, Audited(Audit(10, 5, 40), Gated(gate)))
    assert hopeless.qhat == gate.threshold(hopeless.terms.left) == inf
    assert 'cannot support' in hopeless.promise.rule
    assert not hopeless.retrieve('Why is a rainbow round?').closed


def test_the_retriever_does_what_the_numbers_say(kb, cal, gate, halves, labels, nearest):
    retriever = ConformalRetriever(kb, cal, guarantee=Gated(gate))
    where = {label.question: i for i, label in enumerate(labels)}
    for question in halves[1][::7]:
        i = where[question.id]
        found = retriever.retrieve(question.text)
        want = nearest[i] <= gate.threshold(0.1) and labels[i].score <= retriever.qhat
        assert (labels[i].chunk in found.chunks['id'].to_pylist()) == want


@pytest.mark.parametrize('part', ['illnesses', 'foreign'])
def test_the_guide_has_no_word_of_them(part):
    lines = (sample_path() / f'{part}.jsonl').read_text(encoding='utf-8').splitlines()
    rows = [json.loads(line) for line in lines]
    pages = (sample_path() / 'documents').glob('*.md')
    guide = ' '.join(page.read_text(encoding='utf-8') for page in pages).lower()
    for name in ('question', 'absent', 'id'):
        assert len({row[name] for row in rows}) == len(rows) == 40
    assert not [r for r in rows if r['absent'] in guide or r['absent'] not in r['question'].lower()]
