// Tests that stand in for others where the value that these ask for is missing (Breiman et al. 1984, section 5.3).
#pragma once

#include <vector>

#include "prediction/tests.hpp"

namespace petree::prediction {

// The surrogates of each split, in the order in which they are asked.
class Surrogates {
  public:
    // `start` says where those of each split begin among the tests, with an element more; one that is `turned` sends rows to
    // branch 1 where it holds.
    Surrogates(const Tests& tests, Vector<const std::int32_t> start, Vector<const std::uint8_t> turned)
        : tests_(tests), start_(start.data, start.data + start.length()), turned_(turned.data, turned.data + turned.length()) {
        require(start_.size() > 0 && start_[0] == 0 && start_.back() == tests_.size() &&
                    std::is_sorted(start_.begin(), start_.end()),
                "'start' must rise from 0 to the number of surrogates.");
        require(turned.length() == tests_.size(), "'turned' needs an element for each surrogate.");
        for (Index k = 0; k < tests_.size(); ++k) {
            const std::int32_t kind = tests_[k].kind;
            require(kind == THRESHOLD || kind == EQUALS || kind == IN, "A surrogate must be a threshold, a category or a set.");
        }
    }

    Index n_splits() const { return static_cast<Index>(start_.size()) - 1; }
    Index width() const { return tests_.width(); }
    bool are_of(Index split) const { return start_[split] < start_[split + 1]; }

    // The branch of a row by the first surrogate that has an answer, or `STUCK`.
    Node branch_of(Index split, const double* row) const {
        for (std::int32_t k = start_[split]; k < start_[split + 1]; ++k) {
            const double value = row[tests_[k].column];
            if (value < infinity) return tests_.branch_of(value, tests_[k]) ^ static_cast<Node>(turned_[k] != 0);
        }
        return STUCK;
    }

  private:
    Tests tests_;
    std::vector<std::int32_t> start_;
    std::vector<std::uint8_t> turned_;
};

}  // namespace petree::prediction
