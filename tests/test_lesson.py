"`conflare lesson`: every lesson is listed and copied, nothing of a reader is written over, and JupyterLab opens."

import json, re, subprocess, sys, urllib.request
from pathlib import Path
import docs, nbformat, pytest
from command import ENV, conflare_here, done
from web import ROOT, await_server, free_port, stop

LESSONS = sorted(p.stem for p in (ROOT / 'nbs/tutorials').glob('*.ipynb'))


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_are_listed_with_the_minutes_that_they_say(here):
    said = conflare_here('lesson').stdout
    rows = dict(re.findall(r'^(\S+) +(\d+) minutes', said, re.M))
    assert sorted(rows) == LESSONS and list(rows)[1:3] == ['the-idea', 'nano']
    for name, minutes in rows.items():
        text = (ROOT / f'nbs/tutorials/{name}.ipynb').read_text(encoding='utf-8')
        assert f'**Time:** {minutes} minutes' in text
    assert 'conflare lesson NAME' in said and list(here.iterdir()) == []


def test_copies_are_fresh_and_their_links_lead_somewhere(here):
    done('lesson', '--copy')
    copies = sorted((here / 'conflare-lessons').iterdir())
    assert [p.stem for p in copies] == LESSONS
    for path in copies:
        nb = nbformat.read(path, 4)
        nbformat.validate(nb)
        assert not any(c.get('outputs') or c.get('execution_count') for c in nb.cells)
        text = '\n'.join(c.source for c in nb.cells if c.cell_type == 'markdown')
        links = re.findall(r'\]\(([^)\s#]+)', text)
        site = docs.get_config().doc_url.rstrip('/')
        for link in links:
            page = link.removeprefix(f'{site}/')
            if page != link:
                page = page.replace('.html', '.ipynb')
                assert (ROOT / 'nbs' / page).exists() or not page.endswith('.ipynb'), link
            elif '://' not in link:
                assert (path.parent / link).exists(), link


def test_what_is_there_stays(here):
    folder = here / 'conflare-lessons'
    done('lesson', 'nano', '--copy')
    (folder / 'nano.ipynb').write_text('mine')
    (folder / 'slide-alpha.ipynb').write_text('mine, too')
    (folder / 'quickstart.ipynb').unlink()
    said = done('lesson', 'nano', '--copy')
    assert 'nano.ipynb is there, and stays as you left it; delete it for a fresh one' in said
    assert (folder / 'nano.ipynb').read_text() == 'mine'
    assert (folder / 'slide-alpha.ipynb').read_text() == 'mine, too'
    assert (folder / 'quickstart.ipynb').stat().st_size > 1000
    (folder / 'nano.ipynb').unlink()
    (folder / 'nano.ipynb').symlink_to(here / 'elsewhere')
    r = conflare_here('lesson', 'nano', '--copy')
    assert r.returncode == 2 and 'is a link' in r.stderr and not (here / 'elsewhere').exists()


@pytest.mark.parametrize('name', ['nani', '../nano', '/etc/passwd', 'nano.ipynb', ''])
def test_what_is_no_lesson(here, name):
    r = conflare_here('lesson', name, '--copy')
    assert (r.returncode, len(r.stderr.splitlines())) == (2, 1) and list(here.iterdir()) == []


def test_a_folder_that_is_a_file(here):
    Path('conflare-lessons').write_text('')
    r = conflare_here('lesson', 'nano', '--copy')
    assert r.returncode == 2 and 'conflare-lessons' in r.stderr


@pytest.mark.slow
def test_jupyterlab_opens_it(here):
    port = free_port()
    settings = dict(open_browser=False, port=port, port_retries=0, allow_root=True, ip='127.0.0.1')
    (here / 'config').mkdir()
    told = dict(ServerApp=settings, IdentityProvider=dict(token='word'))
    (here / 'config/jupyter_server_config.json').write_text(json.dumps(told))
    own = {f'JUPYTER_{k}_DIR': str(here / k.lower()) for k in ('CONFIG', 'DATA', 'RUNTIME')}
    log = here / 'log'
    with log.open('w') as out:
        typed = [sys.executable, '-m', 'conflare_nb', 'lesson', 'nano']
        how = dict(stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        process = subprocess.Popen(typed, env={**ENV, **own}, **how)
    try:
        await_server(f'http://127.0.0.1:{port}/api/status?token=word', process, log)
        assert f'Serving notebooks from local directory: {here}/conflare-lessons' in log.read_text()
        at = f'http://127.0.0.1:{port}/api/contents/nano.ipynb?content=0&token=word'
        with urllib.request.urlopen(at) as answer:
            assert json.load(answer)['type'] == 'notebook'
    finally:
        stop(process)
