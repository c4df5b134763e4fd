"""Trees by every split score: each node against the slow definitions, and C4.5's rules worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growing.checks import assert_tree_is_right, chosen_test, fit, noisy
from tests.oracles.growing import Candidate, Rules
from tests.strategies import RawColumn, RawTable, rules, tables

from petree.columns import NOMINAL, NUMBER
from petree.conditions import IS_MISSING, MULTIWAY, THRESHOLD
from petree.splitting import DKM, MAUC, MEMBERS, MSEE, GainRatio

SPLITS = [
    *[alias for alias in MEMBERS if alias not in ("gain", "bayes")],  # which have tests of their own
    GainRatio(slack=0, restrictions=False),
    DKM("majority"),
    MSEE(laplace=True),
    MSEE(penalty=True),
    MAUC(laplace=True),
    MAUC(penalty=True),
]
every_split = pytest.mark.parametrize("split", SPLITS, ids=str)
every_test = pytest.mark.parametrize("tests", ["binary", "multiway"])


@every_test
@every_split
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_every_node_has_the_first_best_test(split: Any, tests: str, data: Any) -> None:
    weights = data.draw(st.sampled_from(["none", "whole", "classes"]))
    table, chosen = data.draw(tables(weights, max_rows=25)), data.draw(rules(tests, split))
    assert_tree_is_right(fit(table, chosen).tree_, table.plain(), chosen)


@every_test
@pytest.mark.parametrize("split", ["gain_ratio", "dkm", MAUC(penalty=False)], ids=str)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_every_node_under_fractional_weights(split: Any, tests: str, data: Any) -> None:
    table, chosen = data.draw(tables("fractions", max_rows=25)), data.draw(rules(tests, split))
    assert_tree_is_right(fit(table, chosen).tree_, table.plain(), chosen)


def long_table(seed: int) -> RawTable:
    """Numbers and words of few or many values, some missing, and up to seven classes."""
    random = np.random.default_rng(seed)
    n_rows, n_classes = int(random.choice([70, 140, 300])), int(random.choice([2, 3, 7]))
    columns = []
    for _ in range(3):
        codes, is_word = random.integers(0, random.choice([2, 3, 8, 30, 100]), n_rows), random.random() < 0.5
        is_missing = random.random(n_rows) < random.choice([0.0, 0.1])
        is_missing[0] = False
        values = [
            None if lost else f"word {code:02}" if is_word else float(code) / 4
            for code, lost in zip(codes, is_missing, strict=True)
        ]
        columns.append(RawColumn(tuple(values), NOMINAL if is_word else NUMBER, "str" if is_word else float))
    signal = np.nan_to_num(columns[0].plain(np.ones(n_rows, bool)).values) + random.random(n_rows)
    weights = tuple(random.integers(1, 4, n_rows).tolist()) if random.random() < 0.5 else None
    return RawTable(tuple(columns), tuple(noisy(random, signal, n_classes).tolist()), weights)


@every_test
@pytest.mark.parametrize("split", ["gain_ratio", "gini", "dkm", "chi_square", "msee", "mauc"])
def test_every_node_of_longer_tables(split: str, tests: str) -> None:
    for seed in range(3):
        table, chosen = long_table(seed), Rules(tests, 1 + seed % 3, max_depth=4, split=split)
        assert_tree_is_right(fit(table, chosen).tree_, table.plain(), chosen)


def number(*parts: tuple[int, float | None]) -> RawColumn:
    """A column of numbers, each so many times."""
    return RawColumn(tuple(value for n, value in parts for _ in range(n)), NUMBER, float)


def words(*parts: tuple[int, str | None]) -> RawColumn:
    return RawColumn(tuple(value for n, value in parts for _ in range(n)), NOMINAL, "str")


@every_test
def test_the_mean_rule_passes_over_the_largest_ratio(tests: str) -> None:
    # [[2, 0], [8, 10]] has gain 0.108032 and ratio 0.230347; [[7, 2], [3, 8]] has 0.191165 and 0.192556.
    columns = (number((2, 0.0), (18, 1.0)), number((7, 0.0), (3, 1.0), (2, 0.0), (8, 1.0)))
    table = RawTable(columns, (0,) * 10 + (1,) * 10)
    by_mean = fit(table, Rules(tests, max_depth=1, split="gain_ratio")).tree_
    assert chosen_test(by_mean, 0) == Candidate(1, THRESHOLD, 1)
    assert by_mean.annotations["gain"][0] == pytest.approx(0.192556, abs=5e-7)
    by_ratio = fit(table, Rules(tests, max_depth=1, split=GainRatio(slack=0.05))).tree_
    assert chosen_test(by_ratio, 0) == Candidate(0, THRESHOLD, 1)
    assert by_ratio.annotations["gain"][0] == pytest.approx(0.230347, abs=5e-7)


def test_a_split_of_little_information_is_not_eligible() -> None:
    table = RawTable((number((2, 0.0), (1, 1.0)),), (0, 1, 1), (19_998, 1, 1))
    assert fit(table).tree_.n_leaves == 2
    assert fit(table, Rules(split="gain_ratio")).tree_.n_leaves == 1


def c45(table: RawTable, restrictions: bool = True) -> Any:
    return fit(table, Rules("multiway", max_depth=1, split=GainRatio(restrictions=restrictions))).tree_


@pytest.mark.parametrize(("n_rows", "n_leaves"), [(58, 2), (60, 2), (62, 1)])
def test_a_number_is_cut_only_where_both_sides_have_their_share_of_cases(n_rows: int, n_leaves: int) -> None:
    # A tenth of the mean number of cases of a class is 2.9, 3.0 and 3.1, and one side has three.
    table = RawTable((number((3, 0.0), (n_rows - 3, 1.0)),), (1,) * 3 + (0,) * (n_rows - 4) + (1,))
    assert c45(table).n_leaves == n_leaves
    assert c45(table, restrictions=False).n_leaves == 2


def test_missing_values_do_not_help_a_cut_to_its_cases() -> None:
    table = RawTable((number((10, 0.0), (1, 1.0), (4, None)),), (0,) * 9 + (1,) * 2 + (0, 1, 1, 1))
    assert chosen_test(c45(table), 0) == Candidate(0, IS_MISSING)
    assert chosen_test(c45(table, restrictions=False), 0) == Candidate(0, THRESHOLD, 1, 1)


def test_a_number_pays_for_the_choice_of_its_cut() -> None:
    eight = RawColumn(tuple(map(float, range(8))), NUMBER, float)
    table = RawTable((eight,), (0,) * 4 + (1,) * 4)
    # Both sides have two cases or more after 2, 3, 4, 5 and 6 of them: five cuts for eight cases.
    assert c45(table).annotations["gain"][0] == pytest.approx(1 - math.log2(5) / 8, abs=1e-12)
    assert c45(table, restrictions=False).annotations["gain"][0] == pytest.approx(1, abs=1e-12)
    table = RawTable((eight, words((4, "ash"), (4, "elm"))), table.labels)
    assert chosen_test(c45(table), 0) == Candidate(1, MULTIWAY)
    assert chosen_test(c45(table, restrictions=False), 0) == Candidate(0, THRESHOLD, 4)


def test_a_column_of_nearly_as_many_values_as_cases_does_not_raise_the_mean() -> None:
    # Ten names have gain 1 and ratio 0.301030; [[5, 1], [0, 4]] has gain 0.609987 and ratio 0.628237.
    names = words(*[(1, f"name {i}") for i in range(10)])
    table = RawTable((names, words((6, "ash"), (4, "elm"))), (0,) * 5 + (1,) * 5)
    assert chosen_test(c45(table), 0) == Candidate(1, MULTIWAY)
    assert chosen_test(c45(table, restrictions=False), 0) == Candidate(0, MULTIWAY)
    assert c45(RawTable((names,), table.labels)).n_leaves == 10  # where all columns are so, all count


def test_a_test_that_scores_below_zero_divides_all_the_same() -> None:
    # D of three equal shares is 0.942809, that of both children 1.
    table = RawTable((number((2, 0.0), (4, 1.0)),), (0, 1, 0, 1, 2, 2))
    tree = fit(table, Rules(split=DKM("majority"))).tree_
    assert tree.n_leaves == 2
    assert tree.annotations["gain"][0] == pytest.approx(0.942809 - 1, abs=5e-7)
    assert fit(table, Rules(min_gain=1e-6, split=DKM("majority"))).tree_.n_leaves == 1
