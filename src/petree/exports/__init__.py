"""The ways to write a tree, one row each: what the estimators' `export` and ``petree show --format`` offer.

A new one takes two steps: a file here with a function of a `petree.reading.view.View`, which returns text (or bytes, or
whatever it makes), and a row in `EXPORTS`. Rows name their functions as "module:function" and import nothing, so that
the command line starts at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from petree.reading.view import Model, View


@dataclass(frozen=True)
class Export:
    """One way to write a tree.

    Parameters
    ----------
    of_one_table, of_related_tables : str or None
        The function that writes a tree of one table, and of related tables; None where there is none. It takes a
        `View`, of related tables a `RelationalView`, and the `options` by name.
    options : tuple of str
        What it can be told beside the tree. "level" is not handed on: the view then has bounds of this level.
    in_files : bool
        Whether it makes text or bytes, which ``petree show`` can print and write.
    """

    of_one_table: str | None
    of_related_tables: str | None
    options: tuple[str, ...] = ()
    in_files: bool = True

    def function(self, name: str, is_related: bool) -> Callable[..., Any]:
        """The function for a tree of one table or of related ones; refuses where there is none."""
        place = self.of_related_tables if is_related else self.of_one_table
        if place is None:
            whose = "one of a single table" if self.of_one_table is None else "one of related tables"
            for_whom = "trees of related tables" if self.of_one_table is None else "trees of a single table"
            raise ValueError(f"The format {name} is for {for_whom}; this is {whose}.")
        module, function = place.split(":")
        found: Callable[..., Any] = getattr(import_module(module), function)
        return found


def _of_any(place: str, options: tuple[str, ...] = (), in_files: bool = True) -> Export:
    """A function that writes every tree."""
    return Export(place, place, options, in_files)


EXPORTS: dict[str, Export] = {
    "text": _of_any("petree.reading.text:export_text", ("max_depth", "decimals", "top_classes", "percent")),
    "rules": _of_any("petree.reading.rules:rules_text", ("level",)),
    "html": _of_any("petree.reading.html:to_html"),
    "frame": _of_any("petree.reading.frame:to_frame", ("level",), in_files=False),
    "prolog": Export(None, "petree.estimators.relational.exports:to_prolog"),
    "sql": Export(None, "petree.estimators.relational.exports:to_sql", ("dialect", "node")),
}


def export(model: Model, name: str, level: float | None = None, **options: Any) -> Any:
    """A tree in one of the formats of `EXPORTS`.

    Parameters
    ----------
    model : Tree, fitted estimator or View
    name : str
        One of `EXPORTS`.
    level : float, optional
        Where the format can show credible intervals, their level.
    **options
        What else the format can be told, such as the `dialect` of SQL.

    Returns
    -------
    str, or what the format makes

    Examples
    --------
    >>> from petree.tree import Tree
    >>> print(export(Tree.from_counts([[12, 0], [3, 5]], classes=["good", "bad"]), "rules"))
    if test 0 then P(good)=1.00 (n=12)
    if not test 0 then P(bad)=0.62 (n=8)
    """
    from petree.parts import unknown_name
    from petree.reading.view import view

    if name not in EXPORTS:
        raise ValueError(unknown_name("format", name, list(EXPORTS)))
    chosen = EXPORTS[name]
    given = [*options, *["level"] * (level is not None)]
    for option in given:
        if option not in chosen.options:
            takers = ", ".join(other for other, one in EXPORTS.items() if option in one.options)
            raise ValueError(f"The format {name} takes no {option!r}" + (f"; {takers} do." if takers else "."))
    shown: View = view(model, level=level)
    return chosen.function(name, shown.is_related)(shown, **options)
