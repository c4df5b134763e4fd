"""What the page of the quality benchmark says of option trees."""

import pandas as pd

from lab.quality.contenders import DEFAULT_OPTIONS, choose
from lab.quality.reading import read_average, read_halves
from lab.quality.scoring import Scores

SETS = ["a", "b", "c", "d", "e"]
FOREST = "scikit-learn/forest"


def scores(**of_measures):
    """One list a contender, one number a set; here all contenders are in the order of the columns."""
    names = [DEFAULT_OPTIONS, "gain/none", "gain/laplace", FOREST]
    return Scores(
        {measure: pd.DataFrame(dict(zip(names, lists, strict=True)), SETS) for measure, lists in of_measures.items()}
    )


def test_ranks_beside_all_single_trees():
    found = scores(
        bits=[[0.1, 0.1, 0.1, 0.1, 0.9], [0.3] * 5, [0.2] * 5, [0.0] * 5],
        auc=[[0.7] * 5, [0.6] * 5, [0.8] * 5, [0.9] * 5],
    )
    lines = read_average(found, DEFAULT_OPTIONS, ["gain/none", "gain/laplace"])
    assert [line.partition(" its average ")[2] for line in lines] == [
        "rank in bits is 1.4, that of the best of them, gain/laplace, 1.8.",
        "rank in AUC is 2.0, that of the best of them, gain/laplace, 1.0.",
    ]
    assert read_average(found, DEFAULT_OPTIONS, []) == []


def test_the_sets_where_settings_were_chosen_are_told_apart():
    found = scores(
        bits=[[0.1, 0.5, 0.2, 0.5, 0.6], [0.0] * 5, [0.0] * 5, [0.4] * 5],
        auc=[[0.9, 0.5, 0.9, 0.5, 0.6], [0.0] * 5, [0.0] * 5, [0.6] * 5],
    )
    [forest] = choose(FOREST)
    lines = read_halves(found, DEFAULT_OPTIONS, forest, SETS)
    assert lines[0].endswith(
        "on 3 sets, where its settings were chosen: 0.3000 bits, 0.1000 better (wins/ties/losses 2/0/1); AUC 0.2000 "
        "better (wins/ties/losses 2/1/0)."
    )
    assert lines[1].endswith(
        "on 2 sets, the others: 0.5000 bits, 0.1000 worse (wins/ties/losses 0/0/2); AUC 0.1000 worse "
        "(wins/ties/losses 0/0/2)."
    )
