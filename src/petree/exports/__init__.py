"""The ways to write a tree, one row each: what the estimators' `export` and ``petree show --format`` offer.

A new one takes two steps: a file here with a function of a `petree.reading.view.View`, which returns text (or bytes, or
whatever it makes), and a row in `EXPORTS`. Rows name their functions as "module:function" and import nothing, so that
the command line starts at once. Formats that are also functions of `petree.reading` stand there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
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
        What it can be told beside the tree. "level", "label" and "width" are not handed on: the view then has bounds of
        this level, tells the probability of this class at every node, or is for a screen of this width.
    related_options : tuple of str, optional
        The same for a tree of related tables, where that is something else.
    in_files : bool
        Whether it makes text or bytes, which ``petree show`` and ``petree export`` can print and write.
    package : str, optional
        A package that it needs, which is the name of the extra that brings it, too.
    """

    of_one_table: str | None
    of_related_tables: str | None
    options: tuple[str, ...] = ()
    related_options: tuple[str, ...] | None = None
    in_files: bool = True
    package: str | None = None

    def options_of(self, is_related: bool) -> tuple[str, ...]:
        """What it can be told beside a tree of one table or of related ones."""
        return self.related_options if is_related and self.related_options is not None else self.options

    def function(self, name: str, is_related: bool) -> Callable[..., Any]:
        """The function for a tree of one table or of related ones; refuses where there is none."""
        place = self.of_related_tables if is_related else self.of_one_table
        if place is None:
            whose = "one of a single table" if self.of_one_table is None else "one of related tables"
            for_whom = "trees of related tables" if self.of_one_table is None else "trees of a single table"
            raise ValueError(f"The format {name} is for {for_whom}; this is {whose}.")
        if self.package is not None and find_spec(self.package) is None:
            raise ImportError(f"The format {name} needs {self.package}: pip install 'petree[{self.package}]'.")
        module, function = place.split(":")
        return getattr(import_module(module), function)


def _of_any(place: str, options: tuple[str, ...] = (), in_files: bool = True) -> Export:
    """A function that writes every tree."""
    return Export(place, place, options, in_files=in_files)


EXPORTS: dict[str, Export] = {
    "text": _of_any(
        "petree.reading.text:whole_text",
        ("max_depth", "decimals", "top_classes", "percent", "surrogates", "width", "label"),
    ),
    "rules": _of_any("petree.reading.rules:rules_text", ("level", "label")),
    "html": _of_any("petree.reading.html:to_html"),
    "frame": _of_any("petree.reading.frame:to_frame", ("level",), in_files=False),
    "dot": _of_any("petree.exports.drawing:to_dot"),
    "mermaid": _of_any("petree.exports.drawing:to_mermaid"),
    "prolog": Export(None, "petree.estimators.relational.exports:to_prolog"),
    "sql": Export(
        "petree.exports.sql:to_sql",
        "petree.estimators.relational.exports:to_sql",
        options=("dialect", "table", "key"),
        related_options=("dialect", "node"),
    ),
    "onnx": Export("petree.exports.onnx:onnx_bytes", None, package="onnx"),
    "sklearn": Export("petree.exports.sklearn:to_sklearn", None, in_files=False),
    "treelite": Export("petree.exports.treelite:to_treelite", None, in_files=False, package="treelite"),
    "python": Export("petree.exports.python:to_python", None),
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
    shown: View = view(model)
    chosen = EXPORTS[name]
    function = chosen.function(name, shown.is_related)
    known = chosen.options_of(shown.is_related)
    for option in [*options, *["level"] * (level is not None)]:
        if option not in known:
            raise ValueError(f"The format {name} takes no {option!r}{_takers(option, shown.is_related)}.")
    seen = shown if level is None else view(model, level=level)
    seen = replace(seen.about(options.pop("label", None)), width=options.pop("width", None))
    return function(seen, **options)


def _takers(option: str, is_related: bool) -> str:
    """Who takes an option, as the end of a sentence."""
    takers = [name for name, one in EXPORTS.items() if option in one.options_of(is_related)]
    return f"; {', '.join(takers)} {'does' if len(takers) == 1 else 'do'}" if takers else ""
