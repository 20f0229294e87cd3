"Files that somebody wrote or changed by hand are refused with the reason, and nothing is left beside them."

import json, math, pickle
from importlib.resources import files
from pathlib import Path
import pytest
from conflare_nb import Calibration, Distance, Hybrid, Margin, Rank, Softmax
from conflare_nb.evidence.audit import Audit
from conflare_nb.answers.quotes import QuoteCalibration
from conflare_nb.traq.sets import TraqCalibration

DATA = Path(__file__).resolve().parents[1] / 'data'
TEXT = (DATA / 'calibration.json').read_text(encoding='utf-8')
inf, nan = math.inf, math.nan


def label(**values):
    return lambda data: data['labels'][1].update(values)


def second(score):
    return lambda data: (data['scores'].__setitem__(1, score), label(score=score)(data))


def setting(**values):
    return lambda data: data['score'].update(values)


NO_SCORE = 'a score is its name and its settings'
SHAPE = [  # what the schema refuses, too: what is changed, and what is said of it
    (dict(schema=None), 'schema'),
    (dict(schema='other/1'), "its schema is 'other/1'"),
    (dict(n='9'), "it says n='9' and holds 9"),
    (dict(n=True, scores=[0.1], labels=[]), 'it says n=True'),
    (dict(fingerprint='x'), "'fingerprint' cannot be x"),
    (dict(judge=5), "'judge' cannot be 5"),
    (dict(scores=5), "'scores' cannot be 5"),
    (dict(n=2, scores=[0.1, '0.2'], labels=[]), "a number or null; got '0.2'"),
    (dict(n=2, scores=[0.1, -inf], labels=[]), 'Infinity is no number'),
    (dict(n=1, scores=[True], labels=[]), 'a number or null; got True'),
    (dict(labels=None), "'labels' cannot be None"),
    (dict(labels=[1]), 'TypeError'),
    (dict(labels=[['q', 'text']]), 'TypeError'),
    (dict(labels=[{}]), 'it has no question, text, score, rank, chunk'),
    (dict(unanswerable=-1), 'it sets -1 questions apart'),
    (dict(unanswerable=1.5), "'unanswerable' cannot be 1.5"),
    (dict(moved='yes'), "'moved' cannot be yes"),
    (dict(moved=[3]), 'the name of a moved question is a text; got 3'),
    *[(dict(passages=bad), 'passage') for bad in ('ab', [['a']] * 9, {'a': 1}, {'a': None}, None)],
    *[(dict(groups=bad), 'group') for bad in (5, 'ab', [['a']] * 9, [1] * 9, {'a': 1}, None)],
    *[(dict(documents=bad), 'document') for bad in ('abc', [['a']] * 9, [3] * 9, {'a': 1}, None)],
    (second(-0.1), 'scores are numbers from 0 on'),
    (second('1'), "a number or null; got '1'"),
    (second(True), 'a number or null; got True'),
    (label(chunk=['a']), "'chunk' cannot be ['a']"),
    (label(rank=0), 'ranks count from 1; got 0'),
    (label(rank=True), "'rank' cannot be True"),
    (label(more=1), 'TypeError'),
    (lambda data: data['score'].pop('name'), NO_SCORE),
    (setting(name=['hybrid']), NO_SCORE),
    *[(dict(score=bad), NO_SCORE) for bad in ([['name', 'hybrid']], 'hybrid', None, 5, {})],
]  # fmt: skip
SENSE = [  # what a schema cannot know
    (dict(n=3), 'it says n=3 and holds 9 scores'),
    (dict(n=9.0), 'it says n=9.0'),
    (dict(n=0, scores=[], labels=[]), 'one question or more; got none'),
    (dict(unanswerable=5), 'it sets 5 questions apart, and 1 labels'),
    (dict(unanswerable=10**400), 'it sets 1000'),
    (dict(groups=['a']), 'give a group for every score, or for none; got 1 groups of 9 scores'),
    (dict(documents=['a']), 'give a document for every score, or for none'),
    (dict(scores=[0.1, *[0.2] * 8]), 'its scores are not those of its labels'),
    (lambda data: data['labels'].pop(1), 'its scores are not those of its labels'),
    (lambda data: data['labels'].reverse(), 'its scores are not those of its labels'),
    (second(inf), 'Infinity is no number in JSON'),
    (second(nan), 'NaN is no number'),
    (second(10**400), 'OverflowError'),
    *[(setting(name=bad), 'score') for bad in ('os.system', 'Hybrid', '<script>\0\n' * 10**4)],
    *[(setting(pool=bad), '.') for bad in (-5, 0.5, True)],
    *[(setting(T=bad), '.') for bad in ('.05', nan, 0, True, [0.05])],
    *[(setting(words=bad), '.') for bad in (nan, inf, -1, None)],
    *[(setting(keep_first=bad), "'keep_first' cannot be") for bad in ('no', 1)],
    *[(setting(**{bad: 1}), '.') for bad in ('more', '__class__')],
]  # fmt: skip


