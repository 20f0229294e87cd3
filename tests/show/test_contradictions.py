"The contradiction viewer without a browser: its numbers against the knowledge base's search, its page, its traits."

import matplotlib.pyplot as plt, numpy as np, pytest
from conflare_nb import Calibration, ConformalRetriever, Distance, Document, Hybrid, KnowledgeBase
from conflare_nb import Question, Rank, Softmax, sample_documents, sample_questions
from conflare_nb.show.contradictions import contradiction_view
from conflare_nb.show.page import page_alpha
from conflare_nb.documents.reading import Section

pytest_plugins = ['kb_fixtures']
disputed = sample_questions('contradictions')


@pytest.fixture(scope='module')
def kb(embedder, tmp_path_factory):  # the notes, and one section of several chunks
    text = ' '.join(f'Sentence {i} is about aspirin every day.' for i in range(90))
    long = Document('long.md', 'Long', (Section('All', text),))
    docs = [*sample_documents('contradictions'), long]
    return KnowledgeBase.create(tmp_path_factory.mktemp('notes'), docs, embedder, progress=False)


def retriever(kb, scores, score=Distance()):
    return ConformalRetriever(kb, Calibration(scores, kb.fingerprint(), score=score))


@pytest.fixture(scope='module')
def places(kb):  # {section: (distance, rank)} of its nearest chunk, for every question
    def nearest(hits):
        ranked = reversed([*enumerate(hits, 1)])
        return {(r['document'], r['heading']): (r['distance'], rank) for rank, r in ranked}

    return [nearest(kb.search(q.text, len(kb)).to_pylist()) for q in disputed]


def tally(found):
    "How many questions have both, one and neither of their sides; `found` counts them."
    return found.count(2), found.count(1), found.count(0)


@pytest.fixture(scope='module')
def scores(places):  # some of them are distances of sides: the boundary is inside
    own = [p[s][0] for q, p in zip(disputed, places) for s in q.sections]
    return [*own[::3], *np.linspace(min(own) - 0.05, max(own) - 0.05, 20), np.inf]


@pytest.fixture(scope='module')
def view(kb, scores):
    return contradiction_view(retriever(kb, scores), disputed, names=('newer', 'older'))


# ---- the numbers


def test_sides_are_where_the_search_finds_them(view, kb, places):
    assert view.names == ('newer', 'older') and view.total == len(kb)
    for q, p, sides in zip(disputed, places, view.sides):
        assert [(s['document'], s['heading']) for s in sides] == list(q.sections)
        assert [(s['score'], s['rank']) for s in sides] == [p[s] for s in q.sections]
        assert [s['nearest'] for s in sides] == [s['rank'] for s in sides]


def test_tallies_at_every_alpha(view, scores, places):
    def sides(inside):
        return tally([sum(inside(*p[s]) for s in q.sections) for q, p in zip(disputed, places)])

    for alpha in [*np.linspace(0.01, 0.99, 50), 1 / 3, 1e-6]:
        qhat, seen = Calibration(scores, {}).qhat(page_alpha(alpha)), view.at(alpha)
        assert seen['qhat'] == qhat
        assert seen['tallies'] == {
            'within qhat': sides(lambda d, r: d <= qhat),
            'top-1 by distance': sides(lambda d, r: r <= 1),
            'top-3 by distance': sides(lambda d, r: r <= 3),
        }


