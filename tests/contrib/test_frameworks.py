"Lists of other frameworks without them: which number is the score, when a whole list is kept; LanceDB's rerankers against the theorem."

import math, shutil, sys, warnings
import numpy as np, pytest
from covering import covers
from conflare_nb import KnowledgeBase, answering_chunks
from conflare_nb.contrib.frameworks import AllKept, ListFilter, as_lancedb_reranker
from conflare_nb.retrieval.pipeline import PipelineCalibration, PipelineScore
from conflare_nb.contrib import frameworks as theirs

TENTHS = tuple(i / 10 for i in range(9))


def cal_of(score, k=30, higher=False, scores=TENTHS):
    made = dict(pipeline='toy', settings=dict(score=score, k=k))
    turned = [-s for s in scores] if higher else scores
    return PipelineCalibration(turned, made, score=PipelineScore(higher))


def docs(*scores, name='s'):
    return [dict(id=str(i), text='x' * i, **{name: s}) for i, s in enumerate(scores)]


SETTINGS = [dict(score=None, k=5), dict(k=5), *(dict(score='s', k=k) for k in (0, True, 2.0, '5'))]


@pytest.mark.parametrize('settings', [{}, *SETTINGS], ids=str)
def test_a_calibration_has_to_name_its_score_and_its_longest_list(settings):
    with pytest.raises(ValueError, match='does not say which number'):
        ListFilter(PipelineCalibration([0.1], dict(pipeline='p', settings=settings)), 0.5)


SECOND = "'_distance', and the document at place 2 has none of that name; its numbers are: 'other'"
BAD = [([*docs(0.1, name='_distance'), *docs(0.2, name='other')], SECOND)]
BAD += [(docs(None, name='_distance'), 'its numbers are: none')]
BAD += [(docs(bad, name='_distance'), 'a finite number') for bad in (math.nan, math.inf, '.5')]
BAD += [(docs(0.3, 0.1, name='_distance'), 'scores must not decrease along the list')]


@pytest.mark.parametrize('rows, says', BAD)
def test_another_number_is_refused_and_those_there_are_named(rows, says):
    with pytest.raises(ValueError, match=says):
        ListFilter(cal_of('_distance'), 0.5).keep(rows)


@pytest.mark.parametrize('higher', [False, True])
def test_exactly_what_the_calibration_keeps(higher):
    rng = np.random.default_rng(0)
    cal = cal_of('s', higher=higher, scores=rng.random(40).round(1))
    for alpha in (0.05, 0.2, 0.5):
        sign, cutoff = (-1, 1)[higher], cal.cutoff(alpha)
        for size in (1, 5, 30):
            rows = docs(*sorted(rng.random(size).round(1), reverse=higher))
            expected = [row for row in rows if sign * row['s'] >= sign * cutoff]
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter('always')
                assert ListFilter(cal, alpha).keep(rows) == expected
            assert [w.category for w in said] == [AllKept] * (len(expected) == size)


CUT = [(2, 0.2, 'return more than 2, and calibrate'), (2, 0.05, 'there is no threshold. cut is infinite at alpha=0.05')]
CUT += [(4, 0.2, '4 came when calibrating. If the search is limited to fewer now')]


@pytest.mark.parametrize('k, alpha, says', CUT)
def test_a_whole_list_is_told(k, alpha, says):
    with pytest.warns(AllKept, match=says):
        ListFilter(cal_of('s', k), alpha).keep(docs(0.1, 0.1))


def test_a_longer_list_is_refused_and_a_cut_one_is_no_news(tmp_path):
    with pytest.raises(ValueError, match='at most 2 documents came when calibrating; got 3'):
        ListFilter(cal_of('s', 2), 0.2).keep(docs(0, 0.1, 9))
    cal = cal_of('s', 9)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        for given in (cal, cal.save(tmp_path / 'cal.json'), str(tmp_path / 'cal.json')):
            belongs = ListFilter(given, 0.2)
            assert [len(belongs.keep(rows)) for rows in ([], docs(0, 0.1, 9))] == [0, 2]
    with pytest.raises(ValueError, match='strictly between 0 and 1; got 3'):
        ListFilter(cal, 3)


ADAPTERS = {
    'langchain': [theirs.as_langchain, theirs.as_langchain_compressor],
    'llama-index': [theirs.as_llama_index, theirs.as_llama_index_postprocessor],
    'haystack': [theirs.as_haystack, theirs.as_haystack_filter],
}


@pytest.mark.parametrize('extra', ADAPTERS)
def test_a_missing_framework_is_named_with_its_extra(extra, monkeypatch):
    theirs._haystack_filter.cache_clear()
    for package in ('langchain_core', 'llama_index', 'haystack'):
        for name in [n for n in sys.modules if n.partition('.')[0] == package]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    for adapter in ADAPTERS[extra]:
        with pytest.raises(ImportError, match=rf'pip install ".\[{extra}\]"'):
            adapter(cal_of('s'))


@pytest.fixture(scope='module')
def searching(kb, questions, tmp_path_factory):
    "The sample's table with an index of words, and the questions' vectors."
    from lancedb.index import FTS

    folder = shutil.copytree(kb.path, tmp_path_factory.mktemp('lance') / 'kb')
    table = KnowledgeBase.open(folder, kb.embedder).table
    table.create_index('text', config=FTS())
    texts = [q.text for q in questions]
    return table, dict(zip(texts, kb.embedder.embed_queries(texts, progress=False)))


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
    query = table.search(query_type='hybrid').vector(vectors[question]).text(question)
    return query.distance_type('cosine').limit(k).rerank(reranker or RRFReranker())


SEARCHES = [(by_vector, '_distance'), (by_words, '_score'), (hybrid, '_relevance_score')]


@pytest.mark.parametrize('search, score', SEARCHES, ids=[s[0].__name__ for s in SEARCHES])
def test_lancedb_covers_what_the_theorem_says(search, score, searching, kb, questions):
    asked = questions[::2]
    answering = dict(zip([q.id for q in asked], answering_chunks(kb, asked)))
    retrieve = theirs.as_pipeline(lambda text: search(searching, text).to_list(), score)

    def keeps(cal, alpha, text):  # the same rows, out of the store itself
        rows = search(searching, text, as_lancedb_reranker(cal, alpha)).to_list()
        worth = [row['_relevance_score'] for row in rows]
        assert worth == sorted(worth, reverse=True)
        return [row['id'] for row in rows]

    covers(retrieve, asked, answering, keeps, score != '_distance', score, k=30, tied=True)


def test_a_lancedb_search_by_another_number_is_refused(searching, questions):
    for search, score in SEARCHES:
        for _, name in SEARCHES:
            if name == score:
                continue
            reranker = as_lancedb_reranker(cal_of(name, 30, name != '_distance'), 0.2)
            says = f"the calibration is of the score '{name}', and this search gives '{score}'"
            with pytest.raises(ValueError, match=says):
                search(searching, questions[0].text, reranker).to_list()


def test_nothing_found_is_nothing_kept_and_a_whole_list_is_told(searching, questions):
    few = as_lancedb_reranker(cal_of('_distance', 30), 0.2)
    nothing = by_vector(searching, questions[0].text, few).where("id = 'no such chunk'").to_arrow()
    assert nothing.num_rows == 0 and '_relevance_score' in nothing.column_names
    wide = as_lancedb_reranker(cal_of('_distance', 30, scores=[2] * 9), 0.2)
    with pytest.warns(AllKept, match='let the search return more than 30'):
        assert by_vector(searching, questions[0].text, wide).to_arrow().num_rows == 30
