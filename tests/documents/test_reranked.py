"A cross-encoder as a score: the same numbers on every way, one fixed function, and nothing of a model's folder is run."

import json, shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
import numpy as np, pyarrow as pa, pytest
from conflare_nb import Calibration, ConformalRetriever, Reranked, calibrate
from conflare_nb.documents.cutting import header
from conflare_nb.documents.score import minus_log_share
from tiny_models import random_cross_encoder
from knowledge import reopened


@pytest.fixture(scope='session')
def folder(tmp_path_factory):
    return random_cross_encoder(tmp_path_factory.mktemp('models') / 'tiny')


@pytest.fixture(scope='session')
def score(folder):
    return Reranked(folder, pool=20)


@pytest.fixture
def copied(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / 'tiny')


def test_it_is_the_share_of_what_the_model_says(score, kb, questions):
    from sentence_transformers import CrossEncoder
    from torch.nn import Identity

    rows = score.rank(kb, questions[0].text)
    chunks = sorted(rows.to_pylist(), key=lambda r: r['id'])
    pairs = [(questions[0].text, header(c['title'], c['heading']) + c['text']) for c in chunks]
    encoder = CrossEncoder(score.model)  # each pair by itself
    alone = np.array([encoder.predict(pair, activation_fn=Identity()) for pair in pairs])
    want = minus_log_share(alone, 1.0, True)
    np.testing.assert_allclose([c['score'] for c in chunks], want, atol=1e-3)
    s = rows['score'].to_numpy()
    assert s[0] == 0 and (np.diff(s) >= 0).all() and (s >= 0).all() and 20 <= len(s) <= 40
    assert 'words' in rows.column_names


def test_the_same_again_reopened_and_on_disk(score, folder, kb, questions):
    asked = questions[::60]
    again, disk = reopened(kb), reopened(kb, memory_budget=0)
    ways = (score, kb), (Reranked(folder, pool=20), again), (score, disk)
    first = [score.rank(kb, q.text) for q in asked]
    for other, held in ways:
        assert all(other.rank(held, q.text).equals(f) for q, f in zip(asked, first))
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(lambda q: score.rank(kb, q.text), asked))
    assert all(a.equals(f) for a, f in zip(at_once, first))


def test_a_calibration_opens_with_its_model_alone(score, folder, few, asked, tmp_path):
    cal = calibrate(few, asked, score=score, progress=False)
    file = cal.save(tmp_path / 'cal.json')
    again = Calibration.load(file, score=Reranked(folder, pool=20))
    assert again.score == score and (again.scores == cal.scores).all()
    assert len(ConformalRetriever(few, again, 0.2).retrieve(asked[0].text).chunks) >= 1
    with pytest.raises(ValueError, match='may not say which model is loaded'):
        Calibration.load(file)
    other = random_cross_encoder(tmp_path / 'other' / 'tiny', seed=1)
    for kind, differs in ((Reranked(other, pool=20), 'files'), (Reranked(folder, pool=30), 'pool')):
        with pytest.raises(ValueError, match=f'Different: {differs}'):
            Calibration.load(file, score=kind)


def test_the_fingerprint_names_all_that_numbers_depend_on_and_not_where_it_lies(score, copied):
    there = Reranked(copied, pool=20)
    assert there.fingerprint() == score.fingerprint() == json.loads(json.dumps(score.fingerprint()))
    (copied / 'README.md').write_text('of no account')
    assert Reranked(copied, pool=20).fingerprint() == score.fingerprint()
    file = copied / 'tokenizer_config.json'
    file.write_text(json.dumps(json.loads(file.read_text()) | dict(model_max_length=64)))
    assert Reranked(copied, pool=20).fingerprint()['files'] != score.files


@pytest.mark.parametrize('name', ['modules.json', 'config.json'])
def test_code_that_comes_with_a_model_is_not_run(copied, kb, tmp_path, name):
    sprung = tmp_path / 'sprung'
    (copied / 'trap.py').write_text(f'open({str(sprung)!r}, "w")\nclass Trap: pass\n')
    settings = [dict(idx=0, name='0', path='', type='trap.Trap')]
    if name == 'config.json':
        kinds = 'AutoConfig', 'AutoModel', 'AutoModelForSequenceClassification'
        traps = dict(model_type='trap', auto_map=dict.fromkeys(kinds, 'trap.Trap'))
        settings = json.loads((copied / name).read_text()) | traps
    (copied / name).write_text(json.dumps(settings))
    with suppress(Exception):
        Reranked(copied).rank(kb, 'x')  # what of it can be loaded may be used
    assert not sprung.exists()


def test_what_is_no_reranker_is_refused(tmp_path, kb, score):
    with pytest.raises(ValueError, match='gives 3'):
        Reranked(random_cross_encoder(tmp_path / 'three', labels=3)).rank(kb, 'x')
    odd = ['', '每天一次', 'word ' * 5000, '\x00']
    rows = pa.table(dict(title=[''] * 4, heading=[''] * 4, text=odd))
    assert score.merits('x', rows[:0]).size == 0
    odd = score.merits('', rows)
    assert odd.shape == (4,) and np.isfinite(odd).all()
