"What the explorers compute in the browser is what Python computes: the modules of js/, run by node, row by row."

import json, math, shutil, subprocess
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import groupby, product
from pathlib import Path
import numpy as np, pytest
from scipy.stats import beta, betabinom
from conflare_nb import Alpha, Distance, Hybrid, Rank, calibrate_answers, calibration_size
from conflare_nb import conformal_quantile, conformal_rank
from conflare_nb.answers.quotes import marked_parts
from conflare_nb.conformal.clusters import Band
from conflare_nb.conformal.movable import Movable
from conflare_nb.conformal.two_steps import Rule
from conflare_nb.evidence.planning import PLANNED
from conflare_nb.show.alpha import ExplorerView
from conflare_nb.show.lottery import _chance, _mix, coverage_lottery
from conflare_nb.show.page import page_alpha, score_words
from conflare_nb.show.planner import sample_plan
from conflare_nb.show.sets import answer_set_view
from conflare_nb.traq.alpha_split import set_measures, tabulate
from conflare_nb.traq.sets import answer_set
import exercises
from sampled import sampled_question

ENDLESS = ('Infinity', '-Infinity')
SCRIPTS = Path(__file__).resolve().parents[2] / 'js'
NODE = """
import { readFileSync } from 'node:fs';
const { folder, calls } = JSON.parse(readFileSync(0, 'utf8'));
const load = name => import(`${folder}/${name}.js`);
const { coverageLaw } = await load('chance');
const law = (n, alpha, m, shares) => {
  const { k, mean, quantile, cdf } = coverageLaw(n, alpha, m);
  return { k, mean, quantiles: shares.map(quantile), cdf: shares.map(cdf) };
};
const { tying: ties } = await load('lottery');
const tying = (world, n, alpha) => {
  const m = world.length - n;
  return ties(world.map(s => s ?? Infinity), coverageLaw(n, alpha, m), m);
};
const form = await load('exercise');
const replied = (exercise, text) => {
  const place = exercise.choices.indexOf(text);
  const number = exercise.choices.length ? (place < 0 ? null : place) : form.read(text);
  return [number, form.replyTo(exercise, number).words];
};
const own = { law, tying, replied };
const answers = [];
for (const [module, name, rows] of calls) {
  const call = own[name] ?? (await load(module))[name];
  answers.push(rows.map(row => call(...row)));
}
console.log(JSON.stringify(answers, (_, value) => Math.abs(value) === Infinity ? `${value}` : value));
"""
node = shutil.which('node')
if not node:
    pytest.skip('node is not installed', allow_module_level=True)

# fmt: off
ALPHAS = [0.001, 0.01, 0.05, 0.1, 0.123456789, 0.2, 0.25, 0.3, 1/3, 2/7, 299/10_000, 0.1+0.2, 0.5,
          0.9, 0.999, 1e-9, 1e-12, 1-1e-12]
SHARES = [0.001, 0.05, 0.1, 0.4, 0.85, 0.95, 0.999]
SHAPES = list(product((1, 2, 9, 90, 951), (1, 3, 10, 100)))
LAWS = list(product((1, 9, 20, 99, 500, 1000), (0.01, 0.1, 0.3, 0.5), (0, 37, 544)))
TYPED = {'.1': 0.1, ' 0.05 ': 0.05, '1/3': 1/3, ' 2 / 7 ': 2/7, '.3333333333333333': 0.333333333,
         '': None, 'x': None, '1/0': np.inf, '1e-3': 0.001, '-1/3': None}
WISHES = list(product((0.01, 0.05, 0.1, 1/3, 0.5), (0.02, 0.05, 0.2), (0.2, 0.1, 0.01), (False, True)))
PLANS = [(a, e, d, s) for a in (0.01, 0.1, 0.135, 1/3, 0.5) for e, d in ((0.02, 0.2), (0.2, 0.01)) for s in (0.1, 0.6)]
NUMBERS = [0, 1, 2, 3, 41, 2**16, 2**31-1, 2**31, 2**32-1]
WORLDS = [np.r_[np.zeros(392), np.arange(1, 153)], np.r_[np.arange(400), [400]*144],
          np.r_[np.arange(300), [np.inf]*60], np.arange(200), np.repeat(np.arange(100), 2)]
