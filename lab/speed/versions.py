"""Speed of this version beside another one, which has an environment of its own, line by line in one interleaved run.

python -m lab.speed.versions --other /path/to/other/bin/python [--rounds 11] [--lines fit] [--markdown page.md]

Two processes take turns, one for each version, so that other work on the machine meets both. Each line is a fit or a
prediction; its figure is the median over the rounds, and the ratio says how many times as long this version takes.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean, median
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer

Work = Callable[[], Any]
THREADS = 2
# A line is repeated within a round until it has taken this long, so that short ones are measured as well as long ones.
LEAST_SECONDS = 0.02


# -- what is measured --------------------------------------------------------------------------------------------------


def numeric(n_rows: int, n_classes: int, n_columns: int = 20) -> tuple[Any, Any]:
    generator = np.random.default_rng(0)
    X = generator.normal(size=(n_rows, n_columns))
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.abs(X[:, 3]) + generator.normal(size=n_rows)
    return X, np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))


def nominal(n_rows: int) -> tuple[Any, Any]:
    import pandas as pd

    generator = np.random.default_rng(1)
    codes = generator.integers(0, 8, (n_rows, 20))
    labels = (codes[:, 0] + codes[:, 1] + generator.integers(0, 6, n_rows) > 9).astype(int)
    letters = np.array(list("abcdefgh"))
    return pd.DataFrame({f"c{j}": pd.Categorical(letters[codes[:, j]]) for j in range(20)}), labels


def related() -> tuple[Any, Any]:
    """A database of molecules and atoms."""
    from petree.relational import Database

    generator = np.random.default_rng(2)
    n = 400
    n_atoms = 6000
    owner = generator.integers(0, n, n_atoms)
    element = generator.choice(list("cnohs"), n_atoms)
    charge = generator.normal(size=n_atoms).round(2)
    is_active = np.bincount(owner[(element == "n") & (charge < -0.5)], minlength=n) > 0
    labels = np.where(is_active ^ (generator.random(n) < 0.2), "yes", "no")
    molecule = {"id": np.arange(n), "active": labels}
    atom = {"molecule": owner, "element": element, "charge": charge}
    database = Database({"molecule": molecule, "atom": atom}, links=["atom.molecule -> molecule.id"])
    return database, np.arange(n)


def fits() -> dict[str, Callable[[], Work]]:
    """Lines by name; each makes its data, and gives what is timed."""
    from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier

    def tree(n_rows: int, n_classes: int = 2, **parameters: Any) -> Callable[[], Work]:
        def make() -> Work:
            X, y = numeric(n_rows, n_classes)
            model = ProbabilityTreeClassifier(n_jobs=THREADS, **{"smoothing": "laplace", **parameters})
            return lambda: model.fit(X, y)

        return make

    def weighted(n_rows: int, whole: bool) -> Work:
        X, y = numeric(n_rows, 2)
        draws = np.random.default_rng(3)
        weights = draws.integers(1, 4, n_rows).astype(float) if whole else draws.random(n_rows) + 0.1
        model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", n_jobs=THREADS)
        return lambda: model.fit(X, y, sample_weight=weights)

    def categories(n_rows: int, **parameters: Any) -> Work:
        X, y = nominal(n_rows)
        model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", n_jobs=THREADS, **parameters)
        return lambda: model.fit(X, y)

    def predict(n_rows: int, **parameters: Any) -> Work:
        X, y = numeric(n_rows, 2)
        model = ProbabilityTreeClassifier(pruning="none", n_jobs=THREADS, **{"smoothing": "laplace", **parameters})
        model.fit(X[:20_000], y[:20_000])
        return lambda: model.predict_proba(X)

    def options(n_rows: int, predicts: bool) -> Work:
        X, y = numeric(n_rows, 2, 10)
        model = OptionTreeClassifier(n_jobs=THREADS).fit(X, y)
        return (lambda: model.predict_proba(X)) if predicts else (lambda: model.fit(X, y))

    def relational(**parameters: Any) -> Work:
        database, keys = related()
        model = RelationalTreeClassifier(database, "molecule.active", smoothing="laplace", **parameters)
        return lambda: model.fit(keys)

    lines: dict[str, Callable[[], Work]] = {
        f"fit {n_rows:.0e} x 20, {n_classes} classes": tree(n_rows, n_classes, pruning="none")
        for n_rows in (300, 1000, 10_000, 100_000)
        for n_classes in (2, 10)
    }
    lines |= {
        f"fit 1e+04, {split}": tree(10_000, 3, pruning="none", split=split)
        for split in ("gain_ratio", "gini", "dkm", "chi_square", "msee", "mauc", "bayes")
    }
    lines |= {
        "fit 1e+04, whole weights": lambda: weighted(10_000, True),
        "fit 1e+04, fractional weights": lambda: weighted(10_000, False),
        "fit 1e+04, exact thresholds": tree(10_000, pruning="none", binning="exact"),
        "fit 1e+05 nominal": lambda: categories(100_000),
        "fit 1e+04 nominal, multiway": lambda: categories(10_000, tests="multiway"),
        "default 1e+03": tree(1000, pruning="default", smoothing="default"),
        "default 1e+04": tree(10_000, pruning="default", smoothing="default"),
    }
    lines |= {
        f"prune {n_rows:.0e}, {pruning}": tree(n_rows, pruning=pruning)
        for n_rows in (1000, 10_000)
        for pruning in ("rand", "chi", "mdl", "bic", "error_based", "cost_complexity", "reduced_error")
    }
    lines |= {
        "predict 1e+02": lambda: predict(100),
        "predict 1e+04": lambda: predict(10_000),
        "predict 1e+05": lambda: predict(100_000),
        "predict 1e+04, doubt": lambda: predict(10_000, smoothing="doubt"),
        "predict 1e+03, confusion": lambda: predict(1000, smoothing="confusion"),
        "options fit 300": lambda: options(300, False),
        "options fit 1e+03": lambda: options(1000, False),
        "options predict 1e+03": lambda: options(1000, True),
        "relational fit": lambda: relational(pruning="none"),
        "relational fit, rand": lambda: relational(pruning="rand"),
    }
    return lines


# -- the process of one version ----------------------------------------------------------------------------------------


def serve() -> None:
    """Answer each name of a line on standard input with the seconds that it takes."""
    lines = fits()
    made = dict[str, Work]()
    for name in map(str.strip, sys.stdin):
        if name not in made:
            made.clear()
            made[name] = lines[name]()
            made[name]()  # to warm up
            gc.collect()
            gc.freeze()
        print(json.dumps(seconds(made[name])), flush=True)


def seconds(work: Work) -> float:
    start = perf_counter()
    n = 0
    while n == 0 or perf_counter() - start < LEAST_SECONDS:
        work()
        n += 1
    return (perf_counter() - start) / n


class Version:
    """A process in which a script runs lines with the petree of an interpreter."""

    def __init__(self, interpreter: Path, script: Path) -> None:
        command = [str(interpreter), str(script), "serve"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, name: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.terminate()


# -- the page ----------------------------------------------------------------------------------------------------------


def main(
    other: Annotated[Path, typer.Option(help="The interpreter of the environment with the other version.")],
    rounds: Annotated[int, typer.Option(min=1)] = 11,
    lines: Annotated[str, typer.Option(help="Only lines whose name begins so.")] = "",
    markdown: Annotated[Path | None, typer.Option(help="Write the table there, too.")] = None,
) -> None:
    """Times of this version and of another, in turns."""
    script = Path(__file__).resolve()
    ours = Version(Path(sys.executable), script)
    theirs = Version(other, script)
    rows = ["| line | other, ms | this, ms | this / other |", "|---|---|---|---|"]
    ratios = []
    for name in [name for name in fits() if name.startswith(lines)]:
        pairs = [(ours.run(name), theirs.run(name)) for _ in range(rounds)]
        this, before = (1000 * median(times) for times in zip(*pairs, strict=True))
        ratios.append(this / before)
        rows.append(f"| {name} | {before:.3g} | {this:.3g} | {this / before:.2f} |")
        print(rows[-1], flush=True)
    rows.append(f"| geometric mean | | | {geometric_mean(ratios):.3f} |")
    print(rows[-1])
    if markdown is not None:
        markdown.write_text("\n".join([*rows, ""]))
    ours.close()
    theirs.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        typer.run(main)
