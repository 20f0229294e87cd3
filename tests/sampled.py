"Sampled questions to which everything happens that can: ties, abstentions, several wordings, no right passage, no right answer."

import numpy as np
from conflare_nb.traq.sameness import cluster_answers
from conflare_nb.traq.sets import SampledPassage, SampledQuestion

SAID = 'red|Red.|the red|blue|Blue!|green|white|grey|pink|black cat|cat, black'.split('|')
SAID += ["I don't know", '']


def sampled_question(i: int, k: int = 6) -> SampledQuestion:
    "The i-th question: a pool of four passages, K answers from each."
    rng = np.random.default_rng(i)
    skill, gold = rng.beta(6, 2), int(rng.integers(4))

    def told(j):
        usual, chance = (SAID[0], skill) if j == gold else (SAID[3], 0.3)
        return cluster_answers(np.where(rng.uniform(size=k) < chance, usual, rng.choice(SAID, k)).tolist())

    scores, answers = np.sort(rng.integers(1, 25, 4) / 24).tolist(), [told(j) for j in range(4)]
    if i % 20 == 3:
        scores, answers, gold = [*scores, np.inf], [*answers, answers[gold]], 4
    pool = tuple(SampledPassage(f'p{j}', s, a) for j, (s, a) in enumerate(zip(scores, answers)))
    right = 'violet' if i % 20 == 7 else 'red'
    return SampledQuestion(f'q{i}', f'Which colour has thing number {i}?', pool, gold, (right,))
