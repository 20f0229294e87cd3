"What `make test` says at the end: the notebooks that failed, the steps that failed, and pytest's own last words."

import subprocess, sys
import check

SAID = """ValueError in /somewhere/nbs/documents/reading.ipynb:
===========================================================================

While Executing Cell #3:
Traceback (most recent call last):
  File "<ipython-input>", line 1, in <module>
ValueError: two
lines

AssertionError in /somewhere/nbs/conformal/two_steps.ipynb:
===========================================================================

While Executing Cell #5:
    assert alpha > 1
AssertionError
failed:
nbs/documents/reading.ipynb
nbs/conformal/two_steps.ipynb
nbs/show/slow.ipynb""".splitlines()


def test_failed_notebooks_are_listed_with_their_error():
    wrong = dict(zip(SAID[-3:], ('ValueError: two', 'AssertionError', 'without a word')))
    assert check.failures(SAID, list(wrong)) == wrong


def test_the_last_line_is_held_back(capfd):
    code, lines = check.told(sys.executable, '-c', 'print("one"); print("two"); raise SystemExit(3)', last=False)
    assert (code, lines, capfd.readouterr().out) == (3, ['one', 'two'], 'one\n')


def test_a_cheap_step_that_fails_ends_it_and_others_do_not(monkeypatch, capsys):
    ran = []

    def step(name, wrong):
        def work():
            ran.append(name)
            return wrong

        work.__doc__ = name
        return work

    lint, notebooks, pytest = step('lint', 'unclean'), step('notebooks', 'a, b'), step('pytest', '')
    monkeypatch.setattr(check, 'STEPS', dict(lint=lint, notebooks=notebooks, pytest=pytest))
    assert check.run(dict(notebooks=notebooks, pytest=pytest)) == {'notebooks': 'a, b'}
    monkeypatch.setattr(check, 'CHEAP', (lint,))
    assert check.run(check.STEPS) == {'lint': 'unclean'}
    assert ran == ['notebooks', 'pytest', 'lint']
    assert 'error: notebooks: a, b' in capsys.readouterr().out


def test_an_unknown_step_is_named():
    command = [sys.executable, check.ROOT / 'tools/check.py', '--quick', 'wheel']
    p = subprocess.run(command, capture_output=True, text=True)
    says = 'no step wheel; choose among lint, export, clean, notebooks, pytest'
    assert p.returncode == 2 and says in p.stderr
