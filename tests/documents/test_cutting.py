"No character of a document is lost on the way into chunks, and no chunk is over its budget."

from dataclasses import replace
import pytest
from hypothesis import given, strategies as st
from conflare_nb.documents.reading import Document, Section
from conflare_nb.documents.cutting import chunk_document, header, sentence_spans
from random_texts import name, prop, solid, text, words


def within(part, whole):  # is part what remains of whole when characters are left out?
    rest = iter(whole)
    return all(c in rest for c in part)


document = st.builds(
    lambda title, parts: Document('d.md', title, tuple(Section(h, t, None) for h, t in parts)),
    st.one_of(st.just(''), name),
    st.lists(st.tuples(st.one_of(st.just(''), name), text), max_size=4),
)


def characters(texts):
    return [len(t) for t in texts]


def octets(texts):
    return [len(t.encode()) for t in texts]  # a single character can be over a budget of these


def check(doc, count, spare, overlap):
    "Everything that is promised of the chunks; spare = tokens beside the longest header."
    heads = count([header(doc.title, s.heading) for s in doc.sections]) if doc.sections else []
    budget = spare + max(heads, default=0)
    chunks = chunk_document(doc, count, budget, overlap)
    whole, parts = (''.join(solid(x.text) for x in texts) for texts in (doc.sections, chunks))
    assert within(whole, parts) if overlap else whole == parts
    assert [c.id for c in chunks] == [f'd.md#{i:04d}' for i in range(len(chunks))]
    for c in chunks:
        assert c.text.strip()
        assert doc.text[c.start : c.start + len(c.text)] == c.text
        assert any(c.text in s.text and c.heading == s.heading for s in doc.sections)
    assert [c.tokens for c in chunks] == count([c.text for c in chunks])
    embedded = count([header(c.title, c.heading) + c.text for c in chunks])
    assert all(n <= budget or len(c.text) == 1 for n, c in zip(embedded, chunks))
    return chunks


overlaps = st.sampled_from([0, 0, 1, 2, 5])


@pytest.mark.parametrize('count', [words, characters, octets])
@prop
@given(document, st.integers(1, 60), overlaps)
def test_nothing_is_lost_and_no_chunk_is_over_the_budget(count, doc, spare, overlap):
    check(doc, count, spare, overlap)


SHAPES = {
    'empty': '', 'spaces': ' \n\t ', 'one line': 'Take one tablet', 'one word': 'a' * 20_000,
    'one long line': 'word ' * 2_000, 'lower case': 'take it. ' * 2_000, 'dots': '.' * 5_000,
    'spread dots': '. ' * 2_000, 'CJK': '每天一次。' * 500, 'no ends': '每天一次' * 500,
    'emoji': '👩🏽\u200d⚕️' * 500, 'accents': 'e\u0301' * 2_000,
}  # fmt: skip


@pytest.mark.parametrize('shape', SHAPES)
def test_shapes_of_text(shape, embedder):
    doc = Document('d.md', 'Title', (Section('', SHAPES[shape]),))
    for count in (words, characters, embedder.count_tokens):
        assert bool(check(doc, count, 50, 1)) == bool(SHAPES[shape].strip())


def test_chunks_end_where_sentences_do_and_begin_with_the_last_ones_before():
    doc = Document('d.md', '', (Section('', 'One two. Three four five! Six? Seven eight.'),))
    for overlap, texts in (
        (0, ['One two. Three four five!', 'Six? Seven eight.']),
        (1, ['One two. Three four five!', 'Three four five! Six?', 'Six? Seven eight.']),
    ):
        chunks = chunk_document(doc, words, 5, overlap)
        assert [c.text for c in chunks] == texts


