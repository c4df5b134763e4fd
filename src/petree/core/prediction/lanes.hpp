// Rows that go side by side, so that a node is read once for all of them.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "prediction/tests.hpp"

namespace petree::prediction {

inline constexpr Index LANES = 8;
// A number for each of the rows that go side by side.
using Lanes = std::array<double, LANES>;

// The values of some rows, column by column.
class LanesOfRows {
  public:
    explicit LanesOfRows(Index n_columns) : values_(n_columns), is_known_(n_columns) {}

    // Read rows of a table, at most as many as there are lanes; other lanes keep what they had.
    void read(Matrix<const double> table, Index start, Index stop) {
        for (Index column = 0; column < table.width(); ++column) {
            bool is_known = true;
            for (Index row = start; row < stop; ++row) {
                values_[column][row - start] = table(row, column);
                is_known &= table(row, column) < infinity;
            }
            is_known_[column] = is_known;
        }
    }

    const Lanes& of(Index column) const { return values_[column]; }
    // Whether all rows have a value in the column.
    bool is_known(Index column) const { return is_known_[column]; }

  private:
    std::vector<Lanes> values_;
    std::vector<unsigned char> is_known_;
};

}  // namespace petree::prediction
