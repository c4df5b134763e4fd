"""Who takes part in the quality benchmark: split scores x smoothings of petree, some pruned, and the peers."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from lab.experiments.measuring import spread
from lab.experiments.trials import Trial
from lab.quality.data import one_hot
from lab.quality.peers import PEERS, Peer
from petree import OptionTreeClassifier, ProbabilityTreeClassifier, Tree, presets, smoothing, splitting
from petree.estimators.tuning.grid import candidates_of, to_be_tuned
from petree.pruning import BestSize

DEFAULT = "default/default-auto"
FEWEST_BITS = "default-fewest-bits/default-auto"
# The default where its size is bounded, to tell what a smaller tree costs, and where a leaf has no price.
OTHER_SIZES: dict[str, dict[str, Any]] = {
    FEWEST_BITS: {"pruning": BestSize(saving=0)},
    "default-5-rows/default-auto": {"min_samples_leaf": 5},
    "default-40-leaves/default-auto": {"max_leaf_nodes": 40},
    "default-12-leaves/default-auto": {"max_leaf_nodes": 12},
}
# Option trees are averages over many trees, not single ones: as Buntine has them, one search of more options and less
# trust, and without arguments.
OPTIONS = "option"
DEFAULT_OPTIONS = f"{OPTIONS}/default"
ONE_SEARCH: dict[str, Any] = {
    "prior": "cautious",
    "n_searches": 1,
    "max_features": None,
    "max_options": 4,
    "option_depth": 5,
    "max_depth": 20,
}
OPTION_TREES: dict[str, Any] = {
    f"{OPTIONS}/I": partial(presets["ind-option-1"], tests="binary", binning="quantile"),
    f"{OPTIONS}/cautious": partial(OptionTreeClassifier, **ONE_SEARCH),
    DEFAULT_OPTIONS: OptionTreeClassifier,
}
MULTIWAY = "-multiway"
AUTO = "-auto"
MAIN_SPLIT = "gain"
# Tuning grows four trees, so that all smoothings are tuned with one score only, and one with every score.
TUNED_WITH_ALL = ("hierarchical",)
# Criteria that prune the tree of the main score, and the smoothing that is tuned on what they leave.
PRUNINGS = ("rand", "chi", "mdl", "bic", "error_based")
TUNED_WITH_PRUNING = ("doubt",)


@dataclass(frozen=True)
class Contender:
    """A learner by its name: "split/smoothing" of petree, "library/method" of a peer."""

    name: str
    learner: Any

    @property
    def is_petree(self) -> bool:
        return not isinstance(self.learner, Peer)

    @property
    def label(self) -> str:
        return f"petree {self.name}" if self.is_petree else str(self.learner.label)

    @property
    def growth(self) -> str:
        """The part before the slash; contenders of petree that have it in common can share a tree."""
        return self.name.partition("/")[0]

    @property
    def smoothing(self) -> str:
        return self.name.partition("/")[2]

    @property
    def is_tuned(self) -> bool:
        return self.is_petree and self.smoothing.endswith(AUTO)

    @property
    def is_slow(self) -> bool:
        """Whether it takes part in the first fold of each set alone."""
        return not self.is_petree and self.learner.slow

    @cached_property
    def settings(self) -> str:
        """Everything that decides the results, the defaults included."""
        return repr(sorted(self.learner.get_params().items())) if self.is_petree else str(self.learner.settings)


@dataclass(frozen=True)
class Answer:
    """Probabilities of all classes of a data set for the rows of a trial, and what they cost."""

    contender: Contender
    probabilities: NDArray[np.float64]
    leaves: float
    seconds: float


def all_contenders() -> dict[str, Contender]:
    """Every contender by its name."""
    found = [*_petree(), *(Contender(name, make()) for name, make in PEERS.items())]
    return {contender.name: contender for contender in found}


def choose(patterns: str | None) -> list[Contender]:
    """The contenders that names or patterns such as ``gain/*`` say, separated by commas; all without any."""
    known = all_contenders()
    chosen: dict[str, Contender] = {}
    for pattern in patterns.split(",") if patterns else ["*"]:
        names = [name for name in known if fnmatchcase(name, pattern.strip())]
        if not names:
            raise ValueError(f"No contender is called {pattern.strip()!r}; the names are {', '.join(known)}.")
        chosen |= {name: known[name] for name in names}
    return list(chosen.values())


def _petree() -> Iterator[Contender]:
    """Every split score, with binary and multiway tests, by every smoothing; some tuned, some trees pruned."""
    for split, score in splitting.MEMBERS.items():
        for tests, ending in (("binary", ""), ("multiway", MULTIWAY)):
            smoothings = _fixed() if ending else _fixed() | _tuned(split)
            for name, part in smoothings.items():
                learner = ProbabilityTreeClassifier(score(), "none", part, tests=tests, n_jobs=1)
                yield Contender(f"{split}{ending}/{name}", learner)
    for pruning in PRUNINGS:
        for name, part in (_fixed() | _tuned(MAIN_SPLIT, TUNED_WITH_PRUNING)).items():
            learner = ProbabilityTreeClassifier(MAIN_SPLIT, pruning, part, n_jobs=1)
            yield Contender(f"{MAIN_SPLIT}+{pruning}/{name}", learner)
    yield Contender(DEFAULT, ProbabilityTreeClassifier(n_jobs=1))
    for name, bounds in OTHER_SIZES.items():
        yield Contender(name, ProbabilityTreeClassifier(n_jobs=1, **bounds))
    for name, make in OPTION_TREES.items():
        yield Contender(name, make(n_jobs=1))


def _fixed() -> dict[str, Any]:
    return {name: member() for name, member in smoothing.MEMBERS.items()}


def _tuned(split: str, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The smoothings whose parameters are chosen on the training data: those named, or those that go with a score."""
    tunable = {name: part for name, part in _fixed().items() if candidates_of(part)} | {
        "confusion-of-hierarchical": smoothing.Confusion(leaf="hierarchical"),
        "doubt-of-m_branch": smoothing.Doubt(leaf="m_branch"),
        "average-of-doubts": smoothing.Average((smoothing.Doubt(), smoothing.Doubt(leaf="m_branch"))),
    }
    chosen = tuple(tunable) if split == MAIN_SPLIT else TUNED_WITH_ALL
    return {name + AUTO: to_be_tuned(tunable[name]) for name in names or chosen}


# -- learning and answering -----------------------------------------------------------------------------------


def answer(contenders: Sequence[Contender], trial: Trial) -> Iterator[list[Answer] | str]:
    """What all contenders answer on a trial, those that share a tree together; a sentence where they fail."""
    groups: dict[str, list[Contender]] = defaultdict(list)
    for contender in contenders:
        shares = contender.is_petree and not contender.is_tuned
        groups[contender.growth if shares else contender.name].append(contender)
    for group in groups.values():
        try:
            yield _answer_group(group, trial)
        except Exception as error:  # a contender that fails is left out; the others go on
            yield f"{group[0].label}: {type(error).__name__}: {error}"


def _answer_group(group: Sequence[Contender], trial: Trial) -> list[Answer]:
    if not group[0].is_petree:
        return _answer_peer(group[0], trial)
    if group[0].growth == OPTIONS:
        return [_answer_options(one, trial) for one in group]
    return _answer_together(group, trial)


def _answer_options(contender: Contender, trial: Trial) -> Answer:
    start = time.process_time()
    model = clone(contender.learner).fit(*trial.train)
    seconds = time.process_time() - start
    found = spread(model.predict_proba(trial.test[0]), model.classes_, trial.data.classes)
    return Answer(contender, found, float("nan"), seconds)


def _answer_together(group: Sequence[Contender], trial: Trial) -> list[Answer]:
    """One tree, grown with the first contender, and the smoothings of all of them on it."""
    start = time.process_time()
    model = clone(group[0].learner).fit(*trial.train)
    grown = time.process_time() - start
    parts = [model.smoothing_, *(contender.learner.smoothing for contender in group[1:])]
    estimates, seconds = zip(*(_estimate(part, model.tree_) for part in parts), strict=True)
    found = _predict(model, parts, estimates, trial.test[0])
    return [
        Answer(one, spread(table, model.classes_, trial.data.classes), float(model.get_n_leaves()), grown + extra)
        for one, table, extra in zip(group, found, seconds, strict=True)
    ]


def _estimate(part: Any, tree: Tree) -> tuple[NDArray[np.float64], float]:
    """Class probabilities of the nodes, and the seconds that they took."""
    start = time.process_time()
    return part.estimate(tree), time.process_time() - start


def _predict(model: Any, parts: Sequence[Any], estimates: Sequence[NDArray[Any]], X: Any) -> list[NDArray[Any]]:
    """What a fitted tree answers with each smoothing; those that look at nodes only share one walk of the rows."""
    by_node = [index for index, part in enumerate(parts) if not getattr(part, "by_row", False)]
    found = {}
    if by_node:
        model.smoothing_ = parts[by_node[0]]
        model.node_probabilities_ = np.hstack([estimates[i] for i in by_node])
        found = dict(zip(by_node, np.hsplit(model.predict_proba(X), len(by_node)), strict=True))
    for index in set(range(len(parts))) - set(by_node):
        model.smoothing_ = parts[index]
        model.node_probabilities_ = estimates[index]
        found[index] = model.predict_proba(X)
    return [found[index] for index in range(len(parts))]


def _answer_peer(contender: Contender, trial: Trial) -> list[Answer]:
    peer: Peer = contender.learner
    X, truth = trial.train
    learn, test = one_hot(X, trial.test[0])
    classes, y = np.unique(truth, return_inverse=True)
    start = time.process_time()
    model = peer.fit(learn, y)
    seconds = time.process_time() - start
    probabilities = spread(peer.answer(model, test), classes, trial.data.classes)
    return [Answer(contender, probabilities, peer.n_leaves(model), seconds)]
