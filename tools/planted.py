"""Small bugs, each planted in a copy of the package: which of them do the tests see? `python tools/planted.py`

The list is tools/planted_bugs.py. `--promises` plants those of chance and asks the table of promises instead
(benchmarks/guarantees.py). The exit status is 1 where a bug survives that is not named harmless, or where the table
sees fewer than five of six.
"""

import argparse, compileall, json, os, platform, re, shutil, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from planted_bugs import BUGS, Bug

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = ('numpy', 'scipy', 'pytest')
COPIED = ('conflare_nb', 'tests', 'benchmarks')
LIMIT = 600  # seconds: a bug that hangs is seen, too
ENOUGH = 5 / 6  # of the bugs of chance, that the table of promises has to see
RUNS = 10_000  # of each world of the table of promises


def wrong_with(bug: Bug, root: Path = ROOT) -> str:  # '' = nothing
    "Why a bug cannot be planted, or which of its tests there is not."
    source = root / bug.path
    if not source.is_file():
        return f'{bug.name}: there is no {bug.path}'
    times = source.read_text(encoding='utf-8').count(bug.there)
    if times != 1:
        return f'{bug.name}: {bug.there!r} stands {times} times in {bug.path}, and once is needed'
    if bug.there == bug.put:
        return f'{bug.name}: nothing is changed'
    for file, name in bug.asked:
        tests = root / file
        if not tests.is_file():
            return f'{bug.name}: there is no {file}'
        if name and not re.search(rf'^def {name}\(', tests.read_text(encoding='utf-8'), re.M):
            return f'{bug.name}: there is no test {name} in {file}'
    return ''


def wrong_list(bugs: list[Bug], root: Path = ROOT) -> list[str]:
    "What is wrong with a list of bugs."
    names = [bug.name for bug in bugs]
    twice = [f'{name}: several bugs have this name' for name in set(names) if names.count(name) > 1]
    return twice + list(filter(None, (wrong_with(bug, root) for bug in bugs)))


def copy_of(root: Path, to: Path) -> Path:  # `to`
    "A copy of all that tests read, compiled; what is large is linked."
    to.mkdir()
    for path in root.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, to / path.name, ignore=shutil.ignore_patterns('__pycache__'))
        elif path.name != '.git':
            (to / path.name).symlink_to(path)
    compileall.compile_dir(to / 'conflare_nb', quiet=2)
    return to


def environment(home: Path) -> dict:
    "With the copy in front of everything, and nothing compiled that is planted."
    settings = dict(OMP_NUM_THREADS='1', HF_HUB_OFFLINE='1', TQDM_DISABLE='1')
    ours = dict(PYTHONPATH=str(home), PYTHONDONTWRITEBYTECODE='1')
    return os.environ | settings | ours


def run(home: Path, *command: str, limit: int | None = LIMIT) -> tuple[int, str]:  # exit status, and what was said
    "A command of Python in the copy; one that takes too long has failed."
    said = dict(stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        done = subprocess.run([sys.executable, *command], cwd=home, env=environment(home), timeout=limit, **said)
    except subprocess.TimeoutExpired:
        return 1, f'FAILED (stopped after {limit} seconds)'
    return done.returncode, done.stdout


def tested(home: Path, tests: list[str], limit: int | None = LIMIT) -> tuple[bool, str]:
    "Whether tests fail, and the first that does."
    plain = ['-q', '-x', '-p', 'no:cacheprovider', '-rfE', '--tb=no']
    code, said = run(home, '-m', 'pytest', *plain, *tests, limit=limit)
    if code not in (0, 1):
        raise RuntimeError(f'the tests {" ".join(tests)} did not run:\n{said[-2000:]}')
    failed = re.findall(r'^(?:FAILED|ERROR) (\S+)', said, re.M)
    return code == 1, failed[0] if failed else ''


def promised(home: Path, runs: int, seed: int) -> tuple[bool, str]:
    "Whether the table of promises has a broken one, and which is the first."
    asked = ['--runs', str(runs), '--seed', str(seed), '--until-broken']
    code, said = run(home, 'benchmarks/guarantees.py', *asked)
    broken = re.findall(r'^BROKEN +(.+?)  ', said, re.M)
    if code and not broken:
        last = said.strip().splitlines()[-1:]
        return True, f'it stops: {"".join(last)[:100]}'
    return bool(broken), broken[0] if broken else ''


def plant(bug: Bug, home: Path, look) -> dict:
    "A bug in a copy, what sees it, and the copy as it was."
    source = home / bug.path
    before = source.read_bytes()
    text = before.decode()
    source.write_bytes(text.replace(bug.there, bug.put).encode())
    for compiled in source.parent.glob(f'__pycache__/{source.stem}.*.pyc'):
        compiled.unlink()
    start = time.time()
    try:
        seen, by = look(home)
    finally:
        source.write_bytes(before)
    row = dict(name=bug.name, file=bug.path, there=bug.there, put=bug.put, chance=bug.chance)
    row |= dict(seen=seen, by=by, seconds=round(time.time() - start, 1))
    if bug.harmless:
        row |= dict(harmless=bug.harmless)
    return row


def line(row: dict) -> str:
    "What became of a bug, in one line."
    word = 'seen' if row['seen'] else 'SURVIVES'
    if 'harmless' in row:
        word = 'seen, called harmless' if row['seen'] else 'harmless'
    said = row['by'] or row.get('harmless', '')
    return f'{word:9} {row["name"]:44} {row["seconds"]:6.1f} s  {said}'


def planted(bugs: list[Bug], looks: list, jobs: int) -> list[dict]:
    "All bugs, several at a time, each in a copy of its own."
    rows = []
    free = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        for job in range(jobs):
            free.put(copy_of(ROOT, Path(folder) / str(job)))

        def one(bug, look):
            home = free.get()
            try:
                return plant(bug, home, look)
            finally:
                free.put(home)

        for row in pool.map(one, bugs, looks):
            print(line(row), flush=True)
            rows.append(row)
    return rows


def check_whole(looks: list) -> None:
    "End with an error where something fails without any bug: then nothing would be seen."
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(looks)) as pool:
        homes = [copy_of(ROOT, Path(folder) / str(job)) for job in range(len(looks))]
        for fails, by in pool.map(lambda look, home: look(home), looks, homes):
            if fails:
                sys.exit(f'error: without any bug this fails: {by}')


