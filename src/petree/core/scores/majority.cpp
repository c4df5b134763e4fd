// DKM of the largest class against all others.
#include <algorithm>

#include "scores/dkm.hpp"
#include "search/search.hpp"

namespace petree {

struct Majority : PlainScore {
    explicit Majority(const ScoreSettings&) {}

    template <class Number>
    PETREE_INLINE void add(Sums& sums, const Totals<Number>&, const OneClass<Number>& one) const {
        sums.first = std::max(sums.first, static_cast<double>(one.count));
        sums.second = std::max(sums.second, static_cast<double>(one.other));
    }
    template <class Number>
    PETREE_INLINE double value(const Sums& sums, const Totals<Number>& totals) const {
        return -2 * (geometric_mean(sums.first, static_cast<double>(totals.count) - sums.first) +
                     geometric_mean(sums.second, static_cast<double>(totals.other) - sums.second));
    }
};

PETREE_COMPILE_SCORE(majority, Majority)

}  // namespace petree
