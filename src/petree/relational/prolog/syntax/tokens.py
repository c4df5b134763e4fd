"""Prolog text cut into tokens."""

from __future__ import annotations

import math
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

LARGEST_CHARACTER = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)  # halves of characters, which are none by themselves
# Whole numbers above this are not all different as float64, in which they are compared.
LARGEST_WHOLE = 2**53
# No whole number of more digits fits into float64, and Python would take long to find that out.
LONGEST_WHOLE = 400


class Token(NamedTuple):
    """A piece of text: its kind (a group of `TOKEN`), its value, and where it starts and stops."""

    kind: str
    value: str | int | float
    start: int
    stop: int


class Text(NamedTuple):
    """What is read, what it is called in messages, and the largest whole number that may stand in it."""

    text: str
    source: str
    largest: float = LARGEST_WHOLE

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
        start = found[0].start if found else 0
        raise self.error(start, "the clause that starts here has no full stop; end it with one.")

    def _value(self, kind: str, text: str, position: int) -> str | int | float:
        if kind == "quoted":
            return self._unquoted(text, position)
        if kind != "number":
            return text
        try:
            return number(text, self.largest)
        except ValueError as error:
            raise self.error(position, str(error)) from None

    def _unquoted(self, text: str, position: int) -> str:
        """What stands between quotes: a doubled quote is one, a backslash starts an escape."""

        def replacement(match: re.Match[str]) -> str:
            if match[1]:
                return self._character(match[1], position)
            if match[2] is None:
                return match[0][0] if match[0][0] == text[0] else match[0]
            if match[2] not in ESCAPED:
                raise self.error(position, f"{match[0]!r} is no escape; write a backslash twice to get one.")
            return ESCAPED[match[2]]

        return ESCAPE.sub(replacement, text[1:-1])

    def _character(self, code: str, position: int) -> str:
        """The character of a hexadecimal number."""
        number = int(code, 16)
        if number > LARGEST_CHARACTER or number in SURROGATES:
            raise self.error(position, f"\\x{code[:10]}\\ is no character; write the one that is meant.")
        return chr(number)

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


def number(text: str, largest: float = LARGEST_WHOLE) -> int | float:
    """A number as it is written; one that float64 cannot hold, or a whole one beyond the largest, is refused."""
    shown = text if len(text) <= 20 else f"{text[:20]}..."
    is_whole = not any(mark in text for mark in ".eE")
    if (is_whole and len(text) > LONGEST_WHOLE) or not math.isfinite(float(text)):
        raise ValueError(f"the number {shown} is more than float64 can hold; write it shorter, or in quotes as a name.")
    if is_whole and abs(int(text)) > largest:
        raise ValueError(f"{shown} is beyond 2**53, where float64 cannot tell whole numbers apart; write it in quotes.")
    return int(text) if is_whole else float(text)
