// What the two readings of DKM for more than two classes share.
#pragma once

#include <algorithm>
#include <cmath>

#include "foundation/views.hpp"

namespace petree {

// sqrt(count * rest); a residue of rounding must not grow under the root. A factor instead of a branch, which would be
// guessed wrong half of the time.
PETREE_INLINE double geometric_mean(double count, double rest) {
    const double product = count * rest;
    const double both = count + rest;
    const double is_real = product > 1e-12 * (both * both) ? 1.0 : 0.0;
    return std::sqrt(std::max(product, 0.0)) * is_real;
}

}  // namespace petree
