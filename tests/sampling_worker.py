"What tests/test_sampling.py kills: sampling in a process of its own, with a model that writes down what it is paid for."

import random, time
from zlib import crc32
from conflare_nb.models.llm import LLM
from labeling_worker import EMBEDDER  # loaded before the fork


class Parrot(LLM):
    "Repeats some words of the passage, which ones depends on prompt and seed; notes every reply in a file, at once."

    name, context_window = 'parrot', 10**6

    def __init__(self, log=None, pause=0.0):
        self.log, self.pause, self.calls = log, pause, 0

    def count_tokens(self, texts):
        return [len(t.split()) for t in texts]

    def _reply(self, prompt, seed):
        context = prompt.split('Context: ')[-1].split('\n')[0]
        rng, words = random.Random(f'{prompt} {seed}'), context.split()
        i = rng.randrange(min(4, len(words)))
        return f' {" ".join(words[i : i + rng.randrange(1, 4)])} '

    def _replies(self, prompts, max_new_tokens, temperature, n, seed, stop):
        for p in prompts:
            self.calls += n
            if self.log:
                with open(self.log, 'a') as f:
                    f.write(''.join(f'{crc32(p.encode())}\t{seed + j}\n' for j in range(n)))
                time.sleep(self.pause)
            yield [self._reply(p, seed + j) for j in range(n)]


class Writer(Parrot):
    def _texts(self, prompt, *args):
        yield 'With milk [1]'


def sample(folder, questions, how, log):
    from conflare_nb.traq.sampling import AnswerSampler, sampled_questions
    from conflare_nb.documents.store import KnowledgeBase

    sampler = AnswerSampler(KnowledgeBase.open(folder, EMBEDDER), Parrot(log, 0.005), how)
    sampled_questions(sampler, questions, progress=False)
