// Mixtures of the estimates along a path, their weights learned by expectation and maximisation (EM).
#pragma once

#include <limits>

#include "foundation/interrupts.hpp"
#include "foundation/results.hpp"
#include "trees/wiring.hpp"

namespace petree::trees {

struct DepthFirst {
    std::vector<Index> order;   // the nodes, each right before those below it
    std::vector<Index> levels;  // the level of each node
};

inline DepthFirst depth_first(const Wiring& wiring) {
    const std::vector<Node> parents = wiring.parents();
    const std::size_t n_nodes = parents.size();
    std::vector<Index> sizes(n_nodes, 1);
    for (std::size_t node = n_nodes - 1; node > 0; --node) sizes[parents[node]] += sizes[node];
    DepthFirst found{std::vector<Index>(n_nodes, 0), std::vector<Index>(n_nodes, 0)};
    std::vector<Index> next_place(n_nodes, 1);
    for (std::size_t node = 1; node < n_nodes; ++node) {
        const Node parent = parents[node];
        found.levels[node] = found.levels[parent] + 1;
        found.order[next_place[parent]] = static_cast<Index>(node);
        next_place[node] = next_place[parent] + 1;
        next_place[parent] += sizes[node];
    }
    return found;
}

// A number to the power of a whole one that is not negative, by squaring.
inline double power(double base, Index exponent) {
    double product = 1.0;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) product *= base;
        base *= base;
    }
    return product;
}

// The work of a node does not grow with its depth: of a longer path only the nearest nodes and the root are mixed.
inline constexpr Index most_components = 64;

// The components of the mixture at a node: the uniform distribution, which counts as one case a class, and the
// frequencies of the nodes from the root to it. Nodes are entered depth first, so that the path to a node stands in the
// first places.
class PathMixture {
  public:
    PathMixture(Index n_classes, Index n_places, Index iterations)
        : n_classes_(n_classes),
          longest_(std::min(n_places, most_components)),
          iterations_(iterations),
          path_(n_places * (n_classes + 1)),
          left_out_(n_places * n_classes),
          likelihoods_((n_classes + 1) * longest_),
          shares_(n_classes + 1),
          weights_(longest_),
          factors_(longest_) {
        std::fill_n(path(0), n_classes, 1.0 / static_cast<double>(n_classes));
        std::fill_n(left_out(0), n_classes, 1.0 / static_cast<double>(n_classes));
        path(0)[n_classes] = static_cast<double>(n_classes);
    }

    // Put a node at its place on the path and learn the weights of the components up to it.
    void visit(const double* counts, Index place, Interrupts& interrupts) {
        const double total = enter(counts, place);
        length_ = std::min(place + 1, longest_);
        n_skipped_ = place + 1 - length_;
        const Index n_present = total >= 2 ? look_up(counts, total) : 0;
        learn(n_present, interrupts);
        interrupts.after(length_ * (n_classes_ + 1));
    }

    // The class probabilities of the node that was visited last and, behind them, the mean number of cases.
    void mix(double* mixed) const {
        std::fill_n(mixed, n_classes_ + 1, 0.0);
        for (Index j = 0; j < length_; ++j) {
            const double* component = path_.data() + place_of(j) * (n_classes_ + 1);
            const double weight = weights_[j];
            for (Index c = 0; c <= n_classes_; ++c) mixed[c] += weight * component[c];
        }
    }

    double own_weight() const { return weights_[length_ - 1]; }

  private:
    // The place on the path of a component; what is skipped stands behind the uniform distribution and the root.
    Index place_of(Index component) const { return component < 2 ? component : component + n_skipped_; }
    double* path(Index place) { return path_.data() + place * (n_classes_ + 1); }
    double* left_out(Index place) { return left_out_.data() + place * n_classes_; }
    double* likelihoods(Index k) { return likelihoods_.data() + k * longest_; }

    // Write the frequencies of a node, and those without a case of the class; the number of its cases.
    double enter(const double* counts, Index place) {
        double total = 0.0;
        for (Index c = 0; c < n_classes_; ++c) total += counts[c];
        if (total == 0) {
            std::copy_n(path(place - 1), n_classes_ + 1, path(place));
            std::fill_n(left_out(place), n_classes_, 0.0);
            return total;
        }
        for (Index c = 0; c < n_classes_; ++c) path(place)[c] = counts[c] / total;
        path(place)[n_classes_] = total;
        const double rest = std::max(total - 1, std::numeric_limits<double>::min());
        for (Index c = 0; c < n_classes_; ++c) left_out(place)[c] = std::max(counts[c] - 1, 0.0) / rest;
        return total;
    }

    // The classes present at a node: their number, shares and likelihoods under each component.
    Index look_up(const double* counts, double total) {
        Index n_present = 0;
        for (Index c = 0; c < n_classes_; ++c) {
            if (!(counts[c] > 0)) continue;
            shares_[n_present] = counts[c] / total;
            for (Index j = 0; j < length_; ++j) likelihoods(n_present)[j] = left_out(place_of(j))[c];
            ++n_present;
        }
        return n_present;
    }

