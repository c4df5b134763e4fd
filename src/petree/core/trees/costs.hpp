// Subtrees against leaves, from the leaves of a tree up.
#pragma once

#include <algorithm>
#include <cmath>

#include "trees/wiring.hpp"

namespace petree::trees {

// The same as `petree.pruning.engine.bottom_up.is_cheaper`, of two numbers.
inline bool is_cheaper(double subtree, double leaf, double tie, bool or_equal) {
    const double margin = tie * std::max(std::abs(subtree), std::abs(leaf));
    return or_equal ? subtree <= leaf + margin : subtree < leaf - margin;
}

// Cost of the subtree of each inner node, and whether it is cheaper than a leaf; inner nodes in their order.
// `split_cost` has the costs of the nodes' splits. `cost` has those of nodes as leaves, and gets those of what is left.
inline void compare_costs(const Wiring& wiring, Vector<const double> split_cost, double tie, bool keep_equal,
                          Vector<double> cost, Vector<double> subtree, Vector<Flag> accepted) {
    wiring.require_no_options();
    require(split_cost.length() == wiring.n_nodes(), "'split_cost' needs a number for each node.");
    require(cost.length() == wiring.n_nodes(), "'cost' needs a number for each node.");
    require(subtree.length() == wiring.n_splits(), "'subtree' needs a number for each inner node.");
    require(accepted.length() == wiring.n_splits(), "'accepted' needs a truth value for each inner node.");
    for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
        if (wiring.is_leaf(node)) continue;
        const Index split = wiring.first_split(node);
        double below = 0.0;
        for (const Node child : wiring.children_of(split)) below += cost[child];
        subtree[split] = split_cost[node] + below;
        accepted[split] = is_cheaper(subtree[split], cost[node], tie, keep_equal);
        if (accepted[split]) cost[node] = subtree[split];
    }
}

// The sums over the leaves below each inner node, in place of its own values.
inline void sum_leaves(const Wiring& wiring, Matrix<double> sums) {
    wiring.require_no_options();
    require(sums.length() == wiring.n_nodes(), "'sums' needs a line for each node.");
    for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
        if (wiring.is_leaf(node)) continue;
        double* sum = sums.row(node);
        std::fill_n(sum, sums.width(), 0.0);
        for (const Node child : wiring.children_of(wiring.first_split(node))) {
            for (Index column = 0; column < sums.width(); ++column) sum[column] += sums(child, column);
        }
    }
}

// Whether any node below each is marked.
inline void any_below(const Wiring& wiring, Vector<const Flag> is_marked, Vector<Flag> below) {
    require(is_marked.length() == wiring.n_nodes(), "'is_marked' needs a truth value for each node.");
    require(below.length() == wiring.n_nodes(), "'below' needs a truth value for each node.");
    for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
        bool any = false;
        for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
            for (const Node child : wiring.children_of(split)) any = any || below[child] || is_marked[child];
        }
        below[node] = any;
    }
}

}  // namespace petree::trees
