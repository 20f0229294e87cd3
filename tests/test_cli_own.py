"A calibrated folder: what is promised and when, the report, the diagnosis, and JSON."

import json
import numpy as np, pytest
from command import conflare_here, data, done, jsonl, measured, read_jsonl, refused, words
from tiny_models import random_cross_encoder
from conflare_nb.app.measuring import enough_lines
from conflare_nb import Audited, Calibration, calibration_size
from conflare_nb.evidence.audit import Audit
from conflare_nb.labels.labeling import Label

SUNDAY = 'When can I swim on Sunday?'
WAITS = 'Nothing is promised: a promise takes 60 questions, and there are 9'
HELLO = ('', 'Hello! ', 'Please: ', 'Tell me, ', 'Say, ', 'Hi, ', 'Quick one: ')


@pytest.fixture
def file(folder, tmp_path):  # 63 questions: seven ways to ask each of nine
    rows = read_jsonl(folder / 'q.jsonl')
    asked = [dict(row, question=hello + row['question']) for row in rows for hello in HELLO]
    return jsonl(tmp_path / 'many.jsonl', asked)


def calibrate(docs, file):
    return done('calibrate', docs, '--questions', file)


def label(docs, file):
    done('calibrate', docs, '--questions', file, '--judge', 'contains')


def test_a_promise_needs_sixty_questions_and_known_answers_or_an_audit(docs, file):
    ask = ('ask', SUNDAY, docs)
    everybody = 'For at least 90% of answerable questions like the calibration questions, '
    said = calibrate(docs, file)
    assert f'{everybody}an answer is retrieved' in said and 'Nothing is promised' not in said
    short, exact = done(*ask), done(*ask, '--explain')
    assert 'for 9 of 10 questions like the calibration questions, on average, the answer is in the list' in short
    listed = 'a sentence that answers is listed, or every sentence of the best chunks is, on average'
    assert everybody + listed in exact and 'over calibration sets' not in short
    assert 'on average over calibration sets (9 sets in 10' in exact
    judged = data('calibrate', docs, '--questions', file, '--judge', 'contains', '--replace')
    assert (judged['promised'], judged['questions'], judged['sentences']) == (False, 63, None)
    nobody = 'the labels are by contains, and nobody has audited them'
    assert judged['missing'] == [f'{nobody}: conflare audit {docs} -m 50']
    asked = done(*ask)
    assert f'Nothing is promised: {nobody}' in asked and 'at least 90%' not in asked
    audited = data('audit', docs, '-m', 63, '--gold', file)
    assert (audited['promised'], audited['too_early'], audited['missing']) == (True, 0, [])
    asked = done(*ask)
    assert '1 passage listed; for 9 of 10 questions like the calibration questions, on average, the' in asked
    assert '(or everything is), unless the audit misled.' in asked


def test_a_report_says_what_each_way_costs(docs, file):
    calibrate(docs, file)
    report = ('report', docs, '--report', docs.parent / 'r.html')
    found = data(*report)
    ways = ('late', 'calibrated k', 'best k in hindsight', 'distance')
    table = [(row['alpha'], row['retrieved']) for row in found['table']]
    assert table == [(alpha, by) for alpha in (0.2, 0.1, 0.05) for by in ways]
    assert all(row['coverage'] >= 1 - row['alpha'] - 0.1 for row in found['table'])
    assert found['promise'].startswith('For at least 90%') and len(found['quotes']) == 3
    assert all('Known answer: ' in one['known'] for one in found['quotes'])
    text = (docs.parent / 'r.html').read_text(encoding='utf-8')
    assert 'cannot fail, by construction' in text and 'data-cfx="explorer"' in text
    assert text.count('<article') >= 3
    assert data(*report, '--seed', 0) == found  # the same draws
    (measured(docs) / 'asked.json').unlink()
    refused('are not kept beside it; calibrate again', *report)


