// Answers of all leaves to a row, where a test that the row fails costs a leaf part of its say.
//
// All nodes are visited, a few rows side by side, so that a node is read once for all of them.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "foundation/interrupts.hpp"
#include "prediction/lanes.hpp"
#include "prediction/router.hpp"

namespace petree::prediction {

// The loops over lanes are functions by themselves, of pointers that lead to different places: so compilers
// make vectors of them, which inside of other loops they do not.

// The say of the two children of a usual test: the whole say of their parent where the row goes, the factor's part
// elsewhere.
template <class Holds>
PETREE_APART void divide_say(const double* __restrict values, const double* __restrict say, double value,
                                  double factor, double* __restrict first, double* __restrict second) {
    for (Index lane = 0; lane < LANES; ++lane) {
        const double part = say[lane] * factor;
        const bool is_first = Holds()(values[lane], value);
        first[lane] = is_first ? say[lane] : part;
        second[lane] = is_first ? part : say[lane];
    }
}

PETREE_APART inline void add_weighted(const double* __restrict say, double probability, double* __restrict sums) {
    for (Index lane = 0; lane < LANES; ++lane) sums[lane] += say[lane] * probability;
}

class Confusion {
  public:
    Confusion(const Router& router, Matrix<const double> says, double factor, Index n_columns)
        : router_(router),
          says_(says),
          factor_(factor),
          rows_(n_columns),
          say_(router.n_nodes()),
          sums_(says.width() + 1) {
        say_[0].fill(1.0);
    }

    void read(Matrix<const double> table, Index start, Index stop) {
        rows_.read(table, start, stop);
        for (Index lane = 0; lane < LANES; ++lane) whole_rows_[lane] = table.row(std::min(start + lane, stop - 1));
    }

    // Sum what all leaves say of the rows that were read, and in the last place their say itself.
    void hear_all() {
        for (Lanes& sum : sums_) sum.fill(0.0);
        for (Index at = 0; at < router_.n_nodes(); ++at) {
            const Step& step = router_.step(at);
            if (router_.is_leaf(at)) {
                add(at);
            } else if (step.is_other() || !rows_.is_known(step.column())) {
                for (Index lane = 0; lane < LANES; ++lane) pass_on(at, lane);
            } else {
                const auto divide = step.is_equality() ? divide_say<std::equal_to<>> : divide_say<std::less<>>;
                Lanes* const children = &say_[step.first_child];
                divide(rows_.of(step.column()).data(), say_[at].data(), step.value, factor_, children[0].data(),
                       children[1].data());
            }
        }
    }

    double mean(Index c, Index lane) const { return sums_[c][lane] / sums_.back()[lane]; }

  private:
    void add(Index leaf) {
        const double* say = say_[leaf].data();
        for (Index c = 0; c < says_.width(); ++c) add_weighted(say, says_(leaf, c), sums_[c].data());
        add_weighted(say, 1.0, sums_.back().data());
    }

    // The say of the children of any test, of one row. A row that is stuck goes to every child, to each with its share
    // of the training weight.
    void pass_on(Index at, Index lane) {
        const Node branch = router_.branch_of(at, whole_rows_[lane]);
        const Index taken = router_.first_child(at) + branch;
        for (Index child = router_.first_child(at); child < router_.last_child(at); ++child) {
            const double share = branch == STUCK ? router_.share(child) : static_cast<double>(child == taken);
            say_[child][lane] = say_[at][lane] * (factor_ + (1 - factor_) * share);
        }
    }

    const Router& router_;
    Matrix<const double> says_;
    double factor_;
    LanesOfRows rows_;
    std::array<const double*, LANES> whole_rows_{};
    std::vector<Lanes> say_;  // of each node
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
