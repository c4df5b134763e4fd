"""How option trees grow, from the parameters of their classifier."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from petree.bayes import WEIGHTS
from petree.estimators.parameters import seed_of
from petree.growing.option_ground import OptionRules
from petree.growing.options import GrownTree
from petree.parts import check_choice, check_integer, check_integer_or_none, check_number, check_seed

if TYPE_CHECKING:
    from petree.estimators.option.averaged import AveragedTrees

# Growing keeps all rows at every level.
MOST_DEPTH = 100
# Class counts of all nodes together; the memory of a fit is some forty bytes for each.
MOST_COUNTS = 2**24
# How many nodes there may be, where nothing is said: the time of a fit grows with them.
LEAST_NODES = 250_000
NODES_PER_ROW = 4
MOST_NODES = 1_000_000


def rules_of(model: AveragedTrees) -> OptionRules:
    """The rules that the parameters give; raises for a bad one."""
    for name in ("lookahead", "max_options", "max_depth", "min_samples_leaf", "n_searches"):
        check_integer(model, name, 1)
    check_integer_or_none(model, "option_depth", 1)
    check_integer_or_none(model, "max_nodes", 1)
    if model.max_features is not None and model.max_features != "sqrt":
        check_integer(model, "max_features", 1)
    check_choice(model, "weights", tuple(WEIGHTS))
    check_choice(model, "growing", ("depth_first", "best_first"))
    check_seed(model)
    if model.max_depth > MOST_DEPTH:
        raise ValueError(
            f"The 'max_depth' parameter of {type(model).__name__} must not be above {MOST_DEPTH}, since trees with "
            f"options grow exponentially. Got {model.max_depth!r} instead."
        )
    return OptionRules(
        max_depth=int(model.max_depth),
        max_options=int(model.max_options),
        option_depth=int(model.max_depth if model.option_depth is None else model.option_depth),
        factor=check_number(model, "factor", 0, above=True, most=1),
        lookahead=int(model.lookahead),
        min_samples_leaf=int(model.min_samples_leaf),
        max_nodes=MOST_NODES if model.max_nodes is None else int(model.max_nodes),
        n_searches=int(model.n_searches),
        max_features=model.max_features,
        seed=seed_of(model.random_state),
        is_best_first=model.growing == "best_first",
        max_seconds=_seconds_of(model),
    )


def _seconds_of(model: AveragedTrees) -> float:
    if model.max_seconds is None:
        return inf
    seconds = check_number(model, "max_seconds", 0, above=True)
    if model.growing != "best_first":
        raise ValueError(
            f"The 'max_seconds' parameter of {type(model).__name__} is for growing='best_first', which has an answer "
            f"at any time; set that, or leave max_seconds at None. Got {model.max_seconds!r} instead."
        )
    return seconds


def bound_nodes(rules: OptionRules, asked: int | None, n_rows: int, n_classes: int) -> OptionRules:
    """The rules with as many nodes as there may be: memory is used for their counts, one for each class."""
    usual = min(LEAST_NODES + NODES_PER_ROW * n_rows, MOST_NODES)
    most = usual if asked is None else rules.max_nodes
    return rules._replace(max_nodes=min(most, max(MOST_COUNTS // n_classes, 1)))


def why_smaller(found: GrownTree, rules: OptionRules, asked: int | None) -> str | None:
    """What to say where a tree has not all the nodes that it could have, if anything."""
    if found.is_interrupted:
        return f"Growing was interrupted: the model has the {found.tree.n_nodes} nodes that were there by then."
    if found.depth == rules.max_depth:
        return None
    is_as_asked = asked in (None, rules.max_nodes)
    by_classes = "" if is_as_asked else " (no more than that with so many classes)"
    if found.tree.n_nodes == 1 and (rules.n_searches > 1 or rules.is_best_first):
        return _why_a_root_alone(rules, by_classes)
    return (
        f"The tree has depth {found.depth}, since with depth {found.depth + 1} it would have more than "
        f"max_nodes={rules.max_nodes} nodes{by_classes}; raise max_nodes, or lower max_options or max_depth."
    )


def _why_a_root_alone(rules: OptionRules, by_classes: str) -> str:
    """What to say where not even the first tests of the searches have room."""
    bounds, what_to_do = f"max_nodes={rules.max_nodes}{by_classes}", "raise max_nodes"
    if rules.max_seconds < inf:
        bounds, what_to_do = f"{bounds} or max_seconds={rules.max_seconds:g}", f"{what_to_do} or max_seconds"
    if rules.n_searches > 1:
        what_to_do = f"{what_to_do}, or lower n_searches"
    return (
        f"The tree is a single node, which answers alike for all rows, since {bounds} leaves no room for the first "
        f"test of each search; {what_to_do}."
    )
