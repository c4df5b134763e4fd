// Sums of numbers, exact but for one rounding at the very end, so that the order of the numbers does not matter.
//
// A sum is kept as numbers that do not overlap, the smallest first (Shewchuk 1997): adding one more leaves nothing out.
#pragma once

#include <cmath>
#include <vector>

#include "foundation/interrupts.hpp"

namespace petree::relations {

class ExactSum {
  public:
    void clear() {
        parts_.clear();
        plain_ = 0.0;
    }

    void add(double value) {
        plain_ += value;
        std::size_t kept = 0;
        for (double part : parts_) {
            if (std::abs(value) < std::abs(part)) std::swap(value, part);
            const double high = value + part;
            const double low = part - (high - value);
            if (low != 0.0) parts_[kept++] = low;
            value = high;
        }
        parts_.resize(kept);
        parts_.push_back(value);
    }

    // The double that is nearest; what overflows on the way is added up as it came.
    double value() const {
        if (!std::isfinite(plain_)) return plain_;
        std::size_t left = parts_.size();
        if (!left) return 0.0;
        double high = parts_[--left];
        double low = 0.0;
        while (left && low == 0.0) {
            const double before = high;
            const double part = parts_[--left];
            high = before + part;
            low = part - (high - before);
        }
        return left && is_half(high, low) && (low < 0.0) == (parts_[left - 1] < 0.0) ? high + 2.0 * low : high;
    }

  private:
    // Whether what was rounded off is half of the last digit: then the parts that are still left say which way to go.
    static bool is_half(double high, double low) {
        const double further = high + 2.0 * low;
        return 2.0 * low == further - high;
    }

    std::vector<double> parts_;
    double plain_ = 0.0;
};

// The sum of the values of each owner; owners never fall, and one without values has 0.
inline void sum_by_owner(Vector<const std::int32_t> owners, Vector<const double> values, Vector<double> sums,
                         Interrupts& interrupts) {
    require(owners.length() == values.length(), "'owners' and 'values' must have the same length.");
    for (Index i = 0; i < sums.length(); ++i) sums[i] = 0.0;
    ExactSum sum;
    for (Index i = 0; i < owners.length(); ++i) {
        const std::int32_t owner = owners[i];
        require(owner >= 0 && owner < sums.length(), "'owners' must be places of 'sums'.");
        require(i == 0 || owners[i - 1] <= owner, "'owners' must never fall.");
        if (i == 0 || owners[i - 1] != owner) sum.clear();
        sum.add(values[i]);
        if (i + 1 == owners.length() || owners[i + 1] != owner) sums[owner] = sum.value();
        interrupts.after(10);
    }
}

}  // namespace petree::relations
