"What an update of a folder says of questions that lost their answer: gone, out of reach, or under another heading."

import os, sys, time, warnings
from dataclasses import replace
import pytest
from conflare_nb import Distance, Hybrid, KnowledgeBase, Question
from conflare_nb.app.folder import DocumentFolder
from conflare_nb.app.opened import measure_folder, open_folder, update_folder
from conflare_nb.documents.reading import READERS, read_folder
from conflare_nb.evidence.audit import Audit, labels_print

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
    found = updated(folder, pen=PEN.replace('Storage', 'Keeping'), pool=POOL.replace('Hours', 'Open'))
    assert (found.lost, found.unreached, found.moved) == ((), (), (POOLS,))  # the answer to LONG is found
    says = 'The answer is not in the place that is named any more, and may be in another, for 1 question'
    assert says in str(found)


def test_one_kind_of_audited_labels_promises_nothing_anywhere(folder):
    "The audit was drawn from all kinds: chunks, sentences and answers say so alike."
    kinds = [replace(q, kind='pen' if 'pen' in q.text else 'other') for q in folder.asked().questions]
    kb = KnowledgeBase.open(folder.store, folder.embedder)
    cal, _ = measure_folder(folder, kb, kinds, Distance(), source='q.jsonl', by='kind')
    cal = replace(cal, judge='contains')
    cal.save(folder.measured / 'calibration.json')
    (folder.measured / 'quotes.json').unlink()
    Audit(3, 0, 3, labels=labels_print(cal.scored_labels)).save(folder.measured / 'audit.json')
    opened = open_folder(folder)
    why = 'nothing is proved of Audited around OfGroup: an audit bounds how often labels are wrong'
    pens = opened.retriever(0.5, 'pen')
    for one in (pens, pens.retrieve(LONG), opened.quotes(LONG, 0.5, 'pen')):
        assert not one.promise and any(why in reason for reason in one.promise.missing)
    assert why not in str(opened.retriever(0.5).promise) and opened.retriever(0.5).terms.audit
    slides = opened.guarantee(opened.cal, slides=True).reasons
    assert 'a slider takes every label for right, and these were audited' in slides


OPENED = []  # paths, once `watch` was called; an audit hook stays for good


def watch(event, given):
    if event == 'open' and given[2] & (os.O_WRONLY | os.O_RDWR) == 0:
        OPENED.append(str(given[0]))


def test_an_unchanged_file_is_not_opened_and_an_added_one_is_read_once(folder, monkeypatch):
    for i in range(28):
        (folder.docs / f'{i}.md').write_text(f'# Bus {i}\nBus {i} leaves at {i}.')
    os.utime(folder.docs / '3.md', (1, 1))
    update_folder(folder)
    time.sleep(2.1)  # longer than the grain of a clock
    open_folder(folder)
    sys.addaudithook(watch)
    asked, ask = [], READERS.ask  # of the processes that read
    monkeypatch.setattr(READERS, 'ask', lambda given, seconds: asked.append(given['name']) or ask(given, seconds))

    def opened():
        OPENED.clear()
        news = open_folder(folder).news
        return news, [path for path in OPENED if path.endswith('.md')]

    assert opened() == ((), [])
    (folder.docs / '7.md').touch()
    assert opened() == ((), [str(folder.docs / '7.md')])  # the same content
    (folder.docs / 'new.md').write_text('# Ferry\nIt leaves at 9.')
    (news,), paths = opened()
    assert news.startswith('1 added (new.md)')
    touched = [str(folder.docs / '7.md')] * 2  # its time is fresh
    assert [path for path in paths if path not in touched] == [str(folder.docs / 'new.md')]  # for its sum
    assert asked == ['new.md']
    (folder.docs / '3.md').write_text('# Bus 3\nBus 3 leaves at 5.')
    os.utime(folder.docs / '3.md', (1, 1))  # as many bytes and the same time: it is seen
    (news,), _ = opened()
    assert news.startswith('1 changed (3.md)')
