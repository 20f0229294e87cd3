"""Every promise, measured: `python benchmarks/guarantees.py [--runs 20000] [--seed 0] [--out FILE]`.

Each promise is put into a world (worlds.py) in which its theorem says what must come out, and is written down with that
value, with what was found and its standard error, and with a test that holds it. What must come out is computed here, not
by the package: a bug there may not change both. The page "How we know" shows the file.
"""

import argparse
import json
import math
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from pathlib import Path
import numpy as np
import worlds
from scipy.integrate import quad
from scipy.stats import beta, binom, hypergeom
from conflare_nb.conformal.guarantee import ByDocument
from conflare_nb.conformal.movable import Movable, Stops
from worlds import ALPHA, BOTH, BOTH_ALPHA, DELTA, N, TIED, both_kept, of_size

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
    run: Callable | None  # run(rng, runs): what is averaged; None = no matter of chance, the test says all
    low: float | None = None  # the theorem's least value; None = none
    high: float | None = None  # its largest


def exactly(value: float) -> dict:
    "Both ends at once."
    return dict(low=value, high=value)


EXCHANGEABLE = 'exchangeable questions, alpha chosen beforehand'
INDEPENDENT = 'independent questions'
VOVK = 'Vovk, Gammerman & Shafer 2005'
TIBSHIRANI = 'Tibshirani, Barber, Candès & Ramdas 2019'
ON_50 = f'{N} questions calibrate, alpha={ALPHA:g}'
ON_BOTH = f'{BOTH} questions calibrate, alpha={BOTH_ALPHA:g}'
ON_TIES = f'{N} questions calibrate, alpha=.5, {TIED:.0%} of the scores are 0'
THRESHOLD = 'tests/conformal/test_threshold.py'
AUDIT = 'tests/evidence/test_audit.py'
EVALUATION = 'tests/evidence/test_evaluation.py'
TWO_STEPS = 'tests/conformal/test_two_steps.py'
DRIFT = 'tests/conformal/test_drift.py'
SHIFT = 'tests/conformal/test_shift.py'
ABSTAIN = 'tests/conformal/test_abstain.py'
RISK = 'tests/conformal/test_risk.py'
BUDGET = 'tests/conformal/test_budget.py'
LOTTERY = 'tests/show/test_lottery.py'
COVERED = 'P(an answer is retrieved, or everything is)'
PAIR = 'P(the passage that answers and a right answer from it are kept, or everything is)'
ZIPF = [max(1, round(120 / rank)) for rank in range(1, 51)]  # questions about each document


def mean_of(n: int, alpha: str) -> dict:
    "k/(n+1) with k = ceil((n+1)(1-alpha)), 1 where there is no threshold."
    k = math.ceil((n + 1) * (1 - Fraction(alpha)))
    return exactly(min(k / (n + 1), 1.0))


def mean_of_ties(k: int) -> dict:
    "Mean coverage of the k-th of N scores of which TIED are 0 and the others uniform."
    zeros = np.arange(N + 1)
    beyond = np.maximum(k - zeros, 0) / (N + 1 - zeros)  # mean of that order statistic of the others
    return exactly(float(binom.pmf(zeros, N, TIED) @ (TIED + (1 - TIED) * beyond)))


def pac_failure(n: int, alpha: float, delta: float) -> float:
    "How often the smallest rank that is enough with probability 1-delta is not."
    misses = binom.cdf(np.arange(n), n, alpha)
    return float(misses[misses <= delta].max(initial=0))


def mean_of_least(ways: int, n: int, alpha: str) -> dict:
    "Mean of the smallest of so many independent thresholds, each Beta(k, n+1-k)."
    k = math.ceil((n + 1) * (1 - Fraction(alpha)))
    above = partial(beta.sf, a=k, b=n + 1 - k)
    return exactly(quad(lambda share: above(share) ** ways, 0, 1, points=[k / (n + 1)])[0])


def group_outside(n: int, m: int, alpha: str) -> float:
    "How often m of n questions, drawn without replacement, have a count outside 90% of its law; no ties."
    law = hypergeom(n, math.ceil(n * (1 - Fraction(alpha))), m)  # as many are covered by the others
    low, high = law.ppf([0.05, 0.95])
    return float(law.cdf(low - 1) + law.sf(high))


