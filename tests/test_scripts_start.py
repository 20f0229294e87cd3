"Benchmarks, tools and records: each still finds in the package what it takes from it."

import os, subprocess, sys
from pathlib import Path
import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(path for folder in ('benchmarks', 'tools', 'records') for path in (ROOT / folder).glob('*.py'))
LOOK = 'import runpy, sys; sys.path.insert(0, sys.argv[2]); runpy.run_path(sys.argv[1], run_name="looked_at")'


@pytest.mark.nightly
@pytest.mark.parametrize('path', SCRIPTS, ids=lambda path: path.stem)
def test_a_script_starts(path):
    env = os.environ | {'PYTHONPATH': f'{ROOT}{os.pathsep}{ROOT / "tests"}'}
    typed = [sys.executable, '-W', 'ignore', '-c', LOOK, path, path.parent]
    run = subprocess.run(typed, capture_output=True, text=True, env=env, timeout=120, cwd=ROOT)
    assert run.returncode == 0, run.stderr[-2000:]
