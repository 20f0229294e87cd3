"Quotes: covered as promised, listed as counted, the same whoever asks and wherever the vectors are, escaped, and refused when damaged."

import html, json, re
from dataclasses import replace
import numpy as np, pytest
from conflare_nb import Document, KnowledgeBase, Question, Quoter, answering_chunks, calibrate_quotes
from conflare_nb import conformal_quantile, conformal_rank, sample_documents, split_questions
from conflare_nb.answers.quotes import QuoteCalibration, QuoteScore, label_quotes
from conflare_nb.labels.judges import contains_answer
from conflare_nb.documents.cutting import SENTENCE_RULE, sentence_spans
from conflare_nb.documents.reading import Section
from conflare_nb.documents.sentences import sentences_of
from conflare_nb.documents.store import hits_of
from conflare_nb.saving import digest
from conflare_nb.documents.score import minus_log_share


@pytest.fixture(scope='module')
def cal(kb, questions):
    return calibrate_quotes(kb, questions, progress=False)


def as_promised(scores, n, alpha, splits=1000):
    "Whether the mean over splits is k/(n+1), or above it where scores tie, within three standard errors; what is infinite is never covered by a finite threshold."
    rng = np.random.default_rng(0)
    shares = np.empty(splits)
    for i in range(splits):
        mixed = rng.permutation(scores)
        shares[i] = np.mean(mixed[n:] <= conformal_quantile(mixed[:n], alpha))
    exact = conformal_rank(n, alpha) / (n + 1)
    error = 3 * shares.std(ddof=1) / np.sqrt(splits)
    tied = len(set(scores.tolist())) < len(scores)
    above = shares.mean() - exact
    return above >= -error, tied or above <= error, above, error


@pytest.mark.parametrize('alpha', [0.3, 0.2, 0.1, 0.05, 0.02])
def test_a_thousand_splits_of_the_guide_cover_as_promised(cal, alpha):
    low, high, above, error = as_promised(cal.scores, 272, alpha)
    assert low and high
    if alpha <= 0.2:
        assert above <= error + 1e-3  # the ties are zeros: beyond them coverage is exact
    assert np.isfinite(conformal_quantile(cal.scores[:272], alpha))


def pools(n, tied, seed=0):
    "Scores of the right sentence in a simulated world; tied: merits with one decimal."
    rng = np.random.default_rng(seed)

    def one():
        merits = rng.normal(size=rng.integers(1, 40)) * 0.1
        merits[0] += 0.15  # the right one
        if tied:
            merits = merits.round(1)
        if rng.uniform() < 0.03:
            return np.inf  # its chunk was not among the best
        if tied:
            merits = rng.permutation(merits)
        return minus_log_share(merits, 0.05, keep_first=True)[0]

    return np.array([one() for _ in range(n)])


@pytest.mark.parametrize('tied', [False, True])
@pytest.mark.parametrize('alpha', [0.3, 0.1, 0.05])
def test_a_simulated_world_is_covered_as_promised(alpha, tied):
    world = pools(400, tied)
    low, _, above, error = as_promised(world, 99, alpha)
    assert low
    beyond_the_zeros = not tied and (world == 0).mean() < 1 - alpha - 0.1
    if beyond_the_zeros:
        assert above <= error
    if tied:
        assert (world == 0).mean() > 0.1


def covered(listed, answering, answer, pool_chunks):
    "Whether what is listed holds the answer: in one sentence, or in two in a row that are both listed. Written without the library's pairs."
    said = {(quote.chunk.document, quote.chunk.heading, quote.text) for quote in listed}
    for chunk in pool_chunks:
        if chunk.id not in answering:
            continue
        there = sentences_of(chunk)
        shown = [(chunk.document, chunk.heading, sentence.text) in said for sentence in there]
        alone = [s.text for s, one in zip(there, shown) if one]
        pairs = [pair for *pair, one, other in zip(there, there[1:], shown, shown[1:]) if one and other]
        together = [chunk.text[a.start : b.end] for a, b in pairs if a.text != b.text]
        if any(contains_answer(text, answer) for text in alone + together):
            return True
    return False