    // Weights of the components after some steps of EM from equal ones.
    void learn(Index n_present, Interrupts& interrupts) {
        std::fill_n(weights_.begin(), length_, 1.0 / static_cast<double>(length_));
        if (n_present == 1) learn_one();
        if (n_present == 2) learn_two(interrupts);
        if (n_present > 2) learn_many(n_present, interrupts);
    }

    // One class: each step multiplies the weights by the likelihoods and makes their sum 1.
    void learn_one() {
        double best = 0.0;
        for (Index j = 0; j < length_; ++j) best = std::max(best, likelihoods(0)[j]);
        double total = 0.0;
        for (Index j = 0; j < length_; ++j) {
            weights_[j] = power(likelihoods(0)[j] / best, iterations_);
            total += weights_[j];
        }
        for (Index j = 0; j < length_; ++j) weights_[j] /= total;
    }

    // Two classes, the usual case: one pass makes a step and the mixed likelihoods that the next step divides by.
    void learn_two(Interrupts& interrupts) {
        const double* __restrict of_one = likelihoods(0);
        const double* __restrict of_other = likelihoods(1);
        double* __restrict weights = weights_.data();
        const Index length = length_;
        double first = 0.0;
        double second = 0.0;
        for (Index j = 0; j < length; ++j) {
            first += weights[j] * of_one[j];
            second += weights[j] * of_other[j];
        }
        for (Index step = 0; step < iterations_; ++step) {
            const double of_first = shares_[0] / first;
            const double of_second = shares_[1] / second;
            first = 0.0;
            second = 0.0;
            for (Index j = 0; j < length; ++j) {
                const double weight = weights[j] * (of_first * of_one[j] + of_second * of_other[j]);
                first += weight * of_one[j];
                second += weight * of_other[j];
                weights[j] = weight;
            }
            interrupts.after(4 * length);
        }
    }

    // Any number of classes, two at a time, so that one sum does not wait for the other.
    void learn_many(Index n_present, Interrupts& interrupts) {
        if (n_present % 2) {
            shares_[n_present] = 0.0;
            std::fill_n(likelihoods(n_present), length_, 1.0);
        }
        for (Index step = 0; step < iterations_; ++step) {
            std::fill_n(factors_.begin(), length_, 0.0);
            for (Index k = 0; k < n_present; k += 2) add_factors(k);
            for (Index j = 0; j < length_; ++j) weights_[j] *= factors_[j];
            interrupts.after(4 * n_present * length_);
        }
    }

    void add_factors(Index k) {
        const double* __restrict of_one = likelihoods(k);
        const double* __restrict of_other = likelihoods(k + 1);
        double* __restrict factors = factors_.data();
        double first = 0.0;
        double second = 0.0;
        for (Index j = 0; j < length_; ++j) {
            first += weights_[j] * of_one[j];
            second += weights_[j] * of_other[j];
        }
        const double of_first = shares_[k] / first;
        const double of_second = shares_[k + 1] / second;
        for (Index j = 0; j < length_; ++j) factors[j] += of_first * of_one[j] + of_second * of_other[j];
    }

    Index n_classes_;
    Index longest_;
    Index iterations_;
    Index length_ = 1;
    Index n_skipped_ = 0;
    std::vector<double> path_;         // a line a place: the frequencies, and the number of cases
    std::vector<double> left_out_;     // a line a place: the frequencies without a case of the class
    std::vector<double> likelihoods_;  // a line a class that is present, a number a place
    std::vector<double> shares_;
    std::vector<double> weights_;
    std::vector<double> factors_;
};

// Mix the frequencies along the path of each node: `mixed` gets the class probabilities of each node and, behind them,
// the mean number of cases; `own` the weight of the node itself.
inline void mix_along_paths(const Wiring& wiring, Matrix<const double> counts, Index iterations, Matrix<double> mixed,
                            Vector<double> own, Interrupts& interrupts) {
    const Index n_classes = counts.width();
    require(counts.length() == wiring.n_nodes(), "'counts' needs a line for each node.");
    require(n_classes > 0, "'counts' needs a column for each class.");
    require(iterations >= 0, "'iterations' must not be negative.");
    require(mixed.length() == wiring.n_nodes() && mixed.width() == n_classes + 1,
            "'mixed' needs a line for each node, and a column more than 'counts'.");
    require(own.length() == wiring.n_nodes(), "'own' needs a number for each node.");
    const DepthFirst nodes = depth_first(wiring);
    PathMixture mixture(n_classes, *std::max_element(nodes.levels.begin(), nodes.levels.end()) + 2, iterations);
    for (const Index node : nodes.order) {
        mixture.visit(counts.row(node), nodes.levels[node] + 1, interrupts);
        mixture.mix(mixed.row(node));
        own[node] = mixture.own_weight();
    }
}

}  // namespace petree::trees
