"""What the tables of the noise page say, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from statistics import fmean, median

from lab.papers.oates.growth import LINEAR, SMALL, growth, is_linear, is_small
from lab.verdicts import Verdict

# Inner nodes of each table's tree, by criterion and number of cases.
Sizes = dict[str, dict[int, list[int]]]

# A mean that is so many times the median is made by a few tables.
UNEVEN = 5
# Per cent of the tables whose root a test at the level of 5% may split.
ROOTS = (2, 8)

LINEAR_IN_FIGURE_1 = ("error_based", "reduced_error", "quinlan_rivest")
DRAWN_ANEW = {
    "reduced_error, alpha 0.5": "reduced_error",
    "reduced_error, fresh sets": "reduced_error",
    "sampled, error_based": "error_based",
}
TESTS = ("rand", "chi")
# The same test while growing and on the stumps of a grown tree.
BEFORE_AND_AFTER = {
    **{name: (f"{name}, pre", name) for name in ("mdl", "bic", "chi", "rand")},
    "permutation": ("permutation", "permutation, stumps"),
}


def share_split(*sizes: Sequence[int]) -> float:
    """Per cent of all trees whose root is split."""
    return 100 * fmean(size > 0 for size in chain(*sizes))


# -- what holds ------------------------------------------------------------------------------------------------------


def judge(sizes: Sizes) -> list[Verdict]:
    """What was expected, each beside what was found."""
    return [
        *(_grows(sizes, name, "linearly with N, as in Figure 1 of Oates and Jensen") for name in LINEAR_IN_FIGURE_1),
        *(_stays_small(sizes, name) for name in DRAWN_ANEW if name.startswith("reduced_error")),
        *(_splits_few_roots(sizes, f"{name}, pre") for name in TESTS),
        *(_grows(sizes, name, "linearly with N too, on the stumps of a grown tree") for name in TESTS),
        *(_is_cured(sizes, f"{name}, corrected") for name in TESTS),
    ]


def _grows(sizes: Sizes, name: str, how: str) -> Verdict:
    bar = f"{name} grows {how} (exponent {LINEAR[0]} to {LINEAR[1]})"
    if name not in sizes:
        return Verdict(bar)
    power = growth(sizes[name])
    measured = f"inner nodes {_means(sizes[name])} in the mean" + ("" if power is None else f", exponent {power:.2f}")
    return Verdict(bar, measured, is_linear(sizes[name]))


def _stays_small(sizes: Sizes, name: str) -> Verdict:
    bar = f"{name} stays small (at most {SMALL:g} inner node in the mean at every N)"
    whole = DRAWN_ANEW[name]
    if name not in sizes or whole not in sizes:
        return Verdict(bar)
    measured = f"inner nodes {_means(sizes[name])} in the mean, against {_means(sizes[whole])} of {whole}"
    return Verdict(bar, measured, is_small(sizes[name]))


def _splits_few_roots(sizes: Sizes, name: str) -> Verdict:
    bar = f"{name} splits the root of {ROOTS[0]} to {ROOTS[1]}% of the tables"
    if name not in sizes:
        return Verdict(bar)
    shares = " / ".join(f"{share_split(values):.0f}" for values in sizes[name].values())
    share = share_split(*sizes[name].values())
    return Verdict(bar, f"{share:.1f}% of all, {shares}% at each N", ROOTS[0] <= share <= ROOTS[1])


def _is_cured(sizes: Sizes, name: str) -> Verdict:
    bar = f"{name} leaves a median of 0 inner nodes at every N"
    if name not in sizes:
        return Verdict(bar)
    medians = [median(values) for values in sizes[name].values()]
    measured = f"medians {' / '.join(f'{one:g}' for one in medians)}, means {_means(sizes[name])}"
    return Verdict(bar, measured, max(medians) == 0)


# -- why something does not hold -------------------------------------------------------------------------------------


def doubt(sizes: Sizes) -> list[str]:
    """What is known of the reasons, beside the figures that show it."""
    return [line for line in (_overlap(sizes), _code_length(sizes)) if line]


def _overlap(sizes: Sizes) -> str:
    """Sampled reduced-error pruning, where its trees are not small."""
    whole = "reduced_error"
    half = "reduced_error, alpha 0.5"
    tenth = "reduced_error, alpha 0.1"
    if not {whole, half, tenth} <= set(sizes) or is_small(sizes[half]):
        return ""
    return (
        f"{half}: two decisions still have half of their cases in common, so what was kept below by luck is lucky "
        f"above too, only less so. The paper says that such trees are smaller, and they are, by "
        f"{100 - _share(sizes[half], sizes[whole]):.0f}% at the largest N; that hardly anything is left it says of "
        f"sets without any overlap. With a tenth of the cases inner nodes are {_means(sizes[tenth])} in the mean."
    )


def _code_length(sizes: Sizes) -> str:
    """Quinlan and Rivest's code, where its trees do not grow."""
    plain = "quinlan_rivest"
    heavy = "quinlan_rivest, c 3"
    if not {plain, heavy} <= set(sizes) or is_linear(sizes[plain]):
        return ""
    power = growth(sizes[heavy])
    return (
        f"{plain}: a test is 1 + log2 30 = 5.9 bits, a further leaf 2 bits and the number of its exceptions, and a "
        "subtree has to earn the bits of all its tests together, which chance does not. The paper does not say how "
        "its bits were counted. Where exceptions weigh three times as much (c = 3) inner nodes are "
        f"{_means(sizes[heavy])} in the mean" + ("." if power is None else f", exponent {power:.2f}.")
    )