def across(kb, questions):
    "The same questions with answers that stand only across two sentences: the end of one, the beginning of the next."
    out = []
    for question, answering in zip(questions, answering_chunks(kb, questions)):
        chunk = next(c for c in kb.texts() if c.id in answering)
        there = sentences_of(chunk)
        for a, b in zip(there, there[1:]):
            if contains_answer(a.text, question.answer) or contains_answer(b.text, question.answer):
                answer = f'{a.text.split()[-1]} {b.text.split()[0]}'
                out.append(replace(question, id=f'{question.id}-{a.place}', answer=answer))
    return out


@pytest.fixture(scope='module')
def halves(kb, questions, cal):
    "A calibration on some documents; of the others questions, their chunks and their labels."
    first, second = split_questions(questions, seed=3)
    number = dict(zip([q.id for q in questions], cal.scores))
    half = replace(cal, scores=[number[q.id] for q in first], documents=())
    asked = [*second[::2], *across(kb, second[::9])]
    return half, asked, answering_chunks(kb, asked), label_quotes(kb, asked, progress=False)


@pytest.mark.parametrize('alpha', [0.15, 0.1, 0.05])
def test_what_is_listed_covers_exactly_when_the_score_is_within_the_threshold(kb, halves, alpha):
    half, asked, known, labels = halves
    quoter = Quoter(kb, half, alpha)
    assert len(labels) == len(asked) and np.isfinite(quoter.qhat)
    by_pairs = 0
    for question, answering, label in zip(asked, known, labels):
        found = quoter.quote(question.text)
        ranked = hits_of(QuoteScore().ranking.rank(kb, question.text, 10))
        holds = covered(found.listed, answering, question.answer, ranked)
        assert holds == (label.score <= quoter.qhat), question
        known = [q for q in found.listed if q.chunk.id in answering]
        by_pairs += holds and not any(contains_answer(q.text, question.answer) for q in known)
        assert all(q.score <= quoter.qhat and q.p_value > alpha for q in found.listed)
        assert len({(q.chunk.id, q.start) for q in found.listed}) == len(found) >= 1
        assert [q.score for q in found.listed] == sorted(q.score for q in found.listed)
        assert found.characters == sum(q.end - q.start for q in found.listed)
    assert by_pairs > 0  # pairs were there to be checked


def test_a_calibration_question_is_covered_at_its_own_score(kb, questions, cal):
    "The boundary: the same number when it calibrates and when it is asked."
    for question, label in zip(questions[::11], cal.labels[::11]):
        if np.isinf(label.score):
            continue
        pool = cal.score.pool_of(kb, question.text)
        assert label.score in {score for _, _, score in pool.units}


def test_an_infinite_threshold_lists_every_sentence_of_the_best_chunks_and_says_so(kb, questions):
    cal = calibrate_quotes(kb, questions[:8], progress=False)
    quoter = Quoter(kb, cal, 0.1)
    found = quoter.quote(questions[9].text)
    pool = cal.score.pool_of(kb, questions[9].text)
    assert np.isinf(found.qhat) and len(found) == len(pool.sentences)
    assert found.promise.threshold == np.inf
    assert 'Every sentence of the best chunks' in found.promise.short
    assert 'at least 90%' not in str(found.promise)


def small(tmp_path, text, **how):
    doc = Document('a.md', 'Title', (Section('Part', text),))
    return KnowledgeBase.create(tmp_path / 'small', [doc], progress=False, **how)


