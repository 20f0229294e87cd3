"Late interaction: against its definition, exact in any company, and fixed before a question calibrates."

import json
from importlib.resources import files
import numpy as np, pytest
from hypothesis import given, settings, strategies as st
from conflare_nb import Document, Embedder, Hybrid, LateHybrid
from conflare_nb.documents.late import LateRank
from conflare_nb.documents.reading import Section
from conflare_nb.documents.stored import stored_score
from conflare_nb.documents.tokens import AskedTokens, ReadChunk, minilm_rule, token_cosines, token_matches
from conflare_nb.saving import digest
from knowledge import make_kb

SIZE = 5


def asked_tokens(rng, tokens):
    weights = rng.random(tokens) + 0.1
    states = rng.integers(-127, 128, size=(tokens, SIZE)).astype(np.int8)
    return AskedTokens(np.ones(3), states, weights / max(weights.sum(), 1), np.zeros((tokens, 2)))


def read_chunk(rng, tokens, sentences):
    number = np.sort(rng.integers(-1, max(sentences, 0), size=tokens)) if tokens else np.empty(0, int)
    states = rng.integers(-127, 128, size=(tokens, SIZE)).astype(np.int8)
    return ReadChunk(states, number.astype(np.int16), np.ones((sentences, 3)))


def by_definition(asked, chunk, inside):
    "The sum over the question's tokens of weight times the best cosine among some tokens of a chunk."
    states = chunk.states[inside].astype(float)
    if not len(states):
        return 0.0
    total = 0.0
    for weight, token in zip(asked.weights, asked.states.astype(float)):
        lengths = np.maximum(np.linalg.norm(states, axis=1) * np.linalg.norm(token), 1e-9)
        total += weight * (states @ token / lengths).max()
    return total


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 5), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=4))
def test_matches_are_those_of_the_definition(seed, tokens, shapes):
    rng = np.random.default_rng(seed)
    asked = asked_tokens(rng, tokens)
    chunks = [read_chunk(rng, *shape) for shape in shapes]
    for chunk, (whole, sentences) in zip(chunks, token_matches(asked, chunks), strict=True):
        every = np.ones(len(chunk.states), bool)
        assert whole == pytest.approx(by_definition(asked, chunk, every), abs=1e-12)
        want = [by_definition(asked, chunk, chunk.sentence == i) for i in range(len(chunk.vectors))]
        assert sentences == pytest.approx(want, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_chunk_has_the_same_matches_to_the_last_bit_in_any_company(seed):
    rng = np.random.default_rng(seed)
    asked = asked_tokens(rng, 7)
    chunks = [read_chunk(rng, int(rng.integers(0, 40)), 3) for _ in range(9)]
    together = token_matches(asked, chunks)
    for chunk, (whole, sentences) in zip(chunks, together):
        [(alone, of_sentences)] = token_matches(asked, [chunk])
        assert (alone, of_sentences.tolist()) == (whole, sentences.tolist())


def test_the_shipped_numbers_are_those_of_their_rule():
    "Who changes them raises TOKEN_RULE, and then this sum: calibrations made before are void."
    rule = minilm_rule()
    assert (rule.basis.shape, rule.direction.shape) == ((128, 384), (384,))
    numbers = [part.astype(float).round(4).tolist() for part in (rule.basis, rule.direction)]
    assert digest(numbers)[:16] == 'd627631a533e4a88'
    said = json.loads(files('conflare_nb').joinpath('data/minilm_tokens.json').read_text())
    assert 'CC BY-SA 4.0' in said['direction']['source']
    best = min(said['direction']['held_back_figures'], key=lambda row: row['nll'])
    assert best['ridge'] == said['direction']['ridge']
    assert np.linalg.norm(rule.direction) == pytest.approx(best['v'], abs=0.01)


def test_only_the_best_of_the_light_ranking_change_places(kb, questions):
    for question in questions[::60]:
        light = Hybrid().rank(kb, question.text)['id'].to_pylist()
        for best in (1, 5, 20):
            close = LateHybrid(best=best).rank(kb, question.text)['id'].to_pylist()
            assert set(close[:best]) == set(light[:best]) and close[best:] == light[best:]


def test_merits_are_the_formula_written_out(kb, questions):
    score = LateHybrid()
    for question in questions[::90]:
        rows = score.rank(kb, question.text, 3)
        [asked] = kb.embedder.read_questions([question.text], progress=False)
        merits = score.merits(question.text, rows)
        for row, merit in zip(rows.to_pylist(), merits):
            [chunk] = kb.read_closely([row['id']])
            [(whole, sentences)] = token_matches(asked, [chunk])
            cosine = 1 - row['distance']
            nearest = max(float(v @ asked.vector) for v in chunk.vectors)
            want = 0.5 * cosine + 0.5 * nearest + 0.2 * row['words']
            want += 0.8 * whole + 0.8 * max(sentences)
            assert merit == pytest.approx(want, abs=1e-5)


@pytest.mark.parametrize('settings', [{}, dict(keep_first=False), dict(pool=None)], ids=str)
def test_rank_and_share_together_keep_the_ranking(kb, questions, settings):
    for question in questions[::180]:
        late, both = (kind(**settings).rank(kb, question.text) for kind in (LateHybrid, LateRank))
        assert late['id'].equals(both['id'])
        product = np.arange(1, len(late) + 1) * late['score'].to_numpy()
        assert both['score'].to_numpy() == pytest.approx(np.log1p(product))


def test_a_file_names_its_settings_and_rules(kb):
    score = LateHybrid(best=7)
    assert stored_score(score.fingerprint()) == score
    for name in ('tokens', 'sentences'):
        with pytest.raises(ValueError, match=rf'rules that have changed.*{name} .calibrated on 0, now [12]'):
            stored_score(score.fingerprint() | {name: 0})


def test_a_model_without_states_is_ranked_by_its_sentences(tmp_path, kb):
    class Blind(Embedder):
        "The embedded model, whose tokens nobody sees."

        @property
        def runs(self):
            real = super().runs

            class Runs:
                def __getattr__(self, name):
                    return getattr(real, name)

                def read(self, texts):
                    nothing = np.empty((0, real.dim), np.float32), np.empty((0, 2), int)
                    return [(vector, *nothing) for vector, *_ in real.read(texts)]

                def read_question(self, text):
                    return self.read([text])[0]

            return Runs()

    pen = Document('a.md', 'Pen', (Section('', 'Keep it cold. Never freeze it.'),))
    blind = make_kb(tmp_path, [pen], Blind(anew=True))
    row = LateHybrid().rank(blind, 'May I freeze the pen?').to_pylist()[0]
    [chunk] = blind.read_closely(['a.md#0000'])
    vector = blind.embedder.embed_queries(['May I freeze the pen?'])[0]
    nearest = max(float(v @ vector) for v in chunk.vectors)
    assert row['late'] == pytest.approx(0.5 * (nearest - (1 - row['distance'])), abs=1e-5)


@pytest.mark.parametrize('dim', [1, 128, 1040, 1041, 3000])
@pytest.mark.parametrize('n', [0, 1, 5000])
def test_cosines_of_tokens_are_those_of_whole_numbers(dim, n):
    "To the last bit, at the largest numbers too: a rounded product would be another rank somewhere else."
    rng = np.random.default_rng(dim + n)
    states = rng.integers(-127, 128, (n, dim)).astype(np.int8)
    states[: n // 2] = 127 - (np.arange(dim) % 7 == 0)
    mine = np.vstack([states[:3], np.full((1, dim), 127, np.int8)])
    asked = AskedTokens(np.ones(1), mine, np.ones(len(mine)), np.zeros((len(mine), 2)))
    a, b = mine.astype(int), states.astype(int)
    exact = (a @ b.T) / np.sqrt((a**2).sum(1))[:, None] / np.sqrt(np.maximum((b**2).sum(1), 1))
    assert (token_cosines(asked, states) == exact).all()
