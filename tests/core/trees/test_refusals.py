"""Trees and arrays that the loops over nodes refuse."""

import numpy as np
import pytest
from tests.core.trees.wirings import wired, wiring_of

from petree import core


@pytest.mark.parametrize(
    ("split_start", "child_start", "children", "sentence"),
    [
        ([], [0], [], "A tree needs a node"),
        ([0], [0], [], "A tree needs a node"),
        ([0, 0], [], [], "'split_start' must rise"),
        ([0, 1], [0], [], "'split_start' must rise from 0 to the number of splits"),
        ([1, 0], [0], [], "'split_start' must rise"),
        ([0, 2, 1, 1], [0, 2], [1, 2], "'split_start' must rise"),
        ([0, 1, 1, 1], [0, 3], [1, 2], "'child_start' must rise from 0 to the number of children"),
        ([0, 1, 1, 1], [-1, 2], [1, 2], "'child_start' must rise"),
        ([0, 1, 1], [0, 0], [], "Every split needs a child"),
        ([0, 1, 1, 1], [0, 2], [0, 1], "stand behind their parents"),
        ([0, 1, 1, 1], [0, 2], [1, 3], "stand behind their parents"),
        ([0, 1, 1, 1], [0, 2], [-1, 1], "stand behind their parents"),
        ([0, 0, 1, 1], [0, 2], [1, 2], "stand behind their parents"),
    ],
)
def test_impossible_trees_are_refused(split_start, child_start, children, sentence):
    with pytest.raises(ValueError, match=sentence):
        core.trees.Wiring(*(np.array(one, np.int32) for one in (split_start, child_start, children)))
    with pytest.raises(TypeError, match="Wiring needs a contiguous array of int32 in one dimension for 'split_start'"):
        core.trees.Wiring(np.zeros(2, np.int64), np.zeros(1, np.int32), np.zeros(0, np.int32))


STUMP = wiring_of(np.array([-1, 0, 0], np.int32))


OPTIONS, SHARED = wired([[[1, 2], [1, 2]], [], []]), wired([[[1, 2]], [[2]], []])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("compare_costs", (np.zeros(2), 0.0, True, np.zeros(3), np.zeros(1), np.zeros(1, bool))),
        ("compare_costs", (np.zeros(3), 0.0, True, np.zeros(4), np.zeros(1), np.zeros(1, bool))),
        ("compare_costs", (np.zeros(3), 0.0, True, np.zeros(3), np.zeros(2), np.zeros(1, bool))),
        ("compare_costs", (np.zeros(3), 0.0, True, np.zeros(3), np.zeros(1), np.zeros(0, bool))),
        ("sum_leaves", (np.zeros((2, 2)),)),
        ("any_below", (np.zeros(2, bool), np.zeros(3, bool))),
        ("any_below", (np.zeros(3, bool), np.zeros(2, bool))),
        ("cut_weakest_links", (np.zeros((2, 2)), np.zeros((2, 2)), 0.0, core.NO_STOP)),
        ("cut_weakest_links", (np.zeros((3, 1)), np.zeros((3, 1)), 0.0, core.NO_STOP)),
        ("cut_weakest_links", (np.zeros((3, 2)), np.zeros((3, 3)), 0.0, core.NO_STOP)),
        ("best_splits", (np.zeros(2), np.zeros(1), np.zeros(3, np.int64))),
        ("best_splits", (np.zeros(3), np.zeros(2), np.zeros(3, np.int64))),
        ("best_splits", (np.zeros(3), np.zeros(1), np.zeros(2, np.int64))),
        ("best_by_leaves", (np.zeros(3), np.zeros(2), 3, core.NO_STOP)),
        ("best_by_leaves", (np.zeros(3), np.zeros(1), 0, core.NO_STOP)),
        ("best_by_leaves", (np.zeros(3), np.zeros(1), 2**31, core.NO_STOP)),
        ("best_by_leaves", (np.zeros(3), np.zeros(1), 3, np.zeros(0, np.uint8))),
        ("chain_keys", (np.zeros(2, np.uint64), np.zeros(3, np.uint64))),
        ("chain_keys", (np.zeros(1, np.uint64), np.zeros(2, np.uint64))),
        ("mix_along_paths", (np.zeros((2, 2)), 1, np.zeros((3, 3)), np.zeros(3), core.NO_STOP)),
        ("mix_along_paths", (np.zeros((3, 0)), 1, np.zeros((3, 1)), np.zeros(3), core.NO_STOP)),
        ("mix_along_paths", (np.zeros((3, 2)), -1, np.zeros((3, 3)), np.zeros(3), core.NO_STOP)),
        ("mix_along_paths", (np.zeros((3, 2)), 1, np.zeros((3, 2)), np.zeros(3), core.NO_STOP)),
        ("mix_along_paths", (np.zeros((3, 2)), 1, np.zeros((3, 3)), np.zeros(2), core.NO_STOP)),
        ("estimate_branches", (np.zeros((2, 2)), np.zeros(3), 1.0, np.zeros((3, 2)), core.NO_STOP)),
        ("estimate_branches", (np.zeros((3, 2)), np.zeros(2), 1.0, np.zeros((3, 2)), core.NO_STOP)),
        ("estimate_branches", (np.zeros((3, 2)), np.zeros(3), 1.0, np.zeros((3, 3)), core.NO_STOP)),
        ("shorten_steps", (np.zeros(2), np.zeros(3), np.zeros((3, 2)), core.NO_STOP)),
        ("shorten_steps", (np.zeros(3), np.zeros(2), np.zeros((3, 2)), core.NO_STOP)),
        ("shorten_steps", (np.zeros(3), np.zeros(3), np.zeros((2, 2)), core.NO_STOP)),
    ],
)
def test_arrays_of_other_lengths_are_refused(name, arguments):
    with pytest.raises(ValueError, match=r"need|must"):
        getattr(core.trees, name)(STUMP, *arguments)


@pytest.mark.parametrize("wiring", [OPTIONS, SHARED])
def test_only_ordinary_trees_have_paths(wiring):
    with pytest.raises(ValueError, match="several"):
        core.trees.depth_first(wiring)
    with pytest.raises(ValueError, match="several"):
        core.trees.cut_weakest_links(wiring, np.zeros((3, 2)), np.zeros((3, 2)), 0.0, core.NO_STOP)
    with pytest.raises(ValueError, match="several"):
        core.trees.mix_along_paths(wiring, np.zeros((3, 2)), 1, np.zeros((3, 3)), np.zeros(3), core.NO_STOP)
    with pytest.raises(ValueError, match="several"):
        core.trees.estimate_branches(wiring, np.zeros((3, 2)), np.zeros(3), 1.0, np.zeros((3, 2)), core.NO_STOP)
