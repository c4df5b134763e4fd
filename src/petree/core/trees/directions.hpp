// Probabilities that follow the directions of the columns they are tested by.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "trees/wiring.hpp"

namespace petree::trees {

// A probability that has to move, and the cases behind it.
struct Weighted {
    double value;
    double weight;
};

// What divides two sides of which the lower one reaches above the other: the mean of all values that have to move to it,
// which are those of the lower side above it and those of the higher side below it. `falling` and `rising` are the values
// of the two sides, those first that stand furthest in the other one.
inline double divide_between(const std::vector<Weighted>& falling, const std::vector<Weighted>& rising) {
    double between = falling[0].value + (rising[0].value - falling[0].value) / 2;
    double weight = 0;
    double sum = 0;
    const auto add = [&](const Weighted& one) {
        weight += one.weight;
        sum += one.weight * one.value;
        if (weight > 0) between = sum / weight;
    };
    std::size_t n_falling = 0;
    std::size_t n_rising = 0;
    while (true) {
        if (n_falling < falling.size() && falling[n_falling].value > between) {
            add(falling[n_falling++]);
        } else if (n_rising < rising.size() && rising[n_rising].value < between) {
            add(rising[n_rising++]);
        } else {
            return between;
        }
    }
}

constexpr double infinity = std::numeric_limits<double>::infinity();

// The least and the greatest probability below a node.
struct Range {
    double least = infinity;
    double greatest = -infinity;

    void include(const Range& other) {
        least = std::min(least, other.least);
        greatest = std::max(greatest, other.greatest);
    }
    double nearest(double value) const { return value < least ? least : value > greatest ? greatest : value; }
    void move(const Range& into) {
        least = into.nearest(least);
        greatest = into.nearest(greatest);
    }
};

// The leaves of a tree in an order in which those below any node stand side by side, with what they answer.
class DirectedLeaves {
  public:
    DirectedLeaves(const Wiring& wiring, Vector<const double> weights, Vector<double> probabilities)
        : first_(wiring.n_nodes(), 0), last_(wiring.n_nodes(), 0) {
        const auto parents = wiring.parents();
        std::vector<Index> n_leaves(wiring.n_nodes(), 0);
        for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
            if (wiring.is_leaf(node)) n_leaves[node] = 1;
            if (node > 0) n_leaves[parents[node]] += n_leaves[node];
        }
        leaves_.resize(n_leaves[0]);
        std::vector<Index> taken(wiring.n_nodes(), 0);
        for (Index node = 0; node < wiring.n_nodes(); ++node) {
            if (node > 0) {
                first_[node] = first_[parents[node]] + taken[parents[node]];
                taken[parents[node]] += n_leaves[node];
            }
            last_[node] = first_[node] + n_leaves[node];
            if (wiring.is_leaf(node)) leaves_[first_[node]] = {probabilities[node], weights[node]};
        }
    }

    double value(Index leaf) const { return leaves_[first_[leaf]].value; }

    // Move the leaves below two nodes so that none on the low side is more than any on the high side; returns what
    // divides them.
    double separate(Index low, Index high, const Range& low_range, const Range& high_range) {
        falling_.clear();
        rising_.clear();
        for (const Weighted& leaf : below(low)) {
            if (leaf.value > high_range.least) falling_.push_back(leaf);
        }
        for (const Weighted& leaf : below(high)) {
            if (leaf.value < low_range.greatest) rising_.push_back(leaf);
        }
        std::sort(falling_.begin(), falling_.end(), [](auto& one, auto& other) { return one.value > other.value; });
        std::sort(rising_.begin(), rising_.end(), [](auto& one, auto& other) { return one.value < other.value; });
        const double between = divide_between(falling_, rising_);
        for (Weighted& leaf : below(low)) leaf.value = std::min(leaf.value, between);
        for (Weighted& leaf : below(high)) leaf.value = std::max(leaf.value, between);
        return between;
    }

  private:
    std::span<Weighted> below(Index node) { return {leaves_.data() + first_[node], leaves_.data() + last_[node]}; }

    std::vector<Index> first_;
    std::vector<Index> last_;
    std::vector<Weighted> leaves_;
    std::vector<Weighted> falling_;
    std::vector<Weighted> rising_;
};

// Leaves answer what they were moved to, and nodes above them something between.
inline void move_into_ranges(const Wiring& wiring, const DirectedLeaves& leaves, Vector<double> probabilities) {
    std::vector<Range> ranges(wiring.n_nodes());
    for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
        if (wiring.is_leaf(node)) {
            ranges[node] = {leaves.value(node), leaves.value(node)};
        } else {
            for (const Node child : wiring.children_of(wiring.first_split(node))) ranges[node].include(ranges[child]);
        }
        probabilities[node] = ranges[node].nearest(probabilities[node]);
    }
}

// Move the probabilities of the leaves as little as can be, in squares times cases, for all on the lower side of a test to
// be no more, where the sign of its split is 1, than all on the other side, or no less, where it is -1; so mixtures of
// leaves keep the direction, too. Nodes above are moved into the range of their leaves.
//
// This is isotonic regression: two sides that each keep their own order are put in order by moving what stands above, or
// below, one value on either side to this value (`divide_between`), so that a walk from the leaves up solves it.
inline void keep_directions(const Wiring& wiring, Vector<const Index> signs, Vector<const double> weights,
                            Vector<double> probabilities) {
    require(signs.length() == wiring.n_splits(), "'signs' needs a number for each split.");
    require(weights.length() == wiring.n_nodes() && probabilities.length() == wiring.n_nodes(),
            "'weights' and 'probabilities' need a number for each node.");
    wiring.require_no_options();
    DirectedLeaves leaves(wiring, weights, probabilities);
    std::vector<Range> ranges(wiring.n_nodes());
    for (Index node = wiring.n_nodes() - 1; node >= 0; --node) {
        if (wiring.is_leaf(node)) {
            ranges[node] = {probabilities[node], probabilities[node]};
            continue;
        }
        const Index split = wiring.first_split(node);
        const auto children = wiring.children_of(split);
        if (signs[split] != 0) {
            require(children.size() == 2, "A split with a direction has two children.");
            const Node low = signs[split] > 0 ? children[0] : children[1];
            const Node high = signs[split] > 0 ? children[1] : children[0];
            if (ranges[low].greatest > ranges[high].least) {
                const double between = leaves.separate(low, high, ranges[low], ranges[high]);
                ranges[low].move({-infinity, between});
                ranges[high].move({between, infinity});
            }
        }
        for (const Node child : children) ranges[node].include(ranges[child]);
    }
    move_into_ranges(wiring, leaves, probabilities);
}

}  // namespace petree::trees
