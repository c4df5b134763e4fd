"""Folders that nobody keeps: they go with the codes, and those of killed processes with the next one."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path

import pytest
from tests.partitions.tables import arrow, frame

from petree.partitions import Coding, as_coded
from petree.partitions.coding import second_pass
from petree.partitions.coding.temporary import OwnFolder


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_process_left_goes_with_the_next(place: Path) -> None:
    left = OwnFolder()
    (left.path / "codes").mkdir()
    left.lock.close()  # as the system does for who is killed
    living = OwnFolder()
    assert [folder.name for folder in place.iterdir()] == [living.path.name]
    another = OwnFolder()
    assert living.path.exists()
    another.remove()
    living.remove()
    assert not list(place.iterdir())


def test_codes_go_with_who_needs_them(place: Path) -> None:
    codes = as_coded(arrow(frame(50)[["few", "y"]]), "y", Coding())
    assert len(codes.whole()) == 50
    assert list(place.iterdir())
    del codes
    gc.collect()
    assert not list(place.iterdir())


def test_nothing_is_said_to_be_kept_that_is_not(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_the_disk(*_: object) -> None:
        raise OSError("The codes could not be written to there (No space left on device).")

    monkeypatch.setattr(second_pass, "write_part", fill_the_disk)
    with pytest.raises(OSError, match=r"No space left .* code the data into a folder first") as found:
        as_coded(arrow(frame(50)[["few", "y"]]), "y", Coding())
    assert "kept" not in str(found.value)
    assert not list(place.iterdir())
