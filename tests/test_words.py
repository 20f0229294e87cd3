"What is counted has the plural that it should have, and a bar is drawn where somebody watches."

import os, subprocess, sys
from pathlib import Path
import pytest, conflare_nb
from conflare_nb.words import progress_bar


def drawn(shown, stderr):
    "A bar in a process of its own, which writes its errors there."
    code = f'from conflare_nb.words import progress_bar as bar; list(bar([1], "now", {shown}, ncols=60, nrows=9))'
    return subprocess.run([sys.executable, '-c', code], stderr=stderr, check=True)


@pytest.mark.skipif(sys.platform == 'win32', reason='it has no such terminals')
def test_a_bar_is_drawn_at_a_terminal_and_not_in_a_file(tmp_path):
    with (tmp_path / 'log').open('w+') as log:
        drawn(True, log)
    assert (tmp_path / 'log').read_text() == ''
    reader, terminal = os.openpty()
    drawn(False, terminal)
    os.write(terminal, b'hidden, ')
    drawn(True, terminal)
    seen = os.read(reader, 10_000)
    assert seen.startswith(b'hidden, ') and b'now: 100%' in seen


def test_a_bar_is_drawn_in_a_notebook(monkeypatch):
    from tqdm.notebook import tqdm

    monkeypatch.setattr('tqdm.auto.tqdm', tqdm)
    assert not progress_bar([1], 'now', display=False).disable
    assert progress_bar([1], 'now', False, display=False).disable


def test_no_module_draws_its_own():
    modules = Path(conflare_nb.__file__).parent.rglob('*.py')
    assert [p.name for p in modules if 'tqdm' in p.read_text(encoding='utf-8')] == ['words.py']
