"""Which compiler the build takes, and what the package holds."""

from __future__ import annotations

import sys
from importlib.metadata import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "build_backend"))
import compilers  # noqa: E402

sys.path.pop(0)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose only programs are in a folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("CXX", "CMAKE_ARGS", "CMAKE_TOOLCHAIN_FILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def add_program(folder: Path, name: str, exit_code: int) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\nexit {exit_code}\n")
    program.chmod(0o755)


needs_scripts = pytest.mark.skipif(sys.platform == "win32", reason="programs are scripts of sh here")


def test_a_machine_without_programs_has_no_compiler(bare: Path) -> None:
    assert compilers.find() is None


@needs_scripts
@pytest.mark.parametrize("name", ["c++", "g++", "clang++"])
def test_compilers_are_found_by_their_names(bare: Path, name: str) -> None:
    add_program(bare, name, 0)
    assert compilers.find() == name


@needs_scripts
def test_a_name_without_a_compiler_behind_it_does_not_count(bare: Path) -> None:
    add_program(bare, "c++", 1)
    assert compilers.find() is None


def test_the_variable_comes_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "my-compiler -x")
    assert compilers.find() == "my-compiler -x"


def test_a_compiler_may_be_named_to_cmake(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not compilers.is_named(["-DPETREE_SANITIZE=ON"])
    assert compilers.is_named(["-DCMAKE_CXX_COMPILER=/opt/c++"])
    monkeypatch.setenv("CMAKE_TOOLCHAIN_FILE", "toolchain.cmake")
    assert compilers.is_named([])


def test_the_package_holds_the_extension_and_its_types_but_not_its_sources() -> None:
    names = [str(path) for path in files("petree") or []]
    if not any(name.endswith("petree/__init__.py") for name in names):
        pytest.skip("an editable package holds no files")
    endings = {Path(name).suffix for name in names}
    assert endings.isdisjoint({".cpp", ".hpp", ".inc", ".a", ".txt.in"})
    assert any("core/_core." in name for name in names)
    assert "petree/core/_core/__init__.pyi" in names
