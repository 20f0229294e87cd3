"What tests of the store share: an embedder without a model, and documents of a few texts."

import re
import numpy as np
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.reading import Document, Section


class _Counts:
    "What runs instead of a model: of a text, and of each of its words, how often each letter occurs."

    max_tokens, prompts = 1000, {}

    def __init__(self, dim, said):
        self.dim, self.said = dim, said

    def _counted(self, texts):
        counts = [np.bincount([ord(c) % self.dim for c in t], minlength=self.dim) for t in texts]
        v = np.array(counts, np.float32).reshape(-1, self.dim) + 0.01
        return v / np.linalg.norm(v, axis=1, keepdims=True)

    def passages(self, texts):
        self.said()
        return self._counted(texts)

    def read(self, texts):
        words = [[*re.finditer(r'\S+', text)] for text in texts]
        states = [self._counted([word[0] for word in some]) for some in words]
        spans = [np.array([word.span() for word in some], int).reshape(-1, 2) for some in words]
        return list(zip(self.passages(texts), states, spans))

    def read_question(self, text):
        return self.read([text])[0]

    def count(self, texts):
        return [len(t.split()) for t in texts]


class Letters(Embedder):
    "An embedder without a model: how often each letter occurs. A word is a token."

    weights = 'letters'

    def __init__(self, dim=32, said=lambda: None):  # said is called when texts are embedded
        super().__init__('letters', anew=True)
        self.dimensions, self.said, self.batch_size = dim, said, 10**6

    @property
    def runs(self):
        return _Counts(self.dimensions, lambda: self.said())

    @property
    def _question(self):  # asked again, it is embedded again
        return self._read_question

    def fingerprint(self):
        return dict(weights='letters', max_tokens=self.max_tokens)


class Noting(Letters):
    "Notes what it embeds: the texts of the last call."

    def __init__(self, known_as='letters'):
        super().__init__()
        self.known_as = known_as

    def fingerprint(self):
        return super().fingerprint() | dict(weights=self.known_as)

    def read_passages(self, texts, progress=True):
        self.noted = list(texts)
        return super().read_passages(texts, progress)


def doc(path, *texts):
    return Document(path, 'Title', tuple(Section('', t) for t in texts))


def generation(g, size=3000):  # documents that say which generation they are of: `size` chunks
    return [doc(f'{g}-{i}.md', *(f'{g} {i} {j}' for j in range(10))) for i in range(size // 10)]
