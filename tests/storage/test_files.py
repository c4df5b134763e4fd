"""Model files that are packed, by the ends of their names."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

import petree
from petree import OptionTreeClassifier, unpacking

X, y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def model() -> OptionTreeClassifier:
    return OptionTreeClassifier(n_searches=5).fit(X, y)


@pytest.mark.parametrize("name", ["model.json.gz", "model.JSON.GZ", "model.gz"])
def test_a_packed_model_is_the_same_in_less_room(model: OptionTreeClassifier, tmp_path: Path, name: str) -> None:
    plain, packed = tmp_path / "model.json", tmp_path / name
    petree.save(model, plain)
    petree.save(model, packed)
    assert packed.stat().st_size < plain.stat().st_size / 3
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    np.testing.assert_array_equal(petree.load(packed).predict_proba(X), petree.load(plain).predict_proba(X))


def test_equal_models_are_equal_files(model: OptionTreeClassifier, tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        petree.save(model, tmp_path / name)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"format": "petree model"}', r"model\.json\.gz is not a whole gzip file"),
        (gzip.compress(b'{"format": "petree model"}' * 9, mtime=0)[:-9], r"model\.json\.gz is not a whole gzip file"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), r"model\.json\.gz is no model file"),
        (gzip.compress(b"\xff", mtime=0), r"model\.json\.gz is not a petree model: byte 0 is not text"),
    ],
    ids=["not packed", "cut off", "a table", "no text"],
)
def test_what_is_no_packed_model_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "model.json.gz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=sentence):
        petree.load(path)


def test_a_small_file_that_unpacks_to_very_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "ALWAYS_UNPACKED", 2**16)
    path = tmp_path / "model.json.gz"
    path.write_bytes(gzip.compress(b" " * 2**24))
    with pytest.raises(ValueError, match=r"model\.json\.gz unpacks to more than \d+ MiB, over 100 times its own size"):
        petree.load(path)
