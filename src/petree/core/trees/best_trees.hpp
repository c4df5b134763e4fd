// The most probable trees within a tree with options: of all, and of so many leaves.
//
// Logarithms of weights are given: `leaves` of the nodes as leaves, `splits` of the splits. A tree's is the sum over its
// nodes.
#pragma once

#include <algorithm>
#include <limits>
#include <tuple>

#include "foundation/interrupts.hpp"
#include "foundation/results.hpp"
#include "trees/wiring.hpp"

namespace petree::trees {

struct LogWeights {
    Vector<const double> leaves;
    Vector<const double> splits;

    LogWeights(const Wiring& wiring, Vector<const double> of_leaves, Vector<const double> of_splits)
        : leaves(of_leaves), splits(of_splits) {
        require(leaves.length() == wiring.n_nodes(), "'leaves' needs a number for each node.");
        require(splits.length() == wiring.n_splits(), "'splits' needs a number for each split.");
    }
};

// The split of each node in the best tree below it, or -1 where that is a leaf.
inline void best_splits(const Wiring& wiring, Vector<const double> leaves, Vector<const double> splits,
                        Vector<Index> chosen) {
    const LogWeights weights(wiring, leaves, splits);
    require(chosen.length() == wiring.n_nodes(), "'chosen' needs a number for each node.");
    std::vector<double> best(leaves.data, leaves.data + leaves.length());
    for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
        chosen[node] = -1;
        for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
            double value = weights.splits[split];
            for (const Node child : wiring.children_of(split)) value += best[child];
            if (value > best[node]) {
                best[node] = value;
                chosen[node] = split;
            }
        }
    }
}

// The most leaves of a tree below each node, up to a limit.
inline std::vector<Index> most_leaves(const Wiring& wiring, Index limit) {
    std::vector<Index> most(wiring.n_nodes(), 1);
    for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
        for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
            Index total = 0;
            for (const Node child : wiring.children_of(split)) total = std::min(total + most[child], limit);
            most[node] = std::max(most[node], total);
        }
    }
    return most;
}

// The best values for each number of leaves that the children of a split have together, child after child.
class SharedLeaves {
  public:
    explicit SharedLeaves(Index most) : row_(most + 1), longer_(most + 1) {}

    void begin(double value) {
        row_[0] = value;
        n_leaves_ = 0;
    }

    // Let one more child share the leaves in every way, given its best values for 1, 2, ... leaves.
    void add(std::span<const double> of_child, Interrupts& interrupts) {
        const Index n_own = static_cast<Index>(of_child.size());
        const Index most = static_cast<Index>(row_.size()) - 1;
        const Index n_longer = std::min(n_leaves_ + n_own, most);
        std::fill_n(longer_.begin(), n_longer + 1, -std::numeric_limits<double>::infinity());
        for (Index n = 0; n <= n_leaves_; ++n) {
            const Index last = std::min(n_own, n_longer - n);
            for (Index own = 1; own <= last; ++own) {
                longer_[n + own] = std::max(longer_[n + own], row_[n] + of_child[own - 1]);
            }
            interrupts.after(n_own);
        }
        row_.swap(longer_);
        n_leaves_ = n_longer;
    }

    Index n_leaves() const { return n_leaves_; }
    double operator[](Index n) const { return row_[n]; }

  private:
    std::vector<double> row_;
    std::vector<double> longer_;
    Index n_leaves_ = 0;
};

// The best trees below each node, of 1, 2, ... leaves up to a limit: where a node's start, and their logarithms.
inline std::tuple<Made<Index, 1>, Made<double, 1>> best_by_leaves(const Wiring& wiring, Vector<const double> leaves,
                                                                  Vector<const double> splits, Index limit,
                                                                  Interrupts& interrupts) {
    const LogWeights weights(wiring, leaves, splits);
    require(limit >= 1 && limit <= std::numeric_limits<Node>::max(), "'limit' must be between 1 and 2**31 - 1.");
    const std::vector<Index> most = most_leaves(wiring, limit);
    std::vector<Index> start(most.size() + 1, 0);
    for (std::size_t node = 0; node < most.size(); ++node) start[node + 1] = start[node] + most[node];
    std::vector<double> best(start.back(), -std::numeric_limits<double>::infinity());
    SharedLeaves shared(*std::max_element(most.begin(), most.end()));
    for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
        double* own = best.data() + start[node];
        own[0] = weights.leaves[node];
        for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
            shared.begin(weights.splits[split]);
            for (const Node child : wiring.children_of(split)) {
                shared.add({best.data() + start[child], best.data() + start[child + 1]}, interrupts);
            }
            for (Index n = 2; n <= shared.n_leaves(); ++n) own[n - 1] = std::max(own[n - 1], shared[n]);
        }
    }
    return {{std::move(start)}, {std::move(best)}};
}

}  // namespace petree::trees
