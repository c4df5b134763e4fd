"""Trees whose tests are told in sentences, for everything that shows a tree to people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import UNSEEN, Conditions, Query
from petree.pruning.engine.log import PruningLog, Reasons
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.relational.reading.sentences import Sentence, sentence_of
from petree.relational.routing import RelationalRouter
from petree.tree import Tree


@dataclass(frozen=True)
class SentenceQuery(Query):
    """A test with a text of its own for the branch where it fails."""

    failure: str = ""

    def _texts(self) -> tuple[str, ...]:
        return self.text, self.failure


@dataclass(frozen=True, eq=False)
class SentenceConditions(Conditions):
    """Conditions whose extras are sentences."""

    def take(self, rows: NDArray[np.intp]) -> SentenceConditions:
        return SentenceConditions(**super().take(rows).__dict__)

    def __getitem__(self, row: Any) -> Any:
        sentence: Sentence = self.extras[int(self.value[row])]
        return SentenceQuery(sentence.success, missing=UNSEEN, failure=sentence.failure)


def tell_tree(tree: Tree, scope: Scope) -> Tree:
    """The same tree with sentences for its tests, and in its pruning log; `scope` is that of the empty query."""
    router = RelationalRouter.of(tree, scope)
    sentences = tuple(sentence_at(router, node) for node in tree.split_nodes.tolist())
    n = len(sentences)
    conditions = replace(tree.conditions, value=np.arange(n, dtype=np.float64), extras=sentences)
    told = replace(tree, conditions=SentenceConditions(**conditions.__dict__))
    if isinstance(tree.pruning_log, PruningLog):
        return told.with_log(replace(tree.pruning_log, grown=tell_tree(tree.pruning_log.grown, scope)))
    if isinstance(tree.pruning_log, Reasons):
        return told.with_log(_tell_reasons(tree.pruning_log, router))
    return told


def sentence_at(router: RelationalRouter, node: int) -> Sentence:
    """The test of a node in words."""
    return sentence_of(router.scope.extend(router.query(node)), router.literals[node])


def _tell_reasons(reasons: Reasons, router: RelationalRouter) -> Reasons:
    scopes = (router.scope.extend(router.query(node)) for node in reasons.nodes.tolist())
    tests = (
        sentence_of(scope, parse_literals(text)).success if text else ""
        for scope, text in zip(scopes, reasons.tests, strict=True)
    )
    return replace(reasons, tests=tuple(tests))
