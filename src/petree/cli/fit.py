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
    PANEL,
    OptionalDataFile,
    TableOptions,
    options_of,
    words_of,
)
from petree.cli.databases import PANEL as RELATED
from petree.cli.databases import RelatedOptions
from petree.cli.messages import in_options, say, tell
from petree.cli.streaming.working import WorkingOptions
from petree.cli.trees import LARGEST, TreeOptions, make_model, on_command_line
from petree.progress import shown
from petree.words import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.base import BaseEstimator

    from petree.estimators.base import TreeClassifier
    from petree.estimators.relational.learner import ExampleLearner
    from petree.files import FileTable

MOST_CLASSES = 10


@dataclass(frozen=True, kw_only=True)
class Places:
    """What is learned from, and where the model goes."""

    data: OptionalDataFile = None
    out: Annotated[Path, typer.Option(help="Model file to write (JSON).")]
    target: Annotated[
        str | None, typer.Option(help="Column that holds the class; of related tables like molecule.class.")
    ] = None
    weight: Annotated[str | None, typer.Option(help="Column that holds the weight of each row.")] = None


@dataclass(frozen=True, kw_only=True)
class AskingOptions(RelatedOptions):
    """Related tables, and what tests may ask of them."""

    aggregates: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=RELATED,
            help="Functions over the rows behind a link, such as count,mean: count, min, max, sum, mean, mode, "
            "proportion; complex for those over the rows that fit a condition, two_links for those behind two links; "
            "none with ''.",
        ),
    ] = None
    windows: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=RELATED,
            help="With --time: these functions also over the last so many days, such as 30,90.",
        ),
    ] = None
    max_links: Annotated[
        int | None,
        typer.Option(
            rich_help_panel=RELATED, min=0, max=LARGEST, help="Most rows beside its own that a query may speak of."
        ),
    ] = None

    def asking(self) -> dict[str, Any]:
        """The parameters of the estimator that are said."""
        functions = [word for word in words_of(self.aggregates) or () if word]
        parameters = {
            "aggregates": None if self.aggregates is None else functions,
            "windows": None if self.windows is None else list(map(_days, words_of(self.windows) or ())),
            "max_links": self.max_links,
        }
        return {name: value for name, value in parameters.items() if value is not None}


def _days(word: str) -> float:
    """The length of a window."""
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"--windows takes numbers of days, such as 30,90; {word!r} is none.") from None


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions, AskingOptions, TreeOptions, WorkingOptions, Places):
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

    `petree fit loans/ --target repaid --out model.json --memory 2GB`

    `petree fit loans.parquet --target repaid --out model.json --max-leaf-nodes 12 --min-samples-leaf 20`

    `petree fit loans.csv --target repaid --out model.json --smoothing hierarchical --tune`

    `petree fit loans.csv --target repaid --out model.json --monotonic income=1,debt=-1 --interactions pairwise`

    `petree fit --database sqlite:///molecules.db --target molecule.class --out model.json`

    `petree fit --database sqlite:///molecules.db --target molecule.class --out model.json --option-tree`

    `petree fit --database duckdb:///x.db --target customer.left --links 'order.customer -> customer.id' --out m.json`
    """
    if options.is_related(options.data):
        options.refuse_related(("weight", "columns", "ignore"))
        options.refuse_working()
        _learn_related(options, make_model(options, is_relational=True))
        return
    for name in options.asking():
        raise ValueError(f"--{name.replace('_', '-')} is for related tables; leave it out with one table.")
    if options.data is None or options.target is None:
        raise ValueError("Missing option '--target'; name the column that holds the class.")
    if options.data.is_dir():
        from petree.cli.streaming.fitting import learn_folder

        learn_folder(options.data, options.target, options, make_model(options))
        return
    options.refuse_working(options.data)
    _learn(options.data, options.target, options, make_model(options))


def _learn_related(options: Options, model: ExampleLearner) -> None:
    from petree.cli.matching import class_weight_of
    from petree.estimators.relational.target import read_labels
    from petree.writing import check_output

    check_output(options.out)
    clock = Clock()
    with shown(f"Reading {options.source}"):
        database = options.read()
    clock.lap("reading")
    target = options.target
    model.set_params(database=database, target=target, **options.asking())
    table, _ = model._target()
    keys = database.keys(table)
    if options.class_weight is not None:
        labels = read_labels(database, target, keys)
        model.set_params(class_weight=class_weight_of(options.class_weight, labels.tolist()))
    with shown("Learning"):
        model.fit(keys)
    write_model(model, options.out, clock)
    n_others = len(database.relations) - 1
    say(f"examples  {int(model.tree_.sizes[0])} of table {table}, {counted(n_others, 'other table')}")
    print_tree(model, dict(zip(model.classes_.tolist(), model.tree_.counts[0].tolist(), strict=True)))
    say(f"seconds   {clock}")
    say(f"written   {options.out}")


def _learn(data: Path, target: str, options: Options, model: Any) -> None:
    from petree.cli.matching import class_weight_of, training_table, with_names
    from petree.files import read_table
    from petree.writing import check_output

    check_output(options.out, data)
    clock = Clock()
    with shown(f"Reading {data}"):
        table = read_table(data, options.reading({target: "label"}))
    if target not in table.names:
        tell(table)  # what was guessed of the first line may say why there is no such column
    with shown(f"Reading {data}"):
        table = _chosen(table, target, options)
        features, labels, weights = training_table(table, target, options.weight)
    if options.class_weight is not None:
        model.set_params(class_weight=class_weight_of(options.class_weight, labels.tolist()))
    told = {name: kind for name, kind in options.told_types().items() if kind in ("nominal", "number")}
    if not told.keys().isdisjoint(features):
        features, nominal = with_names(features, told)
        model.set_params(categorical_features=nominal)
    clock.lap("reading")
    with shown("Learning"):
        model.fit(features, labels, sample_weight=weights)
    write_model(model, options.out, clock)
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
    from petree.cli.matching import KINDS, is_missing, kind_of
    from petree.columns import NOMINAL

    named = {column.name for column in model.columns_ if column.kind == NOMINAL and not column.categories}
    used = [values for name, values in features.items() if name not in named and not is_missing(values).all()]
    kinds = Counter(map(kind_of, used))
    n_left_out = len(features) - len(used)
    listed = ", ".join(f"{kinds[kind]} of {kind}" for kind in KINDS if kinds[kind])
    say(f"rows      {len(labels)}")
    kinds_told = f" ({listed})" if used else ""
    say(f"columns   {len(used)}{kinds_told}" + (f", {n_left_out} left out" if n_left_out else ""))
    print_tree(model, Counter(labels.tolist()))


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
        say(f"why       {in_options(reason)}")
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


def write_model(model: TreeClassifier, out: Path, clock: Clock) -> None:
    """Write a model that has just been learned; the clock tells learning and writing apart."""
    from petree import save

    clock.lap("learning")
    save(model, out)
    clock.lap("writing")


class Clock:
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
