"""Small random tables of every kind of column, as a user would give them and as plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.oracles.binning import cuts_between_all
from tests.oracles.growing import PlainColumn, PlainTable, Rules
from tests.oracles.prediction import UNKNOWN, Cell

from petree.columns import NOMINAL, NUMBER, ORDERED

NEXT = float(np.nextafter(1.0, 2.0))
FEW = (-2.0, -0.5, 0.0, 1.0, 3.5)
NEAR = (1.0, NEXT, float(np.nextafter(NEXT, 2.0)), 0.1 + 0.2, 0.3)
HUGE = (-1.7e308, -1e-320, 0.0, 5e-324, 1.5e308, 1.7e308)
WORDS = ("oak", "ash", "elm", "fir")
GRADES = ("low", "middle", "high", "top")


@dataclass(frozen=True)
class RawColumn:
    """A column of Python values, None where missing, and the dtype by which pandas holds it."""

    values: tuple[Any, ...]
    kind: str
    dtype: Any
    declared: tuple[Any, ...] = ()

    def series(self) -> pd.Series:
        if self.dtype is float:
            return pd.Series(np.array(self.values, np.float64))
        return pd.Series(list(self.values), dtype=self.dtype)

    def categories(self, keep: NDArray[np.bool_]) -> tuple[Any, ...]:
        """Declared categories, or else those of the rows that are kept, sorted."""
        if self.declared or self.kind == NUMBER:
            return self.declared
        return tuple(sorted({value for value, is_kept in zip(self.values, keep, strict=True) if is_kept} - {None}))

    def codes(self, values: Sequence[Any], keep: NDArray[np.bool_]) -> list[Cell]:
        """Values as the numbers that a tree tests, None where missing."""
        categories = self.categories(keep)

        def code(value: Any) -> Cell:
            if value is None or self.kind == NUMBER:
                return None if value is None else float(value)
            return float(categories.index(value)) if value in categories else UNKNOWN

        return [code(value) for value in values]

    def plain(self, keep: NDArray[np.bool_]) -> PlainColumn:
        kept = [value for value, is_kept in zip(self.values, keep, strict=True) if is_kept]
        codes = np.array(self.codes(kept, keep), np.float64)
        n_categories = len(self.categories(keep))
        # An ordered column is cut below each declared category but the first.
        thresholds = np.arange(1.0, n_categories) if self.kind == ORDERED else cuts_between_all(codes[~np.isnan(codes)])
        return PlainColumn(self.kind, codes, thresholds, n_categories)


@dataclass(frozen=True)
class RawTable:
    """A table, its class labels and its weights, as they are given to `fit`."""

    columns: tuple[RawColumn, ...]
    labels: tuple[Any, ...]
    weights: tuple[float, ...] | None = None
    class_weight: dict[Any, float] | None = None

    @property
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame({f"column {i}": column.series() for i, column in enumerate(self.columns)})

    @property
    def y(self) -> NDArray[Any]:
        return np.array(self.labels)

    @property
    def sample_weight(self) -> NDArray[np.float64] | None:
        return None if self.weights is None else np.array(self.weights, np.float64)

    @property
    def keep(self) -> NDArray[np.bool_]:
        return np.ones(len(self.labels), bool) if self.weights is None else np.array(self.weights) > 0

    def plain(self) -> PlainTable:
        keep, classes = self.keep, sorted(set(self.labels))
        weights = np.ones(len(self.labels)) if self.weights is None else np.array(self.weights, np.float64)
        codes = np.array([classes.index(label) for label in self.labels], np.intp)[keep]
        factors = np.array([(self.class_weight or {}).get(label, 1.0) for label in classes], np.float64)
        if self.class_weight is not None:  # all rows together weigh what they did
            factors *= weights[keep].sum() / (weights[keep] * factors[codes]).sum()
        return PlainTable(tuple(column.plain(keep) for column in self.columns), codes, weights[keep], factors)

    def take(self, rows: Sequence[int]) -> RawTable:
        """The table of some rows, in the order given, all of weight one."""
        columns = (
            RawColumn(tuple(column.values[row] for row in rows), column.kind, column.dtype, column.declared)
            for column in self.columns
        )
        return RawTable(tuple(columns), tuple(self.labels[row] for row in rows), None, self.class_weight)


def _column(values: Any, kind: str, dtype: Any, dtype_with_missing: Any, declared: tuple[Any, ...] = ()) -> Any:
    """A strategy of columns (of given length) of one kind, with and without missing values."""

    def of_length(n_rows: int, has_missing: bool) -> st.SearchStrategy[RawColumn]:
        cells = st.one_of(values, values, st.none()) if has_missing else values
        drawn = st.lists(cells, min_size=n_rows, max_size=n_rows)
        used = dtype_with_missing if has_missing else dtype
        return drawn.map(lambda cells: RawColumn(tuple(cells), kind, used, declared))

    return of_length


def _category(declared: tuple[Any, ...], used: tuple[Any, ...], ordered: bool) -> Any:
    dtype = pd.CategoricalDtype(list(declared), ordered=ordered)
    return _column(st.sampled_from(used), ORDERED if ordered else NOMINAL, dtype, dtype, declared)


COLUMNS = {
    "few": _column(st.sampled_from(FEW), NUMBER, float, float),
    "near": _column(st.sampled_from(NEAR), NUMBER, float, float),
    "huge": _column(st.sampled_from(HUGE), NUMBER, float, float),
    "float": _column(st.floats(allow_nan=False, allow_infinity=False), NUMBER, float, float),
    "integer": _column(st.integers(-3, 4), NUMBER, "int64", "Int64"),
    "boolean": _column(st.booleans(), NOMINAL, "bool", "boolean", (False, True)),
    "string": _column(st.sampled_from(WORDS), NOMINAL, "str", "str"),
    "object": _column(st.sampled_from(WORDS), NOMINAL, object, object),
    "category": _category(("pear", "fig", "apple", "unused"), ("pear", "fig", "apple"), ordered=False),
    "number category": _category((30, 10, 20), (30, 10, 20), ordered=False),
    "ordered": _category(GRADES, ("low", "middle", "top"), ordered=True),
}

LABELS = (("no", "yes"), (-1, 3, 7), ("a", "b", "c", "d"), (False, True))
WHOLE = st.sampled_from((0, 1, 1, 2, 3))
FRACTIONS = st.sampled_from((0.0, 0.1, 0.3, 0.7, 1.7))


@st.composite
def tables(draw: Any, weights: str = "none", max_rows: int = 40, kinds: Sequence[str] = tuple(COLUMNS)) -> RawTable:
    """Tables of at least two classes; `weights` is "none", "whole", "fractions" or "classes"."""
    n_rows = draw(st.integers(4, max_rows))
    names = draw(st.sampled_from(LABELS))
    labels = [*names[:2], *draw(st.lists(st.sampled_from(names), min_size=n_rows - 2, max_size=n_rows - 2))]
    row_weights = draw(_weights(weights, labels))
    columns = draw(st.lists(st.tuples(st.sampled_from(kinds), st.booleans()), min_size=1, max_size=3))
    drawn = [draw(COLUMNS[kind](n_rows, has_missing)) for kind, has_missing in columns]
    factors = {label: draw(st.sampled_from((0.5, 1.0, 3.0))) for label in sorted(set(labels)) if weights == "classes"}
    table = RawTable(tuple(drawn), tuple(labels), row_weights, factors or None)
    return _without_empty_columns(table)


def _weights(kind: str, labels: Sequence[Any]) -> st.SearchStrategy[tuple[float, ...] | None]:
    """Weights under which every class keeps a row of positive weight."""
    if kind not in ("whole", "fractions"):
        return st.none()
    firsts = [labels.index(label) for label in set(labels)]
    weights = st.lists(WHOLE if kind == "whole" else FRACTIONS, min_size=len(labels), max_size=len(labels))
    return weights.map(lambda drawn: tuple(max(w, 1) if i in firsts else w for i, w in enumerate(drawn)))


def _without_empty_columns(table: RawTable) -> RawTable:
    """Columns with a value in the first row, which always has weight."""
    defaults = {NUMBER: 1, NOMINAL: "oak", ORDERED: "low"}
    columns = []
    for column in table.columns:
        first = column.values[0]
        if first is None:
            first = column.declared[0] if column.declared else defaults[column.kind]
        columns.append(RawColumn((first, *column.values[1:]), column.kind, column.dtype, column.declared))
    return RawTable(tuple(columns), table.labels, table.weights, table.class_weight)


def rules(tests: str = "binary", split: Any = "gain") -> st.SearchStrategy[Rules]:
    """Parameters of growing, mostly the defaults."""
    return st.builds(
        Rules,
        tests=st.just(tests),
        min_samples_leaf=st.sampled_from((1, 1, 1, 2, 4)),
        max_depth=st.sampled_from((None, None, 1, 3)),
        min_gain=st.sampled_from((0.0, 0.0, 0.05, 0.3)),
        split=st.just(split),
    )
