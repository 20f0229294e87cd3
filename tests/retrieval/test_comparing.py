"Scores beside each other, against counting by hand; and a choice whose questions may not calibrate."

from dataclasses import replace
import numpy as np, pytest
from conflare_nb.calibration.calibration import calibrate
from conflare_nb.calibration.judges import answering_chunks
from conflare_nb.conformal.threshold import conformal_quantile
from conflare_nb.questions.question import split_questions
from conflare_nb.retrieval.comparing import (
    COLUMNS,
    COMPARED,
    HINDSIGHT,
    choose_score,
    compare_scores,
    plot_score_costs,
)
from conflare_nb.retrieval.evaluation import rank_questions
from conflare_nb.scores.hybrid import Hybrid
from conflare_nb.scores.score import Distance, Rank, Softmax

pytest_plugins = ['kb_fixtures']


@pytest.fixture(scope='module')
def some(questions):
    return questions[::2]


@pytest.fixture(scope='module')
def table(kb, some):
    return compare_scores(kb, some, alphas=(0.2, 0.1), splits=6, seed=3, progress=False)


def by_hand(kb, some, score, alpha, splits, seed):
    "Coverage, chunks, tokens, empty: chunk by chunk, the mean of the splits."
    answers = dict(zip([q.id for q in some], answering_chunks(kb, some)))
    ranked = {q.id: score.rank(kb, q.text).to_pylist() for q in some}
    own = {
        i: min((r['score'] for r in rows if r['id'] in answers[i]), default=np.inf)
        for i, rows in ranked.items()
    }
    out = []
    for split in range(splits):
        first, second = split_questions(some, seed=seed + split)
        qhat = conformal_quantile([own[q.id] for q in first], alpha)
        kept = [[r for r in ranked[q.id] if r['score'] <= qhat] for q in second]
        out.append(
            [
                np.mean([own[q.id] <= qhat for q in second]),
                np.mean([len(k) for k in kept]),
                np.mean([sum(r['tokens'] for r in k) for k in kept]),
                np.mean([not k for k in kept]),
            ]
        )
    return np.mean(out, axis=0)


@pytest.mark.parametrize('score', [Distance(), Hybrid()], ids=str)
def test_a_row_is_what_counting_gives(table, kb, some, score):
    for alpha in (0.2, 0.1):
        row = table[(table.score == score.name) & (table.alpha == alpha)].iloc[0]
        assert list(row[['coverage', 'chunks', 'tokens', 'empty']]) == pytest.approx(
            list(by_hand(kb, some, score, alpha, 6, 3))
        )


def test_hindsight_is_the_smallest_k_that_covers_the_half(table, kb, some):
    ranks = dict(
        zip([q.id for q in some], rank_questions(kb, some, progress=False, score=Rank()).ranks)
    )
    ks = []
    for split in range(6):
        _, second = split_questions(some, seed=3 + split)
        held = np.array([ranks[q.id] for q in second])
        ks.append(next(k for k in range(1, 301) if np.mean(held <= k) >= 0.9))
    row = table[(table.score == HINDSIGHT) & (table.alpha == 0.1)].iloc[0]
    assert (
        row.chunks == pytest.approx(np.mean(ks)) and row.coverage >= 0.9 and np.isnan(row.band_low)
    )


def test_the_least_covered_are_named(table, some):
    assert list(table.columns) == COLUMNS and set(table.worst_kind) <= {q.kind for q in some}
    assert (table.worst_kind_coverage <= table.coverage).all() and (
        table.hardest_third <= table.coverage
    ).all()
    assert table.groupby('score', sort=False).size().to_dict() == {
        **{s.name: 2 for s in COMPARED},
        HINDSIGHT: 2,
    }


def test_the_default_reads_less_than_the_best_k(table):
    chunks = table.set_index(['alpha', 'score']).chunks
    for alpha in (0.2, 0.1):
        assert chunks[alpha, 'hybrid'] < chunks[alpha, HINDSIGHT] < chunks[alpha, 'distance']