# --- where sentences end: each list is joined and has to fall apart again
SENTENCES = {
    'titles': 'Dr. Hill met Prof. Vogt.|Mrs. Lee and Mr. Oz came too.',
    'examples': 'Avoid dairy, e.g. Milk or Yoghurt.|Take it at night, i.e. Before bed.',
    'a saint': "Take St. John's wort apart from it.|Ask at St. Mary.",
    'numbers': 'See No. 5 in the table.|Also see Nos. 6 and 7.',
    'no': 'Is it safe?|No.|Ask first.|May I drive?|No.',
    'doses': 'Take 2.5 mg twice daily.|After 7 days take 5.0 mg.|The limit is 4.|Do not exceed it.',
    'leading point': 'The dose is .5 mg.|Never give .75 mg.',
    'units': 'Take 5 mg.|Then wait approx. 20 min.|That is max. 4 spoons.',
    'initials': 'It was found by J. R. Smith in 1928.|He named it.',
    'quotes': 'He said “Stop.”|She did.|Ask "Is it safe?" and wait.|Then go.',
    'ellipses': 'Wait… and see.|It may pass…|Wait ... then try again.|Or not.',
    'many marks': 'Really?!|Yes!!!|Good.',
    'small letters': 'is it safe?|yes!|take it',
    'brackets': 'Take one (two if severe).|(Ask first.)|Rest.',
    'others': 'Vogt et al. Showed it in 2019.|We compared A vs. B in adults.|It rises (cf. Fig. 3).|See eq. 2.',
    'hours': 'Take it at 8 a.m. with water.|Again at 8 p.m. with food.',
    'numbered list': '1. Wash your hands.|2. Turn the dial.|10. Push.',
    'bullets': '- Wash hands.|- Dry them.',
    'months': 'Made on Jan. 5 in Basel.|It keeps until Dec. 2027.|It is sown in Sept.|The rest follows.',
    'versions': 'See www.who.int for pump 3.1.2.|Pump 3.1 is not there.',
    'Chinese': '每日2.5毫克。|不要嚼碎！|可以吗？|他说：“停。”|可以。', 'Japanese': '食後に飲む。|「水で。」|飲んでください。',
    'Arabic': 'هل هو آمن؟|نعم، إنه آمن.|خذه مع الماء.', 'Urdu': 'یہ دوا ہے۔|پانی کے ساتھ لیں۔',
    'Hindi': 'दवा खाने के बाद लें।|पानी पिएं।|क्या यह ठीक है?', 'Armenian': 'Սա դեղ է։|Ջրով խմեք։',
    'Ethiopic': 'ይህ መድኃኒት ነው።|በውሃ ይውሰዱ።', 'Burmese': 'ဆေးသောက်ပါ။|ရေသောက်ပါ။',
    'dates': 'Am 3. Mai geht es los.|Bis zum 24. Dezember ist offen.|Es sind 12.|Mehr nicht.',
    'articles': 'Nach Art. 5 Abs. 2 ist das verboten.|Siehe Nr. 7 und Ziff. 3.|Das ist Art.|So nicht.',
    'dotted': 'The U.S. Army paid 5 dollars.|Ask Ph.D. Lee at 5 p.m. Monday.|We left the U.S.|The rest stayed.|Acme Inc. Berlin sells it.',
    'guillemets': 'Er sagt: «Halt.»|Dann geht er.|« Stop ! »|Elle part.|Er sagt: »Halt.«|Dann „Geh.“|So.',
    'code': 'Read on.|Run this:\n\n```\n# install. It\n\npip install x. Then y\n```|~~~\na. B\n~~~|Then go.',
    'notes': 'It keeps 28 days. [1]|Sold in May.[2] [3]|Is it safe? [a]|Yes.¹|See [4].|[Or not.]',
    'rows': 'Model: HB-5; Note: Keep it. Wash it.|Model: HB-7; Note: No. Not.',
    'German': 'Nehmen Sie z. B. Milch.|Das ist ca. 1 Glas, d. h. 200 ml.',
    'paragraphs': 'Storage|Keep it cold',
    'where it errs it joins': 'Take vitamin C. Eat fruit.', 'it joins': 'See fig. Then go on.',
}  # fmt: skip
JOINED = dict.fromkeys(('Chinese', 'Japanese'), '') | dict.fromkeys(('numbered list', 'bullets', 'code'), '\n')
JOINED |= dict.fromkeys(('paragraphs', 'rows'), '\n\n')


@pytest.mark.parametrize('name', SENTENCES)
def test_sentences_end_where_a_reader_says(name):
    want = SENTENCES[name].split('|')
    whole = JOINED.get(name, ' ').join(want)
    assert [whole[a:b].strip() for a, b in sentence_spans(whole)] == want


def test_the_chunks_of_the_guide_are_those_that_the_stored_samples_were_drawn_from(kb):
    assert kb.fingerprint()['chunks'] == '077c6f0916ce09be'


def test_sentences_that_are_longer_together_than_one_by_one():
    "A counter need not add up: what counts is the chunk as a whole."

    def squares(texts):
        return [len(text.split()) ** 2 for text in texts]

    text = ' '.join(f'Sentence {i} has five words.' for i in range(9))
    doc = Document('a.md', '', (Section('', text),))
    chunks = chunk_document(doc, squares, 110, 0)
    assert max(chunk.tokens for chunk in chunks) == 100 and len(chunks) == 5


def test_a_part_of_a_chunk_knows_its_place():
    doc = Document('d.md', 'Title', (Section('H', 'One. ', 3), Section('I', 'Two words. Three more words.', 4)))
    *_, chunk = chunk_document(doc, words, 50)
    part = chunk.location(4, 9)
    assert (part['cited_text'], part['type']) == ('words', 'page_location')
    assert doc.text[part['start_char_index'] : part['end_char_index']] == 'words'
    assert (part['start_page_number'], part['end_page_number']) == (4, 5)  # the end is the next one
    assert chunk.place == 'I › page 4' and chunk.source == 'd.md (Title), I › page 4'
    assert replace(chunk, title='d').source == 'd.md, I › page 4'
    assert chunk.prompt_line == 'Title, I. Two words. Three more words.'
    assert header(' A ', 'A') == 'A\n' and len(header('a' * 300, 'b')) == 201


def test_the_budget_leaves_room_for_one_token_and_for_what_comes_next():
    doc = Document('d.md', 'Title', (Section('', 'One. Two.'),))
    assert len(chunk_document(doc, words, 2, 0)) == 2  # the title is one token
    with pytest.raises(ValueError, match="has 0 of 1 tokens left under ''"):
        chunk_document(doc, words, 1)
    with pytest.raises(ValueError, match='cannot be negative; got -1'):
        chunk_document(doc, words, 9, -1)
    text = 'aa bb cc. Dd ee. Ff gg hh ii jj. Kk.'  # "Dd ee." and the next one are seven words
    for budget, begins in ((5, ['aa', 'Ff', 'Kk']), (7, ['aa', 'Dd', 'Ff'])):
        chunks = chunk_document(Document('d.md', '', (Section('', text),)), words, budget, 1)
        assert [c.text[: len(b)] for c, b in zip(chunks, begins)] == begins