def test_another_embedding_model_is_compared_on_the_same_questions(docs, file, tmp_path):
    calibrate(docs, file)
    report = ('report', docs, '--report', tmp_path / 'r.html')
    alone, found = data(*report), data(*report, '--compare', random_cross_encoder(tmp_path / 'tiny'))
    own, other = found.pop('models')
    assert alone == found | {'models': []} and own['model'] == 'minilm'
    assert own['covers'] == [row['answered'] for row in found['table'] if row['retrieved'] == 'late']
    assert other['chunks'] != own['chunks'] and 0 < other['model_mb'] < 1 < own['model_mb']
    assert 'a model that was chosen before looking' in (tmp_path / 'r.html').read_text()
    refused("no embedding model '/none' here", *report, '--compare', '/none')


@pytest.mark.parametrize('audited', [False, True])
def test_what_takes_every_label_for_right_makes_no_promise(docs, file, audited):
    alpha = '1/30'  # the audit leaves none of it
    label(docs, file)
    if audited:
        done('audit', docs, '-m', 40, '--gold', file)
    page = docs.parent / 'r.html'
    report = ('report', docs, '--report', page, '--alpha', alpha)
    found = data(*report)
    said = page.read_text(encoding='utf-8') + done(*report, '--table')
    assert '"promised": false' in said and 'alibrated k' in said
    assert 'same guarantee' not in said and 'same promise' not in said
    assert ('this judge cannot support' in found['promise']) == audited
    if audited:
        cal = Calibration.load(measured(docs) / 'calibration.json')
        audit = Audit.load(measured(docs) / 'audit.json')
        own, theirs = cal.qhat(alpha, Audited(audit)), cal.qhat(alpha)
        assert own != theirs and 'qhat is infinite' in found['promise']
        assert found['miss'] is None or found['miss']['qhat'] == own


def test_a_page_by_nine_labels_of_a_judge_says_that_nothing_is_promised(folder, docs, tmp_path):
    label(docs, folder / 'q.jsonl')
    Audit(9, 0, 60, labels='others').save(measured(docs) / 'audit.json')
    found = data('report', docs, '--report', tmp_path / 'r.html', '--alpha', '.3')
    assert (found['questions'], found['quotes']) == (9, [])
    assert found['promise'].startswith(f'{WAITS}; ')
    assert WAITS in (tmp_path / 'r.html').read_text(encoding='utf-8')
    assert 'drawn from other labels' in done('ask', SUNDAY, docs)


def test_the_slider_of_a_report_begins_with_a_question_of_ones_own(docs, file):
    calibrate(docs, file)
    page = docs.parent / 'r.html'
    report = ('report', docs, '--report')
    done(*report, page, '--question', 'Is <b> free?')
    assert 'Is &lt;b&gt; free?' in page.read_text(encoding='utf-8')
    refused('no folder for --report', *report, docs / 'none' / 'r.html')
    refused('a question needs words', *report, page, '--question', ' ')


def test_what_goes_wrong_is_looked_for_in_the_order_of_the_file(docs, file):
    rows = read_jsonl(file)
    calibrate(docs, jsonl(file, rows + rows[:7]))  # some were asked twice: the first time counts
    page = docs.parent / 'r.html'
    found = data('report', docs, '--report', page)
    names = [finding['name'] for finding in found['findings']]
    assert len(names) == 3
    said = page.read_text(encoding='utf-8')
    assert 'Does it hold, and what goes wrong?' in said and all(name in said for name in names)
    assert 'the first 35 questions give a threshold, and the last 28 are tested by it' in said
    done('calibrate', docs, '--questions', jsonl(file, rows[:1] * 4), '--replace')
    assert data('report', docs, '--report', page)['findings'] == []  # one text has no later ones


