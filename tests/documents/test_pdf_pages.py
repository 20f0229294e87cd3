"A page of a PDF file is drawn within its limits, and a sentence is marked where it stands and nowhere else."

import io, re
from concurrent.futures import ThreadPoolExecutor
import matplotlib, pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from conflare_nb.documents.pdf_pages import _places, marked_rectangles, page_image

LINES = ['Keep the pen in a refriger-', 'ator, a well-', 'known rule, for 5-', '10 days.']
LINES.append('Twice. Twice.')
SENTENCE = 'Keep the pen in a refrigerator, a well-known rule, for 5-10 days.'


@pytest.fixture
def pen(tmp_path):
    "The lines on four pages of 400 by 300, each turned further by a quarter, and upright on each."
    canvas = Canvas(str(tmp_path / 'pen.pdf'), pagesize=(400, 300))
    for turn in (0, 90, 180, 270):
        canvas.setPageRotation(turn)
        canvas.translate(200, 150)
        canvas.rotate(turn)
        for number, line in enumerate(LINES):
            canvas.drawString(-140, 100 - 20 * number, line)
        canvas.showPage()
    canvas.save()
    return tmp_path / 'pen.pdf'


def drawn(path, page=1, width=400):
    return Image.open(io.BytesIO(page_image(path, page, width)))


def whole(boxes):
    lefts, tops, rights, bottoms = zip(*boxes)
    return min(lefts), min(tops), max(rights), max(bottoms)


@pytest.mark.parametrize('page', [1, 2, 3, 4])
def test_the_rectangles_hold_the_ink_of_the_sentence_however_the_page_is_turned(pen, page):
    boxes = marked_rectangles(pen, page, SENTENCE)
    assert len(boxes) == 4
    picture = drawn(pen, page, 1200)
    ink = picture.convert('L').point(lambda value: 255 * (value < 128))
    size = [*picture.size, *picture.size]
    for left, top, right, bottom in boxes:  # without them, only the fifth line is left
        corners = (left * size[0] - 3, top * size[1] - 3, right * size[0] + 3, bottom * size[1] + 3)
        ink.paste(0, tuple(map(round, corners)))
    last = marked_rectangles(pen, page, 'Twice. Twice.')
    left = [place / full for place, full in zip(ink.getbbox(), size)]
    assert left == pytest.approx(whole(last), abs=0.01)


def test_white_space_and_hyphens_at_line_ends_do_not_count(pen):
    one = marked_rectangles(pen, 1, SENTENCE)
    for text in ('\n'.join(LINES[:4]), ' '.join(LINES[:4]), SENTENCE.replace(' ', '\n ')):
        assert marked_rectangles(pen, 1, text) == one
    for text in ('Keep the pen', 'rule,', 'for 5-10 days', 'refrigerator'):
        assert marked_rectangles(pen, 1, text), text


@pytest.mark.parametrize(
    'text',
    ['keep the pen', 'Keep a pen', 'for 510 days', 'eep the pen', 'Keep the pe', 'Twice.', '', ' \n', '-', '.*', '\xad', 'day s, and more'],
)  # fmt: skip
def test_what_does_not_stand_there_once_is_not_marked(pen, text):
    assert marked_rectangles(pen, 1, text) == []


def test_a_number_is_not_found_in_another_one():
    page = '1.5 mg, 2,5 mg, 15 mg; at 7.\r\nUse 3. 4 x 1.250'
    for text in ('5 mg', '1.2', '1', '5', '2'):
        assert _places(page, text) == [], text
    for text in ('1.5 mg', '15 mg', 'at 7', 'Use 3', '4 x 1.250'):
        assert len(_places(page, text)) == 1, text


def test_hyphens_without_end_take_no_time():
    hyphens = '-\xad\x02\ufffe' * 3_000
    for page, text in [(hyphens, hyphens[:400] + '!'), ('a\x02' * 3_000, 'a-\n' * 300 + '!')]:
        assert _places(page, text) == []


