"Each failure signature and each of its causes is provoked on real parts and found; where all is well, none is."

from dataclasses import replace
from functools import lru_cache
from itertools import product
import re, numpy as np, pytest
from conflare_nb.conformal.clusters import design_effect
from conflare_nb.conformal.guarantee import Audited, Marginal
from conflare_nb.labels.labeling import share_interval
from conflare_nb import Calibration, ConformalRetriever, Distance, Document, Hybrid, KnowledgeBase, Question, calibrate
from conflare_nb import conformal_quantile, covered, diagnose, label_questions, rank_questions
from conflare_nb.evidence.audit import Audit
from conflare_nb.evidence.evaluation import Rankings
from conflare_nb.documents.reading import Section
from conflare_nb.evidence.diagnosis import Diagnosis, _bunch_effects, _context_causes, _deep, _example, is_right
from conflare_nb.evidence.diagnosis import _find_unanswerable, _miss_facts, _p_misses, _p_unanswerable
from conflare_nb.models.local import TransformersLLM
from conflare_nb.answers.rag import rag_prompt
from conflare_nb.documents.store import hits_of

HOSTILE = '<img src=x onerror=alert(1)>\x1b[31m'
PLACES = dict(
    zip(
        'cough syrup,eye drops,plasters,thermometer,bandages,nose spray,vitamin tablets,hand cream,'
        'ear wax oil,travel tablets'.split(','),
        'in the blue cupboard,on the top shelf,in the fridge,behind the counter,in the cellar,'
        'in the green box,under the window,in the hall,by the door,in the attic'.split(','),
    )
)
THINGS = list(PLACES)


class Window:
    "The real model with another window; it counts what it is asked."

    def __init__(self, llm, size):
        self.llm, self.name, self.context_window, self.calls = llm, llm.name, size, 0

    def __getattr__(self, name):
        self.calls += name == 'stream'
        return getattr(self.llm, name)


def look(retriever, questions, llm=None, **kwargs):
    return diagnose(retriever, llm, questions, progress=False, **kwargs)


def causes(finding):
    return [c.name for c in finding.causes]


def lost(n):
    return [Question(f'l{i}', f'What does clause {i} say?', 'no such words') for i in range(n)]


@pytest.fixture(scope='module')
def llm():
    return TransformersLLM('smollm2')


@pytest.fixture(scope='module')
def calibrated(kb, questions):  # the calibration that a choice of questions would give
    found = {}

    def of(chosen, score=Hybrid()):
        if score not in found:
            labels = label_questions(kb, questions, progress=False, score=score)
            found[score] = {label.question: label for label in labels}
        mine = tuple(found[score][q.id] for q in chosen)
        return Calibration([l.score for l in mine], kb.fingerprint(), labels=mine, score=score)

    return of


@pytest.fixture(scope='module')
def house(embedder, tmp_path_factory):  # ten things, and where they are
    docs = [Document(t, t, (Section('Where', f'The {t} is kept {p}.'),)) for t, p in PLACES.items()]
    return KnowledgeBase.create(tmp_path_factory.mktemp('house'), docs, embedder, progress=False)


def where(form, n=10):
    some = list(PLACES.items())[:n]
    return [Question(f'{form} {t}', form.format(t), p, document=t) for t, p in some]


@pytest.fixture(scope='module')
def known(house):
    return calibrate(house, where('Where do I find the {}?'), progress=False)


@pytest.mark.parametrize('documents, each, icc', [(50, 11, 0.1), (10, 20, 0.1), (10, 20, 0.3)])
def test_a_failure_is_seen_once_in_twenty_where_questions_share_documents(documents, each, icc):
    "By the law of independent questions in 8%, 12% and 20%."
    rng, times = np.random.default_rng(3), 500
    about = tuple(f'{i // each}' for i in range(documents * each))
    called = []
    for _ in range(times):
        hard = rng.normal(size=(2, documents)).repeat(each, 1)
        ours, theirs = 5 + icc**0.5 * hard + (1 - icc) ** 0.5 * rng.normal(size=hard.shape)
        cal = Calibration(ours, {}, documents=about)
        misses = int((theirs > cal.qhat(0.1)).sum())
        called.append(_p_misses(misses, cal, theirs, cal.clusters, 0.1) <= 0.05)
    assert np.mean(called) < 0.05 + 3 * (0.05 * 0.95 / times) ** 0.5


