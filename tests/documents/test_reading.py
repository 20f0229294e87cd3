"No character of a document is lost on the way into chunks, and no chunk is over its budget; files of every kind, whole, broken and hostile."
import re, tempfile, warnings
from pathlib import Path
import pytest
from hypothesis import given, settings, strategies as st
from conflare_nb.documents.reading import Document, Section, read_document, read_folder
from conflare_nb.documents.cutting import chunk_document, header

pytest_plugins = ['kb_fixtures']

def solid(text): return re.sub(r'\s', '', text)     # without white space

def within(part, whole): # is part what remains of whole when characters are left out?
    rest = iter(whole)
    return all(c in rest for c in part)

# --- random documents

WORDS = ['take', 'It', 'Dr', 'e.g', 'i.e', 'No', '3.5', 'mg/day', 'x', '每天', '一次', '不要空腹服用', 'تناول', 'الدواء', 'दवा', 'e\u0301', 'n\u0303o', 'Z\u0335\u0321a\u0337lgo',
         '👩🏽\u200d⚕️', '💊', '🇬🇧', "it's", '(see', 'below)', '“Stop!”', '•', '\u00a0', '\u200b', '\x0c', '<b>', '{x}', '$100']
ENDS = [' ', ' ', ' ', '. ', '? ', '!) ', '… ', '。', '」', '！', '؟ ', '।', '\n', '\n\n', '\n \n', '\t', '  ', ', ', '']
word = st.one_of(st.sampled_from(WORDS), st.builds(lambda c, n: c*n, st.sampled_from(['a', '字', 'é', '!', '.', '💊']), st.integers(100, 400)))
text = st.lists(st.tuples(word, st.sampled_from(ENDS)), max_size=30).map(lambda pairs: ''.join(w+e for w,e in pairs))
name = st.lists(st.sampled_from(['Dose', 'Storage', 'C#', '剂量', 'Side effects', '💊', '->', '*both*']), min_size=1, max_size=3).map(' '.join)
document = st.builds(lambda title, parts: Document('d.md', title, tuple(Section(h, t, None) for h,t in parts)),
                     st.one_of(st.just(''), name), st.lists(st.tuples(st.one_of(st.just(''), name), text), max_size=4))

def words(texts): return [len(t.split()) for t in texts]
def characters(texts): return [len(t) for t in texts]
def octets(texts): return [len(t.encode()) for t in texts]     # a single character can be over a budget of these

def check(doc, count, spare, overlap, with_header): # everything that is promised of the chunks; spare = tokens beside the longest header
    heads = count([header(doc.title, s.heading) for s in doc.sections]) if doc.sections else []
    budget = spare + (max(heads, default=0) if with_header else 0)
    chunks = chunk_document(doc, count, budget, overlap, with_header)
    whole, parts = ''.join(solid(s.text) for s in doc.sections), ''.join(solid(c.text) for c in chunks)
    assert within(whole, parts) if overlap else whole == parts
    assert [c.id for c in chunks] == [f'd.md#{i:04d}' for i in range(len(chunks))]
    assert all(c.text.strip() and any(c.text in s.text and c.heading == s.heading for s in doc.sections) for c in chunks)
    assert [c.tokens for c in chunks] == count([c.text for c in chunks])
    embedded = count([(header(c.title, c.heading) if with_header else '') + c.text for c in chunks])
    assert all(n <= budget or len(c.text)==1 for n,c in zip(embedded, chunks))
    return chunks

prop = settings(derandomize=True, deadline=None, max_examples=100)
overlaps = st.sampled_from([0, 0, 1, 2, 5])

@pytest.mark.parametrize('count', [words, characters, octets])
@prop
@given(document, st.integers(1, 60), overlaps, st.booleans())
def test_nothing_is_lost_and_no_chunk_is_over_the_budget(count, doc, spare, overlap, with_header): check(doc, count, spare, overlap, with_header)

