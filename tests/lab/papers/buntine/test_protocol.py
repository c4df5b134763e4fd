"""The problems and systems of Buntine, as the paper has them."""

from __future__ import annotations

from tests.lab.papers.cells import cells_of
from tests.lab.papers.marks import needs_data

from lab.papers.buntine import priors, protocol, tables
from lab.papers.buntine.protocol import OPTIONS, OTHERS, PROBLEMS, methods
from lab.papers.data.datasets import load
from lab.papers.printed import read
from petree.splitting import Bayes as Quality


@needs_data
def test_data_sets_are_as_large_as_said() -> None:
    for problem in PROBLEMS:
        if problem.source:
            data = load(problem.source)
            assert (data.n_rows, data.n_classes) == (problem.n_cases, problem.n_classes)
    assert "physician-fee-freeze" not in load(protocol.VOTING).columns


def test_all_but_hepatitis_have_the_papers_sizes() -> None:
    rows = cells_of(tables.problems_table(PROBLEMS))
    assert rows["LED 900"] == ["900", "2100", "10", "I", "1"]
    assert rows["voting"][3:] == ["II, omega 0.5", "1"]
    assert {name: cells[1] for name, cells in rows.items() if "(" in cells[1]} == {"hepatitis": "80 (70)"}


def test_systems_have_the_names_of_table_1_and_the_prior_of_the_problem() -> None:
    printed = {tables.PRINTED_NAMES.get(row["method"], row["method"]) for row in read("buntine_results")}
    for problem in PROBLEMS:
        found = {method.name: method.estimator for method in methods(problem)}
        assert set(found) == printed == {*OTHERS, *OPTIONS}
        assert [found[name].lookahead for name in OPTIONS] == [1, 2]
        trees = [found[name] for name in OTHERS]
        assert {type(tree.split) for tree in trees} == {Quality}
        assert {tree.split.prior.alpha for tree in trees} == {problem.prior.alpha}
        assert [tree.split.prior.structure for tree in trees] == [problem.prior.structure] * 2 + [
            "IV",
            problem.prior.structure,
        ]


def test_every_prior_is_tried() -> None:
    found = {method.name: method.estimator for method in priors.methods(PROBLEMS[0])}
    assert len(found) == 2 * 4 * 4
    assert found["options, III, alpha C"].prior.get_params()["alpha"] == 10
    assert found["smoothed, II, alpha 0.5"].smoothing.prior.structure == "II"
