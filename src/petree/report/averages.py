"""What a tree with options averages over."""

from __future__ import annotations

import numpy as np

from petree.estimators.option.averaged import AveragedTrees
from petree.estimators.relational import RelationalOptionTreeClassifier
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.reading.sentences import sentence_of
from petree.report.texts import DIGITS
from petree.storage.values import Record
from petree.words import visible

# First tests that are listed.
MOST_LISTED = 12


def tell_options(model: AveragedTrees) -> Record:
    """How large the whole is, and by which first test its trees begin, with their posterior probability."""
    tree = model.tree_
    first = slice(0, int(tree.split_start[1]))
    texts = np.array([visible(_told(model, str(tree.conditions[split]))) for split in range(first.stop)], object)
    tests, owners = np.unique(texts.astype(str), return_inverse=True)
    weights = np.bincount(owners, model.shares_.go[first], len(tests))
    order = np.argsort(-weights, kind="stable")[:MOST_LISTED]
    return {
        "n_nodes": tree.n_nodes,
        "n_first": len(tests),
        "first": [[str(tests[place]), round(float(weights[place]), DIGITS)] for place in order],
    }


def _told(model: AveragedTrees, test: str) -> str:
    """A test as people read it: a query as a sentence."""
    if not isinstance(model, RelationalOptionTreeClassifier):
        return test
    return sentence_of(model.scope_, parse_literals(test)).success
