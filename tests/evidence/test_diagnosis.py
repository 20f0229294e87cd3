"Each failure signature and each of its causes is provoked on real parts and found; where all is well, none is."

from dataclasses import replace
from functools import lru_cache
import numpy as np, pytest
from conflare_nb.evidence.audit import Audit
from conflare_nb.retrieval.calibration import Calibration, calibrate
from conflare_nb.labels.labeling import label_questions
from conflare_nb.conformal.threshold import conformal_quantile, covered, empirical_band
from conflare_nb.documents.reading import Document, Section
from conflare_nb.evidence.diagnosis import Diagnosis, _p_misses, _p_unanswerable, diagnose, is_right
from conflare_nb.models.local import TransformersLLM
from conflare_nb.answers.rag import rag_prompt
from conflare_nb.evidence.evaluation import rank_questions
from conflare_nb.retrieval.retriever import ConformalRetriever, TopKRetriever
from conflare_nb.labels.question import Question, split_questions
from conflare_nb.documents.store import KnowledgeBase, chunks_of
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance

pytest_plugins = ['kb_fixtures']
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
    "The real model with another window."

    def __init__(self, llm, size):
        self.llm, self.name, self.context_window = llm, llm.name, size

    def __getattr__(self, name):
        return getattr(self.llm, name)


def look(retriever, questions, llm=None, **kwargs):
    return diagnose(retriever, llm, questions, progress=False, **kwargs)


def causes(finding):
    return [c.name for c in finding.causes]


@pytest.fixture(scope='module')
def llm():
    return TransformersLLM('smollm2')


@pytest.fixture(scope='module')
def halves(questions):
    return split_questions(questions, seed=1)


@pytest.fixture(scope='module')
def calibrated(kb, questions):  # the calibration that a choice of questions would give
    found = {}

    def of(chosen, score=Hybrid()):
        if score not in found:
            labels = label_questions(kb, questions, progress=False, score=score)
            found[score] = {label.question: label for label in labels}
        mine = tuple(found[score][q.id] for q in chosen)
        return Calibration(
            np.array([l.score for l in mine]), kb.fingerprint(), labels=mine, score=score
        )

    return of


@pytest.fixture(scope='module')
def house(embedder, tmp_path_factory):  # ten things, and where they are
    docs = [Document(t, t, (Section('Where', f'The {t} is kept {p}.'),)) for t, p in PLACES.items()]
    return KnowledgeBase.create(tmp_path_factory.mktemp('house'), docs, embedder, progress=False)


def where(form, n=10):
    return [
        Question(f'{form} {t}', form.format(t), p, document=t) for t, p in list(PLACES.items())[:n]
    ]


@pytest.fixture(scope='module')
def known(house):
    return calibrate(house, where('Where do I find the {}?'), progress=False)


# --- misses


@pytest.mark.parametrize('n, m, alpha', [(50, 80, 0.1), (137, 40, 0.2), (20, 200, 0.05)])
def test_the_law_of_misses(n, m, alpha):
    "Scores of one kind are called a failure once in twenty times at most, and just outside the 90% band."
    rng, floor = np.random.default_rng(1), empirical_band(n, alpha, m)[0]
    cal = Calibration(np.arange(n), {})
    law = _p_misses(np.arange(m + 1), cal, np.arange(m), (), alpha)
    assert law[0] == 1
    assert (np.diff(law) <= 1e-12).all()
    assert [p <= 0.05 for p in law].index(True) in (
        m - round(floor * m) + 1,
        m - round(floor * m) + 2,
    )
    draws = [
        int((rng.uniform(size=m) > conformal_quantile(rng.uniform(size=n), alpha)).sum())
        for _ in range(4000)
    ]
    share = np.mean([law[x] <= 0.05 for x in draws])
    assert share < 0.05 + 4 * (0.05 * 0.95 / 4000) ** 0.5 and share > 0.01


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


def test_without_a_finite_rank_no_miss_is_lawful():
    few = Calibration(np.arange(8), {})
    assert [_p_misses(x, few, np.arange(30), (), 0.1) for x in (0, 1, 30)] == [1, 0, 0]


def test_all_is_well(kb, halves, calibrated):
    d = look(ConformalRetriever(kb, calibrated(halves[0]), 0.2), halves[1][::5])
    assert not d.misses.found and not d.context.found and d.wrong is None and not d.misses.causes
    assert repr(d) == 'Diagnosis: nothing found' and 'YES' not in str(d) and 'cause' not in str(d)
    c = d.misses.counts
    assert c['questions'] == len(halves[1][::5])
    assert c['misses'] == c['outside the pool'] + c['deep'] + c['near']
    assert f'{c["misses"]} of {c["questions"]} (' in d.misses.summary


