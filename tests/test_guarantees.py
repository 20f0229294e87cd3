"Every promise of the page *How we know* is kept in its world, the page shows these promises, and the tests that it names exist."

import importlib, json, re, sys
import pytest
from web import ROOT


@pytest.fixture(scope='module')
def script():  # benchmarks/guarantees.py
    sys.path.insert(0, str(ROOT / 'benchmarks'))
    try:
        yield importlib.import_module('guarantees')
    finally:
        sys.path.remove(str(ROOT / 'benchmarks'))


@pytest.fixture(scope='module')
def kept():
    return json.loads((ROOT / 'benchmarks/results/guarantees.json').read_text(encoding='utf-8'))


def test_every_promise_is_kept(script):
    rows = script.results(seed=1, runs=2000)['promises']
    assert [row['name'] for row in rows if row['kept'] is False] == []
    assert sum(row['kept'] is None for row in rows) <= 3 and all(
        row['draws'] >= 20 for row in rows if row['kept']
    )


def test_a_broken_promise_is_seen(script):
    from dataclasses import replace
    import numpy as np

    coverage = script.ONE_THRESHOLD[0]
    for wrong in (
        replace(coverage, low=0.95),
        replace(coverage, high=0.8),
        replace(coverage, run=lambda rng, runs: np.ones(runs)),
    ):
        row = script.measured(wrong, np.random.default_rng(0), 2000)
        assert row['kept'] is False and 'BROKEN' in script.line(row)


def test_every_test_that_is_named_exists(script):
    for promise in [promise for part in script.SECTIONS.values() for promise in part]:
        file, name = promise.test.split('::')
        assert re.search(rf'^def {name}\(', (ROOT / file).read_text(encoding='utf-8'), re.M), (
            promise.test
        )


def test_the_page_shows_these_promises(script, kept):
    said = ('name', 'says', 'needs', 'source', 'test', 'world', 'low', 'high')
    now = [
        {name: getattr(promise, name) for name in said}
        for part in script.SECTIONS.values()
        for promise in part
    ]
    assert [{name: row[name] for name in said} for row in kept['promises']] == now
    assert len({row['name'] for row in now}) == len(now) and all(
        row['kept'] is not False for row in kept['promises']
    )
