"""What comes with the package of the medication guide, made anew: `python tools/sample.py`, two minutes.

`data/minilm_guide.npz` holds what the embedded model reads in its documents and questions, so that nobody waits for
that; the guide's calibrations hold the scores of its questions. A test compares both with what is computed now.
"""

import tempfile
from pathlib import Path
import numpy as np
from conflare_nb import Embedder, KnowledgeBase, calibrate, calibrate_quotes
from conflare_nb import sample_documents, sample_questions, sample_unanswerable
from conflare_nb.documents import embedding
from conflare_nb.labels.guide import sample_path

READINGS = Path(embedding.__file__).parents[1] / 'data' / 'minilm_guide.npz'
UNANSWERABLE = 'unanswerable', 'illnesses', 'foreign'


def read_guide(embedder, folder):
    "Read everything in the guide: documents as chunks, as sentences and as whole passages; and all questions."
    for part in ('documents', 'contradictions'):
        documents = sample_documents(part)
        for states in (True, False):
            where = folder / f'{part}-{states}'
            KnowledgeBase.create(where, documents, embedder, progress=False, states=states)
    asked = [*sample_questions(), *sample_questions('contradictions')]
    texts = [question.text for question in asked]
    texts += [text for part in UNANSWERABLE for text in sample_unanswerable(part)]
    embedder.read_questions(texts, progress=False)


class Recording(Embedder):
    "An embedder that reads everything anew, and remembers it."

    def __init__(self):
        super().__init__(device='cpu', anew=True)
        self.made = {}

    def _kept(self, kind, texts, make):
        made = make(texts)
        keys = [embedding.reading_key(self.fingerprint(), kind, text) for text in texts]
        self.made |= dict(zip(keys, made))
        return made


def readings(folder) -> dict:  # bytes by key
    "What the model reads in the guide, computed now."
    embedder = Recording()
    read_guide(embedder, folder)
    return dict(sorted(embedder.made.items()))


def save_readings(made: dict):
    np.savez_compressed(
        READINGS,
        keys=np.array([np.frombuffer(key, np.uint8) for key in made]),
        lengths=np.array([len(one) for one in made.values()]),
        made=np.frombuffer(b''.join(made.values()), np.uint8),
    )


def save_calibrations(folder):
    "Calibrate chunks and sentences on all questions, and keep the scores in the package."
    kb = KnowledgeBase.create(folder / 'calibrated', sample_documents(), progress=False)
    for name, make in dict(calibration=calibrate, quotes=calibrate_quotes).items():
        made = make(kb, sample_questions(), source='the guide', progress=False)
        made.save(sample_path() / f'{name}.json')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as d:
        save_readings(readings(Path(d)))
        embedding.guide_readings.cache_clear()
        save_calibrations(Path(d))
    print(f'{READINGS.stat().st_size:,} bytes')