def test_questions_that_nothing_answers(kb, halves, calibrated):
    known, lost = (
        halves[1][::10],
        [Question(f'l{i}', f'What does clause {i} say?', 'no such words') for i in range(20)],
    )
    d = look(ConformalRetriever(kb, calibrated(halves[0]), 0.2), known + lost)
    assert d.unanswerable.found
    assert causes(d.unanswerable) == ['nothing answers']
    assert d.unanswerable.causes[0].count == 20
    assert {x['what'] for x in d.unanswerable.examples} == {'no chunk is known to answer'}
    assert repr(d) == 'Diagnosis: unanswerable questions'
    assert not d.misses.found and d.misses.counts['questions'] == len(known)  # they are no misses
    with pytest.raises(ValueError, match='answers any of these 20'):
        look(ConformalRetriever(kb, calibrated(halves[0]), 0.2), lost)


@pytest.mark.parametrize('share', [0.12, 0.2])
def test_unanswerable_questions_do_not_raise_false_alarms(share):
    "Two sets of one kind, 200 questions each, at alpha=.1: counted as misses they would be taken for a failure in 10% and 96% of the cases."
    n, alpha, runs, rng = 200, 0.1, 1000, np.random.default_rng(1)
    alike = lru_cache(None)(_p_unanswerable)

    @lru_cache(None)
    def law(misses, m, n, alpha):
        return _p_misses(misses, Calibration(np.arange(n), {}), np.arange(m), (), alpha)

    def draw():
        return np.where(rng.uniform(size=n) < share, np.inf, rng.uniform(size=n))

    counted, apart, gone = [], [], []
    for _ in range(runs):
        before, here = draw(), draw()
        found = (here <= conformal_quantile(before, alpha)) & np.isfinite(here)
        counted.append(law(int((~found).sum()), n, n, alpha) <= 0.05)
        calibrate_on, test_on = before[np.isfinite(before)], here[np.isfinite(here)]
        missed = int((~covered(test_on, conformal_quantile(calibrate_on, alpha))).sum())
        apart.append(law(missed, test_on.size, calibrate_on.size, alpha) <= 0.05)
        gone.append(alike(n - test_on.size, n, n - calibrate_on.size, n) <= 0.05)
    most = 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5
    assert np.mean(apart) < most
    assert np.mean(gone) < most
    assert np.mean(counted) > (0.07 if share < 0.15 else 0.9)


def test_as_many_unanswerable_questions_as_in_calibration_are_no_finding(kb, halves):
    lost = [Question(f'l{i}', f'What does clause {i} say?', 'no such words') for i in range(20)]
    cal = calibrate(kb, halves[0][:80] + lost[:12], progress=False)
    d = look(ConformalRetriever(kb, cal, 0.2), halves[1][:50] + lost[12:])
    assert not d.unanswerable.found
    assert d.unanswerable.counts['unanswerable'] == 8
    assert '12 of 92' in d.unanswerable.summary
    bare = look(
        ConformalRetriever(kb, Calibration(cal.scores, cal.fingerprint, score=cal.score), 0.2),
        halves[1][:50] + lost,
    )
    assert not bare.unanswerable.found and 'is not known' in bare.unanswerable.summary
    counted = calibrate(kb, halves[0][:80] + lost[:12], progress=False, unanswerable='include')
    assert (
        '12 of 92'
        in look(
            ConformalRetriever(kb, counted, 0.3), halves[1][:50] + lost[12:]
        ).unanswerable.summary
    )


def test_answers_that_stand_deep(kb, halves, calibrated):
    "The known section is another one: the right chunk is not where the similarity puts it."
    first, second = halves
    wrong = [
        replace(q, answer='', sections=r.sections) for q, r in zip(second[::6], second[100::6])
    ]
    d = look(ConformalRetriever(kb, calibrated(first, Distance()), 0.1), wrong)
    assert d.misses.found
    assert causes(d.misses)[0] == 'unreliable ranking'
    assert 'in calibration' in d.misses.causes[0].why
    assert all(
        'the answering chunk has rank' in x['what'] and 'cosine distance' in x['what']
        for x in d.misses.examples
    )
    assert d.misses.counts['outside the pool'] == 0  # the distance looks at every chunk
    pooled = look(ConformalRetriever(kb, calibrated(first), 0.1), wrong).misses
    assert {'unreliable ranking', 'outside the pool'} <= set(causes(pooled))
    assert pooled.counts['outside the pool'] > 0


