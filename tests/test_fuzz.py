"""Whatever is read or typed, a failure is one line and exit code 2, and files stay as they were.

1,000 cases a run, and 10,000 every night. A failing case names its seed: `case(part, seed)` makes it again.
"""

import json, random, shutil, warnings
from copy import deepcopy
from unittest.mock import patch
from pathlib import Path
import pytest
from contextlib import suppress
from command import conflare_here, done, errors, measured, pens
from conflare_nb import Calibration, load_questions, read_folder
from conflare_nb.evidence.audit import Audit
from conflare_nb.answers.quotes import QuoteCalibration
from conflare_nb.traq.sets import TraqCalibration
from conflare_nb.documents.cutting import chunk_document
from conflare_nb.documents.reading import LIMITS
from random_texts import words
from nightly import by_day_or_night

CASES = by_day_or_night(1_000, 10_000)
DATA = Path(__file__).parent / 'data'
SMALL = dict(bytes=20_000, characters=20_000, nodes=2_000, pages=20)
BITS = [
    '<p>', '<h2>', '</h2>', '<![foo[', '<!--', '-->', '<a b="', "'", '"', '<script>', '</script',
    '&#xD800;', '&lt;', '<pre>', '<', '>', '# ', '\n', '\r', '```', '---\n', 'a: b\n', '> ', '- ',
    '\x00', '\x1b[2J', '\u202e', '\ufeff', 'Keep it 28 days. ', 'é', '字', '💊', '\x85', '\u2028',
    ' ', '\t', '%PDF-1.4\n', '1 0 obj\n', '<< /Type /Page >>', 'stream\n', 'endstream', 'xref\n',
    'trailer', '%%EOF', '[', '{', '}', ']', ':', ',', '\\ud800', '\\', 'null', 'true', '1e999',
    'NaN', '-1', '0', '"question"', '"answer"', '"also"', '"document"', '"section"', '"id"',
    '{"question": "How long?", "answer": "28 days"}\n', 'question,answer\n',
    'How long?,28 days\n', ',', '""',
]  # fmt: skip
WHOLE = [
    '{"question": "How long?", "answer": "28 days", "id": 1}',
    '{"question": "q", "document": "d.md", "section": "S", "also": [["e.md", "T"]]}',
    'question,answer,also\nHow long?,28 days,"[[""d"", ""S""]]"\n',
    '<title>T</title><h1>A</h1><p>Keep it <b>cold</b>.<table><tr><td>1</td></tr></table>',
    '---\ntitle: T\n---\n# A\nKeep it cold.\n## B\nNot frozen.\n',
]


def noise(rng):
    "Bytes: bits of what the readers know, or a whole file with something changed."
    text = ''.join(rng.choices(BITS, k=rng.randrange(30)))
    raw = bytearray(rng.choice([text, text, rng.choice(WHOLE)]).encode())
    for _ in range(rng.choice([0, 0, 1, 3, 10])):
        at = rng.randrange(len(raw) + 1)
        bits = [bytes([rng.randrange(256)]), rng.choice(BITS).encode(), b'']
        raw[at : at + rng.randrange(4)] = rng.choice(bits)
    if rng.random() < 0.1:
        raw = raw * rng.randrange(50)
    return bytes(raw)


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob('*') if path.is_file()}


def a_document(rng, folder):
    file = folder / f'd{rng.choice([".md", ".txt", ".html", ".htm", ".pdf", ".docx", ""])}'
    file.write_bytes(noise(rng))
    with warnings.catch_warnings(), patch.dict(LIMITS, SMALL):
        warnings.simplefilter('ignore')
        try:
            docs = read_folder(folder, rng.random() < 0.5)
        except ValueError as e:
            return str(e)
    for doc in docs:
        json.dumps([chunk.text for chunk in chunk_document(doc, words, 200)]).encode()


def some_questions(rng, folder):
    file = folder / f'q{rng.choice([".jsonl", ".jsonl", ".csv", ".parquet", ".txt"])}'
    file.write_bytes(noise(rng))
    try:
        questions = load_questions(file)
    except ValueError as e:
        return str(e)
    for q in questions:
        held = [q.id, q.text, q.answer, q.sections, q.document, q.kind]
        assert repr(q).encode() and json.dumps(held, ensure_ascii=False).encode()


SAVED = dict(calibration=Calibration, audit=Audit, quotes=QuoteCalibration)
SAVED |= dict(answer_calibration=TraqCalibration)
VALUES = [
    None, True, 0, -1, 1, 2.5, 1e308, float('inf'), float('nan'), '', 'x', '\ud800', [], ['x'],
    {}, {'a': 1}, 10**30,
]  # fmt: skip


def changed(rng, data):
    "The same data with one value another, gone or new, anywhere."
    place = data
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        if not keys:
            break
        key = rng.choice(list(keys))
        if isinstance(place[key], (dict, list)) and rng.random() < 0.7:
            place = place[key]
            continue
        if rng.random() < 0.2:
            place.pop(key)
        else:
            place[key] = deepcopy(rng.choice(VALUES))
        break
    return data


