"Files that somebody wrote or changed by hand are refused with the reason, and nothing is left beside them."

import json, math
from pathlib import Path
import pytest
from conflare_nb import Calibration
from conflare_nb.evidence.audit import Audit
from conflare_nb.traq.alpha_split import Choice
from conflare_nb.retrieval.gate import Gate
from conflare_nb.answers.quotes import QuoteCalibration
from conflare_nb.traq.sets import TraqCalibration
from conflare_nb.saving import read_json, write_whole

DATA = Path(__file__).resolve().parents[1] / 'data'


def written(path):
    return json.loads(path.read_text(encoding='utf-8'))


def changed(change):
    "The file of a calibration of nine questions, changed."
    data = written(DATA / 'calibration.json')
    change(data)
    return json.dumps(data)


def label(**values):
    return lambda data: data['labels'][1].update(values)


def top(**values):
    return lambda data: data.update(values)


def score(value):
    return lambda data: (
        data['scores'].__setitem__(1, value),
        data['labels'][1].update(score=value),
    )


BY_HAND = {
    'below its range': (score(-0.1), 'scores are numbers from 0 on'),
    'above its range': (score(2.5), 'a cosine distance is at most 2; got 2.5'),
    'another than its label': (
        lambda data: data['scores'].__setitem__(1, 0.2),
        'its scores are not those of its labels',
    ),
    'a label less': (lambda data: data['labels'].pop(1), 'its scores are not those of its labels'),
    'in another order': (lambda data: data['labels'].reverse(), 'not those of its labels'),
    'no question': (top(n=0, scores=[], labels=[]), 'one question or more; got none'),
    'n true': (top(n=True, scores=[0.1], labels=[]), "'n' of a calibration cannot be True"),
    'n a decimal': (top(n=9.0), "'n' of a calibration cannot be 9.0"),
    'n a text': (top(n='9'), "'n' of a calibration cannot be 9"),
    'Infinity': (score(math.inf), 'Infinity is no number in JSON'),
    'NaN': (score(math.nan), 'NaN is no number'),
    'true': (score(True), "'score' of a label cannot be True"),
    'a text': (score('1'), "'score' of a label cannot be 1"),
    'true among the scores': (top(n=1, scores=[True], labels=[]), 'a number or null; got True'),
    'a label that is a list': (
        top(labels=[['q', 'text']]),
        "a label has names and values; got ['q', 'text']",
    ),
    'labels that are none': (top(labels=5), "'labels' of a calibration cannot be 5"),
    'a chunk that is a list': (label(chunk=['a']), "'chunk' of a label cannot be ['a']"),
    'a question that is a number': (label(question=1), "'question' of a label cannot be 1"),
    'rank 0': (label(rank=0), 'ranks count from 1; got 0'),
    'rank true': (label(rank=True), "'rank' of a label cannot be True"),
    'a name more': (label(more=1), 'TypeError'),
    'source a list': (top(source=[1]), "'source' of a calibration cannot be [1]"),
    'created a number': (top(created=5), "'created' of a calibration cannot be 5"),
    'fingerprint a text': (top(fingerprint='x'), "'fingerprint' of a calibration cannot be x"),
    'a list': (lambda data: data.clear(), 'schema'),
    'apart and more': (top(unanswerable=5), 'set apart'),
    'apart true': (top(unanswerable=True), "'unanswerable' of a calibration cannot be True"),
}


@pytest.mark.parametrize('what', BY_HAND)
def test_a_calibration_changed_by_hand_is_refused_with_the_reason(tmp_path, what):
    change, says = BY_HAND[what]
    (tmp_path / 'cal.json').write_text(changed(change))
    with pytest.raises(ValueError, match=r'cal\.json is no calibration: ') as e:
        Calibration.load(tmp_path / 'cal.json')
    assert any(one in str(e.value) for one in says.split('|')), e.value
    assert [path.name for path in tmp_path.iterdir()] == ['cal.json']


def test_huge_numbers_and_names_twice_are_refused(tmp_path):
    text = (DATA / 'calibration.json').read_text(encoding='utf-8')
    for old, new, says in [
        ('"n": 9', '"n": 9, "n": 9', "'n' is there twice"),
        ('.7528460428863528', '1e999', 'got inf'),
    ]:
        assert old in text
        (tmp_path / 'cal.json').write_text(
            text.replace(old, new) if old[0] == '"' else text.replace(f'0{old}', new)
        )
        with pytest.raises(ValueError, match=says):
            Calibration.load(tmp_path / 'cal.json')


@pytest.mark.parametrize(
    'kind', [Calibration, Audit, Choice, Gate, QuoteCalibration, TraqCalibration]
)
@pytest.mark.parametrize(
    'text',
    [
        '',
        '[]',
        '{}',
        'null',
        '{"schema": 1}',
        '{"schema": ["a"]}',
        '[' * 100_000,
        '{"schema": Infinity}',
        '\ufeff',
        'PK\x03\x04',
    ],
)
def test_no_reader_of_saved_files_takes_what_is_none(tmp_path, kind, text):
    (tmp_path / 'x.json').write_text(text, encoding='utf-8')
    with pytest.raises(ValueError, match=r'x\.json is no '):
        kind.load(tmp_path / 'x.json')


def test_nothing_is_left_beside_a_file_that_could_not_be_written(tmp_path):
    (tmp_path / 'there').mkdir()
    for name, content in [('there', 'a folder'), ('half', 'Half \ud800'), ('none/x', 'no folder')]:
        with pytest.raises((OSError, ValueError)):
            write_whole(tmp_path / name, content)
    assert [path.name for path in tmp_path.iterdir()] == ['there']
    assert not list((tmp_path / 'there').iterdir())
    with pytest.raises(FileNotFoundError):
        read_json(tmp_path / 'none.json', 'point', 'point/1', dict)
