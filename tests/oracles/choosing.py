"""The test that a node must choose, from the slow definitions of the split scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tests.families.splits import SPLITS, VARIANTS, plain_gain, split_information
from tests.oracles.growing import (
    Candidate,
    PlainColumn,
    PlainTable,
    Rules,
    branches_of,
    candidates_of,
    directions,
    divide,
    in_the_middle,
)
from tests.oracles.sets import set_groups

from petree.columns import NOMINAL
from petree.conditions import IS_MISSING, MULTIWAY, THRESHOLD
from petree.splitting import GainRatio, resolve_split
from petree.splitting.penalty import PenalisedScore

# How far two equal scores may be apart, per case.
TIE = 1e-12
# The slow definition of each member, with its parameters.
DEFINITIONS = {repr(resolve_split(split)): plain for split, plain, _ in SPLITS + VARIANTS}


@dataclass(frozen=True)
class Choice:
    """How a split score chooses: by itself, or by its ratio to the split information (`eligible`)."""

    score: Callable[[list[list[float]]], float]
    is_ratio: bool = False
    slack: float = 0.001
    has_restrictions: bool = False
    grows_with_cases: bool = False

    def tie(self, cases: float) -> float:
        return TIE * cases if self.grows_with_cases else TIE


def choice_of(rules: Rules) -> Choice:
    """The slow definition behind a split, and how it is used with these tests."""
    member, by_column = resolve_split(rules.split), rules.tests == "multiway"
    if isinstance(member, GainRatio):
        return Choice(plain_gain, True, member.slack, by_column and member.restrictions)
    if isinstance(member, PenalisedScore):
        has_penalty = by_column if member.penalty is None else member.penalty
        definition = DEFINITIONS[repr(type(member)())]
        factor = member.numerator if has_penalty else 1
        return Choice(lambda table: factor * definition(table, member.laplace), has_penalty)
    return Choice(DEFINITIONS[repr(member)], grows_with_cases=not member.per_case)


class Scored(NamedTuple):
    """A test, its score and its split information."""

    test: Candidate
    score: float
    information: float


def _tables(table: PlainTable, parts: list[NDArray[np.intp]]) -> list[list[float]]:
    """Class counts of the children as the split score sees them."""
    return [list(table.counts(part) * table.class_weight) for part in parts]


def _scored(table: PlainTable, rows: NDArray[np.intp], tests: list[Candidate], rules: Rules) -> list[Scored]:
    """These tests with each branch of missing values that leaves enough rows, in the order of generation."""
    found, score = [], choice_of(rules).score
    for test in tests:
        column = table.columns[test.column]
        for candidate in directions(test, column, rows):
            parts = divide(candidate, column, rows)
            if _is_large_enough(table, parts, rules) and _goes_right(table, candidate, parts, rules):
                children = _tables(table, parts)
                middle = in_the_middle(candidate, column, rows)
                found.append(Scored(middle, score(children), split_information(children)))
    return found


def _is_large_enough(table: PlainTable, parts: list[NDArray[np.intp]], rules: Rules) -> bool:
    return sum(len(part) > 0 and table.size(part) >= rules.min_samples_leaf for part in parts) >= 2


def _goes_right(table: PlainTable, test: Candidate, parts: list[NDArray[np.intp]], rules: Rules) -> bool:
    """Whether the share of the second class goes the way of the column from the first child to the second."""
    if not rules.signs or test.kind != THRESHOLD:
        return True
    low, high = (table.counts(part)[1] / table.counts(part).sum() for part in parts)
    return bool(rules.signs[test.column] * (high - low) >= -TIE)


def best_first(found: list[tuple[Candidate, float]], tolerance: float) -> list[tuple[Candidate, float]]:
    """By descending value, those equal to the best in the order of generation."""
    best = max((value for _, value in found), default=-math.inf)
    return sorted(found, key=lambda pair: 0.0 if pair[1] >= best - tolerance else best - pair[1])


# -- the choice by ratio ----------------------------------------------------------------------------------------------


def contenders(table: PlainTable, rows: NDArray[np.intp], rules: Rules) -> list[Scored]:
    """What the mean of a node goes over: its tests, or in multiway trees what each column offers."""
    found = []
    for index, column in enumerate(table.columns):
        if not rules.may_test(index):
            continue
        tests = list(_dividing(column, rows, candidates_of(index, column, rules)))
        if rules.tests == "sets" and column.kind == NOMINAL:
            groups = [[test] for test in tests if test.kind == IS_MISSING]
            groups += set_groups(table, index, rows)
        elif rules.tests in ("binary", "sets"):
            groups = [[test] for test in tests]
        else:
            groups = [[test] for test in tests if test.kind != THRESHOLD]
            groups.append([test for test in tests if test.kind == THRESHOLD])
        found += [one for group in groups for one in _best_of(table, rows, group, rules)]
    return found


def _dividing(column: PlainColumn, rows: NDArray[np.intp], tests: Iterator[Candidate]) -> Iterator[Candidate]:
    """Without the thresholds and categories that do not divide the known values, or as the threshold before."""
    known = rows[~np.isnan(column.values[rows])]
    before: list[int] = []
    for test in tests:
        branches = branches_of(test, column, known).tolist()
        if test.kind in (IS_MISSING, MULTIWAY) or (len(set(branches)) == 2 and branches != before):
            yield test
        before = branches


def _best_of(table: PlainTable, rows: NDArray[np.intp], tests: list[Candidate], rules: Rules) -> list[Scored]:
    """The best of some tests by its score, if any leaves enough rows; C4.5's numbers pay for the choice of a cut."""
    cases, cost = table.weight(rows), 0.0
    if choice_of(rules).has_restrictions and tests and tests[0].kind == THRESHOLD:
        tests = _cuts_of_c45(table, rows, tests, rules)
        cost = math.log2(len(tests)) / cases if tests else 0.0
    found = _scored(table, rows, tests, rules)
    if not found:
        return []
    order = best_first([(one.test, one.score) for one in found], choice_of(rules).tie(cases))
    best = next(one for one in found if one.test == order[0][0])
    return [best._replace(score=best.score - cost)]


