"What several test files share: a browser, a page, JupyterLab, and the documentation site."
import os, subprocess, sys
import pytest
from filelock import FileLock
from web import CHROMIUM, ROOT, jupyterlab, launched, opened, served

sys.path.insert(0, str(ROOT/'tools'))
os.environ.setdefault('OMP_NUM_THREADS', '1')     # two workers on two cores: more threads wait for each other
os.environ.setdefault('CONFLARE_VECTORS', str(ROOT/'.venv'/'vectors.sqlite'))     # the same texts, test after test

@pytest.fixture(scope='module')     # not longer: Playwright's event loop would be in the way of other tests
def browser():
    if not CHROMIUM: pytest.skip('no Chromium here (on Debian: apt-get install chromium)')
    with launched() as b: yield b

@pytest.fixture
def page(browser): # see web.opened for what it notes
    with opened(browser) as p: yield p

@pytest.fixture(scope='session')
def lab(tmp_path_factory): # see web.Lab
    with jupyterlab(tmp_path_factory.mktemp('lab')) as l: yield l

@pytest.fixture(scope='session')
def site(tmp_path_factory): # the URL of the built site, which the workers of one run build once
    built = tmp_path_factory.getbasetemp().parent/f"site-{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"
    with FileLock(f'{built}.lock'):
        if not built.exists():
            r = subprocess.run([sys.executable, '-W', 'ignore', 'tools/docs.py', '--site'], cwd=ROOT, capture_output=True, text=True)
            assert r.returncode == 0, r.stdout+r.stderr
            built.touch()
    with served(ROOT/'_docs') as url: yield url
