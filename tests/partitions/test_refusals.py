"""What data in parts cannot do is said in a sentence before anything is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from tests.partitions.made import LITTLE, UNEQUAL, code, make_frame

from petree import ProbabilityTreeClassifier
from petree.estimators.partitioned import warning
from petree.partitions.budget import read_memory
from petree.partitions.engines import PartitionError, chosen, use
from petree.partitions.partition import CodedData, Partition
from petree.pruning import Chi, ReducedError


@dataclass(frozen=True)
class Unread:
    """A reader that nobody may call."""

    n_rows: int
    name: str = "unread"
    has_weights: bool = False

    def read(self) -> Partition:
        raise AssertionError("This was read.")


class Choosing(Chi):
    """A criterion that has a say in which test a node gets."""

    chooses_tests = True

    def __init__(self) -> None:
        super().__init__(when="pre")


def make_unread() -> CodedData:
    data = code(*make_frame(), None, UNEQUAL)
    return replace(data, parts=tuple(Unread(part.n_rows) for part in data.parts))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            {"pruning": "subtree_randomisation"},
            r"SubtreeRandomisation.* looks at single rows again \(regrow\), and these do not fit in memory",
        ),
        ({"pruning": ReducedError(alpha=0.5)}, r"looks at single rows again \(held_out\)"),
        ({"pruning": ReducedError(backfitting=True)}, "looks at single rows again"),
        ({"sample_ratio": 10}, r"With sample_ratio=10 all rows have to be in memory"),
        ({"pruning": "sampled"}, r"looks at single rows again \(training\)"),
        ({"honest": True}, "With honest=True all rows have to be in memory, and these do not fit; give more memory by"),
        ({"lookahead": 2}, "With lookahead=2 .* leave it out"),
        ({"first_test": "number"}, "With first_test='number' all rows"),
        ({"missing": "majority"}, "With missing='majority' .* leave it out"),
        ({"split": "bayes", "tests": "sets"}, "has no prior over sets of categories"),
        ({"smoothing": "confusion"}, "answers row by row"),
    ],
    ids=str,
)
def test_what_needs_rows_in_memory_is_refused(parameters: dict[str, Any], sentence: str) -> None:
    with use(memory=LITTLE), pytest.raises(ValueError, match=sentence):
        ProbabilityTreeClassifier(**parameters).fit(make_unread())


def test_that_little_memory_takes_long_is_said_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warning, "MANY_ROWS_READ", 10_000)
    data = make_unread()
    told = r"Within 1KB the 400 rows are read about 14\d times for each tree, .* within 8KB it would be about 18 times"
    with use(memory=1_000), pytest.raises(PartitionError, match="This was read"), pytest.warns(UserWarning, match=told):
        ProbabilityTreeClassifier().fit(data)
    with use(memory=1_000), pytest.raises(PartitionError, match="This was read"):
        ProbabilityTreeClassifier(max_depth=4).fit(data)


@pytest.mark.parametrize("parameters", [{"pruning": "rand"}, {"honest": True, "sample_ratio": 10}], ids=str)
def test_what_fits_in_memory_can_do_all(parameters: dict[str, Any]) -> None:
    model = ProbabilityTreeClassifier(**parameters, random_state=0).fit(code(*make_frame(), None, UNEQUAL))
    assert model.tree_.n_nodes >= 1
    assert model.feature_names_in_.tolist() == ["number", "letter", "small", "two"]


@pytest.mark.parametrize(
    ("name", "value"), [("y", [1]), ("sample_weight", [1.0]), ("groups", [1]), ("classes", [0, 1])]
)
def test_nothing_is_given_beside_a_data_set(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"has classes and weights in it, and no groups; leave out {name}"):
        ProbabilityTreeClassifier().fit(make_unread(), **{name: value})


def test_data_of_which_nothing_can_be_learned() -> None:
    data = make_unread()
    model = ProbabilityTreeClassifier()
    with pytest.raises(ValueError, match="has no rows"):
        model.fit(replace(data, parts=()))
    with pytest.raises(ValueError, match=r"has only one class, \[1\]"):
        model.fit(replace(data, class_totals=np.array([0.0, 3.0, 0.0])))
    with pytest.raises(ValueError, match="has no columns"):
        model.fit(replace(data, columns=()))


def test_who_counts_and_in_how_much_memory() -> None:
    assert [read_memory(one) for one in ("2GB", "0.5 mb", 7, "3")] == [2 * 10**9, 500_000, 7, 3]
    for wrong in ("", "two", "-1", "3XB", "infGB", 0):
        with pytest.raises(ValueError, match="memory must be bytes, such as"):
            read_memory(wrong)
    with pytest.raises(TypeError, match=r"workers must be a distributed.Client.* Got int instead"), use(3):
        pass
    usual = chosen().memory
    with use(memory="1GB"), use():
        assert chosen().memory == 10**9
    assert chosen().memory == usual
