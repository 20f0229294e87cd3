"Arguments that were swapped, or that name what is meant: the error says which one, and what it should be."

import pytest
from conflare_nb import AlphaExplorer, Calibration, ConformalRetriever, KnowledgeBase
from conflare_nb import calibrate, calibrate_quotes, rank_questions, split_questions

CAL = Calibration([0.1, 0.2, 0.3], {})


@pytest.mark.parametrize(
    'call, says',
    [
        (lambda kb: calibrate(kb, 'q.csv'), "list of Questions, as load_questions gives; got 'q.csv'"),
        (lambda kb: calibrate(kb, ['How long?']), "list of Questions, as load_questions gives; got 'How"),
        (lambda kb: calibrate_quotes(kb, 'q.csv'), "as load_questions gives; got 'q.csv'"),
        (lambda kb: rank_questions(kb, 'q.csv'), "as load_questions gives; got 'q.csv'"),
        (lambda kb: split_questions('q.csv'), "as load_questions gives; got 'q.csv'"),
        (lambda kb: calibrate('docs', []), "kb must be a KnowledgeBase; got the str 'docs'"),
        (lambda kb: calibrate_quotes('docs', []), "kb must be a KnowledgeBase; got the str 'docs'"),
        (lambda kb: ConformalRetriever(CAL, kb), 'kb must be a KnowledgeBase; got the Calibration'),
        (lambda kb: ConformalRetriever(kb, [0.1]), 'cal must be a Calibration; got the list'),
        (lambda kb: AlphaExplorer(kb), 'retriever must be a ConformalRetriever; got the Know'),
        (lambda kb: Calibration([0.1], {}, score='late'), "score must be a Score; got the str 'late'"),
        (
            lambda kb: KnowledgeBase.create('kb', 'docs'),
            "documents must be a list of Documents, as read_folder gives; got 'docs'",
        ),
    ],
)
def test_a_wrong_argument_is_named(kb, call, says):
    with pytest.raises(TypeError) as refused:
        call(kb)
    assert says in str(refused.value)


def test_scores_are_one_list():
    with pytest.raises(ValueError, match=r'got shape \(1, 2\)'):
        Calibration([[0.1, 0.2]], {})
