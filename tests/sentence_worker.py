"What tests/documents/test_sentences.py kills: sentence vectors made in a process of its own, by an embedder that writes down what it embeds."

import time, warnings
import lancedb, pyarrow  # noqa: F401 (loaded before the fork)
from conflare_nb.documents.embedding import Embedder
from conflare_nb.saving import digest

warnings.filterwarnings("ignore", "lancedb fork support")  # nothing of it runs before the fork
EMBEDDER = Embedder()
EMBEDDER.embed_queries(['loaded before the fork'])


class Noting:
    "The embedder; notes every passage in a file, at once, and takes its time."

    def __init__(self, log, pause=0.01):
        self.log, self.pause = log, pause

    def __getattr__(self, name):
        return getattr(EMBEDDER, name)

    def embed_passages(self, texts, progress=True):
        vectors = EMBEDDER.embed_passages(texts, progress)
        with open(self.log, 'a') as f:
            f.write(''.join(f'{digest(text)}\n' for text in texts))
        time.sleep(self.pause)
        return vectors


def make(folder, log, ready=None):
    from conflare_nb.documents.sentences import sentence_vectors
    from conflare_nb.documents.store import KnowledgeBase

    kb = KnowledgeBase.open(folder, Noting(log))
    if ready is not None:
        ready.wait()
    sentence_vectors(kb, progress=False)
