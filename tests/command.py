"The `conflare` command as a process of its own."
import os, subprocess, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENV = {**os.environ, 'HF_HUB_OFFLINE': '1', 'OMP_WAIT_POLICY': 'PASSIVE', 'TQDM_DISABLE': '1', 'PYTHONPATH': str(ROOT)}

def conflare(*args, cwd=None, input=''):
    return subprocess.run([sys.executable, '-m', 'conflare_nb', *map(str, args)], cwd=cwd, env=ENV, capture_output=True, text=True, timeout=600, input=input)
