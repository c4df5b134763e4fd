"""Write `j48_trees.csv`: the trees that Weka's J48, a C4.5 release 8 in Java, grows from 14 data sets.

It needs Java, the data sets (PETREE_DATA), and weka.jar, which is part of the package python-weka-wrapper3 at PyPI:

    pip download --no-deps --no-binary :all: python-weka-wrapper3 && tar xf python_weka_wrapper3-*.tar.gz
    python tests/reference/make_j48_trees.py python_weka_wrapper3-*/python/weka/lib/weka.jar

The table was made with Weka 3.9.7. "unpruned" is J48 -U -O (no collapsing), "pruned" its default. J48 does not cut
between values that are 1e-5 apart or less: glass has such refractive indices, so these are multiplied by 1e5.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that the script runs from anywhere

from tests.reference.trees import LEAF, TreeFacts, category_codes, class_codes, load, write_facts

from lab.experiments.data import DataSet

FILE = Path(__file__).with_name("j48_trees.csv")
OPTIONS = {"unpruned": ["-U", "-O"], "pruned": []}
SETS = (
    "pima_diabetes", "liver_bupa", "waveform21", "yeast", "german_credit", "vowel", "glass",
    "annealing", "sick", "cylinder_bands", "heart_disease_all", "hepatitis", "horse_colic", "soybean",
)  # fmt: skip
CSV = "weka.classifiers.evaluation.output.prediction.CSV"


def to_arff(data: DataSet) -> str:
    """The table with columns, categories and classes by number, in petree's order."""
    lines = ["@relation table"]
    texts: list[list[str]] = []
    for number, values in enumerate(data.columns.values()):
        if values.dtype == object:
            codes = category_codes(values)
            names = [f"v{code}" for code in sorted(set(codes) - {None})]
            lines.append(f"@attribute a{number} {{{','.join(names)}}}")
            texts.append(["?" if code is None else f"v{code}" for code in codes])
        else:
            lines.append(f"@attribute a{number} numeric")
            texts.append(["?" if np.isnan(value) else repr(float(value)) for value in values])
    lines += [f"@attribute class {{{','.join(f'c{k}' for k in range(data.n_classes))}}}", "@data"]
    texts.append([f"c{k}" for k in class_codes(data)])
    return "\n".join([*lines, *map(",".join, zip(*texts, strict=True))])


def run_j48(jar: str, table: Path, *options: str) -> str:
    command = ["java", "-cp", jar, "weka.classifiers.trees.J48", "-t", str(table), *options]
    environment = {**os.environ, "WEKA_HOME": str(table.parent)}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def columns_of(graph: str) -> list[int]:
    """The columns of a tree that J48 has printed as a graph: nodes come in preorder."""
    labels = re.findall(r'^N\d+ \[label="(.*?)"( shape=box)?', graph, re.MULTILINE)
    return [LEAF if is_box else int(label[1:]) for label, is_box in labels]


def answers(text: str, n_classes: int) -> Any:
    """The class probabilities that J48 has printed."""
    rows = [row for row in csv.reader(text.splitlines()) if row and row[0].isdigit()]
    return np.array([[float(share.lstrip("*")) for share in row[-n_classes:]] for row in rows])


def facts_of(jar: str, data: DataSet, name: str) -> TreeFacts:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.arff"
        table.write_text(to_arff(data), encoding="utf-8")
        columns = columns_of(run_j48(jar, table, "-g", *OPTIONS[name]))
        printing = f"{CSV} -distribution -decimals 9"
        text = run_j48(jar, table, "-T", str(table), "-classifications", printing, *OPTIONS[name])
    given = answers(text, data.n_classes)[np.arange(data.n_rows), class_codes(data)]
    return TreeFacts.of(data.name, name, columns, columns, given)


def main(jar: str) -> None:
    write_facts(FILE, (facts_of(jar, load(one), name) for one in SETS for name in OPTIONS))


if __name__ == "__main__":
    main(sys.argv[1])
