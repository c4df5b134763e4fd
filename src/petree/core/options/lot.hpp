// One of several tests of a column: the best one, or one that is drawn by its weight.
#pragma once

#include <limits>

#include "foundation/numbers.hpp"
#include "foundation/random.hpp"
#include "options/best_tests.hpp"

namespace petree {

// Takes tests one after the other, each of the weight `width * e^value`.
class Lot {
  public:
    Lot(bool draws, Word key) : draws_(draws), random_(key) {}

    // Whether the test is the chosen one of those so far; when drawn, with the probability of its share of all weights.
    bool add(double value, double width) {
        const bool is_better = value > best_ + quality_tolerance;
        double share = 0.0;
        if (value > best_) {  // all tests so far weigh less
            share = width;
            total_ = share + (total_ > 0 ? total_ * power_of_e(best_ - value) : 0.0);
            best_ = value;
        } else if (best_ - value < negligible || width > total_) {
            share = width * power_of_e(value - best_);
            total_ += share;
        }
        if (!draws_) return is_better;
        const double drawn = random_.next_share() * total_;
        return drawn < share || (share > 0 && share == total_);  // of the smallest numbers a part may be the whole
    }

    bool is_empty() const { return total_ == 0; }
    // The greatest value, and the logarithm of the sum of all weights.
    double best() const { return best_; }
    double sum() const { return best_ + natural_log(total_); }

  private:
    // A value that is smaller by so much does not count, if its width is no greater than all others.
    static constexpr double negligible = 45.0;

    bool draws_;
    Random random_;
    double best_ = -std::numeric_limits<double>::infinity();
    double total_ = 0.0;
};

}  // namespace petree
