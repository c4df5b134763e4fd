// Which way the share of the second class must go when a column rises.
#pragma once

#include "scores/score.hpp"

namespace petree {

// Whether the shares of the second class in two children, the lower values first, do not go against the sign: 1 asks for
// a share that does not fall, -1 for one that does not rise, 0 for nothing. Class weights do not change which share is
// larger; rounding does not count.
template <class Number>
PETREE_INLINE bool keeps_direction(Index sign, Number low_first, Number low_second, Number high_first, Number high_second) {
    if (sign == 0) return true;
    const double low[2] = {static_cast<double>(low_first), static_cast<double>(low_second)};
    const double high[2] = {static_cast<double>(high_first), static_cast<double>(high_second)};
    const double falls = low[1] * high[0] - high[1] * low[0];  // the difference of the shares, times both weights
    return static_cast<double>(sign) * falls <= equal_shares * (low[0] + low[1]) * (high[0] + high[1]);
}

}  // namespace petree
