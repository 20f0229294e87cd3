"What tests of several rooms share: the marker `model`, the documentation site, and a server's leave."

import os, subprocess, sys
import pytest
from filelock import FileLock
from web import ROOT, served

# two workers on two cores: more threads wait for each other
os.environ.setdefault('OMP_NUM_THREADS', '1')
# the same texts, test after test
os.environ.setdefault('CONFLARE_VECTORS', str(ROOT / '.venv' / 'vectors.sqlite'))

MODELS = {'llm', 'smollm', 'mistral'}  # fixtures that load a language model


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items):
    "A test that asks for a language model, itself or through another fixture, is marked so."
    for item in items:
        if MODELS & set(item.fixturenames):
            item.add_marker('model')


@pytest.fixture(scope='session')
def site(tmp_path_factory):  # the URL of the built site, which the workers of one run build once
    run = os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())
    built = tmp_path_factory.getbasetemp().parent / f'site-{run}'
    build = [sys.executable, '-W', 'ignore', 'tools/docs.py', '--site']
    with FileLock(f'{built}.lock'):
        if not built.exists():
            r = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
            assert r.returncode == 0, r.stdout + r.stderr
            built.touch()
    with served(ROOT / '_docs') as url:
        yield url


@pytest.fixture
def online(monkeypatch):  # servers on this machine may be asked
    monkeypatch.setattr('huggingface_hub.constants.HF_HUB_OFFLINE', False)
