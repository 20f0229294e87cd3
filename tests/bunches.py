"Scores of questions that are alike within a document."

import numpy as np


def in_bunches(sizes: list, icc: float, times: int, seed: int = 0) -> tuple:
    "(times, n) scores, standard normal, `icc` of the variance shared within a document; and the n documents."
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.normal(size=(times, len(sizes)))[:, documents]
    return icc**0.5 * shared + (1 - icc) ** 0.5 * rng.normal(size=shared.shape), documents
