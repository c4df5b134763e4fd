"""ARFF files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.files.tables import plain, write

from petree.files import read_table

ARFF = """% flowers
@RELATION flowers

@attribute 'stem length' REAL
@attribute colour {red, 'light blue', "white"}
@attribute kind{rose,iris}
@data
1.5,red,rose
% between
?,'light blue',iris

2,?,rose
"""


@pytest.mark.parametrize("name", ["a.arff", "a.ARFF", "a.arff.gz"])
def test_arff(tmp_path: Path, name: str) -> None:
    table = read_table(write(tmp_path / name, gzip.compress(ARFF.encode()) if name.endswith("gz") else ARFF))
    assert plain(table) == {
        "stem length": [1.5, None, 2.0],
        "colour": ["red", "light blue", None],
        "kind": ["rose", "iris", "rose"],
    }
    assert table.lines is not None
    assert table.lines.tolist() == [8, 10, 12]


def test_arff_quotes_and_escapes(tmp_path: Path) -> None:
    content = "@attribute a {'it\\'s', \"x, y\", é}\n@attribute n integer\n@data\n'it\\'s', 1\n\"x, y\" ,2\né,3"
    assert plain(read_table(write(tmp_path / "a.arff", content))) == {"a": ["it's", "x, y", "é"], "n": [1, 2, 3]}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("1.5,red,rose", "1.5,red,rose,7", r"Line 8 of .*a\.arff is broken: expected 3 fields, found 4"),
        ("1.5,red,rose", "1.5,red", r"Line 8 of .*expected 3 fields, found 2"),
        ("2,?,rose", "two,?,rose", r"'stem length' is declared a number, but line 12 of .*a\.arff has 'two'"),
        ("2,?,rose", "2,green,rose", r"'colour' in line 12 of .*a\.arff has the undeclared value 'green'"),
        ("1.5,red,rose", "{0 1.5, 2 rose}", r"Line 8 of .*a\.arff is sparse ARFF"),
        ("'stem length' REAL", "stem", r"Line 4 of .*a\.arff is broken: it must be '@attribute name type'"),
        ("kind{", "colour {", r"a\.arff has two columns named 'colour'"),
        ("@attribute", "%", r"a\.arff declares no attributes"),
        (ARFF[ARFF.index("1.5") :], "", r"a\.arff has no rows of data"),
    ],
)
def test_bad_arff_is_refused(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in ARFF
    with pytest.raises(ValueError, match=sentence):
        read_table(write(tmp_path / "a.arff", ARFF.replace(old, new)))


@pytest.mark.parametrize("kind", ["string", "date 'yyyy'"])
def test_an_attribute_of_another_type_is_refused_where_it_is_asked_for(tmp_path: Path, kind: str) -> None:
    table = read_table(write(tmp_path / "a.arff", ARFF.replace("REAL", kind)))
    assert table.column("kind").tolist() == ["rose", "iris", "rose"]
    with pytest.raises(ValueError, match=rf"Attribute 'stem length' in line 4 of .*a\.arff is of type {kind[:4]}"):
        table.column("stem length")
