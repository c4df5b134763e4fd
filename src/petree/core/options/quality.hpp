// Buntine's quality of all tests of a node, from the class counts of the values present there.
//
// `ln Q(test) = ln P(test) + sum of ln w_leaf + ln B(n^k + a) - ln B(a) over the children`. A number competes by the
// integral over its cuts and offers the best of them; the difference of the two is what the choice of the cut costs. Where
// tests are drawn it offers a cut that is drawn by its share of the integral, and a nominal column one of the values `x = v`
// by its share of the mean.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "foundation/random.hpp"
#include "options/best_tests.hpp"
#include "options/branches.hpp"
#include "options/lot.hpp"
#include "options/node_counts.hpp"

namespace petree {

// Counts nodes and rates the tests of a block of columns.
template <class Code>
class QualityScan {
  public:
    QualityScan(const Rows& rows, const Evidence& evidence, Matrix<Code> codes, Block block)
        : rows_(rows),
          evidence_(evidence),
          first_place_(block.first),
          n_columns_(block.last - block.first),
          drawn_(block.last - block.first),
          ranks_(block.last - block.first),
          counts_(rows, evidence, codes, block),
          branches_(evidence) {
        Index line = 0;
        for (Index place = 0; place < block.last; ++place) {
            if (place >= block.first) centre_start_.push_back(line);
            line += rows.columns.n_bins[place] + 1;
        }
        std::iota(drawn_.begin(), drawn_.end(), Index{0});
        order_ = drawn_;
    }

    // Let columns be drawn from this order of all of them, so that what is drawn depends on no other; and one
    // test of each column, if so asked.
    void draw_from(Vector<const Index> order, bool draws_tests) {
        order_.assign(order.data, order.data + order.size());
        for (Index rank = 0; rank < order.size(); ++rank) ranks_[order[rank]] = static_cast<Word>(rank);
        draws_tests_ = draws_tests;
    }
    // The place of a column in that order.
    Word rank(Index column) const { return ranks_[column]; }

    // Let tests be only of these columns, by their numbers; of all where there is nothing.
    void allow(const std::uint8_t* columns) { allowed_ = columns; }

    const double* totals() const { return counts_.totals(); }
    // The logarithm of what the counted node is worth as a leaf.
    double ln_leaf() const { return evidence_.ln_leaf + evidence_.of(totals()); }

    // Count a node; whether it may be divided.
    template <class RowOf>
    bool count_node(RowOf row_of, Index n_rows) {
        return counts_.count_node(row_of, n_rows);
    }

    // The best tests of a node that has been counted.
    template <class RowOf>
    void rate(RowOf row_of, Index n_rows, BestTests& best, Interrupts& interrupts) {
        rate_some(row_of, n_rows, n_columns_, 0, best, interrupts);
    }

    // The same of no more than so many columns that tell rows of the node apart; a key draws them.
    template <class RowOf>
    void rate_some(RowOf row_of, Index n_rows, Index most, Word key, BestTests& best, Interrupts& interrupts) {
        best.clear();
        if (n_rows == 0) return;
        branches_.begin(totals());
        Random random(key);
        test_key_ = mix_keys(key, static_cast<Word>(n_columns_));
        Index n_telling = 0;
        for (Index first = 0; first < n_columns_ && n_telling < most;) {
            const Index last = std::min(n_columns_, first + most - n_telling);
            if (most < n_columns_) draw_columns(first, last, random);
            const std::span<const Index> drawn(drawn_.data() + first, drawn_.data() + last);
            counts_.count_columns(row_of, n_rows, drawn, interrupts);
            for (; first < last; ++first) n_telling += rate_counted(drawn_[first], best, interrupts);
        }
    }

  private:
    // Draw columns to some places of the list, among those that are not before them; they stand in their own order.
    void draw_columns(Index first, Index last, Random& random) {
        if (first == 0) drawn_ = order_;
        for (Index k = first; k < last; ++k) std::swap(drawn_[k], drawn_[k + random.next_below(n_columns_ - k)]);
        std::sort(drawn_.begin() + first, drawn_.begin() + last);
    }

