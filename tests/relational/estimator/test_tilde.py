"""Tilde's own results on its example data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.relational.applications import application

from petree import RelationalTreeClassifier, presets
from petree.pruning import ErrorBased, SafePruning
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.terms import Atom, Variable
from petree.tree import Tree

DATA = os.environ.get("PETREE_DATA")
pytestmark = pytest.mark.skipif(DATA is None, reason="PETREE_DATA does not say where the data sets are")

LEAF = re.compile(r"\[(\w+)\] \[([\d.]+)/([\d.]+)\]")
FOLDERS = [
    "machines/prolog/keys",
    "machines/prolog/examples",
    "bongard/prolog/keys",
    "bongard/prolog/examples",
    "mutagenesis/prolog",
]
# Predicted errors of the pruned trees, as far as ACE prints them.
ESTIMATES = {"machines": 3.5857121, "bongard": 10.8626697438, "mutagenesis": 66.6546112633}


@dataclass(frozen=True)
class Output:
    """What Tilde printed: the pruned tree, and sizes and predicted errors after safe pruning and after pruning."""

    pruned: Any
    safe_size: tuple[int, int]
    safe_errors: float
    pruned_size: tuple[int, int]
    pruned_errors: float


def read_output(folder: Path) -> Output:
    (file,) = folder.glob("*.out.tilde")
    text = file.read_text(encoding="latin-1")
    tree = text.split("Compact notation of pruned tree:")[1].split("Equivalent prolog program:")[0]
    lines = iter(line for line in tree.splitlines() if line.rstrip().endswith("?") or LEAF.search(line))
    sizes = {
        kind: (int(nodes), int(literals))
        for kind, nodes, literals in re.findall(r"(\w+)_complexity : (\d+) nodes \((\d+) literals\)", text)
    }
    errors = {kind: float(found) for kind, found in re.findall(r"(\w+)_C4.5_error_estimation : ([\d.]+)", text)}
    return Output(nested(lines), sizes["compact"], errors["compact"], sizes["pruned"], errors["pruned"])


def nested(lines: Iterator[str]) -> Any:
    """A leaf is its class, the cases of that class and all cases; a node is its test and two branches."""
    line = next(lines)
    if leaf := LEAF.search(line):
        return leaf[1], round(float(leaf[2])), round(float(leaf[3]))
    test = re.sub(r"^[|+\- ]*(yes:|no:)?\s*", "", line.rstrip().removesuffix("?").rstrip())
    return test, nested(lines), nested(lines)


@cache
def fitted(folder: str, split: str = "gain") -> RelationalTreeClassifier:
    database = application(folder)
    assert database.target is not None
    model = RelationalTreeClassifier(
        database,
        pruning="none",
        min_samples_leaf=database.settings.get("minimal_cases", 2),
        min_gain=1e-9,
        split=split,
        smoothing="none",
    )
    return model.fit(database.keys(database.target.partition(".")[0]))


def pruned_like_tilde(tree: Tree) -> tuple[Tree, Tree]:
    safe = SafePruning(ties="last").prune(tree)
    return safe, ErrorBased(confidence=0.25).prune(safe)


def predicted_errors(tree: Tree) -> float:
    return float(ErrorBased(confidence=0.25).leaf_costs(tree.counts[tree.is_leaf]).sum())


def n_literals(tree: Tree) -> int:
    return sum(len(parse_literals(str(condition))) for condition in tree.conditions)


def pattern(text: str) -> tuple[str, tuple[str, ...]]:
    """A literal without the names of its variables."""
    (atom,) = parse_literals(text)
    assert isinstance(atom, Atom)
    return atom.relation, tuple("V" if isinstance(term, Variable) else str(term) for term in atom.arguments)


def check_same(tree: Tree, theirs: Any, index: int = 0, names: dict[str, str] | None = None) -> None:
    """Tests, and the counts of leaves; names of variables stand for each other all the way down."""
    node, names = tree.node(index), dict(names or {})
    if not node.conditions:
        label, right, cases = theirs
        assert (node.counts[label], sum(node.counts.values())) == (right, cases)
        return
    test, yes, no = theirs
    assert pattern(str(node.conditions[0])) == pattern(test)
    (mine,), (other,) = parse_literals(str(node.conditions[0])), parse_literals(test)
    assert isinstance(mine, Atom)
    assert isinstance(other, Atom)
    below = dict(names)
    for one, two in zip(mine.arguments, other.arguments, strict=True):
        if isinstance(one, Variable):
            assert below.setdefault(str(two), str(one)) == str(one)
    assert len(set(below.values())) == len(below)
    left, right_child = node.children[0]
    check_same(tree, yes, left, below)
    check_same(tree, no, right_child, names)


@pytest.mark.parametrize("folder", FOLDERS)
def test_trees_are_those_of_tilde(folder: str) -> None:
    theirs = read_output(Path(str(DATA)) / "relational" / folder)
    safe, pruned = pruned_like_tilde(fitted(folder).tree_)
    check_same(pruned, theirs.pruned)
    assert (safe.n_internal, n_literals(safe)) == theirs.safe_size
    assert (pruned.n_internal, n_literals(pruned)) == theirs.pruned_size
    assert predicted_errors(safe) == pytest.approx(theirs.safe_errors, abs=1e-10)
    assert predicted_errors(pruned) == pytest.approx(theirs.pruned_errors, abs=1e-10)
    assert predicted_errors(pruned) == pytest.approx(ESTIMATES[folder.partition("/")[0]], abs=1e-7)


def test_gain_ratio_gives_the_same_bongard_tree() -> None:
    theirs = read_output(Path(str(DATA)) / "relational" / "bongard/prolog/keys")
    check_same(pruned_like_tilde(fitted("bongard/prolog/keys", split="gain_ratio").tree_)[1], theirs.pruned)


def test_sizes_of_the_mutagenesis_trees() -> None:
    """The numbers of nodes and the errors that ACE prints for them."""
    tree = fitted("mutagenesis/prolog").tree_
    safe, pruned = pruned_like_tilde(tree)
    assert [one.n_internal for one in (tree, safe, pruned)] == [24, 12, 8]
    assert predicted_errors(safe) == pytest.approx(71.4705074517, abs=1e-9)
    assert predicted_errors(pruned) == pytest.approx(66.6546112633, abs=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_preset_follows_the_settings_and_has_the_leaves_of_tilde(folder: str) -> None:
    database = application(folder)
    model = presets["tilde"](database=database)
    model.fit(database.keys(str(database.target).partition(".")[0]))
    theirs = read_output(Path(str(DATA)) / "relational" / folder)
    assert predicted_errors(model.tree_) == pytest.approx(theirs.pruned_errors, abs=1e-10)
    check_same(model.tree_, theirs.pruned)


@pytest.mark.parametrize("folder", FOLDERS)
def test_examples_reach_the_leaves_that_they_made(folder: str) -> None:
    model = fitted(folder)
    database = model.database
    table = str(database.target).partition(".")[0]
    chances = model.predict_proba(database.keys(table))
    labels = np.searchsorted(model.classes_, database.labels(str(database.target)))
    tree = model.tree_
    leaf_counts = tree.counts[tree.is_leaf]
    expected = sum((counts * counts / counts.sum()).sum() for counts in leaf_counts)
    assert chances[np.arange(len(labels)), labels].sum() == pytest.approx(expected)
