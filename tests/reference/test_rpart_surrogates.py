"""Trees with surrogates are those of rpart: the same columns, the same surrogates in order, the same rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.plain import plain_classifier

FOUND = json.loads(Path(__file__).with_name("rpart_surrogates.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FOUND)
def test_a_tree_is_that_of_rpart(name: str) -> None:
    table: dict[str, list[Any]] = dict(FOUND[name]["table"])
    y = table.pop("y")
    model = plain_classifier(missing="surrogates", tests="sets", min_samples_leaf=10, max_depth=3, binning="exact")
    tree = model.fit({column: np.array(values, dtype=object) for column, values in table.items()}, y).tree_
    assert tree.surrogates is not None
    theirs = {tuple(node["counts"]): node for node in FOUND[name]["nodes"]}
    assert len(theirs) == len(FOUND[name]["nodes"]) == tree.n_nodes
    for node in range(tree.n_nodes):
        their = theirs[tuple(tree.counts[node].tolist())]
        assert ("column" in their) == (not tree.is_leaf[node])
        if not tree.is_leaf[node]:
            split = int(tree.split_start[node])
            ours = [(test.column.name, share) for test, _, share in tree.surrogates.of(split)]
            assert tree.conditions[split].column.name == their["column"]
            assert [column for column, _ in ours] == [column for column, _ in their["surrogates"]]
            assert [share for _, share in ours] == pytest.approx([share for _, share in their["surrogates"]], abs=1e-9)
