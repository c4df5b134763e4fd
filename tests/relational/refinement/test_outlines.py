"""Trees that share what they find out about queries are those that each would be by itself."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.relational.random_databases import random_models, random_tables

from petree import RelationalTreeClassifier
from petree.estimators.learning.cases import Cases
from petree.estimators.relational.sources import RelationalSourceMaker
from petree.growing import Stopping, grow
from petree.relational import Database
from petree.relational.bias.modes import Lookahead, Mode
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.refinement.outlines import Outlines, without_values
from petree.splitting import Gain
from petree.threads import Threads


def made(database: Database, target: str, **parameters: Any) -> tuple[RelationalSourceMaker, Cases]:
    """What makes the sources of a fit, and all its cases."""
    model = RelationalTreeClassifier(database, target, pruning="none", **parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ids that are not declared
        return model._prepare(database.keys(target.partition(".")[0]), None)


def grown_tests(maker: RelationalSourceMaker, cases: Cases) -> tuple[list[str], list[Any], list[Any]]:
    """The tests of a tree, its counts, and how many tests it tried at each node."""
    tree = grow(maker.source(cases, Gain(), 1, Threads(1)), Stopping(), cases.classes.tolist()).tree
    return [str(one) for one in tree.conditions], tree.counts.tolist(), tree.n_tests.tolist()


def parts(cases: Cases, seed: int) -> list[Cases]:
    """All cases, and some of them again and again: values that few examples have are not tried in each part."""
    random = np.random.default_rng(seed)
    chosen: list[NDArray[np.intp]] = [np.sort(random.permutation(len(cases.codes))[: 7 + k]) for k in range(4)]
    return [cases, *(cases.take(rows) for rows in chosen)]


def check_shared(maker: RelationalSourceMaker, cases: Cases, seed: int) -> None:
    for some in parts(cases, seed):
        assert grown_tests(maker, some) == grown_tests(replace(maker, outlines=Outlines()), some)


@pytest.mark.parametrize("seed", range(9))
def test_parts_of_tables(seed: int) -> None:
    functions = (("count",), ("count", "mean", "mode", "proportion"), ("count", "complex"))[seed % 3]
    database = random_tables(seed, n=14).database()
    check_shared(*made(database, "thing.class", aggregates=functions, max_links=1 + seed % 3), seed)


@pytest.mark.parametrize("seed", range(3))
def test_parts_of_models(seed: int) -> None:
    check_shared(*made(random_models(seed, n=20)[0], "model.class"), seed)


@pytest.mark.parametrize("alone", [True, False])
def test_what_is_looked_ahead_behind_a_value(alone: bool) -> None:
    """There the values of a part stand in literals, and are no others' affair."""
    maker, cases = made(random_tables(4, n=14).database(), "thing.class")
    lookaheads = tuple(replace(one, alone=alone) for one in maker.bias.lookaheads)
    assert lookaheads
    check_shared(replace(maker, bias=replace(maker.bias, lookaheads=lookaheads)), cases, 4)


def test_nothing_is_outlined_twice() -> None:
    maker, cases = made(random_tables(2, n=14).database(), "thing.class")
    grown_tests(maker, cases)
    known = len(maker.outlines)
    assert known
    grown_tests(maker, cases)
    assert len(maker.outlines) == known


def without_constants(mode: Mode) -> Mode:
    arguments = (replace(one, constants=()) if place == mode.tried else one for place, one in enumerate(mode.arguments))
    return replace(mode, arguments=tuple(arguments))


def test_outlines_depend_on_no_values_but_those_in_literals() -> None:
    maker, cases = made(random_tables(4, n=14).database(), "thing.class")
    one, other = (maker.source(some, Gain(), 1, Threads(1)).refiner.bias for some in parts(cases, 1)[:2])
    kept = [mode for mode in one.modes if mode.relation in {mode.relation for mode in other.modes}]
    same = replace(one, modes=tuple(kept))
    without = replace(same, modes=tuple(map(without_constants, kept)))
    assert without != same
    assert without_values(same, ()) == without_values(without, ())
    relations = {mode.relation for mode in kept}
    assert without_values(same, relations) != without_values(without, relations)
    ahead = Lookahead(next(iter(parse_literals("part(A, B)"))), kept[0])
    assert without_values(replace(same, lookaheads=(ahead,)), ())[0] == same.modes
