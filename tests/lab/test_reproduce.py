"""``python -m lab.reproduce``: what it writes and says, and what it refuses."""

from __future__ import annotations

from datetime import date
from importlib import import_module
from pathlib import Path

import pytest
from tests.lab.shell import Shell

from lab.experiments.report.pages import Heading, Page, Picture, Words
from lab.experiments.report.tables import Table
from lab.papers.setting import PaperSetting

PAPERS = ("cw488", "f05", "ferri", "oates", "buntine")


class Drawing:
    """Something that is saved as a picture."""

    def savefig(self, file: object, **more: object) -> None:
        file.write(b"a picture")  # type: ignore[attr-defined]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, PaperSetting, str]]:
    """Tiny pages in the place of the papers'; what they were asked for."""
    calls: list[tuple[str, PaperSetting, str]] = []

    def make(paper: str) -> None:
        def page(setting: PaperSetting, command: str) -> Page:
            calls.append((paper, setting, command))
            table = Table("Areas", ("data set", "rand"), [("iris", "0.98 (0.97, +0.01)")])
            pictures = [Picture(f"{paper}-figure.png", "A figure", Drawing())] if setting.pictures else []
            return Page(f"The paper {paper}", [Words("Made by", command), Heading("Tables"), table, *pictures])

        monkeypatch.setattr(import_module(f"lab.papers.{paper}.page"), "page", page)

    for paper in PAPERS:
        make(paper)
    return calls


Asked = list[tuple[str, PaperSetting, str]]


def test_files_are_written(shell: Shell, asked: Asked) -> None:
    outcome = shell("reproduce", "cw488", "--out", "new/out")
    assert (outcome.code, outcome.err) == (0, "")
    names = ["cw488-areas.csv", "cw488-figure.png", "cw488.html", "cw488.md"]
    assert sorted(path.name for path in Path("new/out").iterdir()) == names
    assert outcome.out.splitlines()[-1] == "written   4 files to new/out, cw488.html first"
    assert "0.98 (0.97, +0.01)" in outcome.out
    markdown = Path("new/out/cw488.md").read_text()
    assert markdown.startswith("# The paper cw488\n\nMade by `python -m lab.reproduce cw488`\n")
    assert "(cw488-figure.png)" in markdown
    assert Path("new/out/cw488-figure.png").read_bytes() == b"a picture"


def test_settings_are_handed_on(shell: Shell, asked: Asked) -> None:
    assert shell("reproduce", "f05", "--out", "a b", "--quick", "--seed", "3", "--jobs", "2").code == 0
    assert shell("reproduce", "oates").code == 0
    assert asked == [
        ("f05", PaperSetting(Path("a b"), True, 3, 2, True), "python -m lab.reproduce f05 --quick --seed 3"),
        ("oates", PaperSetting(Path("reproduction"), False, 0, -1, True), "python -m lab.reproduce oates"),
    ]


def test_all_papers(shell: Shell, asked: Asked) -> None:
    outcome = shell("reproduce", "all", "--out", "out", "--quick", "--page", "all.md")
    assert outcome.code == 0
    assert [(paper, command) for paper, _, command in asked] == [
        (paper, f"python -m lab.reproduce {paper} --quick") for paper in PAPERS
    ]
    assert [Path("out", f"{paper}.html").is_file() for paper in PAPERS] == [True] * len(PAPERS)
    text = Path("all.md").read_text()
    assert text.startswith(f"# The papers' experiments, {date.today().isoformat()}\n")
    places = [text.index("### The conclusions of all papers"), *(text.index(f"# The paper {one}\n") for one in PAPERS)]
    assert places == sorted(places)


def test_the_page_has_its_pictures_in_a_folder_beside_it(shell: Shell, asked: Asked) -> None:
    Path("docs").mkdir()
    outcome = shell("reproduce", "ferri", "--out", "out", "--page", "docs/reproduction.md")
    assert outcome.out.splitlines()[-1] == "written   docs/reproduction.md"
    assert "![A figure](reproduction/ferri-figure.png)" in Path("docs/reproduction.md").read_text()
    assert Path("docs/reproduction/ferri-figure.png").read_bytes() == b"a picture"


def test_without_matplotlib(shell: Shell, asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.command_line.find_spec", lambda name: None)
    outcome = shell("reproduce", "ferri", "--out", "out")
    assert outcome.code == 0
    assert outcome.err.startswith("note: pages contain no pictures because matplotlib is not installed;")
    assert not list(Path("out").glob("*.png"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["c45"], "'c45' is not one of 'cw488', 'f05', 'ferri', 'oates', 'buntine', 'all'."),
        ([], "Missing argument"),
        (["f05", "--out", "file"], "file is not a folder; name another one for the results."),
        (["f05", "--seed", "-1"], "--seed"),
        (["f05", "--page", "report"], "report is the folder for the pictures of the page; call the page report.md."),
        (["f05", "--page", "no/report.md"], "no/report.md cannot be written because there is no directory no;"),
        (["f05", "--page", "."], "cannot be written because it is not a file; choose another name."),
    ],
)
def test_bad_words_are_refused_before_any_work(shell: Shell, asked: Asked, words: list[str], sentence: str) -> None:
    shell.write("file", "something")
    assert sentence in shell.refused("reproduce", *words)
    assert asked == []
    assert not Path("reproduction").exists()


def test_data_that_are_not_there(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETREE_DATA", str(shell.directory / "nowhere"))
    line = shell.refused("reproduce", "f05", "--out", "out")
    assert "nowhere/tabular/types.json; PETREE_DATA must name a folder that holds" in line