def either(one: float) -> float:
    "Of two independent events that each have this probability."
    return 1 - (1 - one) ** 2


def mean_in_view(n: int, c: float, levels=None) -> float:
    "Mean of 1/alpha over the p-values that n questions can give, at the smallest alpha that misses."
    p = np.arange(1, n + 2) / (n + 1)
    if levels is None:
        least = np.maximum(p / c, worlds.LO)
        return float(np.where(least <= worlds.HI, 1 / least, 0).mean())
    return float(np.max([(p <= c * level) / level for level in levels], axis=0).mean())


def best_factor(n: int, levels=None) -> float:
    "The largest c, to the millionth, for which that mean is at most 1."
    good = [c for c in np.arange(1, 10**4) / 10**4 if mean_in_view(n, c, levels) <= 1 + 1e-12]
    near = max(good) + np.arange(200) / 10**6
    return max(c for c in near if mean_in_view(n, c, levels) <= 1 + 1e-12)


ONE_THRESHOLD = [
    *[
        Promise(
            f'coverage, n = {n}',
            f'{COVERED} = k/(n+1), between 1-alpha and 1-alpha+1/(n+1)',
            f'{EXCHANGEABLE}; no ties, else at least',
            VOVK,
            f'{THRESHOLD}::test_mean_coverage_is_k_over_n_plus_1',
            f'{n} questions calibrate, alpha={alpha}',
            of_size(n, alpha),
            **mean_of(n, alpha),
        )
        for n, alpha in ((50, '.15'), (19, '.1'), (8, '.1'), (5, '1/3'))
    ],
    Promise(
        'coverage where scores tie',
        f'{COVERED} >= 1-alpha; here it is known exactly',
        EXCHANGEABLE,
        VOVK,
        f'{THRESHOLD}::test_ties_keep_the_guarantee_and_strict_comparison_breaks_it',
        ON_TIES,
        worlds.coverage_of_ties,
        **mean_of_ties(26),
    ),
    Promise(
        'unanswerable set apart',
        f'{COVERED} >= 1-alpha for answerable questions',
        f'{EXCHANGEABLE}; what is answerable is labelled rightly',
        VOVK,
        f'{THRESHOLD}::test_set_apart_the_promise_is_exact_for_answerable_questions',
        f'{ON_50}; nothing answers 9% of them, and for 6% what does is out of reach',
        worlds.coverage_of_answerable,
        1 - ALPHA,
    ),
    Promise(
        'any pipeline',
        'P(an answering chunk is kept, or everything is) >= 1-alpha',
        f'{EXCHANGEABLE}; the same function when calibrating and when asking',
        VOVK,
        'tests/retrieval/test_pipeline.py::test_every_store_covers_what_the_theorem_says',
        '19 questions calibrate, alpha=.2; lists of 8 similarities with ties, 25% without an answer',
        worlds.any_pipeline,
        0.8,
    ),
    *[
        Promise(
            f'no promise: the best of 18 ways, n = {n}',
            f'{COVERED} is the mean of the smallest of 18 Beta(k, n+1-k), below 1-alpha',
            'the questions that choose a way also calibrate it; independent ways',
            'order statistics of 18 thresholds',
            f'{EVALUATION}::test_who_chooses_a_way_may_not_calibrate_it',
            f'18 ways alike, the smallest of 18 thresholds is kept; {n} questions, alpha=.1',
            partial(worlds.best_of_ways, n=n, fresh=False),
            **mean_of_least(18, n, '.1'),
        )
        for n in (30, 60, 120)
    ],
    Promise(
        'the best of 18 ways, by other questions',
        f'{COVERED} = k/(n+1)',
        f'{EXCHANGEABLE}; the way chosen on other questions',
        VOVK,
        f'{EVALUATION}::test_who_chooses_a_way_may_not_calibrate_it',
        '18 ways alike, 30 questions choose one and 30 others calibrate it, alpha=.1',
        partial(worlds.best_of_ways, n=30, fresh=True),
        **mean_of(30, '.1'),
    ),
    Promise(
        'two stages',
        'the same, of the last stage: what the first one loses has an infinite score',
        EXCHANGEABLE,
        VOVK,
        'tests/documents/test_scores.py::test_the_theorems_own_value',
        f'{ON_50}; 10 of 40 chunks reach the second stage',
        worlds.two_stages,
        1 - ALPHA,
    ),
    Promise(
        'its law',
        'the coverage of one calibration set lies in its 90% band 9 times in 10',
        f'{INDEPENDENT}, no ties',
        'Vovk 2012',
        f'{THRESHOLD}::test_coverage_of_one_threshold_follows_the_beta_law',
        f'{N} questions calibrate, alpha=.15',
        worlds.inside_the_band,
        **exactly(0.9),
    ),
    Promise(
        'its law where scores tie',
        'the coverage of one calibration set is in its 90% band, "at least", 9 times in 10 or more',
        INDEPENDENT,
        'Vovk 2012, at the rank that is reached',
        'tests/conformal/test_clusters.py::test_where_scores_tie_the_band_is_from_below_and_holds',
        f'100 questions calibrate, alpha=.5, {TIED:.0%} of the scores are 0',
        worlds.inside_the_band_of_ties,
        0.9,
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
        f'{ON_50}, delta={DELTA:g}; the rank before would cover .888',
        worlds.enough_for_this_set,
        **exactly(1 - pac_failure(N, ALPHA, DELTA)),
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
        'P(p <= alpha) <= alpha for the first chunk that answers, here =',
        f'{EXCHANGEABLE}; no ties',
        VOVK,
        f'{THRESHOLD}::test_each_in_turn_is_the_new_question',
        f'9 questions calibrate, alpha={ALPHA:g}',
        worlds.p_value_too_small,
        **exactly(1 / 10),
    ),
    Promise(
        'p-values where scores tie',
        'P(p <= alpha) <= alpha',
        EXCHANGEABLE,
        VOVK,
        f'{THRESHOLD}::test_ties_counted_one_by_one',
        ON_TIES,
        worlds.tied_p_value_too_small,
        high=0.5,
    ),
    Promise(
        'full conformal',
        'P(p > alpha) >= 1-alpha, here =, and no example is given away',
        f'{EXCHANGEABLE}; a score that does not mind the order of the others',
        VOVK,
        f'{TWO_STEPS}::test_full_conformal_covers',
        f'9 examples, alpha={ALPHA:g}',
        worlds.full_conformal,
        **exactly(9 / 10),
    ),
    Promise(
        'a gate',
        'P(an answer is retrieved and the gate is open, or qhat is infinite) >= 1-alpha',
        f'{EXCHANGEABLE}; the part of alpha for the gate chosen beforehand',
        'Bonferroni in whole ranks, none of them wasted',
        f'{ABSTAIN}::test_coverage_by_simulation',
        '39 questions calibrate, alpha=.2, half of it for the gate',
        worlds.behind_a_gate,
        **exactly(1 - 8 / 40),
    ),
    Promise(
        'what a gate lets through',
        'P(the gate opens for a question that nothing answers) <= eps, = m/(k+1) without ties',
        'unanswerable questions exchangeable with those that set the gate',
        VOVK,
        f'{ABSTAIN}::test_what_is_let_through_is_exact',
        '40 unanswerable questions, eps=.2',
        worlds.let_through,
        **exactly(8 / 41),
    ),
    Promise(
        'what a gate lets through, with ties',
        'P(the gate opens for a question that nothing answers) <= eps',
        'the same',
        VOVK,
        f'{ABSTAIN}::test_what_is_let_through_is_exact',
        f'40 unanswerable questions, eps=.5, {TIED:.0%} of the distances are equal',
        worlds.tied_let_through,
        high=0.5,
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
        f'five kinds of .2 each, delta={DELTA:g}',
        worlds.too_few_of_a_kind,
        high=DELTA,
    ),
    Promise(
        'a group that is like all',
        'P(its coverage lies outside the two ends beside it) <= .1, here =',
        f'{EXCHANGEABLE}, the group known from the question alone',
        'hypergeometric law',
        f'{EVALUATION}::test_each_question_is_tried_by_the_threshold_of_all_the_others',
        f'40 of 160 questions, alpha={ALPHA:g}, no ties',
        partial(worlds.group_outside, large=40, each=1, small=120, icc=0),
        **exactly(group_outside(160, 40, '.1')),
    ),
    *[
        Promise(
            f'a group that is like all, {which}',
            'the same, <= .1',
            needs,
            source,
            f'{EVALUATION}::{test}',
            world,
            partial(worlds.group_outside, **how),
            high=0.1,
        )
        for which, needs, source, test, world, how in (
            (
                'with ties',
                f'{EXCHANGEABLE}, the group known from the question alone',
                'hypergeometric law',
                'test_at_most_one_group_in_ten_lies_outside_by_chance',
                f'40 of 160 questions, alpha={ALPHA:g}, few different scores',
                dict(large=40, each=1, small=120, icc=0, ties=True),
            ),
            (
                'in bunches',
                'approximately; independent documents',
                'Kish 1965',
                'test_a_group_of_large_documents_wanders_as_far_as_they_do',
                f'12 documents with 10 questions beside 400 with one, correlation .7, alpha={ALPHA:g}',
                dict(large=12, each=10, small=400, icc=0.7),
            ),
        )
    ],
    *[
        Promise(
            f'the interval of a share{which}',
            'P(the share of all such questions lies in it) >= .9',
            needs,
            source,
            'tests/evidence/test_diagnosis.py::test_questions_in_bunches_mislead_neither_an_interval_nor_a_verdict',
            f'60 questions{world}, a share of 15%',
            partial(worlds.share_within, sizes=sizes, icc=icc),
            low=0.9,
        )
        for which, needs, source, world, sizes, icc in (
            ('', INDEPENDENT, 'Clopper & Pearson 1934', '', [1] * 60, 0),
            (
                ', in bunches',
                'approximately; independent documents',
                'Clopper & Pearson 1934, Kish 1965',
                ' about 10 documents, correlation .9',
                [6] * 10,
                0.9,
            ),
        )
    ],
    Promise(
        'questions in bunches',
        'approximately: the coverage of new documents lies in the cluster band 9 times in 10',
        'independent documents, tested with 10 to 50',
        "Kish 1965, with Student's quantile",
        'tests/conformal/test_clusters.py::test_questions_in_bunches',
        '50 documents with 11 questions, correlation .1; the test allows .865 to .935',
        partial(worlds.inside_the_band_of, sizes=[11] * 50, icc=0.1),
        0.865,
        0.935,
    ),
    *[
        Promise(
            f'documents of different size, {which}',
            'approximately: the coverage of new documents lies in the cluster band 9 times in 10',
            'independent documents; .88 is held where sizes differ much',
            "Kish 1965, with Student's quantile",
            'tests/conformal/test_clusters.py::test_a_few_documents_are_large',
            f'{says}, correlation {icc:g}',
            partial(worlds.inside_the_band_of, sizes=sizes, icc=icc),
            0.88,
        )
        for which, says, sizes, icc in (
            ('50', '50 documents, the largest with 120 questions (Zipf)', ZIPF, 0.1),
            ('20', '4 documents with 40 questions, 16 with 3', [40] * 4 + [3] * 16, 0.3),
        )
    ],
    *[
        Promise(
            f'a question about a new document, {which}',
            f'{COVERED} >= 1-alpha, at most 2/(K+1) more, for questions about documents that did not calibrate',
            'exchangeable documents; no ties for the upper end',
            'Lee, Barber & Willett 2023; Dunn, Wasserman & Ramdas 2022',
            'tests/conformal/test_new_documents.py::test_coverage_of_new_documents',
            f'{says}, correlation {icc:g}, alpha={ALPHA:g}',
            partial(worlds.about_a_new_document, sizes=sizes, icc=icc),
            1 - ALPHA,
            1 - ALPHA + 2 / (len(sizes) + 1),
        )
        for which, says, sizes, icc in (
            ('25', '25 documents with 10 questions', [10] * 25, 0.3),
            ('20', '20 documents, the largest with 120 questions (Zipf)', ZIPF[:20], 0.3),
        )
    ],
    Promise(
        'questions as asked',
        f'{COVERED} >= 1-alpha for questions as they are asked, the same ones again and again',
        INDEPENDENT,
        VOVK,
        'tests/retrieval/test_as_asked.py::test_coverage_of_questions_as_they_are_asked',
        'a table of 200 rows, alpha=.1; a hard question is asked 15% of the time',
        worlds.as_asked,
        1 - ALPHA,
    ),
    Promise(
        'one of each document',
        'the coverage of new documents lies in its 90% band 9 times in 10',
        'independent documents, no ties',
        'Vovk 2012',
        'tests/retrieval/test_calibration.py::test_only_one_question_a_document_keeps_the_law_on_a_new_document',
        '50 documents with 5 questions, correlation .5',
        worlds.one_of_each_document,
        **exactly(0.9),
    ),
    *[
        Promise(
            f'known shift, n = {n}',
            f'{COVERED} >= 1-alpha, for the questions that are asked now',
            'known likelihood ratios, uncut; independent questions',
            TIBSHIRANI,
            f'{SHIFT}::test_known_ratios_cover_between_both_bounds',
            f'{n} questions calibrate, asked ones have the density 2x, alpha={ALPHA:g}',
            partial(worlds.known_shift, n=n),
            1 - ALPHA,
        )
        for n in (19, 39)
    ],
    *[
        Promise(
            f'p-values under a known shift{which}',
            'P(p <= alpha) <= alpha, for the questions that are asked now',
            'the same',
            TIBSHIRANI,
            f'{SHIFT}::test_a_p_value_is_at_most_alpha_in_at_most_alpha_of_the_runs',
            f'9 questions, asked ones have the density 2x, alpha={alpha:g}{scores}',
            partial(worlds.shifted_p_value_too_small, alpha=alpha, ties=ties),
            high=alpha,
        )
        for which, alpha, ties, scores in (
            ('', 0.2, False, ''),
            (', with ties', 0.5, True, ', half of the scores are equal'),
        )
    ],
    Promise(
        'online p-values',
        'P(p <= u) = u at every live question, ties or not',
        'exchangeable questions',
        'Vovk et al. 2005',
        f'{DRIFT}::test_p_values_are_uniform_and_independent',
        f'the third live question after 4, {TIED:.0%} of the scores are equal, u=.1',
        worlds.online_p_value_small,
        **exactly(0.1),
    ),
    Promise(
        'a fair game',
        'E[the money of who bets on drift, while nothing changes] = 1',
        'exchangeable questions, all of them labelled',
        'Vovk et al. 2021',
        f'{DRIFT}::test_the_bets_are_fair',
        'after ten questions',
        worlds.money,
        **exactly(1.0),
    ),
    Promise(
        'a false alarm',
        'P(the drift alarm ever goes off, while nothing changes) <= delta',
        'exchangeable questions, all of them labelled',
        'Ville 1939; Vovk et al. 2021',
        f'{DRIFT}::test_false_alarms_ever_are_at_most_delta',
        'streams of 150 questions after 40, delta=.05',
        worlds.false_alarm,
        high=0.05,
    ),
    Promise(
        'a false alarm in a long stream',
        'the same',
        'the same',
        'Ville 1939; Vovk et al. 2021',
        f'{DRIFT}::test_false_alarms_ever_are_at_most_delta',
        'streams of 4,000 p-values, delta=.05',
        worlds.false_alarm_in_a_long_stream,
        high=0.05,
    ),
    Promise(
        'a false alarm, questions in bunches',
        'the same, where live questions come in bunches about new documents',
        'exchangeable documents, all questions labelled',
        'Ville 1939; Vovk et al. 2021',
        'tests/conformal/test_drift.py::test_false_alarms_are_at_most_delta_however_questions_are_drawn',
        '20 documents with 10 questions, then 15 such, correlation .3, delta=.05',
        worlds.false_alarm_of_bunches,
        high=0.05,
    ),
    Promise(
        'a difference of questions',
        'P(any difference is reported between equal sets) <= .05',
        'valid p-values, related in any way',
        'Holm 1979',
        'tests/evidence/test_two_sample.py::test_holm',
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
        'a judge that is silent',
        f'{COVERED} >= 1-alpha, however often a judge refuses all chunks of a small knowledge base',
        f'{EXCHANGEABLE}; no label too early',
        'its silence is an infinite score',
        'tests/labels/test_labeling.py::test_the_silence_of_a_judge_sets_no_question_apart',
        f'12 chunks, {ON_50}; the judge is silent about the farthest 2 of 21',
        worlds.coverage_by_a_silent_judge,
        1 - ALPHA,
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
        '19 questions with 1 to 4 relevant chunks, alpha=.2',
        worlds.share_missed,
        0.2 - 2 / 20,
        0.2,
    ),
    Promise(
        'limits beside each other',
        'P(a threshold that breaks some limit is let through) <= delta; here nearly that',
        f'{INDEPENDENT}, limits fixed beforehand',
        'Angelopoulos et al. 2021',
        f'{RISK}::test_limits_beside_each_other_share_delta',
        '60 questions, three limits of which two are broken by a hair, delta=.2',
        worlds.some_limit_broken,
        **exactly(either(pac_failure(60, 0.3, 0.1))),
    ),
    Promise(
        'claims in order',
        'P(a false claim is let through) <= delta, here =',
        'valid p-values, an order fixed beforehand',
        'Angelopoulos et al. 2021',
        f'{RISK}::test_fixed_sequence_stops_at_the_first',
        'four claims, the second is false, delta=.2',
        worlds.wrong_in_order,
        **exactly(0.2),
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
    Promise(
        'budgets beside each other',
        'P(any of them promises more than fits) <= delta, each made with delta/5',
        f'{INDEPENDENT}, the budgets fixed beforehand',
        'Clopper & Pearson 1934, union bound',
        f'{BUDGET}::test_the_largest_promise_keeps_its_confidence',
        f'60 questions, five budgets, delta={DELTA:g}',
        worlds.some_budget_too_much,
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
        'each step keeps at least 1-alpha/2, both with probability 1-delta, for this calibration set',
        f'{INDEPENDENT}, alpha and its share chosen beforehand',
        'Vovk 2012, delta/2 for each step',
        f'{TWO_STEPS}::test_pac_rank_is_the_largest_number_of_misses',
        f'116 questions, alpha={BOTH_ALPHA:g}, delta={DELTA:g}; steps independent',
        worlds.enough_of_both_steps,
        **exactly(1 - either(pac_failure(116, BOTH_ALPHA / 2, DELTA / 2))),
    ),
    Promise(
        'answer sets, end to end',
        'P(a right answer is listed, or the set is everything) >= 1-alpha',
        EXCHANGEABLE,
        'Bonferroni in whole ranks',
        'tests/traq/test_sets.py::test_what_is_shown_is_right_as_often_as_is_promised',
        '60 questions, alpha=.4; each right answer was said in two ways',
        worlds.a_right_answer_in_the_set,
        0.6,
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
        'tests/retrieval/test_calibration.py::test_another_knowledge_base_is_refused_and_the_difference_named',
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
        'tests/traq/test_sets.py::test_stopping_early_changes_nothing_that_is_counted',
        'random samples, stopped early or not',
        None,
    ),
]

ANY_C = 1 / (1 + math.log(worlds.HI / worlds.LO))
MISS = 'E[miss/alpha] <= 1'
MOVES = 'exchangeable questions; range, unit and score fixed beforehand, alpha by whatever one likes'
RAMDAS = 'e-values: arXiv 2503.13050, 2505.13732'
GUARANTEE = 'tests/conformal/test_guarantee.py'
FACTOR = f'{GUARANTEE}::test_alpha_is_multiplied_by_the_largest_that_is_proved'
NESTED = f'{GUARANTEE}::test_what_is_moved_is_its_inner_one_at_c_alpha_and_nested'
UNPROVED = f'{GUARANTEE}::test_what_nobody_has_proved_cannot_be_made'
SLIDES = f'alpha from {worlds.LO:g} to {worlds.HI:g}'

AFTER_LOOKING = [
    *[
        Promise(
            f'moved, the answer in view, n = {n}',
            f'{MISS}; here the mean of c/p over all ranks, c={ANY_C:.4f}',
            f'{MOVES}; any p-value',
            RAMDAS,
            FACTOR,
            f'{n} questions calibrate, {SLIDES}; the smallest that misses',
            partial(worlds.in_view, n=n, any_c=True),
            **exactly(mean_in_view(n, ANY_C)),
        )
        for n in (272, 60, 30)
    ],
    *[
        Promise(
            f'moved, the larger c of ranks, n = {n}',
            f'{MISS}; here known exactly',
            MOVES,
            RAMDAS,
            FACTOR,
            f'{n} questions calibrate, {SLIDES}; the smallest that misses',
            partial(worlds.in_view, n=n),
            **exactly(mean_in_view(n, best_factor(n))),
        )
        for n in (272, 60)
    ],
    Promise(
        'moved among stops, the answer in view',
        f'{MISS}; here known exactly',
        MOVES,
        RAMDAS,
        FACTOR,
        '272 questions calibrate, alpha .05, .1 or .2; the smallest that misses',
        partial(worlds.in_view, n=272, moved=Stops(0.05, 0.1, 0.2)),
        **exactly(mean_in_view(272, best_factor(272, (0.05, 0.1, 0.2)), (0.05, 0.1, 0.2))),
    ),
    Promise(
        'no promise: fixed, and moved all the same',
        'the mean of miss/alpha is 1/c, as the number of questions grows; here known exactly',
        'the usual threshold, which is for an alpha fixed beforehand',
        RAMDAS,
        FACTOR,
        f'272 questions calibrate, {SLIDES}; the smallest that misses',
        partial(worlds.in_view, n=272, moved=Movable(1 / 3, 1 / 3)),
        **exactly(mean_in_view(272, 1)),
    ),
    *[
        Promise(
            f'moved, {which}',
            MISS,
            MOVES,
            RAMDAS,
            FACTOR,
            f'{n} questions calibrate, {world}, {SLIDES}; the smallest that misses',
            partial(worlds.in_view, n=n, kind=kind),
            high=1.0,
        )
        for which, n, kind, world in (
            ('with ties', 60, 'ties', f'{TIED:.0%} of the scores are 0'),
            ('the same questions again and again', 60, 'repeats', 'twelve are asked'),
            ('nine questions', 9, 'continuous', 'no ties'),
        )
    ],
    *[
        Promise(
            f'moved, {which}',
            MISS,
            MOVES,
            RAMDAS,
            NESTED,
            f'60 questions calibrate, ten alphas from {worlds.LO:g} to {worlds.HI:g}; lists of 30 chunks{ties}',
            partial(worlds.slides, choose=choose, kind=kind),
            high=1.0,
        )
        for which, choose, kind, ties in (
            ('the longest list that fits', worlds.longest_that_fits, 'continuous', ''),
            ('the shortest list that holds something', worlds.shortest_that_holds, 'continuous', ''),
            ("by the calibration set's luck", worlds.by_luck, 'continuous', ''),
            ("by the set's luck, with ties", worlds.by_luck, 'ties', f', {TIED:.0%} of the scores are 0'),
        )
    ],
    Promise(
        'moved, by audited labels',
        f'{MISS}, at c*alpha-eps',
        f'{MOVES}; an audit that does not mislead',
        f'{RAMDAS}; the audit bounds the labels that calibrate',
        NESTED,
        'the hardest 5 of 100 questions are labelled too early, and all are looked at; the smallest alpha that misses',
        partial(worlds.judged_in_view, levels=worlds.c_alpha_less_eps),
        high=1.0,
    ),
    Promise(
        'no promise: c*(alpha-eps)',
        'the mean of miss/alpha is above 1',
        'an audit inside of c',
        'none',
        UNPROVED,
        'the same',
        partial(worlds.judged_in_view, levels=worlds.c_of_the_rest),
        low=1.1,
    ),
    Promise(
        'moved, new documents',
        f'{MISS} for questions about new documents, each document counting the same',
        f'exchangeable documents; {MOVES.split("; ")[1]}',
        f'{RAMDAS}; Lee, Barber & Willett 2023',
        NESTED,
        '60 documents, one in ten has 40 easy questions and the others one hard one; the smallest alpha that misses',
        partial(worlds.new_document_in_view, guarantee=Movable(worlds.LO, worlds.HI, ByDocument())),
        high=1.0,
    ),
    Promise(
        'no promise: moved by questions, new documents',
        'the mean of miss/alpha is above 1 for questions about new documents',
        'questions are counted where documents are drawn',
        'none',
        NESTED,
        'the same',
        partial(worlds.new_document_in_view, guarantee=Movable(worlds.LO, worlds.HI)),
        low=2.0,
    ),
    Promise(
        'chosen from a table',
        'every row of the table covers what it says at once, with probability 1-delta',
        f'{INDEPENDENT}, no ties; alpha chosen before questions come',
        'Moscovich & Nadler 2017',
        f'{GUARANTEE}::test_a_table_holds_at_once',
        f'272 questions calibrate, every alpha from .01 to .4, delta={DELTA:g}',
        worlds.at_once,
        **exactly(1 - DELTA),
    ),
]

SHOWN = [
    Promise(
        'the lottery',
        'the coverage of the calibration sets that are drawn is k/(n+1) in the mean',
        'no ties',
        VOVK,
        f'{LOTTERY}::test_coverage_follows_the_beta_law',
        f'9 questions in a set, alpha={ALPHA:g}',
        worlds.drawn_by_the_lottery,
        **mean_of(9, '.1'),
    ),
    Promise(
        'the lottery among a few',
        'the same, of those who do not calibrate',
        'no ties',
        VOVK,
        f'{LOTTERY}::test_coverage_of_the_rest_follows_the_betabinomial_law',
        f'9 of 30 people in a set, alpha={ALPHA:g}',
        worlds.drawn_in_a_crowd,
        **mean_of(9, '.1'),
    ),
]

SECTIONS = {
    'One threshold': ONE_THRESHOLD,
    'Kinds of questions, and other questions': KINDS_AND_CHANGES,
    'Judges and audits': JUDGES,
    'All of it, and a budget': ALL_OF_IT,
    'Sentences and answers': ANSWERS,
    'What a page draws': SHOWN,
    'No matter of chance': NO_CHANCE,
    'An alpha that is chosen after looking': AFTER_LOOKING,
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
        found=round(float(mean), 5), error=round(float(error), 5), draws=found.size, kept=bool(enough and not_more)
    )


def line(row: dict) -> str:
    "A promise in one line."
    word = {True: 'kept', False: 'BROKEN', None: 'by test'}[row['kept']]
    if row['kept'] is None:
        return f'{word:8} {row["name"]}'
    ends = [f'{end:.4f}' if end is not None else '' for end in (row['low'], row['high'])]
    return f'{word:8} {row["name"]:36} {ends[0]:>6} .. {ends[1]:6} found {row["found"]:.4f} +- {row["error"]:.4f} ({row["draws"]:,})'


def rows_of(seed: int, runs: int):
    "Every promise with what was found, measured one after the other."
    promises = [(section, promise) for section in SECTIONS for promise in SECTIONS[section]]
    for number, (section, promise) in enumerate(promises):
        rng = np.random.default_rng([seed, number])
        row = measured(promise, rng, runs) | dict(section=section)
        print(line(row), flush=True)
        yield row


def results(seed: int = 0, runs: int = 20_000) -> dict:
    "All promises."
    rows = list(rows_of(seed, runs))
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
    parser.add_argument('--until-broken', action='store_true', help='stop at the first; exit status 1')
    args = parser.parse_args()
    if args.until_broken:
        sys.exit(any(row['kept'] is False for row in rows_of(args.seed, args.runs)))
    found = results(args.seed, args.runs)
    if args.out:
        args.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
