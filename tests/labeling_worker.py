"What tests/test_labeling.py kills: labelling in a process of its own, with a judge that writes down what it is paid for."

import time, warnings
from dataclasses import replace
import lancedb, pyarrow  # noqa: F401 (loaded before the fork)
from conflare_nb import ContainsJudge, Embedder

warnings.filterwarnings("ignore", "lancedb fork support")  # nothing of it runs before the fork
EMBEDDER = Embedder()
EMBEDDER.embed_queries(['loaded before the fork'])


class Meter(ContainsJudge):
    "Notes every (question, chunk) it judges in a file, at once, and takes its time."

    batch = 3

    def __init__(self, log, pause=0.002):
        self.log, self.pause = log, pause

    def judge(self, question, chunks):
        said = super().judge(question, chunks)
        if chunks:
            with open(self.log, 'a') as f:
                f.write(''.join(f'{question.id}\t{c.id}\n' for c in chunks))
            time.sleep(self.pause)
        return [replace(verdict, calls=1) for verdict in said]


def label(folder, questions, log):
    from conflare_nb.labels.labeling import label_questions
    from conflare_nb.documents.store import KnowledgeBase

    kb = KnowledgeBase.open(folder, EMBEDDER)
    label_questions(kb, questions, Meter(log), depth=50, progress=False)


def by_server(url, **settings):
    "A model behind an address of this machine, as the tests ask it."
    from conflare_nb.models.server import EndpointLLM
    import huggingface_hub.constants

    huggingface_hub.constants.HF_HUB_OFFLINE = False
    return EndpointLLM('m', base_url=f'{url}/v1', **{'workers': 4, 'retries': 9, 'backoff': 0.01, **settings})


def write_by_server(folder, url, n, batch):
    from conflare_nb.documents.store import KnowledgeBase
    from conflare_nb.labels.writing import generate_questions

    kb = KnowledgeBase.open(folder, EMBEDDER)
    generate_questions(kb, by_server(url), n, batch=batch, progress=False)
