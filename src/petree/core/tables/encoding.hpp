// Numbers to bin codes.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "foundation/views.hpp"

namespace petree {

// An even grid over the values: the cell of a value never decreases with the value.
struct Grid {
    double lowest;
    double scale;  // cells a unit of value; 0, all values in one cell, where that is not a number
    Index n_cells;

    static Grid over(double lowest, double highest, Index n_cells) {
        const double width = highest - lowest;
        double scale = width > 0 && width < std::numeric_limits<double>::infinity() ? n_cells / width : 0.0;
        if (!(scale < std::numeric_limits<double>::infinity())) scale = 0.0;
        return {lowest, scale, n_cells};
    }
    Index cell(double value) const {
        const double position = (value - lowest) * scale;
        return position > 0 ? static_cast<Index>(std::min(position, n_cells - 1.0)) : 0;
    }
};

// Write the bin of each value: how many thresholds are not above it. Missing values get the code behind the last.
//
// A cell of the grid says how many thresholds lie in the cells before it, so that only those of the value's own cell
// remain to be compared.
template <class Code>
void encode_numbers(Vector<const double> values, Vector<const double> thresholds, Matrix<Code> codes, Index column) {
    constexpr Index most_cells = 4096, cells_per_threshold = 16, cells_per_value = 4;
    const Index n_thresholds = thresholds.size();
    require(codes.length() == values.size() && column >= 0 && column < codes.width(), "There must be a code for each value.");
    require(n_thresholds + 1 <= Index{std::numeric_limits<Code>::max()}, "There are more bins than codes.");
    const Index n_cells = 1 + std::min({most_cells, cells_per_threshold * n_thresholds, cells_per_value * values.size()});
    Grid grid{0.0, 0.0, n_cells};
    if (n_thresholds > 1) grid = Grid::over(thresholds[0], thresholds[n_thresholds - 1], n_cells);
    std::vector<Index> before(n_cells + 1, 0);
    for (Index k = 0; k < n_thresholds; ++k) ++before[grid.cell(thresholds[k]) + 1];
    for (Index cell = 0; cell < n_cells; ++cell) before[cell + 1] += before[cell];
    for (Index row = 0; row < values.size(); ++row) {
        const double value = values[row];
        if (value != value) {
            codes(row, column) = static_cast<Code>(n_thresholds + 1);
            continue;
        }
        const Index cell = grid.cell(value);
        Index low = before[cell];
        Index high = before[cell + 1];
        while (low < high) {
            const Index middle = (low + high) / 2;
            if (thresholds[middle] <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        codes(row, column) = static_cast<Code>(low);
    }
}

// Lower the least and raise the greatest value of each bin to those of a coded column; missing values have no bin.
template <class Code>
void find_bin_ends(Vector<const double> values, Matrix<const Code> codes, Index column, Vector<double> lowest,
                   Vector<double> highest) {
    const Index n_bins = lowest.size();
    require(codes.length() == values.size() && column >= 0 && column < codes.width(), "There must be a code for each value.");
    require(highest.size() == n_bins, "There must be a least and a greatest value for each bin.");
    for (Index row = 0; row < values.size(); ++row) {
        const Index code = codes(row, column);
        if (code >= n_bins) continue;
        lowest[code] = std::min(lowest[code], values[row]);
        highest[code] = std::max(highest[code], values[row]);
    }
}

// Write the code of each category, and for missing ones (below 0) the code behind the last; how many are missing.
template <class Code>
Index encode_categories(Vector<const std::int32_t> categories, Index n_bins, Matrix<Code> codes, Index column) {
    require(codes.length() == categories.size() && column >= 0 && column < codes.width(),
            "There must be a code for each category.");
    require(n_bins >= 0 && n_bins <= Index{std::numeric_limits<Code>::max()}, "There are more categories than codes.");
    Index n_missing = 0;
    for (Index row = 0; row < categories.size(); ++row) {
        const Index category = categories[row];
        require(category < n_bins, "A category is out of range.");
        codes(row, column) = static_cast<Code>(category < 0 ? n_bins : category);
        n_missing += category < 0;
    }
    return n_missing;
}

// Add the weight of each value (1 where there are none) to its cell.
inline void weigh_cells(Vector<const double> values, Vector<const double> weights, double lowest, double scale,
                        Vector<double> totals) {
    require(weights.size() == 0 || weights.size() == values.size(), "There must be a weight for each value, or none.");
    require(totals.size() > 0, "There must be a cell.");
    const Grid grid{lowest, scale, totals.size()};
    for (Index row = 0; row < values.size(); ++row) totals[grid.cell(values[row])] += weights.size() ? weights[row] : 1.0;
}

// List the rows whose cell is wanted; how many.
inline Index rows_in_cells(Vector<const double> values, double lowest, double scale, Vector<const Flag> is_wanted,
                           Vector<std::uint32_t> rows) {
    require(rows.size() == values.size(), "There must be room for each row.");
    require(is_wanted.size() > 0, "There must be a cell.");
    const Grid grid{lowest, scale, is_wanted.size()};
    Index n_found = 0;
    for (Index row = 0; row < values.size(); ++row) {
        rows[n_found] = static_cast<std::uint32_t>(row);
        n_found += is_wanted[grid.cell(values[row])];
    }
    return n_found;
}

inline double grid_scale(double lowest, double highest, Index n_cells) {
    return Grid::over(lowest, highest, n_cells).scale;
}

}  // namespace petree
