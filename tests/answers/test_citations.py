"Quotations are named right: 250 planted ones of every kind, other marks, other scripts, and text that attacks the reader."

import re
from functools import cache
import numpy as np, pytest
from conflare_nb import sample_documents
from conflare_nb.answers.citations import check_citations
from conflare_nb.documents.cutting import sentence_spans

MARKS = ['"{}"', '“{}”', '«{}»', '„{}“', '\n> {}']
UNSEEN = ['zebra', 'quasar', 'Ödland', '97531']


@cache
def sections():
    "The texts of the guide's sections, and the sentences of each that are long enough."
    texts = [section.text for doc in sample_documents() for section in doc.sections]
    found = []
    for text in texts:
        spans = [text[a:b].strip() for a, b in sentence_spans(text)]
        whole = [s for s in spans if 8 <= len(s.split()) <= 30 and not re.search(r'["“”„«»\[\]>]', s)]
        if len(whole) >= 2:
            found.append((text, whole))
    return found


def quoted(rng, words, number):
    "Words in some quotation marks with a number behind."
    return MARKS[rng.integers(len(MARKS))].format(words) + f' [{number}]'


def near(rng, sentence):
    "The same words, written otherwise."
    ways = [sentence.upper(), sentence.title().replace(' ', '  ')]
    ways.append(re.sub(r'[,;:()]', '', sentence).swapcase())
    return ways[rng.integers(len(ways))]


def stitched(rng, first, second):
    "The beginning of one sentence and the end of another, three words or more of each."
    first, second = first.split(), second.split()
    return ' '.join(first[: rng.integers(4, len(first) - 1)] + second[rng.integers(2, len(second) - 4) :])


def fabricated(rng, sentence):
    "One word is another, anywhere."
    words = sentence.split()
    words[rng.integers(len(words))] = UNSEEN[rng.integers(len(UNSEEN))]
    return ' '.join(words)


def planted(kind, seed):
    "(a reply, its sources): one quotation of this kind."
    rng = np.random.default_rng([seed, len(kind)])
    known = sections()
    drawn = [known[i] for i in rng.choice(len(known), 4, replace=False)]
    sources = [text for text, _ in drawn]
    place = int(rng.integers(4))
    other = (place + 1 + int(rng.integers(3))) % 4
    sentence = rng.choice(drawn[place][1])
    again = rng.choice(drawn[other][1])
    if kind == 'verbatim':
        return quoted(rng, sentence, place + 1), sources
    if kind == 'near':
        return quoted(rng, near(rng, sentence), place + 1), sources
    if kind == 'stitched':
        return quoted(rng, stitched(rng, sentence, again), place + 1), sources
    if kind == 'miscited':
        return quoted(rng, sentence, [other + 1, 9][seed % 5 == 0]), sources
    return quoted(rng, fabricated(rng, sentence), place + 1), sources


@pytest.mark.parametrize('kind', ['verbatim', 'near', 'stitched', 'miscited', 'fabricated'])
def test_fifty_planted_ones_of_each_kind_are_named_right(kind):
    for seed in range(50):
        reply, sources = planted(kind, seed)
        found = check_citations(f'Before. {reply}\nAfter.', sources)
        assert [one.kind for one in found] == [kind], (seed, reply, found)


SOURCES = ['Do not take it with milk. Wait 1.5 hours.', '毎日二錠を飲んでください。Keep it cool.']


def kinds(reply, sources=SOURCES):
    return [one.kind for one in check_citations(reply, sources)]


def test_a_changed_number_or_a_lost_not_is_no_quotation():
    assert kinds('"Wait 15 hours" [1]') == ['fabricated']
    assert kinds('"Wait 1 5 hours" [1]') == ['fabricated']
    assert kinds('"Do take it with milk" [1]') == ['fabricated']
    assert kinds('"not take it with mil" [1]') == kinds('"ake it with milk" [1]') == ['fabricated']
    assert kinds('"Do not take it with hours" [1]') == ['fabricated']
    assert kinds('"take it with milk"') == ['verbatim']


def test_long_and_hostile_replies_end():
    quoted = '"' + 'it with milk ' * 3_000 + '" [1]'
    for text in ('"' * 20_000, '[1]' * 20_000, '“a ' * 20_000, '>' * 20_000, quoted):
        check_citations(text, SOURCES * 20)
