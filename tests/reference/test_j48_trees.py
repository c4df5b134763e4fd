"""Trees of the preset "c4.5" are those of Weka's J48 (`make_j48_trees.py`): the same tests, the same answers.

J48's limit of errors differs from C4.5's (`limit="j48"`), and it does not split where no column gains anything, which
C4.5 does on nominal columns (`min_gain`).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.reference.trees import TreeFacts, columns_of, given_probabilities, load, read_facts

from petree import presets
from petree.pruning import ErrorBased

FACTS = list(read_facts(Path(__file__).with_name("j48_trees.csv")))
PRUNING = {"unpruned": "none", "pruned": ErrorBased(limit="j48", raising=True, collapsing=True)}


def test_the_table_has_fourteen_sets() -> None:
    assert len({theirs.data_set for theirs in FACTS}) == 14
    assert len(FACTS) == 28


@pytest.mark.filterwarnings("ignore:Column 'TBG' has no values")
@pytest.mark.skipif("PETREE_DATA" not in os.environ, reason="PETREE_DATA does not name the folder of the data sets")
@pytest.mark.parametrize("theirs", FACTS, ids=lambda theirs: f"{theirs.data_set}-{theirs.tree}")
def test_a_tree_is_that_of_j48(theirs: TreeFacts) -> None:
    data = load(theirs.data_set)
    model = presets["c4.5"](pruning=PRUNING[theirs.tree], min_gain=1e-6).fit(data.columns, data.y)
    columns = columns_of(model.tree_)
    ours = TreeFacts.of(theirs.data_set, theirs.tree, columns, columns, given_probabilities(model, data))
    assert ours[:5] == theirs[:5]
    # J48's answers are printed to nine decimals, the sums to four
    assert ours[5:] == pytest.approx(theirs[5:], abs=1e-4)