def test_an_answering_chunk_that_the_score_does_not_look_at(kb, halves, calibrated):
    "Known to answer and outside the pool is told from: known to nobody."
    narrow, (first, second) = Hybrid(pool=1), halves
    easy = [q for q in first if q.kind == 'name']  # few of them lie outside
    lost = [Question(f'l{i}', f'What does clause {i} say?', 'no such words') for i in range(3)]
    cal, test = calibrated(easy, narrow), rank_questions(kb, second, progress=False, score=narrow)
    beyond = int(np.isinf(test.scores).sum())
    both = look(ConformalRetriever(kb, cal, 0.1), [*second, *lost])
    d = both.misses
    assert d.found
    assert (d.counts['outside the pool'], both.unanswerable.counts['unanswerable']) == (beyond, 3)
    assert beyond > 20
    cause = next(c for c in d.causes if c.name == 'outside the pool')
    assert cause.count == beyond
    assert '(pool=1)' in cause.why
    assert 'larger pool' in cause.advice
    assert 'words' in cause.advice
    before = sum(l.rank is None for l in cal.labels)
    assert f'{before} of {cal.n} questions' in cause.why and before > 2
    assert any('by distance alone it has rank' in x['what'] for x in d.examples)
    whole = look(
        ConformalRetriever(kb, calibrated(first, narrow), 0.1), second
    )  # too many outside: the pool is retrieved, and that is what is found
    outside = whole.misses.counts['outside the pool']  # of them nothing is retrieved that answers
    assert whole.misses.counts['misses'] == outside > 0
    assert f'was not retrieved: {outside} of' in whole.misses.summary
    assert 'the threshold is infinite: the whole pool is retrieved' in whole.misses.summary
    assert repr(whole) == 'Diagnosis: context too large'
    assert 'nothing that answers was found' in str(whole)
    wide = look(
        ConformalRetriever(kb, calibrated(first), 0.05), second
    ).misses  # the remedy that is advised
    assert wide.counts['outside the pool'] == 0 and wide.counts['misses'] < beyond


def test_chunks_are_within_or_beyond_by_the_score(kb, halves, calibrated):
    r = ConformalRetriever(kb, calibrated(halves[0]), 0.3)
    d = look(r, halves[1][::8])
    assert d.context.counts['chunks'] == pytest.approx(
        np.mean([len(r.retrieve(q.text)) for q in halves[1][::8]])
    )
    for x in d.misses.examples:
        best = chunks_of(r.cal.score.rank(kb, x['question'], 3))
        assert len(x['chunks']) == 3
        for line, chunk in zip(x['chunks'], best):
            assert line.startswith('within' if chunk.score <= r.qhat else 'beyond')
            assert f'share {chunk.score:.3f}' in line
    assert d.misses.examples


def test_a_calibration_with_easier_questions(kb, halves, calibrated):
    easy, hard = (
        [q for q in half if q.kind in kinds]
        for half, kinds in zip(halves, (('name',), ('colloquial', 'situation')))
    )
    d = look(ConformalRetriever(kb, calibrated(easy, Distance()), 0.1), hard)
    assert d.misses.found
    assert causes(d.misses)[0] == 'calibration not representative'
    assert 'all scores have moved' in d.misses.causes[0].why
    assert sum(c.count for c in d.misses.causes) == d.misses.counts['misses']
    assert (
        look(ConformalRetriever(kb, calibrated(easy), 0.1), hard).misses.counts['misses']
        < d.misses.counts['misses'] / 2
    )  # less by a score relative to the question
    back = look(
        ConformalRetriever(kb, calibrated(hard, Distance()), 0.1),
        [q for q in easy if q.document not in {h.document for h in hard}][:40],
    )
    assert not back.misses.found  # the other way round nothing is missed


# --- context


def test_infinite_thresholds(kb, halves, calibrated):
    few = look(ConformalRetriever(kb, calibrated(halves[0][:8]), 0.1), halves[1][:4]).context
    assert few.found
    assert causes(few) == ['infinite threshold']
    assert '8 questions are too few' in few.causes[0].why
    assert 'at least 9' in few.causes[0].advice
    cal = calibrated(halves[0][:40])
    lost = replace(cal, scores=np.where(np.arange(40) < 10, np.inf, cal.scores))
    found = look(ConformalRetriever(kb, lost, 0.1), halves[1][:4]).context
    assert causes(found) == ['infinite threshold']
    assert 'for 10 of 40' in found.causes[0].why
    assert 'at least' not in found.causes[0].advice