def test_two_in_a_row_stand_where_they_are_said_to_and_count_by_the_worse(kb, questions):
    for question in questions[::17]:
        pool, score = QuoteScore().pool_of(kb, question.text), {}
        for s, x in zip(pool.sentences, pool.scores):
            score.setdefault((s.chunk.document, s.chunk.heading), {})[s.text] = x
        assert len(pool.windows) == len(pool.pair_merits) == len(pool.pair_scores) > 0
        for both, worse in zip(pool.windows, pool.pair_scores):
            here = score[both.chunk.document, both.chunk.heading]
            pairs = [(x, both.text.removeprefix(x).lstrip()) for x in here if both.text != x]
            ((first, second),) = [pair for pair in pairs if pair[1] in here and pair[1] != both.text]
            assert worse == max(here[first], here[second])


def test_an_answer_over_the_seam_of_two_chunks_is_found(tmp_path):
    text = 'Alpha comes first here. Beta is the second one. Gamma ends in silver. Lining is how delta begins. Epsilon comes last here.'
    kb = small(tmp_path, text, budget=24)
    chunks = kb.texts()
    assert len(chunks) > 1
    holding = {c.id for c in chunks if 'silver. Lining' in c.text}
    best = set()
    for text in (
        'Alpha is first, beta the second one, and what does gamma end in?',
        'How does delta begin and what comes last, epsilon?',
    ):
        (label,) = label_quotes(kb, [Question('q', text, 'silver. Lining')], progress=False)
        assert np.isfinite(label.score) and label.chunk in holding
        best.add(QuoteScore().ranking.rank(kb, text)['id'][0].as_py())
    assert best == {c.id for c in chunks}  # either chunk may be the best


def test_a_sentence_that_stands_twice_does_not_mix_up_its_neighbours(tmp_path):
    kb = small(tmp_path, 'Ask first. Take one. Ask first. Take two.')
    pool = QuoteScore().pool_of(kb, 'Must I ask first and take two?')
    assert [s.text for s in pool.sentences] == ['Ask first.', 'Take one.', 'Take two.']
    pairs = 'Ask first. Take one.', 'Take one. Ask first.', 'Ask first. Take two.'
    assert tuple(w.text for w in pool.windows) == pairs


def test_the_first_quote_is_the_best_sentence_or_a_better_pair(kb, questions, cal):
    quoter = Quoter(kb, cal, 0.2)
    beyond = 0
    for question in questions[::9]:
        found, pool = quoter.quote(question.text), cal.score.pool_of(kb, question.text)
        first = found.first
        assert first.text in first.chunk.text and first.text
        merits = {(s.chunk.id, s.start, s.end): merit for s, merit, _ in pool.units}
        assert merits[first.chunk.id, first.start, first.end] == max(merits.values())
        says = 'goes beyond' in found._repr_html_()
        assert says == (first.score > found.qhat)
        beyond += says
    assert beyond > 0


def seen(kb, questions):
    pools = [QuoteScore().pool_of(kb, question) for question in questions]
    return [[(s.text, merit, score) for s, merit, score in pool.units] for pool in pools]


def test_alone_among_others_reopened_and_on_disk_it_is_the_same(kb, questions, cal):
    some = questions[::40]
    asked = [q.text for q in some]
    want, labels = seen(kb, asked), [dict(zip(questions, cal.labels))[q] for q in some]
    assert [label_quotes(kb, [q], progress=False)[0] for q in some] == labels
    assert seen(KnowledgeBase.open(kb.path, kb.embedder), asked) == want
    disk = KnowledgeBase.open(kb.path, kb.embedder, memory_budget=1)
    assert seen(disk, asked) == want and not disk.in_memory
    assert label_quotes(disk, some, progress=False) == labels


EVIL = '<script>alert("x")</script> & <b onmouseover=alert(1)>'
LONG = 'word ' * 3000
TEXTS = {
    'script': f'{EVIL} Keep it cold. Do </mark></p> not freeze it.',
    'one sentence': 'Keep it cold',
    'all equal': 'Keep it cold. ' * 40,
    'long': LONG,
    'Chinese': '每日2.5毫克。不要嚼碎！可以吗？',
    'Arabic': 'هل هو آمن؟ نعم، إنه آمن. خذه مع الماء.',
    'Hindi': 'दवा खाने के बाद लें। पानी पिएं।',
    'marks': '?! ... 。。 --',
    'nul': 'a\x00b. \u200b. 👩🏽\u200d⚕️!',
}
ASKED = ['How do I keep it?', EVIL, '每日几次？', 'هل هو آمن؟', '?!', LONG, '\u200b', 'a\x00b']
ASKED.append("Robert'); DROP TABLE sentences; --")