def test_all_is_well(kb, halves, calibrated):
    some, r = halves[1][::5], ConformalRetriever(kb, calibrated(halves[0]), 0.2)
    d = look(r, some)
    assert not d.misses.found and not d.context.found and d.wrong is None and not d.misses.causes
    assert 'YES' not in str(d) and 'cause' not in str(d)
    assert 'example' not in str(d) and d.misses.examples
    c = d.misses.counts
    assert c['questions'] == len(some) and f'{c["misses"]} of {len(some)} (' in d.misses.summary
    assert c['misses'] == sum(list(c.values())[3:])  # each has one cause
    for x in d.misses.examples:
        best = hits_of(r.cal.score.rank(kb, x['question'], 3))
        sides = ['within' if chunk.score <= r.qhat else 'beyond' for chunk in best]
        assert [line.split(':')[0] for line in x['chunks']] == sides
        assert all(f'share {c.score:.3f}' in line for line, c in zip(x['chunks'], best))
    assert d.misses.examples
    sizes = [len(r.retrieve(q.text)) for q in some]
    assert d.context.counts['chunks'] == pytest.approx(np.mean(sizes))


@pytest.mark.parametrize('share', [0.12, 0.2])
def test_unanswerable_questions_do_not_raise_false_alarms(share):
    "Two sets of one kind, 200 questions each."
    n, alpha, runs, rng = 200, 0.1, 1000, np.random.default_rng(1)
    alike = lru_cache(None)(_p_unanswerable)

    @lru_cache(None)
    def law(misses, m, n, alpha):
        return _p_misses(misses, Calibration(np.arange(n), {}), np.arange(m), (), alpha)

    def draw():
        return np.where(rng.uniform(size=n) < share, np.inf, rng.uniform(size=n))

    apart, gone = [], []
    for _ in range(runs):
        before, here = draw(), draw()
        calibrate_on, test_on = before[np.isfinite(before)], here[np.isfinite(here)]
        missed = int((~covered(test_on, conformal_quantile(calibrate_on, alpha))).sum())
        apart.append(law(missed, test_on.size, calibrate_on.size, alpha) <= 0.05)
        gone.append(alike(n - test_on.size, n, n - calibrate_on.size, n) <= 0.05)
    most = 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5
    assert np.mean(apart) < most and np.mean(gone) < most


def test_as_many_unanswerable_questions_as_in_calibration_are_no_finding(kb, halves):
    ours, theirs = halves[0][:80] + lost(12), halves[1][:50] + lost(20)[12:]
    cal = calibrate(kb, ours, progress=False)
    found = look(ConformalRetriever(kb, cal, 0.2), theirs).unanswerable
    assert not found.found and found.counts['unanswerable'] == 8 and '12 of 92' in found.summary
    bare = Calibration(cal.scores, cal.fingerprint, score=cal.score)
    found = look(ConformalRetriever(kb, bare, 0.2), theirs + lost(12)).unanswerable
    assert not found.found and 'is not known' in found.summary
    counted = calibrate(kb, ours, progress=False, unanswerable='include')
    found = look(ConformalRetriever(kb, counted, 0.3), theirs).unanswerable
    assert '12 of 92' in found.summary
    facts = _miss_facts(counted, rank_questions(kb, theirs[:9], progress=False))
    outside = sum(l.rank is None and not l.unanswerable for l in counted.labels)
    assert facts['outside_before'] == outside  # known to answer and out of the pool
    assert _p_unanswerable(2, 2, 0, 2) == pytest.approx(1 / 6) and _p_unanswerable(0, 9, 3, 9) == 1


def test_answers_that_stand_deep(kb, halves, calibrated):
    "The known section is another one: the right chunk is not where the similarity puts it."
    first, second = halves
    pairs = zip(second[::6], second[100::6])
    wrong = [replace(q, answer='', sections=r.sections) for q, r in pairs]
    misses = look(ConformalRetriever(kb, calibrated(first, Distance()), 0.1), wrong).misses
    assert misses.found and causes(misses)[0] == 'unreliable ranking'
    for example in misses.examples:
        assert 'the answering chunk has rank' in example['what']
        assert 'cosine distance' in example['what']
    assert misses.counts['outside the pool'] == 0  # the distance looks at every chunk
    pooled = look(ConformalRetriever(kb, calibrated(first), 0.1), wrong).misses
    assert {'unreliable ranking', 'outside the pool'} <= set(causes(pooled))


