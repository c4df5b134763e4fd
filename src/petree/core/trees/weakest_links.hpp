// The weakest links of a tree: which subtrees go, and when, as the price of a leaf rises (Breiman et al. 1984).
#pragma once

#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "foundation/interrupts.hpp"
#include "foundation/results.hpp"
#include "trees/wiring.hpp"

namespace petree::trees {

// Columns of what is summed over leaves; others may follow.
inline constexpr Index LEAVES = 0;
inline constexpr Index RISK = 1;

class WeakestLinks {
  public:
    WeakestLinks(const Wiring& wiring, Matrix<const double> as_leaf, Matrix<const double> below)
        : parents_(wiring.parents()),
          as_leaf_(as_leaf),
          width_(as_leaf.width()),
          below_(below.data, below.data + below.size()),
          cut_at_(parents_.size(), std::numeric_limits<double>::infinity()),
          change_(width_) {
        for (Index node = 0; node < wiring.n_nodes(); ++node) {
            if (!wiring.is_leaf(node)) waiting_.emplace(price_of(node), node);
        }
    }

    // Cut the subtree whose leaves save least, again and again, up to the root.
    // The price of a node never falls when something below it is cut, so one that was overtaken is sorted in again.
    void cut_all(double tolerance, Interrupts& interrupts) {
        double price = 0.0;
        while (!waiting_.empty()) {
            const auto [noted, node] = waiting_.top();
            waiting_.pop();
            interrupts.after(100);
            if (is_below_cut(node, interrupts)) continue;
            const double now = price_of(node);
            if (now > noted) {
                waiting_.emplace(now, node);
                continue;
            }
            if (now > price + tolerance) price = now;
            cut_at_[node] = price;
            replace_by_leaf(node, interrupts);
            prices_.push_back(price);
            totals_.insert(totals_.end(), below_.begin(), below_.begin() + width_);
        }
    }

    std::tuple<Made<double, 1>, Made<double, 1>, Made<double, 2>> results() && {
        return {{std::move(cut_at_)}, {std::move(prices_)}, {std::move(totals_), width_}};
    }

  private:
    using Entry = std::pair<double, Index>;  // a price and its node

    // Risk that each leaf below a node saves, but for the first.
    double price_of(Index node) const {
        const double* below = below_.data() + node * width_;
        return (as_leaf_(node, RISK) - below[RISK]) / (below[LEAVES] - 1);
    }

    // Whether a node above this one is a leaf by now.
    bool is_below_cut(Index node, Interrupts& interrupts) const {
        for (Index above = parents_[node]; above >= 0; above = parents_[above]) {
            if (cut_at_[above] < std::numeric_limits<double>::infinity()) return true;
            interrupts.after(1);
        }
        return false;
    }

    // Keep the sums of all nodes above up to date.
    void replace_by_leaf(Index node, Interrupts& interrupts) {
        for (Index k = 0; k < width_; ++k) change_[k] = as_leaf_(node, k) - below_[node * width_ + k];
        for (Index above = node; above >= 0; above = parents_[above]) {
            for (Index k = 0; k < width_; ++k) below_[above * width_ + k] += change_[k];
            interrupts.after(width_);
        }
    }

    std::vector<Node> parents_;
    Matrix<const double> as_leaf_;
    Index width_;
    std::vector<double> below_;
    std::vector<double> cut_at_;
    std::vector<double> change_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> waiting_;
    std::vector<double> prices_;
    std::vector<double> totals_;
};

// The price at which each node is cut, infinite where it never is; the prices of the cuts one after the other; and the
// root's sums after each. `as_leaf` has a line a node: 1, its risk, and more; `below` their sums over the leaves below
// it. Prices that differ by no more than the tolerance are equal.
inline std::tuple<Made<double, 1>, Made<double, 1>, Made<double, 2>> cut_weakest_links(
    const Wiring& wiring, Matrix<const double> as_leaf, Matrix<const double> below, double tolerance,
    Interrupts& interrupts) {
    require(as_leaf.length() == wiring.n_nodes(), "'as_leaf' needs a line for each node.");
    require(as_leaf.width() > RISK, "'as_leaf' needs a column for the leaves and one for the risk.");
    require(below.shape == as_leaf.shape, "'below' must have the shape of 'as_leaf'.");
    WeakestLinks links(wiring, as_leaf, below);
    links.cut_all(tolerance, interrupts);
    return std::move(links).results();
}

}  // namespace petree::trees
