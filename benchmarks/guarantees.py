"""Every promise, measured: `python benchmarks/guarantees.py [--runs 20000] [--seed 0] [--out FILE]`.

Each promise is put into a world (worlds.py) in which its theorem says what must come out, and is written down with that
value, with what was found and its standard error, and with a test that holds it. The page "How we know" shows the file.
"""

import argparse
import json
import platform
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
import numpy as np
import worlds
from worlds import ALPHA, BOTH, BOTH_ALPHA, DELTA, N, both_kept
from conflare_nb.conformal.threshold import conformal_rank
from conflare_nb.conformal.two_steps import harmonic_size

LIBRARIES = ('numpy', 'scipy')


@dataclass(frozen=True)
class Promise:
    "One promise, and the world that puts it to the test."

    name: str  # short
    says: str  # the exact statement
    needs: str  # what it takes for granted
    source: str  # of the theorem
    test: str  # file and function that hold it
    world: str  # what is drawn
    run: (
        Callable | None
    )  # run(rng, runs): what is averaged; None = no matter of chance, the test says all
    low: float | None = None  # the theorem's least value; None = none
    high: float | None = None  # its largest


def exactly(value: float) -> dict:
    "Both ends at once."
    return dict(low=value, high=value)


EXCHANGEABLE = 'exchangeable questions, alpha chosen beforehand'
INDEPENDENT = 'independent questions'
VOVK = 'Vovk, Gammerman & Shafer 2005'
ON_50 = f'{N} questions calibrate, alpha={ALPHA:g}'
ON_BOTH = f'{BOTH} questions calibrate, alpha={BOTH_ALPHA:g}'
K = conformal_rank(N, ALPHA)
THRESHOLD = 'tests/conformal/test_threshold.py'
AUDIT = 'tests/calibration/test_audit.py'
TWO_STEPS = 'tests/conformal/test_two_steps.py'
COVERED = 'P(an answer is retrieved, or everything is)'
PAIR = 'P(the passage that answers and a right answer from it are kept, or everything is)'
FREE, WORST = harmonic_size(BOTH_ALPHA)