def test_a_report_counts_what_calibrating_set_apart(docs, file):
    "It said that nothing answers 0 of 35 where calibrating had set 30 of 100 apart."
    rows = read_jsonl(file)[:56]
    for i in range(24):
        rows.insert(3 * i, dict(question=f'Where is zebra {i}?', answer=f'behind fence {i}'))
    made = data('calibrate', docs, '--questions', jsonl(file, rows))
    assert (made['questions'], made['set_apart']) == (56, 24)
    report = ('report', docs, '--report', docs.parent / 'r.html')
    misses, unanswerable, _ = data(*report)['findings']
    later = sum('zebra' in row['question'] for row in rows[40:])
    assert unanswerable['counts']['unanswerable'] == later > 0
    assert (misses['counts']['questions'], unanswerable['counts']['questions']) == (40 - later, 40)
    assert f'In calibration: {24 - later} of 40' in unanswerable['summary']
    report = (*report, '--table')
    assert '24 of 80 (30%' in done(*report)
    rows.sort(key=lambda row: 'zebra' in row['question'])
    for some in (rows[:24] + rows[56:], rows[56:] + rows[:24]):  # in one half alone
        done('calibrate', docs, '--questions', jsonl(file, some), '--replace')
        assert '24 of 48 (50%' in done(*report) and data(*report)['findings'] == []


def test_the_check_of_a_report_can_fail(docs, file):
    "Later questions in words that no document has: by random halves they were no harder than others."
    rows = read_jsonl(file)
    vague = [dict(row, question=f'hm {i} {i * 7}') for i, row in enumerate(rows[:45])]
    report = ('report', docs, '--report', docs.parent / 'r.html')
    for asked, found in ((rows + vague, True), (vague + rows, False), (rows, False)):
        done('calibrate', docs, '--questions', jsonl(file, asked), '--replace')
        misses = data(*report)['findings'][0]
        assert (misses['name'], misses['found']) == ('misses above alpha', found)


def test_every_command_prints_one_object(docs, file):
    made = data('calibrate', docs, '--questions', file)
    assert (made['questions'], made['promised'], made['missing']) == (63, True, [])
    assert [row['alpha'] for row in made['thresholds']] == [0.2, 0.1, 0.05]
    assert data('monitor', docs)['alarm'] is None
    tiny = jsonl(docs.parent / 'tiny.jsonl', read_jsonl(file)[:1])
    made = data('calibrate', docs, '--questions', tiny, '--replace')
    assert {row['qhat'] for row in made['thresholds']} == {None}  # infinite


def test_what_a_command_says_to_run_can_be_copied(folder, docs, tmp_path):
    docs = docs.rename(tmp_path / 'my house')
    named = f"'{docs}' --store '{tmp_path}/a store'"
    there = (docs, '--store', tmp_path / 'a store')
    refused(f'is not calibrated yet. Run: conflare calibrate {named}', 'ask', SUNDAY, *there)
    r = conflare_here('calibrate', *there, '--questions', folder / 'q.jsonl')
    assert r.stdout.strip().endswith(f'conflare report {named}')
    assert r.stderr == ''  # no bar either, also where vectors are made


def test_documents_that_are_not_there_are_named(docs, tmp_path):
    (docs / 'lease.docx').write_text('PK')
    keep = 'How long does an opened pen keep?'
    rows = [
        dict(question='Does it swim?', document='pool.htm', section='Pool'),
        dict(question='How long is the lease?', document='contract.docx', section='Term'),
        dict(question=keep, answer='28 days', document='pen.md', section='storage'),
        dict(question='For how long?', answer='28 days', document='deposit.pdf'),
    ]
    file = jsonl(tmp_path / 'q.jsonl', rows)
    r = conflare_here('calibrate', docs, '--questions', file)
    said = words(r)
    assert r.returncode == 0 and "line 4' names 'deposit.pdf'\n" in r.stderr
    named = "line 1' names 'pool.htm' (did you mean 'pool.html'?); question 'q.jsonl line 2' names"
    assert f"question 'q.jsonl {named} 'contract.docx'; question " in r.stderr
    apart = "'Does it swim?'; 'How long is the lease?'; 'For how long?'. The promise is about"
    assert f': {apart} the others.' in said
    assert 'Questions left aside, since their answer is not known in words: 2 of 4.' in said