def _cuts_of_c45(table: PlainTable, rows: NDArray[np.intp], tests: list[Candidate], rules: Rules) -> list[Candidate]:
    """The cuts that leave enough known values on both sides: a tenth of the mean of a class, at least 2, at most 25."""
    column = table.columns[tests[0].column]
    known = rows[~np.isnan(column.values[rows])]
    least = Fraction(table.size(known), 10 * len(table.class_weight))
    least = max(min(max(least, Fraction(2)), Fraction(25)), Fraction(rules.min_samples_leaf))
    return [test for test in tests if min(table.size(part) for part in divide(test, column, known)) >= least]


def _has_many_values(table: PlainTable, test: Candidate) -> bool:
    return test.kind == MULTIWAY and table.columns[test.column].n_categories >= 0.3 * math.fsum(table.weights)


def eligible(table: PlainTable, rows: NDArray[np.intp], rules: Rules) -> list[tuple[Candidate, float]]:
    """The contenders of at least the mean score, less the slack, that divide in earnest, with their ratios."""
    choice, found = choice_of(rules), contenders(table, rows, rules)
    counted = [one for one in found if not (choice.has_restrictions and _has_many_values(table, one.test))]
    scores = [one.score for one in counted or found]
    limit = math.fsum(scores) / max(len(scores), 1) - choice.slack - TIE
    return [(one.test, one.score / one.information) for one in found if one.score >= limit and one.information > 0.001]


# -- the verdict ------------------------------------------------------------------------------------------------------


def ranking(table: PlainTable, rows: NDArray[np.intp], rules: Rules) -> list[tuple[Candidate, float]]:
    """The tests that may divide these rows, best first and then as generated."""
    choice = choice_of(rules)
    if choice.is_ratio:
        return best_first(eligible(table, rows, rules), TIE)
    columns = filter(rules.may_test, range(len(table.columns)))
    tests = [test for index in columns for test in _tests_of(table, index, rows, rules)]
    found = [(one.test, one.score) for one in _scored(table, rows, tests, rules)]
    return best_first(found, choice.tie(table.weight(rows)))


def _tests_of(table: PlainTable, index: int, rows: NDArray[np.intp], rules: Rules) -> Iterator[Candidate]:
    """The tests of a column at a node in the order of their generation."""
    column = table.columns[index]
    if rules.tests != "sets" or column.kind != NOMINAL:
        yield from candidates_of(index, column, rules)
        return
    if np.isnan(column.values).any():
        yield Candidate(index, IS_MISSING)
    yield from (test for group in set_groups(table, index, rows) for test in group)


def acceptable(table: PlainTable, rows: NDArray[np.intp], level: int, rules: Rules) -> list[tuple[Candidate, float]]:
    """The ranking of a node that must be split; nothing for a leaf."""
    if np.count_nonzero(table.counts(rows)) < 2 or level == rules.max_depth:
        return []
    found = ranking(table, rows, rules)
    # without a `min_gain` any test will do, even one that scores below zero
    is_too_little = bool(found) and rules.min_gain > 0 and found[0][1] < rules.min_gain - TIE
    return [] if is_too_little else found
