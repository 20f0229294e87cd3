"pytest-playwright's browser and pages, with Debian's Chromium, and a JupyterLab for them."

import pytest
from web import ARGS, CHROMIUM, jupyterlab, noting, served, write_notebook, write_page


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


@pytest.fixture(scope='module')
def publish(tmp_path_factory):  # ({name: HTML}) -> the address of these pages
    root = tmp_path_factory.mktemp('pages')
    with served(root) as url:

        def pages(bodies):
            for name, body in bodies.items():
                write_page(root / f'{name}.html', body)
            return url

        yield pages


@pytest.fixture(scope='module')
def run_cells(lab, one_page, tmp_path_factory):  # (cells) -> the page of a notebook that ran
    def run(cells):
        lab.run(one_page, write_notebook(tmp_path_factory.mktemp('run') / 'cells.ipynb', cells))
        return one_page

    return run
