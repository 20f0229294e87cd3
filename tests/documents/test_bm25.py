"BM25 by hand, ties, and an index that follows the content, in memory and on disk."

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
import lancedb, numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.bm25 import StoredWords, _batches, _Matches, index_words, store_words, word_index
from conflare_nb.documents.plain import words_of
from knowledge import reopened

texts = st.lists(st.text('ab cé漢1.', max_size=12), min_size=1, max_size=8)


def by_hand(texts, question, k1=1.2, b=0.75):
    "The textbook's formula, text by text and word by word."
    counts = [Counter(words_of(t)) for t in texts]
    average = sum(c.total() for c in counts) / len(texts)

    def one(c):
        out = 0.0
        for w in set(words_of(question)) & set(c):
            n = sum(w in other for other in counts)
            length = k1 * (1 - b + b * c.total() / average)
            idf = math.log(1 + (len(texts) - n + 0.5) / (n + 0.5))
            out += idf * c[w] * (k1 + 1) / (c[w] + length)
        return out

    return [one(c) for c in counts]


@settings(max_examples=300, deadline=None)
@given(texts, st.text('ab cé漢1.', max_size=12))
def test_the_formula(texts, question):
    found = index_words(texts).ask(question).scores
    np.testing.assert_allclose(found, by_hand(texts, question), rtol=1e-5, atol=1e-6)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=30), st.integers(1, 40))
def test_the_best_are_the_first_of_a_stable_order(scores, k):
    scores = np.array(scores)
    want = [i for i in np.argsort(-scores, kind='stable') if scores[i] > 0][:k]
    assert _Matches(scores).best(k).tolist() == want


# --- beyond the memory: the same words in LanceDB
def content(kb):
    return index_words([f'{c.title} {c.heading} {c.text}' for c in kb.texts()])


def assert_same_words(stored, held, asked, k=50, eps=1e-5):
    "The same best 50 (or ones that differ by less than the eps) and the same shares."
    everywhere = np.arange(len(held))
    for question in asked:
        a, b = stored.ask(question), held.ask(question)
        want = b.shares(everywhere)
        np.testing.assert_allclose(a.shares(everywhere), want, atol=eps)
        some = everywhere[::7]
        np.testing.assert_allclose(a.shares(some), want[some], atol=eps)
        found, best = a.best(k), b.best(k)
        assert len(found) == len(best) == len(set(found.tolist()))
        np.testing.assert_allclose(want[found], want[best], atol=2 * eps)
        # where a new score begins
        clear = np.flatnonzero(np.diff(want[best], prepend=2, append=-1) < -2 * eps)
        for i, j in zip(clear, clear[1:]):
            assert {*found[i:j].tolist()} == {*best[i:j].tolist()}


def test_on_disk_the_best_and_the_shares_are_those_of_the_matrix(kb, questions):
    asked = [q.text for q in questions[::9]]
    disk = reopened(kb, memory_budget=0)  # its texts come from LanceDB, where its words go
    stored = word_index(disk, most=10)
    assert isinstance(stored, StoredWords) and len(stored) == len(kb)
    held = content(kb)
    odd = ['xyzzy', '?', '', "Robert'); DROP TABLE chunks; --", 'a AND NOT b:"c']
    assert_same_words(stored, held, [*asked, *odd])
    same = [(stored.ask(q).best(50).tolist(), held.ask(q).best(50).tolist()) for q in asked]
    assert np.mean([a == b for a, b in same]) > 0.9  # in the same order, but for ties
    alone = [stored.ask(q).best(50).tolist() for q in asked]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(lambda q: stored.ask(q).best(50).tolist(), asked))
    assert alone == at_once == [a for a, _ in same]
    assert stored.ask(asked[0]).best(None).tolist()[:50] == alone[0]
    words = ['methotrexate', 'the', 'xyzzy', 'water', 'AND', "'"]
    assert stored.counts(words).tolist() == held.counts(words).tolist()


