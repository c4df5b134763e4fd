"""Everything that a loaded model can be asked; whatever was read from a file has an answer or refuses in a sentence."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from itertools import cycle, islice
from typing import Any

import numpy as np
from tests.relational.made_trees import made_database

from petree import OptionTreeClassifier, RelationalOptionTreeClassifier, RelationalTreeClassifier, reading
from petree.columns import NUMBER, Column
from petree.storage import dumps, loads

N_ROWS = 9


def use(model: Any) -> None:
    """Ask a model for all it has, and write it again."""
    if isinstance(model, RelationalTreeClassifier):
        _use_relational(model)
    elif isinstance(model, RelationalOptionTreeClassifier):
        _use_relational(model.summary())
        _predict_patients(model)
    elif isinstance(model, OptionTreeClassifier):
        _predict(model, _rows(model.columns_))
        _read(model.summary())
    else:
        rows = _rows(model.columns_)
        _predict(model, rows)
        model.apply(rows)
        model.decision_path(rows)
        _read(model)
        reading.to_html(model)
    text = dumps(model)
    assert dumps(loads(text)) == text, "it is written otherwise when it is read again"


def _predict(model: Any, rows: Any) -> None:
    answers = model.predict_proba(rows)
    is_right = np.isfinite(answers).all() and (answers >= 0).all() and (abs(answers.sum(axis=1) - 1) < 1e-6).all()
    assert is_right, f"it answers {answers.tolist()}"
    model.predict(rows)
    lower, upper, _ = model.predict_interval(rows)
    assert np.isfinite(lower).all(), "a bound is not finite"
    assert np.isfinite(upper).all(), "a bound is not finite"


def _read(model: Any) -> None:
    model.export_text()
    model.rules(0.9)
    model.to_frame(0.9)
    model.why()
    model.get_depth()


def _use_relational(model: Any) -> None:
    _read(model)
    model.to_prolog()
    with suppress(ValueError):  # some queries cannot be said in SQL
        model.to_sql()
    _predict_patients(model)


def _predict_patients(model: Any) -> None:
    model.database = made_database(4, with_times=True)
    with suppress(ValueError):  # these tables need not be those that the file speaks of
        _predict(model, model.database.keys("patient"))
    model.database = None


def _rows(columns: tuple[Column, ...]) -> dict[str, Any]:
    """Rows of values that a column has, gaps, and values that were never seen."""
    return {column.name: np.array(list(islice(cycle(_values(column)), N_ROWS)), object) for column in columns}


MOMENTS = {
    "date": [date(2024, 2, 22), None, datetime(1960, 1, 1, 12)],
    "zoned date": [datetime(2024, 2, 22, tzinfo=UTC), None],
    "time": [time(12), None],
    "duration": [timedelta(days=-3), None, timedelta(hours=7)],
}


def _values(column: Column) -> list[Any]:
    if column.quantity:
        return MOMENTS[column.quantity]
    if column.kind == NUMBER:
        return [0.0, None, -1.5, 0.35, 2.0, 1e300]
    if not column.categories or any(isinstance(category, str) for category in column.categories):
        return [None, "never seen", *(category for category in column.categories[:6] if isinstance(category, str))]
    kind = type(column.categories[0])
    return [None, *(category for category in column.categories[:6] if type(category) is kind and abs(category) < 2**53)]
