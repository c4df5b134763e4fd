// Hierarchical shrinkage (Agarwal et al. 2022): each step from a node to its child is shortened.
#pragma once

#include <algorithm>
#include <vector>

#include "foundation/interrupts.hpp"
#include "trees/wiring.hpp"

namespace petree::trees {

// Of very many classes no more than these are summed together, to stay near the processor.
inline constexpr Index classes_at_once = 64;

// The estimate of each node in place of its class shares. `reached` is how much is kept of the step to each node,
// `leaving` of the steps from it to its children; a node above has the part of its own step that the next does not keep.
inline void shorten_steps(const Wiring& wiring, Vector<const double> reached, Vector<const double> leaving,
                          Matrix<double> shares, Interrupts& interrupts) {
    const Index n_nodes = wiring.n_nodes();
    require(reached.length() == n_nodes, "'reached' needs a number for each node.");
    require(leaving.length() == n_nodes, "'leaving' needs a number for each node.");
    require(shares.length() == n_nodes, "'shares' needs a line for each node.");
    const std::vector<Node> parents = wiring.parents();
    for (Index start = 0; start < shares.width(); start += classes_at_once) {
        const Index n_classes = std::min(classes_at_once, shares.width() - start);
        // what the nodes above each node have, and then that and what the node leaves
        std::vector<double> above(n_nodes * n_classes, 0.0);
        for (Index node = 0; node < n_nodes; ++node) {
            double* share = shares.row(node) + start;
            double* sum = above.data() + node * n_classes;
            if (node > 0) std::copy_n(above.data() + parents[node] * n_classes, n_classes, sum);
            const double left = std::max(reached[node] - leaving[node], 0.0);
            for (Index c = 0; c < n_classes; ++c) {
                const double estimate = std::min(sum[c] + reached[node] * share[c], 1.0);
                sum[c] += left * share[c];
                share[c] = estimate;
            }
            interrupts.after(n_classes + 4);
        }
    }
}

}  // namespace petree::trees
