"Claims: the theorem's own numbers with ties and without, the brute-force threshold, labels, files and hostile text."

import json, math
from dataclasses import replace
import numpy as np, pytest
from conflare_nb.conformal.guarantee import Audited, MeanRisk
from conflare_nb import Document, KnowledgeBase
from conflare_nb.answers.claims import ClaimCalibration, ClaimFilter, LabelledAnswer, back_claims, calibrate_claims
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.reading import Section
from conflare_nb.evidence.audit import Audit, draw_audit

ANY = MeanRisk('any')


def drawn(rng, n, digits, share=0.3):
    "(supports, labels) of n answers of one to six claims; supported ones have more support."
    supports, supported = [], []
    for _ in range(n):
        labels = rng.random(rng.integers(1, 7)) > share
        supports.append(np.round(rng.normal(labels, 1), digits).tolist())
        supported.append(labels.tolist())
    return supports, supported


def losses(supports, supported, threshold):
    "(any, share) of one answer."
    kept = [label for x, label in zip(supports, supported) if x > threshold]
    wrong = kept.count(False)
    return wrong > 0, wrong / max(len(kept), 1)


@pytest.mark.parametrize('digits', [12, 0])
@pytest.mark.parametrize('alpha', [0.1, 0.25])
def test_the_loss_of_a_new_answer_keeps_to_alpha(digits, alpha):
    rng = np.random.default_rng([digits, round(100 * alpha)])
    n, found = 39, []
    for _ in range(1000):
        supports, supported = drawn(rng, n + 1, digits, share=0.6)
        cal = ClaimCalibration(supports[:n], supported[:n], {})
        new = supports[n], supported[n]
        thresholds = [cal.threshold(alpha, MeanRisk(loss)) for loss in ('any', 'share')]
        found.append([losses(*new, threshold)[i] for i, threshold in enumerate(thresholds)])
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / math.sqrt(1000)
    assert (mean <= alpha + 3 * error).all()
    # without ties, and an unsupported claim in nearly every answer, the theorem is exact to 1/(n+1)
    if digits:
        assert mean[0] >= alpha - 1 / (n + 1) - 3 * error[0]


@pytest.mark.parametrize('seed', range(20))
def test_thresholds_are_those_of_the_definitions(seed):
    rng = np.random.default_rng(seed)
    supports, supported = drawn(rng, 30, seed % 2)
    cal = ClaimCalibration(supports, supported, {})
    rows = list(zip(supports, supported))
    worst = [max([x for x, ok in zip(*row) if not ok], default=-np.inf) for row in rows]
    grid = sorted({-math.inf, *(x for row in supports for x in row)})
    for alpha in (0.05, 0.1, 0.3):
        k = math.ceil(31 * (1 - alpha) - 1e-9)
        expected = sorted(worst)[k - 1] if k <= 30 else math.inf
        assert cal.threshold(alpha) == expected
        every = [[losses(*row, t)[1] for t in grid] for row in zip(supports, supported)]
        largest = np.maximum.accumulate(np.array(every)[:, ::-1], axis=1)[:, ::-1]
        fits = (largest.sum(axis=0) + 1) / 31 <= alpha + 1e-12
        assert cal.threshold(alpha, MeanRisk('share')) == (grid[np.argmax(fits)] if fits.any() else math.inf)


def highest_wrong(row, labels):
    return max((support for support, ok in zip(row, labels) if not ok), default=-math.inf)


def test_an_audited_judge_that_misses_claims_still_keeps_the_promise():
    rng = np.random.default_rng(1)
    n, alpha, lost = 400, 0.2, []
    for _ in range(150):
        supports, supported = drawn(rng, n + 1, 9, share=0.5)
        judged = [[ok or rng.random() < 0.05 for ok in row] for row in supported]
        cal = ClaimCalibration(supports[:n], judged[:n], {})
        seen = [(supports[i], supported[i], judged[i]) for i in draw_audit(range(n), 300)]
        early = sum(highest_wrong(row, ok) > highest_wrong(row, said) for row, ok, said in seen)
        audit = Audit(300, early, n)
        assert early > 0
        threshold = cal.threshold(audit.alpha_left(alpha))
        lost.append(losses(supports[n], supported[n], threshold)[0])
        assert cal.promise(alpha, Audited(audit, ANY)).alpha == alpha
    assert np.mean(lost) <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / 150)


LEAFLET = (Chunk('eye#0', 'eye.md', 'Eye drops', 'Use', text='Wait 15 minutes. Do not share the bottle.'),)


