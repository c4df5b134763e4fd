// Rows of a partition down a small tree of tests by codes.
#pragma once

#include "foundation/interrupts.hpp"
#include "tables/columns.hpp"

namespace petree::partitions {

// Codes of the rows of a partition, which nobody moves: they may lie in a file.
struct Codes {
    const Columns& columns;
    Matrix<const std::uint8_t> narrow;
    Matrix<const std::uint32_t> wide;

    Codes(const Columns& given, Matrix<const std::uint8_t> narrow_codes, Matrix<const std::uint32_t> wide_codes)
        : columns(given), narrow(narrow_codes), wide(wide_codes) {
        require(narrow.length() == wide.length(), "'narrow' and 'wide' must have a line for each row.");
        require(narrow.width() + wide.width() == columns.size(), "There must be codes for every column.");
    }
    Index size() const { return narrow.length(); }
    Index at(Index row, Index place) const {
        return place < narrow.width() ? Index{narrow(row, place)} : Index{wide(row, place - narrow.width())};
    }
};

// Tests of nodes by codes: a node without children is open or a leaf. Children stand behind their parents, side by side.
struct CodeTree {
    const Test* tests;
    Vector<const Index> first_child;
    Vector<const Index> n_children;

    CodeTree(const Columns& columns, Matrix<const Index> lines, Vector<const Index> first, Vector<const Index> n)
        : tests(as_tests(lines)), first_child(first), n_children(n) {
        const Index n_nodes = lines.length();
        require(n_nodes > 0 && first.size() == n_nodes && n.size() == n_nodes, "There must be a test for each node.");
        for (Index node = 0; node < n_nodes; ++node) {
            require(n[node] >= 0 && n[node] <= n_nodes, "A node has 0 children or more.");
            if (n[node] == 0) continue;
            require(first[node] > node && first[node] <= n_nodes - n[node], "Children must stand behind their parent.");
            require(tests[node].column >= 0 && tests[node].column < columns.size(), "There is no such column.");
        }
    }
    Index size() const { return first_child.size(); }
};

// Move each row from the node where it is to the last one that it reaches. A row whose branch a test does not have, since no
// row had such a value when the test was found, is nowhere from then on: -1. Nodes at whose test the value of a row is missing
// are marked, where `met_missing` has a place for each node; it may be empty.
inline void find_nodes(const Columns& columns, Matrix<const std::uint8_t> narrow, Matrix<const std::uint32_t> wide,
                       Matrix<const Index> tests, Vector<const Index> first_child, Vector<const Index> n_children,
                       Vector<std::int32_t> nodes, Vector<std::uint8_t> met_missing, Interrupts& interrupts) {
    const Codes codes(columns, narrow, wide);
    const CodeTree tree(columns, tests, first_child, n_children);
    require(nodes.size() == codes.size(), "'nodes' needs one for each row.");
    const bool notes = met_missing.size() > 0;
    require(!notes || met_missing.size() == tree.size(), "'met_missing' must be empty or have one for each node.");
    for (Index row = 0; row < codes.size(); ++row) {
        Index node = nodes[row];
        require(node >= -1 && node < tree.size(), "There is no such node.");
        Index steps = 1;
        while (node >= 0 && tree.n_children[node]) {
            const Test& test = tree.tests[node];
            const Index place = columns.places[test.column];
            const Index code = codes.at(row, place);
            if (notes && code == columns.missing_code(place)) met_missing[node] = 1;
            const Index branch = branch_of(code, test, columns.missing_code(place));
            node = branch >= 0 && branch < tree.n_children[node] ? tree.first_child[node] + branch : -1;
            ++steps;
        }
        nodes[row] = static_cast<std::int32_t>(node);
        interrupts.after(2 * steps);
    }
}

}  // namespace petree::partitions
