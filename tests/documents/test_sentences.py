"Sentences in their places, and chunks read closely: the same in memory, on disk, anew, and where nothing is stored."

import warnings
import numpy as np, pytest
from hypothesis import given
from conflare_nb import Document, KnowledgeBase, LateHybrid
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.reading import Section
from conflare_nb.documents.sentences import STATE_COLUMNS, sentences_of
from random_texts import prop, solid, text
from knowledge import reopened

pytest_plugins = ['kb_fixtures']
NEW = Document('zz.md', 'New', (Section('', 'Plavix and nothing else. Or so.'),))


def ids(kb):
    return [chunk.id for chunk in kb.texts()]


def read(kb, names=None):
    found = kb.read_closely(names or ids(kb))
    return [(r.states.tolist(), r.sentence.tolist(), r.vectors.tolist()) for r in found]


@prop
@given(text)
def test_every_letter_is_in_one_sentence_in_its_place(text):
    found = sentences_of(Chunk('x', text=text))
    assert ''.join(solid(s.text) for s in found) == solid(text)
    assert [s.place for s in found] == list(range(len(found)))
    assert all(s.text == s.text.strip() and s.text for s in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:]))


def test_every_token_of_a_text_is_in_one_sentence_or_in_the_header(few):
    for chunk, close in zip(few.texts(), few.read_closely(ids(few))):
        numbers = close.sentence[close.sentence >= 0]
        assert set(numbers) == set(range(len(sentences_of(chunk))))
        assert (np.diff(numbers) >= 0).all()
        assert [len(numbers)] == few.embedder.count_tokens([chunk.text])
        assert (close.sentence == -1).sum() >= 2  # the header


def test_in_memory_on_disk_and_reopened_they_are_the_same(mine):
    here = read(mine)
    assert read(reopened(mine)) == here == read(reopened(mine, memory_budget=1))
    some = len(mine) * mine.embedder.dim * 4  # vectors in memory, states on disk
    half = reopened(mine, memory_budget=some)
    assert half.in_memory and 'states' not in half._source.rows.column_names
    assert read(half) == here
    backwards = ids(mine)[::-1]
    assert read(mine, backwards) == here[::-1] and mine.read_closely([]) == []


@pytest.mark.parametrize('budget', [2e9, 1])
def test_they_come_and_go_with_their_chunks(mine, budget):
    kb = reopened(mine, memory_budget=budget)
    before = read(kb)
    kb.add([NEW], progress=False)
    [close] = kb.read_closely(['zz.md#0000'])
    assert len(close.vectors) == 2
    kb.delete('zz.md')
    assert read(kb) == before
    kb.delete(*kb.documents())
    assert kb.texts() == [] and kb.read_closely([]) == []


def test_what_is_read_already_is_not_read_again(mine, monkeypatch):
    def refused(self, texts, progress=True):
        assert not len(texts), f'read again: {texts[:1]}'
        return real(self, texts, progress)

    embedder = type(mine.embedder)
    before = read(mine)
    real = embedder.read_passages
    monkeypatch.setattr(embedder, 'read_passages', refused)
    documents = [Document(path, *_title_and_sections(mine, path)) for path in mine.documents()]
    again = KnowledgeBase.create(mine.path, documents, mine.embedder, progress=False)
    assert read(again) == before


def _title_and_sections(kb, path):  # one section a chunk: the same texts in other places
    chunks = [chunk for chunk in kb.texts() if chunk.document == path]
    return chunks[0].title, tuple(Section(chunk.heading, chunk.text) for chunk in chunks)


def test_where_nothing_is_stored_it_is_read_at_the_question(few, tmp_path):
    chunks = few.texts()
    documents = [Document(path, *_title_and_sections(few, path)) for path in few.documents()]
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        bare = KnowledgeBase.create(tmp_path / 'bare', documents, few.embedder, progress=False, states=False)
    assert not {*STATE_COLUMNS} & {*bare.table.schema.names}
    assert [chunk.text for chunk in bare.texts()] == [chunk.text for chunk in chunks]
    question = 'Could I crush the tablet and stir it into yoghurt?'
    with pytest.warns(UserWarning, match='states of tokens are not stored'):
        live = LateHybrid().rank(bare, question)
    stored = LateHybrid().rank(few, question)
    assert live['text'].to_pylist()[:5] == stored['text'].to_pylist()[:5]
    np.testing.assert_allclose(live['score'].to_numpy(), stored['score'].to_numpy(), atol=0.05)


def test_above_100_000_chunks_they_are_left_out_unless_asked_for(few, monkeypatch, tmp_path):
    monkeypatch.setattr('conflare_nb.documents.store._STATES_UP_TO', 0)
    ways = None, True, False
    made = [KnowledgeBase.create(tmp_path / str(s), [NEW], few.embedder, states=s) for s in ways]
    assert [kb.config['states'] for kb in made] == [False, True, False]
    made[0].add([NEW], progress=False)  # as it was made, so it goes on
    assert 'states' not in made[0].table.schema.names
