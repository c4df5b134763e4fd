"""Text that is read from left to right by a parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any


class Text:
    """A text, and how far it was read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def takes(self, *texts: str) -> str:
        """The first of some texts that stands here, which is then behind us; else nothing."""
        found = next((one for one in texts if self.text.startswith(one, self.at)), "")
        self.at += len(found)
        return found

    def needs(self, *texts: str) -> str:
        if not (found := self.takes(*texts)):
            raise ValueError(f"{self.text!r}: expected one of {texts}, not {self.text[self.at :]!r}")
        return found

    def matches(self, pattern: str) -> str:
        if (found := re.compile(pattern).match(self.text, self.at)) is None:
            raise ValueError(f"{self.text!r}: expected {pattern}, not {self.text[self.at :]!r}")
        self.at = found.end()
        return found[0]

    def tries(self, read: Callable[[], Any]) -> Any:
        """What is read; None, and nothing is read, where it does not stand here."""
        before = self.at
        try:
            return read()
        except ValueError:
            self.at = before
            return None

    def name(self, names: Iterable[str]) -> str:
        """One of some names, the longest that fits."""
        forms = {form: one for one in names for form in (one, quoted(one))}
        return forms[self.needs(*sorted(forms, key=len, reverse=True))]

    def listed(self, read: Callable[[], Any]) -> list[Any]:
        """Things with "and" between them."""
        found = [read()]
        while (more := self.tries(lambda: [self.needs(" and "), read()])) is not None:
            found.append(more[1])
        return found


def quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
