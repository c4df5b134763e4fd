"""Intervals of leaf probabilities: how often they contain the true ones, on made tables and on large real ones.

Examples
--------
python -m lab.intervals.run                              everything, about fifteen minutes; prints the tables
python -m lab.intervals.run --quick                      few repeats, no real tables
python -m lab.intervals.run --page docs/intervals.md     writes the page as well
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from rich.console import Console

from lab.experiments.report.tables import Table
from lab.intervals.data import CHOSEN_ON, JUDGED_ON, KINDS, Task, make, take
from lab.intervals.measuring import HONEST, LEAST_ROWS, LEVELS, MEASURED, PLAIN, WAYS, Covered, measure

# Repeats by the number of rows to learn from.
REPEATS = {1000: 10, 3000: 6, 10_000: 3}
QUICK = {1000: 2, 3000: 1}
# The form of the intervals was chosen with smaller seeds.
FIRST_SEED = 100
LEVEL = 0.9
ALL = "all"
GROUPS: dict[str, tuple[Sequence[str], Callable[[str, int, int], Task | None]]] = {
    "Made tables": (tuple(KINDS), make),
    "Real tables, on which the form was chosen": (CHOSEN_ON, take),
    "Real tables, kept for judging": (JUDGED_ON, take),
}
# By group; then by name or number of rows, way and level.
Found = dict[str, dict[tuple[str, str, float], Covered]]


def main(arguments: Sequence[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few repeats, no real tables")
    parser.add_argument("--page", type=Path, help="Markdown file to write")
    options = parser.parse_args(given)
    console = Console(width=None if sys.stdout.isatty() else 160)
    groups = list(GROUPS)[:1] if options.quick else list(GROUPS)
    found = run(groups, QUICK if options.quick else REPEATS, console)
    tables = [*(coverage_table(group, found[group]) for group in groups), levels_table(found), sizes_table(found)]
    for table in tables:
        console.print(table.to_rich())
    if options.page:
        command = shlex.join(["python", "-m", "lab.intervals.run", *given])
        options.page.write_text(page(command, tables), encoding="utf-8")


def run(groups: Sequence[str], repeats: dict[int, int], console: Console) -> Found:
    """Everything that is covered, summed by name and by number of rows."""
    found: Found = {}
    for group in groups:
        names, get = GROUPS[group]
        sums: dict[tuple[str, str, float], Covered] = defaultdict(Covered)
        for name in names:
            for n_rows, n_repeats in repeats.items():
                for seed in range(FIRST_SEED, FIRST_SEED + n_repeats):
                    _add(sums, name, n_rows, get(name, n_rows, seed))
            console.print(f"{group}: {name}")
        found[group] = dict(sums)
    return found


def _add(sums: dict[tuple[str, str, float], Covered], name: str, n_rows: int, task: Task | None) -> None:
    for way, level, covered in () if task is None else measure(task):
        for key in (name, str(n_rows), ALL):
            sums[key, way, level] += covered


# -- tables -----------------------------------------------------------------------------------------------------------


def coverage_table(group: str, sums: dict[tuple[str, str, float], Covered]) -> Table:
    """One line a table: what 90% intervals cover, and how wide they are."""
    names = [*GROUPS[group][0], ALL]
    heads = ("table", "intervals", *(f"{way}: {head}" for way in WAYS for head in ("leaves", "rows", "width")))
    rows = [_coverage_row(name, sums) for name in names if (name, MEASURED, LEVEL) in sums]
    note = (
        "Percent of the 90% intervals that contain the truth: each leaf and class as one, and by the rows of the leaf; "
        "mean width. intervals: of leaves and classes, of the tree of all rows (plain and measured)."
    )
    return Table(group, heads, rows, note, [len(rows) - 1])


def _coverage_row(name: str, sums: dict[tuple[str, str, float], Covered]) -> list[str]:
    cells = [name, f"{sums[name, MEASURED, LEVEL].n:.0f}"]
    for way in WAYS:
        covered = sums[name, way, LEVEL]
        cells += [*map(_percent, covered.shares), f"{covered.width / covered.n:.3f}"] if covered.n else ["", "", ""]
    return cells


def levels_table(found: Found) -> Table:
    """All tables of a group together, at every level."""
    rows = [
        [group, way, *(_both(found[group][ALL, way, level]) for level in LEVELS)] for group in found for way in WAYS
    ]
    heads = ("tables", "intervals", *(f"{100 * level:.0f}%" for level in LEVELS))
    return Table("Other levels", heads, rows, "Percent that contain the truth, by leaves / by rows.")


def sizes_table(found: Found) -> Table:
    """All tables of a group together, by the number of rows to learn from, with the price of honesty in bits."""
    rows = []
    for group, sums in found.items():
        for n_rows in (key for key in map(str, REPEATS) if (key, MEASURED, LEVEL) in sums):
            by_way = [sums[n_rows, way, LEVEL] for way in WAYS]
            bits = [f"{covered.bits / covered.trees:.3f}" for covered in by_way[1:]]
            rows.append([group, n_rows, *map(_both, by_way), *bits])
    heads = ("tables", "rows", *WAYS, f"{MEASURED}: bits", f"{HONEST}: bits")
    return Table("Rows to learn from", heads, rows, "As above, of 90% intervals; log loss of the trees in bits a row.")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _both(covered: Covered) -> str:
    return " / ".join(map(_percent, covered.shares)) if covered.n else ""


# -- page -------------------------------------------------------------------------------------------------------------

WORDS = f"""# Intervals

