"""Conditions on the rows that a function is taken over, as a bias lists them.

They speak of the places of the function's own literal by slots, which are named once a query is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from petree.relational.bias.modes import CONSTANT, NAMED, AggregateMode, Condition, Mode
from petree.relational.queries.terms import ANONYMOUS, Atom, Comparison, Constant, Term, Variable
from petree.relational.refinement.families import AT_LEAST, BELOW, EQUALS, is_slot, slot_at

# Stands for the new variable of a second literal.
SECOND = Variable("second")


def conditions_of(aggregate: AggregateMode) -> Iterator[Condition]:
    """All conditions that a function with constants and thresholds listed may have: one of each place that has some."""
    choices = list(_own_choices(aggregate.mode, aggregate.place))
    if aggregate.where is not None:
        choices.append(list(_second_choices(aggregate.mode, aggregate.where)))
    for chosen in product(*choices):
        yield tuple(literal for part in chosen for literal in part)


def _own_choices(mode: Mode, place: int | None) -> Iterator[list[Condition]]:
    """What may be asked of the columns of the function's own rows, but for the one it is taken of."""
    for at, argument in enumerate(mode.arguments):
        values = argument.constants or ()
        if at == mode.compared:
            yield list(_comparisons(slot_at(at), values))
        elif argument.kind == CONSTANT and at != place:
            yield [(Comparison(slot_at(at), EQUALS, value),) for value in values]


def _comparisons(slot: Variable, values: Sequence[Constant]) -> Iterator[Condition]:
    return ((Comparison(slot, kind, value),) for value in values for kind in (BELOW, AT_LEAST))


def _second_choices(mode: Mode, where: Mode) -> Iterator[Condition]:
    """The ways to use a second literal, which is joined to the arguments that it names."""
    names = [argument.name for argument in mode.arguments]
    terms: list[Sequence[Term]] = []
    for at, argument in enumerate(where.arguments):
        if at == where.compared:
            terms.append((SECOND,))
        elif argument.kind == NAMED:
            terms.append((slot_at(names.index(argument.name)),))
        else:
            terms.append(argument.constants or () if argument.kind == CONSTANT else (ANONYMOUS,))
    values = () if where.compared is None else where.arguments[where.compared].constants or ()
    for chosen in product(*terms):
        atom = Atom(where.relation, chosen)
        if where.compared is None:
            yield (atom,)
        else:
            yield from ((atom, *comparison) for comparison in _comparisons(SECOND, values))


# -- in a query ------------------------------------------------------------------------------------------------


def placed(atom: Atom, conditions: Condition, fresh: Iterator[Variable]) -> tuple[Atom, Condition]:
    """The atom of a function and its conditions, with variables for all slots; a value stands in the atom itself."""
    names: dict[Term, Term] = {slot_at(at): one for at, one in enumerate(atom.arguments) if one != ANONYMOUS}
    found = []
    for condition in conditions:
        if isinstance(condition, Atom):
            names.pop(SECOND, None)  # each second literal has one of its own
        for variable in condition.variables:
            if variable in names:
                continue
            is_value = isinstance(condition, Comparison) and condition.operator == EQUALS
            names[variable] = condition.right if isinstance(condition, Comparison) and is_value else next(fresh)
            if is_slot(variable):
                atom = atom.with_argument(int(variable.name[1:]), names[variable])
        if not isinstance(condition, Comparison) or condition.operator != EQUALS:
            found.append(condition.renamed(names))
    return atom, tuple(found)


def grouped(conditions: Condition) -> list[Condition]:
    """Conditions each with what belongs to it: a second literal with the comparison of its new variable."""
    groups: list[Condition] = []
    for one in conditions:
        if isinstance(one, Comparison) and one.left == SECOND:
            groups[-1] = (*groups[-1], one)
        else:
            groups.append((one,))
    return groups


def may_follow(conditions: Condition, further: Condition) -> bool:
    """Whether further conditions say something new: not again, and nothing of a column whose value is known."""
    known = grouped(conditions)
    own = [one for one in conditions if isinstance(one, Comparison) and one.left != SECOND]
    settled = {one.left for one in own if one.operator == EQUALS}
    compared = {one.left for one in own}
    for group in grouped(further):
        first = group[0]
        if group in known:
            return False
        if isinstance(first, Comparison) and first.left in (compared if first.operator == EQUALS else settled):
            return False
    return True