SETS = list(product((5, 20, 50, 150), (0.05, 0.1, 0.3, 0.5)))
BANDS = [(0, 1), (0.6449, 1), (0.8484, 0.9448), (0.82, 0.95), (0.29, 0.5), (0.8, 0.9991)]
FOUND = [(*band, tied) for band in BANDS for tied in (True, False)] + [(None, None, False)]
SPOKEN = 'Dry \U0001f48a\U0001f3fd! Take 1. \U0001d54f e\u0301 it?'
SPOKEN = [dict(text=SPOKEN, sentences=s) for s in ([], [[0, 7, 0.5], [8, 15, 0.1], [16, 23, 0.25]])]
STARTS = [(0, 0), (0, 5), (7, 0), (7, 123), (2**31, 4)]
SCORES = [  # finite ones, infinite ones, what they are scores of
    ([0.1, 0.25, 0.5, 0.7], 0), ([0.1, 0.25, 0.5], 9), ([], 3), (list(np.arange(99)/100), 1),
    ([0.0]*60 + [0.75, 2.5, 2.5, 9.25], 2, Hybrid()), ([1.0]*30 + [2.0, 2.0, 40.0], 0, Rank()),
    ([0.0, 0.5], 0, Hybrid()),
]
# fmt: on


def common(scores, infinite, score=None) -> dict:
    "What views over alpha have, made of plain numbers."
    n = len(scores) + infinite
    low, high = np.arange(n) / (2 * n), np.arange(1, n + 1) / n
    made = dict(scores=np.array(scores), infinite=infinite, score=score or Distance())
    return made | dict(low=np.round(low, 3), high=np.round(high, 3), moved=Movable(0.05, 0.4))


