"""The build of petree: scikit-build-core, with a compiler from a package where the machine has none.

A source package must install with pip alone, as it did when it was plain Python. Where no C++ compiler is found, the
package `ziglang` (Zig carries Clang, libc++ and the headers of the C libraries) is asked for and compiles instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import compilers
from scikit_build_core import build

build_sdist = build.build_sdist
get_requires_for_build_sdist = build.get_requires_for_build_sdist
prepare_metadata_for_build_wheel = build.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = build.prepare_metadata_for_build_editable

Settings = Mapping[str, "list[str] | str"] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return [*build.get_requires_for_build_wheel(config_settings), *_compiler_packages(config_settings)]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    return [*build.get_requires_for_build_editable(config_settings), *_compiler_packages(config_settings)]


def build_wheel(directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    with _compiler(config_settings):
        return build.build_wheel(directory, config_settings, metadata_directory)


def build_editable(directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    with _compiler(config_settings):
        return build.build_editable(directory, config_settings, metadata_directory)


def _compiler_packages(config_settings: Settings) -> list[str]:
    return ["ziglang>=0.13"] if _needs_zig(config_settings) else []


def _needs_zig(config_settings: Settings) -> bool:
    words = [os.environ.get("CMAKE_ARGS", ""), str(dict(config_settings or {}))]
    return compilers.can_use_zig() and not compilers.is_named(words) and compilers.find() is None


@contextmanager
def _compiler(config_settings: Settings) -> Iterator[None]:
    if not _needs_zig(config_settings):
        yield
        return
    before = dict(os.environ)
    with compilers.zig_tools() as variables:
        os.environ.update(variables)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)
