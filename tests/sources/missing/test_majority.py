"""Rows without a value take the larger branch."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growing.checks import fit
from tests.oracles import missing as slow
from tests.sources.missing.walking import walk
from tests.strategies import rules, tables

from petree.conditions import UNSEEN


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_every_node_is_that_of_the_definition(data: Any) -> None:
    table = data.draw(tables(data.draw(st.sampled_from(["none", "whole", "fractions"])), max_rows=15))
    chosen = data.draw(rules("binary"))
    plain = table.plain()
    has_missing = [bool(np.isnan(column.values).any()) for column in plain.columns]
    if not any(has_missing):
        return
    tree = fit(table, chosen, missing="majority").tree_

    def divide(parts: slow.Parts, test: Any, split: int) -> list[slow.Parts]:
        assert (test.missing != UNSEEN) == has_missing[test.column]
        children = slow.known_children(plain, parts, test)
        lost = slow.lost(plain, parts, test)
        if has_missing[test.column]:
            weights = [slow.counts(plain, child).sum() for child in children]
            assert weights[test.missing] >= max(weights) - 1e-9
            children[test.missing].update(lost)
        return children

    walk(tree, plain, chosen, divide)
