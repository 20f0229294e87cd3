"What comes with the package of the medication guide: what the model reads in it, and its scores."

import numpy as np, pytest
from conflare_nb import Embedder, calibrate, calibrate_quotes, sample_calibration, sample_kb, sample_questions
from conflare_nb.documents.embedding import guide_readings
import sample


class Unable(Embedder):
    "An embedder that can look up and count, and not read."

    def __init__(self):
        super().__init__(device='cpu')
        self.runs = None


def test_everything_in_the_guide_was_read(tmp_path):
    sample.read_guide(Unable(), tmp_path)


def test_what_is_not_in_the_guide_is_not_found():
    with pytest.raises(AttributeError):
        Unable().read_questions(['How long may an opened pen stay warm?'])


def test_the_scores_are_those_that_are_measured_now():
    kb, questions = sample_kb(), sample_questions()
    for unit, measure in dict(chunks=calibrate, sentences=calibrate_quotes).items():
        measured = measure(kb, questions, source='the guide', progress=False)
        kept = sample_calibration(unit)
        assert kept.scores.tolist() == measured.scores.tolist()
        assert kept.labels == measured.labels and kept.documents == measured.documents
        assert kept.fingerprint == measured.fingerprint


@pytest.mark.nightly
def test_the_model_reads_the_same_today(tmp_path):
    "Vectors up to rounding; numbers of states by one step of 127 at most."
    kept = guide_readings()
    anew = sample.readings(tmp_path)
    assert anew.keys() == kept.keys()
    assert all(nearly(now, kept[key]) for key, now in anew.items()) and len(kept) > 3000


def nearly(one, other):
    "Whether two readings of a text are equal but for rounding, whichever numbers they hold."
    if len(one) == len(other) == 768:  # a sentence, in half precision
        kind = np.float16
    elif len(one) == len(other) == 1536:  # a passage
        kind = np.float32
    else:  # sizes, places, the vector and more, states
        return packed_nearly(one, other)
    return np.abs(np.frombuffer(one, kind) - np.frombuffer(other, kind)).max() < 1e-3


def packed_nearly(one, other):
    dim, tokens, kept = np.frombuffer(one, np.int32, 3)
    states = [np.frombuffer(each, np.int8)[-tokens * kept :].astype(int) for each in (one, other)]
    vectors = [np.frombuffer(each, np.float32, dim, 12 + 8 * tokens) for each in (one, other)]
    near = np.abs(states[0] - states[1]).max() <= 1 and np.abs(vectors[0] - vectors[1]).max() < 1e-5
    return near and len(one) == len(other)