    // Rate the tests of a column that has been counted; whether it tells rows apart.
    bool rate_counted(Index column, BestTests& best, Interrupts& interrupts) {
        const bool tells = counts_.lowest(column) < counts_.highest(column);
        if (tells && (!allowed_ || allowed_[rows_.columns.numbers[first_place_ + column]])) rate_column(column, best);
        counts_.clear_column(column);
        interrupts.after(counts_.highest(column) - counts_.lowest(column) + 1);
        return tells;
    }

    // Keep what a column has to offer: "is missing", then its other tests.
    void rate_column(Index column, BestTests& best) {
        const Index place = first_place_ + column;
        const Index number = rows_.columns.numbers[place];
        const double ln_test = evidence_.ln_tests[place];
        const bool has_missing = counts_.highest(column) == counts_.n_bins(column);
        if (has_missing) {
            branches_.fill(counts_.line(column, counts_.n_bins(column)));
            best.keep({{number, IS_MISSING, 0, 0}, ln_test + branches_.quality(), 0.0});
        }
        switch (rows_.columns.kinds[place]) {
            case EQUALS:
                rate_values(column, has_missing, best);
                break;
            case MULTIWAY:
                best.keep({{number, MULTIWAY, 0, has_missing ? counts_.n_bins(column) : UNSEEN},
                           ln_test + multiway_quality(column, has_missing),
                           0.0});
                break;
            default:
                rate_cuts(column, has_missing, best);
        }
    }

    // Keep the tests `x = v`, or one of them that is drawn. The last of two values divides the rows as the first does, and a
    // lone one as "is missing": there is no second test.
    void rate_values(Index column, bool has_missing, BestTests& best) {
        const Index place = first_place_ + column;
        const Index first = counts_.lowest(column);
        const Index last = counts_.highest_value(column);
        values_.clear();
        Index n_present = 0;
        Index n_seen = 0;
        for (Index code = first; code <= last; ++code) n_present += counts_.n_rows(column, code) > 0;
        for (Index code = first; code <= last; ++code) {
            if (counts_.n_rows(column, code) == 0) continue;
            ++n_seen;
            if (n_seen == n_present && n_present <= 2) break;
            branches_.fill(counts_.line(column, code));
            double value = branches_.quality();
            Index missing = has_missing ? 1 : UNSEEN;
            if (has_missing) {
                branches_.extend(counts_.line(column, counts_.n_bins(column)));
                const double other = branches_.quality();
                if (other > value + quality_tolerance) {
                    value = other;
                    missing = 0;
                }
            }
            const RatedTest one{{rows_.columns.numbers[place], EQUALS, code, missing}, evidence_.ln_tests[place] + value, 0.0};
            if (!draws_tests_) {
                best.keep(one);
            } else if (value > impossible) {
                values_.push_back(one);
            }
        }
        if (!values_.empty()) best.keep(draw_value(column));
    }

    // One of the values, drawn by its quality, that competes by the mean over all. They come by their qualities, so that what
    // they are called does not matter; equal ones, whose sums over the classes may be rounded otherwise, by their codes.
    RatedTest draw_value(Index column) {
        const auto steps = [](const RatedTest& one) { return std::floor(one.quality / quality_tolerance + 0.5); };
        std::stable_sort(values_.begin(), values_.end(), [&](const RatedTest& one, const RatedTest& other) {
            return steps(one) > steps(other);
        });
        Lot lot = lot_of(column);
        RatedTest drawn = values_[0];
        for (const RatedTest& one : values_) {
            if (lot.add(one.quality, 1.0 / static_cast<double>(values_.size()))) drawn = one;
        }
        return {drawn.test, lot.sum(), lot.sum() - drawn.quality};
    }