ONE_THRESHOLD = [
    Promise(
        'coverage',
        f'{COVERED} = k/(n+1), between 1-alpha and 1-alpha+1/(n+1)',
        f'{EXCHANGEABLE}; no ties, else at least',
        VOVK,
        f'{THRESHOLD}::test_mean_coverage_is_k_over_n_plus_1',
        ON_50,
        worlds.coverage,
        **exactly(K / (N + 1)),
    ),
    Promise(
        'unanswerable set apart',
        f'{COVERED} >= 1-alpha for answerable questions',
        f'{EXCHANGEABLE}; what is answerable is labelled rightly',
        VOVK,
        f'{THRESHOLD}::test_set_apart_the_promise_is_exact_for_answerable_questions',
        f'{ON_50}, 9% of them have no answer',
        worlds.coverage_of_answerable,
        1 - ALPHA,
    ),
    Promise(
        'any pipeline',
        'P(an answering chunk has score <= qhat, or qhat is infinite) >= 1-alpha',
        f'{EXCHANGEABLE}; the same function when calibrating and when asking',
        VOVK,
        'tests/retrieval/test_pipeline.py::test_every_store_covers_what_the_theorem_says',
        f'{ON_50}, for 8% the answer is out of reach',
        worlds.coverage_or_everything,
        1 - ALPHA,
    ),
    Promise(
        'two stages',
        'the same, of the last stage: what the first one loses has an infinite score',
        EXCHANGEABLE,
        VOVK,
        'tests/scores/test_scores.py::test_the_theorems_own_value',
        f'{ON_50}; 10 of 40 chunks reach the second stage',
        worlds.two_stages,
        1 - ALPHA,
    ),
    Promise(
        'a chosen score',
        f'{COVERED} = k/(n+1)',
        f'{EXCHANGEABLE}; the score is chosen on other questions',
        VOVK,
        'tests/retrieval/test_comparing.py::test_the_cheapest_is_chosen_and_its_questions_are_refused',
        f'{ON_50}; of six scores the best on 40 others',
        worlds.chosen_score,
        **exactly(K / (N + 1)),
    ),
    Promise(
        'its law',
        'the coverage of one calibration set lies in its 90% band 9 times in 10',
        f'{INDEPENDENT}, no ties',
        'Vovk 2012',
        f'{THRESHOLD}::test_coverage_of_one_threshold_follows_the_beta_law',
        ON_50,
        worlds.inside_the_band,
        **exactly(0.9),
    ),
    Promise(
        'a test',
        'the share covered of m test questions lies in its 90% band at least 9 times in 10',
        f'{INDEPENDENT}, no ties',
        'Vovk 2012',
        f'{THRESHOLD}::test_empirical_band_against_simulated_tests',
        f'{ON_50}, m=100',
        worlds.inside_the_test_band,
        0.9,
    ),
    Promise(
        'this calibration set',
        'coverage is at least 1-alpha with probability 1-delta',
        INDEPENDENT,
        'Vovk 2012',
        f'{THRESHOLD}::test_pac_threshold_keeps_its_confidence',
        f'{ON_50}, delta={DELTA:g}',
        worlds.enough_for_this_set,
        1 - DELTA,
    ),
    Promise(
        'a planned size',
        'coverage is at least 1-alpha-eps with probability 1-delta',
        f'{INDEPENDENT}, no ties',
        'Vovk 2012',
        f'{THRESHOLD}::test_calibration_size_by_brute_force',
        f'alpha={ALPHA:g}, eps=.05, delta={DELTA:g}',
        worlds.enough_planned,
        1 - DELTA,
    ),
    Promise(
        'p-values',
        'P(p <= alpha) <= alpha for the first chunk that answers',
        EXCHANGEABLE,
        VOVK,
        f'{THRESHOLD}::test_each_in_turn_is_the_new_question',
        ON_50,
        worlds.p_value_too_small,
        high=ALPHA,
    ),
    Promise(
        'full conformal',
        'P(p > alpha) >= 1-alpha, and no example is given away',
        f'{EXCHANGEABLE}; a score that does not mind the order of the others',
        VOVK,
        f'{TWO_STEPS}::test_full_conformal_covers',
        f'9 examples, alpha={ALPHA:g}',
        worlds.full_conformal,
        1 - ALPHA,
    ),
    Promise(
        'a gate',
        'P(an answer is retrieved and the gate is open, or qhat is infinite) >= 1-alpha',
        f'{EXCHANGEABLE}; the part of alpha for the gate chosen beforehand',
        'Bonferroni in whole ranks, none of them wasted',
        'tests/conformal/test_abstain.py::test_coverage_by_simulation',
        f'249 questions calibrate, alpha={ALPHA:g}',
        worlds.behind_a_gate,
        **exactly(1 - 25 / 250),
    ),
    Promise(
        'what a gate lets through',
        'P(the gate opens for a question that nothing answers) <= eps',
        'unanswerable questions exchangeable with those that set the gate',
        VOVK,
        'tests/conformal/test_abstain.py::test_what_is_let_through_is_exact',
        '40 unanswerable questions, eps=.2',
        worlds.let_through,
        high=0.2,
    ),
]

