// Tests for a set of categories: "home in {own, rent}".
#pragma once

#include "search/categories/orders.hpp"

namespace petree {

// A cut of ordered categories as a test: ``x = v`` where a side has one category, else for the set of fewer rows, so that
// a category that the node has not seen goes with more of them; where both have as many, for the one with the lowest code.
template <class Scan, class Cell>
Test as_set(const Scan& scan, const Cell* counts, const Listed& ordered, Index n_present, const Test& cut) {
    double n_rows[2] = {0, 0};
    double n_codes[2] = {0, 0};
    Index lowest[2] = {most_narrow_bins, most_narrow_bins};
    Test sides[2];
    Index side = 0;
    for (Index k = 0; k < n_present; ++k) {
        const Index code = ordered.codes[k];
        n_rows[side] += static_cast<double>(scan.rows_of(counts + Index{ordered.lines[k]} * scan.width()));
        ++n_codes[side];
        lowest[side] = std::min(lowest[side], code);
        sides[side].inside.add(code);
        if (code == cut.cut) side = 1;
    }
    if (cut.missing != UNSEEN) n_rows[cut.missing] = static_cast<double>(scan.n_rows()) - n_rows[1 - cut.missing];
    const Index lower = lowest[1] < lowest[0];
    const bool is_single = n_codes[0] == 1 || n_codes[1] == 1;
    const double* weights = is_single ? n_codes : n_rows;
    side = weights[0] == weights[1] ? lower : weights[1] < weights[0];
    const Index missing = cut.missing == UNSEEN ? UNSEEN : cut.missing ^ side;
    if (is_single) return {cut.column, EQUALS, lowest[side], missing};
    return {cut.column, IN, 0, missing, sides[side].inside};
}

// The orders of the categories of a column at some nodes, for those who look at all sets. Counts have a line for each
// node and category, orders as many lines a node as there may be orders: the categories, and -1 behind those that the node
// has. A node of fewer orders repeats its first one.
inline void order_categories(Matrix<const double> counts, Index n_categories, Matrix<Index> orders, Interrupts& interrupts) {
    require(n_categories >= 1 && n_categories <= most_narrow_bins, "There must be 1 to 255 categories.");
    const Index n_nodes = counts.length() / n_categories;
    const Index n_orders = count_orders(counts.width());
    require(n_nodes * n_categories == counts.length(), "There must be a line for each node and category.");
    require(orders.length() == n_nodes * n_orders && orders.width() == n_categories, "There must be a line for each order.");
    std::fill_n(orders.data, orders.length() * orders.width(), Index{-1});
    CategoryOrders found;
    Listed listed(n_categories);
    found.begin(counts.width(), {});
    for (Index node = 0; node < n_nodes; ++node) {
        const double* lines = counts.row(node * n_categories);
        list_filled(lines, n_categories, counts.width(), 0, listed);
        found.look_at(lines, listed, listed.size, counts.width());
        for (Index which = 0; which < n_orders && found.size(); ++which) {
            Index* line = orders.row(node * n_orders + which);
            if (which < found.size()) {
                const Listed& ordered = found.order(which);
                std::copy_n(ordered.codes.begin(), ordered.size, line);
            } else {
                std::copy_n(orders.row(node * n_orders), n_categories, line);
            }
            interrupts.after(n_categories * counts.width());
        }
    }
}

// Best set of a column that beats the best test so far, or "is missing"; whether there is one.
template <class Scan, class Cell>
bool scan_sets(Scan& scan, const Cell* counts, const Listed& listed, Index missing_code, CategoryOrders& orders, double& best,
               Test& test, Interrupts& interrupts) {
    const bool has_missing = lists_missing(listed, missing_code);
    const Index n_present = listed.size - has_missing;
    // with a single category there may still be "is missing"
    if (n_present < 2) return scan.scan_column(counts, listed, THRESHOLD, missing_code, best, test, interrupts);
    bool is_better = false;
    orders.look_at(counts, listed, n_present, scan.width());
    for (Index which = 0; which < orders.size(); ++which) {
        const Listed& ordered = orders.order(which);
        if (scan.scan_column(counts, ordered, THRESHOLD, missing_code, best, test, interrupts)) {
            if (test.kind == THRESHOLD) test = as_set(scan, counts, ordered, n_present, test);
            is_better = true;
        }
        interrupts.after(listed.size * scan.n_classes());
    }
    return is_better;
}

}  // namespace petree