def test_an_answering_chunk_that_the_score_does_not_look_at(kb, halves, calibrated):
    "Known to answer and outside the pool is told from: known to nobody."
    narrow, (first, second) = Hybrid(pool=1), halves
    easy = [q for q in first if q.kind == 'name']  # few of them lie outside
    cal, test = calibrated(easy, narrow), rank_questions(kb, second, progress=False, score=narrow)
    beyond = int(np.isinf(test.scores).sum())
    both = look(ConformalRetriever(kb, cal, 0.1), [*second, *lost(3)])
    assert both.misses.counts['outside the pool'] == beyond > 20
    assert both.unanswerable.counts['unanswerable'] == 3
    cause = next(c for c in both.misses.causes if c.name == 'outside the pool')
    assert cause.count == beyond and '(pool=1)' in cause.why and 'larger pool' in cause.advice
    before = sum(l.rank is None for l in cal.labels)
    assert f'{before} of {cal.n} questions' in cause.why and before > 2
    # too many outside: the pool is retrieved, and that is what is found
    whole = look(ConformalRetriever(kb, calibrated(first, narrow), 0.1), second)
    outside = whole.misses.counts['outside the pool']  # of them nothing is retrieved that answers
    assert whole.misses.counts['misses'] == outside > 0
    assert 'the threshold is infinite: the whole pool is retrieved' in whole.misses.summary
    assert [f.name for f in whole.findings if f.found] == ['context too large']
    # the remedy that is advised
    wide = look(ConformalRetriever(kb, calibrated(first), 0.05), second).misses
    assert wide.counts['outside the pool'] == 0 and wide.counts['misses'] < beyond


def test_rank_five_is_ranked_well_and_a_chunk_at_the_threshold_is_within(kb, halves, calibrated):
    assert _deep([1, 5, 6, None, np.inf]) == '1 of 3'
    retriever = ConformalRetriever(kb, calibrated(halves[0]), 0.3)
    test = rank_questions(kb, halves[1], progress=False, score=Hybrid())
    fifth = np.flatnonzero((test.ranks == 5) & (test.scores > retriever.qhat))
    misses = look(retriever, [test.questions[i] for i in fifth]).misses
    assert misses.counts['calibration not representative'] == misses.counts['misses'] == fifth.size > 0
    asked = halves[1][0]
    second = hits_of(Hybrid().rank(kb, asked.text, 3))[1].score
    at = Calibration(np.full(20, second), kb.fingerprint(), score=Hybrid())
    lines = _example(ConformalRetriever(kb, at, 0.1), asked, '')['chunks']
    assert [line.split(':')[0] for line in lines] == ['within', 'within', 'beyond']


def test_infinite_thresholds(kb, halves, calibrated):
    cal, forty = calibrated(halves[0]), calibrated(halves[0][:40])
    lost = replace(forty, scores=np.where(np.arange(40) < 10, np.inf, forty.scores))
    for cal, guarantee, why in (
        (calibrated(halves[0][:8]), Marginal(), '8 questions are too few'),
        (lost, Marginal(), 'for 10 of 40'),
        (cal, Audited(Audit(100, 30, 200)), 'this judge cannot support'),
    ):
        found = look(ConformalRetriever(kb, cal, 0.1, guarantee), halves[1][:4]).context
        assert found.found and causes(found) == ['infinite threshold']
        assert why in found.causes[0].why and 'at least 9' in found.causes[0].advice


def test_one_in_twenty_may_overflow_and_half_of_the_others_may_be_blocked(house, known):
    test = rank_questions(house, where('Where is the {}?'), progress=False)
    retriever, place = ConformalRetriever(house, known, 0.2), np.arange(20)
    assert _context_causes(retriever, test, place, place < 1) == ()
    fit = np.where(place < 1, 0, 5)[:10]  # not even the best fits for one of two
    (cause,) = _context_causes(retriever, test, fit, place[:10] < 2)
    assert cause.name != 'window too small'