KINDS_AND_CHANGES = [
    Promise(
        'each kind',
        'P(covered, or everything | kind) >= 1-alpha, = k/(n+1) of the kind without ties',
        f'{EXCHANGEABLE} within the kind; the kind is known from the question alone',
        VOVK,
        'tests/conformal/test_groups.py::test_mean_coverage_of_each_group_is_k_over_n_plus_1',
        f'15 of 100 questions are of this kind, alpha={ALPHA:g}',
        worlds.of_a_kind,
        **exactly(15 / 16),
    ),
    Promise(
        'small kinds together',
        'the same for all kinds that are merged, taken together',
        'the same, and a least size fixed beforehand',
        VOVK,
        'tests/conformal/test_groups.py::test_coverage_where_groups_come_at_random',
        f'60 questions of five kinds, alpha={ALPHA:g}, merged below 9',
        worlds.of_small_kinds,
        1 - ALPHA,
    ),
    Promise(
        'questions for each kind',
        'some kind has fewer than was planned with probability delta at most',
        f'{INDEPENDENT}, known shares',
        'union bound',
        'tests/conformal/test_groups.py::test_questions_for_groups',
        f'shares .6, .3 and .1, delta={DELTA:g}',
        worlds.too_few_of_a_kind,
        high=DELTA,
    ),
    Promise(
        'questions in bunches',
        'approximately: the coverage of new documents lies in the cluster band 9 times in 10',
        'independent documents, tested with 10 to 50',
        "Kish 1965, with Student's quantile",
        'tests/conformal/test_clusters.py::test_questions_in_bunches',
        '50 documents with 11 questions, correlation .1; the test allows .865 to .935',
        worlds.inside_the_cluster_band,
        0.865,
        0.935,
    ),
    Promise(
        'one of each document',
        'the coverage of new documents lies in its 90% band 9 times in 10',
        'independent documents, no ties',
        'Vovk 2012',
        'tests/calibration/test_calibration.py::test_only_one_question_a_document_keeps_the_law_on_a_new_document',
        '50 documents with 5 questions, correlation .5',
        worlds.one_of_each_document,
        **exactly(0.9),
    ),
    Promise(
        'known shift',
        f'{COVERED} >= 1-alpha, for the questions that are asked now',
        'known likelihood ratios, uncut; independent questions',
        'Tibshirani, Barber, Candès & Ramdas 2019',
        'tests/conformal/test_shift.py::test_known_ratios_cover_between_both_bounds',
        f'99 questions, asked ones have the density 2x, alpha={ALPHA:g}',
        worlds.known_shift,
        1 - ALPHA,
    ),
    Promise(
        'a false alarm',
        'P(the drift alarm ever goes off, while nothing changes) <= delta',
        'exchangeable questions, all of them labelled',
        'Ville 1939; Vovk et al. 2021',
        'tests/conformal/test_drift.py::test_false_alarms_ever_are_at_most_delta',
        'streams of 150 questions after 40, delta=.05',
        worlds.false_alarm,
        high=0.05,
    ),
    Promise(
        'a difference of questions',
        'P(any difference is reported between equal sets) <= .05',
        'valid p-values, related in any way',
        'Holm 1979',
        'tests/questions/test_likeness.py::test_holm',
        'five related tests',
        worlds.difference_reported,
        high=0.05,
    ),
]

JUDGES = [
    Promise(
        'a judge that errs',
        'coverage >= 1-alpha-P(label too early)',
        EXCHANGEABLE,
        'union bound',
        f'{AUDIT}::test_a_bad_judge_breaks_coverage_and_the_audit_repairs_it',
        'n=100, alpha=.2, 8% of the labels too early',
        worlds.coverage_by_a_judge,
        0.8 - 0.08,
    ),
    Promise(
        'an audit of fixed size',
        'P(more labels are too early than the bound says) <= delta',
        'labels drawn at random, their number fixed beforehand',
        'Clopper & Pearson 1934',
        f'{AUDIT}::test_the_bound_holds_with_its_probability_for_every_share',
        '100 labels, 8% too early, delta=.05',
        worlds.judge_refuted,
        high=0.05,
    ),
    Promise(
        'an audit that may grow',
        'P(the bound is ever below the truth, however often one looks) <= delta',
        'labels looked at in random order',
        'Ville 1939; Waudby-Smith & Ramdas 2023',
        'tests/conformal/test_betting.py::test_who_looks_until_it_pleases_is_misled_with_probability_delta_at_most',
        '272 labels, 27 too early, a look at each, delta=.05',
        worlds.looks_until_it_pleases,
        high=0.05,
    ),
    Promise(
        'an audited threshold',
        "it is at least the true labels' threshold at alpha, with probability 1-delta",
        'labels looked at in random order, until one likes',
        'union bound over what the audit allows',
        f'{AUDIT}::test_the_promise_holds_for_audits_that_stop_when_they_please',
        'n=100, alpha=.2, 8% too early, delta=.05, until half of alpha is left',
        worlds.audited,
        0.95,
    ),
]

