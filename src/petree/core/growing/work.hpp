// How the tests of nodes are found and their rows divided while a tree grows at once.
#pragma once

#include "search/by_value.hpp"
#include "tables/dividing.hpp"

namespace petree {

// A node that is divided: its rows, their number with all copies, and its class counts.
struct Parent {
    Index start;
    Index stop;
    Index size;
    const double* counts;
};

// Narrow columns, counted anew at every node: the way of small nodes.
template <class Score, class Measure>
class PlainWork {
  public:
    using Total = typename Measure::Total;
    static constexpr bool counts_rows = Measure::counts_rows;

    PlainWork(const Score& score, const SearchRules& rules, Rows& rows)
        : rows_(rows),
          search_(score, rules, rows, Block{0, rows.columns.size()},
                  NarrowCounter<Measure>(rows, 0, rows.columns.size(), rows.n_classes + Measure::counts_rows)),
          divider_(rows),
          leaves_out_absent_(Score::ignores_absent && !Measure::counts_rows && rules.class_weight.empty() &&
                             rows.n_classes > 2) {
        if (leaves_out_absent_) few_classes_.resize(rows.size());
    }

    FoundTest search(Index start, Index stop, std::vector<Total>& totals, Interrupts& interrupts) {
        const std::uint16_t* classes = rows_.classes.data;
        if (leaves_out_absent_) {
            leave_out_absent(start, stop, totals);
            classes = few_classes_.data();
        }
        const Index n_classes = static_cast<Index>(totals.size()) - Measure::counts_rows;
        return search_.search(classes, start, stop, totals.data(), n_classes, interrupts);
    }

    // Move the rows of a node to its children; returns the rows looked at.
    Index divide(const Parent& parent, const Test& test, const Children& children) {
        divider_.divide(parent.start, parent.stop, test, 0, children.stops.size(), children);
        return parent.stop - parent.start;
    }

    void leave(Index) {}

  private:
    // Number the classes present at a node from 0 on, in its rows and in the totals: the others add nothing to its score.
    void leave_out_absent(Index start, Index stop, std::vector<Total>& totals) {
        places_.resize(rows_.n_classes);
        Index n_present = 0;
        for (Index c = 0; c < rows_.n_classes; ++c) {
            if (totals[c] > 0) {
                places_[c] = static_cast<std::uint16_t>(n_present);
                totals[n_present] = totals[c];
                ++n_present;
            }
        }
        totals.resize(n_present);
        for (Index row = start; row < stop; ++row) few_classes_[row] = places_[rows_.classes[row]];
    }

    Rows& rows_;
    ValueSearch<Score, Measure, NarrowCounter<Measure>> search_;
    Divider divider_;
    bool leaves_out_absent_;
    std::vector<std::uint16_t> few_classes_;
    std::vector<std::uint16_t> places_;
};

}  // namespace petree
