"The promise is about questions as they are asked: what is asked often counts often, and is paid for once."

from collections import Counter
import numpy as np, pandas as pd, pytest
from conflare_nb import ContainsJudge, calibrate_pipeline, load_questions


def often_and_hard(rng, n):
    "One hard question is asked 15% of the time; nobody else asks what somebody asked before."
    texts = np.where(rng.uniform(size=n) < 0.15, 'hard', np.arange(n).astype(str))
    score = dict(zip(texts.tolist(), rng.uniform(size=n).tolist())) | {'hard': 2.0}
    return texts, score, lambda qhat: 0.85 * min(qhat, 1) + 0.15 * (qhat >= 2)


def popular_is_hard(rng, n, kinds=400):
    "Zipf's law: the k-th of 400 questions is asked as often as 1/k, and the more often, the harder it is."
    share = 1 / np.arange(1, kinds + 1)
    share /= share.sum()
    scores = 1 - (np.arange(kinds) + 0.5) / kinds
    drawn = rng.choice(kinds, n, p=share)
    score = {str(i): scores[i] for i in drawn}
    return drawn.astype(str), score, lambda qhat: share[scores <= qhat].sum()


@pytest.mark.parametrize('world', [often_and_hard, popular_is_hard])
def test_coverage_of_questions_as_they_are_asked(world):
    rng, coverage = np.random.default_rng(0), []
    for _ in range(60):
        texts, score, covers = world(rng, 200)
        asked = load_questions(pd.DataFrame(dict(question=texts, answer='42')))
        retrieve = lambda text: [('c', 'It is 42.', score[text])]
        cal = calibrate_pipeline(retrieve, asked, progress=False)
        coverage.append(covers(cal.qhat(0.1)))
    assert np.mean(coverage) >= 0.9 - 3 * np.std(coverage) / np.sqrt(len(coverage))


@pytest.mark.parametrize('judge', [ContainsJudge(), None])
def test_what_is_asked_again_is_retrieved_and_judged_once_by_a_judge(judge):
    frame = pd.DataFrame(dict(question=['How long?', 'How much?'] * 6, answer='42'))
    asked, calls = load_questions(frame), Counter()

    def retrieve(text):
        calls[text] += 1
        return [('a', 'Nothing here.', 0.1), ('b', 'It is 42.', 0.2 + len(text))]

    answers = judge or {question.id: {'a' if i < 3 else 'b'} for i, question in enumerate(asked)}
    cal = calibrate_pipeline(retrieve, asked, answers, alpha=0.5, progress=False)
    assert set(calls.values()) == ({1} if judge else {6}) and cal.n == 12
    assert [label.question for label in cal.labels] == [question.id for question in asked]
    ranks = [label.rank for label in cal.labels]  # a table knows ids, the words know only texts
    assert ranks == ([2] * 12 if judge else [1] * 3 + [2] * 9)
