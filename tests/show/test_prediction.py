"Predictions without a browser: what is kept, what is refused, and what a reader's own intervals cover."

import json, multiprocessing
import numpy as np, pytest
from hypothesis import given, strategies as st
from conflare_nb import Prediction, YourCoverage, conformal_quantile, conformal_rank
from conflare_nb.show.prediction import kept_predictions, predictions_file, your_coverage


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv('CONFLARE_HOME', str(tmp_path))
    return tmp_path


def guess(low, high, truth):
    return dict(low=low, high=high, truth=truth, unit='')


# ---- the lock


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


@pytest.mark.parametrize('ends', [(20, 10), (10, 10), (np.nan, 1), (0, np.inf)])
def test_what_is_no_prediction_is_refused(ends):
    made = Prediction('?', 12)
    with pytest.raises(ValueError, match='two growing numbers; got'):
        made.lock(*ends)
    assert made.given == [] and not predictions_file().exists()


# fmt: off
@pytest.mark.parametrize('text', [
    '', '{', '[]', '{"schema": "conflare_nb.predictions/1"}', '{"schema": 1, "predictions": {}}',
    *(json.dumps(dict(schema='conflare_nb.predictions/1', predictions=p)) for p in (
        [], {'q': []}, {'q': guess(2, 1, 1)}, {'q': guess(1, 1, 1)}, {'q': guess('1', 2, 1)}, {'q': guess(True, 2, 1)},
        {'q': {**guess(1, 2, 1), 'unit': None}}, {'q': dict(low=1)})),
    '{"schema": "conflare_nb.predictions/1", "predictions": {"q": {"low": 1, "high": 1e999, "truth": 1, "unit": ""}}}',
])  # fmt: on
def test_a_broken_file_is_one_error_that_names_it(home, text):
    predictions_file().write_text(text)
    for ask in (kept_predictions, YourCoverage, lambda: Prediction('q', 1)):
        with pytest.raises(ValueError, match=f'{home}/predictions.json is no file of predictions'):
            ask()
    assert predictions_file().read_text() == text


def lock_some(who):
    for i in range(10):
        Prediction(f'{who} {i}', 1).lock(0, 2)


def test_two_lessons_at_once_lose_nothing():
    spawned = multiprocessing.get_context('spawn').Process
    workers = [spawned(target=lock_some, args=(w,)) for w in 'ab']
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(kept_predictions()) == 20


# ---- the page


def test_no_page_knows_its_reader(state_of):
    made = Prediction('Of `n`?', 3, unit='%', said='So.')
    before, view = made.to_html(), YourCoverage().to_html()
    made.lock(1, 2)
    assert made.to_html() == before == made._repr_mimebundle_()[0]['text/html']
    assert YourCoverage().to_html() == view
    assert state_of(before) == dict(asked=made.asked, given=[], static=True)
    assert state_of(view) == dict(static=True)
    assert '<details><summary>The number</summary><p>3% So.</p></details>' in before


# ---- coverage


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 9), st.integers(-20, 20)), max_size=40))
def test_widened_intervals_cover_as_the_theorem_says(drawn):
    kept = {str(i): guess(low, low + width, truth) for i, (low, width, truth) in enumerate(drawn)}
    found = your_coverage(kept)
    n, place = found['n'], found['place']
    assert (n, place) == (len(drawn), conformal_rank(len(drawn), 0.1))
    if place > n:
        assert np.isinf(found['widening']) and n < 9
        return
    room = found['widening'] + 1e-9
    within = [
        low - room * w <= truth <= low + w + room * w
        for low, w, truth in drawn
    ]  # fmt: skip
    assert sum(within) >= place
    misses = [max(low - t, t - low - w) / w for low, w, t in drawn]
    assert found['widening'] == conformal_quantile(misses, 0.1)
    assert found['covered'] == sum(low <= t <= low + w for low, w, t in drawn)


def test_a_new_interval_is_covered_nine_times_in_ten():
    rng = np.random.default_rng(0)
    hits = []
    for _ in range(400):  # a reader whose intervals are far too short
        truths = rng.normal(size=20)
        *old, new = [guess(-0.3, 0.3, truth) for truth in truths]
        widening = your_coverage(dict(enumerate(old)))['widening']
        hits.append(-0.3 - widening * 0.6 <= new['truth'] <= 0.3 + widening * 0.6)
    assert 0.87 < np.mean(hits) < 0.94
