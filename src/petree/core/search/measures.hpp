// How cases are counted: whole, or by weights.
#pragma once

#include "foundation/views.hpp"

namespace petree {

// Rows of weight 1 or of whole copies. A line of counts has a cell for each class.
struct Whole {
    using Cell = std::uint32_t;
    using Total = Index;
    static constexpr bool counts_rows = false;
};

// Rows of any weight. Behind the classes a line has a cell for plain rows, of which there may be parts.
struct Fractional {
    using Cell = double;
    using Total = double;
    static constexpr bool counts_rows = true;
};

}  // namespace petree
