"""``petree export``."""

from __future__ import annotations

from pathlib import Path

import onnx
from tests.cli.shell import Shell

from petree import storage
from petree.exports import EXPORTS


def test_every_format_that_goes_to_files_is_there(shell: Shell, model: Path) -> None:
    fitted = storage.load(model)
    for name, row in EXPORTS.items():
        if not row.in_files:
            assert name in shell.refused("export", model, "--to", name)
        elif row.of_one_table is None:
            assert f"The format {name} is for trees of related tables" in shell.refused("export", model, "--to", name)
        elif row.package is None:
            assert shell("export", model, "--to", name).out == fitted.export(name).rstrip("\n") + "\n"


def test_onnx_goes_to_a_file(shell: Shell, model: Path) -> None:
    assert "name a file to write with --out" in shell.refused("export", model, "--to", "onnx")
    shell("export", model, "--to", "onnx", "--out", "model.onnx")
    assert onnx.load("model.onnx") == storage.load(model).to_onnx()


def test_sql_is_told_about_the_table(shell: Shell, model: Path) -> None:
    told = shell("export", model, "--to", "sql", "--dialect", "duckdb", "--table", "my pets", "--key", "number").out
    assert told.rstrip("\n") == storage.load(model).to_sql("duckdb", "my pets", "number")
    refused = shell.refused("export", model, "--to", "python", "--table", "x")
    assert "The format python takes no 'table'; sql does." in refused
