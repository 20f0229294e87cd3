"Every promise of the page *How we know* is kept in its world, and the page shows these promises."

import json
from dataclasses import replace
import guarantees, numpy as np, pytest
from web import ROOT

PROMISES = [promise for part in guarantees.SECTIONS.values() for promise in part]


def test_every_promise_is_kept():
    rows = guarantees.results(seed=1, runs=2000)['promises']
    assert [row['name'] for row in rows if row['kept'] is False] == []
    assert sum(row['kept'] is None for row in rows) <= 3
    assert all(row['draws'] >= 20 for row in rows if row['kept'])


@pytest.mark.parametrize('wrong', [dict(low=0.95), dict(high=0.8), dict(run=lambda rng, runs: np.ones(runs))])
def test_a_broken_promise_is_seen(wrong):
    coverage = replace(guarantees.ONE_THRESHOLD[0], **wrong)
    row = guarantees.measured(coverage, np.random.default_rng(0), 2000)
    assert row['kept'] is False and 'BROKEN' in guarantees.line(row)


def test_the_page_shows_these_promises():
    kept = json.loads((ROOT / 'benchmarks/results/guarantees.json').read_text(encoding='utf-8'))
    said = ('name', 'says', 'needs', 'source', 'test', 'world', 'low', 'high')
    now = [{name: getattr(promise, name) for name in said} for promise in PROMISES]
    assert [{name: row[name] for name in said} for row in kept['promises']] == now
    assert len({row['name'] for row in now}) == len(now)
    assert all(row['kept'] is not False for row in kept['promises'])
