"""A tree as a Treelite model, for the programs that run those."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petree.columns import ORDERED
from petree.exports.splits import Split, refuse_parts, splits_of
from petree.reading.view import View

if TYPE_CHECKING:
    from treelite import Model
    from treelite.model_builder import ModelBuilder


def to_treelite(shown: View) -> Model:
    """The tree as a Treelite model over the same columns, categories given as their codes, counted from 0.

    Treelite cannot blend: a value that is missing where training had none goes along the heavier branch, and a new
    category along that of all others.
    """
    from treelite.model_builder import Metadata, ModelBuilder, PostProcessorFunc, TreeAnnotation

    refuse_parts(shown, "Treelite")
    splits = splits_of(shown, "Treelite")
    n_classes = shown.tree.n_classes
    builder = ModelBuilder(
        threshold_type="float64",
        leaf_output_type="float64",
        metadata=Metadata(
            num_feature=max(len(shown.tree.conditions.columns), 1),
            task_type="kMultiClf",
            average_tree_output=False,
            num_target=1,
            num_class=[n_classes],
            leaf_vector_shape=(1, n_classes),
        ),
        tree_annotation=TreeAnnotation(num_tree=1, target_id=[0], class_id=[-1]),
        postprocessor=PostProcessorFunc(name="identity_multiclass"),
        base_scores=[0.0] * n_classes,
    )
    places = {column: place for place, column in enumerate(shown.tree.conditions.columns)}
    builder.start_tree()
    for node in range(shown.tree.n_nodes):
        builder.start_node(node)
        if node in splits:
            _write(builder, splits[node], places[splits[node].column])
        else:
            builder.leaf(shown.probabilities[node].tolist())
        builder.end_node()
    builder.end_tree()
    return builder.commit()


def _write(builder: ModelBuilder, split: Split, column: int) -> None:
    if split.is_multiway:
        raise ValueError("A Treelite model has two branches at each test; fit with tests='binary' or 'sets'.")
    yes, no = split.children
    if split.asks_for_missing:
        builder.numerical_test(
            feature_id=column, threshold=np.inf, default_left=False, opname="<=", left_child_key=no, right_child_key=yes
        )
        return
    when_missing = split.missing if split.missing >= 0 else int(np.argmax(split.shares))
    if split.asks_for_number or split.column.kind == ORDERED:
        builder.numerical_test(
            feature_id=column,
            threshold=split.threshold,
            default_left=when_missing == 0,
            opname="<",
            left_child_key=yes,
            right_child_key=no,
        )
    else:
        builder.categorical_test(
            feature_id=column,
            category_list=split.codes(0),
            default_left=when_missing == 0,
            category_list_right_child=False,
            left_child_key=yes,
            right_child_key=no,
        )
