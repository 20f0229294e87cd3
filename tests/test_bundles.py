"The committed bundles are what js/ gives."

import sys
from pathlib import Path
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / 'tools'))
import bundle


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
