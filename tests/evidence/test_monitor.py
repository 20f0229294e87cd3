"The monitor: what the rows say, who may add to them, kills in the middle, and the false alarms that are promised."

import random, shutil, signal, time
from dataclasses import replace
import numpy as np, pytest
from conflare_nb import Calibration, ContainsJudge, Distance, DriftMonitor, KnowledgeBase, Question
from conflare_nb import calibrate, label_questions
from conflare_nb.labels.labeling import Label
from conflare_nb.conformal.drift import bunched_martingale, document_p_values, first_alarm
from conflare_nb.conformal.drift import online_p_values, simple_jumper
from conflare_nb.evidence.monitor import daily_coverage, monitor_rows, monitor_state, monitor_text
from local_server import killed
from store_worker import forks
from nightly import by_day_or_night
from hostile import INTO_TABLES


@pytest.fixture(scope='module')
def cal(few, asked):
    return calibrate(few, asked[:30], progress=False)


@pytest.fixture(scope='module')
def live(asked):
    return asked[30:]


@pytest.fixture
def monitor(mine, cal):
    return DriftMonitor(mine, cal)


def shown(state):
    arrays = state.scores, state.p_values, state.martingale
    return [a.tolist() for a in arrays], state.days, state.starts, state.apart


def opened(folder, few, cal):
    return DriftMonitor(KnowledgeBase.open(folder, few.embedder), cal)


def test_the_state_is_that_of_the_mathematics(mine, monitor, cal, live):
    assert (len(monitor.state), monitor.alarm, monitor.martingale.size) == (0, None, 0)
    assert monitor.add(live[:9], day='2026-01-05', progress=False) == 9
    assert monitor.add(live[9:], day='2026-01-06', progress=False) == len(live) - 9
    scores = [label.score for label in label_questions(mine, live, progress=False)]
    rows = monitor.rows()
    assert [r['score'] for r in rows] == scores
    draws, about = [r['draw'] for r in rows], [q.document for q in live]
    assert len(set(draws)) == len(rows) and all(r['created'] for r in rows)
    picks = np.random.default_rng(0).random(cal.n)
    by_document = document_p_values(cal.scores, cal.documents, scores, about, draws, picks)
    p = np.vstack([online_p_values(cal.scores, scores, draws), by_document])
    state, money = monitor.state, bunched_martingale(p)
    assert (state.p_values == p).all() and (state.martingale == money).all()
    assert (monitor.martingale == 10**money).all() and state.alarm == first_alarm(money)
    assert state.bunches == tuple(about) and state.unknown == 0 and state.n == cal.n
    days = daily_coverage(state)
    assert days.questions.tolist() == [9, len(live) - 9]
    assert days.coverage[0] == np.mean(np.array(scores[:9]) <= cal.qhat(0.1))


def test_in_one_go_or_one_by_one_it_is_the_same(mine, monitor, cal, live, few, tmp_path):
    monitor.add(live, day='2026-01-05', progress=False)
    other = opened(shutil.copytree(few.path, tmp_path / 'other'), few, cal)
    for q in live:
        other.add([q], day='2026-01-05', progress=False)
    assert shown(other.state) == shown(monitor.state)
    again = DriftMonitor(KnowledgeBase.open(mine.path, few.embedder), cal, delta=0.3)
    assert shown(again.state) == shown(monitor.state) and again.state.delta == 0.3
    assert again.add(live, progress=False) == 0 and again.add(live + live, progress=False) == 0


def test_monitors_keep_apart(mine, monitor, cal, asked, live):
    others = [DriftMonitor(mine, calibrate(mine, asked[:29], progress=False))]
    others += [DriftMonitor(mine, calibrate(mine, asked[:30], score=Distance(), progress=False))]
    hows = dict(judge=ContainsJudge(), depth=9), dict(judge=ContainsJudge()), dict(seed=1)
    others += [DriftMonitor(mine, cal, **how) for how in hows]
    every = [monitor, *others]
    for i, one in enumerate(every, 1):
        one.add(live[:i], progress=False)
    monitor.restart('a look was taken')
    assert len({one.name for one in every}) == 6 and len(monitor_rows(mine)) == 22
    states = [one.state for one in every]
    assert [len(state) for state in states] == [1, 2, 3, 4, 5, 6]
    assert [len(state.starts) for state in states] == [2, 1, 1, 1, 1, 1]
    assert states[-1].scores[0] == states[0].scores[0]
    assert others[-1].rows()[0]['draw'] != monitor.rows()[0]['draw']


