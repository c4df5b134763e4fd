"""The relational trees of one version of petree, which an interpreter of its own runs.

For each line of a set and a kind on standard input it answers with the processor seconds of a fit on one thread and the
number of nodes. It needs nothing of the other benchmarks, since an older version has others.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from warnings import simplefilter

from petree import RelationalTreeClassifier
from petree.papers.data.generators import trains_database
from petree.papers.data.relational_data import load

KINDS = {"unpruned": {"pruning": "none", "smoothing": "laplace"}, "default": {}}


def serve() -> None:
    known = {}
    for line in sys.stdin:
        name, kind = line.split()
        if name not in known:
            known.clear()  # one set at a time
            known[name] = trains_database(25_000, 0) if name == "trains" else load(name)
        model = RelationalTreeClassifier(known[name], random_state=0, n_jobs=1, **KINDS[kind])
        keys = known[name].keys(known[name].target.rpartition(".")[0])
        start = process_time()
        model.fit(keys)
        print(json.dumps([process_time() - start, model.tree_.n_nodes]), flush=True)


if __name__ == "__main__":
    simplefilter("ignore")
    serve()