@pytest.mark.parametrize('most', [10, 10**6], ids=['disk', 'memory'])
def test_it_follows_the_content_and_not_history(mine, questions, most):
    asked = [q.text for q in questions[::20]]

    def said(kb):
        words = word_index(kb, most=most)
        each = [words.ask(q) for q in asked]
        return [(m.shares(np.arange(len(kb))).tolist(), m.best(50).tolist()) for m in each]

    before = said(mine)
    mine.add([Document('zz.md', 'New', (Section('', 'Plavix and nothing else.'),))], progress=False)
    assert word_index(mine, most=most).ask('plavix').best(1).tolist() == [len(mine) - 1]
    assert_same_words(word_index(mine, most=most), content(mine), asked)
    mine.delete('zz.md')
    mine.table.optimize()
    assert said(mine) == said(reopened(mine)) == before
    assert len(tables(mine)) == (2 if most == 10 else 0)


def test_on_disk_words_outlive_two_changes_for_who_still_reads_them(mine, questions):
    asked = questions[0].text
    early = reopened(mine)
    want = word_index(early, most=10).ask(asked).best(9).tolist()
    for i in range(4):
        mine.add([Document(f'{i}.md', 'New', (Section('', f'Number {i}.'),))], progress=False)
        word_index(mine, most=10)
        if i < 2:
            assert word_index(early).ask(asked).best(9).tolist() == want
    assert len(tables(mine)) == 3


def tables(kb):
    return [n for n in lancedb.connect(kb.path).list_tables().tables if n.startswith('words-')]


def test_on_disk_a_table_without_its_index_is_made_again(mine, questions):
    want = word_index(mine, most=10).ask(questions[0].text).best(9).tolist()
    (name,) = tables(mine)
    table = lancedb.connect(mine.path).open_table(name)
    for index in table.list_indices():
        table.drop_index(index.name)
    again = reopened(mine)
    assert word_index(again, most=10).ask(questions[0].text).best(9).tolist() == want


def test_on_disk_ties_stand_in_order_whatever_the_number_asked_for(tmp_path):
    texts = ['same words here'] * 200 + ['same'] + ['other'] * 50
    stored = StoredWords(store_words(lancedb.connect(str(tmp_path)), 'words', texts))
    everything = stored.ask('same words').best(None).tolist()
    assert everything == [*range(200), 200]
    assert stored.ask('other').best(3).tolist() == [201, 202, 203]
    assert not stored.ask('elsewhere').shares([0, 1]).any() and stored.counts(['elsewhere']).tolist() == [0]
    held = index_words(texts)
    assert held.counts(['same', 'elsewhere']).tolist() == [201, 0]
    assert held.ask('same words').shares(np.arange(251)).max() == 1
    assert [batch['place'][0].as_py() for batch in _batches(texts, 100)] == [0, 100, 200]
    for k in (1, 3, 7, 50, 120, 199, 201, 400):
        assert stored.ask('same words').best(k).tolist() == everything[:k]


@pytest.mark.parametrize(
    'text,words',
    [
        ('每天一次。睡前服用。', ['每天', '天一', '一次', '睡前', '前服', '服用']),  # pairs
        ('กินยา 2 เม็ด', ['กิน', 'นย', 'ยา', '2', 'เม็', 'ม็ด']),  # pairs of letters with their signs
        ('ខ្មែរ', ['ខ្មែ', 'មែរ']),
        ('العربية دواء', ['العربية', 'دواء']),  # words
        ('العَرَبِيَّة', ['العَرَبِيَّة']),
        ('हिन्दी दवा', ['हिन्दी', 'दवा']),
        ('Ärzte ÄRZTE ﬁx medi-\ncation', ['ärzte', 'ärzte', 'fix', 'medication']),
        ('a_b-c', ['a', 'b', 'c']),
        ('10² ½Ⅷ 5㎡3', ['10', '2', '1', '2viii', '5m2', '3']),
    ],
)
def test_words_of_other_scripts(text, words, tmp_path):
    assert words_of(text) == words
    texts = [text, 'another text', text * 2]
    stored = StoredWords(store_words(lancedb.connect(str(tmp_path)), 'words', texts))
    shares = [each.ask(text).shares(np.arange(3)) for each in (stored, index_words(texts))]
    np.testing.assert_allclose(*shares, atol=1e-5)