def test_the_last_bits_of_the_calibration_do_not_draw_again(mine, cal, live):
    strange = [replace(q, text=f'the sky above harbour {q.id}', document='') for q in live]
    strange = [replace(q, id=f'{q.id}-x') for q in strange[:30]]
    scores = cal.scores, cal.scores * (1 + 1e-7)
    made = [Calibration(s, cal.fingerprint, score=cal.score) for s in scores]
    one, two = (DriftMonitor(mine, own) for own in made)
    for monitor in (one, two):
        monitor.add(strange, day='2026-01-05', progress=False)
    assert one.name != two.name
    assert [row['draw'] for row in one.rows()] == [row['draw'] for row in two.rows()]
    assert one.alarm == two.alarm and one.alarm is not None


def test_an_alarm_stays_until_a_start_that_is_written_down(mine, cal, live):
    monitor = DriftMonitor(mine, replace(cal, documents=()))
    live = [replace(q, document='') for q in live]
    sky = 'colour of the sky above the harbour'
    strange = [replace(q, id=f'{q.id}-x', text=f'{sky} {i}') for i, q in enumerate(live)]
    monitor.add(strange[:30], day='2026-01-05', progress=False)
    at = monitor.alarm
    assert at is not None and 'harder' in repr(monitor)
    assert not monitor.promise and f'an alarm after live question {at}' in str(monitor.promise)
    monitor.add(live[:3], day='2026-01-06', progress=False)
    assert monitor.alarm == at
    before = monitor.state.p_values
    monitor.restart('a slip')
    assert monitor.alarm is None and monitor.state.starts == (0, 33)
    assert monitor.promise
    assert (monitor.state.p_values == before).all()
    monitor.add(live[3:8], day='2026-01-07', progress=False)
    state = monitor.state
    assert (state.martingale[33:] == bunched_martingale(state.p_values[:, 33:])).all()
    assert (state.martingale[:30] == bunched_martingale(before[:, :30])).all()
    bound = 'at most 10% of monitors ever raise an alarm, in any of their 2 starts.'
    assert bound in monitor_text(state)
    assert [r['reason'] for r in monitor.rows() if r['event'] == 'start'] == ['a slip']


@pytest.fixture
def lost():
    def question(i):
        return Question(f'lost{i}', f'Which bus {i}?', sections=(('nowhere.md', 'Nothing'),))

    return [question(i) for i in range(3)]


def test_what_nothing_answers_is_set_apart_and_what_is_out_of_reach_counts(mine, monitor, cal, live, lost):
    assert monitor.add([lost[0], *live[:4]], progress=False) == 5
    assert (monitor.state.apart, len(monitor.state)) == (1, 4)
    assert monitor.add(lost[:1], progress=False) == 0
    pooled = DriftMonitor(mine, Calibration([0.0, 0.2], cal.fingerprint, score=Distance(pool=1)))
    pooled.add(live, progress=False)
    state = pooled.state
    assert np.isinf(state.scores).any() and (state.apart, len(state)) == (0, len(live))
    assert np.isfinite(state.martingale).all()
    assert daily_coverage(state).band_low.isna().all()  # 2 questions: no threshold


def test_where_the_calibration_counted_them_they_count(mine, asked, live, lost):
    ours, theirs = [*asked[:30], lost[0]], [*lost[1:], *live[:3]]
    cals = [calibrate(mine, ours, progress=False, unanswerable=u) for u in ('include', 'exclude')]
    counted, aside = (DriftMonitor(mine, cal) for cal in cals)
    for monitor in (counted, aside):
        monitor.add(theirs, progress=False)
    assert counted.state.apart == 0
    assert np.isinf(counted.state.scores).tolist() == [True, True, False, False, False]
    assert aside.state.apart == 2 and len(aside.state) == 3


