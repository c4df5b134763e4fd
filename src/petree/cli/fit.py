"""``petree fit`` and ``petree fit-database``: tables become a model file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import DataFile, TableOptions, numbers_of, options_of, refuse, words_of
from petree.cli.databases import SchemaOptions
from petree.cli.messages import say, tell
from petree.cli.trees import LARGEST, TreeOptions, make_model, on_command_line
from petree.cli.workers import WorkingOptions
from petree.progress import shown
from petree.words import counted

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from petree.estimators.base import TreeClassifier
    from petree.partitions import CodedData

MOST_CLASSES = 10
OutFile = Annotated[Path, typer.Option(help="Model file to write (JSON).")]


@dataclass(frozen=True)
class Cases:
    """What a model is fitted to: the arguments of `fit`, class labels, and how the fit is summed up."""

    arguments: Sequence[Any]
    labels: list[Any]
    summary: Callable[[Any], None]


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The table, its columns, and the model file."""

    data: DataFile
    target: Annotated[str, typer.Option(help="Column of the classes.")]
    out: OutFile
    sample_weight: Annotated[str | None, typer.Option(help="Column of row weights (none).")] = None
    ignore: Annotated[str | None, typer.Option(help="Columns to ignore, such as name,phone (none).")] = None


@dataclass(frozen=True, kw_only=True)
class FlatTreeOptions(TreeOptions):
    """Parameters of trees of one table only."""

    tests: Annotated[
        str | None, typer.Option(help="Tests of categories: binary, sets such as x in {a, b}, or multiway (binary).")
    ] = None
    max_leaf_nodes: Annotated[int | None, typer.Option(min=1, max=LARGEST, help="Maximum leaves (no limit).")] = None
    missing: Annotated[
        str | None, typer.Option(help="Route of missing values: branch, fractions, majority or surrogates (branch).")
    ] = None


@dataclass(frozen=True, kw_only=True)
class Options(WorkingOptions, FlatTreeOptions, TableOptions, Columns):
    """The options of `petree fit`."""


@options_of(Options)
def fit(options: Options) -> None:
    """Fit a tree to a table, and write it to a model file.

    Separator, encoding, decimal comma, dates and missing values of a CSV file are detected and reported. A folder of
    CSV or Parquet files may be larger than memory.

    Examples:

    `petree fit loans.csv --target repaid --out model.json`

    `petree fit loans.csv --target repaid --out model.json --ignore name,phone --types zip=nominal`

    `petree fit loans.parquet --target repaid --out model.json --max-leaf-nodes 12 --min-samples-leaf 20`

    `petree fit loans/ --target repaid --out model.json --memory 2GB`
    """
    model = make_model(options, is_relational=False)
    if options.data.is_dir():
        with options.working():
            _learn(options, model, options.data, lambda: _read_folder(options, model))
        return
    if options.data.exists():
        refuse(options, ("memory", "dask"), "is for a folder of files; leave it out, or name a folder.")
    _learn(options, model, options.data, lambda: _read_table(options, model))


@dataclass(frozen=True, kw_only=True)
class Examples:
    """The database, its examples, and the model file."""

    url: Annotated[str, typer.Argument(help="Address of the database, such as sqlite:///molecules.db.")]
    target: Annotated[str, typer.Option(help="Column of the classes, such as molecule.class.")]
    out: OutFile


@dataclass(frozen=True, kw_only=True)
class DatabaseFitOptions(TreeOptions, SchemaOptions, Examples):
    """The options of `petree fit-database`."""

    aggregates: Annotated[
        str | None,
        typer.Option(
            help="Functions of linked rows, such as count,mean (count): count, min, max, sum, mean, mode, proportion; "
            "complex for those over rows that satisfy a condition, two_links for rows behind two links; '' for none."
        ),
    ] = None
    windows: Annotated[
        str | None, typer.Option(help="Numbers of days before an example, such as 30,90, for aggregates (none).")
    ] = None
    max_links: Annotated[
        int | None, typer.Option(min=0, max=LARGEST, help="Maximum number of linked rows per query (3).")
    ] = None


