"""The tests that may refine a query, one by one, from the meaning of modes, lookaheads and aggregates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from tests.relational.oracles.vocabulary import Vocabulary

from petree.relational import AggregateMode, Bias, Database, Lookahead, Mode
from petree.relational.queries.terms import ANONYMOUS, Aggregation, Atom, Comparison, Constant, Literal, Term, Variable

Test = tuple[Literal, ...]


def refinements(vocabulary: Vocabulary, bias: Bias, query: Iterable[Literal], uses: Mapping[int, int]) -> list[Any]:
    """All tests with the number of their mode, in order.

    Literals that the query has already are dropped, but for those about the example's own row, whose tests are the same
    everywhere, as in a single table; thresholds and aggregates are offered again. Where rows are bounded, tests about
    rows that were found come first, then all that the empty query has.
    """
    found, asked = list[tuple[int, Test]](), set(query)
    for number, mode in enumerate(bias.modes):
        if mode.most_uses is not None and uses.get(number, 0) >= mode.most_uses:
            continue
        for family in instances(mode, vocabulary, {}):
            found += [(number, test) for test in family if is_own(test, vocabulary) or not asked.issuperset(test)]
            found += [(number, test) for test in ahead(family, vocabulary, bias, bias.max_lookahead)]
    for number, aggregate in enumerate(bias.aggregates, len(bias.modes)):
        found += [(number, test) for test in aggregations(aggregate, vocabulary)]
    if bias.max_links is None:
        return found
    near = [one for one in found if not is_beyond(vocabulary.after(spoken_of(one[1])), bias)]
    if len(vocabulary.rows) == 1:
        return near
    alone = vocabulary.alone()
    others = set(vocabulary.known(None)).difference(alone.known(None))
    own = [one for one in near if any(others.intersection(literal.named) for literal in one[1])]
    return [*own, *refinements(alone, bias, asked, uses)]


def is_beyond(vocabulary: Vocabulary, bias: Bias) -> bool:
    """Whether a query speaks of more rows than it may."""
    return bias.max_links is not None and len(vocabulary.rows) - 1 > bias.max_links


def refined(vocabulary: Vocabulary, test: Test, bias: Bias) -> Vocabulary:
    """What can be asked about once a test holds: the rows before are forgotten where all would be too many."""
    after = vocabulary.after(test)
    return vocabulary.alone().after(test) if is_beyond(after, bias) else after


def spoken_of(test: Test) -> Test:
    """A test with the atoms that its functions are over, whose rows count as one."""
    found: list[Any] = []
    for literal in test:
        found += (
            [*literal.through, literal.atom, *literal.conditions] if isinstance(literal, Aggregation) else [literal]
        )
    return tuple(found)


def is_own(test: Test, vocabulary: Vocabulary) -> bool:
    """Whether a test is about the row of the example itself."""
    return isinstance(test[0], Atom) and vocabulary.row_of(test[0]) == 0


def instances(mode: Mode, vocabulary: Vocabulary, named: Mapping[str, Term]) -> Iterator[list[Test]]:
    """All ways to use a mode, in groups that differ in one value alone."""
    condition = vocabulary.database.conditions.get(mode.relation)
    if condition is not None:
        types: Any = condition.types
    else:
        types = [column.domain.name for column in vocabulary.database.relation(mode.relation).written]
    constants = [place for place, argument in enumerate(mode.arguments) if argument.kind == "#"]
    last = constants[-1] if constants and mode.compared is None else None
    choices = []
    for place, (argument, kind) in enumerate(zip(mode.arguments, types, strict=True)):
        if place in (last, mode.compared, mode.known):
            choices.append([None])
        else:
            choices.append(choices_of(argument, kind, vocabulary, named))
    for terms in product(*choices):
        if not vocabulary.comes_back(mode, terms):
            yield group(mode, vocabulary, list(terms), last, is_alone=not named)


def choices_of(argument: Any, kind: str | None, vocabulary: Vocabulary, named: Mapping[str, Term]) -> list[Any]:
    """What may stand at a place; None is a new variable."""
    known = vocabulary.known(kind)
    return {
        "+": lambda: known,
        "-": lambda: [None],
        "+-": lambda: [*known, None],
        "#": lambda: list(argument.constants),
        "=": lambda: [named[argument.name]],
        "_": lambda: [ANONYMOUS],
    }[argument.kind]()


def group(mode: Mode, vocabulary: Vocabulary, terms: list[Any], last: int | None, is_alone: bool) -> list[Test]:
    """The tests of a mode whose arguments are settled but for the values that are tried.

    Of the example's own row, which is always there, "below" alone says it all, unless it comes behind another literal.
    """
    values = [None] if last is None else list(mode.arguments[last].constants or ())
    atoms = []
    for value in values:
        given = [value if place == last and last is not None else term for place, term in enumerate(terms)]
        fresh = iter(Variable(f"N{k}") for k in range(len(vocabulary.types), 1000))
        atoms.append(Atom(mode.relation, tuple(next(fresh) if one is None else one for one in given)))
    if mode.relation in vocabulary.database.conditions:
        return [(compared(vocabulary.database, atom),) for atom in atoms]
    if mode.known is not None:
        ((atom,), value) = atoms, atoms[0].arguments[mode.known]
        assert isinstance(value, Variable)
        return [(atom, Comparison(value, "=", value))]
    if mode.compared is None:
        return [(atom,) for atom in atoms]
    (atom,), thresholds = atoms, mode.arguments[mode.compared].constants or ()
    slot = atom.arguments[mode.compared]
    assert isinstance(slot, Variable)
    operators = ["<"] if is_alone and vocabulary.row_of(atom) == 0 else ["<", ">="]
    return [(atom, Comparison(slot, operator, one)) for operator in operators for one in thresholds]


def compared(database: Database, atom: Atom) -> Comparison:
    """What a predicate without rows says of its arguments."""
    condition = database.conditions[atom.relation]
    given = dict(zip(condition.arguments, atom.arguments, strict=True))
    sides = [given[str(side)] for side in (condition.comparison.left, condition.comparison.right)]
    left, right = sides if isinstance(sides[0], Variable) else sides[::-1]
    assert isinstance(left, Variable)
    return Comparison(left, condition.comparison.operator, right)


def ahead(family: Iterable[Test], vocabulary: Vocabulary, bias: Bias, steps: int) -> Iterator[Test]:
    """What may be asked together with each test of a group."""
    family = list(family)
    if not steps:
        return
    for lookahead in bias.lookaheads:
        for test in family:
            named = names_of(lookahead, test[-1])
            if named is None or (lookahead.alone and asks_of_known(lookahead.second, vocabulary, named)):
                continue
            for behind in instances(lookahead.second, vocabulary.after(test), named):
                both = [(*test, *one) for one in behind]
                yield from both
                yield from ahead(both, vocabulary, bias, steps - 1)


def asks_of_known(mode: Mode, vocabulary: Vocabulary, named: Mapping[str, Term]) -> bool:
    """Whether all that a mode takes from the literal before was known before that."""
    return {named[one.name] for one in mode.arguments if one.kind == "="} <= set(vocabulary.known(None))


def names_of(lookahead: Lookahead, literal: Literal) -> dict[str, Term] | None:
    """The terms of a literal by the names of the lookahead's first, if it fits."""
    first = lookahead.first
    if not isinstance(literal, Atom) or literal.relation != first.relation:
        return None
    if lookahead.alone and any(isinstance(term, Constant) for term in literal.arguments):
        return None
    return {str(one): term for one, term in zip(first.arguments, literal.arguments, strict=True)}


