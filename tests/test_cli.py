"The `conflare` command as a user runs it: the main job, one's own folder, every mistake in one line."

import io, json, re
import pytest
from command import conflare, conflare_here, data, done, jsonl, read_jsonl, refused, measured, words
from conflare_nb.answers.quotes import QuoteCalibration, Quoter
from conflare_nb.conformal.movable import Stops
from conflare_nb.evidence.audit import Audit
from conflare_nb import Calibration, DocumentFolder, KnowledgeBase, read_folder, sample_documents
from conflare_nb.models.local import smollm2_file
from conflare_nb.documents.stored import NAMED_SCORES

SUNDAY = 'When does the pool open on Sundays?'
WAITS = 'Nothing is promised: a promise takes 60 questions, and there are 9.'


@pytest.fixture
def own(folder, docs):  # calibrated with known answers
    said = done('calibrate', docs, '--questions', folder / 'q.jsonl')
    assert 'Sentences: -log of its share, lower = better' in said
    return docs


@pytest.fixture
def labelled(folder, docs):  # calibrated by a judge
    done('calibrate', docs, '--questions', folder / 'q.jsonl', '--judge', 'contains')
    return docs


@pytest.mark.parametrize(
    'args, says',
    [
        ('ask " "', "a question needs words; got ' '"),
        ('ask x {d}/none', 'no such folder'),
        ('calibrate {d}/empty --questions {d}/q.jsonl', 'no text found in'),
        ('calibrate {d}/docs --questions {d}/none.jsonl', 'no such file'),
        ('calibrate {d}/docs --questions {d}/bare.jsonl', 'needs an "answer" or a "section"'),
        ('calibrate {d}/docs --questions {d}/docs/pen.md', 'questions are read from .jsonl'),
        ('calibrate', 'required: --questions'),
        ('questions {d}/docs -n 0', 'at least 1; got 0'),
        ('calibrate {d}/docs --questions x --judge me', 'invalid choice'),
        ('calibrate {d}/docs --questions x --llm smollm2', "'gold' takes none; got smollm2"),
        ('audit {d}/docs --store {d}/elsewhere2', 'is not calibrated yet'),
        ('ask x --alpha 0', 'strictly between 0 and 1; got 0'),
        ('ask x --alpha nan', 'got nan'),
        ('ask x --alpha ten', 'a fraction such as "1/3"; got \'ten\''),
        ('ask x --alpha 4/3', 'got 1.33333'),
        ('monitor none --alpha 1/3', 'no such folder'),
        ('ask x --alpha 1/0', "got '1/0'"),
        ('demo --alpha -3', 'got -3'),
        ('calibrate {d}/docs --questions x --score cosine', "argument --score: invalid choice: 'cosine'"),
        ('ask x --score rank', 'unrecognized arguments: --score'),
        ('ask x {d}/docs --store {d}/elsewhere', 'is not calibrated yet'),
        ('ask x --kind brand', 'no calibrated kind of question'),
        ('ask x --alpha .3', 'alpha may be moved among 0.05, 0.1 and 0.2; got 0.3'),
        ('ask x --embedder none', '--embedder is the model of a folder'),
        ('calibrate {d}/docs --questions x --by size', 'invalid choice'),
        ('calibrate {d}/docs --questions {d}/q.jsonl --by kind', '9 questions has a kind'),
        ('dance', "no command is called 'dance'"),
        ('calibate', 'did you mean calibrate?'),
        ('', 'required'),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(folder, args, says):
    (folder / 'empty').mkdir(exist_ok=True)
    (folder / 'bare.jsonl').write_text('{"question": "Where?"}')
    args = [' ' if arg == '" "' else arg for arg in re.findall(r'" "|\S+', args)]
    refused(says, *(arg.replace('{d}', str(folder)) for arg in args))


def test_every_command_has_its_help():
    r = conflare_here('--help')
    table = r.stdout.partition('commands:')[2].partition('options:')[0]
    names = re.findall(r'^  ([a-z-]+) +\S', table, re.M)
    assert r.returncode == 0 and len(names) == 12
    for name in names:
        r = conflare_here(name, '--help')
        assert r.returncode == 0
        assert ('--json' in r.stdout) == (name not in ('serve', 'mcp', 'lesson'))


def test_a_kind_of_question(folder, docs, tmp_path):
    rows = read_jsonl(folder / 'q.jsonl')
    kinds = ['pen' if 'pen' in row['question'] else 'town' for row in rows]
    q = jsonl(tmp_path / 'q.jsonl', [dict(row, kind=kind) for row, kind in zip(rows, kinds)])
    said = done('calibrate', docs, '--questions', q, '--by', 'kind')
    cal = Calibration.load(measured(docs) / 'calibration.json')
    assert cal.groups == tuple(kinds)
    assert said.count('A threshold for each kind of question') == 2
    assert f'pen: qhat is infinite at alpha=0.1: {kinds.count("pen")} questions are too few' in said
    ask = ('ask', 'When can I swim?', docs, '--kind')
    waits = WAITS.replace('9', str(kinds.count('town')))  # the questions of a kind are counted
    assert done(*ask, 'town').endswith(waits)
    refused("no calibrated kind of question 'dog'; there are: pen, town", *ask, 'dog')


def test_own_folder(folder, docs):
    r = conflare('calibrate', docs, '--questions', folder / 'q.jsonl')
    assert (r.returncode, r.stderr) == (0, '')  # no bars in a log
    assert 'at least 19 are needed. The whole pool is retrieved.' in words(r)  # alpha=.05
    r = conflare_here('ask', SUNDAY, docs, '--alpha', '.2')
    assert r.returncode == 0, r.stderr
    assert '\n  -> "The pool opens at 7 on weekdays and at 9 on Sundays."\n     Pool\n' in r.stdout
    assert ' listed. Nothing is promised' in words(r)
    assert 'k = 9 of n = 9' not in r.stdout and 'Score:' not in r.stdout  # nobody wrote
    assert 'k = 9 of n = 9' in done('ask', SUNDAY, docs, '--explain')
    (docs / 'bus.txt').write_text('Children travel free. No dogs.')
    said = done('ask', 'dogs?', docs)
    assert said.startswith('1 changed (bus.txt). Calibrated again on its 9 questions.')
    assert 'The words of the answer are nowhere any more for 1 question: ' in said and 'No dogs.' in said
    (docs / 'bus.txt').unlink()
    assert '1 removed (bus.txt)' in done('update', docs)
    assert 'Nothing has changed.' in done('update', docs)


@pytest.mark.parametrize('score', NAMED_SCORES)
def test_the_folder_keeps_the_score_that_it_was_calibrated_by(folder, docs, score):
    q = folder / 'q.jsonl'
    said = done('calibrate', docs, '--questions', q, '--score', score)
    papers = ", the papers'" if score == 'distance' else ''
    shown = f'Score: {score} ({NAMED_SCORES[score]().label}), lower = better{papers} '
    cal = Calibration.load(measured(docs) / 'calibration.json')
    assert shown in said and cal.score == NAMED_SCORES[score]()
    assert f'qhat = {cal.qhat(0.2):.4f} at alpha=0.2' in said
    assert shown in done('audit', docs, '--gold', q)


def test_questions_that_nothing_answers_are_set_apart_and_said(folder, docs, tmp_path):
    foreign = dict(question='Who sang Waterloo?', answer='Abba')
    more = jsonl(tmp_path / 'more.jsonl', [*read_jsonl(folder / 'q.jsonl'), foreign])
    label = ('calibrate', docs, '--judge', 'gold', '--questions')
    said = done(*label, more)
    apart = 'Questions set apart, since the wording of their answer is not in the document that they name, or in any: 1 of 10'
    assert f'{apart} (10%; 90% interval' in said
    assert "): 'Who sang Waterloo?'. The promise is about the others." in said
    assert 'of questions whose answer they have in other words, fewer may be covered' in said
    assert 'count as never covered' not in said and 'or at least' not in said and WAITS in said
    cal = Calibration.load(measured(docs) / 'calibration.json')
    assert (cal.n, cal.unanswerable, len(cal.labels)) == (9, 1, 10)
    needs = 'calibration needs questions that the knowledge base answers; nothing in it'
    label = (*label[:2], '--replace', *label[2:])
    refused(needs, *label, jsonl(tmp_path / 'none.jsonl', [foreign]))


def test_a_judge_that_finds_nothing_sets_nothing_apart_and_a_person_does(folder, docs, tmp_path):
    foreign = dict(question='Who sang Waterloo?', answer='Abba')
    marked = dict(question=foreign['question'], unanswerable=True)
    known = read_jsonl(folder / 'q.jsonl')
    label = ('calibrate', docs, '--judge', 'contains', '--replace', '--questions')
    said = done(*label, jsonl(tmp_path / 'more.jsonl', [*known, foreign]))
    assert 'set apart, since' not in said and 'They count as never covered' in said
    assert 'If you find that nothing answers such a question, mark it "unanswerable"' in said
    said = done(*label, jsonl(tmp_path / 'marked.jsonl', [*known, marked]))
    assert 'set apart, since nothing in the knowledge base answers them: 1 of 10' in said


def test_an_audit_at_the_terminal_goes_on_where_it_stopped(folder, docs):
    label = ('calibrate', docs, '--questions', folder / 'q.jsonl', '--judge', 'contains')
    nobody = 'the labels are by contains, and nobody has audited them: conflare audit'
    assert nobody in done(*label)

    def audit(m, input):  # what it said, and how many labels were judged before each question
        r = conflare_here('audit', docs, '-m', m, input=input)
        assert r.returncode == 0
        return words(r), re.findall(r'\[(\d) of \d labels judged\]', r.stderr)

    def asked():
        return done('ask', 'May I bring a dog?', docs)

    said, judged = audit(5, 'y\nu\nn\nq\n')
    assert 'Stopped. Your answers are kept' in said and not (measured(docs) / 'audit.json').exists()
    assert judged == ['0', '1', '0', '1']
    said, judged = audit(5, 'y\n' * 9)
    assert judged[0] == '1'  # the first is not asked again
    assert f'{Audit(5, 1, among=9)} ' in said and 'a larger number' in said
    assert 'this judge cannot support alpha=0.2' in said
    assert 'this judge cannot support alpha=0.1' in asked()
    said, judged = audit(7, 'y\n' * 9)
    assert judged == ['5', '6'] and f'{Audit(7, 1, among=9)}' in said  # only the next two
    file = measured(docs) / 'audit.json'
    other = json.loads(file.read_text()) | dict(labels='of another calibration')
    file.write_text(json.dumps(other))
    assert 'Note: this audit was drawn from other labels' in asked()
    assert 'cannot support' not in asked()


def test_a_calibration_has_one_audit(folder, labelled, monkeypatch, capsys):
    "It is refused, also where the first was stopped after one look, until there are other labels."

    def audit(said, **how):
        monkeypatch.setattr('sys.stdin', io.StringIO(said))
        return DocumentFolder(labelled).audit(**how).to_dict()

    assert audit('n\nq\n', m=5) == dict(stopped=True)
    with pytest.raises(ValueError, match='a calibration has one audit: .* goes on with seed=0'):
        audit('', m=7, seed=1)
    assert not audit('y\n' * 9, m=5)['stopped']
    done('calibrate', labelled, '--questions', folder / 'q.jsonl', '--score', 'rank', '--replace')
    assert not audit('y\n' * 9, m=7, seed=1)['stopped']


def test_a_question_asked_again_is_looked_at_once(folder, labelled, tmp_path):
    "Sixty rows of four texts: each text is judged once, each row counts."
    log = jsonl(tmp_path / 'log.jsonl', read_jsonl(folder / 'q.jsonl')[:4] * 15)
    said = done('calibrate', labelled, '--questions', log, '--judge', 'contains', '--replace')
    assert '60 questions (4 distinct texts); saved in' in said
    said = done('audit', labelled, '-m', 60, input='y\n' * 4)
    assert f'{Audit(60, 0, among=60)} ' in said


def test_a_monitor_says_in_one_line_how_things_stand(folder, own, tmp_path):
    rows = [dict(question=f'Where does bus {i} go?', answer='at 9', id=f'l{i}') for i in range(12)]
    live = jsonl(tmp_path / 'live.jsonl', rows)
    monitor = ('monitor', own)

    def say(*args):
        r = conflare_here(*monitor, *args)
        assert r.returncode == 0 and r.stdout.count('\n') == 1, r.stderr
        return r.stdout

    nothing = say()
    assert nothing.startswith('No alarm')
    assert '(a martingale) is 1; at 20 an alarm goes off' in nothing
    first = say('--questions', live, '--day', '2026-01-05')
    assert first.startswith('12 of 12 questions are new. ')
    again = say('--questions', live)
    assert again.startswith('0 of 12 questions are new. ') and '12 live questions' in again
    assert re.search('at 100 an alarm goes off\\.|ALARM', say('--delta', '.01'))
    assert 'in any of their 2 starts.' in say('--restart', 'a try')
    assert '(a martingale) is 1;' in say()
    refused('got 0', *monitor, '--delta', '0')
    refused("Invalid isoformat string: 'noon'", *monitor, '--day', 'noon')
    refused('with its reason', *monitor, '--restart', ' ')
    refused('none.jsonl', *monitor, '--questions', tmp_path / 'none.jsonl')
    refused('is not one that calibrated; 9 are', *monitor, '--questions', folder / 'q.jsonl')


def test_quotes_as_json_are_those_of_the_quoter(own):
    found = data('ask', SUNDAY, own, '--alpha', '.2')
    kb = KnowledgeBase.open(own / '.conflare')
    quotes = Quoter(kb, QuoteCalibration.load(measured(own) / 'quotes.json'), 0.2, Stops(0.05, 0.1, 0.2)).quote(SUNDAY)
    names = 'command question unit alpha levels first listed threshold promise new_documents warning written'
    assert list(found) == names.split()
    assert (found['alpha'], found['threshold'], found['levels']) == (0.2, quotes.qhat, [0.05, 0.1, 0.2])
    assert (found['promise']['short'], found['promise']['rule']) == (WAITS, quotes.promise.rule)
    listed = [(one['text'], one['score'], one['p_value']) for one in found['listed']]
    assert listed == [(quote.text, quote.score, quote.p_value) for quote in quotes.listed]
    location = found['first']['location']
    assert (location['type'], location['document']) == ('char_location', 'pool.html')
    texts = {document.path: document.text for document in read_folder(own)}
    for one in found['listed']:
        location = one['location']
        span = slice(location['start_char_index'], location['end_char_index'])
        assert texts[location['document']][span] == location['cited_text'] == one['text']
    everything = data('ask', SUNDAY, own, '--alpha', '.05')  # nine questions are too few
    assert everything['threshold'] is None and len(everything['listed']) == 5


def test_a_folder_without_calibrated_sentences_promises_nothing_of_them(own):
    (measured(own) / 'quotes.json').unlink()
    ask = ('ask', SUNDAY, own, '--explain')
    said = done(*ask)
    assert '-> "The pool opens at 7 on weekdays and at 9 on Sundays." Pool' in said
    assert WAITS[:-1] in said and 'passages listed' in said.replace('passage listed', 'passages listed')
    assert 'at least' not in said
    found = data(*ask)
    assert (found['unit'], found['first']['p_value']) == ('passages', None)
    assert 'nothing is promised of it alone' in found['promise']['limits'][-1]


def test_a_judge_calibrates_no_sentences_and_takes_the_old_ones_away(folder, own):
    assert (measured(own) / 'quotes.json').is_file()
    label = ('calibrate', own, '--questions', folder / 'q.jsonl', '--judge', 'contains')
    refused('To calibrate it in another way, add --replace', *label)
    label = (*label, '--replace')
    assert 'Sentences: not calibrated' in done(*label)
    assert not (measured(own) / 'quotes.json').exists()


def test_quotes_of_another_knowledge_base_are_stale(own):
    file = measured(own) / 'quotes.json'
    stored = json.loads(file.read_text())
    stored['fingerprint']['chunks'] = 'others'
    for text, says in [
        (json.dumps(stored), 'belongs to another knowledge base; calibrate again'),
        ('{}', 'calibration of sentences'),
    ]:
        file.write_text(text)
        assert refused(says, 'ask', SUNDAY, own).stdout == ''


@pytest.mark.model
def test_a_model_writes_below_the_quotes_where_one_is_named(own):
    ask = ('ask', SUNDAY, own, '--llm', 'smollm2')
    quoted, written = done(*ask).split(f' Written by {smollm2_file().name} from ')
    assert quoted.count(' -> ') == written.count(' -> ') == 1
    listed = re.search(r'(\d+) sentences? listed', quoted)[1]
    assert written.startswith(f'{listed} sentences quoted above')
    assert "nothing is promised of the model's text" in written and 'Score:' not in written
    (measured(own) / 'quotes.json').unlink()  # sentences are not calibrated: from the chunks
    written = done(*ask).split(f' Written by {smollm2_file().name} from ')[1]
    assert 'retrieved chunks, since no sentences were calibrated' in written
    assert ' Score: late (' in written


def test_the_guide_keeps_the_calibration_of_its_sentences(tmp_path, monkeypatch):
    monkeypatch.setattr('conflare_nb.app.demo.cache_dir', lambda: tmp_path)
    guide = tmp_path / 'medication-guide'
    ask = ('ask', 'I forgot my weekly methotrexate. Can I still take it?', '--alpha', '.2')
    first = done(*ask)
    assert '-> "If your day is Monday, you may still take the tablets' in first
    kept = (measured('.', guide) / 'quotes.json').read_text()
    stored = json.loads(kept)
    assert done(*ask) == first and (measured('.', guide) / 'quotes.json').read_text() == kept
    stored['fingerprint']['chunks'] = 'others'
    (measured('.', guide) / 'quotes.json').write_text(json.dumps(stored))
    assert done(*ask) == first  # measured anew, not refused
    anew = json.loads((measured('.', guide) / 'quotes.json').read_text())
    assert anew['fingerprint'] == json.loads(kept)['fingerprint']
    kb = KnowledgeBase.open(guide)
    kb.delete(next(iter(kb.documents())))  # a write is seen, and the guide is whole again
    assert done(*ask) == first
    assert len(KnowledgeBase.open(guide).documents()) == len(sample_documents())


FOUND = (
    r'You asked for 90%; of 544 questions, ([\d.]+)% found their answer, on average over random splits\. '
    r'Passages read per question: ([\d.]+); with a fixed k, ([\d.]+); by distance, ([\d.]+)\.'
)


def test_demo(tmp_path):
    r = conflare('demo', '--report', tmp_path / 'report.html', cwd=tmp_path)
    assert (r.returncode, r.stderr) == (0, '')  # no bars in a log
    assert max(len(line) for line in r.stdout.splitlines() if 'report.html' not in line) <= 100
    assert 8 <= len(list(filter(None, r.stdout.splitlines()))) <= 13
    covered, ours, calibrated, papers = map(float, re.search(FOUND, words(r)).groups())
    # the finding: fewer chunks than a calibrated k of the same ranking
    assert 85 < covered < 95 and ours < calibrated < papers
    assert 'not medical advice' in r.stdout and r.stdout.count('\n  -> "') == 1
    said = done('demo', '--report', tmp_path / 'report.html', '--table')
    parts = ['cannot fail, by construction', 'For at least 90% of answerable questions']
    parts += ['Three of the questions, drawn at random', 'One that is missed, and why', 'Does it hold, and what goes']
    assert [said.count(part) for part in parts] == [1] * 5
    assert sorted(parts, key=said.index) == parts and said.count('Known answer: ') == 4
    page = (tmp_path / 'report.html').read_text()
    assert page.count('<svg') == 1 and 'data-cfx' in page
    assert page.count('<article') == 4 and page.count('<mark>') >= 3
    assert not re.search(r'(src|href)="https?://', page)
