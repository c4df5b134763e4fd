"""No command writes over what it reads, or fails without a word where it cannot write."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.shell import Shell, pets


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (("fit", "pets.csv", "--target", "kind", "--out", "pets.csv"), "pets.csv"),
        (("predict", "model.json", "pets.csv", "--out", "model.json"), "model.json"),
        (("predict", "model.json", "pets.csv", "--out", "pets.csv"), "pets.csv"),
        (("show", "model.json", "--out", "model.json"), "model.json"),
    ],
)
def test_an_input_is_never_the_output(shell: Shell, arguments: tuple[str, ...], kept: str) -> None:
    shell.write("pets.csv", pets(50))
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "model.json").code == 0
    before = shell.directory.joinpath(kept).read_bytes()
    assert "give the output another name" in shell.refused(*arguments)
    assert shell.directory.joinpath(kept).read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device here that is always full")
@pytest.mark.parametrize("arguments", [("predict", "model.json", "pets.csv"), ("--version",)])
def test_a_full_disk(shell: Shell, arguments: tuple[str, ...]) -> None:
    shell.write("pets.csv", pets(50))
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "model.json").code == 0
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "petree", *arguments]
        done = subprocess.run(command, cwd=shell.directory, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    *_, last = done.stderr.splitlines()
    assert last.startswith("petree: The output cannot be written: No space left on device")
    assert done.returncode == 1
