// Open nodes, and where their best tests are written.
#pragma once

#include "tables/rows.hpp"

namespace petree {

// A line each: the slice of rows, the class counts, the number of rows (copies counted), and which columns may be tested, by
// their numbers; no lines of these where all may.
struct Nodes {
    Matrix<const Index> slices;
    Matrix<const double> counts;
    Vector<const Index> sizes;
    Matrix<const std::uint8_t> allowed;

    Index size() const { return slices.length(); }
    Index start(Index node) const { return slices(node, 0); }
    Index stop(Index node) const { return slices(node, 1); }
    Index n_rows(Index node) const { return stop(node) - start(node); }
    // Which columns may be tested at a node, or nothing where all may.
    const std::uint8_t* allowed_at(Index node) const { return allowed.length() ? allowed.row(node) : nullptr; }
    Index most_rows() const {
        Index most = 0;
        for (Index node = 0; node < size(); ++node) most = std::max(most, n_rows(node));
        return most;
    }
    void check(const Rows& rows) const {
        check_slices(rows, slices);
        require(counts.length() == size() && sizes.size() == size(), "There must be counts and a size for each node.");
        require(counts.width() == rows.n_classes, "There must be a count for each class.");
        require(allowed.length() == 0 || (allowed.length() == size() && allowed.width() == rows.columns.size()),
                "'allowed' must be empty or have a line for each node, as long as there are columns.");
        for (Index node = 0; node < size(); ++node) {
            double total = 0.0;
            for (Index c = 0; c < counts.width(); ++c) {
                require(counts(node, c) >= 0, "A count is out of range.");
                total += counts(node, c);
            }
            require(total <= 0x1p53 && sizes[node] >= 0 && sizes[node] <= (Index{1} << 53), "A count is out of range.");
        }
    }
};

// For each node the improvement over no split, times its weight, and what counts as equal to it; and the test, of column
// -1 where there is none.
struct Best {
    Matrix<double> values;
    Test* tests;

    static Best of(const Nodes& nodes, Matrix<double> values, Matrix<Index> tests) {
        require(values.length() == nodes.size() && values.width() == 2, "There must be two values for each node.");
        require(tests.length() == nodes.size(), "There must be a test for each node.");
        return {values, as_tests(tests)};
    }
};

// Columns at the places `first:last`, all narrow or all wide.
struct Block {
    Index first;
    Index last;

    void check(const Rows& rows) const {
        require(first >= 0 && first <= last && last <= rows.columns.size(), "There are no such columns.");
        require(last <= rows.columns.n_narrow || first >= rows.columns.n_narrow, "Columns must be all narrow or all wide.");
    }
};

}  // namespace petree
