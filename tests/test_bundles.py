"The committed bundles are what js/ gives."

import bundle, pytest


@pytest.fixture(autouse=True, scope='module')
def esbuild():
    if missing := bundle.fetch_esbuild():
        pytest.skip(missing)


def test_the_bundles_are_current():
    assert bundle.stale() == [], 'run `python tools/bundle.py`'


def test_no_import_is_forgotten():
    if not bundle.biome():
        pytest.skip('biome is not installed')
    assert bundle.lint() == ''
