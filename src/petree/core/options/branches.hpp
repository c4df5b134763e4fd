// The two branches of a test, and what the division is worth.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "options/evidence.hpp"
#include "search/direction.hpp"

namespace petree {

// The quality of a division that may not be.
inline constexpr double impossible = -std::numeric_limits<double>::infinity();

// A node's class counts, with its plain rows behind them, and how a test divides them. Lines of counts move from the second
// branch to the first.
class Branches {
  public:
    explicit Branches(const Evidence& evidence)
        : evidence_(evidence), width_(evidence.width()), first_(evidence.width()), rest_(evidence.width()) {}

    // Begin with a node of these counts: what its classes are worth, and their sum.
    void begin(const double* totals) {
        totals_ = totals;
        worth_ = 0.0;
        sum_ = 0.0;
        for (Index c = 0; c + 1 < width_; ++c) {
            if (!(totals_[c] > 0 && evidence_.alphas[c] > 0)) continue;
            worth_ += worth_of(c, totals_[c]);
            sum_ += totals_[c];
        }
    }

    // Let the first branch be a line of the counts, and the second the rest of the node.
    void fill(const double* counts) {
        std::fill(first_.begin(), first_.end(), 0.0);
        std::copy_n(totals_, width_, rest_.begin());
        first_sum_ = 0.0;
        first_worth_ = 0.0;
        rest_worth_ = worth_;
        extend(counts);
    }
    // Let a line move from the second branch to the first: only its own classes are worth something else then.
    void extend(const double* counts) {
        for (Index c = 0; c + 1 < width_; ++c) {
            if (counts[c] == 0) continue;
            first_worth_ -= worth_of(c, first_[c]);
            rest_worth_ -= worth_of(c, rest_[c]);
            first_[c] += counts[c];
            rest_[c] = std::max(totals_[c] - first_[c], 0.0);  // not below 0 by rounding
            first_worth_ += worth_of(c, first_[c]);
            rest_worth_ += worth_of(c, rest_[c]);
            if (evidence_.alphas[c] > 0) first_sum_ += counts[c];
        }
        first_[width_ - 1] += counts[width_ - 1];
        rest_[width_ - 1] = totals_[width_ - 1] - first_[width_ - 1];
    }

    // Whether the share of the second class goes the way of a sign between these branches.
    bool goes_right(Index sign) const { return keeps_direction(sign, first_[0], first_[1], rest_[0], rest_[1]); }

    // Quality of dividing a node into these branches; minus infinity if one is too small.
    double quality() const {
        const double least = static_cast<double>(evidence_.min_rows);
        if (first_[width_ - 1] < least || rest_[width_ - 1] < least) return impossible;
        const double sums = evidence_.of_sum(first_sum_) + evidence_.of_sum(std::max(sum_ - first_sum_, 0.0));
        return 2 * evidence_.ln_leaf + evidence_.power * (first_worth_ + rest_worth_ - sums);
    }

  private:
    // What so many cases of a class are worth, without what depends on the sum over the classes.
    double worth_of(Index label, double count) const {
        return evidence_.alphas[label] > 0 ? evidence_.log_gamma_of(label, count) - evidence_.log_gammas(label, 0) : 0.0;
    }

    const Evidence& evidence_;
    Index width_;  // cells of a line
    const double* totals_ = nullptr;
    double worth_ = 0.0;  // of the classes of the node, and their sum
    double sum_ = 0.0;
    std::vector<double> first_;  // the same of the two branches, with their counts
    std::vector<double> rest_;
    double first_worth_ = 0.0;
    double rest_worth_ = 0.0;
    double first_sum_ = 0.0;
};

}  // namespace petree
