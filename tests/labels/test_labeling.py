"Labels of every judge: killed at any moment, stopped, refused by a server, several at once; no verdict is paid for twice."

import math, os, random, signal, sys, time, warnings
from collections import Counter
from dataclasses import replace
from zlib import crc32
import numpy as np, pytest
from conflare_nb import ContainsJudge, Distance, Document, Hybrid, KnowledgeBase, Question, calibrate, label_questions
from conflare_nb import sample_documents, sample_questions
from conflare_nb.documents.reading import Section
from conflare_nb.labels.judges import YesNoJudge
from conflare_nb.labels.labeling import left_out, share_text, verdict_key, verdict_rows
from conflare_nb.models.server import EndpointLLM
from conflare_nb.documents.store import hits_of
from knowledge import make_kb
from local_server import Flaky, killed, serving
from nightly import by_day_or_night
from hostile import INTO_TABLES as HOSTILE


TIMES = by_day_or_night(4, 20)
KILLS = pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='nothing is killed this way here')
NOWHERE = 'words that stand nowhere'
LOST = Question('lost', 'What stands nowhere?', NOWHERE)


@pytest.fixture(scope='module')
def asked(few):  # some that are answered here, and as many that nothing answers
    here = [q for q in sample_questions() if q.document in few.documents()][:16]
    return here + [replace(q, id=f'{q.id}-lost', answer=NOWHERE, sections=()) for q in here]


def label(kb, questions, judge, **kwargs):
    return label_questions(kb, questions, judge, progress=False, **kwargs)


def paid(log):
    return [tuple(l.split('\t')) for l in log.read_text().splitlines()] if log.exists() else []


def recorded(kb):
    return [(r['question'], r['chunk']) for r in verdict_rows(kb).read()]


@KILLS
def test_killed_again_and_again_it_pays_for_no_recorded_verdict_twice(copy, asked, mine, tmp_path, begin):
    chance, log, kills, asked = random.Random(0), tmp_path / 'paid.txt', 0, asked[8:24]
    for _ in range(TIMES):
        before, done = set(recorded(mine)), paid(log)
        process = begin('labeling_worker.label', mine.path, asked, log)
        until = len(done) + 3 * chance.randrange(6) + 1
        while process.is_alive() and len(paid(log)) < until:
            time.sleep(0.001)
        time.sleep(chance.random() * 0.015)
        kills += killed(process)
        rows = recorded(mine)
        assert not before & set(paid(log)[len(done) :])  # what was recorded was not asked again
        assert before <= set(rows) <= set(paid(log)) and len(rows) == len(set(rows))
    before, done = set(recorded(mine)), paid(log)
    process = begin('labeling_worker.label', mine.path, asked, log)
    process.join(60)
    assert kills >= 3 * TIMES / 4 and process.exitcode == 0  # a busy machine may let one run end by itself
    assert not before & set(paid(log)[len(done) :])
    assert max(Counter(paid(log)).values()) <= 1 + TIMES
    assert len(paid(log)) - len(recorded(mine)) <= TIMES * 3  # a killed batch at most
    here, whole = mine, copy('whole')
    both = [label(kb, asked, ContainsJudge(), depth=50) for kb in (here, whole)]
    rows = [verdict_rows(kb).read() for kb in (here, whole)]
    said = [{(r['question'], r['chunk'], r['answers']) for r in kept} for kept in rows]
    assert both[0] == both[1] and said[0] <= said[1]


class Costly(ContainsJudge):
    "Says what each verdict costs, and fails at the fifth question."

    def __init__(self, calls):
        self.calls, self.left = calls, 5

    def judge(self, question, chunks):
        self.left -= bool(chunks)
        if not self.left:
            raise OSError('the judge went home')
        return [replace(verdict, calls=self.calls) for verdict in super().judge(question, chunks)]


@pytest.mark.parametrize('calls', [0, 1])
def test_what_cost_a_request_is_written_at_once_and_the_rest_together(asked, mine, calls):
    with pytest.raises(OSError, match='went home'):
        label(mine, asked, Costly(calls))
    rows = verdict_rows(mine)
    assert len({row['question'] for row in rows.read()}) == 4  # nothing is lost either way
    assert (rows.version >= 4) == bool(calls)  # a version for each question took longer than the judge


def test_a_run_beside_another_learns_what_it_says(mine, asked):
    "While it asks its first question, another run labels all the others: it asks about none of these."
    twin = KnowledgeBase.open(mine.path, mine.embedder)

    def others():
        label(twin, asked[1:16], Noted(), depth=50)

    judge = Noted(at=0, then=others)
    labels = label(mine, asked[:16], judge, depth=50)
    assert {question for batch in judge.batches for question, _ in batch} == {asked[0].id}
    assert labels[1:] == label(twin, asked[1:16], Noted(), depth=50)


