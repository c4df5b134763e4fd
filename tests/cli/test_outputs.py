"""No command writes over what it reads."""

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
