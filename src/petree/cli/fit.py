"""``petree fit``: a table becomes a model file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import LARGEST_SEED, AceFolder, DatabaseUrl, OptionalDataFile
from petree.cli.databases import is_relational, read_database
from petree.cli.messages import say, status
from petree.words import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier
    from petree.estimators.relational import RelationalTreeClassifier

MOST_CLASSES = 10  # in the summary
NAMED_GROUPS = ("pairwise", "no_interactions")
LARGEST = 2**31 - 1  # of what counts rows, tests and threads, of which there are no more than cores


def fit(
    out: Annotated[Path, typer.Option(help="Model file to write (JSON).")],
    data: OptionalDataFile = None,
    target: Annotated[
        str | None, typer.Option(help="Column that holds the class; of related tables like molecule.class.")
    ] = None,
    database: DatabaseUrl = None,
    ace: AceFolder = None,
    preset: Annotated[str | None, typer.Option(help="System of a paper, such as c4.4; options override it.")] = None,
    split: Annotated[str | None, typer.Option(help="Split score, such as gain.")] = None,
    pruning: Annotated[str | None, typer.Option(help="Pruning criterion, such as rand or none.")] = None,
    smoothing: Annotated[str | None, typer.Option(help="Estimate in the leaves, such as laplace.")] = None,
    tune: Annotated[bool, typer.Option("--tune", help="Choose the parameters of the smoothing on folds.")] = False,
    tests: Annotated[str | None, typer.Option(help="Kind of tests: binary, sets or multiway.")] = None,
    binning: Annotated[str | None, typer.Option(help="Thresholds of numbers, such as quantile.")] = None,
    min_samples_leaf: Annotated[
        float | None, typer.Option(min=0, max=LARGEST, help="Fewest rows in a leaf, or a share of all below 1.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(min=1, max=LARGEST, help="Most tests on a path.")] = None,
    max_leaf_nodes: Annotated[
        int | None, typer.Option(min=1, max=LARGEST, help="Most leaves; the best size up to it is chosen.")
    ] = None,
    honest: Annotated[
        bool, typer.Option("--honest", help="Half of the rows choose the tree, the others are counted in its leaves.")
    ] = False,
    min_gain: Annotated[float | None, typer.Option(help="Least score of a split.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=LARGEST_SEED, help="Seed of everything random.")] = None,
    jobs: Annotated[int | None, typer.Option(max=LARGEST, help="Number of threads; -1 takes all cores.")] = None,
    weight: Annotated[str | None, typer.Option(help="Column that holds the weight of each row.")] = None,
    monotonic: Annotated[
        str | None, typer.Option(help="Columns with which the second class must rise or fall: age=1,income=-1.")
    ] = None,
    interactions: Annotated[
        str | None,
        typer.Option(help="Columns tested on one path, 'age,income;sex,home', or pairwise, or no_interactions."),
    ] = None,
) -> None:
    """Learn a tree from a table, or from related tables, and write it to a model file.

    Examples:

    `petree fit loans.csv --target repaid --out model.json`

    `petree fit loans.parquet --target repaid --out model.json --max-leaf-nodes 12 --min-samples-leaf 20`

    `petree fit loans.csv --target repaid --out model.json --smoothing hierarchical --tune`

    `petree fit loans.csv --target repaid --out model.json --monotonic income=1,debt=-1 --interactions pairwise`

    `petree fit --database sqlite:///molecules.db --target molecule.class --out model.json`
    """
    parameters = {
        "split": split,
        "pruning": pruning,
        "smoothing": smoothing,
        "tests": tests,
        "binning": binning,
        "min_samples_leaf": _rows_or_share(min_samples_leaf),
        "max_depth": max_depth,
        "max_leaf_nodes": max_leaf_nodes,
        "honest": honest or None,
        "min_gain": min_gain,
        "random_state": seed,
        "n_jobs": jobs,
        "monotonic_cst": _read_signs(monotonic),
        "interaction_cst": _read_groups(interactions),
    }
    given = {name: value for name, value in parameters.items() if value is not None}
    if is_relational(data, database, ace):
        if weight is not None:
            raise ValueError("--weight is for one table; leave it out with --database and --ace.")
        _learn_related(database, ace, target, out, _make_model(preset, tune, given, is_relational=True))
        return
    if data is None or target is None:
        raise ValueError("Missing option '--target'; name the column that holds the class.")
    _learn(data, target, weight, out, _make_model(preset, tune, given))


def _rows_or_share(number: float | None) -> float | None:
    """A whole number of rows, or a share of them."""
    return int(number) if number is not None and number >= 1 and number == int(number) else number


def _read_signs(text: str | None) -> dict[str, int] | None:
    """Signs by column, from ``age=1,income=-1``."""
    if text is None:
        return None
    signs = {}
    for part in text.split(","):
        name, _, sign = part.strip().rpartition("=")
        if not name or sign.strip() not in ("-1", "0", "1", "+1"):
            raise ValueError(
                f"--monotonic takes columns with 1, 0 or -1, such as age=1,income=-1; {part.strip()!r} is not one."
            )
        signs[name.strip()] = int(sign)
    return signs


def _read_groups(text: str | None) -> str | list[list[str]] | None:
    """Groups of columns, from ``age,income;sex,home``, or the name of all of a kind."""
    if text is None or text in NAMED_GROUPS:
        return text
    return [[name.strip() for name in group.split(",")] for group in text.split(";")]


def _make_model(preset: str | None, tune: bool, parameters: dict[str, Any], is_relational: bool = False) -> Any:
    from petree import ProbabilityTreeClassifier, RelationalTreeClassifier, presets
    from petree.estimators.tuning.grid import to_be_tuned
    from petree.smoothing import resolve_smoothing

    try:
        plain = RelationalTreeClassifier if is_relational else ProbabilityTreeClassifier
        model = (plain if preset is None else presets[preset])()
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if isinstance(model, RelationalTreeClassifier) != is_relational:
        whom = "one table; leave it out with" if is_relational else "several tables; pass them by"
        raise ValueError(f"The preset {preset} is for {whom} --database and --ace.")
    known = model.get_params(deep=False)
    for name in [*parameters, *["smoothing"] * tune]:
        if name not in known:
            whose = "A tree of related tables" if is_relational else f"The preset {preset}"
            raise ValueError(f"{whose} has no {name!r}; leave that option out.")
    model.set_params(**parameters)
    return model.set_params(smoothing=to_be_tuned(resolve_smoothing(model.smoothing))) if tune else model


def _learn_related(
    url: str | None, ace: Path | None, target: str | None, out: Path, model: RelationalTreeClassifier
) -> None:
    from petree import save
    from petree.writing import check_output

    check_output(out)
    clock = _Clock()
    with status(f"Reading {url or ace}"):
        database = read_database(url, ace)
    clock.lap("reading")
    model.set_params(database=database, target=target)
    table, _ = model._target()
    with status("Learning"):
        model.fit(database.keys(table))
    clock.lap("learning")
    save(model, out)
    clock.lap("writing")
    say(f"examples  {int(model.tree_.sizes[0])} of table {table}, {len(database.relations) - 1} other tables")
    _print_tree(model, dict(zip(model.classes_.tolist(), model.tree_.counts[0].tolist(), strict=True)))
    say(f"seconds   {clock}")
    say(f"written   {out}")


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
    say(f"seconds   {clock}")
    say(f"written   {out}")


def _print_summary(model: TreeClassifier, features: dict[str, NDArray[Any]], labels: NDArray[Any]) -> None:
    n_numbers = sum(values.dtype.kind == "f" for values in features.values())
    say(f"rows      {len(labels)}")
    say(f"columns   {len(features)} ({n_numbers} of numbers, {len(features) - n_numbers} of text)")
    _print_tree(model, Counter(labels.tolist()))


def _print_tree(model: TreeClassifier, counts: Mapping[Any, float]) -> None:
    """The classes, and what the tree is like."""
    from petree.pruning.engine.log import CLOSED

    classes = [
        f"{label} ({count:.0f})" for label, count in sorted(counts.items(), key=lambda one: -one[1])[:MOST_CLASSES]
    ]
    n_more = len(model.classes_) - len(classes)
    say(f"classes   {', '.join(classes)}{f' and {n_more} more' if n_more > 0 else ''}")
    tree = model.tree_
    size = f"{tree.n_nodes} nodes with options" if tree.is_dag else counted(tree.n_leaves, "leaf", "leaves")
    say(f"tree      {size}, depth {tree.depth}")
    if model.tree_.pruning_log is not None:
        reasons = model.tree_.pruning_log.frontier()
        n_closed = reasons.outcomes.count(CLOSED)
        done = f"cuts: {len(reasons.nodes) - n_closed}" + (f", closed while growing: {n_closed}" if n_closed else "")
        say(f"pruned    by {reasons.criterion}, {done} (petree show --why tells of each)")
    tuning = vars(model).get("tuning_")
    if tuning is not None:
        chosen = ", ".join(f"{name} {value:g}" for name, value in tuning.chosen.items())
        say(f"chosen    {chosen} ({min(tuning.losses):.3f} bits a held-out row)")


class _Clock:
    """Seconds of each part of the work."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self.since = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.parts[name] = now - self.since
        self.since = now

    def __str__(self) -> str:
        return ", ".join(f"{name} {seconds:.2f}" for name, seconds in self.parts.items())
