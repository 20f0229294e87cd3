"A pipeline of somebody's own, by name and by address: what it covers, what is computed by hand, and what is refused."

import json, math, sys, time
import numpy as np, pytest
from command import conflare_here, jsonl, words
from local_server import serving
from conflare_nb.answers.quotes import contains_answer
from conflare_nb.app import evaluating
from conflare_nb.app.evaluating import evaluate_pipeline
from conflare_nb.conformal.threshold import conformal_rank
from conflare_nb.evidence.evaluation import AS_IT_IS, CALIBRATED_K

MODULE = '''
"""A retriever as people have them: a LanceDB table on disk, and its cosine distance."""
import lancedb
from conflare_nb.documents.embedding import Embedder
embedder = Embedder()
table = lancedb.connect({folder!r}).open_table('chunks')

def near(question, k=5):
    search = table.search(embedder.embed_queries([question])[0]).distance_type('cosine')
    return [(row['id'], row['text'], row['_distance']) for row in search.limit(k).to_list()]

def similar(question, k=5):
    for name, text, distance in near(question, k):
        yield dict(id=name, text=text, score=1-distance)
'''
CHOOSE = 'calibrate the one that you choose on other questions'


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', list(sys.path))
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        if name in ('mine', 'broken', 'loud'):
            del sys.modules[name]


@pytest.fixture
def mine(here, kb, questions):
    "A module with two retrievers, and a file of 80 questions; what both know."
    import lancedb

    rows = kb.table.search().select(['id', 'text', 'vector']).to_arrow()
    lancedb.connect(here / 'db').create_table('chunks', rows)
    (here / 'mine.py').write_text(MODULE.format(folder=str(here / 'db')))
    some = [q for q in questions if q.answer][:320:4]
    asked = [dict(question=q.text, answer=q.answer, document=q.document) for q in some]
    jsonl(here / 'asked.jsonl', asked)
    return some


def evaluate(retriever, **given):
    found = evaluate_pipeline(retriever=retriever, questions='asked.jsonl', table=True, **given)
    return dict(found.to_dict(), table=found.table, said=' '.join(str(found).split()))


def test_a_function_is_calibrated_as_by_hand(here, mine):
    found = evaluate('mine:near', k=20)
    assert (found['questions'], found['promised'], found['higher_is_better']) == (80, True, False)
    near = sys.modules['mine'].near
    lists = [near(q.text, 20) for q in mine]
    holds = [[contains_answer(row[1], q.answer) for row in rows] for q, rows in zip(mine, lists)]
    places = [row.index(True) + 1 if any(row) else math.inf for row in holds]
    scores = [rows[int(at) - 1][2] if at < math.inf else math.inf for rows, at in zip(lists, places)]
    said = found['said']
    assert said.count(CHOOSE) == 1
    rank = conformal_rank(80, 0.1)
    assert (found['cutoff'], found['k']) == (sorted(scores)[rank - 1], sorted(places)[rank - 1])
    table = found['table']
    whole = table[table.retrieved == AS_IT_IS]
    assert set(whole.answered) == {np.isfinite(places).mean()} and set(whole.chunks) == {20}
    by_score = table[table.retrieved == "pipeline's own"].set_index('alpha')
    by_k = table[table.retrieved == CALIBRATED_K].set_index('alpha')
    for alpha in (0.2, 0.1, 0.05):
        assert abs(by_score.coverage[alpha] - (1 - alpha)) < 0.05
        assert by_k.coverage[alpha] > 1 - alpha - 0.03
    assert f'keep the rows that score {found["cutoff"]!r} or less' in said
    assert 'For at least 90% of ' in said and 'the pipeline, as it is' in said
    lost = [q.text for q, at in zip(mine, places) if math.isinf(at)]
    assert found['not_returned'] == lost
    assert (f'For {len(lost)} of 80 questions' in said) == bool(lost)


def test_similarities_and_an_address_say_the_same(here, mine, capsys):
    near, similar = evaluate('mine:near', k=10), evaluate('mine:similar', k=10)
    assert similar['higher_is_better'] and similar['k'] == near['k']
    assert similar['cutoff'] == pytest.approx(1 - near['cutoff'])
    asked = []

    def answer(http, payload):
        asked.append(payload)
        rows = sys.modules['mine'].near(payload['question'], payload['k'])
        rows = [dict(zip(('id', 'text', 'score'), row)) for row in rows]
        http.send(200, json.dumps(rows).encode())

    with serving(answer) as url:
        by_address = evaluate(f'{url.replace("//", "//me:secret@")}/x?key=hidden', k=10)
    assert by_address['table'].equals(near['table']) and by_address['cutoff'] == near['cutoff']
    assert [row['question'] for row in asked] == [q.text for q in mine]
    assert {row['k'] for row in asked} == {10}
    said = by_address['said'] + capsys.readouterr().err
    assert 'secret' not in said and 'hidden' not in said


