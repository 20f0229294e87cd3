"BM25 by hand, ties, files, and an index that follows the content."
import math, zipfile
from collections import Counter
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.bm25 import WordIndex, best_places, index_words, word_index, words_of

pytest_plugins = ['kb_fixtures']
texts = st.lists(st.text('ab cé漢1.', max_size=12), min_size=1, max_size=8)

def by_hand(texts, question, k1=1.2, b=.75):
    "The textbook's formula, text by text and word by word."
    counts = [Counter(words_of(t)) for t in texts]
    average = sum(c.total() for c in counts)/len(texts)
    def one(c):
        out = 0.
        for w in set(words_of(question)) & set(c):
            n = sum(w in other for other in counts)
            out += math.log(1+(len(texts)-n+.5)/(n+.5))*c[w]*(k1+1)/(c[w]+k1*(1-b+b*c.total()/average))
        return out
    return [one(c) for c in counts]

@settings(max_examples=300, deadline=None)
@given(texts, st.text('ab cé漢1.', max_size=12))
def test_the_formula(texts, question): np.testing.assert_allclose(index_words(texts).scores(question), by_hand(texts, question), rtol=1e-5, atol=1e-6)

@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([0., .5, 1., 2.]), max_size=30), st.integers(1, 40))
def test_the_best_are_the_first_of_a_stable_order(scores, k):
    scores = np.array(scores)
    want = [i for i in np.argsort(-scores, kind='stable') if scores[i] > 0][:k]
    assert best_places(scores, k).tolist() == want

@settings(max_examples=50, deadline=None)
@given(texts)
def test_a_saved_index_is_the_same(tmp_path_factory, texts):
    index = index_words(texts)
    again = WordIndex.load(index.save(tmp_path_factory.mktemp('words')/'w.npz'))
    assert again.columns == index.columns and len(again) == len(texts)
    assert all((again.scores(t) == index.scores(t)).all() for t in texts)

def test_it_follows_the_content_and_not_history(mine, questions):
    before = [word_index(mine).scores(q.text) for q in questions[:20]]
    new = Document('zz.md', 'New', (Section('', 'Plavix and nothing else.'),))
    mine.add([new], progress=False)
    assert len(word_index(mine)) == len(mine) == len(before[0])+1 and word_index(mine).scores('plavix').argmax() == len(mine)-1
    mine.delete('zz.md'); mine.table.optimize()
    assert all((word_index(mine).scores(q.text) == b).all() for q, b in zip(questions, before))

@pytest.mark.parametrize('damage', [lambda f: f.write_bytes(b'no archive'), lambda f: f.write_bytes(f.read_bytes()[:200]), lambda f: zipfile.ZipFile(f, 'w').close()])
def test_a_damaged_file_is_made_again(mine, questions, damage):
    from pathlib import Path
    from conflare_nb.documents.store import KnowledgeBase
    want = word_index(mine).scores(questions[0].text)
    (file,) = Path(mine.path).glob('words-*.npz')
    damage(file)
    again = KnowledgeBase.open(mine.path, mine.embedder)
    assert (word_index(again).scores(questions[0].text) == want).all() and len(WordIndex.load(file)) == len(mine)
