"""The way to every node of a tree, as the conditions that its rows meet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from petree.conditions import UNSEEN, Condition, Equals, In, Threshold
from petree.reading.walk import Step, walk
from petree.tree import Tree
from petree.words import named, visible

# How texts end that say "or": of columns, and of rows of several tables.
ENDS_OF_EITHER = (" or missing", " or none", " or there is none")


class _Bound(NamedTuple):
    value: float
    text: str


class _Categories(NamedTuple):
    """Codes of the categories that pass, or of those that do not."""

    codes: frozenset[int]
    are_inside: bool

    def narrowed(self, other: _Categories) -> _Categories:
        """What passes both."""
        if not self.are_inside and not other.are_inside:
            return _Categories(self.codes | other.codes, False)
        if self.are_inside and other.are_inside:
            return _Categories(self.codes & other.codes, True)
        inside, outside = (self, other) if self.are_inside else (other, self)
        return _Categories(inside.codes - outside.codes, True)


class PathClause(NamedTuple):
    """What a path asks of one column, or the text of one test.

    Bounds only where the tests are thresholds, categories where they are of categories.
    """

    text: str
    lower: _Bound | None = None
    upper: _Bound | None = None
    takes_missing: bool = True
    categories: _Categories | None = None


Path: TypeAlias = dict[Any, PathClause]


def paths(tree: Tree) -> Iterator[tuple[int, Path]]:
    """Every node with its path, in the order in which the tree is read.

    Bounds on the same column, and categories of the same column, are drawn together where that says exactly the same.
    """
    above: list[Path] = []  # the paths of the nodes above the one being read
    for step in walk(tree):
        del above[step.level :]
        above.append(_with_step(above[-1], step) if above else {})
        yield step.node, above[-1]


def premise(path: Path) -> str:
    """A path in words, such as ``if colour = blue and size < 3``; nothing for the root."""
    texts = [clause.text for clause in path.values()]
    if len(texts) > 1:  # "and" binds closer than "or"
        texts = [f"({text})" if text.endswith(ENDS_OF_EITHER) else text for text in texts]
    return f"if {' and '.join(texts)}" if texts else ""


def _with_step(path: Path, step: Step) -> Path:
    condition = step.condition
    if isinstance(condition, Threshold):
        return {**path, condition.column: _narrowed(path.get(condition.column, PathClause("")), condition, step.branch)}
    if isinstance(condition, Equals | In):
        return {**path, condition.column: _sifted(path.get(condition.column, PathClause("")), condition, step)}
    return {**path, step.text: PathClause(step.text)}


def _narrowed(clause: PathClause, condition: Threshold, branch: int) -> PathClause:
    """The clause and one more bound; missing values pass only where every test on the way lets them pass."""
    lower = clause.lower
    upper = clause.upper
    bound = _bound(condition)
    if branch == 0 and (upper is None or bound.value < upper.value):
        upper = bound
    if branch == 1 and (lower is None or bound.value > lower.value):
        lower = bound
    takes_missing = clause.takes_missing and condition.missing == branch
    text = _interval(named(condition.column.name), lower, upper) + " or missing" * takes_missing
    return PathClause(text, lower, upper, takes_missing)


def _sifted(clause: PathClause, condition: Equals | In, step: Step) -> PathClause:
    """The clause and one more test of categories; a single test keeps its text."""
    categories = _Categories(frozenset(condition.codes_of(0)), step.branch == 0)
    takes_missing = clause.takes_missing and condition.missing == step.branch
    if clause.categories is None:
        return PathClause(step.text, takes_missing=takes_missing, categories=categories)
    categories = clause.categories.narrowed(categories)
    branch = 0 if categories.are_inside else 1
    together = In(condition.column, tuple(sorted(categories.codes)), missing=branch if takes_missing else UNSEEN)
    return PathClause(visible(together.branches[branch]), takes_missing=takes_missing, categories=categories)


def _interval(name: str, lower: _Bound | None, upper: _Bound | None) -> str:
    below = "" if upper is None else f" < {upper.text}"
    if lower is None:
        return f"{name}{below}"
    return f"{lower.text} <= {name}{below}" if below else f"{name} >= {lower.text}"


def _bound(condition: Threshold) -> _Bound:
    return _Bound(condition.threshold, visible(condition.bound))


class StepDown(NamedTuple):
    """One step: the split that is asked, its condition, the branch that is taken, and the node that it leads to."""

    split: int
    condition: Condition
    branch: int
    node: int


def steps_to(tree: Tree, node: int) -> list[StepDown]:
    """The steps to a node, first that from the root; none to the root itself."""
    steps = []
    while node > 0:
        parent = int(tree.parents[node])
        split = int(tree.split_start[parent])
        branch = tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist().index(node)
        steps.append(StepDown(split, tree.conditions[split], branch, node))
        node = parent
    return steps[::-1]
