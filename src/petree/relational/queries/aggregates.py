"""Functions over the rows that an atom matches: how many, their least, mean or most frequent value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.relational.queries.scope import Scope, Step, arguments_of
from petree.relational.queries.terms import Aggregation, Atom, Comparison, Term, Variable, named_variables
from petree.relational.relations import MISSING, Domain

if TYPE_CHECKING:
    from petree.relational.queries.answers import Answers

Owners = NDArray[np.int32]
# Numbers, or codes of the domain.
Values = tuple[NDArray[Any], Domain | None]


def aggregate(answers: Answers, literal: Aggregation) -> Values:
    """Value of an aggregation for each answer: numbers, or codes of the domain that is returned (of a mode).

    Where the rows depend on nothing but one row of the answer, they are looked at once for each key.
    """
    scope = answers.scope
    step = scope.join(literal.chain[0])[0]
    if not goes_by_key(scope, step, literal):
        return _of_answers(answers, literal)
    left = scope.relations[step.row]
    place = None if literal.variable is None else literal.atom.arguments.index(literal.variable)
    rows_of = (left, step.left, step.relation, step.right, step.constants, step.repeated)
    is_plain = not (literal.through or literal.conditions)
    # The bound on answers is in the key, since functions behind two links have none where there are more.
    key = (answers.most, *rows_of, literal.function, place, literal.share, () if is_plain else _nameless(literal))
    _, part_of, n_parts = scope.database.link(left, step.left, step.relation, step.right).groups
    n_bytes = n_parts * np.dtype(np.float64).itemsize
    values, domain = scope.database.arrays.find(key, lambda: _of_keys(answers, literal, step), n_bytes)
    return values[part_of[answers.rows[step.row]]], domain


def _nameless(literal: Aggregation) -> tuple[Atom | Comparison, ...]:
    """The atoms and the conditions, with variables named by the order in which they come."""
    parts = (*literal.chain, *literal.conditions)
    found = dict.fromkeys(variable for one in parts for variable in one.variables)
    names: dict[Term, Term] = {variable: Variable(f"V{place}") for place, variable in enumerate(found)}
    return tuple(one.renamed(names) for one in parts)


def goes_by_key(scope: Scope, step: Step, literal: Aggregation) -> bool:
    """Whether all examples see the same rows behind a row, and what follows looks at nothing else of the answer."""
    relations = [scope.database.relation(atom.relation) for atom in literal.atoms]
    is_timed = scope.relation(0).time is not None and any(one.time is not None for one in relations)
    first = literal.chain[0]
    further: list[Atom | Comparison] = [*literal.chain[1:], *literal.conditions]
    looked_at = {variable for one in further for variable in one.variables}
    is_alone = looked_at.intersection(scope.places).issubset(first.variables)
    is_of_example = any(one.of_others or (one.of_examples and further) for one in relations)
    return is_alone and not (step.agree or is_timed or is_of_example)


def _of_keys(answers: Answers, literal: Aggregation, step: Step) -> Values:
    """Value for each part of the relation whose rows have one key."""
    database = answers.scope.database
    link = database.link(answers.scope.relations[step.row], step.left, step.relation, step.right)
    owners, _, n_parts = link.groups
    terms = named_variables(arguments_of(database.relation(step.relation), literal.chain[0]))
    scope = Scope(database, (step.relation,), {variable: ((0, column),) for column, variable in reversed([*terms])})
    rows = type(answers)(scope, np.arange(n_parts, dtype=np.int32), owners, (link.rows,), answers.most)
    found = rows.agreeing(replace(step, is_same=False), 0).extend(literal.chain[1:])
    return _of_rows(found, literal, n_parts)


def _of_answers(answers: Answers, literal: Aggregation) -> Values:
    """Value for each answer by itself."""
    n = len(answers)
    return _of_rows(replace(answers, owners=np.arange(n, dtype=np.int32)).extend(literal.chain), literal, n)


def _of_rows(joined: Answers, literal: Aggregation, n: int) -> Values:
    """The function over the rows of each of n owners, as far as they fit the conditions."""
    if literal.conditions:
        alone = np.arange(len(joined), dtype=np.int32)
        joined = joined.take(replace(joined, examples=alone, owners=alone).extend(literal.conditions).covered)
    if literal.function == "count":
        return np.bincount(joined.owners, minlength=n).astype(np.float64), None
    assert literal.variable is not None
    codes = joined.codes_of(literal.variable)
    domain = joined.domain_of(literal.variable)
    is_known = codes != MISSING
    owners = joined.owners[is_known]
    codes = codes[is_known]
    if literal.function == "mode":
        return _modes(owners, codes, n, len(domain)), domain
    if literal.function == "proportion":
        assert literal.share is not None
        return _means(owners, (codes == domain.code(literal.share.value)).astype(np.float64), n), None
    return FUNCTIONS[literal.function](owners, domain.numbers[codes], n), None


def _sums(owners: Owners, values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    sums = np.empty(n)
    core.relations.sum_by_owner(owners, values, sums, core.NO_STOP)
    return sums


def _means(owners: Owners, values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    sizes = np.bincount(owners, minlength=n)
    return np.divide(_sums(owners, values, n), sizes, out=np.full(n, np.nan), where=sizes > 0)


def _least(owners: Owners, values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    out = np.full(n, np.nan)
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    if len(starts):
        out[owners[starts]] = np.minimum.reduceat(values, starts)
    return out


def _greatest(owners: Owners, values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    return -_least(owners, -values, n)


def _modes(owners: Owners, codes: NDArray[np.int32], n: int, n_values: int) -> NDArray[np.int32]:
    """Most frequent code of each owner, the first of equals."""
    n_values = max(n_values, 1)
    pairs, counts = np.unique(owners.astype(np.int64) * n_values + codes, return_counts=True)
    rising = pairs[np.lexsort((pairs, -counts))[::-1]]
    out = np.full(n, MISSING, np.int32)
    out[rising // n_values] = rising % n_values  # what is written last is the most frequent
    return out


FUNCTIONS = {"sum": _sums, "mean": _means, "min": _least, "max": _greatest}