@pytest.fixture(scope='module')
def hostile(tmp_path_factory):
    parts = [(f'{name} {EVIL}', (Section(EVIL, text), Section('', text))) for name, text in TEXTS.items()]
    docs = [Document(f"{i} ' <i>.md", *part) for i, part in enumerate(parts)]
    kb = KnowledgeBase.create(tmp_path_factory.mktemp('hostile'), docs, progress=False)
    asked = [Question(f'q{i}', text, 'cold') for i, text in enumerate(ASKED)]
    return kb, calibrate_quotes(kb, asked, progress=False)


@pytest.mark.parametrize('place', range(len(ASKED)))
def test_hostile_texts_are_quoted_and_escaped(hostile, place):
    kb, cal = hostile
    for alpha in (0.5, 0.05):
        found = Quoter(kb, cal, alpha).quote(ASKED[place])
        shown = found._repr_html_()
        tags = set(re.findall(r'</?([a-zA-Z]+)', shown))
        assert tags <= {'p', 'b', 'blockquote', 'small', 'details', 'summary', 'mark'}, tags
        assert set(re.findall(r'<[a-z]+( [^>]*)>', shown)) <= {' style="font-size:1.2em"'}
        whole = marks(shown)
        assert all(any(q.text in one for one in whole) for q in in_places(found))
        if found.first in found.listed:  # no pair
            assert whole == [q.text for q in in_places(found)]
        assert len(found) >= 1 and max(map(len, repr(found).splitlines())) <= 88


def marks(page):
    return [html.unescape(text) for text in re.findall('<mark>(.*?)</mark>', page, re.S)]


def in_places(found):
    "What is listed, passage by passage in the order of the best, and there in the order of the text."
    order = list(dict.fromkeys(q.chunk.id for q in found.listed))
    return sorted(found.listed, key=lambda q: (order.index(q.chunk.id), q.start))


def test_equal_sentences_take_part_once(tmp_path):
    kb = small(tmp_path, 'Keep it cold. ' * 40)
    pool = QuoteScore().pool_of(kb, 'How do I keep it?')
    assert (len(pool.sentences), pool.scores.tolist(), pool.windows) == (1, [0.0], [])
    cal = calibrate_quotes(kb, [Question('q', 'How?', 'cold')] * 12, progress=False)
    found = Quoter(kb, cal).quote('How?')
    assert (len(found), found.first.text, found.qhat) == (1, 'Keep it cold.', 0.0)


def test_an_empty_knowledge_base_has_nothing_to_quote(mine):
    mine.delete(*mine.documents())
    asked = [Question('q', 'Is it safe?', 'yes')] * 3
    with pytest.raises(ValueError, match='answers any of these 3'):
        calibrate_quotes(mine, asked, progress=False)
    cal = QuoteCalibration([np.inf] * 3, mine.fingerprint())
    assert Quoter(mine, cal).promise.rule.endswith('Every sentence of the best chunks is listed')
    found = Quoter(mine, cal).quote('Is it safe?')
    assert (found.first, found.listed) == (None, ())
    assert 'Nothing is stored' in found._repr_html_()
    assert 'nothing to quote' in repr(found)