def aggregations(aggregate: AggregateMode, vocabulary: Vocabulary) -> Iterator[Test]:
    mode, is_own = aggregate.mode, len(vocabulary.rows) == 1
    variable = None if aggregate.place is None else Variable("X")
    shares: tuple[Constant | None, ...] = (None,)
    if aggregate.function == "proportion":
        assert aggregate.place is not None
        shares = mode.arguments[aggregate.place].constants or ()
    operators = ["="] if aggregate.function == "mode" else ["<"] if is_own else ["<", ">="]
    for through, atom in chains(aggregate, vocabulary, variable):
        atom, inside = with_conditions(atom, aggregate.conditions)
        for share, operator, value in product(shares, operators, aggregate.thresholds):
            yield (Aggregation(aggregate.function, variable, atom, operator, value, share, inside, through),)


def chains(
    aggregate: AggregateMode, vocabulary: Vocabulary, variable: Variable | None
) -> Iterator[tuple[tuple[Atom, ...], Atom]]:
    """All ways to reach the rows of a function: the atoms on the way, and the last one."""
    if aggregate.through is None:
        for terms in bound(aggregate.mode, vocabulary, {}, {aggregate.place: variable}):
            yield (), Atom(aggregate.mode.relation, terms)
        return
    through = aggregate.through
    new = {place: Variable(f"Way{place}") for place, one in enumerate(through.arguments) if one.kind == "-"}
    for terms in bound(through, vocabulary, {}, new):
        first = Atom(through.relation, terms)
        named = {argument.name: term for argument, term in zip(through.arguments, terms, strict=True)}
        for others in bound(aggregate.mode, vocabulary.after((first,)), named, {aggregate.place: variable}):
            yield (first,), Atom(aggregate.mode.relation, others)