    // Quality of one branch a value; minus infinity unless two are large enough, or if "is missing" divides alike.
    double multiway_quality(Index column, bool has_missing) {
        double value = 0.0;
        Index n_large = 0;
        Index n_values = 0;
        for (Index code = counts_.lowest(column); code <= counts_.highest(column); ++code) {
            const double n_rows = counts_.n_rows(column, code);
            if (!(n_rows > 0)) continue;
            value += evidence_.of(counts_.line(column, code));
            n_large += n_rows >= static_cast<double>(evidence_.min_rows);
            n_values += code < counts_.n_bins(column);
        }
        if (n_large < 2 || n_values < 2) return impossible;
        return value + static_cast<double>(counts_.n_bins(column) + has_missing) * evidence_.ln_leaf;
    }

    struct Integral {
        double value;   // minus infinity: there is no cut
        double chosen;  // quality of the cut that is offered
        Index cut;
    };

    // Keep the test of a number, with missing values on the branch where it is better.
    void rate_cuts(Index column, bool has_missing, BestTests& best) {
        const Index place = first_place_ + column;
        Integral chosen{impossible, 0.0, 0};
        Index missing = UNSEEN;
        for (Index side = 0; side < 1 + has_missing; ++side) {  // missing values on branch 1, then on branch 0
            const Integral integral = integrate(column, side == 1);
            if (integral.value > chosen.value + quality_tolerance) {
                chosen = integral;
                missing = has_missing ? 1 - side : UNSEEN;
            }
        }
        best.keep({{rows_.columns.numbers[place], THRESHOLD, chosen.cut, missing},
                   evidence_.ln_tests[place] + chosen.value,
                   chosen.value - chosen.chosen});
    }

    // Integral of the quality over all cuts, that of the best one or of the drawn one, and where it cuts. In an empty gap the
    // cut nearest to its middle is taken. Branch 0 may begin with the missing values.
    Integral integrate(Index column, bool with_missing) {
        const double* centres = evidence_.centres.data + centre_start_[column];
        const Index sign = rows_.columns.signs[first_place_ + column];
        const Index first = counts_.lowest(column);
        Index last = counts_.highest_value(column);
        while (last > first && counts_.n_rows(column, last) == 0) --last;
        // halves, where the whole range would be infinite
        const double scale = centres[last] - centres[first] < std::numeric_limits<double>::infinity() ? 1.0 : 0.5;
        const double span = scale * centres[last] - scale * centres[first];
        branches_.fill(counts_.line(column, first));
        if (with_missing) branches_.extend(counts_.line(column, counts_.n_bins(column)));
        Index previous = first;
        Index below = 0;
        Index above = 0;
        Lot cuts = lot_of(column);
        double chosen = impossible;
        for (Index code = first + 1; code <= last; ++code) {
            if (counts_.n_rows(column, code) == 0) continue;
            const double value = branches_.goes_right(sign) ? branches_.quality() : impossible;
            const double width = (scale * centres[code] - scale * centres[previous]) / span;
            if (value > impossible && cuts.add(value, width)) {
                below = previous;
                above = code;
                chosen = value;
            }
            branches_.extend(counts_.line(column, code));
            previous = code;
        }
        if (cuts.is_empty()) return {impossible, impossible, 0};
        return {cuts.sum(), draws_tests_ ? chosen : cuts.best(), code_below_middle(centres, below, above)};
    }

    // What chooses one of the tests of a column.
    Lot lot_of(Index column) const { return Lot(draws_tests_, mix_keys(test_key_, ranks_[column])); }

    const Rows& rows_;
    const Evidence& evidence_;
    Index first_place_;
    Index n_columns_;
    std::vector<Index> centre_start_;  // by column: its first line among all centres
    std::vector<Index> drawn_;         // columns, those that were drawn first,
    std::vector<Index> order_;         // and as they stand before any is drawn
    std::vector<Word> ranks_;          // by column: its place in that order
    std::vector<RatedTest> values_;    // tests of a nominal column
    bool draws_tests_ = false;
    Word test_key_ = 0;  // what the tests of the node's columns are drawn by
    NodeCounts<Code> counts_;
    Branches branches_;
    const std::uint8_t* allowed_ = nullptr;
};

}  // namespace petree
