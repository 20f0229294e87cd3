"What tests/evidence/test_monitor.py kills: live questions added in a process of its own, a few at a time."

import time
from labeling_worker import EMBEDDER  # loaded before the fork


class Slow:
    def __init__(self, pause):
        self.pause = pause

    def __getattr__(self, name):
        return getattr(EMBEDDER, name)

    def embed_queries(self, texts, progress=False):
        time.sleep(self.pause)
        return EMBEDDER.embed_queries(texts, progress)


def add(folder, file, questions, pause=0.01, ready=None):
    from conflare_nb.retrieval.calibration import Calibration
    from conflare_nb.documents.store import KnowledgeBase
    from conflare_nb.evidence.monitor import DriftMonitor

    monitor = DriftMonitor(KnowledgeBase.open(folder, Slow(pause)), Calibration.load(file))
    if ready is not None:
        ready.wait()
    monitor.add(questions, day='2026-01-05', progress=False, batch=2)
