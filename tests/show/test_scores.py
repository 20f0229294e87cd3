"Scores beside each other without a browser: their numbers against the retriever's, the page, the traits."

import numpy as np, pytest
from conflare_nb import ConformalRetriever, Distance, Hybrid, Margin, Rank, Softmax
from conflare_nb import answering_chunks
from conflare_nb.show.scores import ScoreExplorer, score_view

ALPHAS = [*np.linspace(0.005, 0.995, 16), 1e-6]


@pytest.fixture(scope='module')
def cals(calibrated):
    return list(map(calibrated, (Hybrid(), Distance(), Rank(), Margin(), Softmax(pool=3))))


@pytest.fixture(scope='module')
def view(kb, cals, questions):
    return score_view(kb, cals, questions[1:8:2])


# ---- the numbers


def test_every_alpha_is_what_the_retriever_does(kb, cals, questions, view):
    assert np.isinf(cals[-1].scores).any()  # a pool of 3 misses some
    for i, question in enumerate(questions[1:8:2]):
        relevant = answering_chunks(kb, [question])[0]
        for cal in cals:
            for alpha in ALPHAS:
                retriever = ConformalRetriever(kb, cal, alpha)
                found = retriever.retrieve(question.text)
                seen = view.at(i, alpha)[cal.score.name]
                shown = [seen[name] for name in ('k', 'qhat', 'chunks', 'tokens')]
                assert shown == [retriever.promise.rank, found.qhat, len(found), found.tokens]
                assert seen['answered'] == bool(relevant & set(found.chunks['id'].to_pylist()))


def test_the_steps_hold_every_count(view):
    for question, columns in zip(view.state()['questions'], view.columns.values()):
        for said, column in zip(question['columns'], columns):
            for k in range(1, column.n + 2):
                last = [step for step in said['steps'] if step[0] < k]
                assert (last[-1][1] if last else 0) == (column.below < k).sum()


def test_a_text_is_held_once(kb, cals, questions, view):
    state = view.state()
    ids = [chunk['id'] for chunk in state['chunks']]
    assert len(ids) == len(set(ids)) <= len(kb)
    for question, columns in zip(state['questions'], view.columns.values()):
        for said, column in zip(question['columns'], columns):
            listed = [ids[place] for place, _ in said['listed']]
            assert listed == [chunk['id'] for chunk in column.chunks]
    two = score_view(kb, cals, questions[1:8:2], most=2).state()
    assert all(len(c['listed']) <= 2 for q in two['questions'] for c in q['columns'])
    steps = [[c['steps'] for c in s['questions'][0]['columns']] for s in (two, state)]
    assert steps[0] == steps[1]


def test_what_cannot_be_compared_is_refused(kb, cals):
    with pytest.raises(ValueError, match=r'got \[\]'):
        score_view(kb, [], ['Why?'])
    with pytest.raises(ValueError, match='got 0'):
        score_view(kb, cals, ['Why?'], most=0)


# ---- the page


def test_a_table_without_scripts(view):
    table = view.table(0.1, 2)
    for name, seen in view.at(2, 0.1).items():
        assert f'<td>{name}</td>' in table
        assert f'<td>{seen["chunks"]}</td><td>{seen["tokens"]}</td>' in table
    assert view.questions[2].replace("'", '&#x27;') in table or view.questions[2] in table
    assert 'infinite: the whole pool' in view.table(0.001)


# ---- the widget


def test_shown_as_widget_as_page_and_as_text(kb, cals, questions):
    w = ScoreExplorer(kb, cals, questions[1:8:2], alpha=0.2, question=1)
    assert w.to_html() == w.shown.html(alpha=0.2, question=1)
    found = f'chunks by hybrid {w.found["hybrid"]["chunks"]}, distance'
    assert repr(w).startswith(f'ScoreExplorer at alpha=0.2: {found}')
