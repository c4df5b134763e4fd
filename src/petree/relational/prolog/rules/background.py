"""Background knowledge: rules without recursion, turned into rows from the bottom up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from petree.relational.comparisons import ComparisonRule
from petree.relational.prolog.rules.facts import Program, Rows, Symbols, arguments_of, predicate_of, union
from petree.relational.prolog.rules.solver import MOST_ROWS, MOST_ROWS_OF_A_FACT, Knowledge, Solver
from petree.relational.prolog.syntax.clauses import Clause
from petree.relational.prolog.syntax.terms import CHAINS, Operation, Parsed
from petree.relational.queries.terms import OPERATORS, Comparison, Constant, Predicate, Variable, named_variables

Types = Mapping[Predicate, tuple[str | None, ...]]


def declared_types(types: Types, predicate: Predicate) -> tuple[str | None, ...]:
    """The types of the arguments of a predicate; None where none is declared."""
    return types.get(predicate, (None,) * predicate.arity)


# How comparisons of rules are written in queries.
AS_IN_QUERIES = {"==": "=", "\\==": "\\=", "=:=": "=", "=\\=": "\\="} | {operator: operator for operator in OPERATORS}
# Goals that need no facts.
ALWAYS_KNOWN = (Predicate("true", 0), Predicate("fail", 0), Predicate("false", 0))


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
    most_rows = max(MOST_ROWS, MOST_ROWS_OF_A_FACT * sum(map(len, program.facts.values())))
    knowledge = Knowledge(symbols, symbols.encode(program.models), most_rows)
    for predicate in in_order(program, wanted):
        rules = program.rules.get(predicate, [])
        condition = None if predicate in program.facts else condition_of(rules, declared_types(types, predicate))
        if condition is not None:
            knowledge.conditions[predicate] = condition
        else:
            parts = program.rows(predicate, symbols)
            parts += [Solver(knowledge, clause).rows() for clause in rules]
            check_models(predicate, parts, knowledge)
            knowledge.rows[predicate] = union(parts, knowledge.models)
    return knowledge


def check_models(predicate: Predicate, parts: Sequence[Rows], knowledge: Knowledge) -> None:
    """Refuse rows outside of models that would be too many when they are those of every model."""
    n_rows = sum(len(part.codes) for part in parts if not part.of_models) * len(knowledge.models)
    if any(part.of_models for part in parts) and n_rows > knowledge.most_rows:
        raise ValueError(
            f"{predicate} stands inside of models and outside, which makes {n_rows} rows, one in every model for "
            "each outside; write all of them inside, or give those outside another name."
        )


def in_order(program: Program, wanted: Iterable[Predicate]) -> list[Predicate]:
    """The wanted predicates and those they call, each after all that it calls."""
    ordered: dict[Predicate, None] = {}
    for predicate in wanted:
        if predicate not in ordered:
            visit(program, predicate, ordered)
    return list(ordered)


def visit(program: Program, first: Predicate, ordered: dict[Predicate, None]) -> None:
    """Put a predicate in order, after all that it calls; those on the way to one another wait in `callers`."""
    callers = {first: called_by(program, first)}
    while callers:
        predicate = next(reversed(callers))
        called, clause = next(callers[predicate], (None, None))
        if called is None or clause is None:
            ordered[predicate] = None
            del callers[predicate]
        elif called in callers:
            raise ValueError(
                f"{clause.where}: {called} calls itself; recursion is not supported, so write it as facts."
            )
        elif called not in ordered:
            callers[called] = called_by(program, called)


def called_by(program: Program, predicate: Predicate) -> Iterator[tuple[Predicate, Clause]]:
    """Predicates that the rules of one call, with the rule; one that is not there is refused."""
    for clause in program.rules.get(predicate, []):
        for called in calls(clause.body, clause):
            if not program.knows(called):
                raise ValueError(f"{clause.where}: {called} has no facts and no rules; add some, or correct the name.")
            yield called, clause


def goals(term: Parsed | None) -> Iterator[Parsed]:
    """The parts of a body that are no conjunction or disjunction."""
    waiting = [] if term is None else [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Operation) and part.operator in CHAINS:
            waiting.extend(reversed(part.arguments))
        else:
            yield part


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


def condition_of(rules: list[Clause], types: tuple[str | None, ...]) -> ComparisonRule | None:
    """The comparison that a predicate stands for, if it is nothing else: ``equals(X, X)``, ``less(X, Y) :- X < Y``."""
    if len(rules) != 1:
        return None
    arguments = arguments_of(rules[0].head)
    match rules[0].body, arguments:
        case None, (Variable() as one, other) if one == other:
            comparison: Comparison | None = Comparison(Variable("X"), "=", Variable("Y"))
            arguments = (Variable("X"), Variable("Y"))
        case Operation() as body, _:
            comparison = compared(body, arguments)
        case _:
            comparison = None
    return None if comparison is None else ComparisonRule(tuple(map(str, arguments)), types, comparison)


def compared(body: Operation, arguments: tuple[Parsed, ...]) -> Comparison | None:
    """The comparison that is all of a body, of distinct variables of the head or of one with a value."""
    variables = {one for _, one in named_variables(arguments)}
    if body.operator not in AS_IN_QUERIES or len(variables) < len(arguments):
        return None
    operator = AS_IN_QUERIES[body.operator]
    match body.arguments:
        case (Constant() as value, Variable() as variable) if variable in variables:
            return Comparison(variable, OPERATORS[operator], value)
        case (Variable() as variable, Constant() as value) if variable in variables:
            return Comparison(variable, operator, value)
        case (Variable() as left, Variable() as right) if {left, right} <= variables:
            return Comparison(left, operator, right)
    return None
