// Kinds of tests, as `petree.conditions` numbers them.
#pragma once

#include <cstdint>

namespace petree {

enum Kind : std::int64_t { THRESHOLD, EQUALS, IN, MULTIWAY, IS_MISSING, QUERY };

// The branch of missing values at a node that saw none.
inline constexpr std::int64_t UNSEEN = -1;

}  // namespace petree
