"""Random predictions, with ties, weights and classes that do not occur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray


@dataclass(frozen=True)
class Made:
    """True classes, probabilities, labels in the order of the columns, and weights."""

    truth: NDArray[Any]
    probabilities: NDArray[np.float64]
    labels: NDArray[Any]
    weights: NDArray[np.float64]

    @property
    def as_given(self) -> tuple[Any, Any, Any]:
        """The arguments of a measure."""
        return self.truth, self.probabilities, self.labels

    @property
    def sorted_probabilities(self) -> NDArray[np.float64]:
        """The columns as scikit-learn wants them: by label."""
        return self.probabilities[:, np.argsort(self.labels)]

    def repeated(self) -> tuple[Any, Any, Any]:
        """The arguments of a measure, with each row as often as its (whole) weight says."""
        times = self.weights.astype(int)
        return np.repeat(self.truth, times), np.repeat(self.probabilities, times, axis=0), self.labels


WHOLE = st.integers(0, 3).map(float)
FRACTIONS = st.sampled_from([0.25, 0.1, 1.5, 3.0])


@st.composite
def predictions(
    draw: st.DrawFn,
    weights: st.SearchStrategy[float] = FRACTIONS,
    n_labels: st.SearchStrategy[int] = st.integers(2, 5),  # noqa: B008
    all_occur: bool = False,
) -> Made:
    """Few distinct probabilities, all above 0, so that there are ties; 2 to 5 labels in any order."""
    names: list[Any] = draw(st.sampled_from([list("pqrst"), [3, -1, 0, 7, 12]]))
    labels = draw(st.permutations(names))[: draw(n_labels)]
    truth = draw(st.lists(st.sampled_from(labels), min_size=1, max_size=20)) + (labels if all_occur else [])
    shares = st.lists(st.integers(1, 4), min_size=len(labels), max_size=len(labels))
    counts = np.array(draw(st.lists(shares, min_size=len(truth), max_size=len(truth))), float)
    drawn = draw(st.lists(weights, min_size=len(truth), max_size=len(truth)).filter(any))
    probabilities = counts / counts.sum(axis=1, keepdims=True)
    return Made(np.array(truth), probabilities, np.array(labels), np.array(drawn))


def blocks_of_counts() -> st.SearchStrategy[NDArray[np.int64]]:
    """Class counts of the children of three splits: (3, children, classes), classes and children may be empty."""
    sizes = st.tuples(st.just(3), st.integers(1, 5), st.integers(2, 4))

    def fill(shape: tuple[int, int, int]) -> st.SearchStrategy[NDArray[np.int64]]:
        n_values = int(np.prod(shape))
        return st.lists(st.integers(0, 6), min_size=n_values, max_size=n_values).map(
            lambda values: np.array(values).reshape(shape)
        )

    return sizes.flatmap(fill)
