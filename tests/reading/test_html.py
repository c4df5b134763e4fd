"""The page: well nested, harmless, cut where it would be too large."""

import re
from html.parser import HTMLParser
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from tests.random_trees import chain, option_tree, trees

from petree.columns import NOMINAL, Column
from petree.conditions import EQUALS, Conditions
from petree.reading import to_html
from petree.reading.html import COLOURS, REST_COLOUR
from petree.tree import Tree, assemble
from petree.words import named


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
    assert page.tags <= {"div", "style", "span", "i", "details", "summary"}


def test_nothing_a_user_names_can_become_markup() -> None:
    evil = '<script>alert("x")</script>&"\''
    conditions = Conditions.from_arrays([Column(evil, NOMINAL, (evil, "b"))], [EQUALS], [0], [0], [-1])
    counts = np.array([[2, 1], [1, 0], [1, 1]])
    tree = assemble(counts, counts.sum(1), np.ones(3), np.array([0]), np.array([2]), conditions, (evil, "other"))
    html = to_html(tree)
    assert "<script" not in html
    page = Page(html)
    assert "script" not in page.tags
    shown = named(evil)
    assert page.nodes[1][1].startswith(f"{shown} = {shown}P({shown})=1.00")


def test_bars_are_as_wide_as_the_shares() -> None:
    html = to_html(Tree.from_counts([[9, 1], [0, 10]]))
    assert re.findall(r"width:([\d.]+)%", html) == ["45.0", "55.0", "90.0", "10.0", "100.0"]


def test_options_have_headings() -> None:
    page = Page(to_html(option_tree()))
    assert [level for level, _, _ in page.nodes] == [0, 1, 2, 2, 1, 2, 2, 2]
    assert page.nodes[1][1].strip() == "option 1 of 2"
    assert "[node 4, shown above]" in page.nodes[-1][1]


@pytest.mark.parametrize("tree", [chain(4000), Tree.from_counts([[[1, 2], [3, 4]]] * 400)], ids=["deep", "wide"])
def test_a_very_large_tree_is_cut_and_says_so(tree: Tree) -> None:
    html = to_html(tree)
    hidden, total = re.search(r"([\d,]+) of the ([\d,]+) nodes, the deepest ones, are not shown", html).groups()
    page = Page(html)
    assert int(total.replace(",", "")) == tree.n_nodes
    assert len(page.nodes) + int(hidden.replace(",", "")) == tree.n_nodes
    assert 800 < len(page.nodes) <= 820
    assert "export_text(model, max_depth=None) shows all of them" in html
    assert "more below, not shown" in html


def test_a_tree_of_ordinary_size_is_whole() -> None:
    html = to_html(chain(400))
    assert "not shown" not in html
    assert len(Page(html).nodes) == 801


def test_a_tree_of_many_classes_stays_small() -> None:
    pairs = np.random.default_rng(0).integers(0, 9, (200, 2, 100)).tolist()
    html = to_html(Tree.from_counts(pairs, classes=[f"class {label}" for label in range(100)]))
    assert len(Page(html).nodes) == 601
    assert len(html) < 230_000
    pairs += pairs[:56]
    while len(pairs) > 1:
        pairs = [pairs[k : k + 2] for k in range(0, len(pairs), 2)]
    html = to_html(Tree.from_counts(pairs[0], classes=[f"class {label}" for label in range(100)]))
    assert len(Page(html).nodes) > 790
    assert len(html) < 300_000
    assert "93 other classes" in html
    assert re.search(r'title="class \d+: 0\.\d+, class \d+: 0\.\d+, class \d+: 0\.\d+ and \d+ more"', html)


def test_a_leaf_that_contradicts_its_counts_says_why() -> None:
    html = to_html(Tree.from_counts([[2, 1], [2, 9]]), probabilities=[[0.3, 0.7], [0.4, 0.6], [0.2, 0.8]])
    assert html.count("is more frequent in its 3 cases") == 1


# -- colours ---------------------------------------------------------------------------------------------------------

# What eyes without one kind of cone see of linear red, green and blue (Vienot, Brettel & Mollon 1999).
EYES = {
    "all cones": np.eye(3),
    "protan": np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    "deutan": np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
}


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("eyes", EYES)
def test_every_two_colours_can_be_told_apart(eyes: str) -> None:
    seen = [np.clip(EYES[eyes] @ linear(colour), 0, 1) ** (1 / 2.2) for colour in (*COLOURS, REST_COLOUR)]
    assert min(np.abs(one - other).max() for one, other in combinations(seen, 2)) > 0.09


def test_bars_and_keys_have_a_frame_in_the_colour_of_the_text() -> None:
    html = to_html(Tree.from_counts([[9, 1], [0, 10]]))
    for part in ("petree-bar", "petree-key", "petree-bar i + i"):
        assert re.search(rf"\.{re.escape(part)} {{[^}}]*1px solid[;}}]", html)