class Noted(ContainsJudge):
    "Notes the (question, chunk) ids of every batch; does something before the one with a given number."

    def __init__(self, batch=4, pooled=False, at=None, then=None):
        self.batch, self.pooled, self.at, self.then, self.batches = batch, pooled, at, then, []
        self.name = 'pool' if pooled else 'contains'

    def judge(self, question, chunks):
        if chunks and len(self.batches) == self.at:
            self.then()
        said = super().judge(question, chunks)
        if chunks:
            self.batches.append([(question.id, c.id) for c in chunks])
        return said

    def seen(self):
        "The ids since the last time."
        seen, self.batches = sum(self.batches, []), []
        return seen


@pytest.mark.parametrize('score', [Hybrid(), Distance()], ids=lambda score: score.name)
def test_it_stops_at_the_first_accepted_chunk(mine, asked, score):
    judge = Noted()
    labels = label(mine, asked, judge, depth=10, score=score)
    for q, l in zip(asked, labels):
        hits = hits_of(score.rank(mine, q.text, 10))
        yes = [v.answers for v in ContainsJudge().judge(q, hits)]
        rank = yes.index(True) + 1 if True in yes else None
        assert (l.question, l.rank) == (q.id, rank)
        if rank:
            assert (l.chunk, l.score, l.reason) == (hits[rank - 1].id, hits[rank - 1].score, '')
        else:
            assert (l.score, l.chunk, l.reason) == (math.inf, None, 'not among the best 10')
        batches = [len(batch) for batch in judge.batches if batch[0][0] == q.id]
        assert batches == [4, 4, 2][: -(-rank // 4) if rank else 3]
    assert len(label(mine, asked, judge, score=score)) == len(asked)
    assert len(judge.seen()) == len(recorded(mine))
    assert label(mine, asked, judge, depth=10, score=score) == labels and judge.seen() == []


def test_a_pooled_judge_is_asked_again_about_a_batch_that_changed(mine):
    "Its verdicts hang together: in another order, or cut elsewhere, it is another batch."
    judge = Noted(3, pooled=True)

    def order(score):
        return [c.id for c in hits_of(score.rank(mine, LOST.text, 9))]

    def asked_about(depth, score=Hybrid()):
        label(mine, [LOST], judge, depth=depth, score=score)
        return [chunk for _, chunk in judge.seen()]

    here, there = order(Hybrid()), order(Distance())
    assert (asked_about(9), asked_about(9)) == (here, [])
    parts = [(here[i : i + 3], there[i : i + 3]) for i in range(0, 9, 3)]
    assert asked_about(9, Distance()) == sum([new for old, new in parts if old != new], []) != []
    assert asked_about(8) == here[6:8]


def test_nothing_answers_and_other_words_are_told_apart(mine, asked):
    "A person says that nothing answers, an answer in other words is only not found, a section is."
    said = Question('song', 'Who sang Waterloo?', unanswerable=True)
    words = replace(asked[0], answer='an answer in words of her own', sections=())
    there = replace(words, sections=asked[0].sections)
    found = label(mine, [said, words, there, asked[0]], None)
    reasons = ['no chunk of the knowledge base answers']
    reasons.append('no chunk of the knowledge base has its answer word for word')
    assert [l.reason for l in found] == [*reasons, '', '']
    assert [l.unanswerable for l in found] == [True, True, False, False]
    left = left_out(found)
    assert left.startswith('without those set apart') and left.endswith(' or in any (1 of 4)')
    assert left_out(found[:1] + found[2:]) == ''  # nothing answers, and no promise can help


def test_the_silence_of_a_judge_sets_no_question_apart(few, tmp_path):
    "Of 21 questions about 12 chunks, all of which it looks at, it refuses every answer of the nine hardest."
    here = few.documents()[:2]
    kb = make_kb(tmp_path / 'kb', sample_documents()[:2], few.embedder)
    some = [q for q in sample_questions() if q.document in here]
    true = [l.score for l in label(kb, some, None, score=Distance())]
    hardest = set(np.argsort(true)[-9:])

    class Silent(ContainsJudge):
        name = 'silent about what is hard'

        def judge(self, question, chunks):
            said = super().judge(question, chunks)
            if some.index(question) not in hardest:
                return said
            return [replace(verdict, answers=False) for verdict in said]

    def measured(questions):
        return calibrate(kb, questions, judge=Silent(), score=Distance(), progress=False)

    cal = measured(some)
    silent = [l for l in cal.labels if l.chunk is None]
    assert (len(kb), len(some), len(silent)) == (12, 21, 9)
    assert {(l.score, l.unanswerable, l.reason) for l in silent} == {(math.inf, False, 'not among the best 12')}
    assert (cal.n, cal.unanswerable) == (21, 0)
    assert np.mean(np.array(true) <= cal.qhat(0.1)) >= 0.9  # 12 of 21 before
    by_hand = [replace(q, answer='', sections=(), unanswerable=True) if i in hardest else q for i, q in enumerate(some)]
    assert (measured(by_hand).n, measured(by_hand).unanswerable) == (12, 9)  # a person's word


def test_an_answer_that_is_not_in_its_section_is_named(mine, asked):
    "Its whole section counts, which is said once, with how many there are and the first of them."
    known, lost = asked[:3], [replace(q, answer=NOWHERE) for q in asked[3:5]]
    other = next(q for q in asked if q.sections[0][0] != lost[0].document)
    also = replace(lost[0], id='also', answer=other.answer, sections=lost[0].sections + other.sections)
    section = replace(lost[0], id='section', answer='')
    with pytest.warns(UserWarning) as said:
        found = label(mine, [*known, *lost, also, section, LOST], None)
    assert [l.rank is None for l in found] == [False] * 7 + [True]
    (text,) = [str(w.message) for w in said]
    assert text.startswith('the answers of 2 of 8 questions are not word for word in the sections')
    assert f'such as {lost[0].id!r} ({NOWHERE!r})' in text
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        label(mine, [*known, also, section, LOST], None)


def test_no_judge_is_asked_where_a_person_says_that_nothing_answers(mine, asked):
    judge, said = Noted(), Question('song', 'Who sang Waterloo?', unanswerable=True)
    found = label(mine, [said, asked[0], replace(said, id='again')], judge)
    assert [l.question for l in found] == ['song', asked[0].id, 'again']
    assert [l.unanswerable for l in found] == [True, False, True]
    assert {question for question, _ in judge.seen()} == {asked[0].id}
    assert [l.unanswerable for l in label(mine, [said], judge)] == [True]


def test_all_of_it_is_the_worst_of_the_places_it_takes(mine, asked):
    one, other = asked[0], next(q for q in asked if q.document != asked[0].document)
    text = f'{one.text} {other.text}'
    places = one.sections[:1] + other.sections[:1]
    both = Question('both', text, sections=places, all_of=True)
    alone = [replace(both, sections=(place,), all_of=False) for place in places]
    whole, *each = label(mine, [both, *alone], None)
    worst = max(each, key=lambda found: found.score)
    assert (whole.score, whole.rank, whole.chunk) == (worst.score, worst.rank, worst.chunk)
    assert whole.score > min(found.score for found in each)
    gone = replace(both, sections=(*places, ('gone.md', 'Nowhere')))
    assert label(mine, [gone], None)[0].unanswerable  # half of it is not all of it
    with pytest.raises(ValueError, match="'both' needs several"):
        label(mine, [both], ContainsJudge())
    with pytest.raises(ValueError, match='two or more; got'):
        replace(both, sections=places[:1])


def test_a_verdict_is_of_all_that_was_read_and_asked(mine, asked):
    chunk, q = next(iter(mine.texts())), asked[0]
    keys = {verdict_key('j', q, chunk), verdict_key('j', q, chunk, [chunk])}
    keys |= {verdict_key('j', q, replace(chunk, **{at: 'x'})) for at in ('title', 'heading', 'text')}
    others = dict(text='x', answer='x', sections=(('x', 'x'),))
    keys |= {verdict_key('j', replace(q, **{at: other}), chunk) for at, other in others.items()}
    assert len(keys) == 8
    assert share_text(5, 20) == '5 of 20 (25%; 90% interval 10% to 46%)'  # Clopper and Pearson
    assert share_text(5, 20, np.inf) == '5 of 20 (25%; too few documents for an interval)'
    assert share_text(0, 9).endswith('0% to 28%)') and share_text(9, 9).endswith('72% to 100%)')


def test_a_question_asked_twice_is_paid_for_once(mine, asked):
    judge, q = Noted(), asked[0]
    twice = label(mine, [q, replace(q, id='again')], judge)
    assert twice[1] == replace(twice[0], question='again')
    assert len({question for question, _ in judge.seen()}) == 1


def test_only_a_changed_chunk_is_judged_anew(mine):
    first, judge = sample_documents()[0], Noted()
    label(mine, [LOST], judge, depth=len(mine))
    judge.seen()
    old = {c.id: c.text for c in mine.texts()}
    longer = replace(first.sections[0], text=first.sections[0].text + ' Ask your pharmacist.')
    mine.add([replace(first, sections=[longer, *first.sections[1:]])], progress=False)
    changed = [c.id for c in mine.texts() if old.get(c.id) != c.text]
    label(mine, [LOST], judge, depth=len(mine))
    assert [chunk for _, chunk in judge.seen()] == changed and len(changed) == 1
    assert [c for c, n in Counter(c for _, c in recorded(mine)).items() if n > 1] == changed


def ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)


@pytest.mark.skipif(sys.platform == 'win32', reason='signals differ')
def test_what_was_paid_for_is_kept(mine, asked, request):
    old = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, old))
    judge, after = Noted(at=7, then=ctrl_c), Noted()
    with pytest.raises(KeyboardInterrupt):
        label(mine, asked, judge)
    assert len(judge.batches) == 8  # the one under way was waited for, and no other begun
    first = judge.seen()
    assert len(recorded(mine)) == len(first)
    labels = label(mine, asked, after)
    assert len(recorded(mine)) == len(first + after.seen())
    assert labels == label(mine, asked, ContainsJudge())