def explorer_of(scores, *rest) -> ExplorerView:
    made, ks = common(scores, *rest), np.sort(np.arange(1, len(scores) + 1) % 7 + 1)
    known = dict(query='?', chunks=[], answer_ranks=None, outside=0, top_k=5, ks=ks.tolist())
    chunk_scores = np.sort(np.r_[np.arange(700 - len(scores)) / 70, scores])
    return ExplorerView(**made, **known, lengths=np.arange(701) * 9000 // 700, chunk_scores=chunk_scores)


def question_of(i: int) -> ExplorerView:
    "One of some questions under the same scores, with chunks in common."

    def chunk(j):
        words = dict(id=f'c{j}', title='T', heading='', page=None, text=f'Text {j}.', tokens=j, start=j)
        return dict(**words, score=j / 7, distance=j / 9, p_value=1 / (j + 1), answers=j == i)

    chunks = list(map(chunk, range(i, i + 5)))
    return replace(VIEWS[0], query=f'Question {i}', answer_ranks=[i + 1], chunks=chunks)


VIEWS = [explorer_of(*s) for s in SCORES]
FIVE = [(0,), (0, 2), (3, 0, 1, 3, 9)]
PAGES = [list(map(question_of, some)) for some in FIVE]
N = 39
CAL = calibrate_answers([sampled_question(i) for i in range(N)])
TABLE = tabulate([sampled_question(i) for i in range(N, 100)])
ASKED = [sampled_question(i) for i in range(100, 106)]
SPLITS = [((b + 0.5) / (N + 1), m / b) for b in range(1, 21) for m in range(b + 1)]
SPLITS += list(product(np.linspace(0.01, 0.5, 50).tolist(), (0.05, 0.35, 0.5, 0.85)))


def law(n, alpha, m):
    "The Beta law of coverage, or the beta-binomial one among m others; nothing beyond k = n."
    k = int(conformal_rank(n, alpha))
    if k > n:
        return dict(k=k, mean=1, quantiles=[1] * len(SHARES), cdf=[0] * len(SHARES))
    exact = betabinom(m, k, n + 1 - k) if m else beta(k, n + 1 - k)
    at = np.floor(np.array(SHARES) * m + 1e-9) if m else SHARES
    quantiles = exact.ppf(SHARES) / (m or 1)
    return dict(k=k, mean=k / (n + 1), quantiles=quantiles, cdf=exact.cdf(at))


def sizes(a, e, d, both):
    first, n = (calibration_size(page_alpha(a), e, d, both, lasting) for lasting in (False, True))
    return dict(first=first, n=n)


def plans(a, e, d, s):
    rows = [sample_plan(a, e, d, guarantee=name, share=s).row for name in PLANNED]
    return {row.name: dict(finite=row.finite, n=row.worthwhile) for row in rows}


@cache
def means(rule):
    return set_measures(TABLE, np.arange(len(TABLE)), CAL, rule)


def kept_set(i, alpha, share):
    rule, q = Rule('ranks', N, alpha, share), ASKED[i]
    found, (tau, count) = answer_set(q, CAL, rule), CAL.thresholds(rule)
    ids = [p.id for p in q.pool]

    def answer(a):
        right = replace(found, answers=(a,)).covers(q.references)
        passages = [ids.index(name) for name in a.passages]
        shown = dict(text=a.shown, count=a.count, share=a.share, p=a.p, said=...)
        return dict(**shown, passages=passages, right=right)

    shown = dict(answers=list(map(answer, found.answers)), asked=len(found.asked), count=count)
    shown |= dict(tau=round(tau, 4), unbounded=bool(found.unbounded), expected=means(rule))
    return shown | dict(ranks=[round(level * (N + 1)) for level in rule.levels])


def band_words(low, high, tied=None):
    if tied is None and (low, high) == (0, 1):
        low = None
    return str(Band(np.nan if low is None else low, high, high == 1 if tied is None else tied))


def plain(world):  # as a page holds it
    return [None if np.isinf(score) else float(score) for score in world]


def pieces(chunk, alpha):
    spans = [(start, end) for start, end, p in chunk['sentences'] if p > alpha]
    parts = marked_parts(chunk['text'], spans)
    return [part if isinstance(part, str) else part.children[0] for part in parts]


def at_each(views):
    "(view, alpha) -> what a page asks; and what the view says."
    cases = list(product(views, ALPHAS))
    return cases, lambda v, a: (v.state(), a), lambda v, a: v.at(a)


def same(*args):
    return args


RANKS = list(product((*range(401), 999, 1000, 9999, 123_456, 1_000_000), ALPHAS))
SOME = [(page, most) for page in PAGES for most in (2, 40)]
MEASURES = [score_words(s) for s in (Distance(), Rank(), Hybrid())]
BESIDE = list(product(MEASURES, (0, 0.5, 1.2, 3, 9.5)))
LOGS = dict(zip((0, 0.5, 1.2, 3, 9.5), ('best chunk', *map('share {}%'.format, (61, 30, 5, 0.0075)))))
SET_STATE = answer_set_view(ASKED, CAL, TABLE).state()

# the intervals of readers, more and more of them; what is said of one; and how it was typed
GUESSES = np.random.default_rng(3).integers(-20, 20, (60, 3)).tolist()
GUESSES = {str(i): dict(low=a, high=a + abs(b) + 1, truth=c / 4) for i, (a, b, c) in enumerate(GUESSES)}
OWN = [dict(list(GUESSES.items())[:n]) for n in range(61)]
SAID = {
    ('%', 80, 90): 'It is 85.1%. Your interval, 80% to 90%, covers it. So.',
    ('', 85.1, 90): 'It is 85.1. Your interval, 85.1 to 90, covers it. So.',
    ('chunks', -2.5, 0.25): 'It is 85.1. Your interval, -2.5 to 0.25, misses it: too low. So.',
    ('%', 90, 95): 'It is 85.1%. Your interval, 90% to 95%, misses it: too high. So.',
}


def own_coverage(kept):
    widths = [p['high'] - p['low'] for p in kept.values()]
    misses = [max(p['low'] - p['truth'], p['truth'] - p['high']) for p in kept.values()]
    scores = [miss / width for miss, width in zip(misses, widths)]
    found = dict(n=len(scores), covered=sum(score <= 0 for score in scores))
    place = int(conformal_rank(len(scores), 0.1))
    return found | dict(place=place, widening=float(conformal_quantile(scores, 0.1)))


MEANT = {('.8', '9', ''): [0.8, 9], ('x', '9', '%'): None, ('-1', '1', '%'): [-100, 100]}
MEANT |= {('.8', '90%', '%'): [80, 90], ('0,57', '.9', '%'): [57, 90]}
MEANT |= {('57%', '58.5', '%'): [57, 58.5], ('.8', '90', '%'): [0.8, 90]}

# what is asked: module, function, cases, (case) -> arguments of the script, (case) -> what Python says
CASES = dict(
    rank=('rank', 'rank', RANKS, same, lambda n, a: int(conformal_rank(n, page_alpha(a)))),
    typed=('rank', 'levelOf', [(text,) for text in TYPED], same, TYPED.get),
    small=('rank', 'rank', [(2, t) for t in ('1/3', '.333333333')],
           lambda n, t: (n, float(Alpha(t))), lambda n, t: int(conformal_rank(n, Alpha(t)))),
    cdf=('chance', 'betaCdf', [(x, *s) for x in (0, *SHARES, 1) for s in SHAPES], same, beta.cdf),
    quantile=('chance', 'betaQuantile', [(p, *s) for p in SHARES for s in SHAPES], same, beta.ppf),
    law=('chance', 'law', LAWS, lambda *row: (*row, SHARES), law),
    sizes=('chance', 'sizesNeeded', WISHES, lambda a, e, d, both: (a, e, d/2 if both else d, both), sizes),
    plans=('planning', 'everyPlan', PLANS,
           lambda a, e, d, s: [dict(alpha=a, eps=e, delta=d, rarest=s, worth=s)], plans),
    mix=('chance', 'mix', [(x,) for x in NUMBERS], same, lambda x: int(_mix(np.array([x], dtype=np.uint32))[0])),
    tying=('lottery', 'tying', [(w, n, a) for w in WORLDS for n, a in SETS],
           lambda w, n, a: (plain(w), n, a), lambda w, n, a: coverage_lottery(n, a, 0, w).tied),
    band=('sliding', 'bandWords', BANDS, same, band_words),
    found_band=('sliding', 'foundBandWords', FOUND, same, band_words),
    explorer=('explorer', 'at', *at_each(VIEWS)),
    moved=('explorer', 'at', list(product(VIEWS, [a for a in ALPHAS if .05 <= a <= .4], [True])),
           lambda v, a, on: (v.state(), a, on), lambda v, a, on: v.at(a, on)),
    levels=('explorer', 'levels', list(product(VIEWS, (False, True))), lambda v, on: (v.state(), on), None),
    ks=('explorer', 'calibratedK', list(product(VIEWS, ALPHAS)),
        lambda v, a: (v.state(), a), lambda v, a: v.calibrated_k(a)),
    tops=('explorer', 'topOf', [(VIEWS[0], k) for k in (1, 5, 700, 10**6)],
          lambda v, k: (v.state(), k), lambda v, k: v.top(k)),
    every=('explorer', 'everyView', SOME,
           lambda views, most: [views[0].page(0.1, others=views[1:], most=most)],
           lambda views, most: [json.loads(json.dumps(v.state(most))) for v in views]),
    pieces=('explorer', 'pieces', list(product(SPOKEN, ALPHAS)), same, pieces),
    beside=('sliding', 'beside', BESIDE, same, lambda words, x: LOGS[x] if words['shares'] else ''),
    sets=('sets', 'at', [(i, *split) for split in SPLITS for i in range(len(ASKED))],
          lambda *case: (SET_STATE, *case), kept_set),
    replied=('exercise', 'replied', exercises.TYPED, lambda e, text: (e.exercise, text),
             lambda e, text: [exercises.READ.get(text, ...), e.check(exercises.READ.get(text, text))]),
    own=('prediction', 'yourCoverage', [(kept,) for kept in OWN], same, own_coverage),
    verdict=('prediction', 'verdict', list(SAID),
             lambda unit, *ends: (dict(truth=85.1, unit=unit, said='So.'), ends), lambda *t: SAID[t]),
    meant=('prediction', 'meant', list(MEANT), lambda *t: (t[:-1], t[-1]), lambda *t: MEANT[t]),
    shown=('rank', 'levelText', [(q,) for q in range(2, 60)], lambda q: [float(page_alpha(1/q))], None),
    starting=('chance', 'starting', STARTS, same, None),
)  # fmt: skip


@pytest.fixture(scope='module')
def computed() -> dict:  # answers by the name of the question
    asked = [(*c[:2], [c[3](*case) for case in c[2]]) for c in CASES.values()]
    asked = json.dumps(dict(folder=SCRIPTS.as_uri(), calls=asked))
    command = [node, '--input-type=module', '-e', NODE]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding='utf-8')
    assert done.returncode == 0, done.stderr
    return dict(zip(CASES, json.loads(done.stdout)))


