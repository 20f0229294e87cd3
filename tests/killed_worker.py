"What tests/test_killed.py kills: a command that ends itself (SIGKILL) at its k-th step on a disk, before the step."

import os, signal, sys
from command import conflare_here  # loaded before the fork

STEPS = ('open', 'os.rename', 'os.remove', 'os.mkdir', 'os.rmdir')


def run(store, k, args, counted):
    "The command; k = 0 runs to its end and writes down how many steps it took."
    seen = 0

    def step(event, given):
        nonlocal seen
        if event not in STEPS or not str(given[0]).startswith(store):
            return
        if event == 'open' and not given[2] & (os.O_WRONLY | os.O_RDWR):
            return  # for reading
        seen += 1
        if seen == k:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)
    assert conflare_here(*args).returncode == 0
    if not k:
        with open(counted, 'w') as file:
            file.write(str(seen))