@settings(prop, max_examples=25)
@given(document, st.integers(1, 60), overlaps)
def test_the_same_with_the_tokens_of_the_model(embedder, doc, spare, overlap): check(doc, embedder.count_tokens, spare, overlap, True)

SHAPES = {'empty': '', 'spaces': ' \n\t ', 'one line': 'Take one tablet', 'one word': 'a'*20_000, 'one long line': 'word '*2_000, 'lower case': 'take it. '*2_000,
          'dots': '.'*5_000, 'spread dots': '. '*2_000, 'CJK': '每天一次。'*500, 'no ends': '每天一次'*500, 'emoji': '👩🏽\u200d⚕️'*500, 'accents': 'e\u0301'*2_000}

@pytest.mark.parametrize('shape', SHAPES)
def test_shapes_of_text(shape, embedder):
    doc = Document('d.md', 'Title', (Section('', SHAPES[shape]),))
    for count in (words, characters, embedder.count_tokens): assert bool(check(doc, count, 50, 1, True)) == bool(SHAPES[shape].strip())

def test_chunks_end_where_sentences_do():
    doc = Document('d.md', '', (Section('', 'One two. Three four five! Six? Seven eight.'),))
    assert [c.text for c in chunk_document(doc, words, 5, overlap=0)] == ['One two. Three four five!', 'Six? Seven eight.']
    assert [c.text for c in chunk_document(doc, words, 5, overlap=1)] == ['One two. Three four five!', 'Three four five! Six?', 'Six? Seven eight.']

def test_a_header_without_room_for_text_is_an_error():
    doc = Document('d.md', 'A title of five words', (Section('Dose', 'One.'),))
    with pytest.raises(ValueError, match="d.md has 0 of 7 tokens left under 'Dose'"): chunk_document(doc, words, budget=7)
    assert len(chunk_document(doc, words, budget=8)) == len(chunk_document(doc, words, budget=1, with_header=False)) == 1
    with pytest.raises(ValueError, match='overlap .* got -1'): chunk_document(doc, words, overlap=-1)

# --- Markdown

@prop
@given(st.lists(st.tuples(st.integers(1, 6), name, text), min_size=1, max_size=6), text, st.sampled_from(['\n', '\r\n', '\r']), st.booleans())
def test_markdown_keeps_every_heading_and_every_text(parts, intro, eol, titled):
    md = ('---\ntitle: Known\nkey: value\n---\n' if titled else '') + '\n'.join([intro, *(f'{"#"*l} {h}\n{t}' for l,h,t in parts)])
    with tempfile.TemporaryDirectory() as d:
        (Path(d)/'d.md').write_bytes(md.replace('\n', eol).encode())
        doc = read_document(Path(d)/'d.md')
    alone = [s for s in doc.sections if s.heading.endswith(s.text) and s.text in [h for _,h,_ in parts]]     # nothing but a heading
    assert [solid(s.text) for s in doc.sections if s not in alone] == [t for t in map(solid, [intro, *(t for *_,t in parts)]) if t]
    assert all(h in [doc.title, *(x for s in doc.sections for x in (s.heading, *s.heading.split(' > ')))] for _,h,_ in parts)
    assert not titled or (doc.title, doc.meta) == ('Known', {'title': 'Known', 'key': 'value'})

