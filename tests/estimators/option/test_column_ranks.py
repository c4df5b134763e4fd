"""The order by which columns are drawn follows from what stands in them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from petree import OptionTreeClassifier
from petree.estimators.learning.cases import read_cases
from petree.estimators.option.growing import column_ranks


def made(n_rows: int = 60, seed: int = 0) -> tuple[pd.DataFrame, list[str]]:
    """Numbers and nominal columns of few values, some of them missing, so that columns look alike at first sight."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.integers(0, 2, (n_rows, 4)).astype(float), columns=list("abcd"))
    for name in "efgh":
        frame[name] = random.choice(["low", "high", None], n_rows).tolist()
    frame["i"] = pd.Categorical(random.choice(["x", "y", "z"], n_rows), ["z", "y", "unused", "x"], ordered=True)
    return frame, random.choice(["no", "yes", "maybe"], n_rows).tolist()


def ranks(frame: pd.DataFrame, y: Any, weights: Any = None) -> dict[str, int]:
    """The rank of each column by its name."""
    cases = read_cases(OptionTreeClassifier(), frame, y, weights, None, None, None)
    return dict(zip(frame.columns, column_ranks(cases).tolist(), strict=True))


FRAME, LABELS = made()
KNOWN = ranks(FRAME, LABELS)


def test_every_column_has_a_rank_of_its_own() -> None:
    assert sorted(KNOWN.values()) == list(range(9))
    assert list(KNOWN.values()) != list(range(9))


def test_places_and_names_do_not_matter() -> None:
    turned = FRAME[FRAME.columns[np.random.default_rng(1).permutation(9)]]
    assert ranks(turned, LABELS) == KNOWN
    assert list(ranks(turned.set_axis(list("zyxwvutsr"), axis=1), LABELS).values()) == list(
        ranks(turned, LABELS).values()
    )


def test_the_order_of_rows_does_not_matter() -> None:
    rows = np.random.default_rng(2).permutation(len(FRAME))
    assert ranks(FRAME.iloc[rows], [LABELS[row] for row in rows]) == KNOWN


def test_names_of_classes_and_categories_do_not_matter() -> None:
    assert ranks(FRAME, [{"no": "b", "yes": "c", "maybe": "a"}[label] for label in LABELS]) == KNOWN
    others = {name: {"low": f"{name} 2", "high": f"{name} 1"} for name in "eg"}
    renamed = FRAME.assign(**{name: FRAME[name].map(names) for name, names in others.items()})
    renamed["i"] = FRAME["i"].cat.rename_categories({"x": "a", "z": "c"})
    assert ranks(renamed, LABELS) == KNOWN


def test_copies_are_weights() -> None:
    copies = np.random.default_rng(3).integers(1, 4, len(FRAME))
    rows = np.repeat(np.arange(len(FRAME)), copies)
    assert ranks(FRAME, LABELS, copies) == ranks(FRAME.iloc[rows], [LABELS[row] for row in rows])


def test_columns_that_tell_nothing_do_not_matter() -> None:
    more = FRAME.assign(same=1.0, nothing=None)[["same", *"abcd", "nothing", *"efghi"]]
    with pytest.warns(UserWarning, match="'nothing' has no values at all"):
        found = ranks(more, LABELS)
    assert {name: found[name] for name in KNOWN} == KNOWN


@pytest.mark.parametrize("names", ["abc", "bca", "cba"])
def test_texts_decide_where_rows_do_not(names: str) -> None:
    """All cases there can be, once each: no value of any column stands beside other rows than the others' values."""
    table = pd.DataFrame(product(["no", "yes"], repeat=3), columns=list("abc"))
    y = (table["a"] != table["b"]).tolist()
    alike = ranks(table[list(names)], y)
    assert alike["c"] == ranks(table, y)["c"]
    assert abs(alike["a"] - alike["b"]) == 1


def test_equal_columns_go_by_their_places() -> None:
    found = ranks(FRAME.assign(copy=FRAME["e"]), LABELS)
    assert found["copy"] == found["e"] + 1