def by_tests(bugs: list[Bug], jobs: int) -> list[dict]:
    "What the tests see."
    every = sorted({test for bug in bugs for test in bug.nodes})
    parts = [every[job::jobs] for job in range(jobs) if every[job::jobs]]
    check_whole([lambda home, part=part: tested(home, part, None) for part in parts])
    looks = [lambda home, bug=bug: tested(home, bug.nodes) for bug in bugs]
    return planted(bugs, looks, jobs)


def by_promises(bugs: list[Bug], jobs: int, runs: int, seed: int) -> list[dict]:
    "What the table of promises sees."
    bugs = [bug for bug in bugs if bug.chance]

    def look(home):
        return promised(home, runs, seed)

    check_whole([look])
    return planted(bugs, [look] * len(bugs), jobs)


def about() -> dict:
    "When, and with what."
    versions = {name: version(name) for name in LIBRARIES}
    return dict(date=date.today().isoformat(), python=platform.python_version(), versions=versions)


def keep(out: Path, part: str, rows: list[dict]) -> None:
    "Write one part of the results, `tests` or `promises`, in the order of the list; what was not planted now stays."
    kept = json.loads(out.read_text(encoding='utf-8')) if out.is_file() else {}
    known = {row['name']: row for row in kept.get(part, {}).get('bugs', [])}
    known |= {row['name']: row for row in rows}
    current = {(bug.name, bug.path, bug.there, bug.put) for bug in BUGS}
    ordered = [known[bug.name] for bug in BUGS if bug.name in known]
    left = [row for row in ordered if (row['name'], row['file'], row['there'], row['put']) in current]
    kept |= {part: about() | dict(bugs=left)}
    out.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + '\n', encoding='utf-8')


def summary(rows: list[dict], what: str) -> str:
    "How many of how many are seen."
    counted = [row for row in rows if 'harmless' not in row]
    seen = sum(row['seen'] for row in counted)
    names = ', '.join(row['name'] for row in counted if not row['seen'])
    left = f'; not: {names}' if names else ''
    return f'{what} {seen} of {len(counted)} bugs{left}; {len(rows) - len(counted)} harmless ones'


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--only', nargs='+', metavar='NAME', help='these bugs alone')
    parser.add_argument('--list', action='store_true', help='name them, and plant none')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='so many at a time')
    parser.add_argument('--promises', action='store_true', help='ask the table of promises')
    parser.add_argument('--runs', type=int, default=RUNS, help='of each promise')
    parser.add_argument('--seed', type=int, default=0, help='of the promises')
    parser.add_argument(
        '--out', type=Path, help='write what became of each there, as JSON; with --only the others stay'
    )
    asked = parser.parse_args()
    unknown = set(asked.only or ()) - {bug.name for bug in BUGS}
    if unknown:
        parser.error(f'there is no bug {", ".join(sorted(unknown))}; --list names them')
    return asked


def main() -> int:
    asked = arguments()
    bugs = [bug for bug in BUGS if not asked.only or bug.name in asked.only]
    wrong = wrong_list(bugs)
    if wrong:
        sys.exit('error: the list is not current\n' + '\n'.join(wrong))
    if asked.list:
        for bug in bugs:
            print(f'{bug.name:44} {bug.path:42} {bug.there!r} -> {bug.put!r}')
        return 0
    if asked.promises:
        rows = by_promises(bugs, asked.jobs, asked.runs, asked.seed)
        print(summary(rows, 'the table of promises is broken by'))
    else:
        rows = by_tests(bugs, asked.jobs)
        print(summary(rows, 'the tests see'))
    if asked.out:
        keep(asked.out, 'promises' if asked.promises else 'tests', rows)
    survive = [row for row in rows if not row['seen'] and 'harmless' not in row]
    allowed = (1 - ENOUGH) * len(rows) if asked.promises else 0
    return int(len(survive) > allowed)


if __name__ == '__main__':
    sys.exit(main())
