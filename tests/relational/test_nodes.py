"""What is said of tests that were left out."""

from __future__ import annotations

import pytest

from petree.relational.nodes import remarks_on


@pytest.mark.parametrize(
    ("left_out", "rows"),
    [
        (["tx(F, D, B, _, E)", "tx(G, E, B, _, F), kind(E, rent)"], "other rows of tx were"),
        (["values of big shop behind town"], "other rows of big shop were"),
        (["count(tx(B, _)) < 3", "mean(C, (atom(B, D), bond(D, C))) < 3"], "other rows of atom, tx were"),
        (["proportion(X = 'a(b', 'Big tx'(A, X)) < 2", "aggregate(mean, D, Tx(+A, -, D))"], "rows of Big tx, Tx were"),
        (["a(A)", "b(A)", "c(A)", "d(A)"], "other rows of a, b, c and others were"),
        (["A < 3"], "other rows were"),
        ([r"'it\'s'(A, B)", r"count('it\'s'(A, _)) < 3", r"'back\\slash'(A)"], "other rows of back\\slash, it's were"),
    ],
)
def test_tables_are_named_without_queries(left_out: list[str], rows: str) -> None:
    (remark,) = remarks_on(left_out)
    assert f"{rows} left out, since these were too many to look at (more than max_answers)" in remark


def test_where_nothing_is_left_out_nothing_is_said() -> None:
    assert remarks_on([]) == []
