"""Benchmarks that pages name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
PAGES = [HOUSE / "README.md", HOUSE / "CONTRIBUTING.md", *sorted((HOUSE / "docs").rglob("*.md"))]


def named(text: str) -> set[Path]:
    modules = re.findall(r"\bbenchmarks\.[a-z_.]*[a-z_]", text)
    files = re.findall(r"\bbenchmarks/[a-z_/]+\.py\b", text)
    return {Path(module.replace(".", "/")).with_suffix(".py") for module in modules} | set(map(Path, files))


def test_there_are_some() -> None:
    assert len(set().union(*(named(page.read_text(encoding="utf-8")) for page in PAGES))) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_benchmarks_that_are_named_exist(page: Path) -> None:
    found = named(page.read_text(encoding="utf-8"))
    assert [str(path) for path in sorted(found) if not (HOUSE / path).exists()] == []
