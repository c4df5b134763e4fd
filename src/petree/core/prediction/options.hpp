// Rows sent down all ways of a tree with options.
#pragma once

#include <vector>

#include "foundation/interrupts.hpp"
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

    // Add to an answer what every node says that a row reaches, by the share of its mass that stays there; the number
    // of nodes. Children stand one level below, so that a node's whole mass is there when its turn comes.
    Index send_down(const double* row, Matrix<const double> says, double* answer) {
        queue_.clear();
        push(0, 1.0);
        for (std::size_t k = 0; k < queue_.size(); ++k) {
            const Index node = queue_[k];
            const double share = mass_[node];
            mass_[node] = 0.0;
            const double stays = share * router_.stay(node);
            const double* own = says.row(node);
            for (Index c = 0; c < says.width(); ++c) answer[c] += stays * own[c];
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
        std::fill_n(mixed.row(row), says.width(), 0.0);
        const Index n_nodes = mass.send_down(table.row(row), says, mixed.row(row));
        interrupts.after(n_nodes * (10 + says.width()));
    }
}

}  // namespace petree::prediction