@options_of(DatabaseFitOptions)
def fit_database(options: DatabaseFitOptions) -> None:
    """Fit a tree to the related tables of a database, and write it to a model file.

    Examples:

    `petree fit-database sqlite:///molecules.db --target molecule.class --out model.json`

    `petree fit-database sqlite:///molecules.db --target molecule.class --out model.json --option-tree`

    `petree fit-database duckdb:///x.db --target customer.left --links 'order.customer -> customer.id' --out m.json`
    """
    model = make_model(options, is_relational=True)
    _learn(options, model, options.url, lambda: _read_database(options, model))


def _learn(options: Options | DatabaseFitOptions, model: Any, source: Path | str, read: Callable[[], Cases]) -> None:
    from petree import save
    from petree.cli.matching import by_labels
    from petree.writing import check_output

    check_output(options.out, *([source] if isinstance(source, Path) else []))
    times = [time.perf_counter()]
    with shown(f"Reading {source}"):
        cases = read()
    times.append(time.perf_counter())
    if options.class_weight == "balanced":
        model.set_params(class_weight="balanced")
    elif options.class_weight is not None:
        weights = numbers_of("--class-weight", options.class_weight, "yes=5,no=1")
        model.set_params(class_weight=by_labels(weights, cases.labels))
    with shown("Learning"):
        model.fit(*cases.arguments)
    times.append(time.perf_counter())
    save(model, options.out)
    times.append(time.perf_counter())
    cases.summary(model)
    spent = zip(("reading", "learning", "writing"), pairwise(times), strict=True)
    say(f"seconds   {', '.join(f'{part} {end - start:.2f}' for part, (start, end) in spent)}")
    say(f"written   {options.out}")


# -- what is read --------------------------------------------------------------------------------------------


def _read_table(options: Options, model: Any) -> Cases:
    from petree.cli.matching import training_table, with_names
    from petree.files import read_table

    target, types = options.target, options.column_types()
    table = read_table(options.data, options.reading({target: "label"}))
    if target not in table.names:
        tell(table)  # the detected header may explain why there is no such column
    for name in (target, *types):
        table.check(name)
    table = table.chosen(None, words_of(options.ignore) or ())
    features, labels, weights = training_table(table, target, options.sample_weight)
    given = {name: kind for name, kind in types.items() if kind in ("nominal", "number")}
    if not given.keys().isdisjoint(features):
        features, nominal = with_names(features, given)
        model.set_params(categorical_features=nominal)

    def summary(model: Any) -> None:
        tell(table)
        say(f"rows      {len(labels)}")
        say(f"columns   {_kinds_of(model, features)}")
        print_tree(model, Counter(labels.tolist()))

    return Cases((features, labels, weights), labels.tolist(), summary)


def _kinds_of(model: TreeClassifier, features: Mapping[str, Any]) -> str:
    """How many columns of each kind the model uses, such as ``3 (1 of numbers, 2 of text), 1 left out``."""
    from petree.cli.matching import KINDS, is_missing, kind_of
    from petree.columns import NOMINAL

    named = {column.name for column in model.columns_ if column.kind == NOMINAL and not column.categories}
    used = [values for name, values in features.items() if name not in named and not is_missing(values).all()]
    kinds = Counter(map(kind_of, used))
    listed = ", ".join(f"{kinds[kind]} of {kind}" for kind in KINDS if kinds[kind])
    return _less(f"{len(used)} ({listed})" if used else "0", len(features) - len(used))


def _less(used: str, n_left_out: int) -> str:
    return f"{used}, {n_left_out} left out" if n_left_out else used


def _read_folder(options: Options, model: Any) -> Cases:
    from petree.estimators.partitioned.reading import ReadsParts
    from petree.partitions import Coding, as_coded, is_code_folder
    from petree.partitions.engines.choosing import chosen

    refuse(options, ("missing_values", "encoding"), "is for a single file; leave it out with a folder.")
    if is_code_folder(options.data):
        late = f"is too late for {options.data}, which holds codes; give it to petree.code_files."
        refuse(options, ("sample_weight", "ignore", "types"), late)
    if not isinstance(model, ReadsParts):
        raise ValueError(f"{type(model).__name__} learns from a single file; name one.")
    ignored = words_of(options.ignore) or ()
    coding = Coding(
        options.sample_weight, ignored, options.column_types(), model.binning, chosen().memory, model.n_jobs
    )
    codes: CodedData = as_coded(options.data, options.target, coding)

    def summary(model: Any) -> None:
        n_left_out = sum(column.is_empty for column in codes.columns)
        say(f"rows      {codes.n_rows} in {counted(len(codes.parts), 'part')}")
        say(f"columns   {_less(str(len(codes.columns) - n_left_out), n_left_out)}")
        print_tree(model, dict(zip(codes.classes.tolist(), codes.class_totals.tolist(), strict=True)))

    return Cases((codes,), codes.classes.tolist(), summary)


