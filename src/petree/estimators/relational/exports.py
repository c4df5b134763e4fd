"""Trees of related tables as programs: Prolog and SQL."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from petree.reading.view import View
from petree.relational.reading.rules import tree_rules
from petree.relational.reading.sql_trees import index_comments, node_sql, tree_sql
from petree.relational.routing import RelationalRouter
from petree.relational.tables.integrity import LinkCheck
from petree.tree.prediction import most_probable_codes


@dataclass(frozen=True)
class RelationalView(View):
    """A tree of related tables: its tests in sentences for people, and as queries in `router` for programs.

    `checks` are what was found of the links of its database, where there is one.
    """

    is_related: ClassVar[bool] = True

    router: RelationalRouter = field(kw_only=True)
    checks: Sequence[LinkCheck] = ()


def to_prolog(shown: RelationalView) -> str:
    """The tree as ordered Prolog rules: the first whose body holds has the class."""
    classes: list[Any] = list(shown.tree.classes)
    codes = most_probable_codes(shown.probabilities, shown.tree.class_weight)
    return tree_rules(shown.router, classes, shown.probabilities, [classes[code] for code in codes.tolist()])


def to_sql(shown: RelationalView, dialect: str = "sqlite", node: int | None = None) -> str:
    """A query that gives the leaf and the probabilities of every example, or those for which a node's test holds."""
    _warn_of_dangling(shown.checks)
    router = shown.router
    if node is not None:
        comments = index_comments(router.scope, (*router.query(node), *router.literals[node]))
        return comments + node_sql(router, node, dialect)
    comments = index_comments(router.scope, [one for literals in router.literals.values() for one in literals])
    return comments + tree_sql(router, list(shown.tree.classes), shown.probabilities, dialect)


def _warn_of_dangling(checks: Sequence[LinkCheck]) -> None:
    """Name the links whose dangling keys the tree takes for missing, while SQL finds them in the tables."""
    for check in checks:
        if check.n_dangling:
            warnings.warn(
                f"Dangling keys of {check.link}: {check.n_dangling} (such as {check.example}); the tree takes them "
                "for missing, and SQL does so only where the tables have NULL in their place.",
                stacklevel=6,
            )
