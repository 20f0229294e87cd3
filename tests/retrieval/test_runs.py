"Files of the field: the measures are those of TREC's own program, a threshold is what is counted by hand, and what is no such file is refused."

import math
import numpy as np, pytest
from command import conflare_here, words
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.retrieval.runs import calibrate_runs, ranking_measures, read_qrels, read_run


def collection(folder, seed, questions=40):
    "Files of a run with ties and gaps, and of judgments in five grades with a relevant document each."
    rng = np.random.default_rng(seed)
    run, judged = [], []
    for q in range(questions):
        names = [f'd{i}' for i in rng.permutation(60)]
        grades = rng.choice([-1, 0, 1, 2, 3], 12)
        grades[0] = 2
        judged += [f'q{q} 0 {name} {grade}' for name, grade in zip(names, grades)]
        shown = rng.permutation(names)[: rng.integers(0, 40)]
        scores = rng.integers(0, 12, len(shown)) / 4
        run += [
            f'q{q}\tQ0 {name} {i} {score} mine'
            for i, (name, score) in enumerate(zip(shown, scores))
        ]
    (folder / 'run').write_text('\n'.join(run) + '\r\n')
    (folder / 'qrels').write_text('\n'.join(judged))
    return folder / 'run', folder / 'qrels'


@pytest.mark.parametrize('level', [1, 2])
@pytest.mark.parametrize('seed', range(5))
def test_the_measures_are_those_of_trec(tmp_path, seed, level):
    ir = pytest.importorskip('ir_measures')
    run, qrels = collection(tmp_path, seed)
    recall, rr, ndcg = ir.R(rel=level) @ 10, ir.RR(rel=level), ir.nDCG @ 10
    read = list(ir.read_trec_qrels(str(qrels))), list(ir.read_trec_run(str(run)))
    each = [m.value for m in ir.iter_calc([rr], *read)]  # RR@10 there breaks ties another way
    found = ir.calc_aggregate([recall, ndcg], *read)
    theirs = found[recall], sum(value for value in each if value >= 0.1) / 40, found[ndcg]
    ours = ranking_measures(read_run(run), read_qrels(qrels), 10, level)
    assert ours['questions'] == 40
    names = 'recall', 'reciprocal rank', 'ndcg'
    assert [ours[name] for name in names] == pytest.approx(theirs)


@pytest.mark.parametrize('level', [1, 2, 3])
def test_what_is_not_returned_is_infinitely_far(tmp_path, level):
    run, qrels = collection(tmp_path, 7)
    lists, judged = read_run(run), read_qrels(qrels)
    scores = []
    for question, grades in judged.items():
        right = {name for name, grade in grades.items() if grade >= level}
        found = [score for name, _, score in lists.get(question, []) if name in right]
        if right:
            scores.append(-max(found, default=-math.inf))
    cal = calibrate_runs(run, qrels, level, alpha=0.6)
    assert cal.scores.tolist() == scores and cal.unanswerable == 40 - len(scores)
    assert math.inf in scores and cal.qhat(0.6) == conformal_quantile(scores, 0.6)


def test_the_command_compares_and_names_what_is_wrong(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    collection(tmp_path, 3)
    said = words(conflare_here('evaluate', '--run', 'run', '--qrels', 'qrels', '--alpha', '.5'))
    assert 'MRR@10' in said and 'calibrated' in said and 'nan' not in said
    (tmp_path / 'run').write_text('q1 Q0 d1 1 inf mine')
    said = conflare_here('evaluate', '--run', 'run', '--qrels', 'qrels').stderr
    assert "error: run line 1: a score is a finite number; got 'inf'" in said
