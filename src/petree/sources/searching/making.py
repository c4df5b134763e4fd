"""Which way a split score is searched by."""

from __future__ import annotations

from collections.abc import Callable

from petree.bayes import Prior
from petree.sources.quality import Quality
from petree.sources.searching.by_evidence import ByEvidence
from petree.sources.searching.by_score import ByScore
from petree.sources.searching.by_value import ByRatio, ByValue
from petree.sources.searching.scoring import Scoring
from petree.sources.searching.searcher import Searcher
from petree.sources.weights import Targets
from petree.splitting.base import Scores, code_of
from petree.splitting.codes import BayesCode, GrowthSetting, RatioCode, ScoreCode


def searcher_of(
    split: Scores,
    tests: str,
    min_samples_leaf: int,
    targets: Targets,
    quality_of: Callable[[Prior], Quality] | None = None,
) -> Searcher:
    """The searcher for a split score.

    Parameters
    ----------
    split : Scores
        Without a code for the compiled loops it is asked for the score of every test.
    tests : {"binary", "sets", "multiway"}
        What nominal columns offer.
    min_samples_leaf : int
    targets : Targets
        Of all cases.
    quality_of : callable, optional
        What Buntine's quality of the tests depends on, given a prior; without it that score is refused.
    """
    scoring = Scoring(split, min_samples_leaf, targets.factors)
    code = code_of(split, GrowthSetting(tests, targets.n_cases))
    match code:
        case None:
            return ByScore(scoring)
        case ScoreCode():
            return ByValue(scoring, code, targets.are_whole)
        case RatioCode():
            return ByRatio(scoring, code, targets.are_whole)
        case BayesCode(prior) if quality_of is not None:
            return ByEvidence(scoring, quality_of(prior))
    raise ValueError(
        f"The split score {split!r} looks at the values of the columns of one table; choose another score for trees "
        "over several tables."
    )
