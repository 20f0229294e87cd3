"Scores beside each other without a browser: their numbers against the retriever's, the page against hostile texts, the traits."

import json
import numpy as np, pytest
from traitlets import TraitError
from conflare_nb.retrieval.calibration import Calibration, calibrate
from conflare_nb.labels.judges import answering_chunks
from conflare_nb.documents.store import KnowledgeBase
from conflare_nb.labels.guide import sample_documents, sample_questions
from conflare_nb.retrieval.retriever import ConformalRetriever
from conflare_nb.documents.hybrid import Hybrid
from conflare_nb.documents.score import Distance, Margin, Rank, Softmax
from conflare_nb.show.scores import ScoreExplorer, score_view

HOSTILE = '</script><img src=x onerror=alert(1)><!-- "&\u2028'
ALPHAS = [*np.linspace(0.005, 0.995, 34), 1e-6]


@pytest.fixture(scope='module')
def kb(tmp_path_factory):
    return KnowledgeBase.create(
        tmp_path_factory.mktemp('kb'), sample_documents()[:8], progress=False
    )


@pytest.fixture(scope='module')
def questions(kb):
    return [q for q in sample_questions() if q.document in kb.documents()]


@pytest.fixture(scope='module')
def cals(kb, questions):
    scores = Hybrid(), Distance(), Rank(), Margin(), Softmax(pool=3)
    return [calibrate(kb, questions[::2], progress=False, score=score) for score in scores]


@pytest.fixture(scope='module')
def view(kb, cals, questions):
    return score_view(kb, cals, questions[1:8:2])


def data(page):
    return json.loads(page.split('<script type="application/json">')[1].split('</script>')[0])


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
                assert (seen['k'], seen['qhat'], seen['chunks'], seen['tokens']) == (
                    retriever.k_of_n[0],
                    found.qhat,
                    len(found),
                    found.tokens,
                )
                assert seen['answered'] == bool(relevant & set(found.chunks['id'].to_pylist()))


def test_what_is_below_is_the_p_value(cals, view):
    for columns in view.columns.values():
        for cal, column in zip(cals, columns):
            assert np.allclose((cal.n + 1 - column.below) / (cal.n + 1), cal.p_value(column.values))


@pytest.mark.parametrize('scores', [[np.inf] * 3, [0.4], [0.4, 0.4, 0.4], [0.0, 2.0, np.inf]])
def test_odd_calibrations(kb, scores):
    cal = Calibration(scores, kb.fingerprint(), score=Softmax())
    view = score_view(kb, [cal], ['How long does it keep?'])
    for alpha in (0.001, 0.3, 0.5, 0.999):
        found, seen = (
            ConformalRetriever(kb, cal, alpha).retrieve('How long does it keep?'),
            view.at(0, alpha)['softmax'],
        )
        assert (seen['qhat'], seen['chunks'], seen['tokens'], seen['answered']) == (
            found.qhat,
            len(found),
            found.tokens,
            None,
        )
    json.dumps(view.state(), allow_nan=False)


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
            assert [ids[place] for place, _ in said['listed']] == [
                chunk['id'] for chunk in column.best
            ]
    two = score_view(kb, cals, questions[1:8:2], most=2).state()
    assert all(
        len(column['listed']) <= 2
        for question in two['questions']
        for column in question['columns']
    )
    assert [c['steps'] for c in two['questions'][0]['columns']] == [
        c['steps'] for c in state['questions'][0]['columns']
    ]


@pytest.mark.parametrize(
    'change, says',
    [
        (dict(calibrations=[]), r'got \[\]'),
        (dict(questions=[]), 'got none'),
        (dict(questions=['\t']), r"needs words; got '\\t'"),
        (dict(most=0), 'got 0'),
    ],
)
def test_what_cannot_be_compared_is_refused(kb, cals, change, says):
    with pytest.raises(ValueError, match=says):
        score_view(**{**dict(kb=kb, calibrations=cals, questions=['Why?']), **change})


def test_a_foreign_calibration_and_one_name_twice(kb, cals):
    foreign = Calibration([0.2], dict(kb.fingerprint(), chunks=1))
    with pytest.raises(ValueError, match='another knowledge base'):
        score_view(kb, [cals[0], foreign], ['Why?'])
    with pytest.raises(ValueError, match=r"got \['rank', 'rank'\]"):
        score_view(kb, [cals[2], cals[2]], ['Why?'])
    assert list(score_view(kb, dict(a=cals[2], b=cals[2]), ['Why?']).at(0, 0.1)) == ['a', 'b']


# ---- the page


def test_a_table_without_scripts(view):
    table = view.table(0.1, 2)
    for name, seen in view.at(2, 0.1).items():
        assert (
            f'<td>{name}</td>' in table
            and f'<td>{seen["chunks"]}</td><td>{seen["tokens"]}</td>' in table
        )
    assert view.questions[2].replace("'", '&#x27;') in table or view.questions[2] in table
    assert 'everything it sees' in view.table(0.001)


# ---- the widget


def test_shown_as_widget_as_page_and_as_text(kb, cals, questions):
    w = ScoreExplorer(kb, cals, questions[1:8:2], alpha=0.2, question=1)
    shown = w._repr_mimebundle_()[0]
    assert {'text/html', 'application/vnd.jupyter.widget-view+json'} <= set(shown)
    assert shown['text/html'] == w.to_html() == w.shown.html(alpha=0.2, question=1)
    assert repr(w).startswith(
        f'ScoreExplorer at alpha=0.2: chunks by hybrid {w.found["hybrid"]["chunks"]}, distance'
    )


def test_what_a_browser_sends_arrives_and_what_is_wrong_is_refused(kb, cals, questions):
    w = ScoreExplorer(kb, cals, questions[1:8:2])
    w.set_state(dict(alpha=0.3, question=3))
    assert (w.alpha, w.question, w.found) == (0.3, 3, w.shown.at(3, 0.3))
    for name, bad, says in (
        ('alpha', 0, 'got 0'),
        ('alpha', np.nan, 'got nan'),
        ('question', 4, '0 to 3; got 4'),
        ('question', -1, 'got -1'),
    ):
        with pytest.raises(ValueError, match=says):
            setattr(w, name, bad)
    with pytest.raises(TraitError):
        w.question = 'first'
    assert (w.alpha, w.question) == (0.3, 3)
