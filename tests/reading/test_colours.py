"""Colours of classes can be told apart, by eyes of every kind, on light and on dark pages."""

from __future__ import annotations

import numpy as np
import pytest

from petree.reading.colours import CLASS_COLOURS, colour_of

# What eyes without one kind of cone see of linear red, green and blue (Machado, Oliveira & Fernandes 2009).
EYES = {
    "all cones": np.eye(3),
    "protan": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "deutan": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "tritan": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}


def linear(colours: list[str]) -> np.ndarray:
    parts = np.array([[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in colours]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def oklab(light: np.ndarray) -> np.ndarray:
    """Lightness and two axes of colour, in which distances are those that eyes see (Ottosson 2020)."""
    cones = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
    axes = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
    return np.cbrt(np.clip(light, 0, 1) @ cones.T) @ axes.T


def nearest(n_classes: int, eyes: str) -> float:
    """The distance of the two colours that are hardest to tell apart."""
    seen = oklab(np.clip(linear(list(CLASS_COLOURS[:n_classes])) @ EYES[eyes].T, 0, 1))
    distances = np.linalg.norm(seen[:, None] - seen[None, :], axis=-1)
    return float(distances[~np.eye(n_classes, dtype=bool)].min())


@pytest.mark.parametrize("eyes", EYES)
def test_twenty_classes_can_be_told_apart(eyes: str) -> None:
    assert nearest(8, eyes) > 0.07
    assert nearest(20, eyes) > 0.05


@pytest.mark.parametrize("page", ["#ffffff", "#1c242d"])
def test_every_colour_stands_out_from_the_page(page: str) -> None:
    weights = np.array([0.2126, 0.7152, 0.0722])
    own = linear(list(CLASS_COLOURS)) @ weights + 0.05
    other = (linear([page]) @ weights)[0] + 0.05
    assert np.maximum(own / other, other / own).min() > 1.45


def test_colours_begin_anew_after_the_last() -> None:
    assert len(set(CLASS_COLOURS)) == 24
    assert colour_of(24) == colour_of(0)