def bound(
    mode: Mode, vocabulary: Vocabulary, named: Mapping[str, Term], opened: Mapping[int | None, Variable | None]
) -> Iterator[tuple[Any, ...]]:
    """All arguments of a literal of a function."""
    types = [column.domain.name for column in vocabulary.database.relation(mode.relation).written]
    choices: list[list[Any]] = []
    for place, (argument, kind) in enumerate(zip(mode.arguments, types, strict=True)):
        is_input = argument.kind in "+="
        choices.append(choices_of(argument, kind, vocabulary, named) if is_input else [opened.get(place, ANONYMOUS)])
    return (terms for terms in product(*choices) if not vocabulary.comes_back(mode, terms))


def with_conditions(atom: Atom, conditions: Iterable[Any]) -> tuple[Atom, tuple[Any, ...]]:
    """The atom of a function and its conditions, whose variables like $2 stand for the places of the atom."""
    terms, inside, own = list(atom.arguments), list[Any](), dict[Any, Any]()
    for condition in conditions:
        places = [int(one.name[1:]) for one in condition.variables if one.name.startswith("$")]
        if isinstance(condition, Comparison) and condition.operator == "=":
            terms[places[0]] = condition.right
            continue
        for place in places:
            terms[place] = Variable(f"Own{place}") if terms[place] == ANONYMOUS else terms[place]
            own[Variable(f"${place}")] = terms[place]
        others = [one for one in condition.variables if not one.name.startswith("$")]
        own.update({one: Variable(f"Other{len(inside)}") for one in others if isinstance(condition, Atom)})
        inside.append(renamed(condition, own))
    return Atom(atom.relation, tuple(terms)), tuple(inside)


def plain_text(test: Test, known: Iterable[Variable]) -> str:
    """A test whose variables are named by the order in which they came, those of the query first."""
    names: dict[Variable, Term] = {one: Variable(f"Known{k}") for k, one in enumerate(known)}
    found = []
    for literal in test:
        for one in (*_aggregated(literal), *literal.variables):
            names.setdefault(one, Variable(f"New{len(names)}"))
        found.append(renamed(literal, names))
    return ", ".join(map(str, found))


def _aggregated(literal: Literal) -> tuple[Variable, ...]:
    return (literal.variable,) if isinstance(literal, Aggregation) and literal.variable else ()


def renamed(literal: Literal, names: Mapping[Any, Any]) -> Literal:
    if isinstance(literal, Atom):
        return Atom(literal.relation, tuple(names.get(one, one) for one in literal.arguments))
    if isinstance(literal, Comparison):
        right = names.get(literal.right, literal.right) if isinstance(literal.right, Variable) else literal.right
        return Comparison(names[literal.left], literal.operator, right)
    variable = None if literal.variable is None else names[literal.variable]
    atom = renamed(literal.atom, names)
    assert isinstance(atom, Atom)
    inside: Any = tuple(renamed(one, names) for one in literal.conditions)
    through: Any = tuple(renamed(one, names) for one in literal.through)
    told = (literal.operator, literal.value, literal.share)
    return Aggregation(literal.function, variable, atom, *told, inside, through)
