"The `conflare` command: as a process of its own, or, where its start is not what is tested, in this one."

import io, json, os, subprocess, sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch
from conflare_nb.app.cli import main
from conflare_nb.app.folder import DocumentFolder

ROOT = Path(__file__).resolve().parents[1]
ENV = {**os.environ, 'HF_HUB_OFFLINE': '1', 'OMP_WAIT_POLICY': 'PASSIVE', 'PYTHONPATH': str(ROOT)}


def conflare(*args, cwd=None):
    command = [sys.executable, '-m', 'conflare_nb', *map(str, args)]
    return subprocess.run(command, cwd=cwd, env=ENV, capture_output=True, text=True, timeout=600)


def conflare_here(*args, input=''):
    "The same without the ten seconds in which a process loads its libraries."
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, 'stdin', io.StringIO(input)):
        try:
            code = main(list(map(str, args)))
        except SystemExit as e:
            code = e.code
    return subprocess.CompletedProcess(args, code, out.getvalue(), err.getvalue())


def words(r):
    "What a command said, without its line breaks."
    return ' '.join(r.stdout.split())


def measured(docs, store=None):
    "Where the newest of what was measured on a folder lies."
    return DocumentFolder(docs, store).measured


def done(*args, input=''):
    "What a command that succeeds said, without its line breaks."
    r = conflare_here(*args, input=input)
    assert r.returncode == 0, r.stderr
    return words(r)


def data(*args):
    "The one object that a command prints."
    r = conflare_here(*args, '--json')
    assert r.returncode == 0, r.stderr
    found = json.loads(r.stdout)
    assert found['command'] == args[0]
    return found


def errors(r):
    "The lines of errors, after warnings at most; none of them is unexpected or steers a terminal."
    lines = [line for line in r.stderr.splitlines() if line and not line.startswith('warning: ')]
    assert all(line.startswith('error: ') and 'unexpected' not in line for line in lines), lines
    assert not steering(r.stderr)
    return lines


def refused(says, *args):
    "A command ends with exit code 2 and one line, which says this."
    r = conflare_here(*args)
    (line,) = errors(r)
    assert r.returncode == 2 and says in line, line
    return r


def steering(text):
    return [c for c in text if not (c.isprintable() or c in '\n\r')]


def jsonl(path, rows):
    path.write_text('\n'.join(map(json.dumps, rows)), encoding='utf-8')
    return path


def read_jsonl(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


PAPERS = {
    'pen.md': '# Insulin pen\n## Storage\nUnopened pens go in the fridge. '
    'A pen in use keeps 28 days at room temperature.\n',
    'pool.html': '<title>Pool</title><p>The pool opens at 7 on weekdays and at 9 on Sundays.</p>',
    'bus.txt': 'Children under six travel free. Dogs need a ticket.',
}
ASKED = {
    'How long does an opened pen keep?': '28 days',
    'Where do new pens go?': 'in the fridge',
    'When can I swim on Sunday?': 'at 9',
    'Is the bus free for my 5 year old?': 'travel free',
    'what about my dog': 'Dogs need a ticket',
    'When does it open on weekdays?': 'at 7',
    'May a pen stay warm?': 'room temperature',
    'Fare for a toddler?': 'travel free',
    'swimming at 7?': 'at 7',
}


def with_questions(d, papers, asked):
    "A folder with documents in docs and their questions in q.jsonl."
    (d / 'docs').mkdir()
    for name, text in papers.items():
        (d / 'docs' / name).write_text(text)
    rows = [dict(question=question, answer=answer) for question, answer in asked.items()]
    jsonl(d / 'q.jsonl', rows)
    return d


def small_folder(d):
    return with_questions(d, PAPERS, ASKED)


def pens(d):
    asked = {f'How long may pen {i} stay warm?': '28 days' for i in range(9)}
    text = '# Pen\nIt keeps 28 days. New ones go in the fridge.\n'
    return with_questions(d, {'pen.md': text}, asked)
