"""The figures and claims of Oates and Jensen in tables and pictures. In brackets stands what the paper prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lab.experiments.report.figures import panels
from lab.experiments.report.pages import Block, Picture
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.oates.growth import growth
from lab.papers.oates.measures import TESTS, inner_nodes, less_accurate, mean_accuracy, mean_nodes, smaller
from lab.papers.oates.pruning_model import paper_averages
from lab.papers.oates.pruning_plots import draw_after, draw_before, draw_errors
from lab.papers.printed import stated

NO_NUMBERS = "The paper shows curves and prints no numbers."
WHEN = {"before": "before anything beneath, {} cases", "after": "after {} descendants of 5 cases each"}


# -- Figure 1 ---------------------------------------------------------------------------------------------


def growth_table(summary: Summary, numbers: Sequence[int]) -> Table:
    """Figure 1: nodes by number of cases, and how fast they grow."""
    note = (
        f"{NO_NUMBERS} There all three grow almost linearly. Means of ten folds; nine tenths of the cases are learned "
        "from. growth: the b of inner nodes ~ N^b, - where the trees stay small."
    )
    return _sizes_table("Figure 1: nodes on random data", summary, numbers, note)


def _sizes_table(title: str, summary: Summary, numbers: Sequence[int], note: str) -> Table:
    sizes = [mean_nodes(summary, method) for method in summary.methods]
    rows = [
        [str(n), *(f"{size:.1f}" for size in found)] for n, found in zip(numbers, zip(*sizes, strict=True), strict=True)
    ]
    powers = [growth(inner_nodes(summary, method, numbers)) for method in summary.methods]
    rows.append(["growth", *("-" if power is None else f"{power:.2f}" for power in powers)])
    return Table(title, ("cases", *summary.methods), rows, note, [len(rows) - 1])


def codes_table(summary: Summary, numbers: Sequence[int]) -> Table:
    """The same of MDL, with exceptions counted more often."""
    note = "c is the factor of the bits that exceptions cost, 1 in Figure 1; Quinlan and Rivest leave it open."
    return _sizes_table("MDL on random data: nodes by what exceptions cost", summary, numbers, note)


def growth_picture(summary: Summary, numbers: Sequence[int]) -> Picture:
    curves = {method: mean_nodes(summary, method) for method in summary.methods}
    figure = panels(numbers, {"nodes": curves}, "cases")
    return Picture("oates-figure-1.png", "Figure 1: nodes on random data", figure)


# -- the model --------------------------------------------------------------------------------------------


def model_table() -> Table:
    """The six averages of the model."""
    printed = stated("oates")
    rows = []
    for when, averages in paper_averages().items():
        for number, ours in averages.items():
            paper = printed[f"{when}_{number}"]
            rows.append([WHEN[when].format(number), f"{ours:.4f}", f"{paper:g}", f"{ours - paper:+.4f}"])
    heads = ("average probability of pruning", "ours", "paper", "difference")
    return Table(
        "The model of reduced-error pruning", heads, rows, "Over all shares of classes and of labelled leaves."
    )


def model_pictures() -> Iterator[Picture]:
    yield Picture("oates-figure-2.png", "Figure 2: errors of a subtree and of the leaf", draw_errors())
    yield Picture("oates-figure-3.png", "Figure 3: before anything beneath is pruned", draw_before())
    yield Picture("oates-figure-4.png", "Figure 4: after the descendants", draw_after())


# -- Figure 5 ---------------------------------------------------------------------------------------------


def renewed_blocks(name: str, summary: Summary, numbers: Sequence[int], pictures: bool) -> Iterator[Block]:
    """Figure 5 for one generator: size and accuracy by number of cases."""
    yield compare_table(f"Figure 5: {name}", summary, [str(n) for n in numbers], "cases")
    if pictures:
        measures = {
            "nodes": {method: mean_nodes(summary, method) for method in summary.methods},
            "accuracy": {method: mean_accuracy(summary, method) for method in summary.methods},
        }
        yield Picture(f"oates-figure-5-{name}.png", f"Figure 5: {name}", panels(numbers, measures, "cases"))


def compare_table(title: str, summary: Summary, labels: Sequence[str], what: str, note: str = NO_NUMBERS) -> Table:
    """Nodes and accuracy of each method on each data set; a dot where it differs significantly from REP."""
    sizes = [_marked(mean_nodes(summary, name), summary, smaller(summary, name), " ●") for name in summary.methods]
    percents = [
        _marked([100 * share for share in mean_accuracy(summary, name)], summary, less_accurate(summary, name), " ○")
        for name in summary.methods
    ]
    rows = list(zip(labels, *sizes, *percents, strict=True))
    heads = (what, *(f"nodes, {name}" for name in summary.methods), *(f"accuracy, {name}" for name in summary.methods))
    marks = "● significantly smaller than REP, ○ significantly less accurate (t test of the means of ten folds, 0.05)."
    return Table(title, heads, rows, f"{note} Accuracy in percent. {marks}")


def _marked(values: Sequence[float], summary: Summary, marked: Sequence[str], mark: str) -> list[str]:
    """Values of all data sets, with a mark where the data set is one of some."""
    return [f"{value:.1f}{mark * (name in marked)}" for value, name in zip(values, summary.data_sets, strict=True)]


# -- real data --------------------------------------------------------------------------------------------


def counts_table(summary: Summary) -> Table:
    """On how many sets sampled REP differs significantly from REP."""
    printed = stated("oates")
    questions = {
        "significantly smaller trees": (smaller, printed["sampled_smaller"]),
        "significantly less accurate": (less_accurate, printed["sampled_less_accurate"]),
    }
    rows = []
    for what, (find, paper) in questions.items():
        ours = [len(find(summary, "sampled REP", test)) for test in TESTS.values()]
        rows.append([what, *map(str, ours), f"{paper:g}", f"{ours[0] - paper:+g}"])
    n_sets = f"of {len(summary.data_sets)} sets"
    own = (f"ours {n_sets}, {name} test" for name in TESTS)
    heads = ("sampled REP against REP", *own, f"paper, of {printed['sampled_sets']:g}", "difference")
    note = (
        "The paper compares means, and so the independent test is its own. It names none of its sets but tic-tac-toe, "
        "the one that was less accurate; ours are others of that time."
    )
    return Table("Sampling half of the pruning cases: number of sets", heads, rows, note)


def sampled_table(summary: Summary) -> Table:
    """Sampled REP beside REP on real data."""
    note = "The paper prints no cells."
    return compare_table("Sampling half of the pruning cases: data sets", summary, summary.data_sets, "data set", note)
