"The committed bundles are what js/ gives, and what a page carries of them does the same."
import re, sys
from pathlib import Path
import pytest
from conflare_nb.show.alpha import _asset

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT/'tools'))
import bundle

@pytest.fixture(autouse=True, scope='module')
def esbuild():
    if missing := bundle.fetch_esbuild(): pytest.skip(missing)

def test_the_bundles_are_current():
    assert bundle.stale() == [], 'run `python tools/bundle.py`'

def test_no_import_is_forgotten():
    if not bundle.biome(): pytest.skip('biome is not installed')
    assert bundle.lint() == ''

def without_spaces(text:str, kind:str) -> str:
    "As esbuild writes it, whether names are declared together or one by one."
    short = bundle.esbuild('--minify-whitespace', f'--loader={kind}', text=text)
    return re.sub(r'[;\n](const|let|var)\b ?', ',', short) if kind == 'js' else re.sub(r'([:,]) ', r'\1', short)

@pytest.mark.parametrize('kind', ['js', 'css'])
@pytest.mark.parametrize('name', bundle.WIDGETS)
def test_a_page_carries_all_but_the_spaces(name, kind):
    whole = (bundle.STATIC/f'{name}.{kind}').read_text(encoding='utf-8')
    assert without_spaces(_asset(name, kind), kind) == without_spaces(whole, kind)