def test_what_is_refused(mine, monitor, cal, asked, live, kb):
    with pytest.raises(ValueError, match=r'is not one that calibrated; 2 are, such as'):
        monitor.add([*live[:2], *asked[:2]], progress=False)
    assert len(monitor.rows()) == 0
    assert monitor.add([replace(asked[0], id='somebody else asks the same')], progress=False) == 1
    with pytest.raises(ValueError):
        monitor.add(live[:1], day='2026-13-01', progress=False)
    for name, bad in [('delta', 1), ('alpha', 1.2)]:
        with pytest.raises(ValueError, match=f'got {bad}'):
            DriftMonitor(mine, cal, **{name: bad})
    with pytest.raises(ValueError, match='another knowledge base'):
        DriftMonitor(kb, cal)
    with pytest.raises(ValueError, match='with its reason; got an empty one'):
        monitor.restart(' ')
    assert 'Nothing new' not in repr(monitor)
    mine.delete(live[0].document)
    assert repr(monitor).startswith('DriftMonitor: Nothing new can be added: ')


def test_texts_are_data(mine, cal, live):
    hostile = [*INTO_TABLES, "x' OR monitor != '", 'half \ud83d a character']
    asked = [replace(live[0], id=t, text=t) for t in hostile]
    monitor, others = DriftMonitor(mine, cal), DriftMonitor(mine, cal, seed=3)
    others.add(live[:2], progress=False)
    assert monitor.add(asked, day='2026-01-05', progress=False) == len(hostile)
    monitor.restart('<b>why</b>')
    assert (len(monitor.state), len(others.state)) == (len(hostile), 2)
    assert monitor.add(asked, progress=False) == 0


KILLS, ADD = by_day_or_night(2, 6), 'monitor_worker.add'


@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='nothing is killed this way here')
def test_killed_again_and_again_it_ends_where_it_would_have(few, mine, cal, live, tmp_path, begin):
    file, chance, kills = cal.save(tmp_path / 'cal.json'), random.Random(0), 0
    ended = opened(mine.path, few, cal)
    for _ in range(KILLS):
        before = ended.rows()
        process, until = begin(ADD, mine.path, file, live), len(before) + 2 * chance.randrange(3) + 1
        while process.is_alive() and len(ended.rows()) < until:
            time.sleep(0.002)
        time.sleep(chance.random() * 0.01)
        kills += killed(process)
        after = ended.rows()
        assert after[: len(before)] == before  # what was written stays, in order, each once
        assert [r['question'] for r in after] == [q.id for q in live[: len(after)]]
    process = begin(ADD, mine.path, file, live)
    process.join(60)
    whole = opened(shutil.copytree(few.path, tmp_path / 'whole'), few, cal)
    whole.add(live, day='2026-01-05', progress=False)
    assert kills >= KILLS / 2 and process.exitcode == 0
    assert shown(ended.state) == shown(whole.state)


ROUNDS = by_day_or_night(1, 5)


def test_processes_at_once_lose_no_question_and_count_each_once(few, cal, live, tmp_path, begin):
    file = cal.save(tmp_path / 'cal.json')
    for turn in range(ROUNDS):
        folder, ready = shutil.copytree(few.path, tmp_path / f'{turn}'), forks().Barrier(4)
        parts = live[:8], live[:8], live[4:12], live[12:16]
        several = [begin(ADD, folder, file, part, 0.001, ready) for part in parts]
        for p in several:
            p.join(60)
        monitor = opened(folder, few, cal)
        assert [p.exitcode for p in several] == [0] * 4 and len(monitor.state) == 16
        assert {r['question'] for r in monitor.rows()} == {q.id for q in live[:16]}


def on(day, *scores):
    "Live questions of a day, each with a text of its own."
    about = dict(event='live', document='', draw=0.5, day=f'2026-01-{day:02}')
    return [about | dict(text=f'{day} {i}', score=s) for i, s in enumerate(scores)]


def said_of(*rows, **settings):
    state = monitor_state(Calibration(np.linspace(0, 1, 60), {}), sum(rows, []), **settings)
    return state, monitor_text(state)


START = [dict(event='start')]
EASY, USUAL, HARD, UP_DOWN = [-1.0] * 40, [0.4] * 40, [2.0] * 40, [0.1, 0.9] * 4


