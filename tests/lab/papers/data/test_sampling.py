"""Samples with fewer, merged or rarer classes, against slow versions of their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.experiments.data import DataSet
from lab.papers.data.sampling import frequent_classes, merged_classes, with_share, with_sizes

labels = st.lists(st.sampled_from("abcdefg"), min_size=2, max_size=40)


def made(classes: str | list[str]) -> DataSet:
    """A set of these classes whose one column has the numbers of the rows."""
    return DataSet("made", {"row": np.arange(len(classes), dtype=float)}, np.array(list(classes), object))


def are_rows_of(sample: DataSet, data: DataSet) -> bool:
    """Whether the sample has each of its rows once, in the order of the data, with its class."""
    rows = sample.columns["row"].astype(int).tolist()
    return rows == sorted(set(rows)) and sample.y.tolist() == data.y[rows].tolist()


# -- the most frequent classes -----------------------------------------------------------------------------


@given(labels, st.data())
def test_shares_are_met_to_one_row(classes: list[str], draw: st.DataObject) -> None:
    counts = Counter(classes)
    n_classes = draw.draw(st.integers(1, len(counts)))
    kept = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:n_classes])
    total = sum(kept.values())
    n_rows = draw.draw(st.integers(1, total))
    sample = frequent_classes(made(classes), n_classes, n_rows, seed=3)
    found = Counter(sample.y.tolist())
    assert sample.n_rows == n_rows
    assert set(found) <= set(kept)
    for name, count in kept.items():
        assert abs(found[name] - count / total * n_rows) < 1
    assert sample.name == f"{n_classes} classes"
    assert are_rows_of(sample, made(classes))


def test_of_equally_frequent_classes_the_first_by_name_are_kept() -> None:
    sample = frequent_classes(made("cabcabddd"), 3, 6, seed=0)
    assert set(sample.y) == {"d", "a", "b"}


@pytest.mark.parametrize(
    "draw",
    [
        lambda seed: frequent_classes(made("ab" * 50), 2, 20, seed),
        lambda seed: with_share(made("ab" * 50), "a", 0.3, 20, seed),
    ],
)
def test_a_seed_gives_the_same_sample(draw: Callable[[int], DataSet]) -> None:
    samples = [draw(seed).columns["row"].tolist() for seed in (0, 0, 1)]
    assert len(samples[0]) == 20
    assert samples[0] == samples[1] != samples[2]


# -- a share of a class ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "n_label"), [(0.5, 10), (0.25, 5), (0.1, 2), (0.036, 1), (0.0, 0), (1.0, 20)])
def test_the_share_of_a_class(share: float, n_label: int) -> None:
    data = made("a" * 30 + "b" * 40 + "c" * 40)
    sample = with_share(data, "a", share, 20, seed=1)
    assert sample.n_rows == 20
    assert Counter(sample.y.tolist())["a"] == n_label
    assert are_rows_of(sample, data)
    assert sample.name == f"{100 * share:g}% a"


@given(labels, st.data())
def test_classes_get_their_numbers_of_rows(classes: list[str], draw: st.DataObject) -> None:
    sizes = {name: draw.draw(st.integers(1, count)) for name, count in Counter(classes).items() if name != "g"}
    if sizes:
        sample = with_sizes(made(classes), sizes, seed=5)
        assert Counter(sample.y.tolist()) == sizes
        assert are_rows_of(sample, made(classes))


# -- merged classes ----------------------------------------------------------------------------------------


def slowly_merged(classes: list[str], n_classes: int) -> list[str]:
    """The two rarest made one, step by step."""
    while len(counts := Counter(classes)) > n_classes:
        (_, first), (_, second), *_ = sorted((count, name) for name, count in counts.items())
        classes = [f"{first}+{second}" if name in (first, second) else name for name in classes]
    return classes


@given(labels, st.data())
def test_the_two_rarest_classes_are_merged_again_and_again(classes: list[str], draw: st.DataObject) -> None:
    n_classes = draw.draw(st.integers(1, len(set(classes))))
    found = merged_classes(made(classes), n_classes)
    assert found.y.tolist() == slowly_merged(classes, n_classes)
    assert found.n_classes == n_classes
    assert found.name == f"{n_classes} classes"
    assert found.columns["row"].tolist() == list(range(len(classes)))


def test_merging_leaves_the_data_as_they_were() -> None:
    data = made("aaabbc")
    assert merged_classes(data, 2).y.tolist() == ["a"] * 3 + ["c+b"] * 3
    assert data.y.tolist() == list("aaabbc")


# -- refused -----------------------------------------------------------------------------------------------


def test_more_rows_than_there_are() -> None:
    data = made("aaabb")
    with pytest.raises(ValueError, match=r"^made has 3 rows of the class a; draw as many or fewer, not 6\.$"):
        frequent_classes(data, 2, 10, seed=0)
    with pytest.raises(ValueError, match=r"^made has 2 rows of the class b; draw as many or fewer, not 4\.$"):
        with_share(data, "b", 0.8, 5, seed=0)
    with pytest.raises(ValueError, match=r"^made has 3 rows of classes other than b; draw as many or fewer, not 4\.$"):
        with_share(data, "b", 0.2, 5, seed=0)


def test_more_classes_than_there_are() -> None:
    sentence = r"^made has 2 classes; ask for as many or fewer, not for 3\.$"
    with pytest.raises(ValueError, match=sentence):
        frequent_classes(made("aaabb"), 3, 2, seed=0)
    with pytest.raises(ValueError, match=sentence):
        merged_classes(made("aaabb"), 3)
