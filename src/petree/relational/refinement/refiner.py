"""The tests that may refine a query, family by family (Blockeel and De Raedt 1998).

A family is a query with one place left open, at which constants or thresholds are tried; all its tests are answered in
one pass. Families come in the order of the modes, the arguments of a mode in all combinations, the last one changing
first; what was looked ahead comes behind the literal it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise, product

from petree.caching import cached_property
from petree.relational.bias.chains import chain_of
from petree.relational.bias.modes import (
    CONSTANT,
    EITHER,
    IGNORED,
    INPUT,
    NAMED,
    AggregateMode,
    Argument,
    Bias,
    Lookahead,
    Mode,
    Path,
)
from petree.relational.database import Database
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import (
    Atom,
    Comparison,
    Constant,
    Literal,
    Predicate,
    Term,
    Variable,
    fresh_variables,
)
from petree.relational.refinement.bounds import asks_of_others, comes_back, is_near, is_of_example, needs_no_literal
from petree.relational.refinement.families import AT_LEAST, BELOW, EQUALS, EXISTS, Family, KnownTests, slot_at
from petree.relational.refinement.forms import open_variable, types_of
from petree.relational.refinement.further import FurtherConditions
from petree.relational.refinement.outlines import Outline, Outlines, without_values
from petree.relational.refinement.shapes import NEW, Shape
from petree.relational.refinement.values_tried import aggregations, of_condition

# The number that stands for the modes of paths, which are used as often as wanted.
OF_PATHS = -1


@dataclass(frozen=True)
class Refiner:
    """Makes the families of a query.

    Parameters
    ----------
    database : Database
    bias : Bias
        With all constants and thresholds listed.
    further : FurtherConditions, optional
        Adds conditions to the functions that a query has; without it none are added.
    outlines : Outlines, optional
        What refiners have found out already that differ in nothing but the values of their bias.
    """

    database: Database
    bias: Bias
    further: FurtherConditions | None = None
    outlines: Outlines = field(default_factory=Outlines, repr=False, compare=False)
    _functions_known: dict[int, int] = field(default_factory=dict, repr=False, compare=False)
    _shapes: dict[int, tuple[Mode, Shape]] = field(default_factory=dict, repr=False, compare=False)

    def families(self, scope: Scope, query: Iterable[Literal], uses: dict[int, int]) -> list[Family]:
        """All families of a query; a literal that the query has already is not tried again."""
        known = KnownTests(query)
        every = self.all_families(scope, uses)
        rest = (known.without(family) if may_be_known else family for family, may_be_known in every)
        return [family for family in rest if family is not None]

    def all_families(self, scope: Scope, uses: dict[int, int]) -> list[tuple[Family, bool]]:
        """All families of a scope, and whether a query may have some of their tests already."""
        beside = self.all_families(scope.alone, uses) if self.has_beside(scope) else []
        own = [(family, outline.may_be_known) for outline, family in self.own_families(scope, uses)]
        return [*own, *beside]

    def has_beside(self, scope: Scope) -> bool:
        """Whether the families about the example alone come by themselves, behind those about rows that were found."""
        return self.bias.max_links is not None and len(scope.relations) > 1

    def own_families(self, scope: Scope, uses: dict[int, int]) -> list[tuple[Outline, Family]]:
        """The same, but for those that come by themselves, each with its outline."""
        full, _ = self.used(uses)
        key = (self._number, scope.signature, full)
        outlines = self.outlines.find(key, lambda: self._of_modes(scope, full))
        found = [(one, one.family.trying(self._tried[one.tried], one.family.mode)) for one in outlines]
        for number, aggregate in self._functions(uses):
            key_of_function = (self._number_of(number, aggregate), scope.signature)
            outlines = self.outlines.find(key_of_function, partial(self._of_function, aggregate, number, scope))
            thresholds = self.outlines.same(aggregate.thresholds)
            found += [(one, one.family.trying(thresholds, number)) for one in outlines]
        return found

    def _functions(self, uses: dict[int, int]) -> Iterator[tuple[int, AggregateMode]]:
        """The functions that a query may ask for, and those that it has with one condition more."""
        yield from enumerate(self.bias.aggregates, len(self.bias.modes))
        yield from () if self.further is None else self.further.behind(uses)

    @cached_property
    def _number(self) -> int:
        """Stands for all that outlines depend on."""
        return self.outlines.number_of(self.bias, without_values(self.bias, self.database.conditions))

    def _number_of(self, number: int, aggregate: AggregateMode) -> int:
        """The same of a function."""
        if number not in self._functions_known:
            self._functions_known[number] = self.outlines.number_of(self.bias, replace(aggregate, thresholds=()))
        return self._functions_known[number]

    @cached_property
    def _tried(self) -> dict[int, tuple[Constant, ...]]:
        """The values that modes try, by their numbers, and those that are looked ahead, as outlines name them."""
        lasts = (*(one.second for one in self.bias.lookaheads), *(one.last for one in self.bias.paths))
        ahead = {~place: mode.values_tried for place, mode in enumerate(lasts)}
        every = ahead | {number: mode.values_tried for number, mode in enumerate(self.bias.modes)}
        return {number: self.outlines.same(values) for number, values in every.items()}

    def used(self, uses: dict[int, int]) -> tuple[frozenset[int], tuple[int, ...]]:
        """What of the modes that a query has used matters: those that are used up, and functions that are refined."""
        full = frozenset(number for number in self._bounded if uses.get(number, 0) >= self._bounded[number])
        return full, () if self.further is None else self.further.refined_by(uses)

    def counts_uses_of(self, number: int) -> bool:
        """Whether it matters to the families of a query how often it has used a mode."""
        return number in self._bounded or (self.further is not None and bool(self.further.refined_by((number,))))

    @cached_property
    def _bounded(self) -> dict[int, int]:
        """The modes that may be used a few times only, and how often."""
        return {at: mode.most_uses for at, mode in enumerate(self.bias.modes) if mode.most_uses is not None}

    def _of_modes(self, scope: Scope, full: frozenset[int]) -> Iterator[Outline]:
        """The families of all modes that are not used up, with what is looked ahead."""
        wanted = None if self._looks_back else self._wanted(scope)
        for number, mode in enumerate(self.bias.modes):
            for family in self._of_mode(mode, number, scope, (), {}, wanted) if number not in full else ():
                is_beside = wanted is None and self._is_beside(family, scope)
                if not is_near(family, scope, self.bias.max_links):
                    continue  # whatever is looked ahead behind it finds no fewer rows
                if not is_beside:
                    yield Outline(scope, family, number, not is_of_example(family, scope))
                for further, place in self._ahead(family, scope, self.bias.max_lookahead):
                    if self._is_near(further, scope):
                        yield Outline(scope, further, ~place, False)
        for number, path in enumerate(self.bias.paths, len(self.bias.lookaheads)):
            for family in self._of_path(path, scope):
                if self._is_near(family, scope):
                    yield Outline(scope, family, ~number, False)

    def _of_function(self, aggregate: AggregateMode, number: int, scope: Scope) -> Iterator[Outline]:
        for family in self._of_aggregate(aggregate, number, scope):
            if is_near(family, scope, self.bias.max_links):
                yield Outline(scope, family, number, False)

    @cached_property
    def _looks_back(self) -> bool:
        """Whether what is looked ahead may ask of rows that the literal before does not name."""
        arguments = (argument for one in self.bias.lookaheads for argument in one.second.arguments)
        return any(argument.kind in (INPUT, EITHER) for argument in arguments)

    def _is_near(self, family: Family, scope: Scope) -> bool:
        """Whether a family keeps to the rows that a query may speak of, and does not come by itself."""
        return not self._is_beside(family, scope) and is_near(family, scope, self.bias.max_links)

    def _wanted(self, scope: Scope) -> frozenset[Variable | None] | None:
        """Variables of which a family must name one, so as not to come by itself; None where it need not."""
        return scope.found if self.has_beside(scope) else None

    def _is_beside(self, family: Family, scope: Scope) -> bool:
        """Whether a family is one of those about the example alone that come by themselves."""
        return self.has_beside(scope) and not asks_of_others(family, scope)

    # -- modes ----------------------------------------------------------------------------------------------

    def _of_mode(
        self,
        mode: Mode,
        number: int,
        scope: Scope,
        before: tuple[Literal, ...],
        named: dict[str, Term],
        wanted: frozenset[Variable | None] | None = None,
    ) -> Iterator[Family]:
        """Families of a mode behind some literals that have one of the terms that are wanted, if any are.

        `named` are the variables of the literal before.
        """
        shape = self._shape(mode)
        choices = [self._choices(mode.arguments[place], kind, scope, named) for place, kind in shape.open]
        taken = (*scope.named, *(one for literal in before for one in literal.variables))
        for chosen in product(*choices):
            if wanted is not None and wanted.isdisjoint(chosen):
                continue
            terms = shape.with_terms(chosen)
            if not comes_back(mode, terms, scope):
                fresh = fresh_variables(taken)
                named_terms = shape.with_names(terms, fresh)
                yield from self._instances(mode, number, named_terms, fresh, scope, before)

    def _shape(self, mode: Mode) -> Shape:
        """What is the same of a mode wherever it is used."""
        if id(mode) not in self._shapes:
            self._shapes[id(mode)] = mode, Shape.of(mode, types_of(self.database, mode))
        return self._shapes[id(mode)][1]

    @staticmethod
    def _choices(argument: Argument, kind: str | None, scope: Scope, named: dict[str, Term]) -> list[Term]:
        """What may stand at one place."""
        if argument.kind == CONSTANT:
            return list(argument.constants or ())
        if argument.kind == NAMED:
            return [named[argument.name]]
        known: list[Term] = [one for one in scope.variables if kind is None or scope.type_of(one) == kind]
        return [*known, NEW] if argument.kind == EITHER else known

    def _instances(
        self,
        mode: Mode,
        number: int,
        terms: tuple[Term, ...],
        fresh: Iterator[Variable],
        scope: Scope,
        before: tuple[Literal, ...],
    ) -> Iterator[Family]:
        slot_place = self._shape(mode).slot
        condition = self.database.conditions.get(mode.relation)
        atom = Atom(mode.relation, terms)
        constants = () if slot_place is None else mode.arguments[slot_place].constants or ()
        if condition is not None:
            yield from of_condition(condition, terms, slot_place, constants, number, before)
        elif mode.compared is not None:
            values = mode.arguments[mode.compared].constants or ()
            new = next(fresh)
            yield from self._thresholds(
                Family((*before, atom.with_argument(mode.compared, new)), BELOW, new, values, number), scope
            )
        elif mode.known is not None:
            new = next(fresh)
            literals = (atom.with_argument(mode.known, new), Comparison(new, "=", new))
            yield Family((*before, *literals), EXISTS, None, (), number)
        elif slot_place is None:
            yield Family((*before, atom), EXISTS, None, (), number)
        else:
            yield Family((*before, atom), EQUALS, slot_at(slot_place), constants, number)

    def _thresholds(self, below: Family, scope: Scope) -> Iterator[Family]:
        """Some row below a threshold, or from it upwards; of the example's own row one says it all."""
        yield below
        if not is_of_example(below, scope):
            yield replace(below, kind=AT_LEAST)

    # -- lookahead ------------------------------------------------------------------------------------------

    def _ahead(self, family: Family, scope: Scope, steps: int) -> Iterator[tuple[Family, int]]:
        """The tests of a family together with what may be looked ahead, and which lookahead says so."""
        if not steps or not isinstance(last := family.last, Atom):
            return
        for number, lookahead in self._lookaheads.get(last.predicate, ()):
            for place in range(len(family)) if family.kind == EXISTS or not lookahead.alone else ():
                for found in self._behind(lookahead, family, family.test(place), scope):
                    yield found, number
                    yield from self._ahead(found, scope, steps - 1)

    @cached_property
    def _lookaheads(self) -> dict[Predicate, list[tuple[int, Lookahead]]]:
        """What may be looked ahead behind a predicate, and its numbers."""
        found: dict[Predicate, list[tuple[int, Lookahead]]] = {}
        for number, lookahead in enumerate(self.bias.lookaheads):
            found.setdefault(lookahead.first.predicate, []).append((number, lookahead))
        return found

    def _behind(
        self, lookahead: Lookahead, family: Family, literals: tuple[Literal, ...], scope: Scope
    ) -> Iterator[Family]:
        if not isinstance(last := literals[-1], Atom):
            return
        pairs = zip(lookahead.first.arguments, last.arguments, strict=True)
        named = {one.name: term for one, term in pairs if isinstance(one, Variable)}
        if not needs_no_literal(lookahead, named, scope):
            yield from self._of_mode(lookahead.second, family.mode, scope.extend(literals), literals, named)

    # -- paths ----------------------------------------------------------------------------------------------

    def _of_path(self, path: Path, scope: Scope) -> Iterator[Family]:
        """The tests at the end of a path."""
        families = list(self._of_mode(path.modes[0], OF_PATHS, scope, (), {}, self._wanted(scope)))
        for before, mode in pairwise(path.modes):
            families = [one for family in families for one in self._further(before, mode, family, scope)]
        yield from families

    def _further(self, before: Mode, mode: Mode, family: Family, scope: Scope) -> Iterator[Family]:
        """The families of a mode behind one that ends with the mode before it."""
        assert isinstance(family.last, Atom)
        pairs = zip(before.arguments, family.last.arguments, strict=True)
        named = {one.name: term for one, term in pairs if one.kind != IGNORED}
        yield from self._of_mode(mode, family.mode, scope.extend(family.literals), family.literals, named)

    # -- aggregates -----------------------------------------------------------------------------------------

    def _of_aggregate(self, aggregate: AggregateMode, number: int, scope: Scope) -> Iterator[Family]:
        mode = aggregate.entered
        free = open_variable(scope)
        kinds = types_of(self.database, mode)
        places = [place for place, argument in enumerate(mode.arguments) if argument.kind == INPUT]
        choices = [self._choices(mode.arguments[place], kinds[place], scope, {}) for place in places]
        wanted = self._wanted(scope)
        for terms in product(*choices):
            if wanted is not None and wanted.isdisjoint(terms):
                continue
            fresh = fresh_variables((*scope.named, free))
            *through, last = chain_of(aggregate, dict(zip(places, terms, strict=True)), free, fresh)
            is_back = any(comes_back(mode, one.arguments, scope) for one in through)
            if not is_back and not comes_back(aggregate.mode, last.arguments, scope.extend(through)):
                yield from aggregations(aggregate, (*through, last), free, number, scope)