def yes_to_some(text, seed):
    return 'Yes.' if crc32(text.encode()) % 9 == 0 else 'No.'


def well(**settings):
    return Flaky(yes_to_some, ('well',), pause=0.01, **settings)


def asking(url, workers, **settings):
    settings = dict(retries=1, backoff=0.01) | settings
    return YesNoJudge(EndpointLLM('m', base_url=f'{url}/v1', workers=workers, **settings))


def test_several_questions_at_once_give_the_labels_of_one_at_a_time(copy, asked, online):
    def run(workers):
        kb, server = copy(f'{workers}'), well()
        with serving(server) as url:
            labels = label(kb, asked[:12], asking(url, workers))
        once = len(server.asked)  # one request a chunk, none beyond the first yes
        assert once == len(set(server.asked)) == len(recorded(kb))
        assert once == sum(l.rank or 30 for l in labels)
        assert once == sum(r['calls'] for r in verdict_rows(kb).read())
        return labels, server.most

    (one, most_one), (four, most_four) = run(1), run(4)
    assert one == four and any(l.rank for l in one) and (most_one, 1 < most_four <= 4) == (1, True)


@pytest.mark.parametrize('retries', [8, 0])
def test_a_server_that_fails_often_gives_the_same_labels(copy, asked, online, retries):
    "With repetitions at once, and without any in as many runs as it takes; no verdict is asked for again once it came."

    def run(name, server, retries):
        kb, stops = copy(name), 0
        with serving(server) as url:
            judge = asking(url, 4, retries=retries, backoff=0.001)
            while True:
                before = len(recorded(kb))
                try:
                    return label(kb, asked[:6], judge), kb, stops
                except RuntimeError:
                    stops += 1
                assert stops < 500 and len(recorded(kb)) >= before

    faults = ('busy', 'cut', 'none') if retries == 0 else ('busy', 'cut')
    flaky = Flaky(yes_to_some, faults)
    labels, kb, stops = run('flaky', flaky, retries)
    calm, _, _ = run('calm', well(), 0)
    assert labels == calm and (stops > 10) == (retries == 0)
    assert sum(flaky.tries.values()) > len(flaky.paid) == len(set(flaky.paid)) == len(recorded(kb))


