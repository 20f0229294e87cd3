"Cells that run on pages of the site: edited, run, stopped, reset, by a Python that lies beside the page."

import re, shutil
import nbformat, pytest
from playwright.sync_api import expect
import docs, npm, onpage
from web import ROOT, served

CODE = f"""{onpage.MARK}: change a number and run it again.
scores = [3, 1, 2, 5, 4]
alpha = .2
rank = -(-(len(scores)+1)*(1-alpha)//1)
print('rank', int(rank), 'threshold', sorted(scores + [float('inf')])[int(rank)-1])"""
P_VALUE = f"""{onpage.MARK}: change the new score, and run it again.
scores = [0.02, 0.05, 0.07, 0.11, 0.13, 0.18, 0.21, 0.30, 0.42]
new = 0.25
p_value = (1 + sum(score >= new for score in scores)) / (1 + len(scores))
for alpha in (0.05, 0.1, 0.2, 0.3):
    print(f'alpha {{alpha}}: p-value {{p_value:.2f}},', 'retrieved' if p_value > alpha else 'left out')"""


@pytest.fixture(scope='module')
def built(tmp_path_factory):  # the folder of a small site
    from smalldocs.site import build

    if missing := onpage.fetch():
        pytest.skip(f'no MicroPython here ({missing})')
    root = tmp_path_factory.mktemp('small')
    printed = nbformat.v4.new_output('stream', text='rank 5 threshold 5\n')
    cells = [nbformat.v4.new_markdown_cell('# Cells'), nbformat.v4.new_code_cell('1+1')]
    cells += [nbformat.v4.new_code_cell(CODE, outputs=[printed])]
    (root / 'deep').mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells), root / 'deep/cells.ipynb')
    shutil.copy(ROOT / 'nbs/favicon.svg', root)
    (root / 'index.md').write_text('# Plain\n\nNothing to run.\n', encoding='utf-8')
    (root / '_quarto.yml').write_text(
        'project: {type: website}\nwebsite: {title: Small, favicon: favicon.svg, sidebar: {contents: [index.md, deep/cells.ipynb]}}\nformat: {html: {theme: cosmo}}\n',
        encoding='utf-8',
    )
    out = build(root, quiet=True).out
    docs.localise(out, 'https://small.example/', katex=False)
    onpage.install(out)
    return out


@pytest.fixture(scope='module')
def address(built):
    with served(built) as url:
        yield url


@pytest.fixture
def cell(address, page):  # a page with one cell to run, and what it asked for
    page.asked = []
    page.on('request', lambda r: page.asked.append(r.url.rpartition('/')[2]))
    page.goto(f'{address}/deep/cells.html')
    return page


def part(words):
    return re.compile(re.escape(words))


def runs(page, text, printed):
    page.get_by_label('Python, to edit and run').fill(text)
    page.get_by_role('button', name='Run', exact=True).click()
    expect(page.get_by_role('status')).to_have_text(printed, timeout=30_000)


def test_only_pages_with_such_cells_ask_for_scripts(built):
    assert onpage.pages(built) == [built / 'deep/cells.html']
    assert 'onpage' not in (built / 'index.html').read_text(encoding='utf-8')
    files = {p.name for p in (built / 'site_libs/onpage').iterdir()}
    assert files == {*onpage.FETCHED, *onpage.OWN}


def test_run_edit_and_reset(cell):
    field, saved = cell.get_by_label('Python, to edit and run'), cell.locator('.cell-output').last
    expect(field).to_have_value(CODE)
    expect(saved).to_contain_text('rank 5 threshold 5')
    assert 'micropython.wasm' not in cell.asked  # loaded by the first Run only
    field.focus()
    cell.keyboard.press('Control+Enter')
    expect(cell.get_by_role('status')).to_have_text('rank 5 threshold 5', timeout=30_000)
    expect(saved).to_be_hidden()
    assert 'micropython.wasm' in cell.asked
    runs(cell, CODE.replace('.2', '.4'), 'rank 4 threshold 4')
    cell.get_by_role('button', name='Reset').click()
    expect(field).to_have_value(CODE)
    expect(saved).to_be_visible()
    expect(cell.locator('.onpage-printed')).to_be_hidden()
    assert cell.errors == [] and cell.away == []


TEXTS = [CODE, CODE.replace('.2', '.1'), CODE.replace('.2', '1/3')]
TEXTS += [P_VALUE, P_VALUE.replace('.25', '.42')]


@pytest.mark.parametrize('text', TEXTS)
def test_the_page_prints_what_a_notebook_prints(cell, capsys, text):
    exec(text, {})
    runs(cell, text, capsys.readouterr().out.strip())


def test_what_goes_wrong_is_said(cell):
    runs(cell, '1/0', part('ZeroDivisionError'))
    runs(cell, 'print("<b>é</b>", end="")', '<b>é</b>')
    runs(cell, 'x = 1', 'It ran and printed nothing.')
    runs(cell, 'print(1)\nwhile True: pass', '1\nStopped after 5 seconds.')
    runs(cell, 'while True: print("x"*99)', part('Stopped after 10000 letters.'))
    runs(cell, 'print(x)', part("NameError: name 'x' isn't defined"))  # each run begins anew


def test_a_run_is_stopped_by_hand(cell):
    cell.get_by_label('Python, to edit and run').fill('print("on")\nwhile True: pass')
    cell.get_by_role('button', name='Run', exact=True).click()
    expect(cell.get_by_role('status')).to_have_text('on\n', timeout=30_000)
    cell.get_by_role('button', name='Stop').click()
    expect(cell.get_by_role('status')).to_contain_text('Stopped.')
    expect(cell.get_by_role('button', name='Run', exact=True)).to_be_visible()


def test_another_archive_is_refused(tmp_path):
    other = tmp_path / 'other.tgz'
    other.write_bytes(b'nothing')
    with pytest.raises(SystemExit, match='must have the hash'):
        npm.place(onpage.PACKAGE, other, tmp_path / 'there', onpage.unpack, onpage.INTEGRITY)
    assert not (tmp_path / 'there').exists()
