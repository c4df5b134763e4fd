"""What holds of every model that a file keeps: the one list of it.

A model is checked before it is written, and as a whole after it was read, before any estimator or compiled loop sees
it. The first line of each check's docstring is what holds; docs/model-files.md has the same list.
"""

from __future__ import annotations

from collections.abc import Callable

from petree.estimators.stored import Stored
from petree.storage.invariants.columns import (
    categories_are_told_apart,
    class_weights_are_finite,
    columns_are_told_apart,
    counts_are_finite,
    whole_numbers_are_in_range,
)
from petree.storage.invariants.nodes import (
    cases_add_up,
    every_node_is_a_child,
    no_case_is_twice_in_a_tree,
    only_options_share,
    ways_are_of_one_length,
)
from petree.storage.invariants.settings import (
    base_rates_can_be_moved_to,
    leaves_are_worth_something,
    notes_are_finite,
    sizes_are_of_one_tree,
    work_is_bounded,
)
from petree.storage.invariants.tests import (
    queries_are_relational,
    splits_have_their_branches,
    surrogates_stand_in,
    tables_are_whole,
    tests_fit_their_columns,
)

INVARIANTS: tuple[Callable[[Stored], None], ...] = (
    columns_are_told_apart,
    categories_are_told_apart,
    counts_are_finite,
    whole_numbers_are_in_range,
    class_weights_are_finite,
    tests_fit_their_columns,
    splits_have_their_branches,
    surrogates_stand_in,
    queries_are_relational,
    tables_are_whole,
    every_node_is_a_child,
    only_options_share,
    ways_are_of_one_length,
    cases_add_up,
    no_case_is_twice_in_a_tree,
    notes_are_finite,
    work_is_bounded,
    leaves_are_worth_something,
    sizes_are_of_one_tree,
    base_rates_can_be_moved_to,
)


def check(stored: Stored) -> None:
    """Raise for the first invariant that does not hold."""
    for holds in INVARIANTS:
        holds(stored)
