"""The page is one file in which nothing but its own script can run."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

from tests.report.examples import content_of, flat_model, hostile_model, mixed_rows, new_rows

from petree import ProbabilityTreeClassifier, make_report

ROOM = files("petree.report")


class Elements(HTMLParser):
    """The elements of a page, and the texts of its scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.scripts: list[str] = []
        self.policy = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag == "meta" and dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        if self.names and self.names[-1] == "script" and data.strip():
            self.scripts.append(data)


def test_hostile_names_are_values_and_never_markup() -> None:
    model, X, y = hostile_model()
    report = make_report(model, X, y, command="petree report '</script><script>alert(1)</script>'")
    page = Elements(report.html)
    assert page.names.count("script") == 2
    assert "img" not in page.names
    names = content_of(report)["model"]["columns"]
    assert [column["name"] for column in names] == list(X)


def test_shown_names_have_no_characters_that_turn_the_reading_direction() -> None:
    model, X, y = hostile_model()
    texts = content_of(make_report(model, X, y))["texts"]
    assert not any("\u202e" in text for text in [*texts["classes"], *texts["columns"], *texts["rules"].values()])


def test_lone_surrogates_can_be_written(tmp_path: Path) -> None:
    model = ProbabilityTreeClassifier(pruning="none").fit({"\ud800": [1, 2, 3, 4]}, ["a", "a", "b", "b"])
    make_report(model).save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text("utf-8") == str(make_report(model))


def test_the_policy_lets_this_very_script_run_and_nothing_be_fetched() -> None:
    page = Elements(make_report(flat_model()).html)
    digest = base64.b64encode(hashlib.sha256(page.scripts[-1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page.policy
    assert page.policy.startswith("default-src 'none'")
    assert "unsafe-eval" not in page.policy


def test_a_large_tree_is_less_than_a_megabyte() -> None:
    X, y = mixed_rows(3000)
    many = [f"{label} {number % 7}" for number, label in enumerate(y)]
    model = ProbabilityTreeClassifier(pruning="none", min_samples_leaf=5).fit(X, many)
    assert model.get_n_leaves() > 400
    assert len(make_report(model).html) < 1_000_000


def test_a_page_asks_for_no_other_file() -> None:
    html = make_report(flat_model()).html
    assert "<link" not in html
    assert not re.search(r"""<[^>]*\s(?:src|srcset)=""", html.partition('id="content"')[0])
    assert "@import" not in html


def test_notebooks_show_it_in_a_frame() -> None:
    X, y = new_rows()
    report = make_report(flat_model(), X, y)
    assert report._repr_html_().startswith('<iframe title="petree report" srcdoc="&lt;!DOCTYPE html&gt;')
    assert len(repr(report)) < 200


def test_the_script_is_made_of_the_sources() -> None:
    """Where this fails, run ``npm ci && npm run build`` in tools/report."""
    page = Path(__file__).parents[2] / "src/petree/report/page"
    names = sorted(path.relative_to(page).as_posix() for path in page.rglob("*.js"))
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\n{(page / name).read_text('utf-8')}\n".encode())
    assert (ROOM / "assets/sources.sha256").read_text("utf-8").strip() == digest.hexdigest()


def test_every_library_in_the_script_has_its_licence() -> None:
    licences = (ROOM / "assets/LICENSES.txt").read_text("utf-8")
    for name in ("@observablehq/plot", "d3-hierarchy", "d3-zoom", "d3-selection"):
        assert f"\n{name} " in f"\n{licences}"
