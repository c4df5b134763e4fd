"""The conclusions of CW488, each decided by our figures: those of sections 5.3.1 to 5.3.3 here."""

from __future__ import annotations

import numpy as np

from lab.experiments.summary import Summary
from lab.papers.cw488.causes import explained
from lab.papers.cw488.questions import (
    FEW,
    RARELY,
    SKEWED,
    Found,
    differs,
    first,
    has_few_classes,
    is_worse,
    last,
    listed,
    of_names,
)
from lab.papers.cw488.verdicts_more import more_verdicts
from lab.papers.cw488.verdicts_when import when_verdicts
from lab.papers.printed import cw488_cells
from lab.papers.verdicts import Verdict

# A median ratio of sizes above this is larger, and below that similar.
LARGER = 1.5
SIMILAR = 1.25
# The middle of six ranks.
MIDDLE = 3.5
# A factor that is as near to the paper's is the same.
NEAR = 1.25


def verdicts(found: Found) -> dict[str, Verdict]:
    """By the key of the conclusion."""
    judged = {
        **when_verdicts(found),
        **_sizes(found.post),
        **_auc(found.post),
        **_cll(found.post),
        **more_verdicts(found),
    }
    return explained(judged, found)


# -- section 5.3.1 ----------------------------------------------------------------------------------------


def _sizes(post: Summary) -> dict[str, Verdict]:
    size = post.by_method("inner_nodes")
    few = has_few_classes(post)
    n_sets = len(few)
    others = np.array([size[name] for name in post.methods if name != "MDL"])
    smallest = (size["MDL"] <= others.min(axis=0) + 1e-9).sum()
    ratio = size["BIC"] / np.maximum(size["MDL"], 0.1)
    below = int(((size["BIC"] > size["RAND"]) & (size["BIC"] > size["CHI"]))[few].sum())
    return {
        "size_mdl_smallest": Verdict(bool(smallest == n_sets), f"on {smallest} of {n_sets} sets"),
        "size_bic_near_mdl": Verdict(
            bool(np.median(ratio[few]) > LARGER and np.median(ratio[~few]) < SIMILAR),
            f"BIC / MDL, median: {np.median(ratio[few]):.2f} with few classes, {np.median(ratio[~few]):.2f} with many",
        ),
        "size_bic_few_classes": Verdict(
            bool(size["BIC"].mean() < min(size["RAND"].mean(), size["CHI"].mean()) and below > few.sum() / 2),
            f"means: BIC {size['BIC'].mean():.1f}, CHI {size['CHI'].mean():.1f}, RAND {size['RAND'].mean():.1f}; "
            f"with few classes BIC is the largest on {below} of {few.sum()}",
        ),
        "size_ebp_large": _ebp_is_large(post),
        "size_unpruned_largest": _unpruned_is_largest(post),
    }


def _unpruned_is_largest(post: Summary) -> Verdict:
    """Nowhere smaller, and on average larger by the paper's factors on the same sets, for EBP and MDL."""
    size = post.by_method("inner_nodes")
    largest = int((size["NOPRUNING"] >= np.array(list(size.values())).max(axis=0)).sum())
    printed = cw488_cells("size").of(post.data_sets).averages()
    own = {name: values.mean() for name, values in size.items()}
    factors = {name: (own["NOPRUNING"] / own[name], printed["NOPRUNING"] / printed[name]) for name in ("EBP", "MDL")}
    near = all(abs(np.log(ours / theirs)) < np.log(NEAR) for ours, theirs in factors.values())
    told = ", ".join(f"{name} {ours:.1f} ({theirs:.1f})" for name, (ours, theirs) in factors.items())
    return Verdict(
        bool(largest == len(post.data_sets) and near),
        f"largest on {largest} of {len(post.data_sets)}; mean size over that of {told}, in brackets the paper's",
    )


def _ebp_is_large(post: Summary) -> Verdict:
    """EBP's trees are the largest of five on three sets of four, and smaller than RAND's, CHI's and BIC's on hiv."""
    usual = [name for name in post.data_sets if name != SKEWED]
    size = post.of_sets(usual).by_method("inner_nodes")
    rivals = np.array([size[name] for name in ("MDL", "BIC", "CHI", "RAND")])
    ebp = int((size["EBP"] > rivals.max(axis=0)).sum())
    holds = ebp >= 0.75 * len(usual)
    figure = f"the largest of the five on {ebp} of {len(usual)} sets"
    if SKEWED in post.data_sets:
        skewed = {name: post.mean("inner_nodes", SKEWED, name) for name in ("EBP", "BIC", "CHI", "RAND")}
        holds &= skewed["EBP"] == min(skewed.values())
        figure += f"; on {SKEWED} {listed(skewed, 1)}"
    return Verdict(bool(holds), figure)


# -- sections 5.3.2 and 5.3.3 -----------------------------------------------------------------------------


