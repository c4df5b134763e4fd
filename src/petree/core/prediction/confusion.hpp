// Answers of all leaves to a row, where a test that the row fails costs a leaf part of its say.
//
// All nodes are visited, a few rows side by side, so that a node is read once for all of them.
#pragma once

#include <array>
#include <vector>

#include "foundation/interrupts.hpp"
#include "prediction/leaves.hpp"

namespace petree::prediction {

class Confusion {
  public:
    Confusion(const Router& router, Matrix<const double> says, double factor, Index n_columns)
        : router_(router),
          says_(says),
          factor_(factor),
          values_(n_columns),
          is_known_(n_columns),
          say_(router.n_nodes()),
          sums_(says.width() + 1) {
        say_[0].fill(1.0);
    }

    // Read rows of a table, at most as many as there are lanes.
    void read(Matrix<const double> table, Index start, Index stop) {
        for (Index column = 0; column < table.width(); ++column) {
            bool is_known = true;
            for (Index row = start; row < stop; ++row) {
                values_[column][row - start] = table(row, column);
                is_known &= table(row, column) < infinity;
            }
            is_known_[column] = is_known;
        }
    }

    // Sum what all leaves say of the rows that were read, and in the last place their say itself.
    void hear_all() {
        for (Lanes& sum : sums_) sum.fill(0.0);
        for (Index at = 0; at < router_.n_nodes(); ++at) {
            const Step& step = router_.step(at);
            if (router_.is_leaf(at)) {
                add(at);
            } else if (step.is_other() || !is_known_[step.column()]) {
                for (Index lane = 0; lane < LANES; ++lane) pass_on(at, lane);
            } else if (step.is_equality()) {
                pass_on(at, [&](double value) { return value == step.value; });
            } else {
                pass_on(at, [&](double value) { return value < step.value; });
            }
        }
    }

    double mean(Index c, Index lane) const { return sums_[c][lane] / sums_.back()[lane]; }

  private:
    using Lanes = std::array<double, LANES>;

    void add(Index leaf) {
        const Lanes say = say_[leaf];
        const double* probabilities = says_.row(leaf);
        const Index n_classes = says_.width();
        Lanes* const sums = sums_.data();
        for (Index c = 0; c < n_classes; ++c) {
            for (Index lane = 0; lane < LANES; ++lane) sums[c][lane] += say[lane] * probabilities[c];
        }
        for (Index lane = 0; lane < LANES; ++lane) sums[n_classes][lane] += say[lane];
    }

    // At a usual test: the whole say goes where the row goes, the factor's part to the other child.
    template <class Holds>
    void pass_on(Index at, Holds holds) {
        const Lanes values = values_[router_.step(at).column()];
        const Lanes whole = say_[at];
        Lanes first;
        Lanes second;
        for (Index lane = 0; lane < LANES; ++lane) {
            const double part = whole[lane] * factor_;
            const bool is_first = holds(values[lane]);
            first[lane] = is_first ? whole[lane] : part;
            second[lane] = is_first ? part : whole[lane];
        }
        say_[router_.first_child(at)] = first;
        say_[router_.first_child(at) + 1] = second;
    }

    // At any test, of one row. A row that is stuck goes to every child, to each with its share of the training weight.
    void pass_on(Index at, Index lane) {
        const Node branch = router_.branch_of(at, values_[router_.step(at).column()][lane]);
        const Index taken = router_.first_child(at) + branch;
        for (Index child = router_.first_child(at); child < router_.last_child(at); ++child) {
            const double share = branch == STUCK ? router_.share(child) : static_cast<double>(child == taken);
            say_[child][lane] = say_[at][lane] * (factor_ + (1 - factor_) * share);
        }
    }

    const Router& router_;
    Matrix<const double> says_;
    double factor_;
    std::vector<Lanes> values_;            // of each column
    std::vector<unsigned char> is_known_;  // whether all rows have a value in the column
    std::vector<Lanes> say_;               // of each node
    std::vector<Lanes> sums_;
};

// Mean of what the leaves say of each row, where each failed test multiplies a leaf's say by the factor.
inline void answer_confused(const Router& router, Matrix<const double> table, double factor, Matrix<const double> says,
                            Matrix<double> answers, Interrupts& interrupts) {
    router.require_columns(table.width());
    require(says.length() == router.n_nodes(), "'says' needs a line for each node.");
    require(answers.length() == table.length() && answers.width() == says.width(),
            "'answers' needs a line for each row, as wide as 'says'.");
    Confusion confusion(router, says, factor, table.width());
    for (Index start = 0; start < table.length(); start += LANES) {
        const Index stop = std::min(start + LANES, table.length());
        confusion.read(table, start, stop);
        confusion.hear_all();
        for (Index row = start; row < stop; ++row) {
            for (Index c = 0; c < says.width(); ++c) answers(row, c) = confusion.mean(c, row - start);
        }
        interrupts.after(LANES * (table.width() + router.n_nodes() * (says.width() + 1)));
    }
}

}  // namespace petree::prediction
