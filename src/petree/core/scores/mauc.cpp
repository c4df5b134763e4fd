// MAUC: how well two children rank the classes (Hand and Till's measure), from 0 to 1/2, times the cases.
#include "search/search.hpp"

namespace petree {

struct MAUC : PlainScore {
    static constexpr bool needs_totals = true;
    static constexpr bool ranks_children = true;
    static constexpr bool has_ratio = true;
    double added;  // cases of every class that go to each child
    double scale;

    explicit MAUC(const ScoreSettings& settings) : added(settings.parameter(0)), scale(settings.parameter(1)) {}

    // With a_i the share of class i that goes to the first child, and s_i the sign of p_i there less p_i in the other,
    // A(i|j) is 1/2 + s_i (a_i - a_j) / 2: the mean over all pairs needs the sums of s a, s, a and 1 alone.
    template <class Number>
    PETREE_INLINE void add(Sums& sums, const Totals<Number>& totals, const OneClass<Number>& one) const {
        if (one.node <= 0) return;
        const double n_added = static_cast<double>(totals.n_classes) * added;
        const double share = static_cast<double>(one.count) / static_cast<double>(one.node);
        const double here = (static_cast<double>(one.count) + added) * (static_cast<double>(totals.other) + n_added);
        const double there = (static_cast<double>(one.other) + added) * (static_cast<double>(totals.count) + n_added);
        const double margin = equal_shares * (here + there);
        const double sign = static_cast<double>(here > there + margin) - static_cast<double>(there > here + margin);
        sums.first += sign * share;
        sums.second += sign;
        sums.third += share;
        sums.fourth += 1.0;
    }
    template <class Number>
    PETREE_INLINE double value(const Sums& sums, const Totals<Number>& totals) const {
        const double pairs = sums.fourth * (sums.fourth - 1);
        const double factor = 0.5 * scale * totals.node;
        return pairs > 0 ? factor * (sums.fourth * sums.first - sums.second * sums.third) / pairs : 0.0;
    }
};

PETREE_COMPILE_SCORE(mauc, MAUC)

}  // namespace petree
