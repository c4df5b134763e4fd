// DKM, summed over the classes: minus the square roots of p (1 - p), times the cases.
#include "scores/dkm.hpp"
#include "search/search.hpp"

namespace petree {

struct OneVersusRest : PlainScore {
    static constexpr bool needs_totals = true;

    explicit OneVersusRest(const ScoreSettings&) {}

    template <class Number>
    PETREE_INLINE void add(Sums& sums, const Totals<Number>& totals, const OneClass<Number>& one) const {
        sums.first += geometric_mean(static_cast<double>(one.count), static_cast<double>(totals.count - one.count));
        sums.second += geometric_mean(static_cast<double>(one.other), static_cast<double>(totals.other - one.other));
    }
    template <class Number>
    PETREE_INLINE double value(const Sums& sums, const Totals<Number>&) const {
        return -(sums.first + sums.second);
    }
};

PETREE_COMPILE_SCORE(one_versus_rest, OneVersusRest)

}  // namespace petree