REPLIES = {
    'not JSON': (200, b'<html>'),
    'NaN is no number': (200, b'[{"id": 1, "text": "a", "score": NaN}]'),
    'it gave no list': (200, b'{"rows": []}'),
    'a row is (id, text, score)': (200, b'["ab"]'),
    "KeyError 'score'": (200, b'[{"id": 1, "text": "a"}]'),
    'a text is needed': (200, b'[{"id": 1, "text": 7, "score": 1}]'),
    'answered with status 500: oh': (500, b'oh'),
    'returned no row': (200, b'[]'),
    'RecursionError': (200, b'[' * 200_000),
    'int too large': (200, b'[{"id": 1, "text": "a", "score": 1%s}]' % (b'0' * 400)),
}


@pytest.mark.parametrize('says', REPLIES)
def test_a_reply_that_is_no_list_is_one_line(says, here, capfd):
    jsonl(here / 'asked.jsonl', [dict(question='Where?', answer='here')] * 3)
    status, body = REPLIES[says]
    with serving(lambda http, payload: http.send(status, body)) as url:
        with pytest.raises(ValueError) as error:
            evaluate(f'{url}?key=hidden')
    said = str(error.value)
    assert said.startswith(url) and 'hidden' not in said and '\n' not in said
    if says == 'not JSON':
        says = 'did not reply as a retriever does, with a JSON list (JSONDecodeError'
    assert says in said


def test_scores_are_finite(here):
    jsonl(here / 'asked.jsonl', [dict(question='Where?', answer='here')] * 3)
    body = b'[{"id": 1, "text": "a", "score": 1e999}]'
    with serving(lambda http, payload: http.send(200, body)) as url:
        with pytest.raises(ValueError, match='a score is a finite number'):
            evaluate(url)


def test_too_long_too_slow_and_sent_elsewhere(here, monkeypatch):
    jsonl(here / 'asked.jsonl', [dict(question='Where?', answer='here')] * 3)
    monkeypatch.setattr(evaluating, '_SECONDS', 0.5)
    asked = []

    def drips(http, payload):
        http.send_response(200)
        http.send_header('Content-Length', '1000')
        http.end_headers()
        for _ in range(20):
            http.wfile.write(b' ')
            http.wfile.flush()
            time.sleep(0.1)

    def sends(http, payload):
        asked.append(payload)
        http.send(307, b'', Location='http://127.0.0.1:1/other')

    with serving(drips) as url, pytest.raises(ValueError, match='no whole reply within 0.5 s'):
        evaluate(url)
    with serving(sends) as url, pytest.raises(ValueError, match="points to '127.0.0.1'"):
        evaluate(url)
    assert len(asked) == 1
    with serving(lambda http, payload: http.send(200, b' ' * 10_100_000)) as url:
        with pytest.raises(ValueError, match='its reply exceeds 10,000,000 bytes'):
            evaluate(url)
    with pytest.raises(ValueError, match='cannot be reached'):
        evaluate('http://127.0.0.1:9')


def test_what_is_named_must_be_a_function_of_rows(here):
    jsonl(here / 'asked.jsonl', [dict(question='Where?', answer='here')] * 3)
    (here / 'broken.py').write_text('1/0')
    lists = 'up = [(1, "a", 1.), (2, "b", 2.), (3, "c", 1.)]\n'
    (here / 'loud.py').write_text(
        f'{lists}def swings(question): return up\ndef none(question): pass\nnumber = 3\n'
        'def fails(question): raise KeyError(question)\n'
    )
    for name, says in {
        '': 'a --retriever with --questions, or a --run with --qrels; got questions',
        'loud': "named module:function, or by an http(s) address; got 'loud'",
        'ftp://x': 'cannot be imported',
        'absent:f': "cannot be imported: ModuleNotFoundError No module named 'absent'",
        'broken:f': 'broken:f cannot be imported: ZeroDivisionError',
        'loud:f': "AttributeError module 'loud' has no attribute 'f'",
        'loud:number': 'loud:number cannot be imported: TypeError',
        'loud:none': "loud:none gave no list for 'Where?': TypeError",
        'loud:fails': "loud:fails gave no list for 'Where?': KeyError",
        'loud:swings': 'scores must not decrease along the list: 1 comes after 2',
    }.items():
        with pytest.raises(ValueError) as error:
            evaluate(name)
        assert says in str(error.value), name
    with pytest.raises(ValueError, match='-k counts rows'):
        evaluate('loud:swings', k=0)


@pytest.mark.parametrize('command', ['calibrate', 'evaluate'])
def test_help_says_that_who_chooses_may_not_calibrate(command):
    "The best of 18 ways by 30 questions covers .873 of .9, and down to .789 where ways are independent."
    said = words(conflare_here(command, '--help'))
    assert 'on other questions than those that calibrate' in said
