// m-estimates along the branch (Ferri et al. 2003, Definition 1).
#pragma once

#include <cmath>

#include "foundation/interrupts.hpp"
#include "trees/wiring.hpp"

namespace petree::trees {

// What stands farther above would change no bit of the estimate.
inline constexpr double least_weight = 0x1p-60;

// The estimate of each node taken as a leaf. At height h over it, m_h = m (1 + (1 - 1/h) sqrt(N)); a node on the branch
// has the weight 1 / (N_h + m_h) of what the nodes below leave, and leaves m_h / (N_h + m_h), in the end to the uniform
// distribution.
inline void estimate_branches(const Wiring& wiring, Matrix<const double> counts, Vector<const double> totals, double m,
                              Matrix<double> estimates, Interrupts& interrupts) {
    const Index n_classes = counts.width();
    require(counts.length() == wiring.n_nodes(), "'counts' needs a line for each node.");
    require(totals.length() == wiring.n_nodes(), "'totals' needs a number for each node.");
    require(estimates.length() == wiring.n_nodes() && estimates.width() == n_classes,
            "'estimates' needs a line for each node and a column for each class.");
    const std::vector<Node> parents = wiring.parents();
    const double root = std::sqrt(totals[0]);
    for (Index leaf = 0; leaf < wiring.n_nodes(); ++leaf) {
        double* estimate = estimates.row(leaf);
        std::fill_n(estimate, n_classes, 0.0);
        double left = 1.0;
        double height = 1.0;
        for (Index node = leaf; left > least_weight; node = parents[node], height += 1.0) {
            const double heavy = m * (1.0 + (1.0 - 1.0 / height) * root);
            const double whole = totals[node] + heavy;
            for (Index c = 0; c < n_classes; ++c) estimate[c] += left * (counts(node, c) / whole);
            left *= heavy / whole;
            if (node == 0) break;
        }
        for (Index c = 0; c < n_classes; ++c) estimate[c] += left / static_cast<double>(n_classes);
        interrupts.after(static_cast<Index>(height) * (n_classes + 4));
    }
}

}  // namespace petree::trees