ALL_OF_IT = [
    Promise(
        'risk control',
        'E[share of relevant chunks missed, 0 where everything is retrieved] <= alpha, >= alpha-2/(n+1)',
        f'{EXCHANGEABLE}, all their relevant chunks labelled (the lower end: no ties)',
        'Angelopoulos et al. 2022',
        'tests/conformal/test_risk.py::test_expected_loss',
        f'59 questions with 1 to 4 relevant chunks, alpha={ALPHA:g}',
        worlds.share_missed,
        ALPHA - 2 / 60,
        ALPHA,
    ),
    Promise(
        'several limits',
        'P(a threshold that breaks some limit is let through) <= delta',
        f'{INDEPENDENT}, limits fixed beforehand',
        'Angelopoulos et al. 2021',
        'tests/conformal/test_risk.py::test_family_wise_error',
        '120 questions, three limits, delta=.2',
        worlds.some_limit_broken,
        high=0.2,
    ),
    Promise(
        'within a budget',
        'P(an answer is shown, or qhat is infinite) >= 1-alpha',
        f'{EXCHANGEABLE}, the budget fixed beforehand',
        'the theorem on the truncated pipeline',
        'tests/conformal/test_budget.py::test_coverage_of_the_truncated_pipeline',
        f'99 questions, alpha={ALPHA:g}, harder ones need more tokens',
        worlds.within_a_budget,
        1 - ALPHA,
    ),
    Promise(
        'the largest promise',
        'P(more is promised than fits) <= delta',
        f'{INDEPENDENT}, the budget fixed beforehand',
        'Clopper & Pearson 1934',
        'tests/conformal/test_budget.py::test_the_largest_promise_keeps_its_confidence',
        f'60 questions, an answer fits for 80%, delta={DELTA:g}',
        worlds.promised_too_much,
        high=DELTA,
    ),
]

ANSWERS = [
    Promise(
        'sentences',
        'P(a right sentence is listed, or qhat is infinite) >= 1-alpha',
        EXCHANGEABLE,
        VOVK,
        'tests/answers/test_quotes.py::test_a_simulated_world_is_covered_as_promised',
        f'99 questions, alpha={ALPHA:g}, for 3% no sentence in reach is right',
        worlds.quoted,
        1 - ALPHA,
    ),
    Promise(
        'answer sets, by ranks',
        f'{PAIR} >= 1-alpha',
        f'{EXCHANGEABLE}, and its share',
        'Bonferroni in whole ranks',
        f'{TWO_STEPS}::test_bonferroni_covers_at_every_split',
        f'{ON_BOTH}; what is easy to find is hard to answer',
        both_kept('ranks', worlds.opposed),
        **exactly(1 - 20 / 101),
    ),
    Promise(
        'answer sets, by levels',
        f'{PAIR} >= 1-alpha',
        f'{EXCHANGEABLE}, and its share',
        'Bonferroni',
        f'{TWO_STEPS}::test_any_dependence',
        f'{ON_BOTH}; the same',
        both_kept('bonferroni', worlds.opposed),
        1 - BOTH_ALPHA,
    ),
    Promise(
        'answer sets, PAC',
        'with probability 1-delta a calibration set keeps at least 1-alpha of the pairs',
        f'{INDEPENDENT}, alpha and its share chosen beforehand',
        'Vovk 2012, delta/2 for each step',
        f'{TWO_STEPS}::test_pac_rank_is_the_largest_number_of_misses',
        f'200 questions, alpha={BOTH_ALPHA:g}, delta={DELTA:g}; the same',
        worlds.enough_answers_for_this_set,
        1 - DELTA,
    ),
    Promise(
        'answer sets, arithmetic mean',
        f'{PAIR} >= 1-alpha',
        EXCHANGEABLE,
        'Vovk & Wang 2020',
        f'{TWO_STEPS}::test_any_dependence',
        f'1,000 questions calibrate, alpha={BOTH_ALPHA:g}; p-values below .175 add up to that, its worst case',
        both_kept('arithmetic', worlds.adding_up, 1000),
        1 - BOTH_ALPHA,
    ),
    Promise(
        'answer sets, harmonic mean',
        f'approximately {PAIR} >= 1-alpha; exactly >= {1 - FREE:.3f}',
        f'{EXCHANGEABLE}, independent steps',
        'Wilson 2019',
        f'{TWO_STEPS}::test_harmonic_size_by_simulation',
        f'{ON_BOTH}; steps independent',
        both_kept('harmonic', worlds.independent),
        1 - FREE,
    ),
    Promise(
        'answer sets, harmonic mean at worst',
        f'{PAIR} >= {1 - WORST:.3f}',
        EXCHANGEABLE,
        'Bonferroni at the levels inside of it',
        f'{TWO_STEPS}::test_any_dependence',
        f'{ON_BOTH}; what is easy to find is hard to answer',
        both_kept('harmonic', worlds.opposed),
        1 - WORST,
    ),
]