def test_thresholds_that_an_audit_makes_infinite(kb, halves, calibrated):
    cal = calibrated(halves[0])
    for audit, advice in ((Audit(100, 30), 'surer judge'), (Audit(2000, 175), 'at least')):
        (cause,) = look(ConformalRetriever(kb, cal, 0.1, audit), halves[1][:4]).context.causes
        assert audit.alpha_left(0.1) < 1 / (cal.n + 1)
        assert cause.name == 'infinite threshold'
        assert advice in cause.advice


def test_alpha_too_small(kb, halves, calibrated, llm):
    cal, some = calibrated(halves[0], Distance()), halves[1][::12]
    d = look(ConformalRetriever(kb, cal, 0.02), some, Window(llm, 5000), answers=0)
    assert d.context.found
    assert causes(d.context) == ['alpha too small']
    assert 'guarantee is lost' in d.context.summary
    assert d.wrong.counts['asked'] == 0
    wider = float(d.context.causes[0].why.split('alpha=')[1].split()[0])
    assert 0.02 < wider <= 0.3
    assert not look(
        ConformalRetriever(kb, cal, wider), some, Window(llm, 5000), answers=0
    ).context.found
    assert look(
        ConformalRetriever(kb, cal, wider - 0.01), some, Window(llm, 5000), answers=0
    ).context.found  # the smallest that helps


def test_bunched_scores_and_a_small_window(embedder, llm, tmp_path):
    "Forty leaflets that hardly differ, and questions that do not say which is meant."
    docs = [
        Document(
            f'{i}',
            'Batch',
            (
                Section(
                    'Storage',
                    f'It is to be kept below {i + 1} degrees. '
                    + 'Shake it well before every use. ' * 4,
                ),
            ),
        )
        for i in range(40)
    ]
    kb = KnowledgeBase.create(tmp_path, docs, embedder, progress=False)
    asked = [
        Question(
            f'{i}', f'{name}: how cold is it to be kept?', f'below {i + 1} degrees', document=f'{i}'
        )
        for i, name in enumerate(
            f'{a} {b}'
            for a in ('Ann', 'Bob', 'Eve', 'Tom')
            for b in 'Hill Lee Ray Cox Fry Day May Kay Roy Poe'.split()
        )
    ]
    retriever = ConformalRetriever(kb, calibrate(kb, asked[::2], progress=False), 0.1)
    d = look(retriever, asked[1::2], Window(llm, 600), answers=0)
    assert d.context.found
    assert causes(d.context) == ['bunched scores']
    assert 'scores bunch' in d.context.causes[0].why
    assert d.context.counts['over'] > 10 and 'chunks do not fit' in d.context.examples[0]['what']
    assert causes(look(retriever, asked[1::2], Window(llm, 200), answers=0).context) == [
        'window too small'
    ]


# --- answers


@pytest.mark.parametrize(
    'reply, known, right',
    [
        ('Take it in the morning.', 'in the morning', True),
        ('morning', 'in the morning', True),
        ('the evening', 'in the morning', False),
        ('about 75 MG', '75 mg', True),
        ('175 mg', '75 mg', False),
        ('150 mg once daily', '75 mg once daily', False),
        ('', 'yes', False),
        ('in the morning [3]', 'in the morning', True),
        ('about [75] mg', '75 mg', False),
        ('yesterday', 'yes', False),
        ("I don't know", 'no', False),
    ],
)
def test_right_answers(reply, known, right):
    assert is_right(reply, known) == right


def test_a_comparison_needs_words():
    with pytest.raises(ValueError, match="no words: '!'"):
        is_right('yes', '!')


def test_right_answers_from_the_right_context(house, known, llm):
    d = look(
        ConformalRetriever(house, known, 0.2),
        where('Where can I find the {}?'),
        llm,
        max_new_tokens=12,
    )
    assert not d.wrong.found
    assert not d.wrong.causes
    assert d.wrong.counts['right'] >= 0.8 * d.wrong.counts['asked'] > 0


def test_distracted_by_everything(house, known, llm):
    "Every chunk is retrieved; of ten questions four are asked, each wrong one once more with its own chunk."
    asked = where('Where can I find the {}?')
    everything = ConformalRetriever(house, known, 0.05)
    wrong = look(everything, asked, llm, answers=4, seed=1, max_new_tokens=12).wrong
    c = wrong.counts
    failed = c['distracted'] + c['too cautious'] + c['cannot read it off']
    assert wrong.found and causes(wrong)[0] == 'distracted'
    assert (c['asked'], c['right'] + failed, c['left out'], c['calls']) == (4, 4, 0, 4 + failed)
    assert f'in {c["calls"]} model calls' in wrong.summary
    assert 'the model said: ' in wrong.examples[0]['what']
    assert sum(cause.count for cause in wrong.causes) == failed


