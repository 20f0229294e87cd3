"Sentences and their vectors: in place, killed at any moment, made by two at once, the same in memory and on disk."

import random, shutil, signal, time
from collections import Counter
import lancedb, numpy as np, pyarrow as pa, pytest
from hypothesis import given
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.sentences import sentence_input, sentence_vectors, sentences_of
from conflare_nb.documents.store import KnowledgeBase, Rows
from conflare_nb.saving import digest
from random_texts import prop, solid, text
from store_worker import at_once, forks
from knowledge import reopened

pytest_plugins = ['kb_fixtures']


def everything(kb):
    return [s for chunk in kb.texts() for s in sentences_of(chunk)]


def inputs(kb):
    return {digest(sentence_input(s)) for s in everything(kb)}


def matrix(kb):
    return sentence_vectors(kb, progress=False).of(everything(kb))


def copy(kb, folder, **how):
    return KnowledgeBase.open(shutil.copytree(kb.path, folder), kb.embedder, **how)


def drop(kb):
    lancedb.connect(kb.path).drop_table('sentences', ignore_missing=True)


def table(kb):  # rows of the table as they are on disk now
    columns = dict(key=pa.string(), vector=pa.list_(pa.float32(), kb.embedder.dim))
    return Rows(kb, 'sentences', columns).read()


@prop
@given(text)
def test_every_letter_is_in_one_sentence_in_its_place(text):
    found = sentences_of(Chunk('x', text=text))
    assert ''.join(solid(s.text) for s in found) == solid(text)
    assert [s.place for s in found] == list(range(len(found)))
    assert all(s.text == s.text.strip() and s.text for s in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:]))


def test_each_is_embedded_behind_its_title_and_heading(few):
    some = everything(few)[::9]
    assert all(sentence_input(s) == f'{s.chunk.title} - {s.chunk.heading}\n{s.text}' for s in some)
    again = few.embedder.embed_passages([sentence_input(s) for s in some], progress=False)
    np.testing.assert_allclose(sentence_vectors(few, progress=False).of(some), again, atol=1e-6)


def test_in_memory_on_disk_and_reopened_they_are_the_same(mine):
    here = matrix(mine)
    disk = reopened(mine, memory_budget=1)
    assert sentence_vectors(disk).kept.held is None and (matrix(disk) == here).all()
    assert (matrix(reopened(mine)) == here).all()
    assert len(sentence_vectors(mine)) == len(inputs(mine)) == len(table(mine))


@pytest.mark.parametrize('budget', [2e9, 1])
def test_after_documents_came_and_went_they_are_the_same(few, tmp_path, budget):
    kb = copy(few, tmp_path / 'kb', memory_budget=budget)
    before, size = matrix(kb), len(sentence_vectors(kb))
    new = Document('zz.md', 'New', (Section('', 'Plavix and nothing else. Or so.'),))
    kb.add([new], progress=False)
    assert len(sentence_vectors(kb, progress=False)) == size + 2 == len(table(kb))
    kb.delete('zz.md')
    assert (matrix(kb) == before).all() and len(sentence_vectors(kb)) == size == len(table(kb))


def test_of_nothing_there_is_nothing(mine):
    assert sentence_vectors(mine, progress=False).of([]).shape == (0, mine.embedder.dim)
    mine.delete(*mine.documents())
    empty = sentence_vectors(mine, progress=False)
    assert (len(empty), table(mine), empty.of([]).shape) == (0, [], (0, mine.embedder.dim))
    assert len(sentence_vectors(reopened(mine, memory_budget=1))) == 0


@pytest.mark.parametrize('budget', [2e9, 1])
def test_what_another_process_dropped_is_embedded_anew(few, tmp_path, budget):
    kb = copy(few, tmp_path / 'kb', memory_budget=budget)
    before, stood = matrix(kb), everything(kb)
    other = reopened(kb)
    other.delete(*other.documents()[:3])
    left = len(sentence_vectors(other, progress=False))
    assert left == len(table(kb)) < len(sentence_vectors(kb))
    sentence_vectors(kb).kept.rows.table.checkout_latest()
    np.testing.assert_allclose(sentence_vectors(kb).of(stood), before, atol=1e-6)


# --- killed


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='nothing is killed this way here')
def test_killed_ten_times_nothing_is_lost_and_nothing_embedded_twice(kb, tmp_path):
    context, chance, log = forks('sentence_worker'), random.Random(0), tmp_path / 'embedded.txt'
    from sentence_worker import make

    mine, whole = copy(kb, tmp_path / 'mine'), copy(kb, tmp_path / 'whole')
    model = mine.embedder.fingerprint()
    texts = [sentence_input(sentence) for sentence in everything(mine)]
    wanted = {digest([model, text])[:32]: digest(text) for text in texts}

    def held():
        return {wanted[row['key']] for row in table(mine)}

    def noted():
        return log.read_text().splitlines() if log.exists() else []

    kills, rounds, lost = 0, 0, 0
    while kills < 10 and rounds < 40:
        rounds += 1
        if len(held()) == len(wanted):
            drop(mine)  # it was done: from the start again
        before, done = held(), len(noted())
        until = done + 512 * chance.randrange(3)
        process = context.Process(target=make, args=(mine.path, log))
        process.start()
        while process.is_alive() and len(noted()) <= until:
            time.sleep(0.001)
        time.sleep(chance.random() * 0.05)
        process.kill()
        process.join()
        kills += process.exitcode == -signal.SIGKILL
        new = noted()[done:]
        assert not before & set(new)
        assert len(new) == len(set(new))  # what was kept was not embedded again
        assert before <= held() <= before | set(new) and len(table(mine)) == len(held())
        assert len(new) - (len(held()) - len(before)) <= 512  # a batch at most
        lost += len(new) > len(held()) - len(before)
    assert kills == 10 and lost > 0
    process = context.Process(target=make, args=(mine.path, log))
    process.start()
    process.join(120)
    assert process.exitcode == 0 and held() == set(wanted.values())
    np.testing.assert_allclose(matrix(mine), matrix(whole), atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize('turn', range(3))
def test_two_at_once_leave_no_wrong_vector(few, tmp_path, turn):
    from sentence_worker import make

    mine, whole = copy(few, tmp_path / 'mine'), copy(few, tmp_path / 'whole')
    for folder in (mine, whole):
        drop(folder)
    assert at_once(*[(make, mine.path, tmp_path / 'embedded.txt')] * 2) == [0, 0]
    assert max(Counter(row['key'] for row in table(mine)).values()) <= 2
    for budget in (2e9, 1):
        again = reopened(mine, memory_budget=budget)
        np.testing.assert_allclose(matrix(again), matrix(whole), atol=1e-6)
        assert len(sentence_vectors(again)) == len(inputs(again))