def test_alpha_too_small(kb, halves, calibrated, llm):
    cal, some = calibrated(halves[0], Distance()), halves[1][::12]

    def at(alpha):
        return look(ConformalRetriever(kb, cal, alpha), some, Window(llm, 5000), answers=0)

    d = at(0.02)
    assert d.context.found and causes(d.context) == ['alpha too small']
    assert 'guarantee is lost' in d.context.summary and d.wrong.counts['asked'] == 0
    wider = float(d.context.causes[0].why.split('alpha=')[1].split()[0])
    assert 0.02 < wider <= 0.3
    assert not at(wider).context.found and at(wider - 0.01).context.found  # the smallest that helps


def test_bunched_scores_and_a_small_window(embedder, llm, tmp_path):
    "Forty leaflets that hardly differ, and questions that do not say which is meant."
    docs, asked = [], []
    names = product('Ann Bob Eve Tom'.split(), 'Hill Lee Ray Cox Fry Day May Kay Roy Poe'.split())
    for i, (a, b) in enumerate(names):
        cold = f'below {i + 1} degrees'
        text = f'It is to be kept {cold}. ' + 'Shake it well before every use. ' * 4
        docs.append(Document(f'{i}', 'Batch', (Section('Storage', text),)))
        ask = f'{a} {b}: how cold is it to be kept?'
        asked.append(Question(f'{i}', ask, cold, document=f'{i}'))
    kb = KnowledgeBase.create(tmp_path, docs, embedder, progress=False)
    retriever = ConformalRetriever(kb, calibrate(kb, asked[::2], progress=False), 0.1)
    d = look(retriever, asked[1::2], Window(llm, 600), answers=0)
    assert d.context.found and causes(d.context) == ['bunched scores']
    assert 'scores bunch' in d.context.causes[0].why
    assert d.context.counts['over'] > 10 and 'chunks do not fit' in d.context.examples[0]['what']
    small = look(retriever, asked[1::2], Window(llm, 200), answers=0)
    assert causes(small.context) == ['window too small']


REPLIES = '''\
in the morning = Take it in the morning. | morning | in the morning [3]
in the morning ≠ the evening
75 mg = about 75 MG
75 mg ≠ 175 mg | about [75] mg
75 mg once daily ≠ 150 mg once daily
dry place = dry room
yes ≠ | yesterday
no ≠ I don't know'''


@pytest.mark.parametrize('line', REPLIES.splitlines())
def test_right_answers(line):
    known, sign, replies = re.split(' ([=≠]) ?', line)
    for reply in replies.split('|'):
        assert is_right(reply.strip(), known) == (sign == '='), reply


def test_left_out(house, known, llm):
    "Asked for one thing, known to be answered where another is: retrieved with all the rest, and far from the top."
    pairs = zip(where('{}', 4), reversed(THINGS))
    far = [replace(q, text=f'Where do I keep the {other}?') for q, other in pairs]
    prompts = [rag_prompt(q.text, hits_of(house.search(q.text, 1))) for q in far]
    window = Window(llm, max(llm.count_tokens(prompts)) + 48)
    d = look(ConformalRetriever(house, known, 0.05), far, window)
    assert d.context.found and d.wrong.found
    assert causes(d.wrong) == ['left out']
    assert d.wrong.counts['left out'] == window.calls == 4


def test_cannot_read_it_off(house, known, llm):
    "What is known to be the answer does not stand in the chunk that is known to answer."
    answers = 'up north', 'far east', 'down south', 'out west'
    pairs = zip(where('Where can I find the {}?'), answers)
    strange = [replace(q, answer=a, sections=((q.document, 'Where'),)) for q, a in pairs]
    counting = Window(llm, llm.context_window)
    d = look(ConformalRetriever(house, known, 0.2), strange, counting)
    assert d.wrong.found and causes(d.wrong) == ['cannot read it off']
    assert d.wrong.counts['right'] == 0 < d.wrong.counts['asked']
    assert d.context.counts['chunks'] <= 1  # shown alone already: not asked again
    assert counting.calls == d.wrong.counts['asked']


