"""One file of a page: the values, the script and the styles, of which nothing but our own script can run."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from petree.storage.values import Record
from petree.writing import write_whole


@dataclass(frozen=True, repr=False)
class Report:
    """A page as HTML text.

    Parameters
    ----------
    html : str
        All of it: one file that asks for no other.
    """

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file; an old one is replaced in one step."""
        write_whole(path, self.html.encode(), "The report")

    def __str__(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"<petree report of {len(self.html) // 1000} kB; save(path) writes it, str(report) is its HTML>"

    def _repr_html_(self) -> str:
        """What notebooks show: the page in a frame of its own."""
        style = "width:100%;height:80vh;border:1px solid #8884;border-radius:8px"
        return f'<iframe title="petree report" srcdoc="{escape(self.html)}" style="{style}"></iframe>'


def page(content: Record) -> Report:
    """The page that shows such values."""
    script = _read("assets/bundle.js")
    parts = {
        "POLICY": _policy(script),
        "STYLE": _read("page/style.css"),
        "CONTENT": _embedded(content),
        "SCRIPT": script,
    }
    pieces = _read("page/page.html").split("%%")
    return Report("".join(parts[piece] if place % 2 else piece for place, piece in enumerate(pieces)))


def _embedded(content: Record) -> str:
    """JSON in which nothing can end the element that holds it, whatever names stand there."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _policy(script: str) -> str:
    """What the browser may do: run this very script, show our styles, and ask nobody for anything."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    rules = ("default-src 'none'", f"script-src 'sha256-{digest}'", "style-src 'unsafe-inline'", "img-src data:")
    return "; ".join((*rules, "base-uri 'none'", "form-action 'none'"))


@cache
def _read(name: str) -> str:
    return files("petree.report").joinpath(name).read_text("utf-8")