def test_questions_without_a_known_answer_are_left_aside_and_counted(kb, questions, tmp_path):
    asked = questions[:12]
    bare = [Question('a', 'Why?', sections=asked[0].sections), Question('b', 'How?', '?!')]
    cal = calibrate_quotes(kb, [bare[0], *asked, bare[1]], progress=False)
    plain = calibrate_quotes(kb, asked, progress=False)
    assert (cal.n, cal.unknown, plain.unknown) == (12, 2, 0) and cal.labels == plain.labels
    assert '2 of 14' in cal._repr_html_() and 'left aside' not in plain._repr_html_()
    file = cal.save(tmp_path / 'quotes.json')
    again = QuoteCalibration.load(file)
    assert (again.unknown, again.promise(0.2)) == (2, cal.promise(0.2))
    assert QuoteCalibration.load(plain.save(tmp_path / 'plain.json')).unknown == 0
    for wrong in (-1, '2', True, 1.5):
        file.write_text(json.dumps(json.loads(file.read_text()) | {'unknown': wrong}))
        with pytest.raises(ValueError, match="'unknown' cannot be|unknown counts questions"):
            QuoteCalibration.load(file)


def test_what_is_left_aside_costs_the_others_no_coverage(cal):
    "Answers are known where they are easy to find: the promise holds among these, and not of all."
    rng, alpha, n = np.random.default_rng(0), 0.1, 60
    easy = cal.scores.argsort().argsort() / cal.n
    among, of_all = [], []
    for _ in range(2000):
        mixed = rng.permutation(cal.n)
        known = rng.random(cal.n) < 1 - 0.8 * easy  # the harder, the rarer
        calibrating = mixed[known[mixed]][:n]
        others = np.setdiff1d(mixed, calibrating)
        qhat = replace(cal, scores=cal.scores[calibrating], labels=(), documents=(), unknown=1)
        inside = cal.scores <= qhat.qhat(alpha)
        among.append(inside[others[known[others]]].mean())
        of_all.append(inside[rng.permutation(cal.n)[:n]].mean())
    error = np.std(among) / len(among) ** 0.5
    assert 1 - alpha - 3 * error <= np.mean(among) <= 1 - alpha + 1 / (n + 1) + 3 * error
    assert np.mean(of_all) < 1 - alpha - 0.03


def test_what_cannot_be_is_refused(kb, questions, cal):
    with pytest.raises(ValueError, match='at least one question'):
        label_quotes(kb, [])
    for answer in ('', ' ', '?!', 'the'):
        with pytest.raises(ValueError, match="'q' has none"):
            label_quotes(kb, [Question('q', 'x', answer)], progress=False)
    bad = dict(T=(0, -1.0, np.nan), words=(-0.1, np.inf), window=(np.nan,), chunks=(0, 2.5))
    for name, values in bad.items():
        for value in values:
            with pytest.raises(ValueError):
                QuoteScore(**{name: value})
    for alpha in (0, 1, -1, np.nan):
        with pytest.raises(ValueError):
            Quoter(kb, cal, alpha)
    for text in ('', ' \n'):
        with pytest.raises(ValueError, match='needs words'):
            Quoter(kb, cal).quote(text)


def test_the_rules_are_those_of_their_numbers():
    "Who changes how texts are split or sentences are scored raises SENTENCE_RULE or _SCORE_RULE, and then these numbers."
    spans = [sentence_spans(s.text) for d in sample_documents() for s in d.sections]
    assert (SENTENCE_RULE, digest(spans)[:16]) == (2, '7da372abbaf48738')
    assert QuoteScore().fingerprint()['rule'] == 1


def test_a_first_quote_of_two_sentences_is_marked_as_a_whole(kb, questions, cal):
    seen = 0
    for alpha in (0.5, 0.2, 0.02):
        for q in questions[:60]:
            quotes = Quoter(kb, cal, alpha).quote(q.text)
            first, marked = quotes.first, marks(quotes._repr_html_())
            assert first.text in marked and len(marked) == len(set(marked))
            apart = lambda x: x.end <= first.start or x.start >= first.end
            others = [x for x in quotes.listed if x.chunk.id != first.chunk.id or apart(x)]
            assert sorted(marked) == sorted([first.text, *(x.text for x in others)])
            seen += len(sentence_spans(first.text)) == 2
    assert seen