def data(change):
    "The file of a calibration of nine questions, changed; its score is hybrid where settings are."
    found = json.loads(TEXT)
    if getattr(change, '__qualname__', '').startswith('setting'):
        found['score'] = Hybrid().fingerprint()
    if isinstance(change, dict):
        found.update(change)
    else:
        change(found)
    return found


def named(value):
    return str(value)[:50] if isinstance(value, dict) else None


@pytest.mark.parametrize('change, says', SHAPE + SENSE, ids=named)
def test_a_calibration_changed_by_hand_is_refused_with_the_reason(tmp_path, change, says):
    path = tmp_path / 'cal.json'
    path.write_text(json.dumps(data(change)))
    for score in (None, Hybrid()) if says == NO_SCORE else (None,):
        with pytest.raises(ValueError, match=r'cal\.json is no calibration: .') as e:
            Calibration.load(path, score=score)
        assert says in str(e.value) and len(str(e.value)) < len(str(path)) + 300
    assert [path.name for path in tmp_path.iterdir()] == ['cal.json']


def test_no_field_may_be_missing_and_none_come_twice_or_be_huge(tmp_path):
    path, twice = tmp_path / 'cal.json', TEXT.replace('"n": 9', '"n": 9, "n": 9')
    huge = TEXT.replace('0.7528460428863528', '1e999')
    long = TEXT.replace('"n": 9', f'"n": {"1" * 5000}')
    for text, says in [(twice, "'n' is there twice"), (huge, 'got inf'), (long, 'digits')]:
        assert text != TEXT
        path.write_text(text)
        with pytest.raises(ValueError, match=says):
            Calibration.load(path)
    for gone in json.loads(TEXT):
        path.write_text(json.dumps({k: v for k, v in json.loads(TEXT).items() if k != gone}))
        with pytest.raises(ValueError, match=f'is no calibration: .*{gone}'):
            Calibration.load(path)


SAVED = [Hybrid(), Hybrid(words=0, T=1, pool=None, keep_first=False), Distance(5)]
SAVED += [Softmax(0.1, 7), Margin(), Rank(3), Distance()]


def test_the_schema_takes_what_is_saved_and_refuses_only_what_is_not_loaded(tmp_path):
    jsonschema = pytest.importorskip('jsonschema', reason='jsonschema comes with JupyterLab')
    schema = json.loads((files('conflare_nb') / 'data' / 'calibration.schema.json').read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    valid = jsonschema.Draft202012Validator(schema).is_valid
    path, other = tmp_path / 'cal.json', Hybrid(words=0.9)
    assert valid(json.loads(TEXT)) and valid(json.loads(Calibration([], {}).save(path).read_text()))
    for score in SAVED:
        cal = Calibration([0.1, inf], {'chunks': 'c'}, score=score)
        written = json.loads(cal.save(path).read_text())
        assert valid(written) and written['score'] == score.fingerprint()
        assert Calibration.load(path).score == Calibration.load(path, score=score).score == score
        with pytest.raises(ValueError, match='measured with another score. Different: '):
            Calibration.load(path, score=other)
    assert not any(valid(data(change)) for change, _ in SHAPE)
    for gone in set(json.loads(TEXT)):
        assert not valid({k: v for k, v in json.loads(TEXT).items() if k != gone})


KINDS = [Calibration, Audit, QuoteCalibration, TraqCalibration]
NO_FILES = ['', '[]', '{}', 'null', '{"schema": 1}', '{"schema": ["a"]}', '{"schema": Infinity}']
NO_FILES += ['[' * 100_000, '{"a":' * 100_000, '\ufeff', 'PK\x03\x04', TEXT[:-20]]
NO_FILES = [text.encode() for text in NO_FILES]
NO_FILES += [pickle.dumps(json.loads(TEXT)), TEXT.encode('utf-16'), bytes(range(256))]


@pytest.mark.parametrize('kind', KINDS)
def test_no_reader_of_saved_files_takes_what_is_none(tmp_path, kind):
    for content in NO_FILES:
        (tmp_path / 'x.json').write_bytes(content)
        with pytest.raises(ValueError, match=r'x\.json is no ') as e:
            kind.load(tmp_path / 'x.json')
        assert len(str(e.value)) < len(str(tmp_path)) + 300
    with pytest.raises(FileNotFoundError, match='^no .* at '):
        kind.load(tmp_path / 'none.json')
