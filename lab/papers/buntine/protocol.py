"""The data, the priors and the systems of Buntine (1992).

Where the paper is silent:

* Nominal attributes have one branch a value: section 3.2 speaks of a test on a vote, yes, no or unknown, that has
  three leaves. Numbers may be cut anywhere.
* The prior of glass is not told; it is I with a strength of 1, as for LED.
* Hepatitis has 155 cases, not 145: 80 are asked, not 70.
* LED is drawn anew for each trial; the paper may have divided one sample ten times.
* The minimum encoding stands for prior IV, whose most probable pruning answers by (n + a) / (N + alpha).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from lab.experiments.methods import Method
from lab.experiments.summary import Summary
from lab.experiments.trials import Trial, trials_of
from lab.papers.data.datasets import load
from lab.papers.data.generators import led7
from lab.papers.setting import PaperSetting
from lab.statistics.resampling import TrainTest, random_splits
from petree import OptionTreeClassifier, ProbabilityTreeClassifier, presets
from petree.bayes import Prior
from petree.pruning import MAP
from petree.smoothing import Bayes as BayesSmoothing
from petree.smoothing import MEstimate
from petree.splitting import Bayes as Quality

RUNS = 10
LED = "LED"
LED_CASES = 3000
# How all trees are grown, beside the quality of their tests.
GROWING: dict[str, Any] = {name: presets["ind-bayes"].parameters[name] for name in ("tests", "binning")}
CART_PRUNING = presets["cart-like"].parameters["pruning"]
OTHERS = ("CART-like", "C4-early", "MDL-like", "Bayes trees")
OPTIONS = ("1-ply option trees", "2-ply option trees")


@dataclass(frozen=True)
class Problem:
    """A data set, how many of its cases are learned from, and what is believed beforehand.

    Parameters
    ----------
    name : str
        What our tables call it.
    data_set : str
        What Table 1 of the paper calls its data.
    source : str
        What `lab.papers.data.datasets` calls them; empty where they are generated.
    n_cases, n_classes, n_learn : int
    prior : Prior
    """

    name: str
    data_set: str
    source: str
    n_cases: int
    n_classes: int
    n_learn: int
    prior: Prior


VOTING = "voting less physician-fee-freeze"
PROBLEMS = (
    Problem("LED 100", LED, "", LED_CASES, 10, 100, Prior()),
    Problem("LED 900", LED, "", LED_CASES, 10, 900, Prior()),
    Problem("glass", "glass", "glass", 214, 6, 100, Prior()),
    Problem("voting", "voting", VOTING, 435, 2, 200, Prior("II")),
    Problem("hepatitis", "hepatitis", "hepatitis", 155, 2, 75, Prior("II", alpha=2.0)),
)
Methods: TypeAlias = Callable[[Problem], Sequence[Method]]


def measured(setting: PaperSetting, name: str, methods: Methods) -> Summary:
    """What the methods of each problem do on its trials; methods of one name may differ between problems."""
    found = [setting.summary(name, trials(problem, setting), methods(problem)) for problem in PROBLEMS]
    values = {key: folds for summary in found for key, folds in summary.values.items()}
    return Summary(found[0].methods, tuple(problem.name for problem in PROBLEMS), (), values)


# -- trials -----------------------------------------------------------------------------------------------


def trials(problem: Problem, setting: PaperSetting) -> list[Trial]:
    """Random training and test cases of a data set, or new samples of LED."""
    runs = setting.runs(RUNS)
    if problem.data_set == LED:
        return list(_samples(problem, runs, setting.seed))
    data = load(problem.source).renamed(problem.name)
    return trials_of(data, random_splits(data.n_rows, problem.n_learn, runs, setting.seed))


def _samples(problem: Problem, runs: int, seed: int) -> Iterator[Trial]:
    cases = np.arange(problem.n_cases)
    for run in range(runs):
        data = led7(problem.n_cases, RUNS * seed + run).renamed(problem.name)
        yield Trial(data, TrainTest(run, 0, cases[: problem.n_learn], cases[problem.n_learn :]))


# -- systems ----------------------------------------------------------------------------------------------


def methods(problem: Problem) -> list[Method]:
    """The methods of Table 1, by their names there."""
    prior = problem.prior
    code = Prior("IV", alpha=prior.alpha)
    trees = {
        "CART-like": presets["cart-like"](split=Quality(prior)),
        "C4-early": presets["c4-early"](split=Quality(prior)),
        "MDL-like": presets["mdl-like"](split=Quality(code), pruning=MAP(code), smoothing=leaf_estimate(code)),
        "Bayes trees": smoothed_tree(prior),
    }
    options = {name: option_tree(prior, plies) for plies, name in enumerate(OPTIONS, start=1)}
    return [Method(name, estimator) for name, estimator in (trees | options).items()]


def smoothed_tree(prior: Prior) -> ProbabilityTreeClassifier:
    """A tree that answers by the mean over all its prunings."""
    model: ProbabilityTreeClassifier = presets["ind-bayes"](split=Quality(prior), smoothing=BayesSmoothing(prior))
    return model


def option_tree(prior: Prior, plies: int) -> OptionTreeClassifier:
    """An option tree as the paper has it."""
    model: OptionTreeClassifier = presets[f"ind-option-{plies}"](prior=prior)
    return model


def leaf_estimate(prior: Prior) -> MEstimate:
    """What a leaf says by itself under a prior: (n + a) / (N + alpha)."""
    return MEstimate(m=prior.alpha, prior="base_rate")
