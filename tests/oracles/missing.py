"""Growing where a test is worth what it gains among the rows that have a value, and the others go some way.

Quinlan 1993, section 3.2, divides them among all branches; Breiman et al. 1984, section 5.3, ask other columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from tests.families.splits import split_information
from tests.oracles.choosing import (
    LEAST_ROWS,
    TIE,
    Scored,
    at_the_mean,
    best_first,
    best_scored,
    choice_of,
    least_of_c45,
    pay_for_cuts,
)
from tests.oracles.growing import (
    Candidate,
    PlainColumn,
    PlainTable,
    Rules,
    branches_of,
    candidates_of,
    in_the_middle,
    n_branches,
)

from petree.columns import NOMINAL
from petree.conditions import IS_MISSING, THRESHOLD, UNSEEN

# Rows, and how much of each is there.
Parts = dict[int, float]


def every_row(table: PlainTable) -> Parts:
    return dict.fromkeys(range(len(table.classes)), 1.0)


def counts(table: PlainTable, parts: Parts) -> NDArray[np.float64]:
    found = np.zeros(len(table.class_weight))
    for row, part in parts.items():
        found[table.classes[row]] += table.weights[row] * part
    return found


def weight(table: PlainTable, parts: Parts) -> float:
    """What the split score sees."""
    return float((counts(table, parts) * table.class_weight).sum())


def size(table: PlainTable, parts: Parts) -> float:
    """Rows, a whole weight counting as so many, of which there may be parts."""
    return math.fsum(part * (table.weights[row] if table.has_whole_weights else 1.0) for row, part in parts.items())


def tests_of(table: PlainTable, rules: Rules) -> Iterator[Candidate]:
    """All tests: none asks whether a value is missing."""
    for index, column in enumerate(table.columns):
        yield from (test for test in candidates_of(index, column, rules) if test.kind != IS_MISSING)


def branch_of(table: PlainTable, row: int, test: Candidate) -> int | None:
    """None where the value is missing."""
    column = table.columns[test.column]
    if math.isnan(column.values[row]):
        return None
    return int(branches_of(test, column, np.array([row]))[0])


def known_children(table: PlainTable, parts: Parts, test: Candidate) -> list[Parts]:
    """The rows of each branch that have a value."""
    children: list[Parts] = [{} for _ in range(n_branches(test._replace(missing=UNSEEN), table.columns[test.column]))]
    for row, part in parts.items():
        branch = branch_of(table, row, test)
        if branch is not None:
            children[branch][row] = part
    return children


def lost(table: PlainTable, parts: Parts, test: Candidate) -> Parts:
    """The rows that have no value."""
    return {row: part for row, part in parts.items() if branch_of(table, row, test) is None}


def _divides_anew(children: list[Parts], before: list[Parts] | None) -> bool:
    return sum(map(bool, children)) >= 2 and children != before


def scored(table: PlainTable, parts: Parts, rules: Rules) -> list[Scored]:
    """The tests that leave enough rows with a value in two branches, with what they are worth at the node."""
    choice = choice_of(rules)
    found = []
    before: list[Parts] | None = None
    for test in tests_of(table, rules):
        children = known_children(table, parts, test)
        is_new = _divides_anew(children, before)
        before = children
        if not is_new or sum(size(table, child) >= rules.min_samples_leaf - 1e-9 for child in children) < 2:
            continue
        tables = [list(counts(table, child) * table.class_weight) for child in children]
        share = 1.0 if choice.grows_with_cases else sum(map(sum, tables)) / weight(table, parts)
        missing = list(counts(table, lost(table, parts, test)) * table.class_weight)
        middle = in_the_middle(test, table.columns[test.column], np.array(list(parts)))
        found.append(Scored(middle, share * choice.score(tables), split_information([*tables, missing])))
    return found


def ranking(table: PlainTable, parts: Parts, rules: Rules) -> list[tuple[Candidate, float]]:
    """The tests that a node may have, best first, with their scores, or ratios where these decide."""
    choice = choice_of(rules)
    found = scored(table, parts, rules)
    if not choice.is_ratio:
        return best_first([(one.test, one.score) for one in found], choice.tie(weight(table, parts)))
    if rules.tests == "multiway":
        found = _best_by_column(table, parts, found, rules)
    return best_first(at_the_mean(table, found, rules), TIE)


def _best_by_column(table: PlainTable, parts: Parts, found: list[Scored], rules: Rules) -> list[Scored]:
    """What each column offers: its multiway test, or its best cut, which pays for the choice under C4.5's rules."""
    choice = choice_of(rules)
    offered = []
    for index in range(len(table.columns)):
        tests = [one for one in found if one.test.column == index]
        is_restricted = choice.has_restrictions and bool(tests) and tests[0].test.kind == THRESHOLD
        if is_restricted:
            tests = [one for one in tests if _is_cut_of_c45(table, parts, one.test, rules)]
        best = best_scored(tests, choice.tie(weight(table, parts)))
        offered += pay_for_cuts(best, len(tests), weight(table, parts)) if is_restricted else best
    return offered


