"The page of a served folder in a real browser: asked by keyboard, slid, opened, dropped on."

import re
import pytest
from hostile import TEXTS
from served_folder import FERRY, ask_in_other_words, calibrated, serving, write_pdf
from web import DRAWN, serious

expect = pytest.importorskip('playwright.sync_api').expect
HOSTILE = '<img src=x onerror="window.hacked=1">'
# no slash: it is a file's name
NAME = f'{HOSTILE} & \u202e"x".md'
EVIL = f"# {HOSTILE}\n## <script>window.hacked=1</script>\nHamsters eat <b>hay</b> {HOSTILE} every day.\n".replace(
    '<', '&lt;'
)
VAULT = f'# Vault\nOpen the **vault** with this command:\n```html\nvault --open\n  {HOSTILE}\n```\nThen [go](https://evil.example/).\n'
PENS = 'How long does an opened pen keep?'


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    notes = '\n\n'.join(text for text in (*TEXTS[:60], *TEXTS[240:250]) if '\ud83d' not in text)
    more = {NAME: EVIL, 'vault.md': VAULT, 'notes.txt': notes}
    docs = tmp_path_factory.mktemp('page') / 'Our papers'
    folder = calibrated(docs, more)
    write_pdf(docs / 'ferry.pdf', 'A first page about nothing.', FERRY)
    return folder


@pytest.fixture(scope='module')
def address(folder):
    with serving(folder) as address:
        yield address


@pytest.fixture
def open_page(page, address):
    page.goto(address)
    expect(page.get_by_role('heading', level=1)).to_have_text('Our papers')
    yield page
    assert page.away == [] and page.evaluate('window.hacked') is None
    assert page.errors == []


def ask(page, question):
    "By keyboard; waits until the answer is there."
    field = page.get_by_label('Question')
    field.fill(question)
    with page.expect_response('**/api/ask'):
        field.press('Enter')
    page.evaluate(DRAWN)


def quote(page):
    return page.locator('blockquote')


def test_a_question_is_quoted_first(open_page):
    page = open_page
    page.keyboard.type(PENS)  # the field has the focus
    page.keyboard.press('Enter')
    expect(quote(page)).to_have_text('A pen in use keeps 28 days at room temperature.')
    expect(page.locator('.serve-source').first).to_contain_text('Storage')
    expect(page.locator('.serve-promise summary')).to_contain_text('Nothing is promised: a promise takes 60 questions')
    stops = page.locator('.serve-stops')
    assert quote(page).bounding_box()['y'] < stops.bounding_box()['y']
    expect(page.get_by_label('Examples')).to_have_count(0)
    ask(page, 'What is the capital of Peru?')
    expect(page.get_by_text('This question is unlike the calibration questions')).to_be_visible()


def test_alpha_is_moved_among_the_stops(open_page):
    page = open_page
    ask(page, PENS)
    listed = page.locator('[aria-label=Quotes] > details').last.locator('summary')
    expect(page.get_by_role('radio')).to_have_count(3)
    expect(page.get_by_label('0.1', exact=True)).to_be_checked()
    for level in ('0.05', '0.2'):
        with page.expect_response('**/api/ask') as asked:
            page.get_by_label(level, exact=True).check()
        page.evaluate(DRAWN)
        found = asked.value.json()
        assert (found['alpha'], found['promise']['kind']) == (float(level), 'moved')
        expect(listed).to_have_text(re.compile(f'^{len(found["listed"])} sentences? listed'))
    expect(page.get_by_label('Question')).to_have_value(PENS)


def test_a_source_opens_at_its_sentence_by_keyboard(open_page):
    page = open_page
    ask(page, PENS)
    source = page.locator('.serve-source').first
    source.focus()
    page.keyboard.press('Enter')
    dialog = page.get_by_role('dialog')
    expect(dialog.locator('mark')).to_have_text('A pen in use keeps 28 days at room temperature.')
    expect(dialog.locator('mark')).to_be_in_viewport()
    expect(dialog.get_by_role('heading', name='Storage').first).to_be_visible()
    page.keyboard.press('Escape')
    expect(dialog).to_be_hidden()
    expect(source).to_be_focused()