def saved_text(rng, text):
    "A saved file, changed by hand or by accident."
    if rng.random() < 0.2:
        return text[: rng.randrange(len(text))]
    data = json.loads(text)
    for _ in range(rng.choice([1, 1, 2])):
        changed(rng, data)
    return json.dumps(data)


def a_saved_file(rng, folder, here):
    name = rng.choice(list(SAVED))
    source = here / f'{name}.json'
    text = noise(rng).decode('utf-8', 'replace')
    if source.exists():
        text = saved_text(rng, source.read_text(encoding='utf-8'))
    (folder / 'x.json').write_text(text)
    try:
        read = SAVED[name].load(folder / 'x.json')
    except ValueError as e:
        return str(e)
    repr(read)
    if name in ('calibration', 'quotes'):
        assert read.n == len(read.scores)


COMMANDS = ['ask', 'ask', 'audit', 'audit', 'calibrate', 'calibrate', 'update', 'dance', '']
OPTIONS = [
    '--alpha', '--store', '--json', '--strict', '--stops', '--delta', '--seed', '--gold',
    '--questions', '--depth', '--score', '--judge', '--name', '--help me', '-n',
]  # fmt: skip
TYPED = [
    '', ' ', '0', '-1', '1', '.5', 'nan', 'inf', '1e999', '\ud800', '\x1b[2J', '\x00', 'none',
    'gold', 'contains', 'distance', '{here}/docs', '{here}/docs/pen.md', '{here}/q.jsonl',
    '{here}/none', '{here}',
]  # fmt: skip


def a_command(rng, folder, here):
    "A command on a calibrated folder of which one saved file may be damaged, which is put back."
    damaged = measured(here / 'docs') / rng.choice(['calibration.json', 'audit.json', 'quotes.json'])
    whole = damaged.read_text(encoding='utf-8')
    if rng.random() < 0.6:
        damaged.write_text(saved_text(rng, whole))
    bad = folder / 'q.jsonl'
    bad.write_bytes(noise(rng))
    command = rng.choice(COMMANDS)
    args = [command, *(['How long?'] if command == 'ask' else []), '{here}/docs']
    if command == 'calibrate':
        args += ['--questions', str(bad), '--judge', 'contains']
    if command == 'audit':
        args += ['--gold', '{here}/q.jsonl']
    for _ in range(rng.choice([0, 0, 1, 2])):
        args += [rng.choice(OPTIONS), rng.choice(TYPED)]
    before = files(here)
    try:
        r = conflare_here(*(arg.replace('{here}', str(here)) for arg in args), input='y\nq\n')
        assert r.returncode in (0, 2), args
        if r.returncode == 2:
            assert len(errors(r)) == 1, (args, r.stderr)
            assert files(here) == before, args
    finally:
        for path in set(files(here)) - set(before):
            path.unlink()
            with suppress(OSError):
                path.parent.rmdir()  # a later state
        for path, raw in before.items():
            path.parent.mkdir(exist_ok=True)
            if not path.exists() or path.read_bytes() != raw:
                path.write_bytes(raw)
        damaged.write_text(whole, encoding='utf-8')


PARTS = dict(
    documents=(a_document, 0.5), questions=(some_questions, 0.27), saved=(a_saved_file, 0.2),
    commands=(a_command, 0.03),
)  # fmt: skip


@pytest.fixture(scope='module')
def here(tmp_path_factory):  # a calibrated and audited folder, and the files of a format
    here = pens(tmp_path_factory.mktemp('fuzz'))
    docs = here / 'docs'
    done('calibrate', '--questions', here / 'q.jsonl', docs)
    done('audit', docs, '-m', 9, '--gold', here / 'q.jsonl')
    done('ask', 'How long?', docs)
    done('update', docs)
    for name in SAVED:
        if (DATA / f'{name}.json').exists():
            shutil.copy(DATA / f'{name}.json', here)
    shutil.copy(measured(docs) / 'quotes.json', here)
    return here


def case(part, seed, folder, here):
    run, _ = PARTS[part]
    rng = random.Random(f'{part} {seed}')
    more = [here] if part in ('saved', 'commands') else []
    said = run(rng, folder, *more)
    if said is not None:
        assert said.strip(), 'a failure says why'
    assert not list(folder.rglob('*.part')) and not list(here.rglob('*.part'))


@pytest.mark.parametrize('part', PARTS)
def test_whatever_is_read_or_typed(part, here, tmp_path):
    for seed in range(int(CASES * PARTS[part][1])):
        for old in tmp_path.iterdir():
            old.unlink()
        try:
            case(part, seed, tmp_path, here)
        except Exception as e:
            says = f'{type(e).__name__} {ascii(str(e))[:600]}'
            raise AssertionError(f'{part}, seed {seed}: {says}') from e