def test_no_control_character_is_shown(embedder, llm, tmp_path):
    section = Section(HOSTILE, f'The piano {HOSTILE} stands in the attic {HOSTILE}.')
    other = Document('b', 'B', (Section('', 'Nothing else.'),))
    docs = [Document('a', f'A {HOSTILE}', (section,)), other]
    kb = KnowledgeBase.create(tmp_path, docs, embedder, progress=False)
    cal = Calibration(np.full(20, 0.1), kb.fingerprint())
    asked = [Question(f'x{i}', f'Where is it {HOSTILE} {i}?', f'attic {HOSTILE}') for i in range(3)]
    d = look(ConformalRetriever(kb, cal, 0.1), asked)
    assert d.misses.found and isinstance(d, Diagnosis)
    assert '\x1b' not in str(d) and 'onerror' in str(d)


def test_a_question_with_a_section_and_no_answer_is_not_asked(house, known, llm):
    asked = where('Where can I find the {}?', 3)
    only = [replace(q, answer='', sections=((q.document, 'Where'),)) for q in asked]
    d = look(ConformalRetriever(house, known, 0.2), only, llm)
    assert d.wrong.counts['asked'] == 0 and not d.wrong.found


def test_what_cannot_be_diagnosed_is_refused(house, known):
    retriever, others = ConformalRetriever(house, known, 0.2), where('Where is the {}?', 3)
    for of, asked, says in [
        (retriever, others + where('Where do I find the {}?', 1), 'not calibrate: 1 of these 4 did'),
        (retriever, [*others, Question('x', 'Why?')], "1 of 4 .* for example 'Why\\?'"),
        (house, others, 'needs a ConformalRetriever; got KnowledgeBase'),
    ]:
        with pytest.raises(ValueError, match=says):
            look(of, asked)


@pytest.mark.parametrize('bunch, before', [(1, 1), (3, 3), (6, 6), (1, 6), (6, 1), (1, 3)])
def test_questions_in_bunches_mislead_neither_an_interval_nor_a_verdict(bunch, before):
    "Sixty questions, all of a bunch alike: the true share is in the interval 9 times in 10, and few false yes."
    rng, kept, yes = np.random.default_rng(0), [], []
    documents = np.repeat(np.arange(60 // bunch), bunch)
    for _ in range(600):
        here = np.repeat(rng.uniform(size=60 // bunch) < 0.15, bunch)
        known = np.repeat(rng.uniform(size=60 // before) < 0.15, before)
        effect = design_effect(here, documents)
        low, high = share_interval(here.sum(), 60, effect)
        kept.append(low <= 0.15 <= high)
        effects = _bunch_effects(here, documents, np.repeat(np.arange(60 // before), before))
        p = _p_unanswerable(here.sum(), 60, known.sum(), 60, effects)
        yes.append(p <= 0.05)
    assert np.mean(kept) >= 0.9 and np.mean(yes) <= 0.05


def test_unanswerable_questions_of_no_document_are_seen_beside_bunches():
    "Twelve of 72 where none of 272 was, though the answerable ones share their documents."
    documents = np.append(np.arange(60) // 2, np.arange(30, 42))
    nothing = np.arange(72) >= 60
    effects = _bunch_effects(nothing, documents, np.arange(272) // 11)
    assert effects[0] == 1 and _p_unanswerable(12, 72, 0, 272, effects) < 1e-3


@pytest.mark.parametrize('each, found', [(1, True), (6, False), (27, False)])
def test_a_calibration_in_bunches_knows_less_of_what_nothing_answers(kb, each, found):
    "16 of 60 are unanswerable here, 6 of 60 were in calibration: that is more, unless its questions are alike."
    documents = tuple(str(i // each) for i in range(54))
    cal = Calibration(np.linspace(0, 1, 54), kb.fingerprint(), score=Distance(), documents=documents, unanswerable=6)
    asked = [Question(f'q{i}', f'Where is the {i}?', sections=(('a', 'b'),)) for i in range(44)]
    ones, some = np.ones(44), np.ones((44, 1))
    test = Rankings(asked, ones, ones, some, some, Distance(), tuple(lost(16)))
    seen = _find_unanswerable(ConformalRetriever(kb, cal, 0.2), test)
    assert seen.found == found and 'too few documents' not in seen.summary.partition('In cal')[0]
    assert ('6 of 60 (10%; too few documents' in seen.summary) == (each == 27)
