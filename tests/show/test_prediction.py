"Predictions without a browser: what is kept, and what is refused."

import json, multiprocessing
import pytest
from conflare_nb import Prediction, YourCoverage
from conflare_nb.show.prediction import kept_predictions, predictions_file


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path))
    return tmp_path


def guess(low, high, truth):
    return dict(low=low, high=high, truth=truth, unit='')


def test_a_lock_by_the_form_is_kept_and_one_that_cannot_be_is_said(home):
    made, other = Prediction('How many?', 12), Prediction('Which?', 1)
    made.set_state(dict(given=[10, 20]))  # as the browser does
    assert made.fault == '' and kept_predictions() == {'How many?': guess(10, 20, 12)}
    predictions_file().write_text('{"schema": "another"}')
    with pytest.raises(ValueError, match=f'{home}/predictions.json is no file of predictions'):
        Prediction('Which?', 1)
    before = predictions_file().read_text()
    other.given = [0, 2]
    assert other.fault.startswith('Not kept: ') and str(home) in other.fault
    assert predictions_file().read_text() == before


@pytest.mark.parametrize('text', [
    '', '{', '[]', '{"schema": "conflare_nb.predictions/1"}', '{"schema": 1, "predictions": {}}',
    *(json.dumps(dict(schema='conflare_nb.predictions/1', predictions=p)) for p in (
        [], {'q': []}, {'q': guess(2, 1, 1)}, {'q': guess(1, 1, 1)}, {'q': guess('1', 2, 1)}, {'q': guess(True, 2, 1)},
        {'q': {**guess(1, 2, 1), 'unit': None}}, {'q': dict(low=1)})),
    '{"schema": "conflare_nb.predictions/1", "predictions": {"q": {"low": 1, "high": 1e999, "truth": 1, "unit": ""}}}',
])  # fmt: skip
def test_a_broken_file_is_one_error_that_names_it(home, text):
    predictions_file().write_text(text)
    for ask in (kept_predictions, YourCoverage, lambda: Prediction('q', 1)):
        with pytest.raises(ValueError, match=f'{home}/predictions.json is no file of predictions'):
            ask()
    assert predictions_file().read_text() == text


def lock_some(who):
    for i in range(10):
        Prediction(f'{who} {i}', 1).given = [0, 2]


def test_two_lessons_at_once_lose_nothing():
    spawned = multiprocessing.get_context('spawn').Process
    workers = [spawned(target=lock_some, args=(w,)) for w in 'ab']
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(kept_predictions()) == 20


def test_no_page_knows_its_reader(state_of):
    made = Prediction('Of `n`?', 3, unit='%', said='So.')
    before, view = made.to_html(), YourCoverage().to_html()
    made.given = [1, 2]
    assert made.to_html() == before == made._repr_mimebundle_()[0]['text/html']
    assert YourCoverage().to_html() == view
    assert state_of(before) == dict(asked=made.asked, given=[], static=True)
    assert state_of(view) == dict(static=True)
    assert '<details><summary>The number</summary><p>3% So.</p></details>' in before
