"""Downloads from OpenML, against recorded answers, and the cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lab.papers.data.openml_answers import ARFF, Server, description

from lab.papers.data import openml


def test_a_table_is_downloaded_once(server: Server, tmp_path: Path) -> None:
    server.publish()
    first = openml.fetch(7, "made")
    assert first == openml.Published(tmp_path / "cache" / "petree" / "openml" / "7.arff", "Class", ("Instance name",))
    assert first.path.read_bytes() == ARFF
    assert openml.fetch(7, "made") == first
    assert server.asked == ["/data/7", "/7.arff"]
    assert sorted(path.name for path in first.path.parent.iterdir()) == ["7.arff", "7.json"]


@pytest.mark.parametrize(
    ("said", "ignored"),
    [
        ({"row_id_attribute": None}, ()),
        ({"row_id_attribute": [], "ignore_attribute": ["a", "b"]}, ("a", "b")),
        ({"row_id_attribute": "a", "ignore_attribute": "b"}, ("a", "b")),
    ],
)
def test_columns_that_openml_leaves_out(server: Server, said: dict[str, object], ignored: tuple[str, ...]) -> None:
    server.publish(**said)
    assert openml.fetch(7, "made").ignored == ignored


def test_openml_is_asked_over_https() -> None:
    assert openml.ADDRESS.startswith("https://www.openml.org/")


def test_files_are_asked_for_over_https(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def answer(address: str, what: str) -> bytes:
        asked.append(address)
        return description("http://www.openml.org/data/v1/download/1234") if len(asked) == 1 else ARFF

    monkeypatch.setattr(openml, "_download", answer)
    openml.fetch(7, "made")
    assert asked == [f"{server.address}/data/7", "https://www.openml.org/data/v1/download/1234"]


def test_without_a_network_one_sentence_says_what_to_do(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openml, "ADDRESS", "http://127.0.0.1:1/{}")
    with pytest.raises(OSError, match=r"'made' \(data id 7 of OpenML\) could not be downloaded .*; .* PETREE_DATA"):
        openml.fetch(7, "made")
    assert not openml.cache_folder().exists()


def test_an_unknown_number(server: Server) -> None:
    with pytest.raises(OSError, match=r"data id 7 of OpenML.*404"):
        openml.fetch(7, "made")


def test_a_damaged_file_is_not_kept(server: Server) -> None:
    server.publish(arff=ARFF[:-10])
    with pytest.raises(ValueError, match=r"'made' .* came damaged: .*; try again"):
        openml.fetch(7, "made")
    server.publish()
    assert openml.fetch(7, "made").path.read_bytes() == ARFF


@pytest.mark.parametrize("answer", [b"<html>busy</html>", b'{"error": {"code": "111"}}', b"[]"])
def test_an_answer_that_is_no_description(server: Server, answer: bytes) -> None:
    server.answers["/data/7"] = answer
    with pytest.raises(ValueError, match=r"'made' .* has a description that cannot be read"):
        openml.fetch(7, "made")
    server.publish()
    assert openml.fetch(7, "made").target == "Class"


def test_the_cache_is_in_the_home_folder_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert openml.cache_folder() == tmp_path / ".cache" / "petree" / "openml"
