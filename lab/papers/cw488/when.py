"""Section 5.2 of CW488: pruning while growing against pruning after growing."""

from __future__ import annotations

from collections.abc import Sequence

from lab.experiments.curves import draw_learning_curves, size_name, sized_trials, smaller_trials
from lab.experiments.data import DataSet
from lab.experiments.methods import Method
from lab.experiments.report.measure_tables import measure_table
from lab.experiments.report.pages import Block, Heading, Picture, Words, slug
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.experiments.trials import Trial, cross_validated
from lab.papers.cw488 import protocol
from lab.papers.cw488.protocol import FOLDS, Experiment, is_large, trials_of
from lab.papers.cw488.questions import geometric_mean
from lab.papers.printed import stated
from lab.papers.setting import PaperSetting
from petree.pruning import BIC, MDL, Chi, Rand
from petree.systems import presets

CRITERIA = {"RAND": Rand, "MDL": MDL, "BIC": BIC, "CHI": Chi}
# Larger sets with several classes, for learning curves, and the paper's largest.
CURVES = ("splice", "pen digits", "hiv")
# Shares of the training examples that a curve of a large relational set has, beside all of them.
SHARES_OF_LARGE = (1 / 16, 1 / 8, 1 / 4, 1 / 2)


def methods() -> list[Method]:
    """Each criterion after growing under its name, and while growing with a mark behind it."""
    after = {method.name: method for method in protocol.methods()}
    pairs = zip([after[name] for name in CRITERIA], stopping(), strict=True)
    return [method for pair in pairs for method in pair]


def stopping() -> list[Method]:
    """Each criterion while growing."""
    return [
        Method(while_growing(name), presets["rand"](pruning=criterion(when="pre")))
        for name, criterion in CRITERIA.items()
    ]


def while_growing(name: str) -> str:
    return f"{name} pre"


def before_and_after(setting: PaperSetting, data_sets: Sequence[DataSet]) -> Experiment:
    """Both ways on all sets."""
    summary = setting.summary("cw488", trials_of(data_sets, setting), methods())
    words = "While growing (pre) a node is judged before it is divided; after growing (post) stumps are, bottom-up."
    return Experiment(summary, [Heading("Section 5.2: while growing or after"), Words(words), counts_table(summary)])


def learning_curves(setting: PaperSetting, data_sets: Sequence[DataSet], whole: Summary) -> list[Experiment]:
    """Both ways on smaller and smaller parts of three larger sets, in the first run; `whole` has the whole ones."""
    chosen = [data for data in data_sets if data.name in CURVES]
    return [_curve_of_large(setting, data, whole) if is_large(data) else _curve(setting, data) for data in chosen]


def slowdown(summary: Summary, name: str) -> float:
    """How many times as long pruning after growing takes, geometric mean over the data sets."""
    seconds = summary.by_method("seconds")
    return geometric_mean(seconds[name] / seconds[while_growing(name)])


def counts_table(summary: Summary) -> Table:
    """On how many sets the two differ significantly, beside the numbers of the paper's text."""
    paper = stated("cw488")
    n_sets = len(summary.data_sets)
    rows = []
    for name in CRITERIA:
        pre = while_growing(name)
        larger = summary.significant("inner_nodes", name, pre)
        rows.append(
            [
                name,
                f"{larger.losses} of {n_sets} ({paper[f'larger_when_post_{name}']:.0f} of 26)",
                *(str(summary.significant(measure, name, pre)) for measure in ("auc", "log_likelihood")),
                f"{slowdown(summary, name):.2f} ({paper[f'slower_when_post_{name}']:.1f})",
            ]
        )
    heads = ("criterion", "post significantly larger", "AUC of post, w/t/l", "CLL of post, w/t/l", "time post / pre")
    note = "In brackets the paper's numbers, over 26 sets; there only hiv differs significantly in AUC or CLL."
    return Table("After growing against while growing", heads, rows, note)


def _curve(setting: PaperSetting, data: DataSet) -> Experiment:
    trials = list(smaller_trials(cross_validated([data], 1, FOLDS, setting.seed), setting.seed))
    summary = setting.summary("cw488-curves", trials, methods())
    return _drawn(setting, data.name, summary, trials)


def _curve_of_large(setting: PaperSetting, data: DataSet, whole: Summary) -> Experiment:
    """The same, from a sixteenth on; all examples were measured before."""
    trials = list(cross_validated([data], 1, FOLDS, setting.seed))
    n_learn = min(len(trial.part.learn) for trial in trials)
    smaller = list(sized_trials(trials, [int(share * n_learn) for share in SHARES_OF_LARGE], setting.seed))
    found = setting.summary("cw488-curves", smaller, methods())
    name = size_name(data.name, n_learn)
    values = {(name, method): whole.values[data.name, method] for method in found.methods}
    summary = Summary(found.methods, (*found.data_sets, name), (), {**found.values, **values})
    return _drawn(setting, data.name, summary, [*smaller, *(Trial(data.renamed(name), one.part) for one in trials)])


def _drawn(setting: PaperSetting, name: str, summary: Summary, trials: Sequence[Trial]) -> Experiment:
    blocks: list[Block] = [measure_table(summary, "log_likelihood", f"Learning curve of {name}")]
    if setting.pictures:
        figure = draw_learning_curves(summary, trials)
        blocks.append(Picture(f"cw488-curve-{slug(name)}.png", f"Learning curve of {name}", figure))
    return Experiment(summary, blocks)
