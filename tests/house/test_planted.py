"The list of planted bugs is current, a bug is planted in a copy only, and the page *How we know* shows what was seen of this list."

import json
from dataclasses import replace
import planted, pytest
from planted_bugs import BUGS, Bug
from web import ROOT

BUG = Bug('a joke', 'return 2', 'return 3', module='thing', tests='test_thing')


def tree(root):
    "A package of one module, and its test."
    package, tests = root / 'conflare_nb', root / 'tests'
    package.mkdir()
    tests.mkdir()
    (package / 'thing.py').write_text('def two():\n    return 2\n')
    (tests / 'test_thing.py').write_text('def test_two():\n    assert two() == 2\n')
    return root


def test_every_bug_can_be_planted():
    assert planted.wrong_list(BUGS) == []
    assert len(BUGS) >= 60 and sum(bug.chance for bug in BUGS) >= 30


def test_what_is_wrong_with_a_bug_is_said(tmp_path):
    root = tree(tmp_path)
    assert planted.wrong_with(BUG, root) == ''
    for wrong, says in [
        (dict(there='return 1'), "'return 1' stands 0 times in conflare_nb/thing.py"),
        (dict(there='t'), "'t' stands 2 times in conflare_nb/thing.py, and once is needed"),
        (dict(put=BUG.there), 'a joke: nothing is changed'),
        (dict(by='test_three'), 'there is no test test_three in tests/test_thing.py'),
        (dict(by='far/test_away::test_it'), 'there is no tests/far/test_away.py'),
        (dict(module='nothing'), 'there is no conflare_nb/nothing.py'),
    ]:
        assert says in planted.wrong_with(replace(BUG, **wrong), root)
    assert planted.wrong_list([BUG, BUG], root) == ['a joke: several bugs have this name']


def test_a_bug_is_in_the_copy_while_it_is_looked_at(tmp_path):
    home = tree(tmp_path)
    source = home / 'conflare_nb/thing.py'
    before = source.read_text()
    found = []

    def look(at):
        found.append((at / 'conflare_nb/thing.py').read_text())
        return True, 'test_two'

    row = planted.plant(BUG, home, look)
    assert found == [before.replace('2', '3')] and source.read_text() == before
    assert row['seen'] and planted.line(row).startswith('seen') and 'test_two' in planted.line(row)
    known = replace(BUG, harmless='a joke is one')
    cases = [(BUG, False), (BUG, True), (known, False), (known, True)]
    rows = [planted.plant(bug, home, lambda at: (seen, '')) for bug, seen in cases]
    lines = [planted.line(row).split('  ')[0].split(' a joke')[0].strip() for row in rows]
    assert lines == ['SURVIVES', 'seen', 'harmless', 'seen, called harmless']


@pytest.mark.slow
def test_a_test_sees_a_bug_and_the_working_tree_is_left_alone():
    bug = next(bug for bug in BUGS if bug.name == 'Holm without the number of tests')
    source = ROOT / bug.path
    before = source.read_bytes()
    test = 'tests/evidence/test_two_sample.py::test_holm'
    (row,) = planted.planted([bug], [lambda home: planted.tested(home, [test])], 1)
    assert row['seen'] and row['by'] == test and source.read_bytes() == before


def test_the_page_shows_this_list():
    kept = json.loads((ROOT / 'benchmarks/results/planted.json').read_text(encoding='utf-8'))
    for part, bugs in (('tests', BUGS), ('promises', [bug for bug in BUGS if bug.chance])):
        said = [(row['name'], row['file'], row['there'], row['put']) for row in kept[part]['bugs']]
        assert said == [(bug.name, bug.path, bug.there, bug.put) for bug in bugs]
    rows = kept['tests']['bugs']
    assert [row['name'] for row in rows if not row['seen'] and 'harmless' not in row] == []
    assert [row['name'] for row in rows if row['seen'] and 'harmless' in row] == []
    seen = sum(row['seen'] for row in kept['promises']['bugs'])
    assert 6 * seen >= 5 * len(kept['promises']['bugs'])  # 25 of 30 at least
