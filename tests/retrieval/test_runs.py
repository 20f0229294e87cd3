"Files of the field: the measures are those of TREC's own program, a threshold is what is counted by hand, and what is no such file is refused."

import math
import ir_measures as ir, numpy as np, pytest
from command import conflare_here, words
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.retrieval.runs import calibrate_runs, ranking_measures, read_qrels, read_run


def collection(folder, seed):
    "Files of a run with ties and gaps, and of judgments of 40 questions in five grades."
    rng = np.random.default_rng(seed)
    run, judged = [], []
    for q in range(40):
        names = [f'd{i}' for i in rng.permutation(60)]
        grades = [2, *rng.choice([-1, 0, 1, 2, 3], 11)]
        judged += [f'q{q} 0 {name} {grade}' for name, grade in zip(names, grades)]
        shown = rng.permutation(names)[: rng.integers(0, 40)]
        run += [f'q{q}\tQ0 {name} 1 {rng.integers(0, 12) / 4} mine' for name in shown]
    (folder / 'run').write_text('\n'.join(run) + '\r\n')
    (folder / 'qrels').write_text('\n'.join(judged))
    return folder / 'run', folder / 'qrels'


@pytest.mark.parametrize('level', [1, 2])
@pytest.mark.parametrize('seed', range(5))
def test_the_measures_are_those_of_trec(tmp_path, seed, level):
    run, qrels = collection(tmp_path, seed)
    recall, rr, ndcg = ir.R(rel=level) @ 10, ir.RR(rel=level), ir.nDCG @ 10
    read = list(ir.read_trec_qrels(str(qrels))), list(ir.read_trec_run(str(run)))
    each = [m.value for m in ir.iter_calc([rr], *read)]  # RR@10 there breaks ties another way
    found = ir.calc_aggregate([recall, ndcg], *read)
    theirs = [40, found[recall], sum(value for value in each if value >= 0.1) / 40, found[ndcg]]
    ours = ranking_measures(read_run(run), read_qrels(qrels), 10, level)
    names = 'questions', 'recall', 'reciprocal rank', 'ndcg'
    assert [ours[name] for name in names] == pytest.approx(theirs)


@pytest.mark.parametrize('level', [1, 2, 3])
def test_what_is_not_returned_is_infinitely_far(tmp_path, level):
    lists, judged = read_run(collection(tmp_path, 7)[0]), read_qrels(tmp_path / 'qrels')
    scores = []
    for question, grades in judged.items():
        found = [s for name, _, s in lists.get(question, []) if grades.get(name, 0) >= level]
        if max(grades.values()) >= level:
            scores.append(-max(found, default=-math.inf))
    cal = calibrate_runs(tmp_path / 'run', tmp_path / 'qrels', level, alpha=0.6)
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
