"""What the tables of the quality page say, in words."""

from __future__ import annotations

from collections.abc import Sequence

from lab.quality.contenders import MAIN_SPLIT, MULTIWAY, Contender
from lab.quality.scoring import Scores, Versus

BAR = 0.61
SINGLE_TREE_TO_BEAT = "imodels/unpruned"
GROWTH_OF_FERRI = f"gain_ratio{MULTIWAY}"
FERRI = (
    "Ferri, Flach and Hernandez-Orallo (2003, Tables 3 to 6) found this order on 50 sets: geometric means .780, .839, "
    ".849 with two classes and .873, .895, .906 with more"
)


def ordered_growths(scores: Scores, contenders: Sequence[Contender]) -> list[str]:
    """The ways of growing that have results of all three smoothings."""
    growths = dict.fromkeys(one.growth for one in contenders if one.is_petree)
    wanted = ("none", "laplace", "m_branch")
    return [one for one in growths if all(f"{one}/{smoothing}" in scores.contenders for smoothing in wanted)]


def read_order(scores: Scores, growths: Sequence[str]) -> list[str]:
    """Whether none < laplace < m_branch holds in AUC."""
    if not growths:
        return []
    steps = {growth: _steps(scores, growth) for growth in growths}
    holding = [growth for growth, (first, second) in steps.items() if first.mean > 0 and second.mean > 0]
    failing = [growth for growth in growths if growth not in holding]
    verdict = f"none < laplace < m_branch in mean AUC holds for {len(holding)} of {len(growths)} ways of growing"
    lines = [f"{verdict}, not for {', '.join(failing)}." if failing else f"{verdict}.", f"{FERRI}."]
    for growth in [one for one in (MAIN_SPLIT, GROWTH_OF_FERRI) if one in steps]:
        first, second = map(_words, steps[growth])
        lines.append(f"{growth}: laplace over none {first}; m_branch over laplace {second}.")
    return lines


def read_best(scores: Scores, own: Sequence[str]) -> list[str]:
    """The combination of the best likelihood, and whether it clears the bar."""
    if not own:
        return []
    best = scores.best("bits", own)
    ranked = scores.best("auc", own)
    bits = scores.mean("bits", best)
    leaves = scores.median("leaves", best)
    verdict = "at or below" if bits <= BAR else "above"
    found = f"{bits:.4f} on {len(scores.sets)} sets ({leaves:.0f} leaves, median)"
    return [
        f"The best combination of petree in bits is {best}: {found}, {verdict} {BAR}.",
        f"It is the best of {len(own)} combinations on these very sets, so a little of it is luck.",
        f"The best combination of petree in AUC is {ranked}: {scores.mean('auc', ranked):.4f}.",
    ]


def read_peers(scores: Scores, best: str, peers: Sequence[Contender]) -> list[str]:
    """The best combination beside every peer."""
    return [
        f"{best} against {peer.label}: bits {_words(scores.versus('bits', best, peer.name))}; "
        f"AUC {_words(scores.versus('auc', best, peer.name))}."
        for peer in peers
    ]


def read_average(scores: Scores, average: str, own: Sequence[str]) -> list[str]:
    """How an average over trees ranks beside all single trees."""
    lines = []
    for measure, name in (("bits", "bits"), ("auc", "AUC")) if own else ():
        ranks = scores.ranks(measure, [average, *own])
        best = min(own, key=lambda one: ranks[one])
        lines.append(
            f"Among {average} and all {len(own)} single trees of petree its average rank in {name} is "
            f"{ranks[average]:.1f}, that of the best of them, {best}, {ranks[best]:.1f}."
        )
    return lines


def read_halves(scores: Scores, chosen: str, rival: Contender, names: Sequence[str]) -> list[str]:
    """What settings do on every second set, where they were chosen, and on the others."""
    halves = {"where its settings were chosen": names[::2], "the others": names[1::2]}
    lines = []
    for words, half in halves.items():
        of_half = scores.of_sets(half)
        bits, auc = (of_half.versus(measure, chosen, rival.name) for measure in ("bits", "auc"))
        lines.append(
            f"{chosen} against {rival.label} on {len(half)} sets, {words}: {of_half.mean('bits', chosen):.4f} bits, "
            f"{_words(bits)}; AUC {_words(auc)}."
        )
    return lines


def read_default(scores: Scores, default: str, rival: Contender, peers: Sequence[Contender]) -> list[str]:
    """What an estimator without arguments does beside the single tree to beat."""
    ranks = scores.ranks("bits", [default, *(peer.name for peer in peers)])
    leaves = {name: scores.median("leaves", name) for name in (default, rival.name)}
    bits, auc = (scores.versus(measure, default, rival.name) for measure in ("bits", "auc"))
    own = f"{scores.mean('bits', default):.4f} bits, AUC {scores.mean('auc', default):.4f}"
    return [
        f"{default}, an estimator without arguments: {own}, {leaves[default]:.0f} leaves (median).",
        (
            f"Its average rank in bits among the peers and itself is {ranks[default]:.2f}, that of {rival.label} "
            f"{ranks[rival.name]:.2f} with {leaves[rival.name]:.0f} leaves; against it: bits {_words(bits)}, AUC "
            f"{_words(auc)}."
        ),
    ]


def read_pruning(scores: Scores, smoothings: Sequence[str], prunings: Sequence[str]) -> list[str]:
    """What pruning changes in AUC under each smoothing; Ferri et al. (section 5): the better it is, the less."""
    lines = []
    for smoothing in smoothings:
        plain = f"{MAIN_SPLIT}/{smoothing}"
        pruned = [f"{MAIN_SPLIT}+{one}/{smoothing}" for one in prunings]
        if {plain, *pruned} <= set(scores.contenders):
            gains = {name: scores.versus("auc", name, plain).mean for name in pruned}
            told = ", ".join(f"{name.partition('/')[0]} {gain:+.4f}" for name, gain in gains.items())
            lines.append(f"Pruning changes the AUC under {smoothing} by: {told}.")
    return lines


def read_losses(scores: Scores, best: str, rival: Contender) -> list[str]:
    """The sets on which the best combination loses bits against the single tree to beat."""
    gains = scores.versus("bits", best, rival.name).gains
    lost = gains[gains < 0].sort_values()
    names = ", ".join(f"{name} ({-gain:.3f})" for name, gain in lost.items())
    verdict = f"{best} loses bits against {rival.label} on {len(lost)} of {len(gains)} sets"
    return [f"{verdict}: {names}." if names else f"{verdict}."]


def _steps(scores: Scores, growth: str) -> tuple[Versus, Versus]:
    none, laplace, m_branch = (f"{growth}/{smoothing}" for smoothing in ("none", "laplace", "m_branch"))
    return scores.versus("auc", laplace, none), scores.versus("auc", m_branch, laplace)


def _words(versus: Versus) -> str:
    """The mean gain and the record, such as "+0.0512 (wins/ties/losses 60/2/6)"."""
    better = "better" if versus.mean > 0 else "worse"
    return f"{abs(versus.mean):.4f} {better} (wins/ties/losses {versus.record})"
