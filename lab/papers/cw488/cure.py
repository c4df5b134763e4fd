"""Beyond CW488: RAND and CHI keep more the larger the tree; what their correction costs on the 20 sets."""

from __future__ import annotations

from collections.abc import Sequence

from lab.experiments.data import DataSet
from lab.experiments.methods import Method
from lab.experiments.report.pages import Heading, Words
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.experiments.trials import cross_validated
from lab.papers.cw488.protocol import FOLDS, RUNS, Experiment
from lab.papers.setting import PaperSetting
from petree.pruning import Chi, Rand
from petree.systems import presets

CRITERIA = {"RAND": Rand, "CHI": Chi}


def corrected(name: str) -> str:
    return f"{name} corrected"


def methods() -> list[Method]:
    """Each criterion as the paper has it, and with `correction="cases"`."""
    return [
        Method(title, presets["rand"](pruning=criterion(correction=correction)))
        for name, criterion in CRITERIA.items()
        for title, correction in ((name, None), (corrected(name), "cases"))
    ]


def cure(setting: PaperSetting, data_sets: Sequence[DataSet]) -> Experiment:
    """Both ways on all sets."""
    trials = cross_validated(data_sets, setting.runs(RUNS), FOLDS, setting.seed)
    summary = setting.summary("cw488-cure", trials, methods())
    words = (
        "In a large tree some test is always accepted by luck, and keeps all nodes above it: on data without structure "
        "RAND and CHI after growing leave trees that grow with the data, which the paper does not mention. With "
        'correction="cases" a test speaks for an ancestor only at the level times its share of the ancestor\'s cases.'
    )
    return Experiment(summary, [Heading("Beyond the paper: the correction"), Words(words), cure_table(summary)])


def cure_table(summary: Summary) -> Table:
    """Sizes, and on how many sets the corrected criterion is significantly better, alike and worse."""
    rows = []
    for name in CRITERIA:
        other = corrected(name)
        means = [summary.means("inner_nodes")[:, summary.methods.index(one)].mean() for one in (name, other)]
        records = [str(summary.significant(measure, other, name)) for measure in ("auc", "log_likelihood", "accuracy")]
        rows.append([name, *(f"{mean:.1f}" for mean in means), *records])
    heads = ("criterion", "inner nodes", "corrected", "AUC, w/t/l", "CLL, w/t/l", "accuracy, w/t/l")
    note = "Wins, ties and losses of the corrected criterion against the paper's (sorted runs, 0.05)."
    return Table("Corrected against the paper's", heads, rows, note)