def test_a_review_is_not_written_over(docs, tmp_path):
    (tmp_path / 'made.csv').write_text('mine')
    questions = ('questions', docs, '--out')
    refused('a review in it would be lost', *questions, tmp_path / 'made.csv')
    refused('to a .csv file', *questions, tmp_path / 'made.txt')
    assert (tmp_path / 'made.csv').read_text() == 'mine' and not (docs / '.conflare').exists()


def test_a_question_about_a_new_document(folder, tmp_path):
    docs, rows = tmp_path / 'docs', []
    docs.mkdir()
    for i in range(12):
        name, when, entry = f'pool{i}.txt', f'at {i} o clock', f'{i} euros'
        (docs / name).write_text(f'Pool {i} opens {when}. Its entry is {entry}.')
        for hello in HELLO[:3]:
            asked = {f'{hello}When does pool {i}?': when, f'{hello}Entry of pool {i}?': entry}
            rows += [dict(question=q, answer=a, document=name) for q, a in asked.items()]
    calibrate(docs, jsonl(tmp_path / 'q.jsonl', rows))
    ask = ('ask', 'When does pool 3 open?', docs)
    new = (*ask, '--new-documents')
    as_usual, of_new = data(*ask), data(*new)
    assert (as_usual['new_documents'], of_new['new_documents']) == (False, True)
    as_usual, of_new = as_usual['promise'], of_new['promise']
    assert 'about the same documents' in as_usual['short'] and 'k = ' in as_usual['exact']
    assert 'about new documents' in of_new['short']
    assert '12 documents, each counting the same' in of_new['exact']
    few = '12 documents are too few; at least 39 are needed'  # .05 counts as .025: it may be moved
    assert few in done(*new, '--alpha', '.05')
    (measured(docs) / 'quotes.json').unlink()
    assert 'about new documents' in done(*new)
    done('calibrate', docs, '--questions', folder / 'q.jsonl', '--replace')
    refused('of 3 of these 3 it is not known', *new)


def kept(docs):
    names = ['calibration.json', 'asked.json', 'quotes.json', 'audit.json']
    store = measured(docs)
    return {name: (store / name).read_bytes() for name in names if (store / name).exists()}


def test_other_questions_replace_nothing_unless_told_to(folder, docs, file):
    calibrate(docs, file)
    before = kept(docs)
    other = ('--questions', folder / 'q.jsonl', '--judge', 'contains')
    r = refused('add --replace; the old calibration is kept as a copy', 'calibrate', docs, *other)
    assert 'calibrated on 63 questions of many.jsonl, judged by gold' in r.stderr
    assert kept(docs) == before
    few = jsonl(docs.parent / 'few.jsonl', read_jsonl(file)[:20])
    refused('add --replace', 'calibrate', docs, '--questions', few)
    said = done('calibrate', docs, '--questions', few, '--replace')
    (aside,) = (docs / '.conflare' / 'replaced').iterdir()
    assert 'is kept in' in said and {f.name: f.read_bytes() for f in aside.iterdir()} == before
    calibrate(docs, file)  # all of the twenty, and more
    assert len(list((docs / '.conflare' / 'replaced').iterdir())) == 1


def test_a_purge_leaves_nothing_of_a_deleted_document(docs, file):
    calibrate(docs, file)
    few = jsonl(docs.parent / 'few.jsonl', read_jsonl(file)[:30])
    done('calibrate', docs, '--questions', few, '--replace')  # the old one is kept aside
    store = docs / '.conflare'

    def holders(words):
        return [p for p in store.rglob('*') if p.is_file() and words.encode() in p.read_bytes()]

    assert holders('28 days') and holders('in the fridge')
    (docs / 'pen.md').unlink()
    said = data('update', docs, '--purge')
    assert said['dropped'] and all('pen' in text for text in said['dropped'])
    assert not holders('28 days') and not holders('in the fridge') and holders('at 9')
    assert len(said['dropped']) + said['questions'] == 30
    assert data('update', docs, '--purge')['dropped'] == []
    assert 'at 9 on Sundays' in done('ask', SUNDAY, docs)


