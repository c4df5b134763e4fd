// Gain: minus the entropy in bits, times the cases.
#include "search/search.hpp"

namespace petree {

struct Gain : PlainScore {
    static constexpr bool ignores_absent = true;
    static constexpr bool has_ratio = true;
    NLogN n_log_n;

    explicit Gain(const ScoreSettings& settings) : n_log_n(settings.n_log_n) {}

    template <class Number>
    PETREE_INLINE void add(Sums& sums, const Totals<Number>&, const OneClass<Number>& one) const {
        sums.first += n_log_n(one.count) + n_log_n(one.other);
    }
    template <class Number>
    PETREE_INLINE double value(const Sums& sums, const Totals<Number>& totals) const {
        return sums.first - (n_log_n(totals.count) + n_log_n(totals.other));
    }
    static double cut_penalty(Index n_cuts) { return n_cuts > 1 ? binary_log(static_cast<double>(n_cuts)) : 0.0; }
};

PETREE_COMPILE_SCORE(gain, Gain)

}  // namespace petree
