"""The papers' systems by name: ``petree.presets["c4.4"]()``.

The mapping is `petree.presets`; a module of that name would stand in its way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from sklearn.base import clone

from petree.estimators.tree import ProbabilityTreeClassifier
from petree.smoothing import MBranch


@dataclass(frozen=True)
class Preset:
    """An estimator with the parameters of one system; call it to make one, with parameters that override these."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    def __call__(self, **parameters: Any) -> ProbabilityTreeClassifier:
        own = {name: clone(value, safe=False) for name, value in self.parameters.items()}
        return ProbabilityTreeClassifier(**{**own, **parameters})


class Presets(Mapping[str, Preset]):
    """Presets by name.

    Examples
    --------
    >>> import petree
    >>> petree.presets["c4.4"](max_depth=3)
    ProbabilityTreeClassifier(max_depth=3)
    >>> print(petree.presets["c4.4"].description)
    C4.4: an unpruned tree by information gain, with Laplace's estimate (Provost & Domingos 2003).
    """

    def __init__(self, presets: Sequence[Preset]) -> None:
        self._presets = {preset.name: preset for preset in presets}

    def __getitem__(self, name: str) -> Preset:
        if name not in self._presets:
            close = get_close_matches(str(name), self._presets, 1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise KeyError(f"Unknown preset {name!r}; valid names are {', '.join(self._presets)}.{hint}")
        return self._presets[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._presets)

    def __len__(self) -> int:
        return len(self._presets)

    def __repr__(self) -> str:
        return "\n".join(f"{name!r}: {preset.description}" for name, preset in self._presets.items())


SMILES = {"split": "gain_ratio", "pruning": "none", "smoothing": MBranch(m=4.0), "tests": "multiway"}

presets = Presets(
    [
        Preset(
            "c4.4",
            "C4.4: an unpruned tree by information gain, with Laplace's estimate (Provost & Domingos 2003).",
            {"split": "gain", "pruning": "none", "smoothing": "laplace"},
        ),
        Preset(
            "smiles",
            "SMILES: an unpruned multiway tree by gain ratio, with the m-branch estimate of M = 4 (Ferri et al. 2003).",
            SMILES,
        ),
        Preset(
            "smiles-msee",
            "SMILES that splits by the expected squared error of its probabilities (Ferri et al. 2003).",
            {**SMILES, "split": "msee"},
        ),
    ]
)
