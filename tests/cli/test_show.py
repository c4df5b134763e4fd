"""``petree show``."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest
from tests.cli.shell import Outcome, Shell, pets

from petree import ProbabilityTreeClassifier, reading, storage
from petree.cli.messages import put
from petree.exports import EXPORTS
from petree.reading.large import describe_size, first_levels


def test_show(shell: Shell, model: Path) -> None:
    fitted = storage.load(model)
    assert shell("show", model).out == reading.export_text(fitted).rstrip("\n") + "\n"
    rules = shell("show", model, "--format", "rules").out.splitlines()
    assert rules == reading.rules(fitted)
    assert len(rules) == fitted.get_n_leaves()
    page = shell("show", model, "--format", "html").out
    assert page.rstrip("\n") == reading.to_html(fitted).rstrip("\n")
    assert shell("show", model, "--format", "html", "--out", "tree.html").out == ""
    assert Path("tree.html").read_text() == page


def test_every_format_of_the_registry_is_there(shell: Shell, model: Path) -> None:
    fitted = storage.load(model)
    for name, row in EXPORTS.items():
        if row.in_files and row.package:
            assert name in shell.refused("show", model, "--format", name)
        elif row.in_files and row.of_one_table:
            assert shell("show", model, "--format", name).out == fitted.export(name).rstrip("\n") + "\n"
        elif row.in_files:
            assert f"The format {name} is for trees of related tables" in shell.refused("show", model, "--format", name)
    assert "frame" in shell.refused("show", model, "--format", "frame")


def test_one_class_is_told_where_it_is_asked_for(shell: Shell, model: Path) -> None:
    fitted = storage.load(model)
    assert shell("show", model, "--label", "cat").out == fitted.export_text(label="cat") + "\n"
    rules = shell("show", model, "--format", "rules", "--label", "cat", "--level", "0.9").out
    assert rules.splitlines() == fitted.rules(0.9, label="cat")
    assert rules.count("P(cat)=") == fitted.get_n_leaves()
    assert "Unknown class 'cow'; valid names are cat, dog" in shell.refused("show", model, "--label", "cow")
    assert "The format python takes no 'label'; text, rules" in shell.refused(
        "show", model, "--label", "cat", "--format", "python"
    )


def test_bytes_go_to_a_file_alone(tmp_path: Path) -> None:
    put(b"\x00\xff", tmp_path / "tree", "The tree")
    assert (tmp_path / "tree").read_bytes() == b"\x00\xff"
    with pytest.raises(ValueError, match="The tree is no text in this format; name a file to write with --out"):
        put(b"\x00", None, "The tree")


@pytest.fixture
def pruned(shell: Shell) -> Path:
    """A model of noise, which chi-square cuts down; the name of a column looks like markup."""
    rows = "".join(f"{i * 7 % 31},{'abc'[i % 3]},{'yes' if i * 13 % 29 < 14 else 'no'}\n" for i in range(90))
    shell.write("noise.csv", f"[red]size[/red],tone,kind\n{rows}")
    words = ["--target", "kind", "--out", "noise.json", "--pruning", "chi"]
    outcome = shell("fit", "noise.csv", *words)
    n_cut = len(storage.load("noise.json").why())
    assert f"pruned    by Chi(), cuts: {n_cut} (petree show --why tells of each)\n" in outcome.out
    return shell.directory / "noise.json"


def test_why(shell: Shell, pruned: Path) -> None:
    lines = shell("show", pruned, "--why").out
    assert lines.splitlines() == storage.load(pruned).why()
    assert " was cut. How far the branches differ (chi-square): " in lines
    assert shell("show", pruned, "--why", "--out", "why.txt").out == ""
    assert Path("why.txt").read_text() == lines
    assert "Leave out the options of formats" in shell.refused("show", pruned, "--why", "--format", "rules")
    assert "Leave out the options of formats" in shell.refused("show", pruned, "--why", "--level", "0.9")


def test_nodes_closed_while_growing_are_told_apart(shell: Shell) -> None:
    rows = "".join(
        f"{size},{kind}\n" for size, kind, n in ((0, "a", 57), (1, "a", 4), (1, "b", 2), (2, "b", 57)) for _ in range(n)
    )
    shell.write("sizes.csv", f"size,kind\n{rows}")
    outcome = shell("fit", "sizes.csv", "--target", "kind", "--out", "sizes.json", "--pruning", "mdl")
    assert "pruned    by MDL(), cuts: 0, closed while growing: 1 (petree show --why tells of each)\n" in outcome.out
    [line] = shell("show", "sizes.json", "--why").out.splitlines()
    assert line.startswith(
        "if 1 <= size < 2: a node (n=6) was closed before a test was sought. Bits to write down the subtree "
    )


def test_why_of_an_unpruned_tree(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("pets.csv", pets())
    outcome = shell("fit", "pets.csv", "--target", "kind", "--out", "m.json", "--pruning", "none")
    assert "pruned" not in outcome.out
    assert shell("show", "m.json", "--why").out == "This tree was not pruned.\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert shell("show", "m.json", "--why").out == "This tree was not pruned.\n"


def test_why_of_a_tree_that_could_not_grow(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("same.csv", "a,kind\n" + "1,x\n1,y\n" * 10)
    shell("fit", "same.csv", "--target", "kind", "--out", "m.json")
    shown = shell("show", "m.json", "--why").out
    assert shown.endswith("all columns are constant, or parameters such as min_samples_leaf allow no test.\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert shell("show", "m.json", "--why").out == shown


def test_the_upper_levels_alone(shell: Shell, model: Path) -> None:
    fitted = storage.load(model)
    shown = shell("show", model, "--max-depth", "0").out
    assert shown == fitted.export_text(max_depth=0) + "\n"
    assert len(shown.splitlines()) < len(fitted.export_text().splitlines())
    assert "The format rules takes no 'max_depth'" in shell.refused(
        "show", model, "--max-depth", "1", "--format", "rules"
    )


@pytest.fixture
def large(shell: Shell) -> Outcome:
    """What a fit prints that writes a tree of more than 50 leaves to large.json: the class changes 80 times."""
    rows = (f"{n / 1000},{'abc'[n * 80 // 2000 % 3]}" for n in range(2000))
    shell.write("stripes.csv", "\n".join(["place,stripe", *rows]))
    return shell("fit", "stripes.csv", "--target", "stripe", "--out", "large.json")


def test_the_first_levels_of_a_large_tree(shell: Shell, large: Outcome) -> None:
    fitted = storage.load("large.json")
    depth = first_levels(fitted._view())
    assert fitted.get_n_leaves() > 50
    shown, notice = shell("show", "large.json").out.split("\n\n")
    assert shown == fitted.export_text(max_depth=depth)
    assert notice.splitlines()[0] == (
        f"The tree has {fitted.get_n_leaves()} leaves. Levels shown: {depth} of {fitted.get_depth()}; "
        f"--max-depth {fitted.get_depth()} prints all of them."
    )
    assert "  fit with max_leaf_nodes=20: " in fitted.export_text()
    whole = fitted.export_text(max_depth=None) + "\n"
    assert len(whole.splitlines()) == 1 + fitted.tree_.n_nodes
    assert shell("show", "large.json", "--max-depth", str(fitted.get_depth())).out == whole
    assert shell("export", "large.json", "--to", "text").out == whole
    assert shell("show", "large.json", "--out", "tree.txt").out == ""
    assert Path("tree.txt").read_text() == whole


def test_the_log_loss_of_smaller_trees_is_printed_by_fit_and_show(shell: Shell, large: Outcome) -> None:
    table = pd.read_csv("stripes.csv")
    stripe = table.pop("stripe")
    lines = describe_size(ProbabilityTreeClassifier().fit(table, stripe)._view())[1:]
    assert len(lines) == 3
    for line in lines:
        words = line.replace("model.resized(20)", "petree fit ... --max-leaf-nodes 20")
        words = words.replace("model.resized(50)", "petree fit ... --max-leaf-nodes 50")
        assert f"          {words}\n" in large.out
        assert f"\n{words}\n" in shell("show", "large.json").out


@pytest.mark.parametrize("words", [("show", "--format", "foo"), ("show", "--top-classes", "-1")])
def test_values_are_refused_in_plain_words(shell: Shell, model: Path, words: tuple[str, ...]) -> None:
    """Packages that validate values have words of their own."""
    line = shell.refused(words[0], model, *words[1:])
    assert "Value error" not in line
    assert "Input should" not in line
    assert words[1] in line
