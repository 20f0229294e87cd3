"What was deleted leaves the disk: at once where one asks for it, and otherwise before it piles up."

from datetime import timedelta
import time
import pyarrow as pa, pytest
from conflare_nb.documents import store
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.tables import Tables, tidy
from conflare_nb.labels.labeling import verdict_rows
from conflare_nb.labels.question import Question
from conflare_nb.labels.question_store import kept_questions, question_rows, question_to_row
from conflare_nb.traq.sampling import answer_rows
from letters import Letters, doc, generation
from knowledge import make_kb, reopened


def size(folder):
    return sum(p.stat().st_size for p in folder.rglob('*') if p.is_file())


def told(kb):  # a model's question, verdict and answer, and what people said
    said = (0, 'generated', 'xyzzy'), (1, 'person', 'xyzzy'), (2, 'person', 'stays')
    for number, origin, answer in said:
        chunk = 'secret.md#0000' if answer == 'xyzzy' else 'kept.md#0000'
        asked = Question(str(number), f'Which, {number}?', answer, chunk=chunk)
        question_rows(kb).add([question_to_row(asked, origin)])
        verdict = dict(judge='person:me' if number else 'yesno', key=str(number), text='Which?')
        reason = '' if number else 'it says xyzzy'
        verdict_rows(kb).add([dict(verdict, chunk=chunk, reason=reason)])
    answer_rows(kb).add([dict(key='k', chunk='kept.md#0000', text='The word is xyzzy.', draw=0)])


@pytest.mark.parametrize('memory', [2e9, 0], ids=['memory', 'disk'])
@pytest.mark.parametrize('changed', [False, True])
def test_a_purge_leaves_no_byte_of_what_was_deleted(tmp_path, memory, changed):
    secret = Document('secret.md', 'Secret', (Section('', 'The word is xyzzy.'),))
    docs = [doc('kept.md', 'the bus stays'), secret, *generation(1, 30)]
    kb = make_kb(tmp_path, docs, memory_budget=memory)
    other = reopened(kb)
    told(kb)
    held = kb.search('bus', 1).to_pylist()
    if changed:
        kb.add([doc('secret.md', 'nothing')], progress=False)
        kb.delete(purge=True)
    else:
        kb.delete('secret.md', purge=True)
    assert not [p for p in tmp_path.rglob('*') if p.is_file() and b'xyzzy' in p.read_bytes()]
    for name in kb.tables.names():
        (version,) = kb.tables.open(name).list_versions()
        assert version['metadata']['total_deletion_file_rows'] == '0'
    assert kb.search('bus', 1).to_pylist() == held == reopened(kb).search('bus', 1).to_pylist()
    assert [question.id for question in kept_questions(kb)] == ['2']
    assert [row['key'] for row in verdict_rows(kb).read()] == ['1', '2'][not changed :]
    assert len(answer_rows(kb)) == 0 and other.add([secret], progress=False) == 1


def test_many_writes_of_one_note_do_not_pile_up(tmp_path, monkeypatch):
    kb = make_kb(tmp_path / 'kb', generation(1, 300), Letters(384))
    held = kb.snapshot()
    before = held.search('text', 5)
    assert kb._safe_age == timedelta(minutes=10)
    monkeypatch.setattr(store, 'SAFE_AGE', timedelta(microseconds=1))
    for number in range(100):
        kb.add([doc('note.md', f'note {number} says {number * number}')], progress=False)
    fresh = make_kb(tmp_path / 'fresh', [*generation(1, 300), doc('note.md', 'x')], Letters(384))
    assert size(tmp_path / "kb") <= 3 * size(tmp_path / "fresh") and len(kb) == len(fresh)
    assert held.search('text', 5).equals(before)


def test_what_was_current_a_moment_ago_stays_however_old_it_is(tmp_path):
    schema = pa.schema([('key', pa.string())])
    rows = Tables(tmp_path).made('rows', schema)
    for number in range(2, 21):
        if number in (18, 19):
            time.sleep(1.5)
        rows.add(pa.table(dict(key=[str(number)]), schema=schema))
    assert tidy(rows, timedelta(seconds=0.5))
    versions = [version['version'] for version in rows.list_versions()]
    assert versions[:3] == [18, 19, 20]  # 18 was made long ago, and replaced only now
    rows.checkout(18)
    assert rows.count_rows() == 17
