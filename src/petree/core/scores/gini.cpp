// Gini: the cases times the sum of squared shares.
#include "search/search.hpp"

namespace petree {

struct Gini : PlainScore {
    explicit Gini(const ScoreSettings&) {}

    template <class Number>
    PETREE_INLINE void add(Sums& sums, const Totals<Number>&, const OneClass<Number>& one) const {
        const double count = static_cast<double>(one.count);
        const double other = static_cast<double>(one.other);
        sums.first += count * count;
        sums.second += other * other;
    }
    template <class Number>
    PETREE_INLINE double value(const Sums& sums, const Totals<Number>& totals) const {
        double value = totals.count > 0 ? sums.first / static_cast<double>(totals.count) : 0.0;
        if (totals.other > 0) value += sums.second / static_cast<double>(totals.other);
        return value;
    }
};

PETREE_COMPILE_SCORE(gini, Gini)

}  // namespace petree
