"""What the settings file of an ACE application says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from petree.relational.bias.modes import Bias, Lookahead, Mode
from petree.relational.prolog.conversion.typed_columns import Target
from petree.relational.prolog.mode_terms import mode_of, read_lookahead
from petree.relational.prolog.rules.facts import arguments_of, predicate_of
from petree.relational.prolog.syntax.clauses import Clause
from petree.relational.prolog.syntax.literals import literal
from petree.relational.prolog.syntax.terms import Compound, ListTerm, Operation, Parsed, chained
from petree.relational.queries.terms import Atom, Constant, Predicate, Variable, text_of

# Settings of how to run, print or mine, which change no tree.
IGNORED_SETTINGS = {
    "addclass",
    "bias",
    "execute",
    "exhaustive_lookahead",
    "granularity",
    "huge",
    "m_estimate",
    "minconf",
    "minfreq",
    "old_expand",
    "outerloop",
    "output_options",
    "phb_ignore",
    "query_batch_size",
    "report_timings",
    "resume",
    "sampling_strategy",
    "talking",
    "theorycte",
    "tilde_rst_optimization",
    "use_packs",
    "write_predictions",
}
# Settings with one value that are kept as they are.
KEPT = {"accuracy", "confidence_level", "discretization", "discretize", "minimal_cases", "pruning"}
# Settings with few values.
CHOICES = {
    "heuristic": ("gain", "gainratio"),
    "tilde_mode": ("classify",),
    "typed_language": ("yes", "no"),
    "load": ("examples", "models", "key"),
}


@dataclass
class AceSettings:
    """Modes, types, the target, and all other settings by name; `uses` says where a predicate is asked for."""

    modes: list[Mode] = field(default_factory=list)
    lookaheads: list[Lookahead] = field(default_factory=list)
    max_lookahead: int = 1
    types: dict[Predicate, tuple[str | None, ...]] = field(default_factory=dict)
    target: Target | None = None
    classes: tuple[Any, ...] | None = None
    values: dict[str, Any] = field(default_factory=dict)
    uses: dict[Predicate, str] = field(default_factory=dict)

    @property
    def bias(self) -> Bias:
        return Bias(tuple(self.modes), tuple(self.lookaheads), self.max_lookahead)

    def use(self, predicate: Predicate, where: str) -> None:
        self.uses.setdefault(predicate, where)


def read_settings(clauses: Iterable[Clause]) -> AceSettings:
    """Settings from the clauses of the file; an unknown one is refused with its line."""
    settings = AceSettings()
    for clause in clauses:
        term = clause.head if clause.head is not None else clause.body
        name = predicate_of(term, clause).name
        arguments = arguments_of(term)
        if clause.head is not None and clause.body is not None:
            raise ValueError(f"{clause.where}: settings are facts; write the rules of {name} in the .bg file.")
        if name in READERS:
            READERS[name](settings, arguments, clause.where)
        elif name in CHOICES or name in KEPT:
            settings.values[name] = one_value(name, arguments, clause.where)
        elif name not in IGNORED_SETTINGS:
            raise ValueError(f"{clause.where}: the setting {name} is not supported; leave it out if it may be.")
    return settings


def one_value(name: str, arguments: tuple[Parsed, ...], where: str) -> Any:
    """The value of a setting, one of its choices where it has some."""
    value = arguments[0] if len(arguments) == 1 else Constant("")
    choices = CHOICES.get(name)
    if choices is not None and str(value) not in choices:
        raise ValueError(f"{where}: {name} must be one of {', '.join(choices)}, not {value}.")
    return value.value if isinstance(value, Constant) else str(value)


def read_rmode(settings: AceSettings, arguments: tuple[Parsed, ...], where: str) -> None:
    if len(arguments) != 1:
        raise ValueError(f"{where}: a mode has one argument; write rmode(literal) or rmode(number: literal).")
    mode = mode_of(arguments[0], where)
    settings.use(mode.predicate, where)
    settings.modes.append(mode)


def read_one_lookahead(settings: AceSettings, arguments: tuple[Parsed, ...], where: str) -> None:
    lookahead = read_lookahead(arguments, where)
    settings.use(lookahead.first.predicate, where)
    settings.use(lookahead.second.predicate, where)
    settings.lookaheads.append(lookahead)


def read_max_lookahead(settings: AceSettings, arguments: tuple[Parsed, ...], where: str) -> None:
    value = one_value("max_lookahead", arguments, where)
    if not isinstance(value, int):
        raise ValueError(f"{where}: max_lookahead must be a number of steps, not {value}.")
    settings.max_lookahead = value


def read_type(settings: AceSettings, arguments: tuple[Parsed, ...], where: str) -> None:
    """``type(p(type, ...))``; a variable stands for any type."""
    atom = literal(arguments[0], where) if len(arguments) == 1 else None
    if not isinstance(atom, Atom):
        raise ValueError(f"{where}: a type has one literal; write type(predicate(type, ...)).")
    settings.types[atom.predicate] = type_names(atom.arguments)


def type_names(terms: Iterable[Parsed]) -> tuple[str | None, ...]:
    return tuple(None if isinstance(one, Variable) else str(one) for one in terms)


def read_predict(settings: AceSettings, arguments: tuple[Parsed, ...], where: str) -> None:
    """``predict(p(+type, ..., -class))``."""
    literal = arguments[0] if len(arguments) == 1 else None
    terms = arguments_of(literal)
    signs = [one.operator if isinstance(one, Operation) and len(one.arguments) == 1 else "" for one in terms]
    is_complete = signs.count("-") == 1 and signs.count("+") == len(signs) - 1 and len(signs) > 1
    if not isinstance(literal, Compound) or not is_complete:
        raise ValueError(f"{where}: predict needs a key and one class; write predict(predicate(+key, -class)).")
    predicate = Predicate(literal.name, len(terms))
    settings.target = Target(predicate, signs.index("-"))
    settings.types[predicate] = type_names(one.arguments[0] for one in terms if isinstance(one, Operation))
    settings.use(predicate, where)


def read_classes(settings: AceSettings, arguments: tuple[Parsed, ...], where: str) -> None:
    items = arguments[0].items if arguments and isinstance(arguments[0], ListTerm) else ()
    settings.classes = tuple(one.value for one in items if isinstance(one, Constant))
    if len(settings.classes) < 2:
        raise ValueError(f"{where}: classes needs a list of two or more names; write classes([one, other]).")


def read_root(settings: AceSettings, arguments: tuple[Parsed, ...], where: str) -> None:
    """``root((literal, ...))``: what every query starts with."""
    if len(arguments) != 1:
        raise ValueError(f"{where}: root has one argument; write root((literal, literal)).")
    literals = [literal(part, where) for part in chained(arguments[0])]
    for one in literals:
        if isinstance(one, Atom):
            settings.use(one.predicate, where)
    settings.values["root"] = text_of(literals)


READERS: dict[str, Callable[[AceSettings, tuple[Parsed, ...], str], None]] = {
    "rmode": read_rmode,
    "lookahead": read_one_lookahead,
    "max_lookahead": read_max_lookahead,
    "type": read_type,
    "predict": read_predict,
    "classes": read_classes,
    "root": read_root,
}
