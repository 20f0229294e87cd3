"""What a process needs before it has done anything: `python benchmarks/start.py [times]`.

Each line is a program of its own, with an empty cache folder, run in turn with the others; the median of its processor
seconds stands beside its ratio to `import torch`, which nothing here waits for until a text is embedded.
"""

import os, resource, statistics, subprocess, sys, tempfile

GUIDE = 'kb, cal = sample_kb(), sample_calibration()\nr = ConformalRetriever(kb, cal, alpha=.1)\n'
PROGRAMS = {
    'import torch': 'import torch',
    'Python alone': 'pass',
    'import numpy': 'import numpy',
    'import conflare_nb': 'import conflare_nb',
    'import lancedb': 'import lancedb',
    "the guide's knowledge base": 'from conflare_nb import sample_kb; sample_kb()',
    'a question of the guide': f'from conflare_nb import *\n{GUIDE}r.retrieve(sample_questions()[0].text)',
    'a question of your own': f'from conflare_nb import *\n{GUIDE}r.retrieve("May a pen stay warm?")',
    'the five lines of the README': (
        'from conflare_nb import *\n'
        "kb = KnowledgeBase.create(cache_dir()/'guide', sample_documents(), progress=False)\n"
        'cal = calibrate_quotes(kb, sample_questions(), progress=False)\n'
        'quoter = Quoter(kb, cal, alpha=.1)\n'
        "quoter.quote('Heatwave coming and mum is on lithium. How much should she drink?')"
    ),
    'conflare demo': "from conflare_nb.app.cli import main; main(['demo'])",
}


def used() -> float:
    "Processor seconds of all programs that have ended."
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def cost(program: str) -> float:
    "Processor seconds of a program that begins with nothing kept."
    before = used()
    with tempfile.TemporaryDirectory() as home:
        ours = dict(CONFLARE_HOME=home, HF_HUB_OFFLINE='1')
        subprocess.run(
            [sys.executable, '-c', program], cwd=home, env=os.environ | ours, check=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
    return used() - before


def main(times: int = 5):
    costs = {name: [] for name in PROGRAMS}
    for _ in range(times):
        for name, program in PROGRAMS.items():
            costs[name].append(cost(program))
    torch = statistics.median(costs['import torch'])
    for name, seconds in costs.items():
        median = statistics.median(seconds)
        print(f'{name:30} {median:6.2f} s of processor {median / torch:6.2f} x torch')


if __name__ == '__main__':
    main(*map(int, sys.argv[1:]))