def _read_database(options: DatabaseFitOptions, model: Any) -> Cases:
    from petree.estimators.relational.target import read_labels, read_target

    database = options.open(options.url)
    aggregates, windows = words_of(options.aggregates), words_of(options.windows)
    if aggregates is not None:
        model.set_params(aggregates=[word for word in aggregates if word])
    if windows is not None:
        model.set_params(windows=list(map(_days, windows)))
    model.set_params(database=database, target=options.target)
    table, _ = read_target(options.target, database)
    keys = database.keys(table)
    labels = [] if options.class_weight is None else read_labels(database, options.target, keys).tolist()

    def summary(model: Any) -> None:
        n_others = len(database.relations) - 1
        say(f"examples  {int(model.tree_.sizes[0])} of table {table}, {counted(n_others, 'other table')}")
        print_tree(model, dict(zip(model.classes_.tolist(), model.tree_.counts[0].tolist(), strict=True)))

    return Cases((keys,), labels, summary)


def _days(word: str) -> float:
    """The length of a window."""
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"--windows takes numbers of days, such as 30,90; got {word!r}.") from None


# -- what is printed -----------------------------------------------------------------------------------------


def print_tree(model: TreeClassifier, counts: Mapping[Any, float]) -> None:
    """The classes, and what the tree is like."""
    from petree.pruning.engine.log import CLOSED, HAND
    from petree.reading.large import describe_size
    from petree.reading.why import UNDIVIDED

    classes = [
        f"{label} ({count:.0f})" for label, count in sorted(counts.items(), key=lambda one: -one[1])[:MOST_CLASSES]
    ]
    n_more = len(model.classes_) - len(classes)
    say(f"classes   {', '.join(classes)}{f' and {n_more} more' if n_more > 0 else ''}")
    tree = model.tree_
    size = f"{tree.n_nodes} nodes with options" if tree.is_dag else counted(tree.n_leaves, "leaf", "leaves")
    say(f"tree      {size}, depth {tree.depth}")
    if not tree.is_dag:
        for line in describe_size(on_command_line(model._view()))[1:]:
            say(f"          {line}")
    if tree.n_nodes == 1:
        reason = UNDIVIDED if tree.pruning_log is None else model.why()[0]
        say(f"why       {reason}")
    if model.tree_.pruning_log is not None:
        reasons = model.tree_.pruning_log.frontier()
        n_closed = reasons.outcomes.count(CLOSED)
        done = f"cuts: {len(reasons.nodes) - n_closed}" + (f", closed while growing: {n_closed}" if n_closed else "")
        by = reasons.criterion if reasons.criterion == HAND else f"by {reasons.criterion}"
        say(f"pruned    {by}, {done} (petree show --why tells of each)")
    tuning = vars(model).get("tuning_")
    if tuning is not None:
        chosen = ", ".join(_in_words(vars(model)["smoothing_"], name, value) for name, value in tuning.chosen.items())
        say(f"smoothing {chosen}, chosen on held-out rows ({min(tuning.losses):.3f} bits a row)")


def _in_words(smoothing: BaseEstimator, name: str, value: float) -> str:
    """A chosen parameter of a smoothing, or of a part of it, such as "shrinkage 200 of hierarchical"."""
    from petree.smoothing import MEMBERS

    place, _, parameter = name.rpartition("__")
    part = smoothing.get_params()[place] if place else smoothing
    names = {member: alias for alias, member in MEMBERS.items()}
    return f"{parameter} {value:g} of {names.get(type(part), type(part).__name__)}"