def read(tmp_path, content, name='d.md'):
    (tmp_path/name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(tmp_path/name)

def outline(doc): return doc.title, [(s.heading, s.text) for s in doc.sections]

def test_headings(tmp_path):
    md = '# Guide\nIntro\n## Notes on C# ##\n### Deep\nText\n# Alone\n```\n# code\n```\n####### seven\n#no\n## F#\n'
    assert outline(read(tmp_path, md)) == ('Guide', [('', 'Intro'), ('Notes on C# > Deep', 'Text'), ('Alone', '```\n# code\n```\n####### seven\n#no'), ('Alone > F#', 'F#')])
    assert outline(read(tmp_path, '# Only')) == ('Only', [('Only', 'Only')])
    assert outline(read(tmp_path, '')) == ('d', [])

def test_hostile_text_is_read_in_time(tmp_path):
    "Each of these would take minutes where the work grows with the square of the length, or its cube."
    assert read(tmp_path, f'# a{" "*20_000}b').title == f'a{" "*20_000}b'
    for t in ('?!'*50_000, 'no. '*50_000, ('.'*50+' ')*2_000, '\n '*50_000+'x', '"'*50_000, '---\n'+'a:b\n'*20_000):
        doc = read(tmp_path, t, 'd.txt')
        assert ''.join(solid(c.text) for c in chunk_document(doc, words, 200, overlap=0)) == solid(t)
    assert read(tmp_path, '<div>x'*5_000, 'd.html').sections[0].text.split() == ['x']*5_000
    assert read(tmp_path, '<h2>x'*5_000, 'd.html').sections[0].heading.split() == ['x']*5_000

# --- HTML

def test_html(tmp_path):
    page = '''<!doctype html><html><head><title>The &lt;guide&gt;</title><style>p {color: red}</style><script>var secret</script></head><body>
        <p>Before</p><h1>Pens &amp; caps</h1><p>Keep <b>co</b>ld,<br>caf&eacute; &#128138;</p><script type="text/plain">secret</script><!-- secret -->
        <h2>Doses</h2><h3>Adults</h3><table><tr><td>One</td><td>two</td></tr></table><template>secret</template><pre>a
  b</pre><h2>Alone</h2></body></html>'''
    doc = read(tmp_path, page, 'd.html')
    assert doc.title == 'The <guide>' and 'secret' not in repr(doc) and 'color' not in repr(doc)
    assert [(h, t.split()) for h,t in outline(doc)[1]] == [('', ['Before']), ('Pens & caps', ['Keep', 'cold,', 'café', '💊']),
        ('Pens & caps > Doses > Adults', ['One', 'two', 'a', 'b']), ('Pens & caps > Alone', ['Alone'])]

def test_hostile_html_is_plain_data(tmp_path):
    page = '''<h2 onclick="x()">H<script>bad()</script><i>ead</i></h2><img src=x onerror=bad()>&lt;script&gt;alert(1)&lt;/script&gt;<p>{{7*7}} ${x} %s <svg><style>bad</style></svg>
        </div></p></body><unknown>kept</unknown><p>unclosed'''
    doc = read(tmp_path, page, 'd.htm')
    assert [s.heading for s in doc.sections] == ['H ead'] and 'bad' not in repr(doc)
    assert doc.sections[0].text.split() == ['<script>alert(1)</script>', '{{7*7}}', '${x}', '%s', 'kept', 'unclosed']

@settings(prop, max_examples=50)
@given(st.text(alphabet='<>/!-hp123 ab"\'=&;\n', max_size=80))
def test_any_markup_is_read(markup):
    with tempfile.TemporaryDirectory() as d: read(Path(d), markup, 'd.html')

# --- text files

@pytest.mark.parametrize('codec', ['utf-8', 'utf-8-sig', 'utf-16', 'cp1252'])
def test_text_in_every_encoding(tmp_path, codec):
    assert outline(read(tmp_path, '“naïve” café – 5 €\r\nÜber\rend'.encode(codec), 'd.txt')) == ('d', [('', '“naïve” café – 5 €\nÜber\nend')])

def test_bytes_that_are_no_text_are_read_too(tmp_path):
    raw = bytes(range(256))*4
    assert len(read(tmp_path, raw, 'd.txt').sections[0].text) == len(raw)
    assert read(tmp_path, b'\xff\xfea', 'd.txt').sections[0].text == '\N{REPLACEMENT CHARACTER}'

def test_files_that_are_not_read(tmp_path):
    with pytest.raises(ValueError, match=r"d.docx: files of type .md .* are read; got '.docx'"): read(tmp_path, 'x', 'd.docx')
    with pytest.raises(FileNotFoundError, match='no such file'): read_document(tmp_path/'none.md')
    with pytest.raises(FileNotFoundError, match='no such folder'): read_folder(tmp_path/'none')

# --- PDF

def pdf(path, *pages, **kw): # a text for each page; None = a picture without text
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.lib.utils import ImageReader
    from PIL import Image
    c = Canvas(str(path), **kw)
    for p in pages:
        if p is None: c.drawImage(ImageReader(Image.new('RGB', (60, 20), 'gray')), 100, 500)
        else: c.drawString(100, 500, p)
        c.showPage()
    c.save()
    return path

def test_pdf_pages_keep_their_text_and_number(tmp_path):
    doc = read_document(pdf(tmp_path/'d.pdf', 'Keep it cold.', 'Not frozen.'))
    assert [(s.page, s.text.strip()) for s in doc.sections] == [(1, 'Keep it cold.'), (2, 'Not frozen.')]
    assert [(c.id, c.page) for c in chunk_document(doc, words)] == [('d.pdf#0000', 1), ('d.pdf#0001', 2)]

def test_pdf_pages_without_text_are_named(tmp_path):
    with pytest.warns(UserWarning, match=r'd.pdf: no text on page\(s\) 2, 4;'): doc = read_document(pdf(tmp_path/'d.pdf', 'One', None, 'Three', None))
    assert [s.page for s in doc.sections] == [1, 3]
    with pytest.raises(ValueError, match=r'scan.pdf: no text in its 2 page\(s\), probably a scan'): read_document(pdf(tmp_path/'scan.pdf', None, None))

@pytest.mark.filterwarnings('ignore')
def test_pdf_that_cannot_be_read_is_named(tmp_path):
    whole = pdf(tmp_path/'d.pdf', 'Keep it cold.').read_bytes()
    pdf(tmp_path/'locked.pdf', 'Secret', encrypt='password')
    for name, raw in {'empty': b'', 'cut': whole[:len(whole)//3], 'noise': b'%PDF-1.4\n'+bytes(range(256)), 'text': b'no pdf at all'}.items(): (tmp_path/f'{name}.pdf').write_bytes(raw)
    for name in ('locked', 'empty', 'cut', 'noise', 'text'):
        with pytest.raises(ValueError, match=rf'^{name}\.pdf: (not a readable PDF|no text in its)'): read_document(tmp_path/f'{name}.pdf')

# --- folders

def test_a_folder_is_read_in_order_without_its_hidden_files(tmp_path):
    for f in ('b.md', 'a/z.txt', 'a/Y.MD', '.hidden.md', '.git/x.md', 'a/.cache/x.txt', 'c.png', 'ü/日本.md'):
        (tmp_path/f).parent.mkdir(exist_ok=True); (tmp_path/f).write_text(f'Text of {f}', encoding='utf-8')
    docs = read_folder(tmp_path)
    assert [d.path for d in docs] == ['a/Y.MD', 'a/z.txt', 'b.md', 'ü/日本.md']
    assert [d.sections[0].text for d in docs] == [f'Text of {d.path}' for d in docs]

def test_a_bad_file_is_named_and_the_others_are_read(tmp_path):
    (tmp_path/'good.md').write_text('Good.'); (tmp_path/'sub').mkdir(); (tmp_path/'sub/bad.pdf').write_bytes(b'%PDF-1.4 cut')
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        assert [d.path for d in read_folder(tmp_path)] == ['good.md']
    assert [str(w.message).split(':')[0] for w in said if w.category is UserWarning] == ['sub/bad.pdf']
    with pytest.raises(ValueError, match='^sub/bad.pdf: not a readable PDF'): read_folder(tmp_path, strict=True)

def test_a_folder_without_text_is_an_error(tmp_path):
    with pytest.raises(ValueError, match='no text found in'): read_folder(tmp_path)
    (tmp_path/'empty.md').write_text(' \n')
    with pytest.raises(ValueError, match='no text found in'): read_folder(tmp_path)
