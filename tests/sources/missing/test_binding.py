"""Sources for each way: where nothing is missing they count as a plain table does."""

from __future__ import annotations

import numpy as np
import pytest
from tests.growing.checks import assert_same_tree
from tests.sources.made import grow_all, make_source, make_table

from petree.sources.missing import bind_missing
from petree.sources.missing.binding import SOURCES
from petree.sources.table import TableSource


@pytest.mark.parametrize("way", SOURCES)
def test_a_table_without_missing_values_stays_as_it_is(way: str) -> None:
    frame, classes = make_table(0, 40, 2)
    whole = frame.fillna({"number": 0.0, "letter": "x"})
    assert type(bind_missing(make_source(whole, classes), way)) is TableSource
    assert type(bind_missing(make_source(frame, classes), "branch")) is TableSource
    assert type(bind_missing(make_source(frame, classes), way)) is SOURCES[way]


@pytest.mark.parametrize("split", ["gain", "gain_ratio", "dkm"])
@pytest.mark.parametrize("way", SOURCES)
def test_rows_that_have_all_values_are_divided_as_in_a_plain_table(way: str, split: str) -> None:
    for seed in range(3):
        frame, classes = make_table(seed, 80, 2 + seed)
        whole = frame.fillna({"number": 0.0, "letter": "x"})
        usual = grow_all(make_source(whole, classes, split, min_samples_leaf=2), 2).tree
        source = SOURCES[way](make_source(whole, classes, split, min_samples_leaf=2), np.zeros(4, bool))
        ours = grow_all(source, 2).tree
        np.testing.assert_allclose(ours.annotations["gain"], usual.annotations["gain"], atol=1e-9)
        ours.annotations["gain"][:] = usual.annotations["gain"]
        assert_same_tree(ours, usual)
