"A question's section finds the heading or the page that a person means by it, and says where it finds none or several."

import warnings
import pytest
from conflare_nb import Document, KnowledgeBase, Question, answering_chunks
from conflare_nb.documents.reading import Section


def section(line):
    return Section(*line.split(': '))


MANUAL = """: Read this first.
Battery > Capacity: It holds 10 kWh.
Battery > Capacity > Winter: In the cold it holds 8 kWh.
Care > Cleaning: Wipe it dry.
Terrace > Cleaning: Hose it down.
Cleaning up > Waste: Bring it back."""
PAGES = [('Method', 'We asked them.', 1), ('Method', 'Nobody knew.', 2), ('7', 'The seventh.', 3)]
DOCS = [Document('manual.md', 'Home battery manual', [*map(section, MANUAL.split('\n'))])]
DOCS += [Document('paper.pdf', 'Paper', tuple(Section(*page) for page in PAGES))]


@pytest.fixture(scope='module')
def kb(tmp_path_factory):
    return KnowledgeBase.create(tmp_path_factory.mktemp('kb'), DOCS, progress=False)


def found(kb, section, answer='', document='manual.md'):
    texts = {c.id: c.text for c in kb.texts()}
    (ids,) = answering_chunks(kb, [Question('q1', 'x?', answer, ((document, section),))])
    return sorted(texts[i] for i in ids)


@pytest.mark.parametrize(
    'section, answer, want',
    [
        *[(name, '', ['It holds 10 kWh.']) for name in ('Capacity', 'capacity', 'Battery > Capacity')],
        ('Home battery manual > Battery >  CAPACITY', '', ['It holds 10 kWh.']),
        ('Capacity', '8 kWh', ['In the cold it holds 8 kWh.']),
        ('Winter', '', ['In the cold it holds 8 kWh.']),
        ('Capacity > Winter', '', ['In the cold it holds 8 kWh.']),
        ('Battery', '', ['In the cold it holds 8 kWh.', 'It holds 10 kWh.']),
        ('Cleaning', 'dry', ['Wipe it dry.']),
        ('Terrace > Cleaning', '', ['Hose it down.']),
        ('Cleaning up', '', ['Bring it back.']),
        ('', '', ['Read this first.']),
        ('Home battery manual', '', ['Read this first.']),
        ('', 'kWh', ['In the cold it holds 8 kWh.', 'It holds 10 kWh.']),
    ],
)
def test_a_section_is_called_by_the_end_of_its_path(kb, section, answer, want):
    assert found(kb, section, answer) == want


def test_a_number_is_a_page_unless_a_heading_is_called_so(kb):
    first, second = 'We asked them.', 'Nobody knew.'
    pages = {'page 1': [first], '2': [second], 'p. 2': [second], 'Method': [second, first]}
    for section, want in (pages | {'7': ['The seventh.']}).items():
        assert found(kb, section, document='paper.pdf') == want, section


def test_what_is_not_there_is_said_once_for_all_with_what_is_like_it(kb):
    names = ['manual.md Capacities', 'paper.pdf page 9', 'manual.md x', 'manual.md y', 'gone.md x']
    sections = [tuple(name.split(' ', 1)) for name in names]
    asked = [Question(f'q{i}', 'x?', '', (section,)) for i, section in enumerate(sections)]
    with pytest.warns(UserWarning) as said:
        assert answering_chunks(kb, asked) == [set()] * 5
    (text,) = [str(w.message) for w in said]
    assert "question 'q0' names 'Capacities' of manual.md, which has 'Battery > Capacity', " in text
    assert "names 'page 9' of paper.pdf, which has " in text and 'pages 1 to 3' in text
    assert "'q3'" not in text
    assert text.endswith(' and 1 more')  # a missing file is no mistake: documents come and go


@pytest.mark.parametrize(
    'section, answer, want',
    [
        ('`Capacity` {#size}', '', ['It holds 10 kWh.']),
        ('Capacity\xb6', '10 kWh', ['It holds 10 kWh.']),
        ('How much fits in', '10 kWh', ['It holds 10 kWh.']),  # renamed since
        ('Winter', '10 kWh', ['It holds 10 kWh.']),  # a slip
        ('Winter', '9 kWh', ['In the cold it holds 8 kWh.']),  # nowhere: its section as a whole
        ('How much fits in', '9 kWh', []),
    ],
)
def test_a_renamed_heading_loses_no_question(kb, section, answer, want):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        assert found(kb, section, answer) == want


def test_an_answer_is_looked_for_in_the_document_that_is_named(tmp_path):
    "Both documents have the words; a question without a section may name one of them, or none."
    both = [Document(f'{d}.md', d, (Section('', 'Drink plenty of water.'),)) for d in ('gout', 'lithium')]
    kb = KnowledgeBase.create(tmp_path / 'kb', both, progress=False)

    def documents(name):
        asked = Question('q', 'What about water?', 'plenty of water', document=name)
        (found,) = answering_chunks(kb, [asked])
        return {chunk.document for chunk in kb.texts() if chunk.id in found}

    assert documents('lithium.md') == {'lithium.md'}
    assert documents('') == {'gout.md', 'lithium.md'} and documents('gone.md') == set()
