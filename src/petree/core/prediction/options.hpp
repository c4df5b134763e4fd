// Rows sent down all ways of a tree with options.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "foundation/interrupts.hpp"
#include "foundation/results.hpp"
#include "prediction/tests.hpp"

namespace petree::prediction {

// A tree with options, and how its posterior is shared out: of what comes to a node a share stays, and a share goes by
// each of its splits.
class OptionRouter {
  public:
    OptionRouter(const Tests& tests, const Wiring& wiring, Vector<const double> stay, Vector<const double> go,
                 Vector<const double> weights)
        : tests_(tests.with_branches(wiring)),
          wiring_(wiring),
          width_(tests_.width()),
          stay_(stay.data, stay.data + stay.length()),
          go_(go.data, go.data + go.length()),
          weights_(weights.data, weights.data + weights.length()) {
        require(stay.length() == wiring.n_nodes(), "'stay' needs a number for each node.");
        require(go.length() == wiring.n_splits(), "'go' needs a number for each split.");
        require(weights.length() == wiring.n_nodes(), "'weights' needs a number for each node.");
        check_levels();
        set_shares();
    }

    const Tests& tests() const { return tests_; }
    const Wiring& wiring() const { return wiring_; }
    double stay(Index node) const { return stay_[node]; }
    double go(Index split) const { return go_[split]; }
    double weight(Index node) const { return weights_[node]; }
    // Part of a branch in the training weight of all branches of a split; all alike where they have none.
    double share(Index split, Node branch) const { return shares_[wiring_.first_place(split) + branch]; }

    void require_columns(Index n_columns) const {
        require(n_columns >= width_, "The table has fewer columns than the tests ask.");
    }

  private:
    // All ways from the root to a node must be of one length: a row's mass goes down level by level, each node once.
    void check_levels() const {
        std::vector<Node> levels(wiring_.n_nodes(), -1);
        levels[0] = 0;
        for (Index node = 0; node < wiring_.n_nodes(); ++node) {
            if (levels[node] < 0) continue;
            for (Index split = wiring_.first_split(node); split < wiring_.last_split(node); ++split) {
                for (const Node child : wiring_.children_of(split)) {
                    const Node level = levels[node] + 1;
                    if (levels[child] < 0) levels[child] = level;
                    require(levels[child] == level, "All ways from the root to a node must be of one length.");
                }
            }
        }
    }

    void set_shares() {
        shares_.reserve(wiring_.n_children());
        for (Index split = 0; split < wiring_.n_splits(); ++split) {
            const auto children = wiring_.children_of(split);
            double total = 0.0;
            for (const Node child : children) total += weights_[child];
            const double alike = 1.0 / static_cast<double>(children.size());
            for (const Node child : children) shares_.push_back(total > 0 ? weights_[child] / total : alike);
        }
    }

    Tests tests_;
    Wiring wiring_;
    Index width_;
    std::vector<double> stay_;
    std::vector<double> go_;
    std::vector<double> weights_;
    std::vector<double> shares_;  // of the branches of all splits
};

// The mass of one row on its way down.
class Mass {
  public:
    explicit Mass(const OptionRouter& router) : router_(router), mass_(router.wiring().n_nodes(), 0.0) {
        queue_.reserve(mass_.size());
    }

    // Call a function with every node that a row reaches and the mass that stays there; the number of nodes. Children
    // stand one level below, so that a node's whole mass is there when its turn comes.
    template <class Visit>
    Index send_down(const double* row, Visit&& visit) {
        queue_.clear();
        push(0, 1.0);
        for (std::size_t k = 0; k < queue_.size(); ++k) {
            const Index node = queue_[k];
            const double share = mass_[node];
            mass_[node] = 0.0;
            visit(node, share * router_.stay(node));
            const Wiring& wiring = router_.wiring();
            for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
                pass_on(row, split, share * router_.go(split));
            }
        }
        return static_cast<Index>(queue_.size());
    }

  private:
    // A row that gets stuck goes every way, by the training weights of the branches; all alike where they have none.
    void pass_on(const double* row, Index split, double part) {
        const Test& test = router_.tests()[split];
        const auto children = router_.wiring().children_of(split);
        const Node branch = router_.tests().branch_of(row[test.column], test);
        if (branch != STUCK) {
            push(children[branch], part);
            return;
        }
        double total = 0.0;
        for (const Node child : children) total += router_.weight(child);
        const double alike = part / static_cast<double>(children.size());
        for (const Node child : children) push(child, total > 0 ? part * router_.weight(child) / total : alike);
    }

    // Give a node more mass; a node that had none goes to the end of the queue.
    void push(Node node, double share) {
        if (!(share > 0)) return;
        if (mass_[node] == 0.0) queue_.push_back(node);
        mass_[node] += share;
    }

    const OptionRouter& router_;
    std::vector<double> mass_;
    std::vector<Node> queue_;
};

// For each row the mean of what the nodes say, by the posterior probability that a tree ends there.
inline void mix_rows(const OptionRouter& router, Matrix<const double> table, Matrix<const double> says,
                     Matrix<double> mixed, Interrupts& interrupts) {
    router.require_columns(table.width());
    require(says.length() == router.wiring().n_nodes(), "'says' needs a line for each node.");
    require(mixed.length() == table.length() && mixed.width() == says.width(),
            "'mixed' needs a line for each row, as wide as 'says'.");
    Mass mass(router);
    for (Index row = 0; row < table.length(); ++row) {
        double* answer = mixed.row(row);
        std::fill_n(answer, says.width(), 0.0);
        const Index n_nodes = mass.send_down(table.row(row), [&](Index node, double stays) {
            const double* own = says.row(node);
            for (Index c = 0; c < says.width(); ++c) answer[c] += stays * own[c];
        });
        interrupts.after(n_nodes * (10 + says.width()));
    }
}

// Less mass at a node changes no sum that is about 1, however many nodes there are.
constexpr double LEAST_MASS = 1e-20;

// Where the trees end that the first rows go down: where each row begins in what follows, then nodes and the mass that
// stays there. A row of which little is known reaches very many nodes, so that no further row is sent down after one
// that brings them to `most`.
using Ends = std::tuple<Made<Index, 1>, Made<Index, 1>, Made<double, 1>>;

inline Ends find_ends(const OptionRouter& router, Matrix<const double> table, Index most, Interrupts& interrupts) {
    router.require_columns(table.width());
    Made<Index, 1> starts{{0}};
    Made<Index, 1> nodes;
    Made<double, 1> masses;
    Mass mass(router);
    for (Index row = 0; row < table.length() && (row == 0 || nodes.length() < most); ++row) {
        const Index n_nodes = mass.send_down(table.row(row), [&](Index node, double stays) {
            if (stays < LEAST_MASS) return;
            nodes.data.push_back(node);
            masses.data.push_back(stays);
        });
        starts.data.push_back(nodes.length());
        interrupts.after(n_nodes * 10);
    }
    return {std::move(starts), std::move(nodes), std::move(masses)};
}

}  // namespace petree::prediction