NO_CHANCE = [
    Promise(
        'search within',
        'every chunk within a distance is returned, the boundary included',
        'nothing',
        'comparison with a scan',
        'tests/documents/test_store.py::test_search_is_a_scan_of_1000',
        "the guide's chunks, in memory and on disk; chunks lost for each question",
        worlds.lost_by_search,
        **exactly(0.0),
    ),
    Promise(
        'no threshold elsewhere',
        'a calibration of another knowledge base is refused, and what differs is named',
        'nothing',
        'fingerprints',
        'tests/calibration/test_calibration.py::test_another_knowledge_base_is_refused_and_the_difference_named',
        'model, chunks and score changed in turn',
        None,
    ),
    Promise(
        'what is listed is what is counted',
        'a question is covered just when its score is within the threshold',
        'nothing',
        'counted without the library',
        'tests/answers/test_quotes.py::test_what_is_listed_covers_exactly_when_the_score_is_within_the_threshold',
        'questions of the guide',
        None,
    ),
    Promise(
        'what is shown of a cluster',
        'the wording that is shown is the one that was judged',
        'nothing',
        'the leader rule',
        'tests/answers/test_sets.py::test_stopping_early_changes_nothing_that_is_counted',
        'random samples, stopped early or not',
        None,
    ),
]

SECTIONS = {
    'One threshold': ONE_THRESHOLD,
    'Kinds of questions, and other questions': KINDS_AND_CHANGES,
    'Judges and audits': JUDGES,
    'All of it, and a budget': ALL_OF_IT,
    'Sentences and answers': ANSWERS,
    'No matter of chance': NO_CHANCE,
}


def measured(promise: Promise, rng: np.random.Generator, runs: int) -> dict:
    "A promise with what was found, and whether that is within three standard errors of what must be."
    shown = ('name', 'says', 'needs', 'source', 'test', 'world', 'low', 'high')
    row = {name: getattr(promise, name) for name in shown}
    if promise.run is None:
        return row | dict(found=None, error=None, draws=0, kept=None)
    found = np.asarray(promise.run(rng, runs), dtype=float)
    mean = found.mean()
    error = found.std(ddof=1) / np.sqrt(found.size)
    slack = 3 * error + 1e-12
    enough = promise.low is None or mean >= promise.low - slack
    not_more = promise.high is None or mean <= promise.high + slack
    return row | dict(
        found=round(float(mean), 5),
        error=round(float(error), 5),
        draws=found.size,
        kept=bool(enough and not_more),
    )


def line(row: dict) -> str:
    "A promise in one line."
    word = {True: 'kept', False: 'BROKEN', None: 'by test'}[row['kept']]
    if row['kept'] is None:
        return f'{word:8} {row["name"]}'
    ends = [f'{end:.4f}' if end is not None else '' for end in (row['low'], row['high'])]
    return f'{word:8} {row["name"]:36} {ends[0]:>6} .. {ends[1]:6} found {row["found"]:.4f} +- {row["error"]:.4f} ({row["draws"]:,})'


def results(seed: int = 0, runs: int = 20_000) -> dict:
    "All promises, measured one after the other."
    rows = []
    for section, promises in SECTIONS.items():
        for promise in promises:
            rng = np.random.default_rng([seed, len(rows)])
            row = measured(promise, rng, runs) | dict(section=section)
            print(line(row), flush=True)
            rows.append(row)
    versions = {name: version(name) for name in LIBRARIES}
    return dict(
        date=date.today().isoformat(),
        python=platform.python_version(),
        seed=seed,
        runs=runs,
        versions=versions,
        promises=rows,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--runs', type=int, default=20_000)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--out', type=Path, help='write the figures there as JSON')
    args = parser.parse_args()
    found = results(args.seed, args.runs)
    if args.out:
        args.out.write_text(
            json.dumps(found, indent=1, ensure_ascii=False) + '\n', encoding='utf-8'
        )


if __name__ == '__main__':
    main()
