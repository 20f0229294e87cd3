"An embedding model of one's own: a knowledge base is made, calibrated, asked and opened again with it."

import warnings
import numpy as np, pytest
from conflare_nb import Document, Embedder, KnowledgeBase, Question, calibrate
from conflare_nb.documents.reading import Section

TEXTS = dict(pen='Keep the pen in the fridge.', pool='The pool opens at seven.', dog='Walk the dog twice a day.')
DOCUMENTS = [Document(f'{name}.md', name, (Section('', text),)) for name, text in TEXTS.items()]


def letters(texts, turn=0.0):
    pairs = [[text.lower().count(a) + 1 for a in 'abcdefghijklmnopqrstuvwxyz'] for text in texts]
    return np.array(pairs) + turn * np.arange(26)


@pytest.mark.parametrize('model', ['minilm', letters, Embedder(letters)], ids=['name', 'function', 'embedder'])
def test_what_an_embedder_takes_makes_a_knowledge_base(tmp_path, model):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        kb = KnowledgeBase.create(tmp_path / 'kb', DOCUMENTS, model, progress=False)
    says = [str(one.message) for one in caught if 'no states of its tokens' in str(one.message)]
    assert len(says) == (model != 'minilm')
    questions = [Question(f'{i}', f'Where is the {n}?', answer=t[-12:-1]) for i, (n, t) in enumerate(TEXTS.items())]
    assert np.isfinite(calibrate(kb, questions, progress=False).scores).all()
    assert len(KnowledgeBase.open(kb.path, model)) == 3


def test_another_model_behind_the_same_name_is_refused(tmp_path):
    kb = KnowledgeBase.create(tmp_path, DOCUMENTS, letters, progress=False)

    def named(turn):
        def embed(texts):
            return letters(texts, turn)

        embed.__qualname__ = 'letters'
        return embed

    KnowledgeBase.open(kb.path, named(1e-4))  # a server's last digits
    with pytest.raises(ValueError, match='embedded with another model: it answers three fixed texts'):
        KnowledgeBase.open(kb.path, named(0.2))
    with pytest.raises(ValueError, match='a table may not say which model is loaded'):
        KnowledgeBase.open(kb.path)
