"What the page *From one machine to many* says is what was measured, and the tests that it names exist."

import json, re
import numpy as np, pytest, scale
from search_speed import stored, unit
from conflare_nb import Embedder, KnowledgeBase
from web import ROOT

PAGE = ROOT / 'nbs/guides/from-one-machine-to-many.ipynb'


@pytest.fixture(scope='module')
def sizes():
    return json.loads((ROOT / 'benchmarks/results/scale.json').read_text(encoding='utf-8'))['sizes']


def cells(kind):
    held = json.loads(PAGE.read_text(encoding='utf-8'))['cells']
    return [cell for cell in held if cell['cell_type'] == kind]


def test_every_test_that_is_named_exists():
    text = '\n'.join(''.join(cell['source']) for cell in cells('markdown'))
    named = re.findall(r'`(tests/[\w/]+\.py)(?:::(\w+))?`', text)
    assert len(named) >= 8
    for file, name in named:
        assert re.search(rf'^def {name}', (ROOT / file).read_text(encoding='utf-8'), re.M), name


def test_the_file_is_of_this_script(sizes):
    made = scale.made_with()
    settings = dict(seed=scale.SEED, noise=scale.NOISE, pool=scale.POOL, questions=scale.QUESTIONS)
    assert [size['chunks'] for size in sizes] == sorted({size['chunks'] for size in sizes})
    for size in sizes:
        assert {*made} <= {*size} and settings.items() <= size.items()


def test_what_the_page_prints_is_in_the_file(sizes):
    outputs = [output for cell in cells('code') for output in cell['outputs']]
    printed = [''.join(output.get('data', {}).get('text/plain', '')) for output in outputs]
    tables = [text for text in printed if 'NumPy scan' in text]
    lines = [line for text in tables for line in text.splitlines() if len(line.split('  ')) > 2]
    for size in sizes:
        assert any(f"{size['chunks']:,}" in text for text in printed)
        for way, took in size.get('a question', {}).items():
            line = next(line for line in lines if line.startswith(way))
            assert f"{took['processor'] * 1000:.1f}" in line, (way, line)


def test_a_small_size_is_measured_whole(tmp_path):
    embedder, base = Embedder(anew=True), unit(np.random.default_rng(0), 40)
    for name in ('exact', 'compressed'):
        stored(tmp_path / name, 2000, embedder, scale.noisy(base))
    names = 'exact', 'compressed'
    exact, compressed = (KnowledgeBase.open(tmp_path / n, embedder, memory_budget=0) for n in names)
    assert scale.indexed(exact, scale.NEVER)['gb'] > scale.indexed(compressed, 1)['gb'] > 0
    assert (exact.compressed, compressed.compressed) == (False, True)
    assert 0.5 < scale.recall(exact, compressed, base[:10])['worst'] <= 1
    words, took = scale.counted(compressed)
    assert len(words) == 2000 and took['gb'] > 0
