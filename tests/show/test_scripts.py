"What the explorers compute in the browser is what Python computes: the modules of js/, run by node."

import json, shutil, subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
import numpy as np, pytest
from scipy.stats import beta, betabinom
from conflare_nb.conformal.clusters import Band
from conflare_nb.conformal.threshold import Alpha, calibration_size, conformal_rank
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance, Rank
from conflare_nb.documents.cutting import Chunk
from conflare_nb.documents.sentences import Sentence
from conflare_nb.answers.quotes import QuoteScore
from conflare_nb.show.alpha import _sentences_state, ExplorerView, SentencesView
from conflare_nb.show.lottery import _chance, _mix, coverage_lottery
from conflare_nb.show.page import SharedChunks, page_alpha, score_words
from conflare_nb.show.scores import _column_state, ScoreColumn
from conflare_nb.show.two_models import ModelView

SCRIPTS = Path(__file__).resolve().parents[2] / 'js'
ALPHAS = [
    0.001,
    0.01,
    0.05,
    0.1,
    0.123456789,
    0.2,
    0.25,
    0.3,
    1 / 3,
    2 / 7,
    299 / 10_000,
    0.1 + 0.2,
    0.5,
    0.9,
    0.999,
    1e-9,
    1e-12,
    1 - 1e-12,
]
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
const tying = (world, n, alpha) => ties(world.map(s => s ?? Infinity), coverageLaw(n, alpha, world.length - n), world.length - n);
const own = { law, tying };
const answers = [];
for (const [module, name, rows] of calls) {
  const call = own[name] ?? (await load(module))[name];
  answers.push(rows.map(row => call(...row)));
}
console.log(JSON.stringify(answers, (_, value) => value === Infinity ? 'inf' : value));
"""
node = shutil.which('node')
if not node:
    pytest.skip('node is not installed', allow_module_level=True)

SHARES = [0.001, 0.05, 0.1, 0.4, 0.85, 0.95, 0.999]
SHAPES = [(a, b) for a in (1, 2, 9, 90, 951) for b in (1, 3, 10, 100)]
LAWS = [(n, a, m) for n in (1, 9, 20, 99, 500) for a in (0.01, 0.1, 0.3, 0.5) for m in (0, 37, 544)]
TYPED = ['.1', ' 0.05 ', '1/3', ' 2 / 7 ', '.3333333333333333', '', 'x', '1/0', '1e-3', '-1/3']
WISHES = [
    (a, e, d, both)
    for a in (0.01, 0.05, 0.1, 1 / 3, 0.5)
    for e in (0.02, 0.05, 0.2)
    for d in (0.2, 0.1, 0.01)
    for both in (False, True)
]
NUMBERS = [0, 1, 2, 3, 41, 2**16, 2**31 - 1, 2**31, 2**32 - 1]
WORLDS = [
    np.r_[np.zeros(392), np.arange(1, 153)],
    np.r_[np.arange(400), [400] * 144],
    np.r_[np.arange(300), [np.inf] * 60],
    np.arange(200),
    np.repeat(np.arange(100), 2),
]
SETS = [(n, a) for n in (5, 20, 50, 150) for a in (0.05, 0.1, 0.3, 0.5)]
BANDS = [(0, 1), (0.6449, 1), (0.8484, 0.9448), (0.82, 0.95), (0.29, 0.5), (0.8, 0.9991)]
FOUND = [(*band, tied) for band in BANDS for tied in (True, False)] + [(None, None, False)]
STARTS = [(0, 0), (0, 5), (7, 0), (7, 123), (2**31, 4)]


def plain_scores(scores) -> list:
    "As a page holds them."
    return [None if np.isinf(score) else float(score) for score in scores]


def band(n: int) -> dict:
    "Ends of a band, as short as a page carries them."
    return dict(low=np.round(np.arange(n) / (2 * n), 3), high=np.round(np.arange(1, n + 1) / n, 3))


def explorer_of(scores: list, infinite: int, score=Distance()) -> ExplorerView:
    "A view made of plain numbers."
    n, found = len(scores) + infinite, np.arange(1, len(scores) + 1)
    return ExplorerView(
        query='?',
        score=score,
        scores=np.array(scores),
        infinite=infinite,
        within=3 * found,
        **band(n),
        chunk_scores=np.arange(5) / 5,
        chunks=(),
        answer_ranks=None,
        outside=0,
        lengths=np.arange(701) * 9000 // 700,
        ks=np.sort(found % 7 + 1),
        top_k=5,
    )


def sentences_of(scores: list, infinite: int, score=None) -> SentencesView:
    "The same for sentences; whoever's scores, they are looked for in the best chunks."
    n, found = len(scores) + infinite, np.arange(1, len(scores) + 1)
    return SentencesView(
        score=QuoteScore(),
        scores=np.array(scores),
        infinite=infinite,
        within=2 * found,
        **band(n),
        lengths=15 * np.arange(201),
        chunk_scores=np.arange(5) / 5,
        answer_ranks=(2,),
        sentences=(),
        p_values=(),
    )


def model_of(scores: list, infinite: int, score=Distance()) -> ModelView:
    "The same for one of two models."
    n, found = len(scores) + infinite, np.arange(1, len(scores) + 1)
    return ModelView(
        name='m',
        score=score,
        scores=np.array(scores),
        infinite=infinite,
        covered=np.round(found / (n + 1), 3),
        chunks=found * 1.5,
        **band(n),
        total=700,
        tested=40,
        coverable=0.9,
    )


SCORES = [
    ([0.1, 0.25, 0.5, 0.7], 0),
    ([0.1, 0.25, 0.5], 9),
    ([], 3),
    (list(np.arange(99) / 100), 1),
    ([0.0] * 60 + [0.75, 2.5, 2.5, 9.25], 2, Hybrid()),
    ([1.0] * 30 + [2.0, 2.0, 40.0], 0, Rank()),
    ([0.0, 0.5], 0, Hybrid()),
]
VIEWS = [make(*s) for make in (explorer_of, model_of) for s in SCORES]


def column_of(scores: list, infinite: int, answers: tuple | None) -> ScoreColumn:
    "One question under one score, with chunks on, between and beyond the calibration scores."
    values = np.sort([*scores, *(np.array(scores) + 0.01), 0, 0.3, 2])
    return ScoreColumn(
        np.array(scores), infinite, values, 10 * np.arange(1, len(values) + 1), answers, ()
    )


def score_of(column: ScoreColumn) -> dict:
    "What a page knows of the score itself."
    return dict(n=column.n, scores=column.scores.tolist())


SENTENCES = [sentences_of(*s) for s in SCORES]
PLACED = dict(
    low=[0],
    high=[1],
    quoted=[0.5, 0.2, 0.1],
    chunks=[dict(id='a', text='One. Two.'), dict(id='b', text='Three.')],
    sentences=dict(
        chunk_scores=[0, 1, 2],
        answer_ranks=[2],
        passages=[1, dict(id='c', text='Four.'), 0],
        places=[[2, 5, 9], [0, 0, 6], [1, 0, 5]],
    ),
)


def question_of(i: int, marked: bool) -> ExplorerView:
    "One of some questions under the same scores, with chunks in common, and with sentences or without."
    chunks = [
        dict(
            id=f'c{j}',
            title='T',
            heading='',
            page=None,
            text=f'Text {j}.',
            tokens=j,
            score=j / 7,
            distance=j / 9,
            p_value=1 / (j + 1),
            answers=j == i,
        )
        for j in range(i, i + 5)
    ]
    if not marked:
        return replace(VIEWS[0], query=f'Question {i}', chunks=tuple(chunks), answer_ranks=(i + 1,))
    held = [
        Chunk(c['id'], text=c['text'], tokens=c['tokens'])
        for c in (*chunks, dict(id=f'far{i}', text='Far.', tokens=9))
    ]
    sentences = replace(
        sentences_of(*SCORES[0]),
        sentences=tuple(Sentence(c, 0, 0, 4) for c in held),
        p_values=tuple(np.linspace(1, 0.1, 6)),
    )
    return replace(
        VIEWS[0],
        query=f'Question {i}',
        chunks=tuple({**c, 'sentences': [[0, 4, 0.5]]} for c in chunks),
        answer_ranks=(i + 1,),
        sentences=sentences,
    )


PAGES = [
    [question_of(i, marked) for i in some]
    for marked in (False, True)
    for some in ((0,), (0, 2), (3, 0, 1, 3, 9))
]

COLUMNS = [column_of(*s[:2], answers) for s in SCORES for answers in (None, (), (3, 5))]


@pytest.fixture(scope='module')
def computed() -> dict:  # answers by the name of the question
    "Everything that these tests ask, answered by one process."
    calls = dict(
        rank=('rank', 'rank', [(n, a) for n in range(401) for a in ALPHAS]),
        typed=('rank', 'levelOf', [(text,) for text in TYPED]),
        shown=('rank', 'levelText', [(float(page_alpha(1 / q)),) for q in range(2, 60)]),
        small=('rank', 'rank', [(2, float(Alpha(text))) for text in ('1/3', '.333333333')]),
        cdf=('chance', 'betaCdf', [(x, *shape) for x in [0, *SHARES, 1] for shape in SHAPES]),
        quantile=('chance', 'betaQuantile', [(p, *shape) for p in SHARES for shape in SHAPES]),
        law=('chance', 'law', [(*law, SHARES) for law in LAWS]),
        sizes=(
            'chance',
            'sizesNeeded',
            [(a, e, d / 2 if both else d, both) for a, e, d, both in WISHES],
        ),
        mix=('chance', 'mix', [(x,) for x in NUMBERS]),
        tying=('lottery', 'tying', [(plain_scores(w), n, a) for w in WORLDS for n, a in SETS]),
        band=('sliding', 'bandWords', BANDS),
        found_band=('sliding', 'foundBandWords', FOUND),
        starting=('chance', 'starting', STARTS),
        explorer=('explorer', 'at', [(v.state(), a) for v in VIEWS[: len(SCORES)] for a in ALPHAS]),
        ks=(
            'explorer',
            'calibratedK',
            [(v.state(), a) for v in VIEWS[: len(SCORES)] for a in ALPHAS],
        ),
        tops=('explorer', 'topOf', [(VIEWS[0].state(), k) for k in (1, 5, 700, 10**6)]),
        sentences=(
            'explorer',
            'at',
            [
                (_sentences_state(v, [], dict(low=(), high=())), a)
                for v in SENTENCES
                for a in ALPHAS
            ],
        ),
        placed=('explorer', 'sentencesOf', [(PLACED,)]),
        every=(
            'explorer',
            'everyView',
            [
                (first.page(0.1, 'chunks', others=rest, most=most),)
                for first, *rest in PAGES
                for most in (2, 40)
            ],
        ),
        within=(
            'sliding',
            'withinRank',
            [(v.state(), k) for v in VIEWS[: len(SCORES)] for k in range(1, v.n + 2)],
        ),
        shares=(
            'sliding',
            'beside',
            [
                (score_words(s), x)
                for s in (Distance(), Rank(), Hybrid())
                for x in (0, 0.5, 1.2, 3, 9.5)
            ],
        ),
        scores=(
            'scores',
            'kept',
            [(score_of(c), _column_state(c, SharedChunks()), a) for c in COLUMNS for a in ALPHAS],
        ),
        models=('models', 'at', [(v.state(), a) for v in VIEWS[len(SCORES) :] for a in ALPHAS]),
    )
    asked = json.dumps(dict(folder=SCRIPTS.as_uri(), calls=list(calls.values())))
    command = [node, '--input-type=module', '-e', NODE]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding='utf-8')
    assert done.returncode == 0, done.stderr
    return dict(zip(calls, json.loads(done.stdout)))


def test_ranks(computed):
    assert computed['rank'] == [
        int(conformal_rank(n, page_alpha(a))) for n in range(401) for a in ALPHAS
    ]


def test_the_beta_law(computed):
    cdf = [beta.cdf(x, *shape) for x in [0, *SHARES, 1] for shape in SHAPES]
    assert np.allclose(computed['cdf'], cdf, rtol=1e-9, atol=1e-12)
    quantiles = [beta.ppf(p, *shape) for p in SHARES for shape in SHAPES]
    assert np.allclose(computed['quantile'], quantiles, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize('i', range(len(LAWS)))
def test_the_law_of_coverage(computed, i):
    (n, a, m), got = LAWS[i], computed['law'][i]
    k = int(conformal_rank(n, a))
    assert got['k'] == k
    if k > n:
        assert (got['mean'], set(got['quantiles']), set(got['cdf'])) == (1, {1}, {0})
        return
    law = betabinom(m, k, n + 1 - k) if m else beta(k, n + 1 - k)
    assert got['mean'] == pytest.approx(k / (n + 1))
    assert np.allclose(got['quantiles'], law.ppf(SHARES) / (m or 1), atol=1e-9)
    assert np.allclose(
        got['cdf'], law.cdf(np.floor(np.array(SHARES) * m + 1e-9) if m else SHARES), atol=1e-9
    )


def test_levels_are_read_as_they_are_meant(computed):
    "A fraction that is typed, or that Python wrote into the page, is exact on both sides; else nine decimals count."
    assert computed['typed'][:5] == [0.1, 0.05, 1 / 3, 2 / 7, 0.333333333]
    assert computed['typed'][5:] == [None, None, 'inf', 0.001, None]  # no level, or none that fits
    assert computed['small'] == [2, 3]
    assert computed['small'] == [
        int(conformal_rank(2, Alpha(text))) for text in ('1/3', '.333333333')
    ]
    for q, text in enumerate(computed['shown'], 2):
        assert Alpha(text).exact == page_alpha(1 / q).exact == Fraction(1, q)


def test_how_many_questions(computed):
    size = lambda lasting: [
        calibration_size(page_alpha(a), e, d, both, lasting) for a, e, d, both in WISHES
    ]
    assert [s['first'] for s in computed['sizes']] == size(False) and [
        s['n'] for s in computed['sizes']
    ] == size(True)


def test_chance(computed):
    assert computed['mix'] == _mix(np.array(NUMBERS, dtype=np.uint32)).tolist()


def test_where_scores_tie(computed):
    got = iter(computed['tying'])
    expected = [coverage_lottery(n, a, 0, w).tied for w in WORLDS for n, a in SETS]
    assert list(got) == expected and 5 < sum(expected) < len(expected) - 5


def test_bands_in_words(computed):
    for (low, high), words in zip(BANDS, computed['band']):
        assert words == str(
            Band(*((np.nan, np.nan) if (low, high) == (0, 1) else (low, high)), tied=high == 1)
        )
    for (low, *rest), words in zip(FOUND, computed['found_band']):
        low = np.nan if low is None else low
        assert words == str(Band(low, *rest))


def test_draws(computed):
    chance = lambda start, i: int(
        _mix(np.array([start], dtype=np.uint32) ^ np.uint32((i + 1) * 0x9E3779B1 % 2**32))[0]
    )
    for (seed, draw), start in zip(STARTS, computed['starting']):
        assert [chance(start, i) for i in range(5)] == _chance(seed, draw + 1, 5)[draw].tolist()


def same(got: dict, said: dict):
    "Every number that the script gives is the view's; it gives no others."
    assert {k: np.inf if v == 'inf' else v for k, v in got.items()} == {k: said[k] for k in got}


@pytest.mark.parametrize(
    'name, views', [('explorer', VIEWS[: len(SCORES)]), ('models', VIEWS[len(SCORES) :])]
)
def test_what_is_shown_at_an_alpha(computed, name, views):
    said = [view.at(a) for view in views for a in ALPHAS]
    for got, at in zip(computed[name], said):
        same(got, at)


def test_top_k_of_the_same_ranking(computed):
    views = VIEWS[: len(SCORES)]
    ks = [view.calibrated_k(a) for view in views for a in ALPHAS]
    assert [np.inf if k == 'inf' else k for k in computed['ks']] == ks
    assert np.inf in ks and len(set(ks)) > 5
    for got, k in zip(computed['tops'], (1, 5, 700, 10**6)):
        same(got, views[0].top(k))


def test_sentences_at_an_alpha(computed):
    said = [view.at(a) for view in SENTENCES for a in ALPHAS]
    assert any(at['low'] is None for at in said)
    for got, at in zip(computed['sentences'], said):
        same(got, at)


def test_sentences_find_their_passages(computed):
    (view,) = computed['placed']
    assert [
        (c['id'], c['text'][c['start'] : c['end']], c['score'], c['p_value'], c['answers'])
        for c in view['chunks']
    ] == [
        ('a', 'Two.', 0, 0.5, False),
        ('b', 'Three.', 1, 0.2, True),
        ('c', 'Four.', 2, 0.1, False),
    ]
    assert (view['low'], view['high'], view['unit']) == ([0], [1], 'sentence')


def test_every_question_of_a_page_is_whole(computed):
    want = [[view.state(most) for view in views] for views in PAGES for most in (2, 40)]
    assert computed['every'] == json.loads(json.dumps(want)) and len(want[-1]) == 5


def test_equal_scores_lie_within_together(computed):
    within = lambda v, k: int((v.scores <= v.scores[k - 1]).sum()) if k <= v.scores.size else v.n
    assert computed['within'] == [
        within(v, k) for v in VIEWS[: len(SCORES)] for k in range(1, v.n + 2)
    ]


def test_a_share_stands_beside_its_logarithm(computed):
    nothing, shares = [''], ['the best', 'share 61%', 'share 30%', 'share 5%', 'share 0.0075%']
    assert computed['shares'] == nothing * 10 + shares


def test_what_a_score_keeps_at_an_alpha(computed):
    said = [column.at(alpha) for column in COLUMNS for alpha in ALPHAS]
    assert len(said) == len(computed['scores']) > 150 and {at['answered'] for at in said} == {
        None,
        False,
        True,
    }
    for got, at in zip(computed['scores'], said):
        same(got, at)
