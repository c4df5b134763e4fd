"""Background knowledge: rules without recursion, turned into rows from the bottom up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from petree.relational.database import Condition
from petree.relational.prolog.clauses import Clause
from petree.relational.prolog.facts import Predicate, Program, Symbols, arguments_of, predicate_of, union
from petree.relational.prolog.parser import Operation, Parsed
from petree.relational.prolog.solver import Knowledge, Solver, negated
from petree.relational.terms import OPERATORS, Comparison, Constant, Variable

Types = Mapping[Predicate, tuple[str | None, ...]]

# How comparisons of rules are written in queries.
AS_IN_QUERIES = {"==": "=", "\\==": "\\=", "=:=": "=", "=\\=": "\\="} | {operator: operator for operator in OPERATORS}
# Goals that need no facts.
ALWAYS_KNOWN = (("true", 0), ("fail", 0), ("false", 0))


def derive(program: Program, wanted: Iterable[Predicate], types: Types) -> Knowledge:
    """Rows of the wanted predicates and of all that their rules call.

    Parameters
    ----------
    program : Program
    wanted : iterable of Predicate
    types : mapping
        Types of the arguments of predicates, for those that turn out to be conditions.
    """
    symbols = Symbols()
    knowledge = Knowledge(symbols, symbols.encode(program.models))
    for predicate in in_order(program, wanted):
        rules = program.rules.get(predicate, [])
        condition = None if predicate in program.facts else condition_of(rules, types.get(predicate))
        if condition is not None:
            knowledge.conditions[predicate] = condition
        else:
            parts = program.rows(predicate, symbols)
            parts += [Solver(knowledge, clause).rows() for clause in rules]
            knowledge.rows[predicate] = union(parts, knowledge.models)
    return knowledge


def in_order(program: Program, wanted: Iterable[Predicate]) -> list[Predicate]:
    """The wanted predicates and those they call, each after all that it calls."""
    ordered: dict[Predicate, None] = {}
    for predicate in wanted:
        visit(program, predicate, ordered, ())
    return list(ordered)


def visit(
    program: Program, predicate: Predicate, ordered: dict[Predicate, None], callers: tuple[Predicate, ...]
) -> None:
    """Put a predicate in order, after all that it calls."""
    if predicate in ordered:
        return
    for clause in program.rules.get(predicate, []):
        for called in calls(clause.body, clause):
            name = f"{called[0]}/{called[1]}"
            if called == predicate or called in callers:
                raise ValueError(
                    f"{clause.where}: {name} calls itself; recursion is not supported, so write it as facts."
                )
            if not program.knows(called):
                raise ValueError(f"{clause.where}: {name} has no facts and no rules; add some, or correct the name.")
            visit(program, called, ordered, (*callers, predicate))
    ordered[predicate] = None


def goals(term: Parsed | None) -> Iterator[Parsed]:
    """The parts of a body that are no conjunction, disjunction or negation."""
    if term is None:
        return
    denied = negated(term)
    if denied is not None:
        yield from goals(denied)
    elif isinstance(term, Operation) and term.operator in (",", ";"):
        for part in term.arguments:
            yield from goals(part)
    else:
        yield term


def calls(body: Parsed | None, clause: Clause) -> Iterator[Predicate]:
    """Predicates that a body calls."""
    for goal in goals(body):
        if not isinstance(goal, Operation):
            predicate = predicate_of(goal, clause)
            if predicate not in ALWAYS_KNOWN:
                yield predicate


def named_in_rules(program: Program) -> set[Predicate]:
    """Predicates that rules define or call."""
    called = {predicate for rules in program.rules.values() for one in rules for predicate in calls(one.body, one)}
    return {*program.rules, *called}


def condition_of(rules: list[Clause], types: tuple[str | None, ...] | None) -> Condition | None:
    """The comparison that a predicate stands for, if it is nothing else: ``equals(X, X)``, ``less(X, Y) :- X < Y``."""
    if len(rules) != 1:
        return None
    arguments, body = arguments_of(rules[0].head), rules[0].body
    if body is None:
        comparison = repeated(arguments)
        arguments = (Variable("X"), Variable("Y"))
    else:
        comparison = compared(body, arguments)
    if comparison is None:
        return None
    return Condition(tuple(map(str, arguments)), types or (None,) * len(arguments), comparison)


def repeated(arguments: tuple[Parsed, ...]) -> Comparison | None:
    """The equality of two arguments that are one variable."""
    is_twice = len(arguments) == 2 and isinstance(arguments[0], Variable) and arguments[0] == arguments[1]
    return Comparison(Variable("X"), "=", Variable("Y")) if is_twice else None


def compared(body: Parsed, arguments: tuple[Parsed, ...]) -> Comparison | None:
    """The comparison that is all of a body, of distinct variables of the head or of one with a value."""
    variables = {one for one in arguments if isinstance(one, Variable) and not one.is_anonymous}
    if not isinstance(body, Operation) or body.operator not in AS_IN_QUERIES or len(variables) < len(arguments):
        return None
    operator, (left, right) = AS_IN_QUERIES[body.operator], body.arguments
    if isinstance(left, Constant):
        left, operator, right = right, OPERATORS[operator], left
    if left not in variables or not (isinstance(right, Constant) or right in variables):
        return None
    return Comparison(left, operator, right)
