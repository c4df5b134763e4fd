"""Modules of the laboratory that pages name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
PAGES = [HOUSE / "README.md", HOUSE / "CONTRIBUTING.md", *sorted((HOUSE / "docs").rglob("*.md"))]


def named(text: str) -> set[Path]:
    modules = re.findall(r"\blab\.[a-z_.]*[a-z_]", text)
    files = re.findall(r"\blab/[a-z_/]+\.py\b", text)
    return {_file(module) for module in modules} | set(map(Path, files))


def _file(module: str) -> Path:
    path = Path(module.replace(".", "/"))
    return path if (HOUSE / path).is_dir() else path.with_suffix(".py")


def test_there_are_some() -> None:
    assert len(set().union(*(named(page.read_text(encoding="utf-8")) for page in PAGES))) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_named_modules_exist(page: Path) -> None:
    found = named(page.read_text(encoding="utf-8"))
    assert [str(path) for path in sorted(found) if not (HOUSE / path).exists()] == []
