"""``petree fit``: a table becomes a model file."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import DataFile
from petree.cli.messages import status

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_CLASSES = 10  # in the summary


def fit(
    data: DataFile,
    target: Annotated[str, typer.Option(help="Column that holds the class.")],
    out: Annotated[Path, typer.Option(help="Model file to write (JSON).")],
    preset: Annotated[str | None, typer.Option(help="System of a paper, such as c4.4; options override it.")] = None,
    split: Annotated[str | None, typer.Option(help="Split score, such as gain.")] = None,
    pruning: Annotated[str | None, typer.Option(help="Pruning criterion, such as rand or none.")] = None,
    smoothing: Annotated[str | None, typer.Option(help="Estimate in the leaves, such as laplace.")] = None,
    tune: Annotated[bool, typer.Option("--tune", help="Choose the parameters of the smoothing on folds.")] = False,
    tests: Annotated[str | None, typer.Option(help="Kind of tests: binary or multiway.")] = None,
    binning: Annotated[str | None, typer.Option(help="Thresholds of numbers, such as quantile.")] = None,
    min_samples_leaf: Annotated[int | None, typer.Option(help="Fewest rows in a leaf.")] = None,
    max_depth: Annotated[int | None, typer.Option(help="Most tests on a path.")] = None,
    min_gain: Annotated[float | None, typer.Option(help="Least score of a split.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Number of threads.")] = None,
    weight: Annotated[str | None, typer.Option(help="Column that holds the weight of each row.")] = None,
) -> None:
    """Learn a tree from a table and write it to a model file.

    Examples:

    `petree fit loans.csv --target repaid --out model.json`

    `petree fit loans.parquet --target repaid --out model.json --tests multiway --min-samples-leaf 20`

    `petree fit loans.csv --target repaid --out model.json --smoothing hierarchical --tune`
    """
    parameters = {
        "split": split,
        "pruning": pruning,
        "smoothing": smoothing,
        "tests": tests,
        "binning": binning,
        "min_samples_leaf": min_samples_leaf,
        "max_depth": max_depth,
        "min_gain": min_gain,
        "random_state": seed,
        "n_jobs": jobs,
    }
    given = {name: value for name, value in parameters.items() if value is not None}
    _learn(data, target, weight, out, _make_model(preset, tune, given))


def _make_model(preset: str | None, tune: bool, parameters: dict[str, Any]) -> Any:
    from petree import ProbabilityTreeClassifier, presets
    from petree.estimators.grid import to_be_tuned
    from petree.smoothing import resolve_smoothing

    try:
        model = (ProbabilityTreeClassifier if preset is None else presets[preset])()
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    known = model.get_params(deep=False)
    for name in [*parameters, *["smoothing"] * tune]:
        if name not in known:
            raise ValueError(f"The preset {preset} has no {name!r}; leave that option out.")
    model.set_params(**parameters)
    return model.set_params(smoothing=to_be_tuned(resolve_smoothing(model.smoothing))) if tune else model


def _learn(data: Path, target: str, weight: str | None, out: Path, model: Any) -> None:
    from petree import save
    from petree.cli.matching import training_table
    from petree.files import read_table
    from petree.writing import check_output

    check_output(out, data)
    clock = _Clock()
    with status(f"Reading {data}"):
        features, labels, weights = training_table(read_table(data), target, weight)
    clock.lap("reading")
    with status("Learning"):
        model.fit(features, labels, sample_weight=weights)
    clock.lap("learning")
    save(model, out)
    clock.lap("writing")
    _print_summary(model, features, labels)
    typer.echo(f"seconds   {clock}")
    typer.echo(f"written   {out}")


def _print_summary(model: Any, features: dict[str, NDArray[Any]], labels: NDArray[Any]) -> None:
    n_numbers = sum(values.dtype.kind == "f" for values in features.values())
    classes = [f"{label} ({count})" for label, count in Counter(labels.tolist()).most_common(MOST_CLASSES)]
    n_more = len(model.classes_) - len(classes)
    typer.echo(f"rows      {len(labels)}")
    typer.echo(f"columns   {len(features)} ({n_numbers} of numbers, {len(features) - n_numbers} of text)")
    typer.echo(f"classes   {', '.join(classes)}{f' and {n_more} more' if n_more > 0 else ''}")
    tree = model.tree_
    size = f"{tree.n_nodes} nodes with options" if tree.is_dag else f"{tree.n_leaves} leaves"
    typer.echo(f"tree      {size}, depth {tree.depth}")
    if model.tree_.pruning_log is not None:
        reasons = model.tree_.pruning_log.frontier()
        typer.echo(f"pruned    by {reasons.criterion}, cuts: {len(reasons.nodes)} (petree show --why tells of each)")
    if hasattr(model, "tuning_"):
        chosen = ", ".join(f"{name} {value:g}" for name, value in model.tuning_.chosen.items())
        typer.echo(f"chosen    {chosen} ({min(model.tuning_.losses):.3f} bits a held-out row)")


class _Clock:
    """Seconds of each part of the work."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self.since = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.parts[name], self.since = now - self.since, now

    def __str__(self) -> str:
        return ", ".join(f"{name} {seconds:.2f}" for name, seconds in self.parts.items())
