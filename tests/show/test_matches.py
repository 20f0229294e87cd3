"Words beside words: numbers against those of the tokens, texts against themselves, bad input, the page and the traits."

import json
import numpy as np, pytest
from conflare_nb import Document
from conflare_nb.documents.cutting import header
from conflare_nb.documents.reading import Section
from conflare_nb.documents.sentences import sentences_of
from conflare_nb.documents.tokens import token_cosines, token_matches
from conflare_nb.show.matches import match_view, words_of_tokens
from knowledge import make_kb


@pytest.fixture(scope='module')
def view(kb, questions):
    return match_view(kb, questions[1])


def tokens(kb, text, chunk):
    "What the model reads of a question and a chunk, and where each token of the passage is."
    [asked] = kb.embedder.read_questions([text], progress=False)
    [read] = kb.read_closely([chunk.id])
    passage = header(chunk.title, chunk.heading) + chunk.text
    [(vector, _, spans)] = kb.embedder.read_passages([passage], progress=False)
    return asked, read, passage, vector, spans


def edges(pieces):
    "(start, end) of each word of a text in pieces."
    places = np.cumsum([len(piece) for piece in pieces])
    return list(zip(places[::2], places[1::2]))


def test_numbers_of_words_are_those_of_their_tokens(kb, questions):
    "Found again by the places of the tokens, one pair of words after the other."
    for question in questions[1:60:11]:
        view = match_view(kb, question)
        asked, read, passage, vector, spans = tokens(kb, question.text, view.chunk)
        assert (''.join(view.asked), ''.join(view.passage)) == (question.text, passage)
        cosines = token_cosines(asked, read.states)

        def inside(spans, word):
            return np.flatnonzero((spans[:, 0] >= word[0]) & (spans[:, 1] <= word[1]))

        rows = [inside(asked.spans, word) for word in edges(view.asked)]
        columns = [inside(spans, word) for word in edges(view.passage)]
        assert sum(map(len, rows)) == len(asked.spans) and sum(map(len, columns)) == len(spans)
        want = [[cosines[np.ix_(row, column)].max() for column in columns] for row in rows]
        assert view.cosines.tolist() == want
        assert np.allclose(view.weights, [asked.weights[row].sum() for row in rows])
        assert [set(read.sentence[c]) for c in columns] == [{place} for place in view.places]
        [(match, sentences)] = token_matches(asked, [read])
        assert (view.match, view.sentences.tolist()) == (match, sentences.tolist())
        assert np.isclose(view.similarity, asked.vector @ vector)


@pytest.mark.parametrize(
    'text, spans, words',
    [
        ('a bc', [[0, 1], [2, 3], [3, 4]], ['a', 'bc']),
        (' abc.d', [[1, 3], [3, 4], [4, 5], [5, 6]], ['abc', '.', 'd']),
        ('💊💊x', [[0, 1], [0, 1], [1, 2], [2, 3]], ['💊', '💊', 'x']),
        ('ab cd ', [[0, 5]], ['ab cd']),
    ],
)
def test_pieces_of_a_word_are_joined(text, spans, words):
    first, pieces = words_of_tokens(text, np.array(spans))
    assert pieces[1::2] == words and ''.join(pieces) == text
    assert len(first) == len(words) and len(pieces) % 2 == 1


def test_without_states_it_is_the_same(kb, tmp_path):
    text = 'Keep it in the fridge \U0001f48a. Away from children, please.'
    documents = [Document('a.md', 'Pen', (Section('Storage', text),))]
    question = 'Does it go in the fridge?'
    kept = make_kb(tmp_path / 'kept', documents, kb.embedder)
    bare = make_kb(tmp_path / 'bare', documents, kb.embedder, states=False)
    first = match_view(kept, question)
    with pytest.warns(UserWarning, match='not stored'):
        again = match_view(bare, question)
    assert again.state() == first.state() and first.passage[1] == 'Pen'


def test_the_state_is_small_and_names_the_best(view):
    state = view.state()
    assert json.loads(json.dumps(state, allow_nan=False)) == state
    assert np.allclose(state['cosines'], view.cosines, atol=0.005 + 1e-9)
    assert state['best'] == [int(np.argmax(row)) for row in view.cosines]
    leads = [word for word, lead in zip(view.passage[1::2], state['leads']) if lead]
    best = sentences_of(view.chunk)[int(view.sentences.argmax())]
    assert ''.join(leads) == ''.join(best.text.split())
    assert len(json.dumps(state)) < 8 * view.cosines.size + 10_000


def test_a_picture_marks_each_best_match(view):
    import matplotlib.pyplot as plt

    ax = view.plot(most=25)
    marks = list(zip(*ax.lines[0].get_data()))
    shown = [label.get_text() for label in ax.get_xticklabels()]
    assert len(shown) == 25 and sorted(row for _, row in marks) == list(range(len(view.best)))
    best = [view.passage[1::2][j] for j in view.best]
    assert [shown[column] for column, _ in sorted(marks, key=lambda mark: mark[1])] == best
    plt.close(ax.figure)
