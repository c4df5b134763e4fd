"""The conclusions of CW488, each decided by our figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import spearmanr

from petree.experiments.summary import Summary
from petree.papers.cw488.classes import relative
from petree.papers.cw488.questions import differs, first, has_few_classes, is_worse, last, listed
from petree.papers.cw488.tables import compare_sizes, never_smaller
from petree.papers.cw488.when import CRITERIA, slowdown, while_growing
from petree.papers.verdicts import Verdict

# Numbers of data sets that "few" and "rarely" may mean: a fifth.
RARELY = 0.2
# The paper's set of which one class is very rare.
SKEWED = "hiv"


def verdicts(
    post: Summary, when: Summary, curves: Sequence[Summary], classes: Summary, skew: Summary
) -> dict[str, Verdict]:
    """By the key of the conclusion."""
    return {
        "figure_3": _figure_3(post, when),
        **_while_or_after(when),
        "post_data_size": _trend(curves),
        **_sizes(post),
        **_auc(post),
        **_cll(post),
        **_classes(classes),
        **_rest(post, skew),
    }


# -- sections 4.7 and 5.2 ---------------------------------------------------------------------------------


def _figure_3(post: Summary, when: Summary) -> Verdict:
    pairs = [(when, name, while_growing(name)) for name in CRITERIA]
    pairs += [(post, larger, smaller) for larger, smaller in never_smaller(post.methods)]
    against = {f"{larger} >= {smaller}": compare_sizes(of, larger, smaller)[1] for of, larger, smaller in pairs}
    broken = {relation: n_folds for relation, n_folds in against.items() if n_folds}
    return Verdict(not broken, f"folds against its {len(pairs)} relations: {listed(broken) or 'none'}")


def _while_or_after(when: Summary) -> dict[str, Verdict]:
    n_sets = len(when.data_sets)
    larger = {name: when.significant("inner_nodes", name, while_growing(name)).losses for name in CRITERIA}
    quality = {
        (name, measure): when.significant(measure, name, while_growing(name))
        for name in CRITERIA
        for measure in ("auc", "log_likelihood")
    }
    n_worse = sum(record.losses for record in quality.values())
    n_better = sum(record.wins for record in quality.values())
    slower = {name: slowdown(when, name) for name in CRITERIA}
    return {
        "post_size": Verdict(
            max(larger["MDL"], larger["BIC"]) <= RARELY * n_sets < min(larger["CHI"], larger["RAND"]),
            f"significantly larger on {listed(larger)} of {n_sets} sets",
        ),
        "post_quality": Verdict(
            n_worse == 0 and n_better <= RARELY * len(quality) * n_sets,
            f"of {len(quality) * n_sets} comparisons post is significantly better in {n_better}, worse in {n_worse}",
        ),
        "post_time": Verdict(
            all(1.5 < times < 5 for times in slower.values()),
            "post / pre: " + ", ".join(f"{name} {times:.2f}" for name, times in slower.items()),
        ),
    }


def _trend(curves: Sequence[Summary]) -> Verdict:
    """Whether the gain of pruning after growing rises or falls with the number of rows."""
    trends = {}
    for curve in curves:
        for name in CRITERIA:
            gains = [curve.gains("log_likelihood", size, name, while_growing(name)).mean() for size in curve.data_sets]
            if np.ptp(gains) > 0:
                trends[f"{name} on {curve.data_sets[-1]}"] = spearmanr(np.arange(len(gains)), gains).pvalue
    clear = [name for name, p in trends.items() if p < 0.05]
    return Verdict(
        len(clear) <= 1,
        f"rank correlation of rows and gain in CLL significant in {len(clear)} of {len(trends)} learning curves",
    )


# -- section 5.3.1 ----------------------------------------------------------------------------------------


def _sizes(post: Summary) -> dict[str, Verdict]:
    size = post.by_method("inner_nodes")
    few = has_few_classes(post)
    others = np.array([size[name] for name in post.methods if name != "MDL"])
    smallest = (size["MDL"] <= others.min(axis=0) + 1e-9).sum()
    ratio = size["BIC"] / np.maximum(size["MDL"], 0.1)
    rivals = np.array([size[name] for name in ("MDL", "BIC", "CHI", "RAND")])
    ebp = int((size["EBP"] > rivals.max(axis=0)).sum())
    largest = int((size["NOPRUNING"] >= np.array(list(size.values())).max(axis=0)).sum())
    n_sets = len(few)
    below = int(((size["BIC"] > size["RAND"]) & (size["BIC"] > size["CHI"]))[few].sum())
    factors = {name: size["NOPRUNING"].mean() / size[name].mean() for name in ("EBP", "RAND", "MDL")}
    return {
        "size_mdl_smallest": Verdict(bool(smallest == n_sets), f"on {smallest} of {n_sets} sets"),
        "size_bic_near_mdl": Verdict(
            bool(np.median(ratio[few]) > np.median(ratio[~few])),
            f"BIC / MDL, median: {np.median(ratio[few]):.2f} with few classes, {np.median(ratio[~few]):.2f} with many",
        ),
        "size_bic_few_classes": Verdict(
            bool(size["BIC"].mean() < min(size["RAND"].mean(), size["CHI"].mean()) and below > few.sum() / 2),
            f"means: BIC {size['BIC'].mean():.1f}, CHI {size['CHI'].mean():.1f}, RAND {size['RAND'].mean():.1f}; "
            f"with few classes BIC is the largest on {below} of {few.sum()}",
        ),
        "size_ebp_large": Verdict(ebp > n_sets / 2, f"the largest of the five on {ebp} of {n_sets} sets"),
        "size_unpruned_largest": Verdict(
            bool(largest == n_sets and factors["RAND"] > 3),
            f"largest on {largest} of {n_sets}; mean size over that of "
            + ", ".join(f"{name} {factor:.1f}" for name, factor in factors.items()),
        ),
    }


# -- sections 5.3.2 and 5.3.3 -----------------------------------------------------------------------------


def _auc(post: Summary) -> dict[str, Verdict]:
    ranks = post.ranks["auc"]
    few = has_few_classes(post)
    n_sets = len(post.data_sets)
    beats = {name: post.significant("auc", name, "RAND").wins for name in post.methods[1:]}
    ebp = [name for name in post.data_sets if is_worse(post, "auc", name, "EBP")]
    expected = [SKEWED] if SKEWED in post.data_sets else []
    absent = "" if expected else f"; {SKEWED} is not among them"
    bic_differs = sum(differs(post, "auc", name, "BIC") for name in np.array(post.data_sets)[few])
    return {
        "auc_rand_best": first(ranks, "RAND"),
        "auc_beaten_by_unpruned_only": Verdict(
            all(wins == 0 for name, wins in beats.items() if name != "NOPRUNING")
            and beats["NOPRUNING"] <= RARELY * n_sets,
            f"sets on which they are significantly better: {listed(beats)}",
        ),
        "auc_penalties_many_classes": _worse_with_many(post, "auc"),
        "auc_bic_few_classes": Verdict(
            bool(bic_differs < few.sum() / 2), f"it differs on {bic_differs} of {few.sum()} sets"
        ),
        "auc_mdl_worst": last(ranks, "MDL"),
        "auc_ebp_skew": Verdict(
            ebp == expected, f"significantly worse on {', '.join(ebp) or 'none'} of these sets{absent}"
        ),
        "auc_size": _auc_and_size(post),
    }


def _cll(post: Summary) -> dict[str, Verdict]:
    ranks = post.ranks["log_likelihood"]
    few = has_few_classes(post)
    n_sets = len(post.data_sets)
    chi_losses = post.significant("log_likelihood", "CHI", "RAND").losses
    order = sorted(ranks, key=lambda name: ranks[name])
    unpruned = np.array([is_worse(post, "log_likelihood", name, "NOPRUNING") for name in post.data_sets])
    many = unpruned[~few].mean()
    low = unpruned[few].mean()
    losses = {
        measure: sum(post.significant(measure, name, "RAND").losses for name in ("EBP", "NOPRUNING"))
        for measure in ("auc", "log_likelihood")
    }
    return {
        "cll_rand_best": first(ranks, "RAND"),
        "cll_chi_second": Verdict(
            order.index("CHI") == 1 and chi_losses <= 2 * RARELY * n_sets,
            f"place {order.index('CHI') + 1}, rank {ranks['CHI']:.2f}; significantly worse on {chi_losses} of {n_sets}",
        ),
        "cll_unpruned_poor": Verdict(
            bool(ranks["NOPRUNING"] > post.ranks["auc"]["NOPRUNING"] and many > low),
            f"rank {ranks['NOPRUNING']:.2f} in CLL, {post.ranks['auc']['NOPRUNING']:.2f} in AUC; significantly worse "
            f"than RAND on {100 * many:.0f}% of the sets of many classes and {100 * low:.0f}% of few",
        ),
        "cll_penalties_many_classes": _worse_with_many(post, "log_likelihood"),
        "cll_large_trees": Verdict(
            losses["log_likelihood"] > losses["auc"],
            f"losses: {losses['log_likelihood']} in CLL, {losses['auc']} in AUC",
        ),
    }


def _worse_with_many(post: Summary, measure: str) -> Verdict:
    """MDL and BIC lose to RAND on most sets of many classes, and on a smaller share of those of few."""
    few = has_few_classes(post)
    shares = {}
    for name in ("MDL", "BIC"):
        worse = np.array([is_worse(post, measure, data_set, name) for data_set in post.data_sets])
        shares[name] = (worse[~few].mean(), worse[few].mean())
    told = "; ".join(f"{name} {100 * many:.0f}% and {100 * low:.0f}%" for name, (many, low) in shares.items())
    holds = all(many > low and many >= 0.5 for many, low in shares.values())
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


# -- sections 5.3.4 to 5.3.6 ------------------------------------------------------------------------------


def _classes(classes: Summary) -> dict[str, Verdict]:
    auc = classes.by_method("auc")
    cll = dict(zip(classes.methods, relative(classes).T, strict=True))
    change = {name: size[-1] / size[0] for name, size in classes.by_method("inner_nodes").items()}
    shrinking = all(change[name] < 0.9 for name in ("CHI", "MDL", "BIC"))
    steady = all(change[name] >= 0.9 for name in ("RAND", "EBP", "NOPRUNING"))
    gaps = {name: auc["RAND"] - values for name, values in auc.items() if name != "RAND"}
    widened = {name: 100 * (gap[-1] - gap[0]) for name, gap in gaps.items()}
    others = max(abs(widened[name]) for name in ("CHI", "EBP", "NOPRUNING"))
    unpruned = cll["NOPRUNING"]
    ebp = cll["EBP"]
    return {
        "classes_size": Verdict(
            bool(shrinking and steady),
            "size with the most classes over that with the fewest: "
            + ", ".join(f"{name} {value:.2f}" for name, value in change.items()),
        ),
        "classes_auc": Verdict(
            bool(min(widened["MDL"], widened["BIC"]) > others),
            "points of AUC by which the distance to RAND grew: "
            + ", ".join(f"{name} {value:+.1f}" for name, value in widened.items()),
        ),
        "classes_cll": Verdict(
            bool(unpruned[-1] > unpruned[0] and abs(ebp[-1] - 1) < abs(unpruned[-1] - 1)),
            f"CLL relative to RAND's, fewest and most classes: NOPRUNING {unpruned[0]:.2f} and {unpruned[-1]:.2f}, "
            f"EBP {ebp[0]:.2f} and {ebp[-1]:.2f}",
        ),
    }


def _rest(post: Summary, skew: Summary) -> dict[str, Verdict]:
    sizes = skew.by_method("inner_nodes")
    even, rare = ({name: size[row] for name, size in sizes.items()} for row in (0, -1))
    largest = max(even[name] for name in ("RAND", "MDL", "BIC", "CHI"))
    ranks = post.ranks["accuracy"]
    ebp = post.significant("accuracy", "EBP", "RAND")
    seconds = {name: values.mean() for name, values in post.by_method("seconds").items()}
    longest = max(seconds.values())
    alike = [seconds[name] for name in ("CHI", "EBP", "NOPRUNING")]
    return {
        "skew_ebp": Verdict(
            bool(even["EBP"] > largest and rare["EBP"] < max(rare["RAND"], rare["CHI"], rare["BIC"])),
            f"EBP {even['EBP']:.1f} against at most {largest:.1f} with equal classes; with 3.6% EBP {rare['EBP']:.1f}, "
            f"RAND {rare['RAND']:.1f}, CHI {rare['CHI']:.1f}, BIC {rare['BIC']:.1f}",
        ),
        "accuracy_ebp_best": Verdict(
            first(ranks, "EBP").holds is True and ebp.wins <= RARELY * len(post.data_sets),
            f"{first(ranks, 'EBP').figure}; significantly better than RAND on {ebp.wins} sets",
        ),
        "accuracy_mdl_worst": last(ranks, "MDL"),
        "time_rand_longest": Verdict(
            bool(seconds["RAND"] == longest and longest < 100 * min(seconds.values())),
            ", ".join(f"{name} {1000 * value:.1f} ms" for name, value in seconds.items()),
        ),
        "time_others": Verdict(
            bool(max(alike) < 1.2 * min(alike) and max(seconds["MDL"], seconds["BIC"]) < min(alike)),
            ", ".join(f"{name} {1000 * seconds[name]:.1f} ms" for name in ("CHI", "EBP", "NOPRUNING", "MDL", "BIC")),
        ),
    }