def test_a_pdf_opens_as_a_picture_with_its_words_marked(open_page):
    page = open_page
    ask(page, 'When does the boat to the island leave?')
    expect(quote(page)).to_contain_text('ten past nine')
    page.locator('.serve-source').first.click()
    picture = page.get_by_role('dialog').get_by_role('img', name=re.compile('^Page 2 of'))
    expect(picture).to_be_visible()
    assert picture.evaluate('img => img.naturalWidth') >= 1000
    whole, marked = picture.bounding_box(), page.locator('.cfx-page rect').first.bounding_box()
    assert marked['width'] > 0.3 * whole['width'] and 0 < marked['height'] < 0.05 * whole['height']
    assert whole['x'] < marked['x'] and whole['y'] < marked['y'] < whole['y'] + whole['height'] / 2


def test_an_answer_in_other_words_is_asked_about(page, tmp_path):
    folder = calibrated(tmp_path / 'docs')
    ask_in_other_words(folder)
    with serving(folder) as address:
        page.goto(address)
        offers = page.locator('.serve-offers')
        offers.locator('summary').click()
        expect(offers).to_contain_text('The answer was given as “four weeks”.')
        assert serious(page) == []
        offers.get_by_role('button', name=re.compile('^Yes')).press('Enter')
        expect(offers).to_be_hidden(timeout=60_000)
    assert page.errors == [] and folder.asked().questions[-1].wording


def test_what_has_changed_is_shown_without_a_mark(page, tmp_path):
    folder = calibrated(tmp_path / 'docs')
    with serving(folder) as address:
        page.goto(address)
        ask(page, 'What about my dog?')
        expect(quote(page)).to_have_text('Dogs need a ticket.')
        (folder.docs / 'bus.txt').write_text('Children under six travel free. Dogs need no ticket.')
        page.locator('.serve-source').first.click()
        dialog = page.get_by_role('dialog')
        expect(dialog).to_contain_text('the file has changed since, so nothing is marked')
        expect(dialog).to_contain_text('Dogs need no ticket.')
        assert dialog.locator('mark').count() == 0
        page.keyboard.press('Escape')
        again = page.get_by_role('button', name='Ask again')
        expect(page.locator('.serve-warning', has=again)).to_contain_text('The documents have changed', timeout=60_000)
        again.click()
        expect(quote(page)).to_have_text('Dogs need no ticket.')
        expect(again).to_be_hidden()
    assert page.errors == []


def test_texts_of_others_stay_texts(open_page):
    page = open_page
    ask(page, 'What do hamsters eat?')
    expect(quote(page)).to_have_text(f'Hamsters eat <b>hay</b> {HOSTILE} every day.')
    page.locator('.serve-source').first.click()
    dialog = page.get_by_role('dialog')
    expect(dialog.locator('mark')).to_have_text(f'Hamsters eat <b>hay</b> {HOSTILE} every day.')
    assert dialog.locator('img, script').count() == 0
    page.keyboard.press('Escape')
    for text in (HOSTILE, TEXTS[0], TEXTS[7], TEXTS[200], TEXTS[243]):
        ask(page, text.replace('\0', ' '))
        for fold in page.locator('.serve details, .cfx details').all():
            fold.evaluate('fold => { fold.open = true }')
    assert page.locator('img, iframe, form[action], base, link[href*=evil]').count() == 0


def test_code_is_shown_as_code_and_nothing_else_as_markup(open_page):
    page = open_page
    ask(page, 'How do I open the vault?')
    code = f'vault --open\n  {HOSTILE}'
    expect(quote(page).locator('pre code')).to_have_text(code)
    expect(quote(page).locator('p').first).to_have_text('Open the vault with this command:')
    page.locator('.serve-source').first.click()
    dialog = page.get_by_role('dialog')
    expect(dialog.locator('mark').first).to_have_text('Open the vault with this command:')
    expect(dialog.locator('pre mark')).to_have_text(code)
    expect(dialog).to_contain_text('Then go.')
    assert dialog.locator('img, script, a').count() == 0 and '```' not in dialog.inner_text()


DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const kind of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_a_dropped_file_is_added_and_calibrated(page, tmp_path):
    folder = calibrated(tmp_path / 'docs')
    with serving(folder) as address:
        page.goto(address)
        state = page.locator('.serve-state')
        expect(state).to_contain_text(
            'Nothing is promised: a promise takes 60 questions, and there are 9. 9 questions, calibrated today'
        )
        page.evaluate(DROP, ['cats.md', 'Cats travel in a basket.'])
        rows = page.locator('.serve-files li')
        expect(rows.first).to_have_text('cats.md is added.')
        expect(state).to_contain_text('1 added (cats.md). Calibrated again on its 9 questions.', timeout=60_000)
        ask(page, 'How do cats travel?')
        expect(quote(page)).to_have_text('Cats travel in a basket.')
        page.evaluate(DROP, ['cats.md', 'Cats travel free.'])
        expect(rows.nth(1)).to_contain_text('cats.md is there already')
        assert (folder.docs / 'cats.md').read_text() == 'Cats travel in a basket.'
        page.errors.clear()  # a 409 is logged as an error
        rows.nth(1).get_by_role('button', name='Replace it').press('Enter')
        expect(rows.nth(1)).to_contain_text('cats.md is added.')
        page.get_by_role('button', name='Ask again').click(timeout=60_000)
        expect(quote(page)).to_have_text('Cats travel free.')
        page.locator('input[type=file]').set_input_files([dict(name='x.exe', mimeType='x/y', buffer=b'MZ')])
        expect(rows.nth(2)).to_contain_text('files of type .md')
        page.errors.clear()
    assert page.errors == [] and page.away == []


def test_an_address_with_a_token_shows_none(page, folder):
    with serving(folder, token='a-token-that-nobody-guesses') as address:
        page.goto(address)
        expect(page.get_by_role('heading', level=1)).to_have_text('Our papers')
        assert 'token' not in page.url
        ask(page, PENS)
        expect(quote(page)).to_contain_text('28 days')
        page.reload()
        expect(page.get_by_role('heading', level=1)).to_have_text('Our papers')
        assert page.evaluate('document.cookie') == '' and page.errors == []


def test_another_page_gets_nothing(page, address, publish):
    "A page of another port, in a browser that has the cookie: neither what it fetches, nor embeds, nor sends."
    page.goto(address)
    expect(page.get_by_role('heading', level=1)).to_have_text('Our papers')
    page.goto(f'{publish(dict(evil="<p>Evil.</p>"))}/evil.html')
    got = page.evaluate(
        """async address => {
        const fetched = await fetch(address + 'api/state').then(() => 'read', () => 'refused');
        const options = { method: 'POST', mode: 'no-cors', body: '{"question": "?"}' };
        const sent = await fetch(address + 'api/ask', options).then(r => r.type, () => 'refused');
        const put = await fetch(address + 'api/files?name=evil.md', { method: 'PUT', body: 'x' }).then(() => 'put', () => 'refused');
        const picture = await new Promise(done => {
            const img = new Image();
            img.onload = () => done('drawn');
            img.onerror = () => done('refused');
            img.src = address + 'api/page?document=ferry.pdf&page=1&width=90';
        });
        return [fetched, put, picture];
    }""",
        address.partition('?')[0],
    )
    assert got == ['refused'] * 3


@pytest.mark.parametrize('width', [400, 1400])
@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_it_fits_and_is_accessible(open_page, width, scheme):
    page = open_page
    page.emulate_media(color_scheme=scheme, reduced_motion='reduce')
    page.set_viewport_size(dict(width=width, height=900))

    def fine():
        page.evaluate(DRAWN)
        assert page.evaluate('document.documentElement.scrollWidth') <= width
        assert serious(page) == []

    fine()
    ask(page, 'What do hamsters eat?')
    for fold in page.locator('details').all():
        fold.evaluate('fold => { fold.open = true }')
    fine()
    page.locator('.serve-source').first.click()
    expect(page.get_by_role('dialog').locator('mark')).to_be_visible()
    fine()
    page.goto(page.url + 'api')
    fine()


def test_what_happens_is_said(open_page):
    page = open_page
    ask(page, PENS)
    assert page.locator('[aria-live=polite] blockquote').count() == 1
    expect(page.locator('.serve-state [role=status]')).to_contain_text('9 questions')
    page.route('**/api/ask', lambda route: route.abort())
    page.get_by_label('Question').fill('Why?')
    page.keyboard.press('Enter')
    expect(page.get_by_role('alert').filter(has_text='The server does not answer')).to_be_visible()
    page.errors.clear()