def test_an_alarm_says_its_question_and_the_side_of_those_that_raised_it():
    for rows, side in [
        ((on(1, *HARD), on(2, *EASY)), 'harder'),  # whatever came after it
        ((on(1, *USUAL), on(2, *HARD)), 'harder'),  # or long before
        ((on(1, *HARD), START, on(2, *EASY)), 'easier'),
    ]:
        state, said = said_of(*rows)
        since = state.starts[-1]
        assert state.alarm == since + first_alarm(state.martingale[since:], 0.05)
        assert said.startswith(f'ALARM after live question {state.alarm}: ')
        assert f'they are {side}. ' in said


def test_without_an_alarm_it_says_the_money_and_what_is_counted():
    state, said = said_of(on(1, *UP_DOWN, 0.1), [dict(event='apart')], on(2, *UP_DOWN[:6], 2.0))
    assert state.martingale[-1] < 0 and f'is {10 ** state.martingale[-1]:.2g}; at 20' in said
    assert '16 live questions (1 more set apart: nothing answers them), 94% of them covered' in said
    assert 'The document of 16 questions is not known' in said
    days = daily_coverage(state)
    assert days.martingale.tolist() == state.martingale[[8, 15]].tolist()
    assert days.coverage.tolist() == [1, 6 / 7]
    assert 'at alpha=0.001 everything is retrieved' in said_of(on(1, *USUAL), alpha=0.001)[1]
    assert 'is 1; at 20' in said_of(on(1, *HARD), START)[1]


def test_a_text_that_calibrated_without_a_document_is_not_new():
    labels = tuple(Label(f'q{i}', f'1 {i}', i / 60, 1, 'c') for i in range(60))
    cal = Calibration(np.arange(60) / 60, {}, labels=labels)
    state = monitor_state(cal, on(1, 2.0) + on(2, 2.0))  # the first was asked before
    assert state.p_values[1, 0] == 0.5 > state.p_values[1, 1]


def asked_in(texts, scores, day='2026-01-05'):
    "Rows as the monitor keeps them, without documents."
    rng = np.random.default_rng(len(texts))
    rows = []
    for text in texts:
        asked = dict(event='live', text=f't{text}', document='', day=day)
        rows.append(asked | dict(score=float(scores[text]), draw=rng.random()))
    return rows


def test_daily_files_with_repeats_raise_no_alarm(weeks=200, delta=0.05):
    "Twenty questions a day, some of them asked again and again; what is asked often is hard."
    share = 1 / np.arange(1, 41)
    scores = np.linspace(1, 0, 40)
    kept, dropped = [], []
    for seed in range(weeks):
        rng = np.random.default_rng(seed)
        before, days = (rng.choice(40, size, p=share / share.sum()) for size in (200, (10, 20)))
        named = [(f'q{i}', f't{text}', scores[text]) for i, text in enumerate(before)]
        labels = tuple(Label(*each, 1, 'c') for each in named)
        cal = Calibration(scores[before], {}, labels=labels)
        asked = asked_in(days.ravel(), scores)
        kept.append(monitor_state(cal, asked, seed=seed).alarm is not None)
        once = [text for day in days for text in dict.fromkeys(day.tolist())]
        p = online_p_values(cal.scores, scores[once], rng.random(len(once)))
        dropped.append(first_alarm(simple_jumper(p), delta) is not None)
    assert np.mean(dropped) > 0.5
    assert np.mean(kept) <= delta + 3 * (delta * (1 - delta) / weeks) ** 0.5


def test_what_is_asked_again_is_no_new_document(live, cal):
    "One hard text, thirty times in a day: the bettor by documents bets once."
    about = dict(event='live', document='', day='2026-01-05', score=5.0, draw=0.5)
    thirty = [about | dict(text='the same') for _ in range(30)]
    others = [about | dict(text=f'another {i}') for i in range(30)]
    named = [row | dict(document='a.md') for row in others]  # all about one new document
    unnamed = Calibration(cal.scores, {})
    asked = (unnamed, thirty), (unnamed, others), (cal, named)
    same, free, one = (monitor_state(*each) for each in asked)
    assert same.alarm is None and free.alarm is not None and one.alarm is None
    assert (same.p_values[1, 1:] == 0.5).all() and same.p_values[0, 0] == same.p_values[1, 0]
    assert (same.unknown, one.unknown) == (30, 0)
    bands = [daily_coverage(state).iloc[0] for state in (one, free)]
    assert np.isnan(bands[0].band_low) and 0 < bands[1].band_low < bands[1].band_high


