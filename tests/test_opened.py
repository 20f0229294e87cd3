"What an update of a folder says of questions that lost their answer: gone, out of reach, or under another heading."

import warnings
import pytest
from conflare_nb.app.folder import DocumentFolder
from conflare_nb.app.opened import measure_folder, update_folder
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.reading import read_folder
from conflare_nb.labels.question import Question

PEN = '# Pen\n## Storage\nA pen in use keeps 28 days.\n## Use\nTurn it until it clicks.'
POOL = '# Pool\n## Hours\nThe pool opens at 7.'
LONG = 'How long does a pen keep?'
POOLS = 'When does the pool open?'


@pytest.fixture
def folder(tmp_path):
    "Two documents; the score sees one chunk of each question."
    docs = tmp_path / 'docs'
    docs.mkdir()
    (docs / 'pen.md').write_text(PEN)
    (docs / 'pool.md').write_text(POOL)
    storage, hours = ('pen.md', 'Storage'), ('pool.md', 'Hours')
    asked = [Question('0', LONG, '28 days', (storage,)), Question('1', POOLS, '', (hours,))]
    asked.append(Question('2', 'What do I turn?', 'until it clicks'))  # keeps its answer
    folder = DocumentFolder(docs)
    kb = folder.current(read_folder(docs))
    cal, _ = measure_folder(folder, kb, asked, Hybrid(pool=1), source='q.jsonl')
    assert [label.rank for label in cal.labels] == [1, 1, 1]
    return folder


def updated(folder, **files):
    "The update after some files were written anew."
    for name, text in files.items():
        (folder.docs / f'{name}.md').write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # the heading that is named is not there
        return update_folder(folder)


def test_words_that_are_nowhere_are_gone(folder):
    found = updated(folder, pen=PEN.replace('28 days', 'a month').replace('Storage', 'Keeping'))
    assert (found.lost, found.unreached, found.moved) == ((LONG,), (), ())
    assert f"The words of the answer are nowhere any more for 1 question: '{LONG}'." in str(found)


def test_an_answer_outside_of_the_pool_is_not_called_gone(folder):
    near = '# Other\n## Pens\nHow long does a pen keep? A pen may keep long.'
    found = updated(folder, other=near)
    assert (found.lost, found.unreached, found.moved) == ((), (LONG,), ())
    assert f"No answer is in reach of the score any more for 1 question: '{LONG}'." in str(found)


def test_a_heading_with_another_name_is_not_called_gone(folder):
    found = updated(
        folder, pen=PEN.replace('Storage', 'Keeping'), pool=POOL.replace('Hours', 'Open')
    )
    assert (found.lost, found.unreached, found.moved) == ((), (), (LONG, POOLS))
    says = 'The answer is not in the place that is named any more, and may be in another, for 2 questions'
    assert says in str(found)
