"""Which C++ compiler this machine has, and Zig in the shape of one."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

# The names that CMake looks for, in its order.
NAMES = ("c++", "CC", "g++", "aCC", "cl", "bcc", "xlC", "icpx", "icx", "clang++")

# The oldest C library that the package may meet; Zig knows the symbols of each.
OLDEST_GLIBC = "2.17"


def find() -> str | None:
    """The compiler that CMake would take: the variable CXX, else the first of its names that works."""
    named = os.environ.get("CXX")
    if named:
        return named
    return next((name for name in NAMES if _works(name)), None)


def is_named(words: Iterable[str]) -> bool:
    """Whether somebody chose a compiler for CMake in other ways."""
    texts = [*words, *(name for name in os.environ if name == "CMAKE_TOOLCHAIN_FILE")]
    return any(setting in text for text in texts for setting in ("CMAKE_CXX_COMPILER", "CMAKE_TOOLCHAIN_FILE"))


def can_use_zig() -> bool:
    """On Windows the interpreter is made by Visual Studio, and extensions are too."""
    return sys.platform.startswith("linux") or sys.platform == "darwin"


def _works(name: str) -> bool:
    """On macOS the names are there without a compiler behind them."""
    path = shutil.which(name)
    if path is None:
        return False
    try:
        return subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@contextmanager
def zig_tools() -> Iterator[dict[str, str]]:
    """The variables that make CMake compile with Zig; programs are single words to it, so each tool is a script."""
    zig = shlex.quote(_zig())
    with TemporaryDirectory(prefix="petree-zig-") as folder:
        compiler = _script(folder, "c++", _COMPILER.format(zig=zig, options=shlex.join(_options())))
        _script(folder, "ar", f'exec {zig} ar "$@"')
        _script(folder, "ranlib", f'exec {zig} ranlib "$@"')
        with _standard_library(folder, compiler):
            yield {"CXX": compiler, "CMAKE_ARGS": _cmake_arguments(folder)}


# CMake's trials link programs that need no library of C++; Zig would take a minute to make one for them.
_COMPILER = """\
case " $* " in
*" -c "* | *" -shared "*) language=c++ ;;
*) language=cc ;;
esac
exec {zig} "$language" {options} "$@"
"""


@contextmanager
def _standard_library(folder: str, compiler: str) -> Iterator[None]:
    """Zig compiles the library of C++ when it first links: begun now, it is ready when the extension is compiled."""
    source = Path(folder) / "nothing.cpp"
    source.touch()
    command = [compiler, "-fPIC", "-O3", "-shared", "-Wl,-s", str(source), "-o", str(source.with_suffix(".so"))]
    with subprocess.Popen(command, cwd=folder) as linking:
        try:
            yield
        finally:
            linking.terminate()


def _zig() -> str:
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise SystemExit("No C++ compiler was found. Install one, or the package 'ziglang'.")
    return str(Path(spec.origin).with_name("zig"))


def _cmake_arguments(folder: str) -> str:
    """The tools that have no variable of their own, and trials that compile but do not link."""
    settings = [f"-DCMAKE_{name.upper()}={folder}/{name}" for name in ("ar", "ranlib")]
    settings.append("-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
    return " ".join([os.environ.get("CMAKE_ARGS", ""), *map(shlex.quote, settings)]).strip()


def _options() -> list[str]:
    """Zig compiles for the processor it runs on, with checks of its own and for debuggers, unless told otherwise."""
    return ["-mcpu=baseline", "-fno-sanitize=undefined", "-g0", *_target(), *_headers()]


def _target() -> list[str]:
    if platform.libc_ver()[0] != "glibc" or platform.machine() not in ("x86_64", "aarch64"):
        return []
    return ["-target", f"{platform.machine()}-linux-gnu.{OLDEST_GLIBC}"]


def _headers() -> list[str]:
    """Some systems keep parts of Python's headers where only their own compiler would look."""
    return ["-idirafter", "/usr/include"] if sysconfig.get_path("include").startswith("/usr/include") else []


def _script(folder: str, name: str, commands: str) -> str:
    path = Path(folder) / name
    path.write_text(f"#!/bin/sh\n{commands}\n")
    path.chmod(0o755)
    return str(path)
