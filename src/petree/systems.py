"""The papers' systems by name, and the best single tree: ``petree.presets["c4.4"]()``.

The mapping is `petree.presets`; a module of that name would stand in its way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from petree.estimators.option import OptionTreeClassifier
from petree.estimators.relational import RelationalTreeClassifier
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.parts import unknown_name
from petree.pruning import BIC, MAP, MDL, Chi, CostComplexity, ErrorBased, Rand, ReducedError
from petree.smoothing import Average, Doubt, Hierarchical, MBranch, MEstimate
from petree.splitting import MSEE, GainRatio
from petree.splitting import Bayes as SplitBayes


@dataclass(frozen=True)
class Preset:
    """An estimator with the parameters of one system; call it to make one, with parameters that override these."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    estimator: type = ProbabilityTreeClassifier

    def __call__(self, **parameters: Any) -> Any:
        own = {name: clone(value, safe=False) for name, value in self.parameters.items()}
        return self.estimator(**{**own, **parameters})


class Presets(Mapping[str, Preset]):
    """Presets by name.

    Examples
    --------
    >>> import petree
    >>> petree.presets["c4.4"](max_depth=3)
    ProbabilityTreeClassifier(binning='entropy', max_depth=3, pruning='none',
                              smoothing='laplace')
    >>> print(petree.presets["c4.4"].description)
    C4.4 as Tilde has it: no pruning, information gain and Laplace's estimate (Provost & Domingos 2003).
    """

    def __init__(self, presets: Sequence[Preset]) -> None:
        self._presets = {preset.name: preset for preset in presets}

    def __getitem__(self, name: str) -> Preset:
        if name not in self._presets:
            raise KeyError(unknown_name("preset", name, list(self._presets)))
        return self._presets[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._presets)

    def __len__(self) -> int:
        return len(self._presets)

    def __repr__(self) -> str:
        return "\n".join(f"{name!r}: {preset.description}" for name, preset in self._presets.items())


# Trees as SMILES grows them: by gain ratio, but without C4.5's restrictions on where a number is cut.
SMILES = {
    "split": GainRatio(restrictions=False),
    "pruning": "none",
    "smoothing": MBranch(m=4.0),
    "tests": "multiway",
}
# Trees as C4.5 grows them: every cut of a number, and two branches of two cases or more.
C45 = {"split": "gain_ratio", "smoothing": "none", "tests": "multiway", "binning": "exact", "min_samples_leaf": 2}
# Trees as Fierens et al. grow them, with tests that have two outcomes and seven thresholds a number.
TILDE = {"split": "gain", "smoothing": "laplace", "tests": "binary", "binning": "entropy"}
# Trees as Buntine grows them all, whatever prunes them: one branch a value, and every cut of a number.
IND = {"split": "bayes", "tests": "multiway", "binning": "exact"}
# Option trees as Buntine grows them.
IND_OPTION = {
    "tests": "multiway",
    "binning": "exact",
    "prior": "I",
    "max_options": 4,
    "option_depth": None,
    "factor": 0.005,
    "max_depth": 6,
    "n_searches": 1,
    "max_features": None,
}
# A few good trees of different structure: the three best tests at the root and below it, and the best one further down.
KWOK_CARTER = {
    **IND_OPTION,
    "max_options": 3,
    "option_depth": 2,
    "factor": 1e-300,
    "max_depth": 40,
    "weights": "even",
}

