"pytest-playwright's browser and pages, with Debian's Chromium, and a JupyterLab for them."

from pathlib import Path
import pytest
from web import ARGS, CHROMIUM, jupyterlab, noting

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items):
    "What lies in this folder is marked and comes last: Playwright's event loop runs until the end, and asyncio allows no other."

    def wants_browser(item):
        return HERE in item.path.parents

    for item in filter(wants_browser, items):
        item.add_marker('browser')
    items.sort(key=wants_browser)


@pytest.fixture(scope='session')
def browser_type_launch_args(browser_type_launch_args):
    if not CHROMIUM:
        pytest.skip('no Chromium here (on Debian: apt-get install chromium)')
    return {**browser_type_launch_args, 'executable_path': CHROMIUM, 'args': ARGS}


@pytest.fixture(scope='session')
def browser_context_args(browser_context_args):
    return {**browser_context_args, 'viewport': {'width': 1400, 'height': 1000}}


@pytest.fixture
def page(page):
    return noting(page)  # page.errors and page.away


@pytest.fixture(scope='module')
def one_page(browser, browser_context_args):  # for all tests of a file
    context = browser.new_context(**browser_context_args)
    yield noting(context.new_page())
    context.close()


@pytest.fixture(scope='session')
def lab(tmp_path_factory):  # see web.Lab
    with jupyterlab(tmp_path_factory.mktemp('lab')) as l:
        yield l
