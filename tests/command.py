"The `conflare` command: as a process of its own, or, where its start is not what is tested, in this one."

import io, json, os, subprocess, sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch
from conflare_nb.cli import main

ROOT = Path(__file__).resolve().parents[1]
ENV = {**os.environ, 'HF_HUB_OFFLINE': '1', 'OMP_WAIT_POLICY': 'PASSIVE', 'PYTHONPATH': str(ROOT)}


def conflare(*args, cwd=None):
    return subprocess.run(
        [sys.executable, '-m', 'conflare_nb', *map(str, args)],
        cwd=cwd,
        env=ENV,
        capture_output=True,
        text=True,
        timeout=600,
    )


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


def small_folder(d):  # with documents in docs, and nine questions in q.jsonl
    docs = d / 'docs'
    docs.mkdir()
    (docs / 'pen.md').write_text(
        '# Insulin pen\n## Storage\nUnopened pens go in the fridge. A pen in use keeps 28 days at room temperature.\n'
    )
    (docs / 'pool.html').write_text(
        '<title>Pool</title><p>The pool opens at 7 on weekdays and at 9 on Sundays.</p>'
    )
    (docs / 'bus.txt').write_text('Children under six travel free. Dogs need a ticket.')
    rows = [
        ('How long does an opened pen keep?', '28 days'),
        ('Where do new pens go?', 'in the fridge'),
        ('When can I swim on Sunday?', 'at 9'),
        ('Is the bus free for my 5 year old?', 'travel free'),
        ('what about my dog', 'Dogs need a ticket'),
        ('When does it open on weekdays?', 'at 7'),
        ('May a pen stay warm?', 'room temperature'),
        ('Fare for a toddler?', 'travel free'),
        ('swimming at 7?', 'at 7'),
    ]
    (d / 'q.jsonl').write_text('\n'.join(json.dumps(dict(question=q, answer=a)) for q, a in rows))
    return d