def test_the_same_seed_gives_the_same_table_and_questions_without_kinds_go_by_document(kb, some):
    plain = [replace(q, kind='') for q in some[::4]]
    one, two = [
        compare_scores(kb, plain, (Rank(), Rank(pool=5)), (0.3,), 2, 0, progress=False)
        for _ in range(2)
    ]
    assert one.equals(two) and not one.equals(
        compare_scores(kb, plain, (Rank(), Rank(pool=5)), (0.3,), 2, 7, progress=False)
    )
    assert (
        one.score.tolist() == ['Rank(pool=None)', 'Rank(pool=5)', HINDSIGHT]
        and one.worst_kind.isna().all()
    )  # none has ten questions


def test_a_threshold_that_is_none_is_said(kb, some):
    row = compare_scores(kb, some[::4], (Distance(pool=1),), (0.05,), 3, progress=False).iloc[0]
    assert (
        row.infinite == 1 and row.chunks == 1 and row.coverage == 1
    )  # everything in reach is retrieved: full coverage that says nothing
    finite = compare_scores(kb, some[::4], (Distance(pool=1),), (0.5,), 3, progress=False).iloc[0]
    assert finite.infinite == 0 and finite.coverage < 1


@pytest.mark.parametrize('cost', ['chunks', 'tokens'])
def test_the_cheapest_is_chosen_and_its_questions_are_refused(kb, some, cost):
    first, second = split_questions(some, seed=1)
    choice = choose_score(kb, first, alpha=0.1, cost=cost, splits=4, progress=False)
    assert choice.score == Hybrid() and choice.ids == tuple(q.id for q in first)
    paid = choice.table
    assert (
        paid[cost].idxmin() == paid.score.tolist().index('hybrid')
        and len(paid) == len(COMPARED)
        and cost in str(choice)
    )
    cal = calibrate(kb, second, score=choice, progress=False)
    assert (
        cal.score == Hybrid() and (cal.scores == calibrate(kb, second, progress=False).scores).all()
    )
    for measure in (calibrate, rank_questions):
        with pytest.raises(ValueError, match=f'1 do both, such as {first[0].id!r}'):
            measure(kb, [*second, first[0]], score=choice, progress=False)


def test_each_half_sets_thresholds_that_the_other_pays(kb, some):
    few, alpha = some[::3], 0.2
    choice = choose_score(kb, few, (Softmax(), Rank()), alpha, splits=3, seed=9, progress=False)
    for score, cost, coverage, infinite in choice.tried:
        r, paid = rank_questions(kb, few, progress=False, score=score), []
        for split in range(3):
            first = {q.id for q in split_questions(few, seed=9 + split)[0]}
            inside = np.array([q.id in first for q in few])
            for cal in (inside, ~inside):
                found = r.each(conformal_quantile(r.scores[cal], alpha))
                paid.append((found['chunks'][~cal].mean(), found['coverage'][~cal].mean()))
        assert (cost, coverage, infinite) == (*np.mean(paid, axis=0).tolist(), 0.0)


def test_what_cannot_reach_the_level_is_charged_with_everything(kb, some):
    choice = choose_score(
        kb, some[::3], (Distance(pool=1), Distance()), 0.1, splits=3, progress=False
    )
    assert choice.score == Distance() and choice.table.chunks[0] == len(kb)
    assert (
        choose_score(kb, some[::3], (Rank(), Rank()), 0.2, splits=2, progress=False).score == Rank()
    )  # of equals the first
    with pytest.raises(ValueError, match='needs 19 questions'):
        choose_score(kb, some[:20], alpha=0.05)
    with pytest.raises(ValueError, match="got 'seconds'"):
        choose_score(kb, some, cost='seconds')
    for ask in (compare_scores, choose_score):
        with pytest.raises(ValueError, match='splits counts halvings'):
            ask(kb, some, splits=0)


def test_the_picture_has_a_line_for_each(table):
    import matplotlib

    matplotlib.use('Agg')
    for cost in ('chunks', 'tokens'):
        ax = plot_score_costs(table, cost)
        lines = {line.get_label(): line.get_ydata().tolist() for line in ax.lines}
        assert (
            lines == {name: rows[cost].tolist() for name, rows in table.groupby('score')}
            and cost in ax.get_ylabel()
        )
