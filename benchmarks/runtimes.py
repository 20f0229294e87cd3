"""The embedded model by llama.cpp and by PyTorch: `python benchmarks/runtimes.py [--times 5] [--out FILE]`.

Both read the same prompt (four examples, two passages and a question) and write up to 48 tokens of the likeliest reply, in
processes of their own and in turn, on all processors. *Start*: until the model could begin, imports included. *Read*, *write*:
tokens a second. *Whole*: tokens written a second from the start of the process to its end, which is what one question costs.
*Same*: words at the start of both replies that are the same, of *words*: PyTorch multiplies in 32 bits, llama.cpp in eight.
"""

import argparse, json, os, platform, resource, statistics, subprocess, sys, time
from datetime import date
from importlib.metadata import version
from pathlib import Path

OUT = Path(__file__).parent / 'results' / 'runtimes.json'
PASSAGES = (
    'An opened pen keeps for four weeks below 30 degrees. Do not put it back into the fridge.',
    'Take the tablets an hour before a meal, with a glass of water.',
)
QUESTION, TOKENS = 'How long does an opened pen keep?', 48


def once(runtime):
    "One reply in this process, as a JSON object."
    began = time.perf_counter()
    from conflare_nb.answers.rag import rag_prompt
    from conflare_nb.documents.cutting import Chunk
    from conflare_nb.models.load import load_llm

    settings = dict(dtype='float32') if runtime == 'PyTorch' else {}
    llm = load_llm('smollm2', **settings)
    prompt = rag_prompt(QUESTION, [Chunk(str(i), text=text) for i, text in enumerate(PASSAGES)])
    llm.generate(['Hello'], 1)  # loads it
    ready = time.perf_counter()
    pieces = llm.stream(prompt, TOKENS)
    reply = next(pieces)
    first = time.perf_counter()
    for piece in pieces:
        reply += piece
    ended = time.perf_counter()
    read, written = llm.count_tokens([prompt])[0], llm.count_tokens([reply])[0]
    print(
        json.dumps(
            dict(
                model=llm.name,
                start=ready - began,
                read=read / (first - ready),
                write=(written - 1) / (ended - first),
                tokens=[read, written],
                gib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
                reply=reply,
            )
        )
    )


def timed(runtime):
    "One process, with what it took as a whole."
    began = time.perf_counter()
    run = [sys.executable, __file__, '--once', runtime]
    found = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    return {**found, 'whole': found['tokens'][1] / (time.perf_counter() - began)}


def main(times, out):
    runs = {'PyTorch': [], 'llama.cpp': []}
    for runtime in runs:
        timed(runtime)  # what is made once is made now
    for _ in range(times):
        for runtime, found in runs.items():
            found.append(timed(runtime))
    median = {
        runtime: {
            name: round(statistics.median(run[name] for run in found), 2)
            for name in ('start', 'read', 'write', 'whole', 'gib')
        }
        for runtime, found in runs.items()
    }
    torch, llama = runs['PyTorch'][0], runs['llama.cpp'][0]
    versions = {p: version(p) for p in ('conflare_nb', 'torch', 'transformers', 'xllamacpp')}
    result = dict(
        date=date.today().isoformat(),
        machine=f'{platform.machine()}, {os.cpu_count()} processors',
        versions=versions,
        tokens=torch['tokens'],
        same=len(os.path.commonprefix([torch['reply'].split(), llama['reply'].split()])),
        words=len(torch['reply'].split()),
        median=median,
        ratio={k: round(median['llama.cpp'][k] / v, 2) for k, v in median['PyTorch'].items()},
    )
    out.write_text(json.dumps(result, indent=1) + '\n')
    print(json.dumps(result, indent=1))


if __name__ == '__main__':
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--times', type=int, default=5, help='replies of each (default: %(default)s)')
    p.add_argument('--out', type=Path, default=OUT, help='file to write')
    p.add_argument('--once', help=argparse.SUPPRESS)
    args = p.parse_args()
    once(args.once) if args.once else main(args.times, args.out)
