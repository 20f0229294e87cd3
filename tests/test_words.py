"What is counted has the plural that it should have."

import numpy as np
from conflare_nb.retrieval.calibration import Calibration
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.retrieval.retriever import TopKRetriever
from conflare_nb.words import plural


def test_one_has_no_s_and_thousands_have_a_comma():
    assert [plural(n, 'question') for n in (0, 1, np.int64(1), 2, 1000)] == [
        '0 questions',
        '1 question',
        '1 question',
        '2 questions',
        '1,000 questions',
    ]
    assert [plural(n, 'label', be=True) for n in (1, 3)] == ['1 label is', '3 labels are']


def test_one_document_and_one_question_are_no_plurals(tmp_path):
    document = Document('a.md', 'A', (Section('Use', 'Take it with food.'),))
    kb = KnowledgeBase.create(tmp_path / 'kb', [document], progress=False)
    assert '1 chunk of 1 document,' in repr(kb)
    found = TopKRetriever(kb, 1).retrieve('With food?')
    assert repr(found).startswith('1 chunk, ')
    assert '<br>1 chunk, ' in found._repr_html_()
    assert '1 question is too few' in Calibration([0.1], {}).promise(0.1).rule
