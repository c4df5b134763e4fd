"""An option tree of one option is the tree that grows by Buntine's quality, smoothed over all its prunings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growing.checks import chosen_test
from tests.options.made import fit, new_rows, options_of, priors
from tests.plain import plain_classifier
from tests.strategies import tables

from petree.smoothing import Bayes as Smoothing
from petree.splitting import Bayes as Quality


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
@settings(max_examples=13)
@given(data=st.data())
def test_one_option_is_a_tree_by_quality(weights, tests, data):
    table, prior = data.draw(tables(weights, max_rows=20)), data.draw(priors())
    shared = {"tests": tests, "binning": "exact", "min_samples_leaf": data.draw(st.sampled_from((1, 2, 4)))}
    single = plain_classifier(Quality(prior), smoothing=Smoothing(prior), max_depth=4, **shared)
    single.fit(table.frame, table.y, table.sample_weight)
    options = fit(table, prior=prior, max_options=1, max_depth=4, **shared)
    assert_same_tree(single.tree_, options)
    frame, _ = data.draw(new_rows(table))
    np.testing.assert_allclose(single.predict_proba(frame), options.predict_proba(frame), rtol=1e-9, atol=1e-12)


def assert_same_tree(tree, options):
    """The same tests, counts and costs of cuts on every way from the root."""
    pending = [(0, 0)]
    while pending:
        ours, theirs = pending.pop()
        np.testing.assert_allclose(tree.counts[ours], options.tree_.counts[theirs], rtol=1e-9)
        assert tree.sizes[ours] == options.tree_.sizes[theirs]
        assert tree.is_leaf[ours] == options.tree_.is_leaf[theirs]
        if not tree.is_leaf[ours]:
            assert [chosen_test(tree, ours)] == options_of(options, theirs)
            cost = options.tree_.split_annotations["cut_penalty"][options.tree_.split_start[theirs]]
            assert tree.annotations["cut_penalty"][ours] == pytest.approx(cost, abs=1e-9)
            below = (
                one.children_of(np.array([node])).tolist() for one, node in ((tree, ours), (options.tree_, theirs))
            )
            pending.extend(zip(*below, strict=True))
