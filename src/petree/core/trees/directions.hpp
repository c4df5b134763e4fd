// Probabilities that follow the directions of the columns they are tested by.
#pragma once

#include "trees/wiring.hpp"

namespace petree::trees {

// What the probabilities of a node and of all nodes below it must lie between.
struct Bounds {
    double lower = 0.0;
    double upper = 1.0;

    double nearest(double value) const { return value < lower ? lower : value > upper ? upper : value; }
};

// What divides two children: the middle where they stand in order, else their common mean.
inline double divide_between(double low, double high, double low_weight, double high_weight) {
    if (low <= high) return low + (high - low) / 2;
    const double weight = low_weight + high_weight;
    const double mean = weight > 0 ? (low_weight * low + high_weight * high) / weight : low + (high - low) / 2;
    return Bounds{high, low}.nearest(mean);
}

// Move the probability of each node as far as it must be for those on the lower side of a test to be no more, where the
// sign of its split is 1, than those on the other side, or no less, where it is -1: all on one side stay below what divides
// the two children, all on the other side above it. So mixtures of nodes keep the direction, too.
inline void keep_directions(const Wiring& wiring, Vector<const Index> signs, Vector<const double> weights,
                            Vector<double> probabilities) {
    require(signs.length() == wiring.n_splits(), "'signs' needs a number for each split.");
    require(weights.length() == wiring.n_nodes() && probabilities.length() == wiring.n_nodes(),
            "'weights' and 'probabilities' need a number for each node.");
    wiring.require_no_options();
    std::vector<Bounds> bounds(wiring.n_nodes());
    for (Index node = 0; node < wiring.n_nodes(); ++node) {
        probabilities[node] = bounds[node].nearest(probabilities[node]);
        if (wiring.is_leaf(node)) continue;
        const Index split = wiring.first_split(node);
        const auto children = wiring.children_of(split);
        for (const Node child : children) bounds[child] = bounds[node];
        if (signs[split] == 0) continue;
        require(children.size() == 2, "A split with a direction has two children.");
        const Node low = signs[split] > 0 ? children[0] : children[1];
        const Node high = signs[split] > 0 ? children[1] : children[0];
        const double between =
            divide_between(bounds[node].nearest(probabilities[low]), bounds[node].nearest(probabilities[high]), weights[low],
                           weights[high]);
        bounds[low].upper = between;
        bounds[high].lower = between;
    }
}

}  // namespace petree::trees
