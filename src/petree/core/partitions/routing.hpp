// Rows of a partition down a small tree of tests by codes.
#pragma once

#include <vector>

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

// What a row asks at a node, in few bytes, since all nodes are read again and again: where the code of the row stands, the
// test, and the children. A node without children is open or a leaf.
struct Step {
    std::int32_t first_child;
    std::int32_t n_children;
    std::int32_t place;
    bool is_threshold;
    Index cut;
    Index missing_code;
    const Test* test;

    // The child that a code leads to, or -1 where there is no such branch.
    std::int32_t child_of(Index code) const {
        const bool is_plain = is_threshold && code != missing_code;
        const Index branch = is_plain ? Index{code > cut} : branch_of(code, *test, missing_code);
        return branch >= 0 && branch < n_children ? first_child + static_cast<std::int32_t>(branch) : -1;
    }
};

// The nodes of a tree of tests by codes. Children stand behind their parents, side by side.
inline std::vector<Step> steps_of(const Columns& columns, Matrix<const Index> lines, Vector<const Index> first_child,
                                  Vector<const Index> n_children) {
    const Index n_nodes = lines.length();
    const Test* tests = as_tests(lines);
    require(n_nodes > 0 && n_nodes < (Index{1} << 31), "There must be a node, and fewer than 2^31.");
    require(first_child.size() == n_nodes && n_children.size() == n_nodes, "There must be a test for each node.");
    std::vector<Step> steps(n_nodes);
    for (Index node = 0; node < n_nodes; ++node) {
        const Index first = first_child[node];
        const Index n = n_children[node];
        require(n >= 0 && n <= n_nodes, "A node has 0 children or more.");
        if (n == 0) continue;
        require(first > node && first <= n_nodes - n, "Children must stand behind their parent.");
        const Test& test = tests[node];
        require(test.column >= 0 && test.column < columns.size(), "There is no such column.");
        const Index place = columns.places[test.column];
        steps[node] = {static_cast<std::int32_t>(first), static_cast<std::int32_t>(n), static_cast<std::int32_t>(place),
                       test.kind == THRESHOLD,           test.cut,                     columns.missing_code(place),
                       &test};
    }
    return steps;
}

// Move each row from the node where it is to the last one that it reaches. A row whose branch a test does not have, since no
// row had such a value when the test was found, is nowhere from then on: -1.
inline void find_nodes(const Columns& columns, Matrix<const std::uint8_t> narrow, Matrix<const std::uint32_t> wide,
                       Matrix<const Index> tests, Vector<const Index> first_child, Vector<const Index> n_children,
                       Vector<std::int32_t> nodes, Interrupts& interrupts) {
    const Codes codes(columns, narrow, wide);
    const std::vector<Step> steps = steps_of(columns, tests, first_child, n_children);
    const Index n_nodes = static_cast<Index>(steps.size());
    require(nodes.size() == codes.size(), "'nodes' needs one for each row.");
    // Some rows go side by side: while one waits for its node, others go on.
    constexpr Index together = 16;
    for (Index start = 0; start < codes.size(); start += together) {
        const Index stop = std::min(start + together, codes.size());
        for (Index row = start; row < stop; ++row) require(nodes[row] >= -1 && nodes[row] < n_nodes, "There is no such node.");
        bool go_on = true;
        while (go_on) {
            go_on = false;
            for (Index row = start; row < stop; ++row) {
                const Index node = nodes[row];
                if (node < 0 || steps[node].n_children == 0) continue;
                const Step& step = steps[node];
                nodes[row] = step.child_of(codes.at(row, step.place));
                go_on = true;
            }
            interrupts.after(2 * together);
        }
    }
}

}  // namespace petree::partitions
