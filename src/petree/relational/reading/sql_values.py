"""Constants as SQL text, as the columns hold them that are compared with them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from petree.columns.moments import MICROSECONDS_PER_DAY, full_text, moment_text
from petree.relational.dates import moment_at
from petree.relational.queries.terms import Constant
from petree.relational.relations import Domain, RelationColumn, kind_of

OPERATORS = {"\\=": "<>", "=<": "<="}
# What never holds: a column compared with a value of another type.
NEVER = "1 = 0"
# The dates that Python and all of the databases know, in microseconds since 1970.
EARLIEST, LATEST = (int(np.datetime64(one, "us").astype(np.int64)) for one in (datetime.min, datetime.max))


@dataclass(frozen=True)
class Dialect:
    """Where the databases differ: floats, the order of texts and dates, means, and dates, moments and their days.

    `number` writes a number, `float` makes one of a column, where NaN, and text without a digit in SQLite, is NULL;
    `known` is NULL where a column of numbers has NaN.

    Without a way to write dates they are text.

    `cast` makes a float of a text that is a number. `is_text` tests whether a value is stored as text, `as_text` makes
    text of a value of any type, `has_digit` tests whether a text has a digit, and `remove` removes all characters of a
    text literal from a text; without it there is only a function that replaces one text by another. Drivers of
    databases with `avoids_percent` take % for the beginning of a parameter.
    """

    number: str = "{}"
    float: str = "CASE WHEN typeof({0}) <> 'text' OR {0} GLOB '*[0-9]*' THEN CAST({0} AS REAL) END"
    known: str = "{}"
    text_order: str = "{}"
    date_order: str = "{}"
    mean: str = "AVG({})"
    date: str | None = None
    moment: str = ""
    days: str = ""
    cast: str = "CAST({} AS REAL)"
    is_text: str = "typeof({}) = 'text'"
    as_text: str = "{}"
    has_digit: str = "{} GLOB '*[0-9]*'"
    remove: str = ""
    avoids_percent: bool = False


DIALECTS = {
    # A date is text of any length, and functions know milliseconds only, and round them.
    "sqlite": Dialect(
        date_order="(replace({0}, 'T', ' ') || substr('0000-00-00 00:00:00.000000', length({0}) + 1))",
        days="((round((julianday(substr({0}, 1, 19)) - 2440587.5) * 86400) * 1e6 + round(substr({0}, 20) * 1e6)) "
        "/ 86400e6)",
    ),
    # The mean of integers, and a number without an exponent in DuckDB, would be decimals with digits of their own.
    "postgresql": Dialect(
        float="NULLIF(CAST({} AS DOUBLE PRECISION), 'NaN')",
        known="NULLIF(CAST({} AS DOUBLE PRECISION), 'NaN')",
        text_order='{} COLLATE "C"',
        mean="AVG(CAST({} AS DOUBLE PRECISION))",
        date="DATE '{}'",
        moment="TIMESTAMP '{}'",
        days="(CAST(EXTRACT(EPOCH FROM {}) * 1000000 AS DOUBLE PRECISION) / 86400e6)",
        cast="CAST({} AS DOUBLE PRECISION)",
        is_text="CAST(pg_typeof({}) AS TEXT) IN ('text', 'character varying', 'character')",
        as_text="CAST({} AS TEXT)",
        has_digit="{} ~ '[0-9]'",
        remove="translate({}, {}, '')",
        avoids_percent=True,
    ),
    "duckdb": Dialect(
        number="{}e0",
        float="NULLIF(CAST({} AS DOUBLE), 'NaN')",
        known="NULLIF(CAST({} AS DOUBLE), 'NaN')",
        date="DATE '{}'",
        moment="TIMESTAMP '{}'",
        days="(epoch_us({}) / 86400e6)",
        cast="CAST({} AS DOUBLE)",
        is_text="typeof({}) = 'VARCHAR'",
        as_text="CAST({} AS VARCHAR)",
        has_digit="regexp_matches({}, '[0-9]')",
        remove="translate({}, {}, '')",
    ),
}


def resolve_dialect(name: str) -> Dialect:
    """A dialect by its name."""
    if name not in DIALECTS:
        raise ValueError(f"The 'dialect' must be one of {', '.join(DIALECTS)}. Got {name!r} instead.")
    return DIALECTS[name]


# -- comparisons -----------------------------------------------------------------------------------------------


def constant_sql(left: str, operator: str, constant: Constant, column: RelationColumn | None, dialect: Dialect) -> str:
    """A comparison of a column, or of what comes from one, with a constant; without a column of a number."""
    if column is not None and column.is_date:
        return _date_sql(left, operator, constant, dialect)
    if column is not None and column.domain.is_ordered and operator not in ("=", "\\="):
        rank = column.domain.code(constant.value)
        return f"{rank_sql(left, column.domain)} {OPERATORS.get(operator, operator)} {rank}" if rank >= 0 else NEVER
    value = value_sql(constant, None if column is None else column.domain, dialect)
    return _no_value(left, operator) if value is None else f"{left} {OPERATORS.get(operator, operator)} {value}"


def rank_sql(expression: str, domain: Domain) -> str:
    """The place of a text among the values of a domain."""
    ranks = " ".join(f"WHEN {text_sql(str(value))} THEN {rank}" for rank, value in enumerate(domain.values))
    return f"CASE {expression} {ranks} END"


def _no_value(left: str, operator: str) -> str:
    """A comparison with what no column holds, which is unequal to all that it holds."""
    return f"{left} IS NOT NULL" if operator == "\\=" else NEVER


def _date_sql(left: str, operator: str, constant: Constant, dialect: Dialect) -> str:
    """The same of a date."""
    if isinstance(constant.value, str):
        return _no_value(left, operator)
    moment = moment_at(operator, constant.value)
    if operator in ("=", "\\=") and moment / MICROSECONDS_PER_DAY != constant.value:
        return _no_value(left, operator)
    moment = min(max(moment, EARLIEST), LATEST)
    text = moment_text(moment)
    if dialect.date is None:
        return _date_as_text(left, operator, text_sql(text), text_sql(full_text(moment)))
    literal = (dialect.moment if " " in text else dialect.date).format(text)
    return f"{left} {OPERATORS.get(operator, operator)} {literal}"


def _date_as_text(left: str, operator: str, shortest: str, longest: str) -> str:
    """A comparison of a date that is text: the same moment with more digits comes later in the order of letters."""
    if operator in ("<", ">=") and " " not in shortest:  # a day, from which dates with and without a time begin
        return f"{left} {operator} {shortest}"
    left = f"replace({left}, 'T', ' ')"
    if operator in ("=", "\\="):
        return f"{left} {'NOT ' if operator != '=' else ''}BETWEEN {shortest} AND {longest}"
    return f"{left} {OPERATORS.get(operator, operator)} {longest if operator in ('>', '=<') else shortest}"


# -- values ----------------------------------------------------------------------------------------------------


def value_sql(constant: Constant, domain: Domain | None, dialect: Dialect) -> str | None:
    """A constant as columns of a domain hold it, None where they cannot; without a domain it is a number."""
    value = constant.value
    kind = "number" if domain is None else kind_of(domain)
    if kind == "boolean":
        return {"true": "TRUE", "false": "FALSE"}.get(str(value).lower())
    if kind == "number":
        return None if isinstance(value, str) else number_sql(value, dialect)
    is_mixed = domain is not None and any(not isinstance(one, str) for one in domain.values)
    return text_sql(str(value)) if isinstance(value, str) or is_mixed else None


def number_sql(value: float, dialect: Dialect) -> str:
    """A number that reads back as exactly this one."""
    text = repr(value)
    return dialect.number.format(text) if isinstance(value, float) and "e" not in text else text


def text_sql(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
