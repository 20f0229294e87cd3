"Headings of PDF pages by their looks, in files of several programs; and how a page is cited."

import pytest
from reportlab.pdfgen.canvas import Canvas
from conflare_nb import read_folder
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.reading import read_document

pytest.importorskip('reportlab')


def body(number):
    return (
        f'Paragraph {number} speaks about rule {number * 7}, and of a gate that nobody leaves open. '
        'It fills more than one line, so that most letters of the file look like this. '
    )


def story(path, parts, running='', title=None):
    "A PDF file of (style, text) parts; a list is a table, None begins a page."
    from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

    styles = dict(getSampleStyleSheet().byName)
    styles['Bold'] = ParagraphStyle('Bold', parent=styles['BodyText'], fontName='Helvetica-Bold')
    bold_head = [('FONTNAME', (0, 0), (-1, 0), 'Helvetica-Bold')]

    def flowable(part):
        if part is None:
            return PageBreak()
        if isinstance(part, list):
            return Table(part, style=bold_head)
        return Paragraph(part[1], styles[part[0]])

    def draw(canvas, doc):
        canvas.setFont('Helvetica-Bold', 14)
        canvas.drawString(72, 800, running.format(doc.page))

    made = SimpleDocTemplate(str(path), title=title)
    made.build([flowable(part) for part in parts], onFirstPage=draw, onLaterPages=draw)
    return path


def headings(path):
    return [(s.page, s.heading) for s in read_document(path).sections]


TEXT = [('BodyText', body(i)) for i in range(9)]
PRICES = [['Day', 'Price'], ['Monday', '12'], ['Tuesday', '14']]
CASES = dict(
    larger=(
        [('Heading1', 'House'), ('Heading2', 'Desk'), TEXT[0], ('Heading2', 'Lift'), TEXT[1]],
        [(1, 'House > Desk'), (1, 'House > Lift')],
    ),
    goes_on=(
        [('Heading1', 'Desk'), TEXT[0], None, TEXT[1], ('Heading1', 'Lift'), TEXT[2]],
        [(1, 'Desk'), (2, 'Desk'), (2, 'Lift')],
    ),
    bold=(
        [('Bold', 'Lost keys'), TEXT[0], ('Bold', '2. Found keys'), TEXT[1]],
        [(1, 'Lost keys'), (1, '2. Found keys')],
    ),
    goes_on_plain=([TEXT[0], ('BodyText', f'<b>{body(1)[:100]}</b> {body(2)}'), TEXT[2]], [(1, '')]),
    a_sentence=([TEXT[0], ('Bold', 'Never leave the gate open.'), TEXT[1]], [(1, '')]),
    words_in_bold=([('BodyText', f'<b>Note:</b> {body(1)}'), *TEXT[:3]], [(1, '')]),
    a_table=([('Heading1', 'Prices'), TEXT[0], PRICES, TEXT[1]], [(1, 'Prices')]),
    plain=(TEXT, [(1, '')]),
    numbers=([TEXT[0], ('Heading1', '12'), TEXT[1]], [(1, '')]),
)


@pytest.mark.parametrize('parts, found', CASES.values(), ids=CASES)
def test_headings_are_seen(tmp_path, parts, found):
    assert headings(story(tmp_path / 'a.pdf', parts)) == found


def test_a_running_title_is_none(tmp_path):
    pages = [part for i in range(4) for part in (('Heading2', f'Part {i}'), TEXT[i], None)]
    found = headings(story(tmp_path / 'a.pdf', pages, running='The handbook'))
    assert found == [(1, ''), *[(i + 1, f'Part {i}') for i in range(4)]]
    named = [part for text in TEXT[:4] for part in (text, None)]
    found = headings(story(tmp_path / 'b.pdf', named, running='Unit {}: pens'))
    assert found == [(i, f'Unit {i}: pens') for i in (1, 2, 3, 4)]