@pytest.mark.parametrize('score', [Hybrid(), Rank(), Softmax()], ids=lambda s: s.name)
def test_another_score_is_what_its_retriever_does(kb, places, score):
    own = [score.rank(kb, q.text)['score'].to_numpy()[:3] for q in disputed]
    scores = [*np.concatenate(own), np.inf]
    view = contradiction_view(retriever(kb, scores, score), disputed)
    for alpha in (0.7, 0.4, 0.1, 0.001):
        r = ConformalRetriever(kb, Calibration(scores, kb.fingerprint(), score=score), alpha)
        rows = [r.retrieve(q.text).rows() for q in disputed]
        found = [{(c['document'], c['heading']) for c in chunks} for chunks in rows]
        within = tally([sum(s in f for s in q.sections) for q, f in zip(disputed, found)])
        seen = view.at(alpha)
        assert (seen['qhat'], seen['tallies']['within qhat']) == (r.qhat, within)
    ranks = [p[s][1] for q, p in zip(disputed, places) for s in q.sections]
    assert [s['nearest'] for sides in view.sides for s in sides] == ranks  # top-k goes by distance
    near = [sum(rank <= 3 for rank in pair) for pair in zip(ranks[::2], ranks[1::2])]
    assert seen['tallies']['top-3 by distance'] == tally(near)
    plt.close(view.plot(0.1).figure)


def test_a_side_outside_the_pool_is_never_retrieved(kb, state_of):
    view = contradiction_view(retriever(kb, [0.1, 0.5, np.inf], Softmax(pool=1)), disputed)
    lost = [s for sides in view.sides for s in sides if s['score'] == np.inf]
    assert len(lost) >= 16 and {s['rank'] for s in lost} == {None}
    assert all(s['text'] and s['nearest'] for s in lost)
    for alpha in (0.9, 0.3, 0.001):
        assert view.at(alpha)['tallies']['within qhat'][0] == 0  # never both, whatever alpha is
    page = view.html(alpha=0.001)
    assert 'not in the pool' in page and 'the whole pool is retrieved' in page
    assert None in [s['score'] for s in state_of(page)['view']['sides'][0]]
    ax = view.plot(0.001)
    assert all(np.isfinite(c.get_offsets()).all() for c in ax.collections[1:])
    plt.close(ax.figure)


def test_three_sides_and_a_section_of_many_chunks(kb):
    sections = (*disputed[0].sections, ('long.md', 'All'))
    q = Question('q', 'Should I take aspirin every day?', sections=sections)
    some = retriever(kb, [0.1, 0.9])
    view = contradiction_view(some, [q, disputed[0]], top_k=1, names=('newer',))
    hits = enumerate(kb.search(q.text, len(kb)).to_pylist(), 1)
    long = [(rank, hit['text']) for rank, hit in hits if hit['document'] == 'long.md']
    side = view.sides[0][2]
    assert len(long) > 1 and (side['rank'], side['text']) == long[0]
    assert view.names == ('newer', 'side 2', 'side 3')
    assert view.state()['words'] == ['all sides', 'some', 'none']
    assert set(view.at(0.5)['tallies']) == {'within qhat', 'top-1 by distance'}
    assert [len(c.get_offsets()) for c in view.plot(0.5).collections[1:]] == [2, 2, 1]


# ---- picture and page


def test_the_picture_fills_what_is_inside(view):
    ax = view.plot(0.4)
    k = view.at(0.4)['k']
    filled = sum(int((c.get_facecolors()[:, 3] > 0).sum()) for c in ax.collections[1:])
    assert 0 < filled == sum(s['beyond'] < k for q in view.sides for s in q) < 32
    legend = [t.get_text() for t in ax.get_legend().get_texts()]
    assert legend == ['newer', 'older', 'hollow: left out', 'qhat']
    assert view.plot(0.4, ax) is ax


def test_the_page_is_the_same_each_time_and_holds_the_view(view, state_of):
    page = view.html(alpha=0.2, question=3)
    shown = dict(view=view.state(), alpha=0.2, question=3, static=True)
    assert page == view.html(alpha=0.2, question=3) and state_of(page) == shown
    both, one, neither = view.at(0.2)['tallies']['top-3 by distance']
    said = f'top-3 by distance: both sides: {both}; one: {one}; neither: {neither}'
    assert f'<li>{said}</li>' in page and len(page) < 60 * 1024
    assert page.count('<td>retrieved</td>') + page.count('<td>left out</td>') == 2
