"""Constants and thresholds of a bias, as the training examples show them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.binning import cuts_away, neighbours
from petree.caching import cached_property
from petree.columns.moments import MICROSECONDS_PER_DAY, round_between
from petree.relational.bias.chains import chain_of
from petree.relational.bias.conditions import conditions_of, placed
from petree.relational.bias.modes import CONSTANT, INPUT, AggregateMode, Argument, Bias, Mode, Path
from petree.relational.bias.reached_rows import NO_PAIRS, Pairs, reachable_rows
from petree.relational.bias.rounding import COMPUTED, least_alike, rounding_errors
from petree.relational.bias.windows import seen_through
from petree.relational.database import Database
from petree.relational.links import TooManyRowsError, distinct
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Place, Scope
from petree.relational.queries.terms import OF_DATES, Aggregation, Atom, Constant, Variable, fresh_variables
from petree.relational.refinement.tabulation import MOST_THRESHOLDS
from petree.relational.relations import MISSING, RelationColumn

Floats = NDArray[np.float64]
# Thresholds of a condition of functions, each of which has thresholds of its own with it.
MOST_OF_CONDITIONS = 15


@dataclass(frozen=True, eq=False)
class Grounding:
    """Finds the values that tests may use: those of rows that training examples lead to, and of no others.

    Parameters
    ----------
    database : Database
    target : str
    examples : array
        Rows of the training examples in the target table.
    classes : array
        Class code of each.
    n_classes : int
    weights : array or None
    binning : member of the binning family
        Chooses thresholds; a row has the class of the example that leads to it.
    min_examples : int
        A constant is tried if so many training examples lead to it.
    most_answers : int
    left_out : set of str
        Filled with what had more answers.
    """

    database: Database
    target: str
    examples: NDArray[np.int32]
    classes: NDArray[np.intp]
    n_classes: int
    weights: NDArray[np.float64] | None
    binning: Any
    min_examples: int
    most_answers: int
    left_out: set[str] = field(default_factory=set)
    _found: dict[tuple[str, str, int], tuple[Constant, ...]] = field(default_factory=dict, repr=False)

    def ground(self, bias: Bias) -> Bias:
        """The bias with all constants and thresholds listed; what has none is left out."""
        lookaheads = (replace(one, second=self._mode(one.second)) for one in bias.lookaheads)
        return replace(
            bias,
            modes=tuple(mode for mode in map(self._mode, bias.modes) if _is_complete(mode) and self._is_open(mode)),
            lookaheads=tuple(one for one in lookaheads if _is_complete(one.second)),
            aggregates=tuple(one for mode in bias.aggregates for one in self._chosen(mode) if one.thresholds),
            paths=tuple(one for one in map(self._path, bias.paths) if _is_complete(one.last)),
        )

    # -- modes ----------------------------------------------------------------------------------------------

    def _mode(self, mode: Mode) -> Mode:
        if mode.relation in self.database.conditions:
            return mode
        for place, argument in enumerate(mode.arguments):
            if argument.kind == CONSTANT or place == mode.compared:
                mode = mode.with_argument(place, self._argument(mode, place))
        return mode

    def _path(self, path: Path) -> Path:
        return Path((*path.modes[:-1], self._mode(path.last)))

    def _is_open(self, mode: Mode) -> bool:
        """Whether examples differ in having the value that a mode asks for, if it asks for one."""
        return mode.known is None or self._has_gaps(mode.relation, mode.known)

    def _has_gaps(self, relation: str, place: int) -> bool:
        """Whether some values of a column are missing, but not all."""
        is_missing = self._column(relation, place).codes[self.reached(relation)[0]] == MISSING
        return bool(is_missing.any() and not is_missing.all())

    def _argument(self, mode: Mode, place: int) -> Argument:
        argument = mode.arguments[place]
        if argument.constants is None and place == mode.compared:
            return replace(argument, constants=self._once("thresholds", mode.relation, place))
        if argument.constants is None and argument.kind == CONSTANT:
            return replace(argument, constants=self._once("constants", mode.relation, place))
        return argument

    def _once(self, what: str, relation: str, place: int) -> tuple[Constant, ...]:
        """The constants or thresholds of a column, which several modes may ask for."""
        key = (what, relation, place)
        if key not in self._found:
            find = self._thresholds if what == "thresholds" else self._constants
            self._found[key] = find(relation, place)
        return self._found[key]

    def _column(self, relation: str, place: int) -> RelationColumn:
        return self.database.relation(relation).written[place]

    def _constants(self, relation: str, place: int) -> tuple[Constant, ...]:
        """Values of a column that enough examples lead to, in the order of the domain."""
        column = self._column(relation, place)
        rows, owners = self.reached(relation)
        codes = column.codes[rows]
        known = codes != MISSING
        pairs = distinct(codes[known].astype(np.int64) * len(self.examples) + owners[known])
        found = np.bincount(pairs // len(self.examples), minlength=len(column.domain))
        chosen = np.flatnonzero(found >= max(self.min_examples, 1))
        return tuple(Constant(column.domain.values[code]) for code in chosen.tolist())

    def _thresholds(self, relation: str, place: int) -> tuple[Constant, ...]:
        column = self._column(relation, place)
        rows, owners = self.reached(relation)
        cuts = self._cuts(column.domain.numbers[column.codes[rows]], owners, bool(column.is_date))
        if column.domain.is_ordered:  # the first value that is not below the threshold
            return tuple(Constant(column.domain.values[math.ceil(float(cut.value))]) for cut in cuts)
        return cuts

    def _cuts(
        self, values: Floats, owners: NDArray[np.int32], is_date: bool = False, errors: Floats | None = None
    ) -> tuple[Constant, ...]:
        """Thresholds of numbers, each with the class of its example; those of dates are easy to read.

        Values with errors were computed: none lies between two that may be the same number, and all keep away from
        them, since a database may sum them up in another order.
        """
        known = ~np.isnan(values)
        weights = None if self.weights is None else self.weights[owners[known]]
        off = None if errors is None else errors[known]
        return self._chosen_cuts(values[known], self.classes[owners[known]], weights, is_date, off)

    def _chosen_cuts(
        self,
        values: Floats,
        classes: NDArray[np.intp],
        weights: NDArray[np.float64] | None,
        is_date: bool,
        errors: Floats | None,
    ) -> tuple[Constant, ...]:
        """Thresholds of numbers that are known."""
        if not len(values):
            return ()
        told_apart = values if errors is None else least_alike(values, errors)
        cuts = self.binning.thresholds(told_apart, classes, weights, self.n_classes)
        cuts = np.asarray(cuts, np.float64)[_evenly(len(cuts), MOST_THRESHOLDS)]
        if errors is not None:
            cuts = neighbours(cuts, told_apart)[1]  # not inside of those that are alike
        if is_date:
            cuts = round_between(cuts, values, errors is None, scale=MICROSECONDS_PER_DAY)
        elif errors is not None:
            cuts = cuts_away(cuts, values)
        return tuple(Constant(cut) for cut in cuts.tolist())

    # -- aggregates -----------------------------------------------------------------------------------------

    def _chosen(self, aggregate: AggregateMode) -> Iterator[AggregateMode]:
        """A function with each of its conditions, and the thresholds that it has then."""
        where = None if aggregate.where is None else self._as_condition(aggregate.where)
        listed = replace(aggregate, mode=self._as_condition(aggregate.mode), where=where)
        for conditions in conditions_of(listed):
            yield self.with_thresholds(replace(listed, conditions=conditions))

    def _as_condition(self, mode: Mode) -> Mode:
        """A mode with what it asks for; of thresholds that were not declared a few, evenly among them."""
        listed = self._mode(mode)
        at = mode.compared
        if at is None or mode.arguments[at].constants is not None:
            return listed
        found = listed.arguments[at].constants or ()
        few = tuple(found[place] for place in _evenly(len(found), MOST_OF_CONDITIONS))
        return listed.with_argument(at, replace(listed.arguments[at], constants=few))

    def with_thresholds(self, aggregate: AggregateMode) -> AggregateMode:
        """A function with the thresholds that it has over the training examples; none where there are too many rows."""
        try:
            return replace(aggregate, thresholds=self._thresholds_of(aggregate))
        except TooManyRowsError:
            self.left_out.add(str(aggregate))
            return aggregate

    def _thresholds_of(self, aggregate: AggregateMode) -> tuple[Constant, ...]:
        left = self._entry_of(aggregate.entered)
        if left is None:
            return ()
        table, scope = left
        *through, atom = self._chain_of(aggregate)
        rows, owners = self.reached(table)
        answers = Answers.of_examples(scope, rows, self.most_answers)
        if aggregate.window is not None or (table != self.target and self._is_timed(aggregate)):
            answers = self._seen_by_examples(answers, owners)
        variable = None if aggregate.place is None else Variable("X")
        inside = (variable for one in (*through, atom) for variable in one.variables)
        fresh = fresh_variables((*answers.scope.variables, Variable("X"), *inside))
        atom, conditions = placed(atom, aggregate.conditions, fresh)
        if aggregate.window is not None:
            atom, conditions = seen_through(aggregate.window, answers.scope, atom, conditions, fresh)
        literal = Aggregation(aggregate.function, variable, atom, "<", Constant(0), None, conditions, tuple(through))
        if aggregate.function == "mode":
            codes, domain = answers.aggregate(literal)
            found = np.unique(codes[codes != MISSING])
            return tuple(Constant(domain.values[code]) for code in found.tolist()) if domain else ()
        found_values = [answers.aggregate(replace(literal, share=share))[0] for share in aggregate.shares]
        if not found_values:
            return ()
        errors = None
        if aggregate.function in COMPUTED:
            errors = np.tile(rounding_errors(answers, literal), len(found_values))
        owners = np.tile(owners, len(found_values))
        return self._cuts(np.concatenate(found_values), owners, self._is_date(aggregate), errors)

    def _is_timed(self, aggregate: AggregateMode) -> bool:
        """Whether it depends on the time of an example which rows a function is over."""
        return any(self.database.relation(mode.relation).time is not None for mode in aggregate.asked)

    def _seen_by_examples(self, answers: Answers, owners: NDArray[np.int32]) -> Answers:
        """Rows behind the examples that lead to them, whose time then counts."""
        own = {Variable(f"K{at}"): ((0, at),) for at in self.database.relation(self.target).keys[0]}
        places = {one: tuple((1, column) for _, column in at) for one, at in answers.scope.places.items()}
        scope = Scope(self.database, (self.target, *answers.scope.relations), {**own, **places})
        return Answers(scope, self.examples, owners, (self.examples[owners], *answers.rows), answers.most)

    def _is_date(self, aggregate: AggregateMode) -> bool:
        """Whether the values of a function are dates."""
        if aggregate.place is None or aggregate.function not in OF_DATES:
            return False
        return bool(self._column(aggregate.mode.relation, aggregate.place).is_date)

    @staticmethod
    def _chain_of(aggregate: AggregateMode) -> tuple[Atom, ...]:
        """The atoms of a function, with its inputs named."""
        inputs = [at for at, one in enumerate(aggregate.entered.arguments) if one.kind == INPUT]
        known = {at: Variable(f"V{at}") for at in inputs}
        return chain_of(aggregate, known, Variable("X"), fresh_variables((Variable("X"), *known.values())))

    def _entry_of(self, mode: Mode) -> tuple[str, Scope] | None:
        """The table whose rows the inputs of a function come from, each as a variable."""
        inputs = [
            (at, self._column(mode.relation, at).domain) for at, one in enumerate(mode.arguments) if one.kind == INPUT
        ]
        for name in self.reached_relations:
            relation = self.database.relation(name)
            for key in relation.keys:
                left = list(key)
                places: dict[Variable, tuple[Place, ...]] = {}
                for at, domain in inputs:  # a foreign key may have its columns in another order
                    column = next((one for one in left if relation.columns[one].domain is domain), None)
                    if column is not None:
                        left.remove(column)
                        places[Variable(f"V{at}")] = ((0, column),)
                if len(places) == len(inputs) == len(key):
                    return name, Scope(self.database, (name,), places)
        return None

    # -- rows that examples lead to -----------------------------------------------------------------------------

    def reached(self, relation: str) -> Pairs:
        """Rows of a relation with the examples that lead to them; none of a relation that no example leads to."""
        return self.reachable.get(relation, NO_PAIRS)

    @property
    def reached_relations(self) -> list[str]:
        """The relations that examples lead to, those of the fewest links first."""
        return list(self.reachable)

    @cached_property
    def reachable(self) -> dict[str, Pairs]:
        """For each relation the rows that examples lead to, with the places of the examples."""
        return reachable_rows(self.database, self.target, self.examples, self.most_answers, self.left_out)


def _evenly(n: int, most: int) -> NDArray[np.intp]:
    """At most so many places among n."""
    return np.linspace(0, n - 1, min(n, most)).round().astype(np.intp)


def _is_complete(mode: Mode) -> bool:
    """Whether every place that needs values has any."""
    arguments = enumerate(mode.arguments)
    return all(one.constants for place, one in arguments if one.kind == CONSTANT or place == mode.compared)