def agree(got, want):
    "The script says what Python says: of a dict all that it gives, numbers to 1e-9, texts and places exactly."
    if want is ...:  # not compared
        return
    if isinstance(got, dict):
        assert got and set(got) <= set(want)
        for key in got:
            agree(got[key], want[key])
    elif isinstance(got, list):
        assert len(got) == len(want)
        for one, other in zip(got, want):
            agree(one, other)
    elif isinstance(got, (bool, str, type(None))) and got not in ENDLESS:
        assert got == want or got is want is None
    else:
        assert math.isclose(float(got), want, rel_tol=1e-9, abs_tol=1e-9), (got, want)


@pytest.mark.parametrize('name', [name for name, case in CASES.items() if case[4]])
def test_the_script_says_what_python_says(computed, name):
    *_, cases, _, python = CASES[name]
    want = [python(*case) for case in cases]
    assert any(each != want[0] for each in want)
    agree(computed[name], want)


def test_fractions_are_exact_on_both_sides(computed):
    for q, text in enumerate(computed['shown'], 2):
        assert Alpha(text).exact == page_alpha(1 / q).exact == Fraction(1, q)


def test_the_slider_stops_once_for_each_place_of_the_line(computed):
    for (view, slides), stops in zip(CASES['levels'][2], computed['levels']):
        place = lambda alpha: [view.at(alpha, slides)[name] for name in ('qhat', 'chunks')]
        places = map(place, np.linspace(*((0.4, 0.05) if slides else (0.5, 1e-9)), 700))
        some = [each for each, _ in groupby(places)]
        assert [place(stop['alpha']) for stop in stops] == some
        assert [[float(stop['qhat']), stop['chunks']] for stop in stops] == some


def test_draws(computed):
    def chance(start, i):
        step = np.uint32((i + 1) * 0x9E3779B1 % 2**32)
        return int(_mix(np.array([start], dtype=np.uint32) ^ step)[0])

    for (seed, draw), start in zip(STARTS, computed['starting']):
        assert [chance(start, i) for i in range(5)] == _chance(seed, draw + 1, 5)[draw].tolist()
