"What tests of the store share: an embedder without a model, and documents of a few texts."

import numpy as np
from conflare_nb.documents.embedding import Embedder
from conflare_nb.documents.reading import Document, Section


class Letters(Embedder):
    "An embedder without a model: how often each letter occurs. A word is a token."

    max_tokens = 1000

    def __init__(self, dim=32, said=lambda: None):  # said is called when the passages are embedded
        super().__init__('letters')
        self.__dict__['dim'], self.said = dim, said

    dim = property(lambda self: self.__dict__['dim'])

    def fingerprint(self):
        return dict(weights='letters', max_tokens=self.max_tokens)

    def count_tokens(self, texts):
        return [len(t.split()) for t in texts]

    def embed_passages(self, texts, progress=True):
        v = (
            np.array(
                [np.bincount([ord(c) % self.dim for c in t], minlength=self.dim) for t in texts],
                np.float32,
            ).reshape(-1, self.dim)
            + 0.01
        )
        self.said()
        return v / np.linalg.norm(v, axis=1, keepdims=True)

    def embed_queries(self, texts, progress=True):
        return self.embed_passages(texts)


class Noting(Letters):
    "Notes what it embeds: the texts of the last call."

    def __init__(self, known_as='letters'):
        super().__init__()
        self.known_as = known_as

    def fingerprint(self):
        return super().fingerprint() | dict(weights=self.known_as)

    def embed_passages(self, texts, progress=True):
        self.noted = list(texts)
        return super().embed_passages(texts, progress)


def doc(path, *texts):
    return Document(path, 'Title', tuple(Section('', t) for t in texts))


def generation(g, size=3000):  # documents that say which generation they are of: `size` chunks
    return [doc(f'{g}-{i}.md', *(f'{g} {i} {j}' for j in range(10))) for i in range(size // 10)]
