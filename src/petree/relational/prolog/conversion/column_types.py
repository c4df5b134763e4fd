"""Which type each argument of a predicate has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

from petree.relational.bias.modes import CONSTANT, EITHER, INPUT, NAMED, Bias, Lookahead, Mode
from petree.relational.prolog.rules.background import Types, declared_types, goals
from petree.relational.prolog.rules.facts import Program, arguments_of, predicate_of
from petree.relational.prolog.syntax.clauses import Clause
from petree.relational.prolog.syntax.terms import Operation
from petree.relational.queries.terms import Predicate, Variable, named_variables
from petree.relational.relations import KEY, NOMINAL

# A variable of a rule, and the predicate and the argument where it stands.
Use = tuple[Variable, Predicate, int]


def inferred_types(declared: Types, program: Program) -> dict[Predicate, tuple[str | None, ...]]:
    """Declared types, and those that arguments get from variables they share with others in a rule."""
    types = {predicate: list(names) for predicate, names in declared.items()}
    uses = [list(variable_places(clause)) for rules in program.rules.values() for clause in rules]
    rules_of: dict[Predicate, set[int]] = {}
    for number, places in enumerate(uses):
        for _, predicate, _ in places:
            rules_of.setdefault(predicate, set()).add(number)
    waiting = set(range(len(uses)))
    while waiting:
        waiting = one_round(waiting, uses, rules_of, types)
    return {predicate: tuple(names) for predicate, names in types.items()}


def one_round(
    waiting: set[int],
    uses: list[list[Use]],
    rules_of: dict[Predicate, set[int]],
    types: dict[Predicate, list[str | None]],
) -> set[int]:
    """Look at the waiting rules in their order, and at those behind that have learnt of a type; the others are left."""
    in_turn = sorted(waiting)
    left: set[int] = set()
    seen = set(waiting)
    while in_turn:
        number = heappop(in_turn)
        touched = {other for predicate in pass_on(uses[number], types) for other in rules_of[predicate]}
        left |= {other for other in touched if other <= number}
        for other in touched - seen:
            if other > number:
                heappush(in_turn, other)
                seen.add(other)
    return left


def variable_places(clause: Clause) -> Iterator[Use]:
    """Where the variables of a rule stand."""
    for term in (clause.head, *goals(clause.body)):
        if not isinstance(term, Operation):
            predicate = predicate_of(term, clause)
            yield from ((variable, predicate, place) for place, variable in named_variables(arguments_of(term)))


def pass_on(places: Sequence[Use], types: dict[Predicate, list[str | None]]) -> set[Predicate]:
    """Give arguments without a type the one that their variable has elsewhere in the rule; tells whose got one."""
    known: dict[Variable, str] = {}
    for variable, predicate, place in places:
        name = types.setdefault(predicate, [None] * predicate.arity)[place]
        if name is not None:
            known.setdefault(variable, name)
    changed = set()
    for variable, predicate, place in places:
        if types[predicate][place] is None and variable in known:
            types[predicate][place] = known[variable]
            changed.add(predicate)
    return changed


def declared_kinds(bias: Bias, types: Types, conditions: Iterable[Predicate]) -> dict[str, str]:
    """What columns of a type are by the modes: nominal if compared with constants, keys if rows are found by them."""
    modes = [*bias.modes, *(one.second for one in bias.lookaheads), *(one.mode for one in bias.aggregates)]
    rows = [mode for mode in modes if mode.predicate not in conditions]
    kinds = dict.fromkeys(types_at(rows, types, (INPUT, EITHER, NAMED)), KEY)
    tried = [*types_at(modes, types, (CONSTANT,)), *types_looked_at(bias.lookaheads, types, conditions)]
    return kinds | dict.fromkeys(tried, NOMINAL)


def types_at(modes: Iterable[Mode], types: Types, kinds: tuple[str, ...]) -> Iterator[str]:
    """Types of the arguments of these kinds."""
    for mode in modes:
        for argument, name in zip(mode.arguments, declared_types(types, mode.predicate), strict=True):
            if argument.kind in kinds and name is not None:
                yield name


def types_looked_at(lookaheads: Iterable[Lookahead], types: Types, conditions: Iterable[Predicate]) -> Iterator[str]:
    """Types of variables that a condition of a lookahead compares with constants."""
    for lookahead in lookaheads:
        first = lookahead.first
        second = lookahead.second
        named = {argument.name for argument in second.arguments if argument.kind == NAMED}
        tries = any(argument.kind == CONSTANT for argument in second.arguments)
        names = zip(first.arguments, declared_types(types, first.predicate), strict=True)
        if tries and second.predicate in conditions:
            yield from (name for term, name in names if name and str(term) in named)