def test_left_out(house, known, llm):
    "Asked for one thing, known to be answered where another is: retrieved with all the rest, and far from the top."
    far = [
        replace(q, text=f'Where do I keep the {other}?')
        for q, other in zip(where('{}', 4), reversed(THINGS))
    ]
    one = (
        max(llm.count_tokens([rag_prompt(q.text, chunks_of(house.search(q.text, 1))) for q in far]))
        + 4
    )
    d = look(ConformalRetriever(house, known, 0.05), far, Window(llm, one), max_new_tokens=4)
    assert d.context.found
    assert d.wrong.found
    assert causes(d.wrong) == ['left out']
    assert d.wrong.counts['left out'] == d.wrong.counts['calls'] == 4


def test_cannot_read_it_off(house, known, llm):
    "What is known to be the answer does not stand in the chunk that is known to answer."
    strange = [
        replace(q, answer=a, sections=((q.document, 'Where'),))
        for q, a in zip(
            where('Where can I find the {}?'), ('up north', 'far east', 'down south', 'out west')
        )
    ]
    d = look(ConformalRetriever(house, known, 0.2), strange, llm, max_new_tokens=12)
    assert d.wrong.found
    assert set(causes(d.wrong)) <= {'cannot read it off', 'too cautious'}
    assert d.wrong.counts['right'] == 0 < d.wrong.counts['asked']
    assert (
        d.context.counts['chunks'] <= 1 and d.wrong.counts['calls'] == d.wrong.counts['asked']
    )  # shown alone already: not asked again


def test_the_draw_is_seeded_and_small(house, known, llm):
    asked = where('Where can I find the {}?')
    a, b, c = (
        look(
            ConformalRetriever(house, known, 0.2), asked, llm, answers=2, seed=s, max_new_tokens=4
        ).wrong
        for s in (1, 1, 2)
    )
    assert a == b and a.counts['asked'] == 2 and a.counts['calls'] <= 4 and c.counts['asked'] == 2


# --- what is shown, what is refused


def test_everything_is_escaped(embedder, llm, tmp_path):
    docs = [
        Document(
            'a',
            f'A {HOSTILE}',
            (Section(HOSTILE, f'The piano {HOSTILE} stands in the attic {HOSTILE}.'),),
        ),
        Document('b', 'B', (Section('', 'Nothing else.'),)),
    ]
    kb = KnowledgeBase.create(tmp_path, docs, embedder, progress=False)
    cal = Calibration(np.full(20, 0.1), kb.fingerprint())
    d = look(
        ConformalRetriever(kb, cal, 0.1),
        [Question(f'x{i}', f'Where is it {HOSTILE} {i}?', f'attic {HOSTILE}') for i in range(3)],
    )
    assert d.misses.found and isinstance(d, Diagnosis)
    page, text = d._repr_html_(), str(d)
    assert '<img' not in page and '&lt;img' in page and '\x1b' not in text and 'onerror' in text


def test_what_cannot_be_diagnosed(kb, halves, calibrated, house):
    r, some = ConformalRetriever(kb, calibrated(halves[0]), 0.1), halves[1][:3]
    for args, message in (
        ((TopKRetriever(kb), None, some), 'got TopKRetriever'),
        ((r, None, []), 'got none'),
        ((r, None, halves[0][:2] + some), '2 of these 5 did'),
        (
            (r, None, [*some, Question('x', 'Why <b>?')]),
            "1 of 4 questions have neither .* 'Why <b>\\?'",
        ),
        ((r, None, some, -1), 'got -1'),
    ):
        with pytest.raises(ValueError, match=message):
            diagnose(*args)
    stale = ConformalRetriever(kb, calibrated(halves[0]), 0.1)
    stale.kb = house
    with pytest.raises(ValueError, match='another knowledge base'):
        diagnose(stale, None, some)


def test_a_question_with_a_section_and_no_answer_is_not_asked(house, known, llm):
    only = [
        Question(f's {t}', f'Where can I find the {t}?', sections=((t, 'Where'),), document=t)
        for t in THINGS[:3]
    ]
    d = look(ConformalRetriever(house, known, 0.2), only, llm)
    assert d.wrong.counts['asked'] == 0
    assert not d.wrong.found
    assert 'in 0 model calls' in d.wrong.summary
