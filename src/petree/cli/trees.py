"""The kind of tree that a command fits: its options, and the estimator that they make."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from petree.reading.view import View

LARGEST = 2**31 - 1
# Options that are parameters of estimators, by the same names.
PARAMETERS = (
    *("pruning", "smoothing", "tests", "min_samples_leaf", "max_depth", "max_leaf_nodes", "missing", "n_jobs"),
    "max_links",
)


@dataclass(frozen=True, kw_only=True)
class TreeOptions:
    """Parameters of trees of any data; without an option the default of the estimator holds."""

    preset: Annotated[
        str | None,
        typer.Option(
            help="Learner of a paper, such as c4.4, or tilde for databases (none); other options override it."
        ),
    ] = None
    option_tree: Annotated[
        bool, typer.Option("--option-tree", help="Bayesian average over many trees instead of a single tree.")
    ] = False
    pruning: Annotated[str | None, typer.Option(help="Pruning criterion, such as rand, mdl or none (best_size).")] = (
        None
    )
    smoothing: Annotated[
        str | None, typer.Option(help="Smoothing of class probabilities, such as laplace or none (a tuned one).")
    ] = None
    min_samples_leaf: Annotated[
        float | None, typer.Option(min=0, max=LARGEST, help="Minimum rows per leaf, below 1 a share of all rows (1).")
    ] = None
    max_depth: Annotated[int | None, typer.Option(min=1, max=LARGEST, help="Maximum tree depth (no limit).")] = None
    class_weight: Annotated[
        str | None, typer.Option(help="Class weights: balanced, or such as yes=5,no=1 (equal).")
    ] = None
    n_jobs: Annotated[int | None, typer.Option(max=LARGEST, help="Number of threads; -1 takes all cores (1).")] = None

    def parameters(self) -> dict[str, Any]:
        """The parameters of the estimator that are given."""
        given = {name: value for name, value in vars(self).items() if name in PARAMETERS and value is not None}
        size = self.min_samples_leaf
        return given if size is None or size % 1 else given | {"min_samples_leaf": int(size)}


def make_model(options: TreeOptions, is_relational: bool) -> Any:
    """The estimator that the options describe, not fitted yet."""
    import petree
    from petree.estimators.relational.examples import ExampleReader

    preset = options.preset
    if preset is not None and options.option_tree:
        raise ValueError("--preset names a learner, which --option-tree cannot change. Leave one of them out.")
    try:
        model = (_plain(options.option_tree, is_relational) if preset is None else petree.presets[preset])()
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if isinstance(model, ExampleReader) != is_relational:
        ours, theirs = ("one table", "fit") if is_relational else ("several tables", "fit-database")
        raise ValueError(f"The preset {preset} is for {ours}. Use it with petree {theirs}.")
    known = model.get_params(deep=False)
    for name in options.parameters():
        if name not in known:
            raise ValueError(f"{type(model).__name__} has no parameter {name!r}. Leave --{name.replace('_', '-')} out.")
    return model.set_params(**options.parameters())


def _plain(is_averaged: bool, is_relational: bool) -> Any:
    """The class of the estimator without a preset."""
    import petree

    if is_averaged:
        return petree.RelationalOptionTreeClassifier if is_relational else petree.OptionTreeClassifier
    return petree.RelationalTreeClassifier if is_relational else petree.ProbabilityTreeClassifier


def on_command_line(shown: View) -> View:
    """Return a view whose call for a smaller tree is one of the command line; related tables have none."""
    return replace(shown, resizing="" if shown.is_related else "petree fit ... --max-leaf-nodes {}")