`predict_interval(X, level=0.9)` gives intervals of the class probabilities; `rules(level)` and `to_frame(level)`
show them.

**The rule.** A leaf was searched for, so its own cases agree with it better than new ones would, and its estimate p
is smoothed. So how sure p is cannot be read off its counts, but it can be measured: where fitting learns inner
folds anyway (the default pruning, or a smoothing with an "auto" parameter), the cases that were left out are
counted in the leaves of the folds' trees and compared with what these leaves answer. Their counts are taken for
beta-binomial around the answers, as if a leaf of n cases were worth s = 1 / (1 / (each n) + 1 / most) cases, and
the two numbers are those of the largest likelihood, times a weak prior that a case is worth one
(`model.certainty_`). The interval of a leaf has the quantiles of Beta(s p, s (1 - p)), where n is two thirds of the
leaf's cases: the folds' trees had fewer, what more of them are worth was not seen, and the cases left out have also
chosen size and smoothing. A class that has no case in the leaf has 0 as its lower bound, one that has them all 1 as
its upper bound, and all that is left out lies on the other side: however far the smoothing pulls a leaf of 65 of 65
cases away from 1, 1 stays possible.

**Honest trees.** With `honest=True` half of the rows grow and prune the tree, and the others alone are counted in
its leaves. Smoothing and certainty come from folds of these, in which the tree stays what it is, so they are there
under every criterion and smoothing. The tree has learned from half of the rows only: the last table has the price.

**Others.** Trees without inner folds (`pruning="none", smoothing="laplace"`), and those in which all leaves answer
(confusion, doubt), have the plain interval: s is the number of cases in the leaf and of the smoothing's
pseudo-cases. The tables have it under "{PLAIN}" for trees of the default: too narrow.

**How it was tested.** Trees of the default learn from 1,000, 3,000 and 10,000 rows. Of made tables the
probabilities are known: the truth of a leaf is their mean over 50,000 other rows. Of real tables it is the rate of
the other rows, of which there are four to a hundred for each row that was learned from, so that smaller tables give
1,000 rows to learn from only; this is not quite the truth, and the fewer they are, the more intervals miss it that
hold. Leaves with fewer than {LEAST_ROWS} other rows do not count, nor do rows that are answered by a blend of
leaves. Behind a colon: another column than the class that is predicted. The form of the rule was chosen on made
tables of other seeds and on the first half of the real tables.

**What is left.** Intervals hold on average over the leaves of a table and over tables, not for each kind of leaf:
of single tables between 80 and 97 percent contain the truth. Those of low levels contain it more often than they
say where many classes never occur in a leaf: 0 is always among what they allow.
"""


def page(command: str, tables: Sequence[Table]) -> str:
    """The whole page."""
    made = f"Made on {date.today().isoformat()} by `{command}`; not written by hand.\n"
    return WORDS + "\n" + made + "\n" + "\n".join(table.to_markdown() for table in tables)


if __name__ == "__main__":
    main()
