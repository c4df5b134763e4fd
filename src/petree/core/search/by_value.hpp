// The best test of each open node by its value.
#pragma once

#include "search/nodes.hpp"
#include "search/scanning.hpp"
#include "search/categories/sets.hpp"

namespace petree {

// Class counts of a node in the type of the counts and, where rows are counted apart, their number.
template <class Measure>
void fill_totals(const Rows& rows, const Nodes& nodes, Index node, std::vector<typename Measure::Total>& totals) {
    using Total = typename Measure::Total;
    const Index n_classes = nodes.counts.width();
    totals.resize(n_classes + Measure::counts_rows);
    for (Index c = 0; c < n_classes; ++c) totals[c] = static_cast<Total>(nodes.counts(node, c));
    if constexpr (Measure::counts_rows) {
        totals[n_classes] = static_cast<Total>(nodes.sizes[node]);
        if (!rows.are_divided()) return;
        totals[n_classes] = 0;  // sizes of parts are rounded
        for (Index row = nodes.start(node); row < nodes.stop(node); ++row) totals[n_classes] += rows.parts[row];
    }
}

// The best test of a node, of column -1 where there is none: its improvement over no split, and the weight of the node.
struct FoundTest {
    double value;
    double weight;
    Test test;

    double tolerance() const { return score_tolerance * weight; }
};

// Searches the columns of one block, narrow or wide as the counter says.
template <class Score, class Measure, class Counter>
class ValueSearch {
  public:
    using Total = typename Measure::Total;

    ValueSearch(const Score& score, const SearchRules& rules, const Rows& rows, Block block, Counter counter)
        : score_(score), rules_(rules), rows_(rows), block_(block), counter_(std::move(counter)) {
        for (Index place = block.first; place < block.last; ++place) asks_for_sets_ |= rows.columns.kinds[place] == IN;
    }

    // The best test of one node. `classes` are those of all rows, `totals` the node's counts of so many classes; `allowed`
    // says of which columns, if not of all.
    FoundTest search(const std::uint16_t* classes, Index start, Index stop, const Total* totals, Index n_classes,
                     Interrupts& interrupts, const std::uint8_t* allowed = nullptr) {
        FoundTest found{};
        if (asks_for_sets_) orders_.begin(n_classes, rules_.class_weight);
        with_scan<Score, Measure>(score_, rules_, totals, n_classes, scratch_, [&](auto& scan) {
            const double unsplit = scan.unsplit();
            double best = minus_infinity;
            counter_.begin(classes, start, stop, scan.width(), interrupts);
            for (Index place = block_.first; place < block_.last; ++place) {
                if (!counter_.varies(place)) continue;
                const Listed& listed = counter_.list(place);
                const Columns& columns = rows_.columns;
                const bool is_allowed = !allowed || allowed[columns.numbers[place]];
                const bool is_known = !rules_.known_only || !lists_missing(listed, columns.missing_code(place));
                bool is_better = false;
                if (is_allowed && is_known) {
                    is_better = scan_place(scan, listed, place, best, found.test, interrupts);
                } else if (is_allowed) {
                    leave_out_missing(totals, listed, scan.width());
                    is_better = scan_known(n_classes, place, unsplit, best, found.test, interrupts);
                }
                if (is_better) found.test.column = columns.numbers[place];
                counter_.clear();
                interrupts.after(stop - start + listed.size * scan.n_classes());
            }
            found.value = best - unsplit;
            found.weight = scan.weight();
        });
        return found;
    }

  private:
    // Best test of the column at a place that beats the best one so far; whether there is one.
    template <class Scan>
    bool scan_place(Scan& scan, const Listed& listed, Index place, double& best, Test& test, Interrupts& interrupts) {
        const Index kind = rows_.columns.kinds[place];
        const Index missing_code = rows_.columns.missing_code(place);
        scan.set_direction(rows_.columns.signs[place]);
        if (kind == IN) return scan_sets(scan, counter_.counts(), listed, missing_code, orders_, best, test, interrupts);
        if (!scan.scan_column(counter_.counts(), listed, kind, missing_code, best, test, interrupts)) return false;
        if (test.kind == THRESHOLD) test.cut = rows_.columns.middle_cut(place, test.cut, listed.above(test.cut));
        return true;
    }

    void leave_out_missing(const Total* totals, const Listed& listed, Index width) {
        leave_out(totals, counter_.counts() + Index{listed.lines[listed.size - 1]} * width, width, known_totals_);
        known_.take(listed, listed.size - 1);
    }

    // The best test among the rows that have a value in the column. Tests are compared by what they improve over no split,
    // each among its own rows.
    bool scan_known(Index n_classes, Index place, double unsplit, double& best, Test& test, Interrupts& interrupts) {
        bool is_better = false;
        with_scan<Score, Measure>(score_, rules_, known_totals_.data(), n_classes, known_scratch_, [&](auto& known) {
            const double shift = known.unsplit() - unsplit;
            double own = best + shift;
            is_better = scan_place(known, known_, place, own, test, interrupts);
            if (is_better) best = own - shift;
        });
        return is_better;
    }

    const Score& score_;
    const SearchRules& rules_;
    const Rows& rows_;
    Block block_;
    Counter counter_;
    std::vector<Total> scratch_;
    // Of the column with missing values at hand, where only known ones count: its other codes, and what the node has there.
    Listed known_{0};
    std::vector<Total> known_totals_;
    std::vector<Total> known_scratch_;
    CategoryOrders orders_;
    bool asks_for_sets_ = false;
};

template <class Measure, class Score, class Counter>
void search_nodes(const Score& score, const SearchRules& rules, const Rows& rows, const Nodes& nodes, Block block,
                  Counter counter, const Best& best, Interrupts& interrupts) {
    ValueSearch<Score, Measure, Counter> search(score, rules, rows, block, std::move(counter));
    std::vector<typename Measure::Total> totals;
    for (Index node = 0; node < nodes.size(); ++node) {
        fill_totals<Measure>(rows, nodes, node, totals);
        const FoundTest found = search.search(rows.classes.data, nodes.start(node), nodes.stop(node), totals.data(),
                                              rows.n_classes, interrupts, nodes.allowed_at(node));
        best.values(node, 0) = found.value;
        best.values(node, 1) = found.tolerance();
        best.tests[node] = found.test;
    }
}

template <class Measure, class Score>
void best_by_value(const Score& score, const SearchRules& rules, const Rows& rows, const Nodes& nodes, Block block,
                   const Best& best, Interrupts& interrupts) {
    const Index width = rows.n_classes + Measure::counts_rows;
    if (block.last <= rows.columns.n_narrow) {
        search_nodes<Measure>(score, rules, rows, nodes, block, NarrowCounter<Measure>(rows, block.first, block.last, width),
                              best, interrupts);
    } else {
        search_nodes<Measure>(score, rules, rows, nodes, block,
                              WideCounter<Measure>(rows, block.first, block.last, nodes.most_rows(), width), best,
                              interrupts);
    }
}

}  // namespace petree
