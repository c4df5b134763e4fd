"""What notebooks show of a fitted estimator: its tree, by itself and inside a pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from sklearn.base import BaseEstimator

from petree import reading
from petree.estimators.replacing import by_one_model
from petree.reading.large import describe_size
from petree.reading.view import View
from petree.tree import Tree


class Inside(Protocol):
    """What scikit-learn asks of the parameters of a step of a pipeline."""

    def _repr_html_inner(self) -> str: ...


@dataclass(frozen=True)
class _ParametersAndTree:
    """The parameters of a step as scikit-learn shows them, and its tree below."""

    parameters: Inside
    tree: str

    def _repr_html_inner(self) -> str:
        return self.parameters._repr_html_inner() + self.tree


def _size_notice(shown: View) -> str:
    """Return the size of a large tree and the log loss of smaller ones as HTML, and nothing for any other tree."""
    lines = describe_size(shown)
    return f"<div>{'<br>'.join(map(escape, lines))}</div>" if lines else ""


class ShownAsTree(BaseEstimator):
    """An estimator that notebooks show as its tree once there is one, and by its parameters before."""

    tree_: Tree

    def __sklearn_is_fitted__(self) -> bool:
        return "tree_" in vars(self)

    def _view(self, level: float | None = None) -> View:
        raise NotImplementedError

    @by_one_model
    def _html_repr(self) -> str:
        return self._tree_html() if self.__sklearn_is_fitted__() else str(super()._html_repr())

    def _get_params_html(self, *arguments: Any, **options: Any) -> Inside:
        """Asked by scikit-learn for each step of a pipeline that it shows."""
        parameters: Inside = super()._get_params_html(*arguments, **options)
        return _ParametersAndTree(parameters, self._tree_html()) if self.__sklearn_is_fitted__() else parameters

    def _tree_html(self) -> str:
        shown = self._view()
        html = _size_notice(shown) + reading.to_html(shown)
        if not self.tree_.is_dag:
            return html
        return (
            f"<div>Predictions are averages over the many trees within {self.tree_.n_nodes:,} nodes with options. This "
            f"is the most probable single one of few leaves, <code>summary()</code>:</div>{html}"
        )
