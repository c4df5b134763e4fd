"""Text of a large tree: its first levels, its number of leaves and the log loss of smaller trees."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.random_trees import chain

from petree.reading import export_text
from petree.reading.large import MAX_LEAVES, MAX_LINES, SizeLosses, describe_size, first_levels
from petree.reading.view import view
from petree.tree import Tree


def balanced(depth: int) -> Tree:
    """A tree of 2**depth leaves."""
    counts = [1, 2]
    for _ in range(depth):
        counts = [counts, counts]
    return Tree.from_counts(counts)


def wide(n_leaves: int) -> Tree:
    """A single test with as many branches as leaves."""
    return Tree.from_counts([[leaf, 1] for leaf in range(n_leaves)])


def described(bits: dict[int, float], resizing: str = "model.resized({})") -> list[str]:
    """Lines on the smaller trees of a tree of 64 leaves whose path has these sizes."""
    sizes = SizeLosses(tuple(bits), tuple(bits.values()))
    return describe_size(replace(view(balanced(6)), sizes=sizes, resizing=resizing))


def test_a_tree_of_fifty_leaves_is_printed_whole() -> None:
    for tree in (wide(MAX_LEAVES), chain(MAX_LEAVES - 1)):
        assert tree.n_leaves == MAX_LEAVES
        assert export_text(tree) == export_text(tree, max_depth=None)
        assert first_levels(view(tree)) is None


@pytest.mark.parametrize("tree", [balanced(6), balanced(9), chain(60), chain(3000)])
def test_as_many_levels_as_fit_are_shown_of_a_larger_tree(tree: Tree) -> None:
    shown, notice = export_text(tree).split("\n\n")
    depth = first_levels(view(tree))
    assert shown == export_text(tree, max_depth=depth)
    assert len(shown.splitlines()) <= 1 + MAX_LINES < len(export_text(tree, max_depth=depth + 1).splitlines())
    assert notice == (
        f"The tree has {tree.n_leaves:,} leaves. Levels shown: {depth} of {tree.depth}; "
        "export_text(max_depth=None) prints all of them."
    )


def test_the_first_level_is_always_shown() -> None:
    tree = wide(200)
    assert export_text(tree) == export_text(tree, max_depth=None) + "\n\nThe tree has 200 leaves."


def test_a_depth_that_is_given_needs_no_notice() -> None:
    assert "leaves" not in export_text(balanced(6), max_depth=2)
    assert len(export_text(balanced(6), max_depth=None).splitlines()) == 1 + balanced(6).n_nodes


def test_log_loss_of_the_largest_trees_of_at_most_20_and_50_leaves() -> None:
    assert described({90: 0.4, 64: 0.5, 51: 0.53, 49: 0.55, 21: 0.6, 18: 0.75, 1: 1.0}) == [
        "The tree has 64 leaves.",
        "Its out-of-fold log loss is 0.5000 bits. Smaller trees of the same fit:",
        "  model.resized(20): 18 leaves, 0.7500 bits (+50.0%)",
        "  model.resized(50): 49 leaves, 0.5500 bits (+10.0%)",
    ]
    assert described({64: 0.5, 1: 0.4})[2:] == [
        "  model.resized(20): 1 leaf, 0.4000 bits (-20.0%)",
        "  model.resized(50): 1 leaf, 0.4000 bits (-20.0%)",
    ]


def test_no_share_of_a_loss_of_zero_and_no_call_where_there_is_none() -> None:
    assert described({64: 0.0, 10: 0.25, 1: 1.0}, resizing="")[2] == "  at most 20 leaves: 10 leaves, 0.2500 bits"
