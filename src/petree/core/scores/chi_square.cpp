// Chi-square: Pearson's statistic plus the cases.
#include "search/search.hpp"

namespace petree {

struct ChiSquare : PlainScore {
    explicit ChiSquare(const ScoreSettings&) {}

    template <class Number>
    PETREE_INLINE void add(Sums& sums, const Totals<Number>&, const OneClass<Number>& one) const {
        const double factor = one.node > 0 ? 1.0 / static_cast<double>(one.node) : 0.0;
        const double count = static_cast<double>(one.count);
        const double other = static_cast<double>(one.other);
        sums.first += count * count * factor;
        sums.second += other * other * factor;
    }
    template <class Number>
    PETREE_INLINE double value(const Sums& sums, const Totals<Number>& totals) const {
        double value = totals.count > 0 ? sums.first / static_cast<double>(totals.count) : 0.0;
        if (totals.other > 0) value += sums.second / static_cast<double>(totals.other);
        return totals.node * value;
    }
};

PETREE_COMPILE_SCORE(chi_square, ChiSquare)

}  // namespace petree
