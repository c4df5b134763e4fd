"""
Loops over the nodes of finished trees: costs, weakest links, best trees, mixtures, keys.
"""

import numpy
import numpy.typing


class Wiring:
    """
    Which nodes of a tree hang on which; children stand behind their parents.
    """

    def __init__(self, split_start: numpy.typing.NDArray[numpy.int32], child_start: numpy.typing.NDArray[numpy.int32], children: numpy.typing.NDArray[numpy.int32]) -> None: ...

def compare_costs(wiring: Wiring, split_cost: numpy.typing.NDArray[numpy.float64], tie: float, keep_equal: bool, cost: numpy.typing.NDArray[numpy.float64], subtree: numpy.typing.NDArray[numpy.float64], accepted: numpy.typing.NDArray[numpy.bool_]) -> None:
    """
    Costs of subtrees, and whether they are cheaper than leaves; 'cost' gets those of what is left.
    """

def sum_leaves(wiring: Wiring, sums: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    The sums over the leaves below each inner node, in place of its own values.
    """

def any_below(wiring: Wiring, is_marked: numpy.typing.NDArray[numpy.bool_], below: numpy.typing.NDArray[numpy.bool_]) -> None:
    """Whether any node below each is marked."""

def cut_weakest_links(wiring: Wiring, as_leaf: numpy.typing.NDArray[numpy.float64], below: numpy.typing.NDArray[numpy.float64], tolerance: float, stop: numpy.typing.NDArray[numpy.uint8]) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """
    The price at which each node is cut, the prices of all cuts in order, the root's sums after each.
    """

def best_splits(wiring: Wiring, leaves: numpy.typing.NDArray[numpy.float64], splits: numpy.typing.NDArray[numpy.float64], chosen: numpy.typing.NDArray[numpy.int64]) -> None:
    """The split of each node in the best tree below it, or -1."""

def best_by_leaves(wiring: Wiring, leaves: numpy.typing.NDArray[numpy.float64], splits: numpy.typing.NDArray[numpy.float64], limit: int, stop: numpy.typing.NDArray[numpy.uint8]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64]]:
    """
    The best trees of 1, 2, ... leaves below each node: where a node's start, and their logarithms.
    """

def chain_keys(wiring: Wiring, condition_keys: numpy.typing.NDArray[numpy.uint64], keys: numpy.typing.NDArray[numpy.uint64]) -> None:
    """Keys of all nodes below the root."""

def depth_first(wiring: Wiring) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
    """Nodes in depth-first order, and the level of each."""

def mix_along_paths(wiring: Wiring, counts: numpy.typing.NDArray[numpy.float64], iterations: int, mixed: numpy.typing.NDArray[numpy.float64], own: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Mixtures of the frequencies along the path of each node, by weights that EM learns.
    """

def estimate_branches(wiring: Wiring, counts: numpy.typing.NDArray[numpy.float64], totals: numpy.typing.NDArray[numpy.float64], m: float, estimates: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """The m-branch estimate of each node taken as a leaf."""

def shorten_steps(wiring: Wiring, reached: numpy.typing.NDArray[numpy.float64], leaving: numpy.typing.NDArray[numpy.float64], shares: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """The hierarchical estimate of each node, in place of its class shares."""

def keep_directions(wiring: Wiring, signs: numpy.typing.NDArray[numpy.int64], weights: numpy.typing.NDArray[numpy.float64], probabilities: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Move the probabilities of nodes so that they rise or fall as the signs of the splits above them say.
    """