def _is_cut_of_c45(table: PlainTable, parts: Parts, test: Candidate, rules: Rules) -> bool:
    sides = [size(table, child) for child in known_children(table, parts, test)]
    return min(sides) >= least_of_c45(sum(sides), len(table.class_weight), rules.min_samples_leaf) - LEAST_ROWS


def acceptable(table: PlainTable, parts: Parts, level: int, rules: Rules) -> list[tuple[Candidate, float]]:
    """The ranking of a node that must be split; nothing for a leaf."""
    is_small = round(size(table, parts)) < 2 * rules.min_samples_leaf
    if np.count_nonzero(counts(table, parts)) < 2 or is_small or level == rules.max_depth:
        return []
    found = ranking(table, parts, rules)
    is_too_little = bool(found) and rules.min_gain > 0 and found[0][1] < rules.min_gain - TIE
    return [] if is_too_little else found


# -- fractions ---------------------------------------------------------------------------------------------------------


def shares_of(table: PlainTable, parts: Parts, test: Candidate) -> list[float]:
    """Part of each branch in the weight of the rows that have a value."""
    known = [counts(table, child).sum() for child in known_children(table, parts, test)]
    return [one / sum(known) for one in known]


def divide_in_parts(table: PlainTable, parts: Parts, test: Candidate) -> list[Parts]:
    """The children, where a row without a value goes to all of them by their shares."""
    children = known_children(table, parts, test)
    for share, child in zip(shares_of(table, parts, test), children, strict=True):
        child.update({row: part * share for row, part in lost(table, parts, test).items() if share > 0})
    return children


# -- surrogates --------------------------------------------------------------------------------------------------------


def larger_branch(table: PlainTable, parts: Parts, test: Candidate) -> int:
    first, second = (counts(table, child).sum() for child in known_children(table, parts, test))
    return int(second > first + 1e-9)


def agreement(table: PlainTable, parts: Parts, test: Candidate, other: Candidate, is_turned: bool) -> float:
    """Weight of the rows with a value at the test that another test sends the same way; 0 if a cut sends too few."""
    sides: list[float] = [0.0, 0.0]
    agreed = 0.0
    for row in parts:
        own = branch_of(table, row, test)
        theirs = branch_of(table, row, other)
        if own is None or theirs is None:
            continue
        sides[theirs] += size(table, {row: 1.0})
        agreed += table.weights[row] * (own == (1 - theirs if is_turned else theirs))
    return 0.0 if other.kind == THRESHOLD and min(sides) < 2 else agreed


def best_set(table: PlainTable, parts: Parts, test: Candidate, column: int) -> float:
    """The agreement of the set that sends each category where most of its weight goes."""
    codes = table.columns[column].values
    agreed = 0.0
    for code in range(table.columns[column].n_categories):
        rows = [row for row in parts if codes[row] == code]
        agreed += max(
            math.fsum(table.weights[row] for row in rows if branch_of(table, row, test) == branch) for branch in (0, 1)
        )
    return agreed


def best_agreements(table: PlainTable, parts: Parts, test: Candidate, rules: Rules) -> dict[int, float]:
    """By column the share of weight that its best surrogate sends the same way, where it beats the larger branch."""
    known = [counts(table, child).sum() for child in known_children(table, parts, test)]
    found = {}
    for index, column in enumerate(table.columns):
        if index != test.column:
            best = _best_agreement(table, parts, test, (index, column), rules)
            if best > max(known) + 1e-9:
                found[index] = best / sum(known)
    return found


def _best_agreement(
    table: PlainTable, parts: Parts, test: Candidate, place: tuple[int, PlainColumn], rules: Rules
) -> float:
    index, column = place
    if column.kind == NOMINAL:
        return best_set(table, parts, test, index)
    cuts = [one for one in candidates_of(index, column, rules) if one.kind != IS_MISSING]
    return max((agreement(table, parts, test, cut, turned) for cut in cuts for turned in (False, True)), default=0.0)
