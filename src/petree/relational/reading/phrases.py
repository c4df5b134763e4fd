"""What sentences about rows are made of: phrases about one row, the names of rows, and values."""

from __future__ import annotations

from dataclasses import dataclass, field

from petree.relational.dates import date_text
from petree.relational.queries.scope import Scope, Step
from petree.relational.queries.terms import Constant, quoted
from petree.relational.relations import Relation, RelationColumn
from petree.words import is_plural, named, valued

# Functions that have a value for no rows as well.
ALWAYS_DEFINED = ("count", "sum")
FUNCTIONS = {
    "count": "the number of {rows}",
    "min": "the least {column} of {rows}",
    "max": "the greatest {column} of {rows}",
    "sum": "the sum of {column} over {rows}",
    "mean": "the mean {column} of {rows}",
    "mode": "the most frequent {column} of {rows}",
    "proportion": "the share of {column} = {share} among {rows}",
}


# Before the names of rows that were found already.
THAT = ("that ", "those ")


def that(name: str) -> str:
    """The name of a table as that of rows that were found already."""
    return f"{'those' if is_plural(name) else 'that'} {named(name)}"


@dataclass
class RowPhrase:
    """What is said of one row: of which, how it is told apart, and what it has."""

    noun: str
    name: str = ""
    link: str = ""
    properties: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def text(self, is_named: bool = True, is_alone: bool = False) -> str:
        has_name = is_named or self.noun.startswith(THAT)  # there may be others that were found
        subject = f"{self.noun}{self.name if has_name else ''}{self.link}"
        has = f" {self.verb} {' and '.join(self.properties)}" if self.properties else ""
        if is_named and self.names:
            subject += f", with {' and '.join(self.names)}"
            has = f",{has}" if has else ""
        elif not has:
            is_alone = True
        be = "are" if self.verb == "have" else "is"
        is_new = self.noun.startswith("some ")
        return f"there {be} {subject}" if is_alone and not has and is_new else subject + has

    @property
    def verb(self) -> str:
        """What its noun does with what it has."""
        return "have" if is_plural(self.noun.strip('"')) else "has"

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said of a row that was known before."""
        return not (self.properties or self.names or self.noun.startswith("some "))


def label(scope: Scope, row: int) -> str:
    """The variables that stand for the key of a row, in brackets."""
    for key in scope.relation(row).keys:
        found = [next((one for one, places in scope.places.items() if (row, at) in places), None) for at in key]
        if all(found):
            return f" ({', '.join(str(one) for one in found)})"
    return ""


def fixed_columns(relation: Relation, step: Step) -> list[str]:
    """The columns that have a value."""
    return [
        f"{named(relation.columns[at].name)} = {value_text(one, relation.columns[at])}" for at, one in step.constants
    ]


def value_text(constant: Constant, column: RelationColumn | None, operator: str = "=") -> str:
    """A value as a column shows it that is compared with it."""
    if isinstance(constant.value, str):
        return valued(constant.value)
    return date_text(operator, constant.value) if column is not None and column.is_date else quoted(constant.value)