def test_texts_are_data(embedder, tmp_path):
    sections = [Section(t[:30], f'{t} It is kept for {i} days.') for i, t in enumerate(HOSTILE)]
    docs = [Document(f'{i}.md', s.heading[:20], (s,)) for i, s in enumerate(sections)]
    kb = KnowledgeBase.create(tmp_path / 'kb', docs, embedder, progress=False)
    questions = [Question(t, f'{t}?', f'kept for {i} days') for i, t in enumerate(HOSTILE)]
    judge = Noted()
    judge.name = HOSTILE[0]
    labels = label(kb, questions, judge)
    assert [l.chunk.split('.md')[0] for l in labels] == [str(i) for i in range(len(HOSTILE))]
    n = len(verdict_rows(kb))
    assert label(kb, questions, judge) == labels and len(verdict_rows(kb)) == n
    label(kb, questions, Noted())
    assert len(verdict_rows(kb)) == 2 * n


def test_what_is_added_while_it_is_measured_is_refused_afterwards(mine, asked):
    other = KnowledgeBase.open(mine.path, mine.embedder)
    new = Document('new.md', 'New', (Section('', 'Came while others measured.'),))
    other.add([new], progress=False)
    cal = calibrate(mine, asked[:16], progress=False)
    cal.check(mine)  # of what was opened
    with pytest.raises(ValueError, match='another knowledge base'):
        cal.check(KnowledgeBase.open(mine.path, mine.embedder))
