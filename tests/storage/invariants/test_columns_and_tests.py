"""Columns and tests of files in which the invariants do not hold."""

from __future__ import annotations

from typing import Any

import pytest
from tests.storage.invariants.files import Change, Data, refused, splits_of


def make_numbers_of_categories(data: Data) -> None:
    """What made prediction go round for ever, or write beyond its arrays."""
    column = next(row[3][1] for _, row in splits_of(data) if row[3][0] == "each")
    data["columns"][column]["kind"] = "number"


def ask_each_number(data: Data) -> None:
    node = next(row for _, row in splits_of(data) if row[3][0] == "each")
    node[3][1] = 0
    data["columns"][0]["categories"] = data["columns"][3]["categories"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (make_numbers_of_categories, "of numbers has categories"),
        (ask_each_number, "of numbers has categories"),
        (lambda data: data["columns"][1]["categories"].__setitem__(1, "red"), "two categories of column 'colour'"),
        (lambda data: data["columns"][1].update(categories=[1, True, 0]), "two categories of column 'colour'"),
        (lambda data: data["columns"][1].update(name="size"), "two of its columns have the same name"),
        (lambda data: data.update(columns=[]), "is not a test of these columns"),
        (lambda data: data["tree"].update(class_weight=[0, 0, 0]), "class weights .* all 0"),
        (lambda data: data["tree"].update(class_weight=[1e308, 1, 1]), "class weights .* too large"),
        (lambda data: data["tree"].update(n_tests=2**60), "n_tests of the tree .* larger"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(0, 2**54), "sum to more than"),
        (lambda data: data["tree"].update(size=3), "no fields"),
        (lambda data: data.update(secret=3), "fields that no model has"),
    ],
)  # fmt: skip
def test_a_table_that_makes_no_sense(table: Data, change: Change, complaint: str) -> None:
    refused(table, change, complaint)


@pytest.mark.parametrize(
    "test", [["each", 0], ["=", 0, 0], ["in", 1, []], ["<", 1, 0.5], ["<", 2, 2.5], ["missing", 7]]
)
def test_a_test_that_its_column_does_not_allow(table: Data, test: list[Any]) -> None:
    refused(table, lambda data: data["tree"]["nodes"][0].__setitem__(3, test), "is not a test|ask for")


@pytest.mark.parametrize("missing", [0, 2, 3])
def test_missing_values_of_a_multiway_test_go_to_a_branch_of_their_own(table: Data, missing: int) -> None:
    def change(data: Data) -> None:
        next(row for _, row in splits_of(data) if row[3][0] == "each")[3].append(missing)
        data["columns"][3]["categories"].pop()

    refused(table, change, "sends missing values to a branch|ask for")


# -- related tables ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda data: data["columns"].append({"name": "x", "kind": "number"}), "one column .* must be 'row'"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["missing", 0]), "not a query of two branches"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["query", "q(", 2]), "query"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["query", "nowhere(A)", 2]), "nowhere"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["query", "q(A)", 2**31]), "is not a test"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["query", "q(A)", 2**31 - 1]), "children, not"),
        (lambda data: data.update(smoothing="doubt"), "answers by columns of one table"),
        (
            lambda data: data["schema"]["relations"].append(data["schema"]["relations"][0]),
            "two tables .* the same name",
        ),
        (lambda data: data["schema"]["relations"][1].update(keys=[]), "'patient' of the examples has no key"),
        (lambda data: data["schema"]["relations"][0].update(keys=[[]]), "a key of table 'doctor' has no column"),
        (lambda data: data["schema"]["links"][0].__setitem__(1, []), "does not lead from column to column"),
    ],
)
def test_related_tables_that_make_no_sense(relational: Data, change: Change, complaint: str) -> None:
    refused(relational, change, complaint)
