"""A single tree of related tables to read of a tree with options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree.bayes import Prior
from petree.conditions import Conditions
from petree.estimators.option.summary import most_probable_tree
from petree.estimators.relational.classifier import RelationalTreeClassifier
from petree.estimators.relational.exports import RelationalView
from petree.estimators.relational.sources import ROW
from petree.estimators.tuning.finish import Finished
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Literal, Term, fresh_variables, text_of
from petree.smoothing import Bayes
from petree.splitting import resolve_split
from petree.tree import Tree

if TYPE_CHECKING:
    from petree.estimators.relational.option.classifier import RelationalOptionTreeClassifier

# Parameters that the single tree has of the tree with options.
SHARED = (
    "database",
    "target",
    "bias",
    "aggregates",
    "max_links",
    "min_examples",
    "binning",
    "min_samples_leaf",
    "class_weight",
    "max_answers",
    "n_jobs",
)


def summary_of(model: RelationalOptionTreeClassifier, max_leaves: int | None) -> RelationalTreeClassifier:
    """The most probable single tree of at most so many leaves, as a fitted classifier."""
    found = most_probable_tree(model.tree_, model.prior_, max_leaves, costs_of_names(model.tree_, model.prior_))
    tree = with_names_apart(found, model.scope_)
    own = model.get_params(deep=False)
    smoothing = Bayes(model.prior_)
    single = RelationalTreeClassifier(pruning="none", smoothing=smoothing, **{name: own[name] for name in SHARED})
    single.scope_ = model.scope_
    single.target_ = model.target_
    single._set_fitted(Finished(tree, smoothing, None, None, None), (ROW,), model.classes_, resolve_split(single.split))
    single.base_rates_ = model.base_rates_
    kept = vars(model)
    single._note(keys_=kept.get("keys_"), bias_=kept.get("bias_"))
    return single


def costs_of_names(tree: Tree, prior: Prior) -> NDArray[np.float64]:
    """What it costs each split to be one of so many: among hundreds of tests one fits by chance, alone in a tree.

    All tests of a node alike, as in Buntine's prior III, at the power of the prior.
    """
    n_tests = tree.n_tests[tree.split_nodes]
    return np.asarray(prior.checked_power() * np.log(np.maximum(n_tests, 1)), np.float64)


def view_of(model: RelationalOptionTreeClassifier, level: float | None) -> RelationalView:
    """The summary to read, told as such."""
    return replace(model.summary()._view(level), is_summary=True)


def with_names_apart(tree: Tree, scope: Scope) -> Tree:
    """A tree whose tests are each about the example alone, so named that none speaks of what one above it has found.

    `scope` is that of the empty query.
    """
    held: list[tuple[Literal, ...]] = [()] * tree.n_nodes
    texts = []
    for node, condition in zip(tree.split_nodes.tolist(), tree.conditions, strict=True):
        literals = _apart(parse_literals(str(condition)), scope, held[node])
        texts.append((text_of(literals), 2))
        yes, no = tree.children_of(np.array([node])).tolist()
        held[yes] = (*held[node], *literals)
        held[no] = held[node]
    return replace(tree, conditions=Conditions.queries(texts))


def _apart(literals: tuple[Literal, ...], scope: Scope, held: tuple[Literal, ...]) -> tuple[Literal, ...]:
    """Literals with other names for the variables that are not the example's but have a name in those that hold."""
    own = set(scope.variables)
    taken = {one for literal in held for one in literal.named} | own
    new = list(dict.fromkeys(one for literal in literals for one in literal.named if one not in own))
    fresh = fresh_variables((*taken, *new))
    names: dict[Term, Term] = {one: next(fresh) for one in new if one in taken}
    return tuple(literal.renamed(names) for literal in literals)
