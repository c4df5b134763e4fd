"""Write `sklearn_paths.json`: trees of scikit-learn and their paths of cost-complexity pruning.

python tests/reference/make_sklearn_paths.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.tree import DecisionTreeClassifier

FILE = Path(__file__).with_name("sklearn_paths.json")


def small_table(seed: int, n_classes: int) -> tuple[Any, Any]:
    """Forty rows; the first column says something of the class."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(40, 3)).round(1)
    y = random.integers(0, n_classes, 40)
    y[X[:, 0] > 0.3] = 0
    return X, y


def nested_counts(tree: Any, node: int = 0) -> Any:
    """Class counts of the leaves, nested as the tree is."""
    left, right = tree.children_left[node], tree.children_right[node]
    if left < 0:
        return np.rint(tree.value[node, 0] * tree.weighted_n_node_samples[node]).astype(int).tolist()
    return [nested_counts(tree, left), nested_counts(tree, right)]


def reference(criterion: str, n_classes: int, seed: int) -> dict[str, Any]:
    X, y = small_table(seed, n_classes)
    model = DecisionTreeClassifier(criterion=criterion, random_state=seed).fit(X, y)
    path = model.cost_complexity_pruning_path(X, y)
    return {
        "criterion": criterion,
        "seed": seed,
        "counts": nested_counts(model.tree_),
        "alphas": path.ccp_alphas.tolist(),
        "impurities": path.impurities.tolist(),
    }


def main() -> None:
    paths = [reference(criterion, c, seed) for criterion in ("gini", "entropy") for seed, c in enumerate((2, 3, 4))]
    lines = ",\n".join(json.dumps(path) for path in paths)
    FILE.write_text(f'{{"scikit-learn": "{sklearn.__version__}", "paths": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
