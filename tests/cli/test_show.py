"""``petree show``."""

from __future__ import annotations

from pathlib import Path

from tests.cli.shell import Shell

from petree import reading, storage


def test_show(shell: Shell, model: Path) -> None:
    fitted = storage.load(model)
    assert shell("show", model).out == reading.export_text(fitted).rstrip("\n") + "\n"
    rules = shell("show", model, "--format", "rules").out.splitlines()
    assert rules == reading.rules(fitted)
    assert len(rules) == fitted.get_n_leaves()
    page = shell("show", model, "--format", "html").out
    assert page.rstrip("\n") == reading.to_html(fitted).rstrip("\n")
    assert shell("show", model, "--format", "html", "--out", "tree.html").out == ""
    assert Path("tree.html").read_text() == page
