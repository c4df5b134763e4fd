// Arrays whose length only the loops know.
#pragma once

#include <vector>

#include "foundation/views.hpp"

namespace petree {

// Lines of `width` numbers each, as many as come; Python gets them without a copy.
template <class T, int N>
struct Made {
    std::vector<T> data;
    Index width = 1;

    Index length() const { return width == 0 ? 0 : static_cast<Index>(data.size()) / width; }
};

}  // namespace petree
