"""A new process: prints the seconds of importing petree, fitting, predicting and fitting again as JSON."""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise

from lab.speed.data import Case, make
from lab.speed.peers import Limits, Petree


def main(kind: str) -> None:
    library = Petree(nominal=kind == "nominal")
    X, y = make(Case(10_000, nominal=library.nominal))
    table = library.table(X)
    times = [time.perf_counter()]
    from petree import ProbabilityTreeClassifier  # noqa: F401

    times.append(time.perf_counter())
    model = library.fit(table, y, Limits())
    times.append(time.perf_counter())
    library.predict_proba(model, table)
    times.append(time.perf_counter())
    library.fit(table, y, Limits())
    times.append(time.perf_counter())
    seconds = [later - earlier for earlier, later in pairwise(times)]
    print(json.dumps(dict(zip(("imported", "fit", "predict", "second_fit"), seconds, strict=True))))


if __name__ == "__main__":
    main(sys.argv[1])
