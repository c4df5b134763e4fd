"""Examples of a database: what learners get of them, and by what their contents are known."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from lab.experiments.measuring import answer, measure, measures_of
from lab.experiments.methods import Method
from lab.experiments.relational import RelationalDataSet
from lab.experiments.results import ResultsFile
from lab.experiments.running import run
from lab.experiments.trials import cross_validated
from petree import ProbabilityTreeClassifier, RelationalTreeClassifier
from petree.relational.bias.automatic import automatic_bias
from petree.relational.database import Database

TABLES: dict[str, dict[str, Any]] = {
    "molecule": {"id": np.arange(12), "class": ["toxic", "safe", "safe"] * 4, "weight": [3.0, 1.0, 2.0] * 4},
    "atom": {"molecule": [*range(12), 0, 3, 6, 9], "element": ["c"] * 12 + ["cl"] * 4},
}
LINKS = ["atom.molecule -> molecule.id"]


def made(tables: dict[str, dict[str, Any]] = TABLES, links: Sequence[str] = LINKS) -> Database:
    database = Database(tables, links, {"molecule": "id"})
    database.target = "molecule.class"
    return database


def counting() -> RelationalDataSet:
    """Trees may ask for the number of atoms too."""
    data = RelationalDataSet.of("molecules", made())
    bias = automatic_bias(data.database.hiding("molecule", "class"), "molecule", None, ("count",))
    return replace(data, bias=bias)


def changed(table: str, column: str, values: Any) -> dict[str, dict[str, Any]]:
    return {**TABLES, table: {**TABLES[table], column: values}}


def test_all_examples() -> None:
    data = RelationalDataSet.of("molecules", made())
    assert data.n_rows == 12
    assert data.classes.tolist() == ["safe", "toxic"]
    assert data.given(np.array([3, 0])).tolist() == [3, 0]
    assert data.y[:3].tolist() == ["toxic", "safe", "safe"]


def test_some_examples_keep_the_database() -> None:
    data = counting()
    taken = data.take(np.array([5, 3]))
    assert isinstance(taken, RelationalDataSet)
    assert taken.database is data.database
    assert taken.bias is data.bias
    assert taken.given(np.array([1])).tolist() == [3]
    assert taken.y.tolist() == ["safe", "toxic"]


def test_the_digest_tells_contents_apart() -> None:
    sets = [
        RelationalDataSet.of("molecules", made()),
        counting(),
        RelationalDataSet.of("molecules", made(links=())),
        replace(counting(), bias=replace(RelationalDataSet.of("molecules", made()).bias, max_links=3)),
        RelationalDataSet.of("molecules", made(changed("atom", "element", ["c"] * 13 + ["cl"] * 3))),
        RelationalDataSet.of("molecules", made(changed("atom", "element", ["c"] * 12 + ["br"] * 4))),
        RelationalDataSet.of("molecules", made(changed("molecule", "weight", [3.0, 1.0, 2.5] * 4))),
        RelationalDataSet.of("molecules", made(changed("molecule", "class", ["safe", "toxic", "safe"] * 4))),
    ]
    sets.append(sets[0].take(np.arange(11)))  # type: ignore[arg-type]
    assert len({data.digest for data in sets}) == len(sets)


def test_the_digest_is_of_the_contents_alone() -> None:
    data = RelationalDataSet.of("molecules", made())
    assert RelationalDataSet.of("others", made()).digest == data.digest
    assert pickle.loads(pickle.dumps(data)).digest == data.digest
    assert data.take(np.arange(12)).digest == data.digest


def test_a_tree_learns_over_the_database() -> None:
    data = counting()
    tree = ProbabilityTreeClassifier("gain", "bic", "laplace", binning="quantile", max_depth=2, random_state=3)
    learner = data.learner(tree)
    assert learner.get_params() == RelationalTreeClassifier(
        data.database, None, "gain", "bic", "laplace", bias=data.bias, binning="quantile", max_depth=2, random_state=3
    ).get_params()  # fmt: skip


def test_learners_of_one_table_are_refused() -> None:
    data = RelationalDataSet.of("molecules", made())
    trial = next(cross_validated([data], 1, 3))
    with pytest.raises(TypeError, match="DecisionTreeClassifier reads one table, but molecules has several"):
        answer(Method("tree", DecisionTreeClassifier()), trial, 0)


def test_measures_are_those_of_the_relational_tree() -> None:
    """Only atoms tell the toxic ones: flat columns would not do."""
    tables = changed("molecule", "weight", [1.0] * 12)
    data = RelationalDataSet.of("molecules", made(tables))
    method = Method("unpruned", ProbabilityTreeClassifier(pruning="none", smoothing="laplace"))
    for trial in cross_validated([data], 1, 3):
        model = RelationalTreeClassifier(data.database, pruning="none", smoothing="laplace", aggregates=())
        keys = data.columns["key"]
        model.fit(keys[trial.part.learn], data.y[trial.part.learn])
        expected = measures_of(data.y[trial.part.test], model.predict_proba(keys[trial.part.test]), data.classes)
        found = measure(method, trial, 0)
        assert {name: found[name] for name in expected} == expected
        assert found["accuracy"] == 1.0
        assert found["inner_nodes"] == 1.0


def test_results_are_kept(tmp_path: Any) -> None:
    data = RelationalDataSet.of("molecules", made())
    method = Method("unpruned", ProbabilityTreeClassifier(pruning="none", smoothing="laplace"))
    file = ResultsFile(tmp_path / "results.csv")
    first = run(cross_validated([data], 2, 3), [method], file, jobs=1)
    assert not first.failures
    kept = file.path.read_bytes()
    again = run(cross_validated([RelationalDataSet.of("molecules", made())], 2, 3), [method], file, jobs=1)
    assert file.path.read_bytes() == kept
    assert len(again.measures) == 6
    run(cross_validated([counting()], 2, 3), [method], file, jobs=1)
    assert len(file.read()) == 12
