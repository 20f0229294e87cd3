"The `conflare` command, run as a user would: the main job, one's own folder, and every mistake in one line with exit code 2."

import json, re, shutil
import pytest
from command import conflare, conflare_here, small_folder, words
from conflare_nb.answers.quotes import QuoteCalibration, Quoter
from conflare_nb.calibration.audit import Audit
from conflare_nb.calibration.calibration import Calibration, calibrate
from conflare_nb.calibration.judges import answering_chunks
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.questions.guide import sample_documents, sample_questions
from conflare_nb.questions.question import split_questions
from conflare_nb.retrieval.evaluation import rank_questions
from conflare_nb.retrieval.retriever import ConformalRetriever
from conflare_nb.scores.hybrid import Hybrid
from conflare_nb.scores.score import Distance
from conflare_nb.scores.stored import NAMED_SCORES
from conflare_nb.show.report import showcase_question


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return small_folder(tmp_path_factory.mktemp('own'))


@pytest.mark.parametrize(
    'args, says',
    [
        (['ask', ' '], "a question needs words; got ' '"),
        (['ask', 'x', '--json', '--llm', 'smollm2'], '--json prints quotes, and --llm writes'),
        (['ask', 'x', '--docs', '{d}/none'], 'no such folder'),
        (['calibrate', '--docs', '{d}/empty', '--questions', '{d}/q.jsonl'], 'no text found in'),
        (['calibrate', '--docs', '{d}/docs', '--questions', '{d}/none.jsonl'], 'no such file'),
        (
            ['calibrate', '--docs', '{d}/docs', '--questions', '{d}/bare.jsonl'],
            'line 1: a question needs an "answer" or a "section"',
        ),
        (
            ['calibrate', '--docs', '{d}/docs', '--questions', '{d}/docs/pen.md'],
            'questions are read from .jsonl, .csv',
        ),
        (['calibrate'], 'required: --docs'),
        (['questions', '--docs', '{d}/docs', '-n', '0'], 'at least 1; got 0'),
        (['label', '--docs', '{d}/docs', '--judge', 'me'], 'invalid choice'),
        (['label', '--docs', '{d}/docs'], 'no questions are kept for'),
        (['audit', '--docs', '{d}/docs', '--store', '{d}/elsewhere2'], 'is not calibrated yet'),
        (['ask', 'x', '--alpha', '0'], 'strictly between 0 and 1; got 0'),
        (['ask', 'x', '--alpha', '1'], 'got 1'),
        (['ask', 'x', '--alpha', 'nan'], 'got nan'),
        (['ask', 'x', '--alpha', 'ten'], 'a fraction such as "1/3"; got \'ten\''),
        (['ask', 'x', '--alpha', '4/3'], 'got 1.33333'),
        (['monitor', '--docs', 'none', '--alpha', '4/3'], 'got 1.33333'),
        (['monitor', '--docs', 'none', '--alpha', '1/3'], 'no such folder'),
        (['ask', 'x', '--alpha', '1/0'], "got '1/0'"),
        (['demo', '--alpha', '-3'], 'got -3'),
        (
            ['calibrate', '--docs', '{d}/docs', '--score', 'cosine'],
            "argument --score: invalid choice: 'cosine'",
        ),
        (['ask', 'x', '--score', 'rank'], 'unrecognized arguments: --score'),
        (['ask', 'x', '--docs', '{d}/docs', '--store', '{d}/elsewhere'], 'is not calibrated yet'),
        (['ask', 'x', '--kind', 'brand'], '--kind asks a folder'),
        (['label', '--docs', '{d}/docs', '--by', 'size'], 'invalid choice'),
        (
            ['calibrate', '--docs', '{d}/docs', '--questions', '{d}/q.jsonl', '--by', 'kind'],
            'none of these 9 questions has a kind',
        ),
        (['dance'], 'invalid choice'),
        ([], 'required'),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(folder, args, says):
    (folder / 'empty').mkdir(exist_ok=True)
    (folder / 'bare.jsonl').write_text('{"question": "Where?"}')
    r = conflare_here(*(a.replace('{d}', str(folder)) for a in args))
    assert r.returncode == 2
    assert (
        r.stderr.strip().count('\n') == 0 and r.stderr.startswith('error: ') and says in r.stderr
    ), r.stderr


def test_a_kind_of_question(folder, tmp_path):
    docs = shutil.copytree(
        folder / 'docs', tmp_path / 'docs', ignore=shutil.ignore_patterns('.conflare')
    )
    rows = [json.loads(line) for line in (folder / 'q.jsonl').read_text().splitlines()]
    kinds = [dict(row, kind='pen' if 'pen' in row['question'] else 'town') for row in rows]
    (tmp_path / 'q.jsonl').write_text('\n'.join(map(json.dumps, kinds)))
    r = conflare_here(
        'calibrate', '--docs', docs, '--questions', tmp_path / 'q.jsonl', '--by', 'kind'
    )
    assert r.returncode == 0, r.stderr
    cal = Calibration.load(docs / '.conflare/calibration.json')
    assert (
        cal.groups == tuple(row['kind'] for row in kinds)
        and words(r).count('A threshold for each kind of question') == 2
    )
    assert (
        f'pen: qhat is infinite at alpha=0.1: {cal.groups.count("pen")} questions are too few'
        in words(r)
    )
    asked = conflare_here(
        'ask', 'When can I swim?', '--docs', docs, '--kind', 'town', '--alpha', '.3'
    )
    assert asked.returncode == 0 and words(asked).endswith(
        'Nothing is promised: 9 of 60 questions are there.'
    ), asked.stderr
    unknown = conflare_here('ask', 'When?', '--docs', docs, '--kind', 'dog')
    assert (
        unknown.returncode == 2
        and "no calibrated kind of question 'dog'; there are: pen, town" in unknown.stderr
    )


@pytest.mark.slow
def test_own_folder(folder, tmp_path):
    docs = shutil.copytree(
        folder / 'docs', tmp_path / 'docs', ignore=shutil.ignore_patterns('.conflare')
    )
    r = conflare('calibrate', '--docs', docs, '--questions', folder / 'q.jsonl')
    assert r.returncode == 0, r.stderr
    assert 'at least 19 are needed. The whole pool is retrieved.' in words(
        r
    )  # alpha=.05 with nine questions
    assert r.stderr == ''  # no bars in a log
    r = conflare('ask', 'When does the pool open on Sundays?', '--docs', docs, '--alpha', '.1')
    assert r.returncode == 0, r.stderr
    assert '\n  -> "The pool opens at 7 on weekdays and at 9 on Sundays."\n     Pool\n' in r.stdout
    assert (
        '  Sentences listed: ' in r.stdout
        and 'k = 9 of n = 9' not in r.stdout
        and 'Score:' not in r.stdout
    )  # nobody wrote
    assert 'k = 9 of n = 9' in words(
        conflare_here(
            'ask',
            'When does the pool open on Sundays?',
            '--docs',
            docs,
            '--alpha',
            '.1',
            '--explain',
        )
    )
    (docs / 'bus.txt').write_text('No dogs.')
    r = conflare('ask', 'dogs?', '--docs', docs)
    assert r.returncode == 2 and 'stale' in r.stderr and 'bus.txt' in r.stderr
    (docs / 'bus.txt').unlink()
    assert 'bus.txt' in conflare_here('ask', 'dogs?', '--docs', docs).stderr


@pytest.mark.parametrize('score', NAMED_SCORES)
def test_the_folder_keeps_the_score_that_it_was_calibrated_by(folder, tmp_path, score):
    docs = shutil.copytree(
        folder / 'docs', tmp_path / 'docs', ignore=shutil.ignore_patterns('.conflare')
    )
    r = conflare_here(
        'calibrate', '--docs', docs, '--questions', folder / 'q.jsonl', '--score', score
    )
    assert r.returncode == 0, r.stderr
    assert re.search(rf'^Score: {score} \(', r.stdout, re.M)
    cal = Calibration.load(docs / '.conflare' / 'calibration.json')
    assert cal.score == NAMED_SCORES[score]()
    assert f'qhat = {cal.qhat(0.2):.4f} at alpha=0.2' in r.stdout


def test_questions_that_nothing_answers_are_set_apart_and_said(folder, tmp_path):
    docs = shutil.copytree(
        folder / 'docs', tmp_path / 'docs', ignore=shutil.ignore_patterns('.conflare')
    )
    foreign = json.dumps(dict(question='Who sang Waterloo?', answer='Abba'))
    (tmp_path / 'more.jsonl').write_text(
        (folder / 'q.jsonl').read_text().rstrip('\n') + '\n' + foreign
    )
    r = conflare_here(
        'label', '--docs', docs, '--questions', tmp_path / 'more.jsonl', '--judge', 'gold'
    )
    assert r.returncode == 0, r.stderr
    assert (
        'Questions set apart, since nothing in the knowledge base answers them: 1 of 10 (10%; 90% interval'
        in words(r)
    )
    assert (
        "): 'Who sang Waterloo?'. The promise is about the others." in words(r)
        and 'count as never covered' not in r.stdout
    )
    assert (
        'for at least' not in r.stdout
        and '\nNothing is promised: 9 of 60 questions are there.\n' in r.stdout
    )
    cal = Calibration.load(docs / '.conflare' / 'calibration.json')
    assert (cal.n, cal.unanswerable, len(cal.labels)) == (9, 1, 10)
    (tmp_path / 'none.jsonl').write_text(foreign)
    r = conflare_here(
        'label', '--docs', docs, '--questions', tmp_path / 'none.jsonl', '--judge', 'gold'
    )
    assert (
        r.returncode == 2
        and 'error: calibration needs questions that the knowledge base answers; nothing in it'
        in r.stderr
    )


def test_a_folder_calibrated_before_there_were_scores_is_one_of_distances(folder, tmp_path):
    docs = shutil.copytree(
        folder / 'docs', tmp_path / 'docs', ignore=shutil.ignore_patterns('.conflare')
    )
    conflare_here(
        'calibrate', '--docs', docs, '--questions', folder / 'q.jsonl', '--score', 'distance'
    )
    stored = json.loads((docs / '.conflare' / 'calibration.json').read_text())
    assert (
        stored['schema'] == 'conflare_nb.calibration/1' and 'score' not in stored
    )  # as it always was
    r = conflare_here('audit', '--docs', docs, '--gold', folder / 'q.jsonl')
    assert r.returncode == 0, r.stderr
    assert "\nScore: distance (cosine distance), lower = better, the papers'\n" in r.stdout


def test_an_audit_at_the_terminal_goes_on_where_it_stopped(folder, tmp_path):
    docs, q = (
        shutil.copytree(
            folder / 'docs', tmp_path / 'docs', ignore=shutil.ignore_patterns('.conflare')
        ),
        folder / 'q.jsonl',
    )
    assert 'the labels are by contains, and nobody has audited them: conflare audit' in words(
        conflare_here('label', '--docs', docs, '--questions', q, '--judge', 'contains')
    )
    first = conflare_here('audit', '--docs', docs, '-m', 5, input='y\nu\nn\nq\n')
    assert first.returncode == 0, first.stderr
    assert (
        'Stopped; what was judged is kept' in first.stdout
        and not (docs / '.conflare' / 'audit.json').exists()
    )
    asked = lambda r: re.findall(r'^\[(\d) of \d labels judged\]', r.stdout, re.M)
    assert asked(first) == ['0', '1', '0', '1']
    rest = conflare_here('audit', '--docs', docs, '-m', 5, input='y\n' * 9)
    assert asked(rest)[0] == '1'  # the first is not asked again
    assert (
        f'\n{Audit(5, 1, among=9)}\n' in rest.stdout
        and 'a larger -m' in rest.stdout
        and 'this judge cannot support alpha=0.2' in rest.stdout
    )
    assert 'this judge cannot support alpha=0.3' in words(
        conflare_here('ask', 'May I bring a dog?', '--docs', docs, '--alpha', '.3')
    )
    file = docs / '.conflare' / 'audit.json'
    more = conflare_here('audit', '--docs', docs, '-m', 7, input='y\n' * 9)
    assert (
        asked(more) == ['5', '6'] and f'{Audit(7, 1, among=9)}' in more.stdout
    )  # only the next two
    file.write_text(
        json.dumps({**json.loads(file.read_text()), 'labels': 'those of another calibration'})
    )
    answer = words(conflare_here('ask', 'May I bring a dog?', '--docs', docs, '--alpha', '.3'))
    assert (
        'note: this audit was drawn from other labels' in answer and 'cannot support' not in answer
    )


def _labelled(folder, to):
    "A copy of the folder that a judge has labelled."
    docs = shutil.copytree(folder / 'docs', to / 'docs', ignore=shutil.ignore_patterns('.conflare'))
    conflare_here('label', '--docs', docs, '--questions', folder / 'q.jsonl', '--judge', 'contains')
    return docs


@pytest.mark.parametrize(
    'first, again, says',
    [
        (['-m', 5], ['-m', 7, '--seed', 1], '--seed 0 --delta 0.05 and any larger -m'),
        (['-m', 5], ['-m', 5, '--fixed'], '--seed 0 --delta 0.05 and any larger -m'),
        (['-m', 5], ['-m', 7, '--delta', '.2'], '--seed 0 --delta 0.05 and any larger -m'),
        (['-m', 5, '--fixed'], ['-m', 7, '--fixed'], '--seed 0 --delta 0.05 --fixed -m 5'),
        (['-m', 5, '--fixed'], ['-m', 7], '--seed 0 --delta 0.05 --fixed -m 5'),
    ],
)
def test_a_calibration_has_one_audit(folder, tmp_path, first, again, says):
    "It is refused in one line, also where the first was stopped after one look, until there are other labels."
    docs = _labelled(folder, tmp_path)
    stopped = conflare_here('audit', '--docs', docs, *first, input='n\nq\n')
    assert stopped.returncode == 0, stopped.stderr
    other = conflare_here('audit', '--docs', docs, *again, input='y\n' * 9)
    assert (other.returncode, other.stdout, other.stderr.count('\n')) == (2, '', 1)
    assert 'a calibration has one audit: ' in other.stderr and says in other.stderr
    assert conflare_here('audit', '--docs', docs, *first, input='y\n' * 9).returncode == 0
    conflare_here('calibrate', '--docs', docs, '--questions', folder / 'q.jsonl', '--score', 'rank')
    assert conflare_here('audit', '--docs', docs, *again, input='y\n' * 9).returncode == 0


def test_an_audit_of_a_fixed_size(folder, tmp_path):
    docs = _labelled(folder, tmp_path)
    fixed = conflare_here('audit', '--docs', docs, '-m', 5, '--fixed', input='n\n' + 'y\n' * 9)
    assert f'\n{Audit(5, 1)}\n' in fixed.stdout and 'a larger -m' not in fixed.stdout


def test_a_question_asked_again_is_looked_at_once(folder, tmp_path):
    "Sixty rows of four texts: each text is judged once, each row counts."
    docs = _labelled(folder, tmp_path)
    rows = [json.loads(line) for line in (folder / 'q.jsonl').read_text().splitlines()][:4]
    log = tmp_path / 'log.jsonl'
    asked = [{k: v for k, v in rows[i % 4].items() if k != 'id'} for i in range(60)]
    log.write_text('\n'.join(map(json.dumps, asked)))
    said = conflare_here('label', '--docs', docs, '--questions', log, '--judge', 'contains').stdout
    assert '60 questions (4 distinct texts); saved in' in said
    r = conflare_here('audit', '--docs', docs, '-m', 60, input='y\n' * 4)
    assert r.returncode == 0 and f'\n{Audit(60, 0, among=60)}\n' in r.stdout, r.stderr


def test_a_monitor_says_in_one_line_how_things_stand(folder, tmp_path):
    docs = shutil.copytree(
        folder / 'docs', tmp_path / 'docs', ignore=shutil.ignore_patterns('.conflare')
    )
    assert 'is not calibrated yet' in conflare_here('monitor', '--docs', docs).stderr
    conflare_here('calibrate', '--docs', docs, '--questions', folder / 'q.jsonl')
    live = tmp_path / 'live.jsonl'
    live.write_text(
        '\n'.join(
            json.dumps(dict(question=f'Where does bus {i} go?', answer='at 9', id=f'l{i}'))
            for i in range(12)
        )
    )

    def say(*args):
        r = conflare_here('monitor', '--docs', docs, *args)
        assert r.returncode == 0 and r.stdout.count('\n') == 1, r.stderr
        return r.stdout

    assert say().startswith(
        'No alarm, which is no proof that nothing has changed: the martingale is at 1, 20 would be one. 0 live questions'
    )
    assert say('--questions', live, '--day', '2026-01-05').startswith(
        '12 of 12 questions are new. '
    )
    again = say('--questions', live)
    assert again.startswith('0 of 12 questions are new. ') and '12 live questions' in again
    assert '100 would be one' in say('--delta', '.01') or 'ALARM' in say('--delta', '.01')
    assert (
        'in any of their 2 starts.' in say('--restart', 'a try')
        and 'the martingale is at 1,' in say()
    )
    judged = conflare_here('monitor', '--docs', docs, '--judge', 'contains')
    assert (
        judged.returncode == 0
        and 'labelled by the known answers, the live questions by contains' in judged.stderr
    )
    for bad, says in [
        (['--delta', '0'], 'got 0'),
        (['--day', 'noon', '--questions', live], 'noon'),
        (['--restart', ' '], 'with its reason'),
        (['--questions', tmp_path / 'none.jsonl'], 'none.jsonl'),
        (['--questions', folder / 'q.jsonl'], 'is not one that calibrated; 9 are'),
    ]:
        r = conflare_here('monitor', '--docs', docs, *bad)
        assert r.returncode == 2 and r.stderr.strip().count('\n') == 0 and says in r.stderr, (
            r.stderr
        )


def test_an_unknown_model_is_one_line(folder):
    conflare_here('calibrate', '--docs', folder / 'docs', '--questions', folder / 'q.jsonl')
    r = conflare_here(
        'ask',
        'When can I swim?',
        '--docs',
        folder / 'docs',
        '--alpha',
        '.2',
        '--llm',
        'no-such/model',
    )
    assert r.returncode == 2 and r.stderr.strip().splitlines()[-1].startswith(
        'error: no-such/model'
    )


@pytest.fixture
def own(folder, tmp_path):  # a copy of the folder, calibrated with known answers
    docs = shutil.copytree(
        folder / 'docs', tmp_path / 'docs', ignore=shutil.ignore_patterns('.conflare')
    )
    r = conflare_here('calibrate', '--docs', docs, '--questions', folder / 'q.jsonl')
    assert r.returncode == 0, r.stderr
    assert 'Sentences: -log of its share, lower = better' in r.stdout
    return docs


SUNDAY = 'When does the pool open on Sundays?'


def test_quotes_as_json_are_those_of_the_quoter(own):
    r = conflare_here('ask', SUNDAY, '--docs', own, '--alpha', '.2', '--json')
    assert r.returncode == 0, r.stderr
    data = json.loads(r.stdout)
    kb = KnowledgeBase.open(own / '.conflare')
    quotes = Quoter(kb, QuoteCalibration.load(own / '.conflare' / 'quotes.json'), 0.2).quote(SUNDAY)
    assert list(data) == [
        'command',
        'question',
        'first',
        'listed',
        'terms',
        'alpha',
        'qhat',
        'promise',
        'new_documents',
    ]
    assert (data['command'], data['alpha'], data['qhat']) == ('ask', 0.2, quotes.qhat)
    assert (
        data['promise'] == 'Nothing is promised: 9 of 60 questions are there.'
        and data['terms'] == f"{quotes.promise.rule}. {data['promise']}"
    )
    assert [(one['text'], one['score'], one['p_value']) for one in data['listed']] == [
        (q.text, q.score, q.p_value) for q in quotes.listed
    ]
    assert data['first']['document'] == 'pool.html' and data['first']['page'] is None
    texts = {chunk.id: chunk.text for chunk in kb.texts()}
    for one in data['listed']:
        assert texts[one['chunk']][one['start'] : one['end']] == one['text']
    everything = json.loads(
        conflare_here('ask', SUNDAY, '--docs', own, '--alpha', '.05', '--json').stdout
    )  # nine questions are too few
    assert everything['qhat'] is None and len(everything['listed']) == 5


def test_a_folder_without_calibrated_sentences_promises_nothing_of_them(own):
    (own / '.conflare' / 'quotes.json').unlink()
    r = conflare_here('ask', SUNDAY, '--docs', own, '--alpha', '.3')
    assert r.returncode == 0, r.stderr
    said = words(r)
    assert '-> "The pool opens at 7 on weekdays and at 9 on Sundays." Pool' in said
    assert (
        'Nothing is promised: 9 of 60 questions are there; of the sentences shown' in said
        and 'nothing is promised: sentences were not calibrated here' in said
        and 'the sentence that answers is listed' not in said
    )
    data = json.loads(conflare_here('ask', SUNDAY, '--docs', own, '--alpha', '.3', '--json').stdout)
    assert {one['p_value'] for one in data['listed']} == {None} and data['qhat'] is None


def test_a_judge_calibrates_no_sentences_and_takes_the_old_ones_away(folder, own):
    assert (own / '.conflare' / 'quotes.json').is_file()
    r = conflare_here(
        'label', '--docs', own, '--questions', folder / 'q.jsonl', '--judge', 'contains'
    )
    assert (
        'Sentences: not calibrated' in r.stdout and not (own / '.conflare' / 'quotes.json').exists()
    )


def test_quotes_of_another_knowledge_base_are_stale(own):
    file = own / '.conflare' / 'quotes.json'
    data = json.loads(file.read_text())
    data['fingerprint']['chunks'] = 'others'
    file.write_text(json.dumps(data))
    r = conflare_here('ask', SUNDAY, '--docs', own)
    assert (r.returncode, r.stdout) == (2, '')
    assert (
        r.stderr.count('\n') == 1
        and 'belongs to another knowledge base; calibrate again' in r.stderr
    )
    file.write_text('{}')
    r = conflare_here('ask', SUNDAY, '--docs', own)
    assert (
        r.returncode == 2 and r.stderr.count('\n') == 1 and 'calibration of sentences' in r.stderr
    )


@pytest.mark.model
def test_a_model_writes_below_the_quotes_where_one_is_named(own):
    r = conflare_here('ask', SUNDAY, '--docs', own, '--alpha', '.3', '--llm', 'smollm2')
    assert r.returncode == 0, r.stderr
    quoted, written = r.stdout.split('\nWritten by smollm2 from ')
    assert quoted.count('\n  -> ') == written.count('\n  -> ') == 1
    listed = int(re.search(r'Sentences listed: (\d+)', quoted)[1])
    assert written.startswith(f'{listed} quoted sentences, those listed above')
    assert (
        "nothing is promised of the model's text" in ' '.join(written.split())
        and 'Score:' not in written
    )
    (own / '.conflare' / 'quotes.json').unlink()  # sentences are not calibrated: from the chunks
    r = conflare_here('ask', SUNDAY, '--docs', own, '--alpha', '.3', '--llm', 'smollm2')
    assert r.returncode == 0, r.stderr
    written = r.stdout.split('\nWritten by smollm2 from ')[1]
    assert (
        'retrieved chunks, since no sentences were calibrated' in ' '.join(written.split())
        and '\nScore: hybrid (' in written
    )


def test_the_guide_keeps_the_calibration_of_its_sentences(tmp_path, monkeypatch):
    monkeypatch.setattr('conflare_nb.commands.cache_dir', lambda: tmp_path)
    question = 'I forgot my weekly methotrexate. Can I still take it?'
    first = conflare_here('ask', question, '--alpha', '.2')
    assert first.returncode == 0, first.stderr
    assert (
        'are now calibrated on 544 questions' in first.stdout
        and '-> "You have a margin of two days.' in first.stdout
    )
    kept = (tmp_path / 'medication-guide' / 'quotes.json').read_text()
    again = conflare_here('ask', question, '--alpha', '.2')
    assert (
        tmp_path / 'medication-guide' / 'guide.txt'
    ).is_file()  # found once to be the guide as it is now
    assert (
        'are calibrated on 544 questions' in again.stdout
        and again.stdout.split('\n\n')[1] == first.stdout.split('\n\n')[1]
    )
    data = json.loads(kept)
    data['fingerprint']['chunks'] = 'others'
    (tmp_path / 'medication-guide' / 'quotes.json').write_text(json.dumps(data))
    assert (
        'are now calibrated' in conflare_here('ask', question, '--alpha', '.2').stdout
    )  # measured anew, not refused
    kb = KnowledgeBase.open(tmp_path / 'medication-guide')
    kb.delete(next(iter(kb.documents())))  # a write is seen, and the guide is whole again
    assert ' are calibrated' in conflare_here('ask', question, '--alpha', '.2').stdout
    assert len(KnowledgeBase.open(tmp_path / 'medication-guide').documents()) == len(
        sample_documents()
    )


ROW = r'^ +(0\.\d+)? +(threshold|k = \d+) by (hybrid|distance)((?:, | \()[a-z .\')]+)? +([\d.]+)% +(?:no promise|at least [\d.]+%|([\d.]+)% to ([\d.]+)%) +([\d.]+) +([\d,]+)$'


@pytest.mark.slow
def test_demo(tmp_path):
    r = conflare('demo', '--report', tmp_path / 'report.html', '--details', cwd=tmp_path)
    assert r.returncode == 0, r.stderr
    assert r.stderr == ''  # no bars in a log
    rows = re.findall(ROW, r.stdout, re.M)
    assert [row[0] for row in rows] == [
        at for alpha in ('0.2', '0.1', '0.05') for at in (alpha, '', '', '')
    ]
    assert [row[2] for row in rows] == ['hybrid', 'hybrid', 'hybrid', 'distance'] * 3
    assert max(len(line) for line in r.stdout.splitlines() if 'report.html' not in line) <= 100
    hybrid, top, best, distance = (rows[way::4] for way in range(4))
    for *_, found, low, high, _, _ in hybrid + distance:
        assert float(low) <= float(found) <= float(high)
    for ours, calibrated, seen, papers in zip(hybrid, top, best, distance):
        assert (
            float(ours[7]) < float(calibrated[7]) < float(papers[7])
        )  # the finding: fewer chunks than a calibrated k of the same ranking
        assert (
            calibrated[3].strip() == ', calibrated' and calibrated[1] == f'k = {calibrated[7][:-2]}'
        )
        assert seen[3].strip() == ', in hindsight' and float(seen[4]) >= float(ours[4])
    said = ' '.join(r.stdout.split())
    parts = [
        'What is calibrated',
        'What comes out',
        'Three test questions drawn at random',
        'One that is missed, and why',
        'The slider and all figures',
    ]
    assert [said.count(part) for part in parts] == [1] * 5 and sorted(
        parts, key=said.index
    ) == parts
    assert (
        f'At alpha=0.1 the hybrid score covers {hybrid[1][4]}% of the test questions with {hybrid[1][7]} chunks'
        in said
    )
    assert (
        f'on the same ranking a calibrated k, with the same guarantee, reads {top[1][7][:-2]} and covers {top[1][4]}%'
        in said
    )
    assert (
        f"reads {best[1][7][:-2]}; the papers' distance reads {distance[1][7]} for the same promise."
        in said
    )
    assert (
        r.stdout.count('\n  -> "') == 3
        and r.stdout.count('\n     Known answer: ') == 4
        and 'The question does not name Allopurinol.' in said
    )
    assert 'Written by' not in r.stdout  # no model was asked for
    right, covered, listed, low, high = map(
        float,
        re.search(
            r'for ([\d.]+)% of 270 test questions the first quote holds the known answer; for ([\d.]+)% the answer is among the ([\d.]+) sentences '
            r'\(\d+ characters\) that are listed on average at alpha=0\.2 \(90% band: ([\d.]+)% to ([\d.]+)%\)',
            said,
        ).groups(),
    )
    assert low <= covered <= high and 60 < right < covered and listed < 3
    page = (tmp_path / 'report.html').read_text()
    assert (
        page.count('<svg') >= 2
        and 'data-cfx' in page
        and page.count('<article') == 5
        and page.count('<mark>') >= 4
    )
    assert (
        "apple purée', inside the first quote" in page
        or 'apple purée&#x27;, inside the first quote' in page
    )
    assert not re.search(r'(src|href)="https?://', page)


@pytest.mark.slow
def test_the_showcase_question_is_the_smallest_set_that_top_5_misses(tmp_path):
    kb = KnowledgeBase.create(tmp_path / 'kb', sample_documents(), progress=False)
    first, second = split_questions(sample_questions(), seed=1)
    cal = calibrate(kb, first, progress=False)
    test, nearest = (
        rank_questions(kb, second, progress=False, score=score) for score in (Hybrid(), Distance())
    )
    retriever = ConformalRetriever(kb, cal, 0.1)
    sizes = {}
    for question, ids in zip(second, answering_chunks(kb, second)):
        near = kb.search(question.text, 5)['id'].to_pylist()
        found = [chunk.id for chunk in retriever.retrieve(question.text).rows()]
        if not set(near) & set(ids) and set(found) & set(ids):
            sizes[question.id] = len(found)
    smallest = min(sizes.values())
    shown = showcase_question(test, nearest, retriever.qhat)
    assert (
        shown.id == next(name for name, size in sizes.items() if size == smallest)
        and 2 <= smallest <= 8
    )


@pytest.mark.slow
def test_traq_demo(tmp_path):
    r = conflare('traq-demo', '--splits', 4, cwd=tmp_path)
    assert r.returncode == 0, r.stderr
    rows = re.findall(
        r'^ +(0\.\d) +(CCPS-B|CCPS-H|Bonf|HMP|TRAQ-P|Bonf-P) +([\d.]+)% ±([\d.]+)% .* (\d+)%$',
        r.stdout,
        re.M,
    )
    assert [(a, m) for a, m, *_ in rows] == [
        (a, m)
        for a in ('0.1', '0.2', '0.4', '0.5', '0.6')
        for m in ('CCPS-B', 'CCPS-H', 'Bonf', 'HMP', 'TRAQ-P', 'Bonf-P')
    ]
    assert all(u == '100' for a, m, *_, u in rows if a == '0.1') and [
        u for a, m, *_, u in rows if (a, m) == ('0.6', 'HMP')
    ] == ['0']
    assert all(float(c) >= 30 for a, m, c, _, u in rows if u == '0')
    ways = [
        list(map(float, re.findall(r'[\d.]+', line)))
        for line in r.stdout.split(' quoted sentences ')[1]
        .split('quoted promises')[0]
        .splitlines()[2:]
        if line
    ]
    assert [row[0] for row in ways] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6] and all(
        len(row) == 10 for row in ways
    )
    for (
        alpha,
        q_holds,
        q_bounded,
        q_all,
        q_listed,
        s_holds,
        s_bounded,
        s_all,
        s_listed,
        replies,
    ) in ways:
        assert q_holds == pytest.approx(q_bounded + q_all, abs=0.6) and s_holds == pytest.approx(
            s_bounded + s_all, abs=0.6
        )
        assert (
            min(q_holds, s_holds) >= 100 * (1 - alpha) - 10
            and q_all == 0
            and q_listed < 4 < 12 < s_listed
            and replies >= 20
        )
    assert (
        ways[0][7] == 100
        and 'or everything is' in r.stdout
        and 'or the set is everything' in r.stdout
    )
    assert re.search(
        r'alpha=0.1: everything, since .*answers that were never sampled belong to it', r.stdout
    )
    assert '\n   100 of 100 answers are the same, word for word' in r.stdout
    assert re.search(
        r'How long can I keep an opened bottle of amoxicillin syrup\?\n  On average over calibration sets, at least 50% ',
        r.stdout,
    )
    assert re.search(
        r"^  '.+': said in at least \d+%, p \d\.\d+, from \w", r.stdout, re.M
    ) and re.search(
        r'\d of 5 passages asked; \d+ answers drawn, where a fixed number for every passage would be 100',
        r.stdout,
    )
