"""A tree as a data frame, one row per node."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike

from petree.reading.view import Model, view
from petree.tree import Tree

_BACKENDS = ("pandas", "polars", "pyarrow")


def to_frame(
    model: Model, *, probabilities: ArrayLike | None = None, bounds: tuple[ArrayLike, ArrayLike] | None = None
) -> Any:
    """The nodes of a tree as a table.

    Columns: `node`, `parent` (null at the root), `level`, `branch` (the text that leads here), `condition` (the
    test of the node, null at a leaf), `size`, `n_tests`, `count_<class>`, `probability_<class>`, where there are bounds
    `lower_<class>` and `upper_<class>`, and every annotation of the tree under its own name.

    Parameters
    ----------
    model : Tree or fitted estimator
        What to show.
    probabilities : array (nodes, classes), optional
        Probabilities to show instead of the model's own.
    bounds : two arrays (nodes, classes), optional
        Lower and upper bounds to show beside them.

    Returns
    -------
    pandas, polars or pyarrow table
        Of the first of these libraries that is installed.

    Examples
    --------
    >>> from petree.tree import Tree
    >>> frame = to_frame(Tree.from_counts([[12, 0], [3, 5]], classes=["good", "bad"]))
    >>> frame["branch"][2], float(frame["count_bad"][2])
    ('not test 0', 5.0)
    """
    shown = view(model, probabilities, bounds)
    tree = shown.tree
    branches, conditions = _texts(tree)
    data: dict[str, Any] = {
        "node": np.arange(tree.n_nodes),
        "parent": [None, *tree.parents[1:].tolist()],
        "level": tree.levels,
        "branch": branches,
        "condition": conditions,
        "size": tree.sizes,
        "n_tests": tree.n_tests,
    }
    numbers = {"count": tree.counts, "probability": shown.probabilities}
    if shown.bounds is not None:
        numbers["lower"], numbers["upper"] = shown.bounds
    for kind, array in numbers.items():
        names = [storable(f"{kind}_{name}") for name in tree.classes]
        data |= dict(zip(names, array.T, strict=True))
    frame = build({**data, **tree.annotations})
    if nw.dependencies.is_pandas_dataframe(frame):  # pandas has no null among plain integers
        frame["parent"] = frame["parent"].astype("Int64")
    return frame


def _texts(tree: Tree) -> tuple[list[str | None], list[str | None]]:
    """The branch that leads to each node and the test that stands there."""
    branches: list[str | None] = [None] * tree.n_nodes
    conditions: list[str | None] = [None] * tree.n_nodes
    starts = tree.child_start.tolist()
    children = tree.children.tolist()
    for split, node in enumerate(tree.split_nodes.tolist()):
        condition = tree.conditions[split]
        conditions[node] = storable(str(condition))
        for child, text in zip(children[starts[split] : starts[split + 1]], condition.branches, strict=True):
            branches[child] = storable(text)
    return branches, conditions


def storable(text: str) -> str:
    """Text as data frames can hold it: a lone surrogate, which UTF-8 has no place for, is written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def build(data: dict[str, Any]) -> Any:
    """A data frame of the first library that is installed."""
    backend: Any = next((name for name in _BACKENDS if find_spec(name) is not None), None)
    if backend is None:
        raise ImportError("A data frame needs a library of data frames; install pandas, polars or pyarrow.")
    numbers = {name: np.ascontiguousarray(values) for name, values in data.items() if isinstance(values, np.ndarray)}
    return nw.from_dict({**data, **numbers}, backend=backend).to_native()
