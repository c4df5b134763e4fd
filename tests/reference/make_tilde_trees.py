"""Write `tilde_trees.json`: pruned trees of Tilde 2.2 with the errors that it predicts of them.

The outputs come with the example data of ACE, the data mining system of K.U.Leuven that Tilde is part of.

python tests/reference/make_tilde_trees.py machines=mach.out.tilde bongard=bongard.out.tilde mutagenesis=muta.out.tilde
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("tilde_trees.json")
LEAF = re.compile(r"\[(\w+)\] \[([\d.]+)/([\d.]+)\]")


def read_output(text: str) -> dict[str, Any]:
    pruned = text.split("Compact notation of pruned tree:")[1].split("Equivalent prolog program:")[0]
    (classes,) = re.findall(r"classes  :  \[([\w,]+)\]", text)
    (n_internal,) = re.findall(r"pruned_complexity : (\d+) nodes", text)
    (predicted,) = re.findall(r"pruned_C4.5_error_estimation : ([\d.]+)", text)
    nodes = iter(line for line in pruned.splitlines() if line.rstrip().endswith("?") or LEAF.search(line))
    return {
        "n_internal": int(n_internal),
        "predicted_errors": float(predicted),
        "counts": nested_counts(nodes, classes.split(",")),
    }


def nested_counts(lines: Iterator[str], classes: list[str]) -> Any:
    """Class counts of the leaves; a node stands before its branches. Errors are of the other one of two classes."""
    leaf = LEAF.search(next(lines))
    if leaf is None:
        return [nested_counts(lines, classes), nested_counts(lines, classes)]
    right, cases = round(float(leaf[2])), round(float(leaf[3]))
    assert right == cases or len(classes) == 2
    return [right if name == leaf[1] else cases - right for name in classes]


def main() -> None:
    named = (argument.split("=", 1) for argument in sys.argv[1:])
    trees = {name: read_output(Path(path).read_text(encoding="latin-1")) for name, path in named}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(tree)}" for name, tree in trees.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
