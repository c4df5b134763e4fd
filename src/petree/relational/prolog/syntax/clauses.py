"""Prolog text and files as clauses.

The subset that data and background knowledge are written in: facts, rules, directives, lists, quoted names, comments,
and the operators of `petree.relational.prolog.syntax.parser`.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from petree.relational.prolog.syntax.parser import Parser
from petree.relational.prolog.syntax.terms import Compound, Parsed
from petree.relational.prolog.syntax.tokens import Text, number, skip_space
from petree.relational.queries.terms import Constant
from petree.unpacking import open_bytes

PLAIN_ARGUMENT = r"(?:[a-z][A-Za-z0-9_]*|-?[0-9]+(?:\.[0-9]+)?|'[^'\\\n,]*')"
PLAIN_FACT = re.compile(
    rf"([a-z][A-Za-z0-9_]*)\(\s*({PLAIN_ARGUMENT}(?:\s*,\s*{PLAIN_ARGUMENT})*)\s*\)\s*\.(?=\s|%|\Z)"
)
OF_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Clause:
    """A fact (no body), a rule, or a directive (no head), and where it starts."""

    head: Parsed | None
    body: Parsed | None
    line: int
    source: str

    @property
    def where(self) -> str:
        return f"{self.source}, line {self.line}"


def parse_clauses(text: str, source: str = "text", *, skip_directives: bool = False) -> list[Clause]:
    """All clauses of a text, in order.

    Parameters
    ----------
    text : str
    source : str
        What the text is called in messages: the name of its file.
    skip_directives : bool
        Leave out what starts with ``:-`` without reading it.
    """
    whole = Text(text, source)
    clauses = []
    constants = PlainConstants()
    line = 1
    counted = 0  # up to where lines are counted
    position = skip_space(text, 0)
    while position < len(text):
        line += text.count("\n", counted, position)
        counted = position
        if fact := PLAIN_FACT.match(text, position):
            try:
                arguments = tuple([constants[one.strip()] for one in fact[2].split(",")])
            except ValueError as error:
                raise whole.error(position, str(error)) from None
            clauses.append(Clause(Compound(fact[1], arguments), None, line, source))
            position = fact.end()
        else:
            tokens = whole.tokens(position)
            position = tokens[-1].stop
            if not (skip_directives and tokens[0].value == ":-"):
                clauses.append(Clause(*Parser(whole, tokens).clause(), line, source))
        position = skip_space(text, position)
    return clauses


class PlainConstants(dict[str, Constant]):
    """Constants of plain facts by their text, each made once."""

    def __missing__(self, text: str) -> Constant:
        if text[0] == "'":
            self[text] = Constant(text[1:-1])
        else:
            self[text] = Constant(number(text) if text[0] == "-" or text[0].isdigit() else text)
        return self[text]


def read_clauses(path: str | Path, *, skip_directives: bool = False) -> list[Clause]:
    """The clauses of a file, which may be compressed (.gz)."""
    path = Path(path)
    try:
        with open_bytes(path) as stream:
            raw = stream.read()
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no file {path}; give the path of a file with Prolog text.") from None
    if raw.startswith(OF_UTF_16) or b"\0" in raw:
        raise ValueError(f"{path} is binary or UTF-16; give a file of Prolog text, saved as UTF-8.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return parse_clauses(text, str(path), skip_directives=skip_directives)
