"How tests make a knowledge base without a model, and open one again."

from conflare_nb.documents.store import KnowledgeBase
from letters import Letters


def make_kb(path, documents, embedder=None, **how):
    return KnowledgeBase.create(path, documents, embedder or Letters(), progress=False, **how)


def reopened(kb, **how):
    return KnowledgeBase.open(kb.path, kb.embedder, **how)
