// What a search is about beside the score, and which of its numbers count as equal.
#pragma once

#include <limits>
#include <vector>

#include "foundation/views.hpp"

namespace petree {

inline constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// Scores that differ by no more than this, a case, are equal: rounding grows with the cases, not with the score.
inline constexpr double score_tolerance = 1e-12;

// What counts as a whole row of those that parts of rows make together.
inline constexpr double least_of_row = 1 - 1e-9;

// What a search is about beside the score: children have at least `min_rows` rows, and classes may have weights. Where only
// known values count (`known_only`), a test is worth what it gains among the rows whose value it asks for is known.
struct SearchRules {
    Index min_rows = 1;
    std::vector<double> class_weight;
    bool known_only = false;
};

}  // namespace petree