presets = Presets(
    [
        Preset(
            "c4.4",
            "C4.4 as Tilde has it: no pruning, information gain and Laplace's estimate (Provost & Domingos 2003).",
            {**TILDE, "pruning": "none"},
        ),
        Preset(
            "smiles",
            "SMILES: an unpruned multiway tree by gain ratio, with the m-branch estimate of M = 4 (Ferri et al. 2003).",
            SMILES,
        ),
        Preset(
            "smiles-msee",
            "SMILES that splits by the expected squared error of Laplace's estimates (Ferri et al. 2003).",
            {**SMILES, "split": MSEE(laplace=True)},
        ),
        Preset(
            "c4.5",
            "C4.5: a multiway tree by gain ratio, fractions of rows with missing values, error-based pruning with "
            "raising and collapsing, and the frequencies in its leaves (Quinlan 1993).",
            {**C45, "pruning": ErrorBased(raising=True, collapsing=True), "missing": "fractions"},
        ),
        Preset(
            "tilde-c4.5",
            "C4.5 as Tilde has it: binary tests by information gain, error-based pruning alone, and Laplace's estimate "
            "(Fierens et al. 2005).",
            {**TILDE, "pruning": "error_based"},
        ),
        Preset(
            "tilde",
            "Tilde: a tree over several tables by information gain, as many cases a branch as an application declares "
            "(minimal_cases), or two, and some gain in every test, "
            "error-based pruning, and the frequencies in its leaves (Blockeel & De Raedt 1998).",
            {
                "split": "gain",
                "pruning": "error_based",
                "smoothing": "none",
                "binning": "entropy",
                "aggregates": (),
                "min_examples": 1,
                "min_samples_leaf": "declared",
                "min_gain": 1e-9,
            },
            RelationalTreeClassifier,
        ),
        Preset(
            "c4",
            "C4: binary tests by information gain, pessimistic pruning, and the frequencies in its leaves "
            "(Quinlan 1987).",
            {"split": "gain", "pruning": "pessimistic", "smoothing": "none", "binning": "exact"},
        ),
        Preset(
            "cart",
            "CART: binary tests by the Gini index, sets of categories, surrogates, cost-complexity pruning on ten "
            "folds with the 0-SE rule, and the frequencies in its leaves (Breiman et al. 1984).",
            {
                "split": "gini",
                "pruning": CostComplexity(folds=10, rule="0-SE"),
                "smoothing": "none",
                "tests": "sets",
                "binning": "exact",
                "missing": "surrogates",
            },
        ),
        Preset(
            "mdl-s",
            "MDLs: growing stops at a test that does not pay for its description (Fierens et al. 2005).",
            {**TILDE, "pruning": MDL(when="pre", keep_equal=True)},
        ),
        Preset(
            "mdl-p",
            "MDLp: a grown tree is pruned to the shortest description of tree and data (Fierens et al. 2005).",
            {**TILDE, "pruning": "mdl"},
        ),
        Preset(
            "bic-s",
            "BICs: growing stops at a test that does not pay for the probabilities it adds (Fierens et al. 2005).",
            {**TILDE, "pruning": BIC(when="pre", keep_equal=True)},
        ),
        Preset(
            "bic-p",
            "BICp: a grown tree is pruned by the Bayesian information criterion (Fierens et al. 2005).",
            {**TILDE, "pruning": "bic"},
        ),
        Preset(
            "chi",
            "CHI: stumps of a grown tree go unless their chi-square is significant at 0.05 (Fierens et al. 2007).",
            {**TILDE, "pruning": Chi(alpha=0.05)},
        ),
        Preset(
            "chi-2005",
            "Chi: tests are chosen by chi-square, and growing stops where it is not significant at 0.1 "
            "(Fierens et al. 2005).",
            {**TILDE, "split": "chi_square", "pruning": Chi(alpha=0.1, when="pre")},
        ),
        Preset(
            "rand",
            "RAND: stumps of a grown tree go unless they beat 95 of 100 permutations of the classes "
            "(Fierens et al. 2007).",
            {**TILDE, "pruning": Rand(alpha=0.05, permutations=100)},
        ),
        Preset(
            "rand-pre",
            "RAND while growing: a node is split only if its test beats 95 of 100 permutations of the classes "
            "(Fierens et al. 2007).",
            {**TILDE, "pruning": Rand(alpha=0.05, permutations=100, when="pre")},
        ),
        Preset(
            "rep",
            "REP: a third of the cases decide which subtrees of C4.5's tree go (Oates & Jensen 1999).",
            {**C45, "pruning": ReducedError(alpha=1.0)},
        ),
        Preset(
            "rep-sampled",
            "Sampled REP: every decision is made on half of those cases, drawn anew (Oates & Jensen 1999).",
            {**C45, "pruning": ReducedError(alpha=0.5)},
        ),
        Preset(
            "cart-like",
            "CART as IND has it: tests by their quality, cost-complexity pruning on ten folds with the 0-SE rule, and "
            "the frequencies in its leaves (Buntine 1992).",
            {**IND, "pruning": CostComplexity(folds=10, rule="0-SE"), "smoothing": "none"},
        ),
        Preset(
            "c4-early",
            "C4 as IND has it: tests by their quality, pessimistic pruning, and the frequencies in its leaves "
            "(Buntine 1992).",
            {**IND, "pruning": "pessimistic", "smoothing": "none"},
        ),
        Preset(
            "ind-bayes",
            "IND's Bayes trees: grown by the quality of tests, smoothed over all prunings (Buntine 1992).",
            {**IND, "pruning": "none", "smoothing": "bayes"},
        ),
        Preset(
            "ind-option-1",
            "IND's option trees with one ply: an average over very many trees (Buntine 1992).",
            {**IND_OPTION, "lookahead": 1},
            OptionTreeClassifier,
        ),
        Preset(
            "ind-option-2",
            "IND's option trees with a lookahead of two plies (Buntine 1992).",
            {**IND_OPTION, "lookahead": 2},
            OptionTreeClassifier,
        ),
        Preset(
            "kwok-carter",
            "Multiple decision trees: whole trees with different tests at the root and below it, averaged evenly "
            "(Kwok & Carter 1990).",
            KWOK_CARTER,
            OptionTreeClassifier,
        ),
        Preset(
            "mdl-like",
            "A generic minimum encoding: the most probable pruning, where a node names its test (Buntine 1992).",
            {
                **IND,
                "split": SplitBayes("IV"),
                "pruning": MAP("IV"),
                "smoothing": MEstimate(m=1.0, prior="base_rate"),
            },
        ),
        Preset(
            "best-single",
            "The single tree of fewest bits, whatever its size: unpruned, with the mean of two tuned estimates that "
            "also hear the leaves to which a doubtful test could have led.",
            {
                "pruning": "none",
                "smoothing": Average((Doubt("auto", Hierarchical("auto")), Doubt("auto", MBranch("auto")))),
            },
        ),
    ]
)
