#include "rooms.hpp"
#include "trees/best_trees.hpp"
#include "trees/costs.hpp"
#include "trees/directions.hpp"
#include "trees/hierarchical.hpp"
#include "trees/m_branch.hpp"
#include "trees/node_keys.hpp"
#include "trees/shrinkage.hpp"
#include "trees/weakest_links.hpp"

namespace petree {
namespace {

using trees::Node;
using trees::Wiring;
using Nodes = door::Handed<Vector<const Node>>;

void make_wiring(Wiring* self, Nodes split_start, Nodes child_start, Nodes children) {
    const door::Lent<Vector<const Node>> splits(split_start.object, "Wiring", "split_start");
    const door::Lent<Vector<const Node>> starts(child_start.object, "Wiring", "child_start");
    const door::Lent<Vector<const Node>> nodes(children.object, "Wiring", "children");
    new (self) Wiring(splits.get(), starts.get(), nodes.get());
}

std::tuple<Made<Index, 1>, Made<Index, 1>> depth_first(const Wiring& wiring) {
    trees::DepthFirst found = trees::depth_first(wiring);
    return {{std::move(found.order)}, {std::move(found.levels)}};
}

}  // namespace

void bind_trees(nb::module_& module) {
    nb::class_<Wiring>(module, "Wiring", "Which nodes of a tree hang on which; children stand behind their parents.")
        .def("__init__", &make_wiring, nb::arg("split_start"), nb::arg("child_start"), nb::arg("children"));
    door::define(module, "compare_costs", &trees::compare_costs,
                 {"wiring", "split_cost", "tie", "keep_equal", "cost", "subtree", "accepted"},
                 "Costs of subtrees, and whether they are cheaper than leaves; 'cost' gets those of what is left.");
    door::define(module, "sum_leaves", &trees::sum_leaves, {"wiring", "sums"},
                 "The sums over the leaves below each inner node, in place of its own values.");
    door::define(module, "any_below", &trees::any_below, {"wiring", "is_marked", "below"},
                 "Whether any node below each is marked.");
    door::define(module, "cut_weakest_links", &trees::cut_weakest_links,
                 {"wiring", "as_leaf", "below", "tolerance", "stop"},
                 "The price at which each node is cut, the prices of all cuts in order, the root's sums after each.");
    door::define(module, "best_splits", &trees::best_splits, {"wiring", "leaves", "splits", "chosen"},
                 "The split of each node in the best tree below it, or -1.");
    door::define(module, "best_by_leaves", &trees::best_by_leaves, {"wiring", "leaves", "splits", "limit", "stop"},
                 "The best trees of 1, 2, ... leaves below each node: where a node's start, and their logarithms.");
    door::define(module, "chain_keys", &trees::chain_keys, {"wiring", "condition_keys", "keys"},
                 "Keys of all nodes below the root.");
    door::define(module, "depth_first", &depth_first, {"wiring"}, "Nodes in depth-first order, and the level of each.");
    door::define(module, "mix_along_paths", &trees::mix_along_paths,
                 {"wiring", "counts", "iterations", "mixed", "own", "stop"},
                 "Mixtures of the frequencies along the path of each node, by weights that EM learns.");
    door::define(module, "estimate_branches", &trees::estimate_branches,
                 {"wiring", "counts", "totals", "m", "estimates", "stop"},
                 "The m-branch estimate of each node taken as a leaf.");
    door::define(module, "shorten_steps", &trees::shorten_steps, {"wiring", "reached", "leaving", "shares", "stop"},
                 "The hierarchical estimate of each node, in place of its class shares.");
    door::define(module, "keep_directions", &trees::keep_directions, {"wiring", "signs", "weights", "probabilities"},
                 "Move the probabilities of nodes so that they rise or fall as the signs of the splits above them say.");
}

}  // namespace petree
