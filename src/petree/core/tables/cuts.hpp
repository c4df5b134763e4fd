// Where a column of numbers may be cut.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "foundation/random.hpp"
#include "foundation/results.hpp"
#include "tables/shortest.hpp"

namespace petree {

// Cuts between all neighbours among the distinct values; whether there are no more than `most` of these (else no cuts).
//
// Each value has its place in a table of twice to four times the size, by open addressing.
inline std::tuple<bool, Made<double, 1>> cut_between_few(Vector<const double> values, Index most) {
    require(most >= 1, "'most' must be at least 1.");
    most = std::min(most, values.size());
    int n_bits = 2;
    while ((Index{1} << n_bits) < 2 * most) ++n_bits;
    std::vector<std::int32_t> table(std::size_t{1} << n_bits, 0);
    std::vector<double> distinct;
    distinct.reserve(most);
    for (Index row = 0; row < values.size(); ++row) {
        const double value = values[row];
        require(value == value, "A value is missing.");
        const Word word = value != 0 ? std::bit_cast<Word>(value) : 0;  // minus zero is zero
        std::size_t slot = (word * golden) >> (64 - n_bits);
        while (table[slot] && distinct[table[slot] - 1] != value) slot = (slot + 1) & (table.size() - 1);
        if (table[slot]) continue;
        if (static_cast<Index>(distinct.size()) == most) return {false, {}};
        distinct.push_back(value);
        table[slot] = static_cast<std::int32_t>(distinct.size());
    }
    std::sort(distinct.begin(), distinct.end());
    Made<double, 1> cuts;
    for (std::size_t k = 1; k < distinct.size(); ++k) cuts.data.push_back(shortest_between(distinct[k - 1], distinct[k]));
    return {true, std::move(cuts)};
}

// A cut between each value and the one above it.
inline Made<double, 1> cuts_between(Vector<const double> lower, Vector<const double> upper) {
    require(lower.size() == upper.size(), "'upper' must be as long as 'lower'.");
    Made<double, 1> cuts;
    cuts.data.reserve(lower.size());
    for (Index k = 0; k < lower.size(); ++k) {
        require(lower[k] < upper[k], "Each number in 'lower' must be below that in 'upper'.");
        cuts.data.push_back(shortest_between(lower[k], upper[k]));
    }
    return cuts;
}

// Move the distinct ones of ascending values to the front, and write how many values there are up to each; how many are
// distinct.
inline Index keep_distinct(Vector<double> ordered, Vector<double> up_to) {
    require(up_to.size() == ordered.size(), "'up_to' must be as long as 'ordered'.");
    Index n_distinct = 0;
    for (Index k = 0; k < ordered.size(); ++k) {
        if (k + 1 == ordered.size() || ordered[k] != ordered[k + 1]) {
            ordered[n_distinct] = ordered[k];
            up_to[n_distinct] = static_cast<double>(k + 1);
            ++n_distinct;
        }
    }
    return n_distinct;
}

// Cuts at the values at which the shares 1 / max_bins, 2 / max_bins, ... of the weight are reached.
//
// A value that is hit is cut off from those below it, or, being the lowest or hit twice, from those above it.
inline Made<double, 1> cut_at_quantiles(Vector<const double> distinct, Vector<const double> up_to, double total,
                                        Index max_bins) {
    require(distinct.size() == up_to.size(), "'up_to' must be as long as 'distinct'.");
    require(max_bins >= 1 && max_bins <= (Index{1} << 26), "There must be 1 to 2^26 bins.");
    Made<double, 1> cuts;
    const Index n = distinct.size();
    Index value = 0;
    Index last = 0;
    Index share = 1;
    const auto weight_at = [&](Index place) { return static_cast<double>(place) / static_cast<double>(max_bins) * total; };
    while (share < max_bins) {
        while (value < n && up_to[value] <= weight_at(share)) ++value;
        if (value == n) break;
        Index n_hits = 0;
        while (share < max_bins && !(up_to[value] <= weight_at(share))) {
            ++n_hits;
            ++share;
        }
        const Index behind = value + 1 + (n_hits > 1 || value == 0);
        for (Index place = value; place < behind; ++place) {
            if (last < place && place < n) {
                cuts.data.push_back(shortest_between(distinct[place - 1], distinct[place]));
                last = place;
            }
        }
    }
    return cuts;
}

}  // namespace petree