def test_a_matrix_may_do_the_scaling(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'))
    for y, size, text in ((780, 14, 'Desk'), (760, 9, body(1)[:80]), (748, 9, body(2)[:80])):
        drawn = canvas.beginText()
        drawn.setFont('Helvetica', 1)
        drawn.setTextTransform(size, 0, 0, size, 50, y)
        drawn.textOut(text)
        canvas.drawText(drawn)
    canvas.save()
    assert headings(tmp_path / 'a.pdf') == [(1, 'Desk')]


def drawn(path, *pages):
    "A PDF file of pages of (x, y, text) lines."
    canvas = Canvas(str(path))
    for lines in pages:
        for line in lines:
            canvas.drawString(*line)
        canvas.showPage()
    canvas.save()
    return read_document(path)


@pytest.mark.filterwarnings('ignore')
def test_a_line_goes_only_in_the_margin(tmp_path):
    pens = [[(72, 780, f'{colour} pen'), (72, 765, 'Price: 12 euros'), (72, 400, colour), (72, 30, f'{n} of 5')]
            for n, colour in enumerate(['Blue', 'Red', 'Green', 'Black', 'White'], 1)]  # fmt: skip
    texts = [section.text for section in drawn(tmp_path / 'a.pdf', *pens).sections]
    assert all('Price: 12 euros' in text for text in texts)
    assert ['of 5' in text for text in texts] == [True, *[False] * 4]


def test_a_raised_figure_stays_raised(tmp_path):
    said = 'Take 5<super>1</super> mg, or 10<super>6</super> cells of 9<super>2</super> and log<sub>2</sub>8.'
    parts = [('BodyText', said), ('BodyText', '<super>1</super>With water.')]
    (section,) = read_document(story(tmp_path / 'a.pdf', parts)).sections
    assert section.text == 'Take 5 [1] mg, or 10⁶ cells of 9² and log₂8.\n[1] With water.'


def test_columns_are_read_downwards(tmp_path):
    lines = [(x, 700 - 14 * n, f'The {side} line {n} goes on for a while') for n in range(4) for x, side in ((72, 'left'), (320, 'right'))]  # fmt: skip
    (section,) = drawn(tmp_path / 'a.pdf', lines).sections
    assert [line.split()[1] for line in section.text.splitlines()] == ['left'] * 4 + ['right'] * 4


def test_what_is_filled_in_is_read(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'))
    canvas.drawString(72, 700, 'Name:')
    canvas.acroForm.textfield(name='n', value='Anna Berg', x=120, y=695, width=200, height=18)
    canvas.acroForm.checkbox(name='c', tooltip='Diabetes', checked=True, x=72, y=600)
    canvas.textAnnotation('Came in May', Rect=[72, 500, 90, 520])
    canvas.save()
    (section,) = read_document(tmp_path / 'a.pdf').sections
    assert section.text == 'Name: Anna Berg\nDiabetes: [Yes]\nComment: Came in May'


def test_no_word_is_lost(tmp_path):
    for parts, _ in CASES.values():
        doc = read_document(story(tmp_path / 'a.pdf', parts))
        said = ' '.join(f'{s.heading} {s.text}' for s in doc.sections).split()
        texts = [cell for part in parts if isinstance(part, list) for row in part for cell in row]
        told = [part[1] for part in parts if type(part) is tuple]
        texts += [text.replace('<b>', '').replace('</b>', '') for text in told]
        assert not set(' '.join(texts).split()) - set(said)


NO_TITLES = [None, '(anonymous)', 'Microsoft Word - draft 3.doc', 'untitled', 'letter.tex']


@pytest.mark.parametrize('title, named', [*((t, 'a.pdf') for t in NO_TITLES), ('The house', 'a.pdf (The house)')])
def test_a_source_is_a_file_and_a_page(tmp_path, title, named):
    story(tmp_path / 'a.pdf', [('Heading1', 'Desk'), TEXT[0]], title=title)
    (doc,) = read_folder(tmp_path)
    (section,) = doc.sections
    chunk = Chunk('1', doc.path, doc.title, section.heading, section.page)
    assert chunk.source == f'{named}, Desk › page 1'


def test_without_a_title_the_file_is_named():
    assert Chunk('1', 'sub/notes.txt', 'notes').source == 'sub/notes.txt'
    assert Chunk('1', 'pen.md', 'The pen', 'Storage').source == 'The pen, Storage'
    assert Chunk('1', text='Alone.').source == ''
