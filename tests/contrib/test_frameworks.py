"Lists of other frameworks without them: which number is the score, when a whole list is kept; LanceDB's rerankers against the theorem."

import math, sys, warnings
import numpy as np, pytest
from conflare_nb.evidence.audit import audit_labels
from conflare_nb.labels.judges import answering_chunks
from conflare_nb.conformal.threshold import conformal_rank
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.question import Question
from conflare_nb.contrib import frameworks
from conflare_nb.contrib.frameworks import (
    AllKept,
    ListFilter,
    as_haystack,
    as_haystack_filter,
    as_langchain,
    as_langchain_compressor,
    as_lancedb_reranker,
    as_llama_index,
    as_llama_index_postprocessor,
    from_lancedb,
    langchain_scored,
    scored_rows,
    settings_of,
)
from conflare_nb.retrieval.pipeline import PipelineCalibration, PipelineScore, calibrate_pipeline

pytest_plugins = ['kb_fixtures']


def cal_of(score, k=None, higher=False, scores=tuple(i / 10 for i in range(9))):
    made = dict(score=score) if k is None else dict(score=score, k=k)
    turned = [-s for s in scores] if higher else scores
    return PipelineCalibration(
        turned, dict(pipeline='toy', settings=made), score=PipelineScore(higher)
    )


def read(row):
    return row['id'], row['text'], row


def docs(*scores, name='s'):
    return [dict(id=str(i), text='x' * i, **{name: s}) for i, s in enumerate(scores)]


# --- which number


@pytest.mark.parametrize(
    'settings, says',
    [
        ({}, 'does not say which number'),
        (dict(score=None), 'does not say'),
        (dict(score='s', k=0), 'got 0'),
        (dict(score='s', k=True), 'got True'),
        (dict(score='s', k=2.0), 'got 2.0'),
        (dict(score='s', k='5'), "got '5'"),
    ],
    ids=str,
)
def test_a_calibration_has_to_name_its_score(settings, says):
    with pytest.raises(ValueError, match=says):
        ListFilter(PipelineCalibration([0.1], dict(pipeline='p', settings=settings)), 0.5)


def test_another_number_is_refused_and_those_there_are_named():
    keeps = ListFilter(cal_of('_distance'), 0.5)
    with pytest.raises(
        ValueError,
        match="'_distance', and the document at place 2 has none of that name; its numbers are: 'other'",
    ):
        keeps.keep('?', [*docs(0.1, name='_distance'), *docs(0.2, name='other')], read)
    with pytest.raises(ValueError, match='its numbers are: none'):
        keeps.keep('?', docs(None, name='_distance'), read)
    for bad in (math.nan, math.inf, '.5'):
        with pytest.raises(ValueError, match='a finite number'):
            keeps.keep('?', docs(bad, name='_distance'), read)
    with pytest.raises(ValueError, match='scores must not decrease along the list'):
        keeps.keep('?', docs(0.3, 0.1, name='_distance'), read)  # a reranker left the old ones


def test_a_score_may_be_computed_again_by_a_function_of_that_name():
    def length(question, texts):
        return [len(t) for t in texts]

    for higher in (False, True):
        keeps = ListFilter(cal_of('length', higher=higher, scores=range(1, 10)), 0.5, length)
        found = keeps.keep('?', docs(0, 0, 0, 0, 0, 0, 0, 0), read)
        assert [len(row['text']) for row in found] == ([7, 6, 5] if higher else [0, 1, 2, 3, 4, 5])
    with pytest.raises(ValueError, match="of the score 'other'; got a function 'length'"):
        ListFilter(cal_of('other'), 0.5, length)

    def one(question, texts):
        return [1.0]

    with pytest.raises(ValueError, match='one score for each text: 2; got an array of shape'):
        scored_rows('?', docs(0, 0), read, one)
    assert scored_rows('?', [], read, 's') == [] == scored_rows('?', [], read, lambda q, t: [])


# --- what is kept


