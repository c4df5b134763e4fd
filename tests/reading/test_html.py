"""The page: well nested, harmless, cut where it would be too large."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from tests.random_trees import chain, option_tree, trees

from petree.columns import NOMINAL, Column
from petree.conditions import EQUALS, Conditions
from petree.reading import to_html
from petree.tree import Tree, assemble


class Page(HTMLParser):
    """Checks the nesting and gathers the nodes: (level, text, is open)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.nodes: list[tuple[int, str, bool | None]] = []
        self.tags: set[str] = set()
        self.feed(html)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.tags.add(tag)
        self.stack.append(tag)
        if tag == "details":
            self.nodes.append((self.stack.count("details") - 1, "", ("open", None) in attributes))
        elif ("class", "petree-leaf") in attributes:
            self.nodes.append((self.stack.count("details"), "", None))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.nodes:
            level, text, is_open = self.nodes[-1]
            self.nodes[-1] = level, text + data, is_open


def plain_nodes(tree: Tree, node: int = 0, level: int = 0, text: str = "all rows"):
    view = tree.node(node)
    yield level, text, None if view.is_leaf else level < 3
    for condition, children in zip(view.conditions, view.children, strict=True):
        for child, branch in zip(children, condition.branches, strict=True):
            yield from plain_nodes(tree, child, level + 1, branch)


@given(trees(most_splits=10))
def test_the_nesting_is_that_of_the_tree(tree: Tree) -> None:
    page = Page(to_html(tree))
    expected = list(plain_nodes(tree))
    assert [(level, is_open) for level, _, is_open in page.nodes] == [
        (level, is_open) for level, _, is_open in expected
    ]
    for (_, shown, _), (_, text, _) in zip(page.nodes, expected, strict=True):
        assert re.match(re.escape(text) + r"P\((good|bad)\)=[01]\.\d+n=\d+", shown)
    assert page.tags <= {"div", "style", "span", "details", "summary"}


def test_nothing_a_user_names_can_become_markup() -> None:
    evil = '<script>alert("x")</script>&"\''
    conditions = Conditions.from_arrays([Column(evil, NOMINAL, (evil, "b"))], [EQUALS], [0], [0], [-1])
    counts = np.array([[2, 1], [1, 0], [1, 1]])
    tree = assemble(counts, counts.sum(1), np.ones(3), np.array([0]), np.array([2]), conditions, (evil, "other"))
    html = to_html(tree)
    assert "<script" not in html
    page = Page(html)
    assert "script" not in page.tags
    assert page.nodes[1][1].startswith(f"{evil} = {evil}P({evil})=1.00")


def test_bars_are_as_wide_as_the_shares() -> None:
    html = to_html(Tree.from_counts([[9, 1], [0, 10]]))
    assert re.findall(r"width:([\d.]+)%", html) == ["45.0", "55.0", "90.0", "10.0", "100.0"]


def test_options_have_headings() -> None:
    page = Page(to_html(option_tree()))
    assert [level for level, _, _ in page.nodes] == [0, 1, 2, 2, 1, 2, 2, 2]
    assert page.nodes[1][1].strip() == "option 1 of 2"
    assert "[node 4, shown above]" in page.nodes[-1][1]


@pytest.mark.parametrize("tree", [chain(4000), Tree.from_counts([[[1, 2], [3, 4]]] * 1500)], ids=["deep", "wide"])
def test_a_very_large_tree_is_cut_and_says_so(tree: Tree) -> None:
    html = to_html(tree)
    hidden, total = re.search(r"([\d,]+) of the ([\d,]+) nodes, the deepest ones, are not shown", html).groups()
    page = Page(html)
    assert int(total.replace(",", "")) == tree.n_nodes
    assert len(page.nodes) + int(hidden.replace(",", "")) == tree.n_nodes
    assert 1500 < len(page.nodes) <= 2000
    assert "export_text shows all of them" in html
    assert "more below, not shown" in html


def test_a_tree_of_ordinary_size_is_whole() -> None:
    html = to_html(chain(999))
    assert "not shown" not in html
    assert len(Page(html).nodes) == 1999
