"""Random conjunctions of literals that a scope allows."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import count
from typing import Any

from petree.relational.database import Database
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import ANONYMOUS, Aggregation, Atom, Comparison, Constant, Literal, Term, Variable
from petree.relational.relations import Domain, Relation

NUMERIC = ("min", "max", "sum", "mean")


class Queries:
    """Makes queries; variables meet only variables and values of their own domain, as typed modes see to."""

    def __init__(self, database: Database, target: str, seed: int) -> None:
        self.database, self.target = database, target
        self.numbers = random.Random(seed)

    def query(self, n_literals: int) -> list[Literal]:
        scope, found, self._names = Scope.of_target(self.database, self.target), [], count()
        for _ in range(n_literals):
            literal = self.literal(scope)
            scope = scope.extend([literal])
            found.append(literal)
        return found

    def literal(self, scope: Scope) -> Literal:
        kind = self.numbers.random()
        if kind < 0.25 and scope.variables:
            return self.comparison(scope)
        return self.aggregation(scope) if kind < 0.45 else self.atom(scope)

    def relation(self) -> Relation:
        return self.database.relation(self.numbers.choice(list(self.database.relations)))

    def new(self) -> Variable:
        return Variable(f"V{next(self._names)}")

    def constant(self, domain: Domain) -> Constant:
        """A value of a domain, or one that it has not."""
        if not len(domain) or self.numbers.random() < 0.1:
            return Constant(12345 if domain.is_number else "unknown")
        return Constant(self.numbers.choice(list(domain.values)))

    def atom(self, scope: Scope, inside: bool = False) -> Atom:
        """An atom with arguments of all kinds; inside of an aggregation only known variables are named."""
        relation, terms, fresh = self.relation(), list[Term](), list[tuple[Variable, Domain]]()
        for column in relation.written:
            known = [one for one in scope.variables if domain_of(scope, one) is column.domain]
            again = [one for one, domain in fresh if domain is column.domain]
            if known and self.numbers.random() < 0.75:
                terms.append(self.numbers.choice(known))
            elif again and self.numbers.random() < 0.3:
                terms.append(self.numbers.choice(again))
            elif self.numbers.random() < 0.08:
                terms.append(self.constant(column.domain))
            elif self.numbers.random() < 0.6 and not inside:
                fresh.append((self.new(), column.domain))
                terms.append(fresh[-1][0])
            else:
                terms.append(ANONYMOUS)
        return Atom(relation.name, tuple(terms))

    def comparison(self, scope: Scope) -> Comparison:
        left = self.numbers.choice(scope.variables)
        domain = domain_of(scope, left)
        operator = self.numbers.choice(["=", "\\=", "<", ">=", ">", "=<"] if domain.is_number else ["=", "\\="])
        others = [one for one in scope.variables if one != left and domain_of(scope, one) is domain]
        if domain.is_number:  # numbers of any type can be compared
            others = [one for one in scope.variables if one != left and domain_of(scope, one).is_number]
        if others and self.numbers.random() < 0.6:
            less = self.numbers.choice([0, 0, 1, 0.5]) if domain.is_number else 0
            return Comparison(left, operator, self.numbers.choice(others), less)
        return Comparison(left, operator, self.constant(domain))

    def aggregation(self, scope: Scope) -> Aggregation:
        """A function over rows, or over those of them that fit one or two conditions."""
        through = (self.atom(scope),) if self.numbers.random() < 0.3 else ()
        scope = scope.extend(through)
        found = replace(self.plain_aggregation(scope), through=through)
        if self.numbers.random() < 0.5:
            return found
        terms = [
            self.new() if one == ANONYMOUS and self.numbers.random() < 0.5 else one for one in found.atom.arguments
        ]
        atom = Atom(found.atom.relation, tuple(terms))
        inside, conditions = scope.join(atom)[1], list[Any]()
        for _ in range(self.numbers.choice((1, 2))):
            is_compared = inside.variables and self.numbers.random() < 0.6
            conditions.append(self.comparison(inside) if is_compared else self.atom(inside))
            inside = inside.extend(conditions[-1:])
        return replace(found, atom=atom, conditions=tuple(conditions))

    def plain_aggregation(self, scope: Scope) -> Aggregation:
        atom = self.atom(scope, inside=True)
        columns = self.database.relation(atom.relation).written
        free = [place for place, term in enumerate(atom.arguments) if term == ANONYMOUS]
        of_numbers = [place for place in free if columns[place].domain.is_number]
        functions = ["count", *(["mode", "proportion"] if free else []), *(NUMERIC if of_numbers else ())]
        function = self.numbers.choice(functions)
        if function == "count":
            return Aggregation("count", None, atom, self.operator(), Constant(self.numbers.randrange(4)))
        place = self.numbers.choice(of_numbers if function in NUMERIC else free)
        variable = self.new()
        terms = (*atom.arguments[:place], variable, *atom.arguments[place + 1 :])
        domain, opened = columns[place].domain, Atom(atom.relation, terms)
        if function == "mode":
            operator = self.numbers.choice(["=", "\\="])
            return Aggregation(function, variable, opened, operator, self.constant(domain))
        if function == "proportion":
            share = Constant(self.numbers.choice([0, 0.25, 0.5, 1]))
            return Aggregation(function, variable, opened, self.operator(), share, self.constant(domain))
        return Aggregation(function, variable, opened, self.operator(), Constant(self.numbers.randrange(-4, 9) / 4))

    def operator(self) -> str:
        return self.numbers.choice(["<", ">=", "=", ">", "=<", "\\="])


def domain_of(scope: Scope, variable: Variable) -> Domain:
    row, column = scope.places[variable][0]
    return scope.relation(row).columns[column].domain