@pytest.fixture(scope='module')
def kb(tmp_path_factory):
    text = LEAFLET[0].text
    documents = [Document('eye.md', 'Eye drops', (Section('Use', text),))]
    return KnowledgeBase.create(tmp_path_factory.mktemp('kb'), documents, progress=False)


@pytest.fixture(scope='module')
def cal(kb):
    answers = [LabelledAnswer(('Wait 15 minutes.',), (True,), LEAFLET)] * 20
    wrong = LabelledAnswer(('Share the bottle.', 'Wait 5 hours.'), (False, False), LEAFLET)
    answers += [wrong] * 10
    return calibrate_claims(answers, kb, source='by hand')


def test_what_the_text_says_has_more_support_than_its_contrary(kb):
    def support(claim):
        return back_claims([claim], LEAFLET, kb.embedder)[0].support

    assert support('Never share the bottle.') > support('You can share the bottle.')
    kind, unkind = (Chunk('b', text=f'{said} the bottle.') for said in ('Share', 'Do not share'))
    same, contrary = (back_claims(['Share the bottle.'], [one], kb.embedder)[0] for one in (kind, unkind))
    assert same.support > contrary.support + 1
    assert support('Wait 15 minutes.') > support('Wait 50 minutes.') > support('Cats purr at night.')


def test_a_filter_keeps_what_is_supported_and_says_its_price(cal, kb):
    found = ClaimFilter(kb, cal, 0.1).filter('Wait 15 minutes. Share the bottle.', LEAFLET)
    assert found.text == 'Wait 15 minutes.'
    assert '33% of these answers are left empty' in str(found.promise)
    assert '<del>Share the bottle.</del>' in found._repr_html_()
    assert ClaimFilter(kb, cal, 0.01).filter('Wait 15 minutes.', LEAFLET).text == ''
    assert ClaimFilter(kb, cal).filter('Wait 15 minutes.', []).text == ''


def test_a_claim_that_ties_is_dropped(cal, kb):
    found = ClaimFilter(kb, cal, 0.1).filter('Wait 5 hours.', LEAFLET)
    assert found.claims[0].support == found.threshold and found.kept == ()
    elsewhere = replace(found, threshold=found.threshold - 1e-7)  # another processor adds in another order
    assert elsewhere.kept == () and len(replace(found, threshold=found.threshold - 1e-5).kept) == 1


def test_an_audited_filter_keeps_less(cal, kb):
    trusting, audited = (ClaimFilter(kb, cal, 0.5, guarantee=a) for a in (ANY, Audited(Audit(30, 12, 30), ANY)))
    assert audited.threshold > trusting.threshold and audited.promise.alpha == 0.5
    assert cal.promise(0.1, Audited(Audit(10, 9, 100), ANY)).rule.startswith('No claim is kept')


def test_another_support_is_refused(cal, kb, monkeypatch):
    monkeypatch.setattr('conflare_nb.answers.claims.SUPPORT_RULE', 0)
    with pytest.raises(ValueError, match='support .calibrated on 1, now 0'):
        ClaimFilter(kb, cal)


def test_a_file_gives_the_same_calibration_and_a_broken_one_is_refused(cal, tmp_path):
    path = cal.save(tmp_path / 'claims.json')
    assert ClaimCalibration.load(path) == cal
    good = json.loads(path.read_text())
    for change in (
        dict(supports=[]), dict(supports=[[1.0]]), dict(supported=[['yes']] * 30), dict(judge=['a']),
        dict(supports=[['x']] * 30), dict(schema='other'), dict(supports=good['supports'][1:]),
        dict(supports=5), dict(fingerprint=[]), dict(supports=[3] * 30), dict(supported=[[1]] * 30),
    ):  # fmt: skip
        path.write_text(json.dumps(good | change))
        with pytest.raises(ValueError, match='claims.json is no calibration of claims'):
            ClaimCalibration.load(path)


def test_hostile_text_is_escaped(cal, kb):
    text = '<script>alert(1)</script> & <b>.'
    found = ClaimFilter(kb, cal, 0.1).filter(text, [Chunk('x', text, text, text, text=text)])
    assert '<script' not in found._repr_html_() and '<b>' not in found._repr_html_()


def test_an_audit_is_of_claims_and_says_nothing_about_shares():
    cal = ClaimCalibration([[0.1, 0.9]] * 50, [[False, True]] * 50, {})
    with pytest.raises(ValueError, match='not by how much the loss'):
        Audited(Audit(50, 0, 50), MeanRisk('share'))
    with pytest.raises(ValueError, match='drawn from the labels of chunks'):
        cal.threshold(0.2, Audited(Audit(50, 0, 50, labels='669a1696f0ec9029'), ANY))
