"""The conclusions of CW488's sections 5.3.4 to 5.3.6, and that of 5.3.1 on skewed classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from lab.experiments.summary import Summary
from lab.papers.cw488.classes import relative
from lab.papers.cw488.protocol import RELATIONAL
from lab.papers.cw488.questions import FEW, Found, first, geometric_mean, last, listed
from lab.papers.verdicts import Verdict

# "Roughly constant": from the second number of classes on, as the paper has it, at most this ratio of two sizes.
CONSTANT = 1.5
# "Steadily": a rank correlation at least as far from 0.
STEADILY = 0.8
# "Close": the ratio of two likelihoods differs from 1 by no more.
CLOSE = 0.1
# "Far less than 100 times", and "almost the same time".
FAR_LESS = 50
ALMOST_EQUAL = 1.1


def more_verdicts(found: Found) -> dict[str, Verdict]:
    """By the key of the conclusion."""
    return {
        **_classes(found.classes),
        "skew_ebp": _skew(found.skew),
        **_accuracy(found.post),
        **_times(found.post),
    }


# -- section 5.3.4 ----------------------------------------------------------------------------------------


def _classes(classes: Summary) -> dict[str, Verdict]:
    size = classes.by_method("inner_nodes")
    auc = classes.by_method("auc")
    gaps = {name: auc["RAND"] - values for name, values in auc.items() if name != "RAND"}
    widened = {name: 100 * (gap[-1] - gap[0]) for name, gap in gaps.items()}
    others = max(abs(widened[name]) for name in ("CHI", "EBP", "NOPRUNING"))
    spread = {name: max(size[name][1:]) / min(size[name][1:]) for name in ("RAND", "EBP", "NOPRUNING")}
    falling = {name: trend(size[name]) for name in ("CHI", "MDL", "BIC")}
    return {
        "classes_size": Verdict(
            bool(max(spread.values()) <= CONSTANT and max(falling.values()) <= -STEADILY),
            f"largest size over smallest: {listed(spread, 2)}; rank correlation of classes and size: "
            f"{listed(falling, 2)}",
        ),
        "classes_auc": Verdict(
            bool(min(widened["MDL"], widened["BIC"]) > 2 * others),
            f"points of AUC by which the distance to RAND grew: {listed(widened, 1)}",
        ),
        **_relative_likelihoods(classes),
    }


def _relative_likelihoods(classes: Summary) -> dict[str, Verdict]:
    cll = dict(zip(classes.methods, relative(classes).T, strict=True))
    told = {name: f"{name} {values[0]:.2f} to {values[-1]:.2f}" for name, values in cll.items()}
    unpruned = cll["NOPRUNING"]
    penalties = [cll["MDL"], cll["BIC"]]
    middle = (len(unpruned) - 1) // 2 or 1
    return {
        "classes_cll": Verdict(
            bool(trend(unpruned) >= STEADILY and np.abs(cll["EBP"] - 1).max() <= CLOSE),
            f"CLL relative to RAND's, fewest to most classes: {told['NOPRUNING']}, {told['EBP']}",
        ),
        "classes_cll_penalties": Verdict(
            all(bool(values.min() > 1 and values[middle] > values[0]) for values in penalties),
            f"CLL relative to RAND's, fewest to most classes: {told['MDL']}, {told['BIC']}; half way "
            f"{penalties[0][middle]:.2f}, {penalties[1][middle]:.2f}",
        ),
        "classes_cll_chi": Verdict(
            trend(cll["CHI"]) <= -STEADILY,
            f"CLL relative to RAND's, fewest to most classes: {told['CHI']}; rank correlation {trend(cll['CHI']):.2f}",
        ),
    }


def trend(values: NDArray[np.float64]) -> float:
    """Rank correlation of a series with its places; 0 where nothing changes."""
    return float(spearmanr(np.arange(len(values)), values).statistic) if np.ptp(values) > 0 else 0.0


# -- sections 5.3.1, 5.3.5 and 5.3.6 ----------------------------------------------------------------------


def _skew(skew: Sequence[Summary]) -> Verdict:
    """On each set, EBP's trees are the smallest but MDL's where a class is rarest, and the largest everywhere else."""
    holds = True
    told = []
    for summary in skew:
        size = summary.by_method("inner_nodes")
        rivals = np.array([size[name] for name in ("RAND", "BIC", "CHI")])
        larger = size["EBP"] > np.maximum(rivals.max(axis=0), size["MDL"])
        holds &= bool(larger[:-1].all() and size["EBP"][-1] < rivals[:, -1].min())
        rarest = {name: size[name][-1] for name in ("EBP", "RAND", "BIC", "CHI")}
        told.append(
            f"larger than the others on {larger[:-1].sum()} of {len(larger) - 1} samples; {summary.data_sets[-1]}: "
            f"{listed(rarest, 1)}"
        )
    return Verdict(holds, "; ".join(told))


def _accuracy(post: Summary) -> dict[str, Verdict]:
    ranks = post.ranks["accuracy"]
    ebp = post.significant("accuracy", "EBP", "RAND")
    return {
        "accuracy_ebp_best": Verdict(
            first(ranks, "EBP").holds is True and ebp.wins <= FEW * len(post.data_sets),
            f"{first(ranks, 'EBP').figure}; significantly better than RAND on {ebp.wins} sets",
        ),
        "accuracy_mdl_worst": last(ranks, "MDL"),
    }


def _times(post: Summary) -> dict[str, Verdict]:
    """By geometric means, so that no set outweighs the others."""
    shares = _shares(post)
    alike = [shares[name] for name in ("CHI", "EBP", "NOPRUNING")]
    told = f"geometric mean of the shares of RAND's time: {listed(shares, 2)}"
    related = [name for name in post.data_sets if name in RELATIONAL]
    flat = [name for name in post.data_sets if name not in RELATIONAL]
    judged = {
        "time_rand_longest": Verdict(max(shares.values()) < 1 < FAR_LESS * min(shares.values()), told),
        "time_others": Verdict(
            max(alike) < ALMOST_EQUAL * min(alike) and max(shares["MDL"], shares["BIC"]) < min(alike), told
        ),
    }
    if related and flat:
        by_kind = [_shares(post.of_sets(names)) for names in (related, flat)]
        judged["time_relational"] = Verdict(
            all(by_kind[0][name] > by_kind[1][name] for name in shares),
            f"shares of RAND's time on relational sets: {listed(by_kind[0], 2)}; on flat: {listed(by_kind[1], 2)}",
        )
    return judged


def _shares(post: Summary) -> dict[str, float]:
    """Geometric mean of the time of each criterion over RAND's."""
    seconds = post.by_method("seconds")
    return {name: geometric_mean(values / seconds["RAND"]) for name, values in seconds.items() if name != "RAND"}
