"""``petree fit``: a table becomes a model file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import (
    LARGEST_SEED,
    PANEL,
    AceFolder,
    DatabaseUrl,
    OptionalDataFile,
    TableOptions,
    options_of,
    words_of,
)
from petree.cli.databases import is_relational, read_database
from petree.cli.messages import note, say, status, tell
from petree.words import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier
    from petree.estimators.relational import RelationalTreeClassifier
    from petree.files import FileTable

MOST_CLASSES = 10  # in the summary
NAMED_GROUPS = ("pairwise", "no_interactions")
LARGEST = 2**31 - 1  # of what counts rows, tests and threads, of which there are no more than cores


@dataclass(frozen=True, kw_only=True)
class Places:
    """What is learned from, and where the model goes."""

    data: OptionalDataFile = None
    out: Annotated[Path, typer.Option(help="Model file to write (JSON).")]
    target: Annotated[
        str | None, typer.Option(help="Column that holds the class; of related tables like molecule.class.")
    ] = None
    weight: Annotated[str | None, typer.Option(help="Column that holds the weight of each row.")] = None
    database: DatabaseUrl = None
    ace: AceFolder = None


@dataclass(frozen=True, kw_only=True)
class TreeOptions:
    """What kind of tree is learned; what is not said is as the estimator has it."""

    preset: Annotated[str | None, typer.Option(help="System of a paper, such as c4.4; options override it.")] = None
    split: Annotated[str | None, typer.Option(help="Split score, such as gain.")] = None
    pruning: Annotated[str | None, typer.Option(help="Pruning criterion, such as rand or none.")] = None
    smoothing: Annotated[str | None, typer.Option(help="Estimate in the leaves, such as laplace.")] = None
    tune: Annotated[bool, typer.Option("--tune", help="Choose the parameters of the smoothing on folds.")] = False
    tests: Annotated[str | None, typer.Option(help="Kind of tests: binary, sets or multiway.")] = None
    binning: Annotated[str | None, typer.Option(help="Thresholds of numbers, such as quantile.")] = None
    min_samples_leaf: Annotated[
        float | None, typer.Option(min=0, max=LARGEST, help="Fewest rows in a leaf, or a share of all below 1.")
    ] = None
    max_depth: Annotated[int | None, typer.Option(min=1, max=LARGEST, help="Most tests on a path.")] = None
    max_leaf_nodes: Annotated[
        int | None, typer.Option(min=1, max=LARGEST, help="Most leaves; the best size up to it is chosen.")
    ] = None
    honest: Annotated[
        bool, typer.Option("--honest", help="Half of the rows choose the tree, the others are counted in its leaves.")
    ] = False
    min_gain: Annotated[float | None, typer.Option(help="Least score of a split.")] = None
    first_test: Annotated[
        str | None, typer.Option(help="Test of the root, by hand: a column, or such as 'age < 40'.")
    ] = None
    class_weight: Annotated[str | None, typer.Option(help="Weights of the classes: balanced, or like yes=5,no=1.")] = (
        None
    )
    monotonic: Annotated[
        str | None, typer.Option(help="Columns with which the second class must rise or fall: age=1,income=-1.")
    ] = None
    interactions: Annotated[
        str | None,
        typer.Option(help="Columns tested on one path, 'age,income;sex,home', or pairwise, or no_interactions."),
    ] = None
    seed: Annotated[int | None, typer.Option(min=0, max=LARGEST_SEED, help="Seed of everything random.")] = None
    jobs: Annotated[int | None, typer.Option(max=LARGEST, help="Number of threads; -1 takes all cores.")] = None

    def parameters(self) -> dict[str, Any]:
        """The parameters of the estimator that are said."""
        parameters = {
            "split": self.split,
            "pruning": self.pruning,
            "smoothing": self.smoothing,
            "tests": self.tests,
            "binning": self.binning,
            "min_samples_leaf": _rows_or_share(self.min_samples_leaf),
            "max_depth": self.max_depth,
            "max_leaf_nodes": self.max_leaf_nodes,
            "honest": self.honest or None,
            "min_gain": self.min_gain,
            "first_test": self.first_test,
            "random_state": self.seed,
            "n_jobs": self.jobs,
            "monotonic_cst": _read_signs(self.monotonic),
            "interaction_cst": _read_groups(self.interactions),
        }
        return {name: value for name, value in parameters.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions, TreeOptions, Places):
    """What `petree fit` is asked for."""

    columns: Annotated[
        str | None, typer.Option(rich_help_panel=PANEL, help="Columns to learn from; commas between them.")
    ] = None
    ignore: Annotated[
        str | None, typer.Option(rich_help_panel=PANEL, help="Columns to leave out; commas between them.")
    ] = None


@options_of(Options)
def fit(options: Options) -> None:
    """Learn a tree from a table, or from related tables, and write it to a model file.

    Of a CSV file separator, encoding, decimal commas, dates and words for what is missing are guessed, and told.

    Examples:

    `petree fit loans.csv --target repaid --out model.json`

    `petree fit loans.csv --target repaid --out model.json --ignore name,phone --types zip=nominal`

    `petree fit loans.parquet --target repaid --out model.json --max-leaf-nodes 12 --min-samples-leaf 20`

    `petree fit loans.csv --target repaid --out model.json --smoothing hierarchical --tune`

    `petree fit loans.csv --target repaid --out model.json --monotonic income=1,debt=-1 --interactions pairwise`

    `petree fit --database sqlite:///molecules.db --target molecule.class --out model.json`
    """
    if is_relational(options.data, options.database, options.ace):
        options.refuse_related(("weight", "columns", "ignore"))
        _learn_related(options, _make_model(options, is_relational=True))
        return
    if options.data is None or options.target is None:
        raise ValueError("Missing option '--target'; name the column that holds the class.")
    _learn(options.data, options.target, options, _make_model(options))


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


def _make_model(options: TreeOptions, is_relational: bool = False) -> Any:
    from petree import ProbabilityTreeClassifier, RelationalTreeClassifier, presets

    preset = options.preset
    parameters = options.parameters()
    try:
        plain = RelationalTreeClassifier if is_relational else ProbabilityTreeClassifier
        model = (plain if preset is None else presets[preset])()
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if isinstance(model, RelationalTreeClassifier) != is_relational:
        whom = "one table; leave it out with" if is_relational else "several tables; pass them by"
        raise ValueError(f"The preset {preset} is for {whom} --database and --ace.")
    known = model.get_params(deep=False)
    for name in parameters:
        if name not in known:
            whose = "A tree of related tables" if is_relational else f"The preset {preset}"
            raise ValueError(f"{whose} has no {name!r}; leave that option out.")
    model.set_params(**parameters)
    return _tuned(model) if options.tune else model


def _tuned(model: Any) -> Any:
    """The model, to choose the parameters of its smoothing; a note where there are none."""
    from petree.estimators.tuning.grid import candidates_of, to_be_tuned
    from petree.smoothing import resolve_smoothing

    parameters = model.get_params(deep=False)
    if "smoothing" not in parameters:
        note(f"--tune changes nothing: a {type(model).__name__} has no smoothing with parameters to choose.")
        return model
    smoothing = resolve_smoothing(parameters["smoothing"])
    if not candidates_of(smoothing):
        note(f"--tune changes nothing: the smoothing {smoothing!r} has no parameter that can be chosen on the data.")
        return model
    return model.set_params(smoothing=to_be_tuned(smoothing))


def _learn_related(options: Options, model: RelationalTreeClassifier) -> None:
    from petree import save
    from petree.cli.matching import class_weight_of
    from petree.estimators.relational.target import read_labels
    from petree.writing import check_output

    check_output(options.out)
    clock = _Clock()
    with status(f"Reading {options.database or options.ace}"):
        database = read_database(options.database, options.ace)
    clock.lap("reading")
    model.set_params(database=database, target=options.target)
    table, _ = model._target()
    keys = database.keys(table)
    if options.class_weight is not None:
        labels = read_labels(database, options.target, keys)
        model.set_params(class_weight=class_weight_of(options.class_weight, labels.tolist()))
    with status("Learning"):
        model.fit(keys)
    clock.lap("learning")
    save(model, options.out)
    clock.lap("writing")
    say(f"examples  {int(model.tree_.sizes[0])} of table {table}, {len(database.relations) - 1} other tables")
    _print_tree(model, dict(zip(model.classes_.tolist(), model.tree_.counts[0].tolist(), strict=True)))
    say(f"seconds   {clock}")
    say(f"written   {options.out}")


def _learn(data: Path, target: str, options: Options, model: Any) -> None:
    from petree import save
    from petree.cli.matching import class_weight_of, training_table, with_names
    from petree.files import read_table
    from petree.writing import check_output

    check_output(options.out, data)
    clock = _Clock()
    with status(f"Reading {data}"):
        table = read_table(data, options.reading({target: "label"}))
        table = _chosen(table, target, options)
        features, labels, weights = training_table(table, target, options.weight)
    if options.class_weight is not None:
        model.set_params(class_weight=class_weight_of(options.class_weight, labels.tolist()))
    wanted = [name for name, kind in options.told_types().items() if kind == "nominal" and name in features]
    if wanted:
        features, nominal = with_names(features, wanted)
        model.set_params(categorical_features=nominal)
    clock.lap("reading")
    with status("Learning"):
        model.fit(features, labels, sample_weight=weights)
    clock.lap("learning")
    save(model, options.out)
    clock.lap("writing")
    tell(table)
    _print_summary(model, features, labels)
    say(f"seconds   {clock}")
    say(f"written   {options.out}")


def _chosen(table: FileTable, target: str, options: Options) -> FileTable:
    """The table of the columns that are asked for, and of those that hold class and weight."""
    for name in options.told_types():
        table.check(name)
    columns = words_of(options.columns)
    needed = [target, *([] if options.weight is None else [options.weight])]
    return table.chosen(None if columns is None else [*columns, *needed], words_of(options.ignore) or ())


def _print_summary(model: TreeClassifier, features: dict[str, NDArray[Any]], labels: NDArray[Any]) -> None:
    from petree.cli.matching import KINDS, kind_of

    kinds = Counter(kind_of(values) for values in features.values())
    say(f"rows      {len(labels)}")
    say(f"columns   {len(features)} ({', '.join(f'{kinds[kind]} of {kind}' for kind in KINDS if kinds[kind])})")
    _print_tree(model, Counter(labels.tolist()))


def _print_tree(model: TreeClassifier, counts: Mapping[Any, float]) -> None:
    """The classes, and what the tree is like."""
    from petree.pruning.engine.log import CLOSED, HAND

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
        by = reasons.criterion if reasons.criterion == HAND else f"by {reasons.criterion}"
        say(f"pruned    {by}, {done} (petree show --why tells of each)")
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
