"Answers that the documents give in other words: what is taken, what is offered, and what is said."

import json
import pytest
from conflare_nb import Document, KnowledgeBase, Question
from conflare_nb.answers.wording import find_wording
from conflare_nb.app.opened import confirm_offer, open_folder, open_offers
from conflare_nb.app.folder import DocumentFolder
from conflare_nb.documents.reading import Section

TEXT = (
    'A pen in use keeps 28 days at room temperature. New pens go in the fridge. '
    'Do not share needles with anybody. The desk sells needles on Mondays from 9 to 11. '
    'Lost pens are replaced by the ward. Empty pens go to the red bin. Full bins go to the porter.'
)
PEN = 'A pen in use keeps 28 days at room temperature.'
TAP = 'The porter also has lamps. Lamps are red.'


@pytest.fixture(scope='module')
def kb(tmp_path_factory):
    documents = [Document('pen.md', 'Pen', (Section('Use', TEXT),)), Document('tap.md', 'Tap', (Section('', TAP),))]
    path = tmp_path_factory.mktemp('wording')
    return KnowledgeBase.create(path / 'kb', documents, progress=False)


def offered(kb, answer, text='What about it?', **more):
    "(sentence, whether it is sure) of what is offered; None = the answer stands there as it is."
    found = find_wording(kb, [Question('q', text, answer, **more)])
    return (found[0].sentence, found[0].sure) if found else None


@pytest.mark.parametrize(
    'answer, has',
    [
        ('twenty-eight days', '28 days'),
        ('at room temperature, 28 d', '28 days'),
        ('from nine to eleven on a Monday', 'from 9 to 11'),
        ('into the fridge, if new', None),  # "if" is nowhere
        ('share needles: never', 'Do not share'),
        ('sharing', None),
        ('reds', None),  # one word is no evidence
        ('needles to share', None),  # the sentence says not to
        ('go, pens', None),  # two sentences say it
        ('replaced on the ward', 'by the ward'),
        ('30 days', None),
    ],
)
def test_only_a_sentence_that_says_all_of_it_is_sure(kb, answer, has):
    sentence, sure = offered(kb, answer)
    assert sure == (has is not None)
    assert sentence in TEXT or sentence in TAP
    assert has is None or has in sentence


def test_word_for_word_nothing_is_offered(kb):
    assert offered(kb, 'the RED  bin') is None
    *_, sure = offered(kb, '28 hours', sections=(('pen.md', 'Use'),))  # its section has other words
    assert not sure
    assert find_wording(kb, [Question('q', 'Why?'), Question('r', 'Who?', unanswerable=True)]) == []


def test_the_nearest_sentence_is_of_the_named_document(kb):
    asked = 'Where do full bins go?', 'carried off by porters'
    assert offered(kb, asked[1], asked[0]) == ('Full bins go to the porter.', False)
    assert offered(kb, asked[1], asked[0], document='tap.md')[0].split()[0] in ('The', 'Lamps')


def test_a_wording_is_of_the_named_document_alone(kb):
    "What is sure of another document is not even offered; and what is there twice is sure for each."
    assert offered(kb, 'twenty-eight days') == (PEN, True)
    assert offered(kb, 'twenty-eight days', document='pen.md') == (PEN, True)
    assert offered(kb, 'twenty-eight days', document='tap.md')[0] in TAP
    assert offered(kb, 'twenty-eight days', document='gone.md') is None
    twins = find_wording(kb, [Question(d, '?', 'lamps: red', document=d) for d in ('tap.md', 'pen.md')])
    assert [(found.document, found.sure) for found in twins] == [('tap.md', True), ('pen.md', False)]


def test_the_nearest_sentence_is_found_outside_of_the_best_chunks(tmp_path):
    "Twelve documents are nearer to what is asked than the one that is named."
    near = [Document(f'{i}.md', f'{i}', (Section('', f'Lamps of kind {i} are red.'),)) for i in range(12)]
    far = Document('far.md', 'Far', (Section('', 'Boats leave at ten. The harbour is shut.'),))
    kb = KnowledgeBase.create(tmp_path / 'kb', [*near, far], progress=False)
    asked = 'a shut harbour', 'What colour are lamps, red or another kind?'
    assert offered(kb, *asked, document='far.md') == ('The harbour is shut.', True)
    assert offered(kb, 'shut lamps of a kind', asked[1], document='far.md') == ('The harbour is shut.', False)


ROWS = [('How long does a used pen keep?', 'twenty-eight days'), ('Where do new pens go?', 'in the fridge')]
ROWS += [
    ('Where do I get rid of an empty one?', 'throw it in the red container'),
    ('When are needles sold?', 'on Mondays'),
]


@pytest.fixture
def folder(tmp_path):
    docs = tmp_path / 'docs'
    docs.mkdir()
    (docs / 'pen.md').write_text(f'# Pen\n{TEXT}')
    rows = [json.dumps(dict(question=text, answer=answer)) for text, answer in ROWS]
    (tmp_path / 'q.jsonl').write_text('\n'.join(rows))
    return docs


def test_what_is_sure_is_taken_and_the_rest_is_asked_once(folder, tmp_path):
    def calibrated():
        said = ' '.join(str(DocumentFolder(folder).calibrate(tmp_path / 'q.jsonl')).split())
        return open_folder(DocumentFolder(folder)).cal, said

    cal, said = calibrated()
    assert (cal.n, cal.unanswerable) == (3, 1)
    assert '1 answer in other words, each in one sentence that says all of it' in said
    assert "pen.md has 'A pen in use keeps 28 days at room temperature.'" in said
    assert '1 answer not found word for word in the document that is named, or in any' in said
    assert 'red container' in said
    opened = open_folder(DocumentFolder(folder))
    [offer] = open_offers(opened.folder, opened.kb, opened.cal)
    confirm_offer(opened.folder, offer.question.id, offer.sentence)
    assert offer.sentence == 'Empty pens go to the red bin.'
    cal, said = calibrated()  # kept with the questions
    assert (cal.n, cal.unanswerable) == (4, 0) and 'wording' not in said
    (folder / 'pen.md').write_text(f'# Pen\n{TEXT}'.replace('the red bin', 'the ward'))
    opened = open_folder(DocumentFolder(folder))  # what was confirmed is gone
    assert opened.cal.unanswerable == 1


@pytest.mark.parametrize('typed, found', [(['x', 'y'], 0), (['n'], 1), (['q'], 1), ([], 1)])  # how many are set apart
def test_at_a_terminal_people_are_asked(folder, tmp_path, monkeypatch, typed, found, capsys):
    left = iter(typed)

    def answer():
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr('builtins.input', answer)
    monkeypatch.setattr('sys.stdin.isatty', lambda: True, raising=False)
    DocumentFolder(folder).calibrate(tmp_path / 'q.jsonl')
    assert open_folder(DocumentFolder(folder)).cal.unanswerable == found
    assert '[1 of 1]' in capsys.readouterr().err
