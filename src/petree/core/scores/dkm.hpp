// What the two readings of DKM for more than two classes share.
#pragma once

#include <cmath>

namespace petree {

// sqrt(count * rest); a residue of rounding must not grow under the root.
inline double geometric_mean(double count, double rest) {
    const double product = count * rest;
    const double both = count + rest;
    return product > 1e-12 * (both * both) ? std::sqrt(product) : 0.0;
}

}  // namespace petree