# -- what else there is to see ---------------------------------------------------------------------------------------


def read(sizes: Sizes) -> list[str]:
    """The sentences."""
    return [line for line in (*_kinds(sizes), _roots(sizes), _shares(sizes)) if line]


def is_uneven(sizes: Sequence[int]) -> bool:
    """Whether a few large trees make the mean."""
    return fmean(sizes) > max(SMALL, UNEVEN * median(sizes))


def kind_of(found: dict[int, list[int]]) -> str:
    """How the size of a criterion's trees depends on the number of cases."""
    if is_small(found):
        return "small"
    if is_uneven(found[max(found)]):
        return "uneven"
    power = growth(found)
    if power is None or power <= 0:
        return "shrinking"
    return "slow" if power < LINEAR[0] else "linear" if power <= LINEAR[1] else "fast"


KINDS = {
    "linear": f"Inner nodes grow in proportion to N, with an exponent of {LINEAR[0]} to {LINEAR[1]}",
    "fast": "They grow faster, so far",
    "slow": "They grow more slowly",
    "uneven": f"Most tables give small trees and some large ones (at the largest N a mean above {UNEVEN} medians)",
    "shrinking": "There are some, but not more the larger N is",
    "small": f"At most {SMALL:g} in the mean at every N",
}


def _kinds(sizes: Sizes) -> list[str]:
    """Which criteria grow how."""
    names = {kind: [name for name, found in sizes.items() if kind_of(found) == kind] for kind in KINDS}
    return [f"{KINDS[kind]}: {_list_powers(sizes, found)}." for kind, found in names.items() if found]


def _list_powers(sizes: Sizes, names: Sequence[str]) -> str:
    powers = {name: growth(sizes[name]) for name in names}
    return "; ".join(name if power is None else f"{name} ({power:.2f})" for name, power in powers.items())


def _roots(sizes: Sizes) -> str:
    """Roots that are split by the same test while growing and after it."""
    there = [name for name, both in BEFORE_AND_AFTER.items() if set(both) <= set(sizes)]
    shares = [", ".join(_root_shares(sizes, name)) for name in there]
    return f"Roots that are split, over all N: {'; '.join(shares)}." if shares else ""


def _root_shares(sizes: Sizes, name: str) -> list[str]:
    before, after = BEFORE_AND_AFTER[name]
    names = {before: f"{name} while growing", after: "after it", f"{name}, corrected": "after it and corrected"}
    return [f"{words} {share_split(*sizes[one].values()):.1f}%" for one, words in names.items() if one in sizes]


def _shares(sizes: Sizes) -> str:
    """What is left of the inner nodes where every decision has cases of its own."""
    there = [(name, whole) for name, whole in DRAWN_ANEW.items() if name in sizes and whole in sizes]
    shares = [f"{name} {_share(sizes[name], sizes[whole]):.0f}% of {whole}" for name, whole in there]
    return f"Other cases for every decision leave, at the largest N: {'; '.join(shares)}." if shares else ""


def _share(part: dict[int, list[int]], whole: dict[int, list[int]]) -> float:
    """Inner nodes at the largest N, in per cent."""
    most = max(part)
    return 100 * fmean(part[most]) / max(fmean(whole[most]), 1)


def _means(found: dict[int, list[int]]) -> str:
    return " / ".join(f"{fmean(values):.1f}" for values in found.values())
