// MSEE: minus the squared errors expected by the children, times the cases.
#include "search/search.hpp"

namespace petree {

struct MSEE : PlainScore {
    static constexpr bool has_ratio = true;
    double added;  // cases of every class that go to each child

    explicit MSEE(const ScoreSettings& settings) : added(settings.parameter(0)) {}

    template <class Number>
    PETREE_INLINE void add(Sums& sums, const Totals<Number>&, const OneClass<Number>& one) const {
        const double count = static_cast<double>(one.count) + added;
        const double other = static_cast<double>(one.other) + added;
        const double square = count * count;
        const double other_square = other * other;
        sums.first += square;
        sums.second += other_square;
        sums.third += square * count;
        sums.fourth += other_square * other;
    }
    template <class Number>
    PETREE_INLINE double value(const Sums& sums, const Totals<Number>& totals) const {
        const double added_to_all = static_cast<double>(totals.n_classes) * added;
        const double count = static_cast<double>(totals.count);
        const double other = static_cast<double>(totals.other);
        double value = 0.0;
        if (count > 0) value -= count * squared_error(sums.first, sums.third, count + added_to_all);
        if (other > 0) value -= other * squared_error(sums.second, sums.fourth, other + added_to_all);
        return value;
    }

  private:
    // 1 - 2 S - S^2 + 2 T of shares, S and T being their sums of squares and of cubes.
    static PETREE_INLINE double squared_error(double squares, double cubes, double total) {
        const double factor = 1.0 / total;
        squares *= factor * factor;
        return 1 - 2 * squares - squares * squares + 2 * cubes * factor * factor * factor;
    }
};

PETREE_COMPILE_SCORE(msee, MSEE)

}  // namespace petree
