"""Which literals may refine a query: modes, as they are declared or made from a schema."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from petree.caching import cached_property
from petree.relational.queries.terms import Atom, Comparison, Constant, Predicate

# Literals about the rows that a function is taken over.
Condition = tuple[Atom | Comparison, ...]
# What may stand at the place of an argument: a variable that is there already, a new one, either, or a constant; NAMED
# is a variable of the literal before, in a lookahead; IGNORED is a new one that nothing may use later.
INPUT = "+"
OUTPUT = "-"
EITHER = "+-"
CONSTANT = "#"
NAMED = "="
IGNORED = "_"


@dataclass(frozen=True)
class Argument:
    """What may stand at one place of a literal.

    Parameters
    ----------
    kind : one of `INPUT`, `OUTPUT`, `EITHER`, `CONSTANT`, `NAMED`, `IGNORED`
    name : str
        The variable's name in the declaration; it matters where the kind is `NAMED`.
    constants : tuple of Constant or None
        For `CONSTANT`: those that are tried, in order; None stands for all that are found in the data.
    """

    kind: str
    name: str = ""
    constants: tuple[Constant, ...] | None = None

    def __str__(self) -> str:
        if self.kind == CONSTANT:
            return "#" if self.constants is None else f"#[{','.join(map(str, self.constants))}]"
        return {IGNORED: "_", NAMED: self.name}.get(self.kind, f"{self.kind}{self.name}")


@dataclass(frozen=True)
class Mode:
    """How a relation may be used: ``rmode(most_uses: relation(arguments))``.

    With `compared` the argument at that place is compared with thresholds found in the data, and with `known` it is
    asked whether the one there has a value, where some training example leads to a row that has none. `telling` are
    places that tell all rows apart: where a row of the query has the same variables there, the literal would come back
    to it, and is not tried.
    """

    relation: str
    arguments: tuple[Argument, ...]
    most_uses: int | None = None
    compared: int | None = None
    telling: tuple[int, ...] = ()
    known: int | None = None

    @property
    def predicate(self) -> Predicate:
        return Predicate(self.relation, len(self.arguments))

    @cached_property
    def tried(self) -> int | None:
        """The place whose values are tried one by one: that of thresholds, or else the last of constants."""
        constants = (place for place in reversed(range(len(self.arguments))) if self.arguments[place].kind == CONSTANT)
        return next(constants, None) if self.compared is None else self.compared

    @property
    def values_tried(self) -> tuple[Constant, ...]:
        """The values there, as far as they are listed."""
        return () if self.tried is None else self.arguments[self.tried].constants or ()

    def with_argument(self, place: int, argument: Argument) -> Mode:
        """The mode with another argument at one place."""
        return replace(self, arguments=(*self.arguments[:place], argument, *self.arguments[place + 1 :]))

    def __str__(self) -> str:
        text = self.relation
        if self.arguments:
            text += f"({', '.join(map(str, self.arguments))})"
        if self.compared is not None:
            text = f"({text}, {self.arguments[self.compared].name} < #)"
        if self.known is not None:
            name = self.arguments[self.known].name
            text = f"({text}, {name} = {name})"
        return text if self.most_uses is None else f"{self.most_uses}: {text}"


@dataclass(frozen=True)
class Lookahead:
    """After a literal that matches `first` also offer both together; the `NAMED` variables of `second` are its own.

    With `alone` only after a literal without a constant or threshold.
    """

    first: Atom
    second: Mode
    alone: bool = False

    def __str__(self) -> str:
        return f"lookahead({self.first}, {self.second})"


@dataclass(frozen=True)
class Path:
    """Literals offered as one test: the first matches rows of an example, each other one rows behind those before.

    The `NAMED` arguments of a mode are variables of the mode before it. All modes but the last only find rows.
    """

    modes: tuple[Mode, ...]

    @property
    def last(self) -> Mode:
        return self.modes[-1]

    def __str__(self) -> str:
        return f"path({', '.join(map(str, self.modes))})"


@dataclass(frozen=True)
class AggregateMode:
    """A function over the rows of a relation that fit: of the argument at `place`, or their number.

    With `through`, a literal by which the rows are reached, `mode` has no inputs but `NAMED` variables, which are
    outputs of `through`: the function is over the rows at the end, each as often as a way leads to it.

    `mode` has the arguments: inputs are bound, all others are free; with "proportion" the constants of the argument at
    `place` are tried one by one. Other constants, and thresholds of what `mode` compares, are conditions on the rows:
    the function is over those that fit, and so it is with `where`, a second literal whose `NAMED` variables are those
    of `mode`. Below such a test one more of the bias's conditions may be added to it.

    With `window` the function is over the rows of so much time before that of the example: days, where times are dates.

    Once it is grounded, `conditions` are one choice of all these, and `thresholds` what the function is compared with;
    of "mode" the values.
    """

    function: str
    mode: Mode
    place: int | None = None
    thresholds: tuple[Constant, ...] = ()
    where: Mode | None = None
    conditions: Condition = ()
    window: float | None = None
    through: Mode | None = None

    def __post_init__(self) -> None:
        if self.through is not None and any(one.kind not in (INPUT, OUTPUT, IGNORED) for one in self.through.arguments):
            raise ValueError(f"{self.through} leads to the rows of a function; its arguments are '+', '-' or '_'.")

    @property
    def entered(self) -> Mode:
        """The mode whose inputs are bound."""
        return self.mode if self.through is None else self.through

    @property
    def asked(self) -> list[Mode]:
        """All modes of it."""
        return [one for one in (self.through, self.mode, self.where) if one is not None]

    @property
    def shares(self) -> tuple[Constant | None, ...]:
        """The values of which a proportion is taken, one by one; of another function none."""
        if self.function != "proportion" or self.place is None:
            return (None,)
        return self.mode.arguments[self.place].constants or ()

    def __str__(self) -> str:
        what = "" if self.place is None else f"{self.mode.arguments[self.place].name}, "
        rows = str(self.mode) if self.through is None else f"({self.through}, {self.mode})"
        inside = [rows, *(() if self.where is None else (self.where,)), *self.conditions]
        last = "" if self.window is None else f", last {self.window:g}"
        return f"aggregate({self.function}, {what}{', '.join(map(str, inside))}{last})"


@dataclass(frozen=True)
class Bias:
    """All that a tree may ask; `max_links` bounds the rows beside the example's own that a query may speak of."""

    modes: tuple[Mode, ...]
    lookaheads: tuple[Lookahead, ...] = ()
    max_lookahead: int = 1
    aggregates: tuple[AggregateMode, ...] = ()
    max_links: int | None = None
    paths: tuple[Path, ...] = ()

    def about(self, predicates: Container[Predicate]) -> Bias:
        """What of it asks for some predicates and no others."""
        lookaheads = (one for one in self.lookaheads if one.first.predicate in predicates)
        return replace(
            self,
            modes=tuple(mode for mode in self.modes if mode.predicate in predicates),
            lookaheads=tuple(one for one in lookaheads if one.second.predicate in predicates),
            aggregates=tuple(one for one in self.aggregates if all(mode.predicate in predicates for mode in one.asked)),
            paths=tuple(one for one in self.paths if all(mode.predicate in predicates for mode in one.modes)),
        )

    @property
    def predicates(self) -> list[Predicate]:
        """All that it asks for, each once."""
        ahead = (one for both in self.lookaheads for one in (both.first, both.second))
        inside = (mode for one in self.aggregates for mode in one.asked)
        along = (mode for one in self.paths for mode in one.modes)
        return list(dict.fromkeys(one.predicate for one in (*self.modes, *ahead, *inside, *along)))

    def __str__(self) -> str:
        lines = [f"rmode({mode})." for mode in self.modes]
        lines += [f"max_lookahead({self.max_lookahead})."] if self.lookaheads else []
        return "\n".join([*lines, *(f"{one}." for one in (*self.lookaheads, *self.paths, *self.aggregates))])
