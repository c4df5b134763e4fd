"""How well a tree of each size predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from sklearn.utils.validation import check_is_fitted

from petree.plotting.axes import BLUE, GREY, axes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Sizes(Protocol):
    """The sizes of a path of subtrees, and their bits."""

    @property
    def n_leaves(self) -> Sequence[int]: ...

    @property
    def bits(self) -> Sequence[float]: ...


class HasSizes(Protocol):
    """A fitted tree whose criterion chose among sizes."""

    sizes_: Sizes

    def get_n_leaves(self) -> int: ...


@dataclass
class SizeDisplay:
    """The bits that left-out cases cost at each size of a tree, and the size that was chosen.

    Parameters
    ----------
    n_leaves : sequence of int
    bits : sequence of float
        Log loss of left-out cases, in bits per case.
    chosen : int
        The size of the tree.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    """

    n_leaves: Sequence[int]
    bits: Sequence[float]
    chosen: int

    @classmethod
    def from_estimator(cls, estimator: HasSizes, *, ax: Axes | None = None) -> Self:
        """Draw the sizes of a fitted tree whose criterion chose one, as the default does."""
        check_is_fitted(estimator)
        if "sizes_" not in vars(estimator):
            raise ValueError("This model has one size only; fit one with pruning='best_size', as the default is.")
        return cls(estimator.sizes_.n_leaves, estimator.sizes_.bits, estimator.get_n_leaves()).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the bits over the number of leaves."""
        axes = axes_of(ax, (6.0, 3.8))
        axes.plot(self.n_leaves, self.bits, color=BLUE, marker="o", markersize=3, linewidth=1.5)
        axes.axvline(self.chosen, color=GREY, linewidth=1, linestyle="--")
        axes.annotate(
            f"{self.chosen} leaves",
            (self.chosen, 1),
            xycoords=("data", "axes fraction"),
            xytext=(4, -12),
            textcoords="offset points",
            color=GREY,
        )
        axes.set_xscale("log")
        axes.set(xlabel="leaves", ylabel="bits per left-out case")
        self.ax_ = axes
        return self