def about_documents(rng, sizes, name, popular=0.5, harder=4.0):
    "Documents drawn alike; half of each one's questions are one text, harder than its others."
    rows = []
    for document, size in enumerate(sizes):
        level = 50 + rng.normal(scale=1.5)
        often = level + rng.normal() + harder
        for place, again in enumerate(rng.random(size) < popular):
            text, score = ('often', often) if again else (str(place), level + rng.normal())
            rows.append((f'{name}{document}', text, score))
    return rows


def test_a_text_that_many_ask_of_a_document_raises_no_alarm(runs=60, delta=0.05):
    "Documents are exchangeable with all that is asked about them, repeats included."
    rng = np.random.default_rng(7)
    alarms = []
    for seed in range(runs):
        old, new = about_documents(rng, [10] * 40, 'a'), about_documents(rng, [6] * 80, 'b')
        documents, texts, scores = zip(*old)
        labels = tuple(Label(f'q{i}', t, s, 1, 'c') for i, (_, t, s) in enumerate(old))
        cal = Calibration(scores, {}, labels=labels, documents=documents)
        about = dict(event='live', day='2026-01-05')
        asked = [about | dict(document=d, text=t, score=s, draw=rng.random()) for d, t, s in new]
        alarms.append(monitor_state(cal, asked, seed=seed).alarm is not None)
    assert np.mean(alarms) <= delta + 3 * (delta * (1 - delta) / runs) ** 0.5


def test_a_row_given_twice_counts_once_and_a_question_asked_twice_counts_twice(mine, cal, live):
    def placed(texts, name='live.jsonl', start=1):
        return [replace(live[0], id=f'{name} line {i}', text=text) for i, text in enumerate(texts, start)]

    monitor = DriftMonitor(mine, cal)
    hot, cold, wet = 'Is it hot?', 'Is it cold?', 'Is it wet?'
    monday, tuesday = placed([hot, hot, cold]), placed([hot, cold, cold])  # two files of one name
    own = [replace(q, id=f'own{i}') for i, q in enumerate(monday)]
    for day, questions, new in [
        (5, monday[:2], 2),  # broken off
        (5, monday, 1),
        (6, placed([hot, hot, cold, hot, wet]), 2),
        (6, tuesday, 3),
        (6, tuesday + placed([hot], start=4), 1),
        (6, monday, 0),
        (6, tuesday, 0),
        (6, placed([hot, hot], 'other.csv'), 2),
        (5, own, 3),
        (9, own[::-1], 0),  # an id names one asking
        (9, [*own[:1], *placed([wet, wet])], 2),
    ]:
        assert monitor.add(questions, f'2026-01-0{day}', progress=False) == new
    rows = monitor.rows()
    assert len(rows) == len({row['key'] for row in rows}) == len(monitor.state) == 16
    assert [row['copy'] for row in rows[5:9]] == [1] * 4 and rows[-1]['copy'] == 2
    assert {row['document'] for row in rows} == {live[0].document}


def test_only_the_file_that_calibrated_is_refused(mine, asked):
    named = [replace(q, id=f'log.csv line {i}') for i, q in enumerate(asked[:30], 2)]
    monitor = DriftMonitor(mine, calibrate(mine, named, progress=False))
    with pytest.raises(ValueError, match='is not one that calibrated; 4 are'):
        monitor.add(named[:4], progress=False)
    other = [*named[:3], replace(asked[40], id=named[3].id)]  # February's has another line 5
    assert monitor.add(other, progress=False) == 4


def test_the_picture_shows_what_the_state_says(monitor, live):
    import matplotlib

    matplotlib.use('Agg')
    assert not monitor.plot()[0].lines[1].get_ydata().size
    for i in range(4):
        monitor.add(live[6 * i : 6 * i + 6], day=f'2026-01-0{i + 5}', progress=False)
    monitor.restart('to draw the line')
    money, days = monitor.plot()
    assert money.lines[1].get_ydata().tolist() == monitor.state.martingale.tolist()
    assert money.lines[0].get_ydata()[0] == pytest.approx(np.log10(20))
    assert [t.get_text() for t in days.get_xticklabels()] == ['01-05', '01-06', '01-07', '01-08']
    dots = days.collections[-1].get_offsets()[:, 1]
    assert dots.tolist() == daily_coverage(monitor.state).coverage.tolist()