def test_a_report_replaces_a_report_and_nothing_else(docs, file):
    calibrate(docs, file)
    page = docs.parent / 'r.html'
    page.write_text('<p>My thesis')
    refused('is no report of conflare', 'report', docs, '--report', page)
    refused('is no report of conflare', 'report', docs, '--report', docs / 'pool.html')
    assert page.read_text() == '<p>My thesis'
    page.unlink()
    for _ in range(2):
        done('report', docs, '--report', page)


def test_a_label_by_a_model_waits_for_its_judge(docs, file):
    done('calibrate', docs, '--questions', file, '--judge', 'contains')
    asked = measured(docs) / 'asked.json'
    stored = json.loads(asked.read_text())
    stored['how'] |= dict(judge='likelihood', llm='none')
    asked.write_text(json.dumps(stored))
    (docs / 'bus.txt').write_text('Children under seven travel free. Dogs need a ticket.')
    before = kept(docs)
    for _ in range(2):
        said = done('ask', 'Do children pay?', docs)
        assert 'under seven travel free' in said and 'at least' not in said
        assert 'its labels are by contains: conflare update' in said
    assert kept(docs) == before
    refused('is out of date', 'report', docs, '--report', docs.parent / 'r.html')


def test_a_question_unlike_all_others_is_called_so(docs, file):
    calibrate(docs, file)
    peru = data('ask', 'What is the capital of Peru?', docs)
    assert 'for all 63 of them it was at most' in peru['warning']
    assert data('ask', SUNDAY, docs)['warning'] == ''
    said = done('ask', 'What is the capital of Peru?', docs)
    assert said.index('Warning: This question is unlike') < said.index('-> "')


def test_the_folder_stands_before_the_options_or_behind_them(docs, file):
    calibrate(docs, file)
    one = done('ask', SUNDAY, '--alpha', '.2', docs)
    orders = (SUNDAY, docs, '--alpha', '.2'), ('--alpha', '.2', SUNDAY, docs)
    assert {done('ask', *order) for order in orders} == {one}


def test_few_documents_or_answers_out_of_reach_are_never_enough():
    def said(scores, **more):
        return ' '.join(' '.join(enough_lines(Calibration(scores, {}, **more))).split())

    scores = np.linspace(0, 1, 63)
    few = said(scores, documents=('a.md', 'b.md', 'b.md') * 21)
    assert 'about 2 documents: too few documents to say' in few and '90%' not in few
    labels = [Label(f'q{i}', 'When?', score, 1, 'c') for i, score in enumerate(scores)]
    one = said(scores, labels=labels)  # one question, 63 times, of no known document
    assert 'You have 63 questions with 1 text: too few texts to say' in one
    said = said(np.where(scores > 0.9, np.inf, scores))
    assert '95%: qhat is infinite at alpha=0.05: for 7 of 63 questions nothing that answers' in said
    assert '80%: enough for a threshold' in said


def test_whether_the_questions_are_enough(docs, file):
    said = calibrate(docs, file)
    assert 'Are they enough? You have 63 questions.' in said
    least = [calibration_size(alpha, 0.05, 0.1, lasting=True) for alpha in (0.2, 0.1, 0.05)]
    assert least[1] <= 63 < least[0]
    assert '80%: enough for a threshold, but a loose one; with ' in said
    assert f'; with {least[0]} independent ones, nine sets in ten cover 75% or more' in said
    assert '90%: enough: nine calibration sets in ten cover 85% or more' in said
    few = jsonl(docs.parent / 'few.jsonl', read_jsonl(file)[:7])
    said = done('calibrate', docs, '--questions', few, '--replace')
    assert '90%: qhat is infinite at alpha=0.1: 7 questions are too few; at least 9 are needed.' in said
    assert 'with 60 independent ones, nine sets in ten cover 85% or more' in said
