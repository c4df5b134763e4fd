"""``petree demo``."""

from __future__ import annotations

import numpy as np
from tests.cli.shell import Shell

from petree import demo


def test_demo_prints_trees_rules_measures_and_times(shell: Shell) -> None:
    outcome = shell("demo")
    assert (outcome.code, outcome.err) == (0, "")
    for words in ("petal", "setosa", "income", "history", "laplace", "Brier", "then P(", "Seconds: reading"):
        assert words in outcome.out
    assert "-inf" in outcome.out


def test_made_loans_are_fixed_and_have_what_they_should_show() -> None:
    columns, repaid = demo.make_loans()
    again, repaid_again = demo.make_loans()
    for name, values in columns.items():
        np.testing.assert_array_equal(values, again[name])
    assert repaid.tolist() == repaid_again.tolist()
    assert len(repaid) == 600
    assert set(repaid.tolist()) == {"yes", "no"}
    assert np.isnan(columns["income"]).any()
    assert None in columns["history"].tolist()