@pytest.mark.skipif(matplotlib.__version_info__ < (3, 11), reason='it writes no text for rare characters')
def test_rare_characters_are_found(tmp_path):
    from matplotlib.figure import Figure

    figure = Figure()
    figure.text(0.1, 0.5, 'Let 𝔸 be naïve. ﬁne x²', family='DejaVu Sans')
    figure.savefig(tmp_path / 'a.pdf')
    whole_line = 'Let 𝔸 be naïve. fine x²'
    assert len(marked_rectangles(tmp_path / 'a.pdf', 1, whole_line)) >= 1
    for text in ('Let 𝔹 be', 'fine x2'):
        assert marked_rectangles(tmp_path / 'a.pdf', 1, text) == []


def test_a_page_that_is_not_there_and_a_file_that_is_broken(pen, tmp_path):
    for number in (0, -1, 5):
        for call in (lambda: page_image(pen, number), lambda: marked_rectangles(pen, number, 'x')):
            with pytest.raises(ValueError, match=f'pen.pdf has pages 1 to 4; got {number}'):
                call()
    with pytest.raises(FileNotFoundError):
        page_image(tmp_path / 'none.pdf', 1)
    raw = pen.read_bytes()
    for content in (b'', raw[: len(raw) // 3], b'no pdf', b'%PDF-1.4\n' + bytes(range(256))):
        (tmp_path / 'bad.pdf').write_bytes(content)
        with pytest.raises(ValueError, match='^bad.pdf: not a readable PDF'):
            page_image(tmp_path / 'bad.pdf', 1)
    assert drawn(pen).size == (400, 300)  # and the lock is free


@pytest.mark.parametrize(
    'box', ['0 0 1 100000', '0 0 100000 1', '0 0 1e30 1e30', '0 0 0 0', '0 0 nan inf', '9 9 -9 -9', '0 0 1e-9 1e-9']
)  # fmt: skip
def test_a_page_of_any_size_makes_a_picture_of_a_bounded_one(pen, tmp_path, box):
    old = b'/MediaBox [ 0 0 400 300 ]'
    new = pen.read_bytes().replace(old, b'/MediaBox [ %s ]' % box.encode())
    (tmp_path / 'box.pdf').write_bytes(new)
    width, height = drawn(tmp_path / 'box.pdf', width=1000).size
    assert 1 <= width <= 1001 and 1 <= height <= 6001  # a part of a pixel is one
    for box in marked_rectangles(tmp_path / 'box.pdf', 1, SENTENCE):
        assert all(0 <= share <= 1 for share in box)
    with pytest.raises(ValueError, match='1 to 4000 pixels wide; got 0'):
        page_image(pen, 1, 0)


def test_a_page_full_of_letters_is_not_searched(pen, monkeypatch):
    monkeypatch.setattr('conflare_nb.documents.pdf_pages._MOST_LETTERS', 50)
    with pytest.raises(ValueError, match=r'pen.pdf: a page is searched up to 50 characters; got \d+'):
        marked_rectangles(pen, 1, SENTENCE)


def test_many_threads_get_what_one_gets(pen):
    def work(number):
        page = number % 4 + 1
        return page_image(pen, page, 200), marked_rectangles(pen, page, SENTENCE)

    one = [work(number) for number in range(4)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(64))) == one * 16


def test_what_lies_outside_the_page_is_not_marked(pen, tmp_path):
    cut = re.sub(rb'/MediaBox \[ 0 0 400 300 \]', b'/MediaBox [ 0 100 400 225 ]', pen.read_bytes())
    (tmp_path / 'cut.pdf').write_bytes(cut)
    found = [len(marked_rectangles(tmp_path / 'cut.pdf', 1, ' '.join(LINES[n:4]))) for n in (0, 2)]
    assert found == [0, 2]
