"The `conflare` command: as a process of its own, or, where its start is not what is tested, in this one."
import io, os, subprocess, sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch
from conflare_nb.cli import main

ROOT = Path(__file__).resolve().parents[1]
ENV = {**os.environ, 'HF_HUB_OFFLINE': '1', 'OMP_WAIT_POLICY': 'PASSIVE', 'TQDM_DISABLE': '1', 'PYTHONPATH': str(ROOT)}

def conflare(*args, cwd=None):
    return subprocess.run([sys.executable, '-m', 'conflare_nb', *map(str, args)], cwd=cwd, env=ENV, capture_output=True, text=True, timeout=600)

def conflare_here(*args, input=''):
    "The same without the ten seconds in which a process loads its libraries."
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, 'stdin', io.StringIO(input)):
        try: code = main(list(map(str, args)))
        except SystemExit as e: code = e.code
    return subprocess.CompletedProcess(args, code, out.getvalue(), err.getvalue())
