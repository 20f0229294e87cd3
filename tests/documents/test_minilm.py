"The embedded model by itself gives what sentence-transformers gives, bit by bit, and is what an Embedder takes on a CPU."

import subprocess, sys
import numpy as np, pytest
from conflare_nb import Embedder, sample_documents, sample_questions
from conflare_nb.documents.minilm import MiniLM

ODD = [
    '', ' ', '\n\t', 'a', '[MASK] [CLS] and </s>', 'Übermäßig naïve — 日本語 \U0001f48a \u2028 \x00',
    'x ' * 1000, 'ab' * 3000, ' space around ',
]  # fmt: skip
SECTIONS = [(d.title, s.text) for d in sample_documents()[:3] for s in d.sections]
PASSAGES = [f'{title}: {text}'[:n] for title, text in SECTIONS for n in (90, 1500)] + ODD
HOW = dict(normalize_embeddings=True, show_progress_bar=False)


@pytest.fixture(scope='module')
def folder():
    return Embedder().folder


def test_a_question_by_itself(folder):
    from sentence_transformers import SentenceTransformer  # five seconds

    ours, theirs = MiniLM(folder), SentenceTransformer(str(folder), device='cpu')
    for text in [q.text for q in sample_questions()[::20]] + ODD:
        assert np.array_equal(ours.passages([text])[0], theirs.encode_query(text, **HOW)), text


def test_an_embedder_is_the_same_by_either(folder):
    light = Embedder(device='cpu', anew=True)
    library = Embedder(folder, device='cpu', anew=True, batch_size=7)
    light.batch_size = 7
    assert (type(light.runs).__name__, type(library.runs).__name__) == ('MiniLM', '_Library')
    assert light.fingerprint() == library.fingerprint()
    assert (light.dim, light.max_tokens) == (library.dim, library.max_tokens)
    for embed, texts in (('embed_passages', PASSAGES), ('embed_queries', ODD[3:6])):
        assert np.array_equal(*(getattr(each, embed)(texts, False) for each in (light, library)))
    assert light.count_tokens(PASSAGES) == library.count_tokens(PASSAGES)


def test_a_first_vector_needs_no_big_library():
    code = '''
import sys
from conflare_nb.documents.embedding import Embedder
Embedder(device='cpu', anew=True).embed_queries(['How long?'])
big = {'sentence_transformers', 'transformers', 'sklearn', 'scipy', 'pandas', 'matplotlib'}
print(sorted(big & sys.modules.keys()))'''
    run = [sys.executable, '-c', code]
    said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert said.strip() == '[]'