def test_exactly_what_the_calibration_keeps():
    rng = np.random.default_rng(0)
    for higher in (False, True):
        cal = cal_of('s', higher=higher, scores=rng.random(40).round(1))
        for alpha in (0.05, 0.2, 0.5):
            for size in (1, 5, 30):
                rows = docs(*sorted(rng.random(size).round(1), reverse=higher))
                expected = [
                    r
                    for r in rows
                    if (r['s'] >= cal.cutoff(alpha) if higher else r['s'] <= cal.cutoff(alpha))
                ]
                with warnings.catch_warnings(record=True) as said:
                    warnings.simplefilter('always')
                    assert ListFilter(cal, alpha).keep('?', rows, read) == expected
                assert [w.category for w in said] == [AllKept] * (len(expected) == size)


def test_a_whole_list_is_told():
    for k, n, says in (
        (None, 2, 'let the search return more, and calibrate'),
        (2, 2, 'return more than 2, and calibrate'),
        (4, 2, '4 came when calibrating. If the search is limited to fewer now'),
    ):
        with pytest.warns(AllKept, match=says):
            ListFilter(cal_of('s', k), 0.2).keep('?', docs(*[0.1] * n), read)
    with pytest.warns(AllKept, match='there is no threshold. No threshold can reach alpha=0.05'):
        ListFilter(cal_of('s'), 0.05).keep('?', docs(0.1, 7), read)
    with pytest.raises(ValueError, match='at most 2 documents came when calibrating; got 3'):
        ListFilter(cal_of('s', 2), 0.2).keep('?', docs(0, 0.1, 9), read)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert (
            ListFilter(cal_of('s', 9), 0.2).keep('?', [], read) == []
            and len(ListFilter(cal_of('s', 9), 0.2).keep('?', docs(0, 0.1, 9), read)) == 2
        )


def test_a_file_and_an_audit_count(tmp_path):
    asked, found = (
        [Question(str(i), f'{i}?') for i in range(40)],
        [(str(i), 'x', i / 10) for i in range(9)],
    )
    cal = calibrate_pipeline(
        lambda text: found,
        asked,
        {q.id: {str(i % 9)} for i, q in enumerate(asked)},
        settings=dict(score='s', k=9),
        progress=False,
    )
    audit = audit_labels(
        cal.labels, {(l.question, l.chunk): i > 0 for i, l in enumerate(cal.labels)}, method='fixed'
    )
    rows = docs(*(i / 10 for i in range(9)))
    file = cal.save(tmp_path / 'cal.json')
    plain, careful = (
        ListFilter(str(file), 0.3).keep('?', rows, read),
        ListFilter(file, 0.3, audit=audit).keep('?', rows, read),
    )
    assert (
        len(plain)
        == len(cal.filter(found, 0.3))
        < len(careful)
        == len(cal.filter(found, 0.3, audit))
    )
    with pytest.raises(ValueError, match='strictly between 0 and 1; got 3'):
        ListFilter(cal, 3)
    assert (
        ListFilter(file, 0.3).file == str(file)
        and ListFilter(cal, 0.3).file is None
        and settings_of(cal) == ('s', 9)
    )


# --- a framework that is not there

ADAPTERS = [
    (as_langchain, 'langchain'),
    (as_langchain_compressor, 'langchain'),
    (langchain_scored, 'langchain'),
    (as_llama_index, 'llama-index'),
    (as_llama_index_postprocessor, 'llama-index'),
    (as_haystack, 'haystack'),
    (as_haystack_filter, 'haystack'),
]


@pytest.mark.parametrize('adapter, extra', ADAPTERS, ids=lambda x: getattr(x, '__name__', x))
def test_a_missing_framework_is_named_with_its_extra(adapter, extra, monkeypatch):
    for made in (
        v
        for n, v in vars(frameworks).items()
        if hasattr(v, 'cache_clear') and n != '_lancedb_reranker'
    ):
        made.cache_clear()
    for package in ('langchain_core', 'llama_index', 'haystack'):
        for name in [n for n in sys.modules if n.partition('.')[0] == package]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    with pytest.raises(ImportError, match=rf'pip install "conflare-nb\[{extra}\]"'):
        adapter(cal_of('s'))


# --- LanceDB


@pytest.fixture(scope='module')
def searching(
    kb, questions, tmp_path_factory
):  # the sample's table with an index of words, and the questions' vectors
    import shutil
    from lancedb.index import FTS

    mine = KnowledgeBase.open(
        shutil.copytree(kb.path, tmp_path_factory.mktemp('lance') / 'kb'), kb.embedder
    )
    mine.table.create_index('text', config=FTS())
    return mine.table, dict(
        zip(
            [q.text for q in questions],
            kb.embedder.embed_queries([q.text for q in questions], progress=False),
        )
    )