def _auc(post: Summary) -> dict[str, Verdict]:
    ranks = post.ranks["auc"]
    few = has_few_classes(post)
    ebp = [name for name in post.data_sets if is_worse(post, "auc", name, "EBP")]
    expected = [SKEWED] if SKEWED in post.data_sets else []
    absent = "" if expected else f"; {SKEWED} is not among them"
    bic_differs = sum(differs(post, "auc", name, "BIC") for name in np.array(post.data_sets)[few])
    return {
        "auc_rand_best": first(ranks, "RAND"),
        "auc_beaten_by_unpruned_only": _beaten_by_unpruned_only(post, "auc"),
        "auc_penalties_many_classes": _worse_with_many(post, "auc"),
        "auc_bic_few_classes": Verdict(
            bool(bic_differs < few.sum() / 2), f"it differs on {bic_differs} of {few.sum()} sets"
        ),
        "auc_mdl_worst": last(ranks, "MDL"),
        "auc_ebp_skew": Verdict(ebp == expected, f"significantly worse on {of_names(ebp)} of these sets{absent}"),
        "auc_size": _auc_and_size(post),
    }


def _cll(post: Summary) -> dict[str, Verdict]:
    ranks = post.ranks["log_likelihood"]
    few = has_few_classes(post)
    n_sets = len(post.data_sets)
    chi_losses = post.significant("log_likelihood", "CHI", "RAND").losses
    order = sorted(ranks, key=lambda name: ranks[name])
    auc_rank = post.ranks["auc"]["NOPRUNING"]
    unpruned = np.array([is_worse(post, "log_likelihood", name, "NOPRUNING") for name in post.data_sets])
    many = unpruned[~few].mean()
    low = unpruned[few].mean()
    losses = {
        name: [post.significant(measure, name, "RAND").losses for measure in ("log_likelihood", "auc")]
        for name in ("EBP", "NOPRUNING")
    }
    return {
        "cll_rand_best": first(ranks, "RAND"),
        "cll_beaten_by_unpruned_only": _beaten_by_unpruned_only(post, "log_likelihood"),
        "cll_chi_second": Verdict(
            order.index("CHI") == 1 and chi_losses <= FEW * n_sets,
            f"place {order.index('CHI') + 1}, rank {ranks['CHI']:.2f}; significantly worse on {chi_losses} of {n_sets}",
        ),
        "cll_unpruned_poor": Verdict(
            bool(
                order.index("NOPRUNING") >= 4 and many > low and auc_rank < MIDDLE and ranks["NOPRUNING"] > auc_rank + 1
            ),
            f"rank {ranks['NOPRUNING']:.2f} in CLL, place {order.index('NOPRUNING') + 1}, and {auc_rank:.2f} in AUC; "
            f"significantly worse than RAND on {100 * many:.0f}% of sets of many classes and {100 * low:.0f}% of few",
        ),
        "cll_penalties_many_classes": _worse_with_many(post, "log_likelihood"),
        "cll_large_trees": Verdict(
            all(cll > auc for cll, auc in losses.values()),
            "losses: " + ", ".join(f"{name} {cll} in CLL and {auc} in AUC" for name, (cll, auc) in losses.items()),
        ),
    }


def _beaten_by_unpruned_only(post: Summary, measure: str) -> Verdict:
    """No criterion is ever significantly better than RAND but NOPRUNING, and that rarely."""
    beats = {name: post.significant(measure, name, "RAND").wins for name in post.methods[1:]}
    others = [wins for name, wins in beats.items() if name != "NOPRUNING"]
    holds = not any(others) and beats["NOPRUNING"] <= RARELY * len(post.data_sets)
    return Verdict(holds, f"sets on which they are significantly better: {listed(beats)}")


def _worse_with_many(post: Summary, measure: str) -> Verdict:
    """MDL and BIC lose to RAND on at least half of the sets of many classes, and on fewer than half of the others."""
    few = has_few_classes(post)
    shares = {}
    for name in ("MDL", "BIC"):
        worse = np.array([is_worse(post, measure, data_set, name) for data_set in post.data_sets])
        shares[name] = (worse[~few].mean(), worse[few].mean())
    told = "; ".join(f"{name} {100 * many:.0f}% and {100 * low:.0f}%" for name, (many, low) in shares.items())
    holds = all(low < 0.5 <= many for many, low in shares.values())
    return Verdict(bool(holds), f"significantly worse on sets of many and of few classes: {told}")


def _auc_and_size(post: Summary) -> Verdict:
    """Cells significantly worse than RAND in AUC mostly have smaller trees; larger ones are rarely better."""
    worse = 0
    smaller = 0
    larger = 0
    better = 0
    for name in post.methods[1:]:
        for data_set in post.data_sets:
            is_larger = post.mean("inner_nodes", data_set, name) > post.mean("inner_nodes", data_set, "RAND")
            test = post.test("auc", data_set, name, "RAND")
            worse += test.is_significant() and test.t < 0
            smaller += test.is_significant() and test.t < 0 and not is_larger
            larger += is_larger
            better += test.is_significant() and test.t > 0 and is_larger
    return Verdict(
        smaller > worse / 2 and better <= RARELY * larger,
        f"{smaller} of {worse} worse cells have smaller trees; {better} of {larger} larger trees are better",
    )
