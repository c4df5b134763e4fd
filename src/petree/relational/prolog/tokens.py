"""Prolog text cut into tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

TOKEN = re.compile(
    r"""
    (?P<space>\s+|%[^\n]*|/\*.*?\*/)
  | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
  | (?P<variable>[A-Z_]\w*)
  | (?P<name>[^\W\d]\w*)
  | (?P<quoted>'(?:[^'\\\n]|\\.|'')*'|"(?:[^"\\\n]|\\.|"")*")
  | (?P<end>\.(?=\s|%|\Z))
  | (?P<symbol>:-|-->|->|\\\+|\\==|\\=|=\\=|=:=|==|=<|>=|!=|\+-|//|[=<>+\-*/:\#;,|!()\[\]{}])
    """,
    re.VERBOSE | re.DOTALL,
)
SPACE = re.compile(r"(?:\s+|%[^\n]*|/\*.*?\*/)+", re.DOTALL)
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)\\|(.))|''|\"\"", re.DOTALL)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
ESCAPED |= {character: character for character in "\\'\"`"}


class Token(NamedTuple):
    """A piece of text: its kind (a group of `TOKEN`), its value, and where it starts and stops."""

    kind: str
    value: str | int | float
    start: int
    stop: int


class Text(NamedTuple):
    """What is read, and what it is called in messages."""

    text: str
    source: str

    def error(self, position: int, problem: str) -> ValueError:
        """What is wrong, and in which line."""
        return ValueError(f"{self.source}, line {self.text.count(chr(10), 0, position) + 1}: {problem}")

    def tokens(self, position: int) -> list[Token]:
        """Tokens from a position to the full stop that ends the clause."""
        found: list[Token] = []
        while position < len(self.text):
            match = TOKEN.match(self.text, position)
            if match is None or (match.group() == "/" and self.text.startswith("/*", position)):
                raise self.error(position, self._unreadable(position))
            kind = str(match.lastgroup)
            if kind != "space":
                found.append(Token(kind, self._value(kind, match.group(), position), position, match.end()))
            position = match.end()
            if kind == "end":
                return found
        raise self.error(found[0].start, "the clause that starts here has no full stop; end it with one.")

    def _value(self, kind: str, text: str, position: int) -> str | int | float:
        if kind == "quoted":
            return self._unquoted(text, position)
        return number(text) if kind == "number" else text

    def _unquoted(self, text: str, position: int) -> str:
        """What stands between quotes: a doubled quote is one, a backslash starts an escape."""

        def replacement(match: re.Match[str]) -> str:
            if match[1]:
                return chr(int(match[1], 16))
            if match[2] is None:
                return match[0][0] if match[0][0] == text[0] else match[0]
            if match[2] not in ESCAPED:
                raise self.error(position, f"{match[0]!r} is no escape; write a backslash twice to get one.")
            return ESCAPED[match[2]]

        return ESCAPE.sub(replacement, text[1:-1])

    def _unreadable(self, position: int) -> str:
        start = self.text[position : position + 2]
        if start == "/*":
            return "the comment that starts here is not closed; end it with */."
        if start[0] in "'\"":
            return f"the quote {start[0]} that opens here is not closed on its line; close it, or write '' for a quote."
        return f"{start[0]!r} is not understood here; put the name in single quotes."


def skip_space(text: str, position: int) -> int:
    """Where the next clause starts, behind space and comments."""
    space = SPACE.match(text, position)
    return position if space is None else space.end()


def number(text: str) -> int | float:
    """A number as it is written."""
    return float(text) if any(mark in text for mark in ".eE") else int(text)