def by_vector(searching, question, reranker=None, k=30):
    table, vectors = searching
    query = table.search(vectors[question]).distance_type('cosine').limit(k)
    return query if reranker is None else query.rerank(reranker, query_string=question)


def by_words(searching, question, reranker=None, k=30):
    query = searching[0].search(question, query_type='fts').limit(k)
    return query if reranker is None else query.rerank(reranker)


def hybrid(searching, question, reranker=None, k=30):
    from lancedb.rerankers import RRFReranker

    table, vectors = searching
    return (
        table.search(query_type='hybrid')
        .vector(vectors[question])
        .text(question)
        .distance_type('cosine')
        .limit(k)
        .rerank(reranker or RRFReranker())
    )


SEARCHES = [
    (by_vector, '_distance', False),
    (by_words, '_score', True),
    (hybrid, '_relevance_score', True),
]


@pytest.mark.slow
@pytest.mark.parametrize('search, score, higher', SEARCHES, ids=[s[0].__name__ for s in SEARCHES])
def test_lancedb_covers_what_the_theorem_says(search, score, higher, searching, kb, questions):
    asked = questions[::2]
    answering = dict(zip([q.id for q in asked], answering_chunks(kb, asked)))
    retrieve = from_lancedb(lambda text: search(searching, text), score)
    lists = {q.text: retrieve(q.text) for q in asked}
    every = calibrate_pipeline(
        lists.__getitem__,
        asked,
        answering,
        higher,
        'lance',
        dict(score=score, k=30),
        progress=False,
        unanswerable='include',
    )
    s, n, alpha = every.scores, len(asked) // 2, 0.2
    order = np.random.default_rng(0).random((500, len(s))).argsort(axis=1)
    old, new = order[:, :n], order[:, n:]
    qhat = np.sort(s[old], axis=1)[:, [conformal_rank(n, alpha) - 1]]
    covered = ((s[new] <= qhat) & np.isfinite(s[new])).mean(axis=1)
    promised, error = conformal_rank(n, alpha) / (n + 1), covered.std() / 500**0.5
    assert np.isfinite(qhat).all() and covered.mean() > promised - 3 * error
    if len(set(s)) > 0.98 * len(s):
        assert abs(covered.mean() - promised) < 3 * error
    first, second = [asked[i] for i in old[0]], [asked[i] for i in new[0]][:12]
    cal = calibrate_pipeline(
        lists.__getitem__,
        first,
        answering,
        higher,
        'lance',
        dict(score=score, k=30),
        alpha=alpha,
        progress=False,
        unanswerable='include',
    )
    reranker = as_lancedb_reranker(cal, alpha)
    for q in second:  # the same rows, out of the store itself
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', AllKept)
            rows = search(searching, q.text, reranker).to_list()
        assert [r['id'] for r in rows] == [r[0] for r in cal.filter(lists[q.text], alpha)]
        assert [r['_relevance_score'] for r in rows] == sorted(
            (r['_relevance_score'] for r in rows), reverse=True
        )


def test_a_lancedb_search_by_another_number_is_refused(searching, questions):
    text = questions[0].text
    for search, score, _ in SEARCHES:
        for other, name, higher in SEARCHES:
            if name == score:
                continue
            reranker = as_lancedb_reranker(cal_of(name, 30, higher), 0.2)
            with pytest.raises(
                ValueError,
                match=f"the calibration is of the score '{name}', and this search gives '{score}'",
            ):
                search(searching, text, reranker).to_list()


def test_nothing_found_is_nothing_kept_and_a_whole_list_is_told(searching, questions):
    few = as_lancedb_reranker(cal_of('_distance', 30), 0.2)
    nothing = by_vector(searching, questions[0].text, few).where("id = 'no such chunk'").to_arrow()
    assert nothing.num_rows == 0 and '_relevance_score' in nothing.column_names
    wide = as_lancedb_reranker(cal_of('_distance', 30, scores=[2] * 9), 0.2)
    with pytest.warns(AllKept, match='let the search return more than 30'):
        assert by_vector(searching, questions[0].text, wide).to_arrow().num_rows == 30
