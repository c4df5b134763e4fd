"""The committed types of the extension are those of the extension that was built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import petree.core

STUBS = Path(petree.core.__file__).parent / "_core"


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.glob("*.pyi")}


def test_the_stubs_are_what_the_extension_says_of_itself(tmp_path: Path) -> None:
    """To make them anew see CONTRIBUTING.md."""
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "petree.core._core", "-O", str(tmp_path)]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert read(tmp_path / "_core") == read(STUBS)
