"""What kind of tree a command learns: its options, and the estimator that they make."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import LARGEST_SEED
from petree.cli.messages import note

if TYPE_CHECKING:
    from petree.reading.view import View

LARGEST = 2**31 - 1  # of what counts rows, tests and threads, of which there are no more than cores
# in the summary
NAMED_GROUPS = ("pairwise", "no_interactions")


@dataclass(frozen=True, kw_only=True)
class TreeOptions:
    """What kind of tree is learned; what is not said is as the estimator has it."""

    preset: Annotated[
        str | None, typer.Option(help="A learner of a paper by name, such as c4.4; options override it.")
    ] = None
    option_tree: Annotated[
        bool, typer.Option("--option-tree", help="Average very many trees instead of choosing one.")
    ] = False
    split: Annotated[
        str | None, typer.Option(help="How tests are chosen: gain (unless said), gini, gain_ratio or others.")
    ] = None
    pruning: Annotated[
        str | None, typer.Option(help="How the tree is cut back: best_size (unless said), rand, mdl, none or others.")
    ] = None
    smoothing: Annotated[
        str | None, typer.Option(help="How counts become probabilities: laplace, hierarchical, none or others.")
    ] = None
    tune: Annotated[
        bool, typer.Option("--tune", help="Choose the parameters of the smoothing by cross-validation.")
    ] = False
    tests: Annotated[
        str | None, typer.Option(help="Tests of text: binary (x = a), sets (x in {a, b}) or multiway (each value).")
    ] = None
    binning: Annotated[
        str | None, typer.Option(help="Where numbers may be cut: quantile (unless said), exact or entropy.")
    ] = None
    min_samples_leaf: Annotated[
        float | None, typer.Option(min=0, max=LARGEST, help="Fewest rows in a leaf, or a share of all below 1.")
    ] = None
    max_depth: Annotated[int | None, typer.Option(min=1, max=LARGEST, help="Most tests one below the other.")] = None
    max_leaf_nodes: Annotated[
        int | None, typer.Option(min=1, max=LARGEST, help="Most leaves; the best size up to it is chosen.")
    ] = None
    saving: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=0.5,
            help="Share of the log loss that doubling the number of leaves must save (0.015 unless said), or three "
            "times this share of what the tree saves; with 0 leaves cost nothing.",
        ),
    ] = None
    honest: Annotated[
        bool, typer.Option("--honest", help="Half of the rows choose the tree, the others are counted in its leaves.")
    ] = False
    min_gain: Annotated[float | None, typer.Option(help="Least gain of a test.")] = None
    first_test: Annotated[
        str | None, typer.Option(help="Test of the root, by hand: a column, or such as 'age < 40'.")
    ] = None
    treat_missing: Annotated[
        str | None, typer.Option(help="Where missing values go: branch, fractions, majority or surrogates.")
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
    sample_ratio: Annotated[
        float | None,
        typer.Option(
            min=1,
            help="Choose tests on samples of rows: the best so many times more probable, such as 1000.",
        ),
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
            "missing": self.treat_missing,
            "random_state": self.seed,
            "n_jobs": self.jobs,
            "monotonic_cst": _read_signs(self.monotonic),
            "interaction_cst": _read_groups(self.interactions),
            "sample_ratio": self.sample_ratio,
        }
        return {name: value for name, value in parameters.items() if value is not None}


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


def make_model(options: TreeOptions, is_relational: bool = False) -> Any:
    """The estimator that is asked for, not fitted yet."""
    from petree import presets
    from petree.estimators.relational.examples import ExampleReader

    preset = options.preset
    parameters = options.parameters()
    if preset is not None and options.option_tree:
        raise ValueError("--preset names a system, which --option-tree cannot change; leave one of them out.")
    try:
        model = (_plain(options.option_tree, is_relational) if preset is None else presets[preset])()
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if isinstance(model, ExampleReader) != is_relational:
        whom = "one table; leave it out with" if is_relational else "several tables; pass them by"
        raise ValueError(f"The preset {preset} is for {whom} --database and --ace.")
    known = model.get_params(deep=False)
    for name in parameters:
        if name not in known:
            kind = "An option tree" if options.option_tree else f"The preset {preset}"
            whose = "A tree of related tables" if is_relational and not options.option_tree else kind
            raise ValueError(f"{whose} has no {name!r}; leave that option out.")
    model.set_params(**parameters)
    if options.saving is not None:
        _set_saving(model, options.saving)
    return _tuned(model) if options.tune else model


def _set_saving(model: Any, saving: float) -> None:
    """What leaves must save in the model, whose pruning must choose the size of its tree."""
    from petree.pruning import BestSize, resolve_pruning

    pruning = model.get_params(deep=False).get("pruning")
    if pruning is None or not isinstance(resolve_pruning(pruning), BestSize):
        whose = type(model).__name__ if pruning is None else f"pruning by {pruning}"
        raise ValueError(
            f"--saving is for trees whose size is chosen, by --pruning best_size, the default; {whose} chooses none. "
            "Leave --saving out."
        )
    model.set_params(pruning__saving=saving)


def _plain(is_averaged: bool, is_relational: bool) -> Any:
    """The class of the estimator where no preset is named."""
    import petree

    if is_averaged:
        return petree.RelationalOptionTreeClassifier if is_relational else petree.OptionTreeClassifier
    return petree.RelationalTreeClassifier if is_relational else petree.ProbabilityTreeClassifier


def on_command_line(shown: View) -> View:
    """Return a view whose call for a smaller tree is one of the command line; related tables have none."""
    return replace(shown, resizing="" if shown.is_related else "petree fit ... --max-leaf-nodes {}")


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
