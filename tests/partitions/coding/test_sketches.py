"""Quantiles of streams: how far cuts are from where they should be, and that neither order nor parts matter."""

from __future__ import annotations

import numpy as np
import pytest

from petree.binning import Exact, Quantile
from petree.partitions.coding import sketches
from petree.partitions.coding.sketches import RANK_ERROR, Sketch

N = 60_000


def stream(kind: str) -> np.ndarray:
    random = np.random.default_rng(0)
    spike = np.where(random.random(N) < 0.5, 20 + 1e-9 * random.normal(size=N), 100 * random.random(N))
    streams = {
        "normal": random.normal(size=N),
        "sorted": np.sort(random.random(N)),
        "falling": np.sort(random.random(N))[::-1].copy(),
        "skewed": np.exp(8 * random.normal(size=N)),
        "one large value": np.where(random.random(N) < 0.7, 0.0, random.normal(size=N)),
        "spike": spike,
        "few": random.integers(0, 300, N).astype(float),
    }
    return streams[kind]


def refined(values: np.ndarray, sketch: Sketch) -> Sketch:
    """The sketch with its coarse cells divided, as the first pass does it."""
    while sketch.is_coarse().any():
        sketch = sketch.refined(Sketch.empty().with_values(values[sketch.in_coarse(values)], None))
    return sketch


@pytest.fixture(autouse=True)
def _few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketches, "MOST_CELLS", 8192)


@pytest.mark.parametrize("kind", ["normal", "sorted", "falling", "skewed", "one large value", "spike", "few"])
def test_cuts_are_within_the_rank_error(kind: str) -> None:
    values = stream(kind)
    sketch = refined(values, Sketch.empty().with_values(values, None))
    is_several = sketch.highs > sketch.lows
    assert (sketch.weights[is_several] <= RANK_ERROR * N).all()
    assert sketch.weights.sum() == N
    # Each cell has the weight that lies between its bounds, so that the rank of each cut is known exactly.
    ordered = np.sort(values)
    n_inside = np.searchsorted(ordered, sketch.highs, "right") - np.searchsorted(ordered, sketch.lows, "left")
    np.testing.assert_array_equal(n_inside, sketch.weights)
    cuts = sketch.cuts("x", Quantile(16), False)
    exact = Quantile(16).thresholds(values, np.zeros(N, np.intp), None, 1)
    assert len(cuts) == len(exact)
    ranks = np.searchsorted(ordered, cuts) - np.searchsorted(ordered, exact)
    assert (np.abs(ranks) <= RANK_ERROR * N).all()


@pytest.mark.parametrize("kind", ["normal", "spike", "few"])
def test_order_and_parts_do_not_matter(kind: str) -> None:
    values = stream(kind)
    expected = Sketch.empty().with_values(values, None)
    random = np.random.default_rng(1)
    for n_parts in (2, 7):
        sketch = Sketch.empty()
        for part in np.array_split(random.permutation(values), n_parts):
            sketch = sketch.with_values(np.ascontiguousarray(part), None)
        assert sketch.left_out == expected.left_out
        np.testing.assert_array_equal(sketch.cells, expected.cells)


def test_few_values_have_the_cuts_of_a_table_in_memory() -> None:
    values = np.round(np.random.default_rng(0).normal(size=20_000), 2)
    sketch = Sketch.empty().with_values(values, None)
    for binning in (Quantile(), Quantile(20), Exact()):
        expected = binning.thresholds(values, np.zeros(len(values), np.intp), None, 1)
        np.testing.assert_array_equal(sketch.cuts("x", binning, False), expected)


def test_weights_are_copies() -> None:
    random = np.random.default_rng(0)
    values = np.round(random.normal(size=5_000), 2)
    copies = random.integers(1, 4, 5_000)
    weighed = Sketch.empty().with_values(values, copies.astype(float))
    copied = Sketch.empty().with_values(np.repeat(values, copies), None)
    np.testing.assert_array_equal(weighed.cells, copied.cells)


def test_exact_cuts_of_too_many_values_are_refused() -> None:
    sketch = Sketch.empty().with_values(np.random.default_rng(0).random(20_000), None)
    with pytest.raises(ValueError, match="'x' has more than 8192 different values"):
        sketch.cuts("x", Exact(), False)


def test_no_values_have_no_cuts() -> None:
    assert len(Sketch.empty().cuts("x", Quantile(), False)) == 0
